"""Which doubly judged pairs the figures on agreement take."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.agreement_report import Kind, Shown, Wanted
from annotation.models import Pair
from corpus.models import User

# Generated pairs are never judged twice.
ORIGINS = [
    (value, word)
    for value, word in Pair.Origin.choices
    if value != Pair.Origin.GENERATED.value
]


class AgreementFilterForm(forms.Form):
    """The filter of the page. Whatever makes no sense filters nothing."""

    since = forms.DateField(
        label="Second judgement from (UTC)",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label="until",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    annotator = forms.TypedChoiceField(
        label="Judged by", required=False, coerce=int, empty_value=None
    )
    origin = forms.ChoiceField(
        label="Origin of the pair", required=False, choices=[("", "any"), *ORIGINS]
    )
    suggestion = forms.TypedChoiceField(
        label="A model's suggestion was shown",
        required=False,
        choices=[
            ("", "or not"),
            (Shown.YES.value, "to somebody who judged it"),
            (Shown.NO.value, "to nobody"),
        ],
        coerce=Shown,
        empty_value=None,
    )

    sample = forms.TypedChoiceField(
        label="Re-annotation sample", required=False, coerce=int, empty_value=None
    )

    def __init__(
        self, data: Any, *, people: dict[int, User], samples: list[tuple[int, str]]
    ) -> None:
        super().__init__(data)
        names = sorted(
            ((pk, str(user)) for pk, user in people.items()),
            key=lambda row: (row[1].casefold(), row[0]),
        )
        self._offer("annotator", [("", "anybody"), *names])
        self._offer("sample", [("", "none: all pairs"), *samples])

    def _offer(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    @property
    def wanted(self) -> Wanted:
        """The fields that were understood."""
        self.is_valid()
        return Wanted(**self.cleaned_data)

    @property
    def fields_for_links(self) -> list[tuple[str, str]]:
        """The filter as names and values, for links."""
        self.is_valid()
        return [(name, str(v)) for name, v in self.cleaned_data.items() if v]


class KindForm(forms.Form):
    """Which disagreements to list."""

    kind = forms.ChoiceField(
        label="List pairs that disagree on",
        required=False,
        choices=[
            ("", "labels or sentences"),
            (Kind.LABEL.value, "labels"),
            (Kind.SENTENCES.value, "sentences only"),
        ],
    )

    @property
    def chosen(self) -> Kind | None:
        """The kind that was asked for; anything else is all."""
        value = self.cleaned_data.get("kind") if self.is_valid() else ""
        return Kind(value) if value else None
