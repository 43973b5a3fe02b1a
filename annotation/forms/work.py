"""The plain forms of writing and verifying."""

from __future__ import annotations

import uuid
from collections import defaultdict
from typing import Any

from django import forms

from annotation.forms.timing import TimedForm
from annotation.protocols import ProjectSettings, RationaleRule, SourceKind
from annotation.services.claims import MAX_CLAIM_LENGTH, Draft
from annotation.services.judgements import Answer
from corpus.records import ClaimKind, Label, Rationale, SentenceRole

ROLE_CHOICES = [("", "none"), *((role.value, role.value) for role in SentenceRole)]


def _textarea(rows: int, **attributes: str) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "dir": "auto", **attributes})


def _focus(is_first: bool) -> dict[str, str]:
    """Attributes of the box in which a writer starts."""
    return {"autofocus": ""} if is_first else {}


class SubmissionForm(TimedForm):
    """A form that is safe to send twice: it carries its own key."""

    submission_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "submission_key": uuid.uuid4(),
            **kwargs.get("initial", {}),
        }
        super().__init__(*args, **kwargs)


class WriteClaimsForm(SubmissionForm):
    """Up to the project's number of claims from one source."""

    def __init__(self, *args: Any, rules: ProjectSettings, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.order = range(1, rules.claims_per_source + 1)
        for number in self.order:
            self._add_claim(number)

    def _add_claim(self, number: int) -> None:
        several = self.rules.claims_per_source > 1
        noun = "Hypothesis" if self.rules.source is SourceKind.QUESTION else "Claim"
        self.fields[f"text_{number}"] = forms.CharField(
            label=f"{noun} {number}" if several else noun,
            required=number == 1,
            max_length=MAX_CLAIM_LENGTH,
            strip=False,
            widget=_textarea(2, **{"data-grow": ""}, **_focus(number == 1)),
        )
        if self.rules.source is SourceKind.CANDIDATES:
            self.fields[f"kind_{number}"] = forms.ChoiceField(
                label="How it was made",
                choices=[
                    (ClaimKind.COMPOSED.value, "Composed: I wrote it"),
                    (ClaimKind.EXTRACTED.value, "Extracted: word for word"),
                ],
            )

    def boxes(self) -> list[tuple[int, forms.BoundField, forms.BoundField | None]]:
        """Number, text and (where there is a choice) kind of each claim."""
        return [
            (
                number,
                self[f"text_{number}"],
                self[kind] if (kind := f"kind_{number}") in self.fields else None,
            )
            for number in self.order
        ]

    def drafts(self) -> list[Draft]:
        """The claims that were filled in, in order."""
        return [
            Draft(text, self._kind(number))
            for number in self.order
            if (text := self.cleaned_data[f"text_{number}"]).strip()
        ]

    def _kind(self, number: int) -> ClaimKind:
        if self.rules.source is SourceKind.QUESTION:
            return ClaimKind.HYPOTHESIS
        return ClaimKind(self.cleaned_data.get(f"kind_{number}", "composed"))


class ReasonForm(forms.Form):
    """Why something is put aside."""

    reason = forms.CharField(
        label="Why is this one skipped?", max_length=500, widget=_textarea(2)
    )


class RetireForm(forms.Form):
    """Why a claim leaves the data set."""

    reason = forms.CharField(
        label="Why is it retired?", max_length=500, widget=_textarea(2)
    )


class ReviseClaimForm(SubmissionForm):
    """A new wording of a returned claim."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    text = forms.CharField(
        label="Claim",
        max_length=MAX_CLAIM_LENGTH,
        strip=False,
        widget=_textarea(3, **{"data-grow": ""}, **_focus(True)),
    )
    trigger_reason = forms.CharField(
        label="Why it needs a trigger word",
        required=False,
        max_length=500,
        help_text="Only if it uses a word such as “not” that the original does not.",
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, is_negation: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_negation:
            del self.fields["trigger_reason"]


class AnswerForm(SubmissionForm):
    """A label, and for each sentence the rationale that it belongs to."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    label = forms.ChoiceField(widget=forms.RadioSelect)

    def __init__(
        self,
        *args: Any,
        rules: ProjectSettings,
        labels: list[tuple[str, str]],
        sentences: list[str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.sentences = sentences
        self.fields["label"].choices = labels  # type: ignore[attr-defined]
        if rules.rationales is RationaleRule.NONE:
            return
        for index in range(len(sentences)):
            self.fields[f"sentence_{index}"] = self._sentence_field(index)

    def _sentence_field(self, index: int) -> forms.ChoiceField:
        choices = ROLE_CHOICES if self.rules.sentence_roles else self._numbers()
        return forms.ChoiceField(
            label=f"Sentence {index + 1}", choices=choices, required=False
        )

    def _numbers(self) -> list[tuple[str, str]]:
        most = 1 if self.rules.rationales is RationaleRule.ONE else len(self.sentences)
        numbers = range(1, min(most, 9) + 1)
        return [("", "none"), *((str(n), f"Rationale {n}") for n in numbers)]

    def rows(self) -> list[tuple[str, forms.BoundField | None]]:
        """Each sentence with its field, for the page."""
        return [
            (text, self[name] if (name := f"sentence_{i}") in self.fields else None)
            for i, text in enumerate(self.sentences)
        ]

    def answer(self) -> Answer:
        """The judgement that was filled in."""
        return Answer(Label(self.cleaned_data["label"]), self.rationales())

    def rationales(self) -> tuple[Rationale, ...]:
        """The sentences that were chosen, whatever else is still missing."""
        chosen = {
            index: value
            for index in range(len(self.sentences))
            if (value := self.cleaned_data.get(f"sentence_{index}"))
        }
        return _with_roles(chosen) if self.rules.sentence_roles else _numbered(chosen)


def _with_roles(chosen: dict[int, str]) -> tuple[Rationale, ...]:
    if not chosen:
        return ()
    roles = tuple(SentenceRole(role) for role in chosen.values())
    return (Rationale(tuple(chosen), roles),)


def _numbered(chosen: dict[int, str]) -> tuple[Rationale, ...]:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, number in chosen.items():
        groups[number].append(index)
    return tuple(Rationale(tuple(groups[n])) for n in sorted(groups, key=int))


def initial_answer(
    label: str, rationales: list[dict[str, Any]], rules: ProjectSettings
) -> dict[str, Any]:
    """Return the initial values of an ``AnswerForm`` for a stored answer."""
    values: dict[str, Any] = {"label": label}
    for number, rationale in enumerate(rationales, start=1):
        roles = rationale["roles"] or [str(number)] * len(rationale["sentences"])
        for sentence, role in zip(rationale["sentences"], roles, strict=True):
            values[f"sentence_{sentence}"] = role if rules.sentence_roles else number
    return values
