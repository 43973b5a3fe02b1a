"""What reviewers decided about a version, their comments, and the author's answer."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.claims import Claim, ClaimVersion
from annotation.models.judgements import Judgement, JudgementVersion
from annotation.models.projects import Project
from annotation.review_reasons import reason_words
from corpus.models import User


class Review(models.Model):
    """One reviewer's decision about one version; a later version needs a new one.

    A decision that its reviewer took back has ``undone_at`` and counts no more. Only
    a second opinion may come from somebody who has decided on this version before:
    where the project has no other reviewer.
    """

    class Decision(models.TextChoices):
        APPROVE = "approve", "approved"
        FIX_AND_APPROVE = "fix_and_approve", "fixed and approved"
        REQUEST_CHANGES = "request_changes", "changes requested"
        REJECT = "reject", "rejected"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="reviews"
    )
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="reviews")
    claim_version = models.ForeignKey(
        ClaimVersion, on_delete=models.PROTECT, null=True, related_name="reviews"
    )
    judgement_version = models.ForeignKey(
        JudgementVersion, on_delete=models.PROTECT, null=True, related_name="reviews"
    )
    decision = models.CharField(max_length=20, choices=Decision.choices)
    reason_code = models.CharField(max_length=40, blank=True)
    note = models.TextField(blank=True)
    is_second_opinion = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True)
    # One key for each opened form: the same form sent twice decides once.
    submission_key = models.UUIDField(null=True, unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(claim_version__isnull=False, judgement_version__isnull=True)
                | Q(claim_version__isnull=True, judgement_version__isnull=False),
                name="review_of_one_version",
            ),
            models.UniqueConstraint(
                fields=["reviewer", "claim_version"],
                condition=Q(
                    claim_version__isnull=False,
                    undone_at__isnull=True,
                    is_second_opinion=False,
                ),
                name="review_claim_version_once",
            ),
            models.UniqueConstraint(
                fields=["reviewer", "judgement_version"],
                condition=Q(
                    judgement_version__isnull=False,
                    undone_at__isnull=True,
                    is_second_opinion=False,
                ),
                name="review_judgement_version_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.decision} by {self.reviewer_id}"

    @property
    def reason(self) -> str:
        """The chosen reason in words."""
        return reason_words(self.reason_code)


class Comment(models.Model):
    """What a reviewer says about one sentence, the claim or the whole."""

    class Part(models.TextChoices):
        SENTENCE = "sentence", "on a sentence"
        CLAIM = "claim", "on the claim"
        WHOLE = "whole", "on the whole"

    review = models.ForeignKey(
        Review, on_delete=models.PROTECT, related_name="comments"
    )
    part = models.CharField(max_length=10, choices=Part.choices)
    # The index of the sentence, counted from 0.
    sentence = models.PositiveIntegerField(null=True)
    text = models.TextField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(part="sentence", sentence__isnull=False)
                | (~Q(part="sentence") & Q(sentence__isnull=True)),
                name="comment_names_its_sentence",
            )
        ]

    def __str__(self) -> str:
        return self.text


class Disagreement(models.Model):
    """The one time that an author answers "I disagree, because …".

    ``review`` asked for the changes; ``decided_by`` is the second opinion.
    """

    class State(models.TextChoices):
        OPEN = "open", "waits for a second opinion"
        UPHELD = "upheld", "the author was right"
        OVERRULED = "overruled", "the reviewer was right"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="disagreements"
    )
    review = models.OneToOneField(
        Review, on_delete=models.PROTECT, related_name="disagreement"
    )
    claim = models.OneToOneField(
        Claim, on_delete=models.PROTECT, null=True, related_name="disagreement"
    )
    judgement = models.OneToOneField(
        Judgement, on_delete=models.PROTECT, null=True, related_name="disagreement"
    )
    author = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="disagreements"
    )
    text = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    decided_by = models.OneToOneField(
        Review, on_delete=models.PROTECT, null=True, related_name="answered"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    submission_key = models.UUIDField(null=True, unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(claim__isnull=False, judgement__isnull=True)
                | Q(claim__isnull=True, judgement__isnull=False),
                name="disagreement_about_one_item",
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_by__isnull=True)
                | (~Q(state="open") & Q(decided_by__isnull=False)),
                name="disagreement_decided_by_a_review",
            ),
        ]

    def __str__(self) -> str:
        return self.text
