"""Pairs, what annotators judged of them, and what stands in the end."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.claims import Claim, ClaimVersion
from annotation.models.labels import LabelCode
from annotation.models.projects import Guideline, Project
from annotation.protocols import ProjectSettings
from corpus import records
from corpus.fields import VerbatimJSONField
from corpus.models import Document, User


class Pair(models.Model):
    """A claim and one abstract: the unit of queue, judgement and verdict."""

    class Origin(models.TextChoices):
        CITED = records.PairOrigin.CITED.value, "cited"
        GENERATED = records.PairOrigin.GENERATED.value, "generated"
        POOLED = records.PairOrigin.POOLED.value, "pooled"
        IMPORTED = records.PairOrigin.IMPORTED.value, "imported"

    class State(models.TextChoices):
        OPEN = "open", "to be judged"
        JUDGED = "judged", "waiting for review"
        CHANGES_REQUESTED = "changes_requested", "changes requested"
        DISPUTED = "disputed", "judgements disagree"
        APPROVED = "approved", "approved"
        IMPORTED = "imported", "imported"
        RETIRED = "retired", "retired"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="pairs")
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="pairs")
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, related_name="pairs"
    )
    origin = models.CharField(max_length=10, choices=Origin.choices)
    ordinal = models.PositiveIntegerField()
    # What is served first: an admin raises it for chosen items.
    priority = models.SmallIntegerField(default=0)
    state = models.CharField(max_length=20, choices=State.choices, default=State.OPEN)
    # The sentence that goes with a generated NOT ENOUGH INFO pair.
    given_sentence = models.PositiveIntegerField(null=True)
    # How many judgements samples for re-annotation ask for; 0 where none has it.
    judgements_wanted = models.PositiveSmallIntegerField(default=0)
    # How informative it is to settle the disagreement (``annotation.disputes``).
    conflict = models.PositiveSmallIntegerField(default=0)
    source_extra = VerbatimJSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "document"], name="pair_claim_document"
            ),
            models.UniqueConstraint(fields=["claim", "ordinal"], name="pair_ordinal"),
            models.CheckConstraint(
                condition=Q(given_sentence__isnull=True) | Q(origin="generated"),
                name="pair_given_sentence_generated",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "state", "id"], name="pair_queue"),
            models.Index(
                fields=["project", "state", "-priority", "document", "id"],
                name="pair_next",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} → {self.document_id}"

    def judgements_needed(self, rules: ProjectSettings) -> int:
        """How many independent judgements the project and its samples ask for."""
        return max(rules.judgements_per_pair, self.judgements_wanted)


class Judgement(models.Model):
    """One annotator's label and rationales for one pair, in the current version.

    ``slot`` counts the independent judgements of a pair from 0; the database
    allows each slot and each annotator once. A rejected judgement has given up
    its slot (null) to the next annotator. One that was taken back has given up its
    slot too; the annotator may judge again. Imported gold has no annotator. A slot
    beyond what the project asks for is a re-annotation: it measures agreement, and
    nobody reviews it. What an adjudicator wrote has no slot: it is not independent.
    """

    class Origin(models.TextChoices):
        ANNOTATOR = "annotator", "annotator"
        ADJUDICATOR = "adjudicator", "adjudicator"
        IMPORT = "import", "import"

    class State(models.TextChoices):
        SUBMITTED = "submitted", "waiting for review"
        CHANGES_REQUESTED = "changes_requested", "changes requested"
        APPROVED = "approved", "approved"
        UNREVIEWED = "unreviewed", "kept without review"
        REJECTED = "rejected", "rejected"
        WITHDRAWN = "withdrawn", "taken back by its annotator"
        ADJUDICATED = "adjudicated", "written by an adjudicator"
        IMPORTED = "imported", "imported"

        @property
        def told(self) -> Judgement.State:
            """What its annotator reads: never that theirs was a re-annotation."""
            kind = type(self)
            return kind.SUBMITTED if self is kind.UNREVIEWED else self

    class Arm(models.TextChoices):
        """How the annotator stood to the model's suggestion, by the project's rule."""

        NONE = "none", "there was none"
        CONTROL = "control", "withheld by chance"
        ON_DEMAND = "on_demand", "when asked for"
        AFTER_FIRST_CHOICE = "after_first_choice", "after an own first choice"
        ALWAYS = "always", "at once"

    class Taken(models.TextChoices):
        """What of a suggestion was taken over, and still stood when it was sent."""

        NONE = "none", "nothing"
        LABEL = "label", "the label"
        SENTENCES = "sentences", "the sentences"
        ALL = "all", "label and sentences"

    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="judgements")
    annotator = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        related_name="judgements",
    )
    origin = models.CharField(
        max_length=12, choices=Origin.choices, default=Origin.ANNOTATOR
    )
    slot = models.PositiveSmallIntegerField(null=True, default=0)
    state = models.CharField(
        max_length=20, choices=State.choices, default=State.SUBMITTED
    )
    label = models.CharField(max_length=20, choices=LabelCode.choices)
    version = models.PositiveIntegerField(default=1)
    claim_version = models.ForeignKey(ClaimVersion, on_delete=models.PROTECT)
    document_hash = models.CharField(max_length=64)
    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, null=True)
    active_seconds = models.PositiveIntegerField(null=True)
    elapsed_seconds = models.PositiveIntegerField(null=True)
    submitted_at = models.DateTimeField()
    suggestion_arm = models.CharField(
        max_length=20, choices=Arm.choices, default=Arm.NONE
    )
    suggestion_shown = models.BooleanField(default=False)
    suggestion_taken = models.CharField(
        max_length=10, choices=Taken.choices, default=Taken.NONE
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "slot"], name="judgement_slot"),
            models.UniqueConstraint(
                fields=["pair", "annotator"],
                condition=Q(annotator__isnull=False) & ~Q(state="withdrawn"),
                name="judgement_annotator_once",
            ),
            models.CheckConstraint(
                condition=Q(origin="import", annotator__isnull=True)
                | Q(origin__in=("annotator", "adjudicator"), annotator__isnull=False),
                name="judgement_annotator_unless_import",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "id"], name="judgement_queue"),
            models.Index(fields=["annotator", "-id"], name="judgement_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.label} for {self.pair_id}"


class JudgementVersion(models.Model):
    """A judgement as it was submitted once, kept for good.

    ``rationales`` is a list of ``{"sentences": […], "roles": […]}``.
    """

    judgement = models.ForeignKey(
        Judgement, on_delete=models.PROTECT, related_name="versions"
    )
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=20, choices=LabelCode.choices)
    rationales = models.JSONField(default=list)
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    submission_key = models.UUIDField(null=True, unique=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgement", "number"], name="judgement_version_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.judgement_id} v{self.number}"


class Rationale(models.Model):
    """A set of sentences that together justify the judgement's label.

    ``roles`` is empty, or has PRIMARY or SUPPLEMENTARY for each sentence.
    """

    judgement = models.ForeignKey(
        Judgement, on_delete=models.PROTECT, related_name="rationales"
    )
    ordinal = models.PositiveIntegerField()
    sentences = models.JSONField()
    roles = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgement", "ordinal"], name="rationale_ordinal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.judgement_id}: {self.sentences}"


class Verdict(models.Model):
    """What finally stands for a pair: always an adopted judgement."""

    class Provenance(models.TextChoices):
        SINGLE = "single", "one judgement"
        UNANIMOUS = "unanimous", "unanimous"
        ADJUDICATED = "adjudicated", "adjudicated"
        IMPORTED = "imported", "imported"

    pair = models.OneToOneField(Pair, on_delete=models.PROTECT, related_name="verdict")
    judgement = models.ForeignKey(
        Judgement, on_delete=models.PROTECT, related_name="verdicts"
    )
    provenance = models.CharField(max_length=12, choices=Provenance.choices)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True)
    decided_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.judgement} ({self.provenance})"
