"""Claims and their versions."""

from __future__ import annotations

import uuid

from django.db import models

from annotation.models.projects import Project
from annotation.models.sources import Source
from corpus import records
from corpus.fields import VerbatimJSONField
from corpus.models import Document, User


class Split(models.Model):
    """A named part of a project's claims: train, dev, test."""

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="splits"
    )
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="split_name")
        ]

    def __str__(self) -> str:
        return self.name


class Claim(models.Model):
    """An atomic, verifiable statement of one finding.

    ``text`` is the text of the current version. ``family`` is shared by an
    original, its negations and its re-uses. ``has_cited_list`` tells a file that
    lists no cited abstracts from one that does not say.
    """

    class Kind(models.TextChoices):
        COMPOSED = records.ClaimKind.COMPOSED.value, "composed"
        EXTRACTED = records.ClaimKind.EXTRACTED.value, "extracted"
        HYPOTHESIS = records.ClaimKind.HYPOTHESIS.value, "hypothesis"

    class State(models.TextChoices):
        SUBMITTED = "submitted", "waiting for proofreading"
        CHANGES_REQUESTED = "changes_requested", "changes requested"
        APPROVED = "approved", "approved"
        REJECTED = "rejected", "rejected"
        IMPORTED = "imported", "imported"
        WITHDRAWN = "withdrawn", "taken back by its author"
        RETIRED = "retired", "retired"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="claims"
    )
    external_id = models.CharField(max_length=255)
    external_id_is_int = models.BooleanField(default=False)
    position = models.PositiveBigIntegerField()
    # What is served first: an admin raises it for chosen items.
    priority = models.SmallIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    family = models.UUIDField(default=uuid.uuid4)
    negates = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="negations"
    )
    source = models.ForeignKey(
        Source, on_delete=models.PROTECT, null=True, related_name="claims"
    )
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True)
    state = models.CharField(max_length=20, choices=State.choices)
    text = models.TextField()
    text_key = models.CharField(max_length=64)
    version = models.PositiveIntegerField(default=1)
    is_labelled = models.BooleanField(default=True)
    has_cited_list = models.BooleanField(default=True)
    split = models.ForeignKey(
        Split, on_delete=models.PROTECT, null=True, related_name="claims"
    )
    source_extra = VerbatimJSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    documents = models.ManyToManyField(
        Document, through="ClaimCitation", related_name="citing_claims"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "external_id"], name="claim_external_id"
            ),
            models.UniqueConstraint(
                fields=["project", "position"], name="claim_position"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "state", "position"], name="claim_queue"),
            models.Index(
                fields=["project", "state", "-priority", "position"],
                name="claim_next",
            ),
            models.Index(fields=["project", "text_key"], name="claim_text_key"),
            models.Index(fields=["family"], name="claim_family"),
            models.Index(fields=["project", "author", "position"], name="claim_author"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def record_id(self) -> records.ExternalId:
        """The id as its file spells it."""
        return records.ExternalId(self.external_id, self.external_id_is_int)


class ClaimCitation(models.Model):
    """One entry of a claim's list of cited abstracts: order and repeats are kept."""

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="citations")
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, related_name="claim_citations"
    )
    ordinal = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "ordinal"], name="claim_citation_ordinal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} → {self.document_id}"


class ClaimVersion(models.Model):
    """A wording of a claim, kept for good."""

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # One key for each opened form: the same form sent twice writes one version.
    submission_key = models.UUIDField(null=True, unique=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "number"], name="claim_version_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} v{self.number}"
