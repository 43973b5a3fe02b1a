"""The forms of reviewers, and of authors who answer them."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.forms.fields import LongTextField
from annotation.forms.work import SubmissionForm
from annotation.models import Comment, Review
from annotation.review_reasons import CLAIM_REASONS, JUDGEMENT_REASONS
from annotation.services.claims import MAX_CLAIM_LENGTH
from annotation.services.disagreements import LONGEST_ANSWER
from annotation.services.reviews import LONGEST_COMMENT, REJECTION_WORDS, Remark

Decision = Review.Decision
REFUSALS = {Decision.REQUEST_CHANGES, Decision.REJECT}


class DecisionForm(SubmissionForm):
    """What a reviewer decides: the button that sends it, and what explains it."""

    DECISIONS = [
        (Decision.APPROVE, "Approve"),
        (Decision.FIX_AND_APPROVE, "Fix and approve"),
        (Decision.REQUEST_CHANGES, "Request changes"),
        (Decision.REJECT, "Reject"),
    ]
    submission_key = forms.UUIDField(widget=forms.HiddenInput, required=False)
    version = forms.IntegerField(widget=forms.HiddenInput)
    decision = forms.ChoiceField(choices=DECISIONS, widget=forms.HiddenInput)
    reason_code = forms.ChoiceField(
        label="Reason, if you do not approve",
        required=False,
        widget=forms.RadioSelect,
    )
    note = LongTextField(
        label="Note on the whole", required=False, rows=2, max_length=4_000
    )
    reasons: dict[str, str] = {}

    def __init__(self, *args: Any, sentence_count: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason_code"].choices = list(  # type: ignore[attr-defined]
            self.reasons.items()
        )
        self.sentence_count = sentence_count
        self._add_comment("comment_claim", "Comment on the claim")
        for index in range(sentence_count):
            self._add_comment(f"comment_{index}", f"Comment on sentence {index + 1}")

    def _add_comment(self, name: str, label: str) -> None:
        self.fields[name] = LongTextField(
            label=label, required=False, rows=2, max_length=LONGEST_COMMENT
        )

    def clean(self) -> dict[str, Any]:
        """A refusal needs a reason, a rejection words as well."""
        data = super().clean() or {}
        if data.get("decision") not in REFUSALS:
            data["reason_code"] = ""
            return data
        if not data.get("reason_code") and "reason_code" not in self.errors:
            self.add_error("reason_code", "Choose a reason, so that the author learns.")
        if data.get("reason_code") == "other" and not data.get("note", "").strip():
            self.add_error("note", "Say in the note what is wrong.")
        elif data.get("decision") == Decision.REJECT and not self._has_words(data):
            self.add_error("note", REJECTION_WORDS)
        return data

    def _has_words(self, data: dict[str, Any]) -> bool:
        """Whether a note or a comment was typed; one that is too long counts."""
        names = ["note", *(n for n in self.fields if n.startswith("comment_"))]
        return any(n in self.errors or data.get(n, "").strip() for n in names)

    def comment_fields(self) -> list[forms.BoundField]:
        """The fields of comments: on the claim, then on each sentence."""
        return [self[name] for name in self.fields if name.startswith("comment_")]

    def remarks(self) -> tuple[Remark, ...]:
        """The comments that were typed."""
        found = [Remark(Comment.Part.CLAIM, self.cleaned_data["comment_claim"])]
        found += [
            Remark(Comment.Part.SENTENCE, self.cleaned_data[f"comment_{index}"], index)
            for index in range(self.sentence_count)
        ]
        return tuple(remark for remark in found if remark.text.strip())

    def explained(self) -> dict[str, Any]:
        """What the services of all decisions take."""
        return {
            "expected_version": self.cleaned_data["version"],
            "note": self.cleaned_data["note"],
            "remarks": self.remarks(),
            "submission_key": self.cleaned_data["submission_key"],
        }


class ReviewForm(DecisionForm):
    """The decision on a judgement; a fixed answer comes beside it."""

    reasons = JUDGEMENT_REASONS


class ProofreadForm(DecisionForm):
    """The decision on a claim: its text can be fixed while approving."""

    text = forms.CharField(
        label="Claim",
        max_length=MAX_CLAIM_LENGTH,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "data-grow": ""}),
        help_text="Change it here to fix and approve; the author sees the difference.",
    )
    reasons = CLAIM_REASONS


class DisagreeForm(SubmissionForm):
    """The author's one answer."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    because = LongTextField(
        label="I disagree, because …", rows=3, max_length=LONGEST_ANSWER
    )


class QueueForm(forms.Form):
    """Which items of a reviewer's queue are shown, and in which order."""

    WHY = [
        ("", "All"),
        ("new", "New"),
        ("revised", "Revised by the author"),
        ("disputed", "The author disagrees"),
    ]
    why = forms.ChoiceField(label="Show", choices=WHY, required=False)
    reason = forms.ChoiceField(label="Last reason", required=False)
    author = forms.TypedChoiceField(
        label="Author", required=False, coerce=int, empty_value=None
    )
    sort = forms.ChoiceField(label="Sort by", required=False)

    def __init__(
        self,
        *args: Any,
        reasons: dict[str, str],
        authors: list[tuple[int, str]] | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        sorts = [
            ("oldest", "Age, oldest first"),
            ("newest", "Age, newest first"),
            ("reason", "Reason"),
        ]
        self.fields["reason"].choices = [  # type: ignore[attr-defined]
            ("", "Any"),
            *reasons.items(),
        ]
        if authors is None:
            del self.fields["author"]
        else:
            sorts.append(("author", "Author"))
            self.fields["author"].choices = [  # type: ignore[attr-defined]
                ("", "Anybody"),
                *authors,
            ]
        self.fields["sort"].choices = sorts  # type: ignore[attr-defined]
