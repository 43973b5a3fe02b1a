"""The form of a claim and its negation, written and judged in one go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.forms.work import AnswerForm, SubmissionForm
from annotation.protocols import LabelChoice, ProjectSettings, SourceKind
from annotation.services.claims import MAX_CLAIM_LENGTH
from annotation.services.claims import Draft as ClaimDraft
from annotation.services.pair_writing import ClaimAndNegation, EarlyAnswers
from corpus.models import Document
from corpus.records import ClaimKind


def _box(label: str, help_text: str, **attributes: str) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=MAX_CLAIM_LENGTH,
        strip=False,
        help_text=help_text,
        widget=forms.Textarea(
            attrs={"rows": 2, "dir": "auto", "data-grow": "", **attributes}
        ),
    )


class PairWritingForm(SubmissionForm):
    """A claim, how it was made, its negation, and why that needs a trigger word."""

    text_1 = _box("Claim", "", autofocus="")
    kind_1 = forms.ChoiceField(
        label="How it was made",
        choices=[
            (ClaimKind.COMPOSED.value, "Composed: I wrote it"),
            (ClaimKind.EXTRACTED.value, "Extracted: word for word"),
        ],
        initial=ClaimKind.COMPOSED.value,
        widget=forms.RadioSelect,
    )
    negation = _box(
        "Negation",
        "Change the finding itself, in as few words as you can: “raises” for “lowers”.",
    )
    trigger_reason = forms.CharField(
        label="Why it needs a trigger word",
        required=False,
        max_length=500,
        help_text="Only if a word is flagged.",
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, rules: ProjectSettings, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        if rules.source is not SourceKind.CANDIDATES:
            del self.fields["kind_1"]

    def _kind(self) -> ClaimKind:
        if self.rules.source is SourceKind.QUESTION:
            return ClaimKind.HYPOTHESIS
        return ClaimKind(self.cleaned_data.get("kind_1", ClaimKind.COMPOSED.value))

    def written(self, answers: EarlyAnswers | None) -> ClaimAndNegation:
        """What was filled in."""
        data = self.cleaned_data
        return ClaimAndNegation(
            claim=ClaimDraft(data["text_1"], self._kind()),
            negation=data["negation"],
            trigger_reason=data["trigger_reason"],
            answers=answers,
        )


class BothAnswers:
    """The labels and rationales of a claim and its negation on one abstract."""

    def __init__(
        self,
        data: Any,
        *,
        document: Document,
        rules: ProjectSettings,
        labels: Sequence[LabelChoice],
        initial: dict[str, dict[str, Any]] | None = None,
    ) -> None:
        self.document = document
        self.claim, self.negation = (
            AnswerForm(
                data,
                prefix=prefix,
                initial=(initial or {}).get(prefix, {}),
                rules=rules,
                labels=[(choice.label.value, choice.word) for choice in labels],
                sentences=document.sentences,
            )
            for prefix in ("claim", "negated")
        )
        self.claim.fields["label"].label = "Label of the claim"
        self.negation.fields["label"].label = "Label of the negation"
        for form in (self.claim, self.negation):
            # The submission has one key and one clock, those of the form around.
            for name in ("submission_key", "active_seconds", "elapsed_seconds"):
                form.fields.pop(name, None)

    def is_valid(self) -> bool:
        """Whether both were filled in."""
        return all([self.claim.is_valid(), self.negation.is_valid()])

    def rows(self) -> list[dict[str, Any]]:
        """Each sentence with its two fields, for the page."""
        return [
            {"number": number, "text": text, "claim": claim, "negation": negation}
            for number, ((text, claim), (_, negation)) in enumerate(
                zip(self.claim.rows(), self.negation.rows(), strict=True), start=1
            )
        ]

    def answers(self) -> EarlyAnswers:
        """Both answers."""
        return EarlyAnswers(self.document, self.claim.answer(), self.negation.answer())
