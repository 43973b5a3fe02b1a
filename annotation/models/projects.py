"""Projects, their members, and the texts that members accept."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation import protocols
from corpus.models import Corpus, User
from corpus.models.library import Visibility


class Stage(models.TextChoices):
    """A kind of work that a member may be allowed to do."""

    WRITE = "write", "Write claims"
    NEGATE = "negate", "Negate claims"
    VERIFY = "verify", "Verify pairs"
    PROOFREAD = "proofread", "Proofread claims"
    REVIEW = "review", "Review judgements"
    ADJUDICATE = "adjudicate", "Adjudicate disagreements"
    ADMIN = "admin", "Administer the project"


def stage_words(stages: list[str]) -> str:
    """Return kinds of work in words."""
    if set(stages) == set(Stage.values):
        return "Everything"
    return ", ".join(Stage(stage).label for stage in stages)


class Project(models.Model):
    """One data set in the making."""

    class ProtocolChoice(models.TextChoices):
        SCIFACT = protocols.Protocol.SCIFACT.value, "SciFact: claims from citances"
        CHECK_COVID = (
            protocols.Protocol.CHECK_COVID.value,
            "Check-COVID: news claims",
        )
        CORE = protocols.Protocol.CORE.value, "CoRe: hypotheses of a review"

    name = models.CharField(max_length=120, unique=True)
    slug = models.SlugField(max_length=140, unique=True)
    description = models.TextField(blank=True)
    protocol = models.CharField(max_length=20, choices=ProtocolChoice.choices)
    label_scheme = models.JSONField()
    settings = models.JSONField()
    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="projects"
    )
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    is_demo = models.BooleanField(default=False)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    # The last number given to a claim: its position, and the id of a written one.
    claim_counter = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> protocols.ProjectSettings:
        """The protocol settings, typed."""
        return protocols.ProjectSettings.from_json(self.settings)

    @property
    def labels(self) -> tuple[protocols.LabelChoice, ...]:
        """The labels in this project's order and words."""
        return protocols.labels_from_json(self.label_scheme)


class Membership(models.Model):
    """A person in a project: a state, and a permission for each stage."""

    class State(models.TextChoices):
        INVITED = "invited", "invited"
        QUIZ = "quiz", "taking the quiz"
        PROBATION = "probation", "on probation"
        TRUSTED = "trusted", "trusted"
        SUSPENDED = "suspended", "suspended"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="memberships"
    )
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.PROBATION
    )
    stages = models.JSONField(default=list)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.project}"

    @property
    def is_active(self) -> bool:
        """Whether this member may see the project and work in it."""
        return self.state in {self.State.PROBATION, self.State.TRUSTED}

    @property
    def stage_words(self) -> str:
        """What the member may do, in words."""
        return stage_words(self.stages)

    def allows(self, stage: str) -> bool:
        """Whether this member may do the work of a stage."""
        return self.is_active and stage in self.stages


class Invitation(models.Model):
    """A link that makes whoever opens it a member. Only its hash is kept."""

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="invitations"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=120, blank=True)
    stages = models.JSONField(default=list)
    max_uses = models.PositiveIntegerField(default=1)
    uses = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(uses__lte=models.F("max_uses")),
                name="invitation_uses_left",
            )
        ]

    def __str__(self) -> str:
        return f"Invitation to {self.project}"

    @property
    def stage_words(self) -> str:
        """What the invited may do, in words."""
        return stage_words(self.stages)


class ProjectText(models.Model):
    """A versioned Markdown text of a project."""

    version = models.PositiveIntegerField()
    text = models.TextField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Guideline(ProjectText):
    """How to annotate; a judgement names the version that it followed."""

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="guidelines"
    )
    change_note = models.TextField(blank=True)
    video_url = models.URLField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "version"], name="guideline_version"
            )
        ]

    def __str__(self) -> str:
        return f"Guideline {self.version} of {self.project}"


class ConsentText(ProjectText):
    """What members agree to before their first task."""

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="consent_texts"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "version"], name="consent_version"
            )
        ]

    def __str__(self) -> str:
        return f"Consent text {self.version} of {self.project}"


class Acceptance(models.Model):
    """Who accepted which version of a guideline or consent text, and when."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="acceptances")
    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, null=True)
    consent_text = models.ForeignKey(ConsentText, on_delete=models.PROTECT, null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(guideline__isnull=True, consent_text__isnull=False)
                | Q(guideline__isnull=False, consent_text__isnull=True),
                name="acceptance_of_one_text",
            ),
            models.UniqueConstraint(
                fields=["user", "guideline"],
                condition=Q(guideline__isnull=False),
                name="acceptance_guideline_once",
            ),
            models.UniqueConstraint(
                fields=["user", "consent_text"],
                condition=Q(consent_text__isnull=False),
                name="acceptance_consent_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} accepted {self.guideline or self.consent_text}"
