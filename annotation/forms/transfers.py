"""The forms of imports and exports."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from annotation.models import Claim, Project
from annotation.services.exports import (
    DEFAULT_STATES,
    NEVER_EXPORTED,
    ClaimSelection,
)
from corpus.formats.base import Format, WriteOptions
from corpus.formats.registry import all_formats, get_format
from corpus.records import Label

MEBIBYTE = 1024 * 1024


def format_choices(part: str) -> list[tuple[str, str]]:
    """Return the formats that have a certain reader or writer."""
    found = [fmt for fmt in all_formats().values() if getattr(fmt, part) is not None]
    return [(fmt.name, f"{fmt.title} ({', '.join(fmt.extensions)})") for fmt in found]


class ImportForm(forms.Form):
    """A file of a published format."""

    format = forms.ChoiceField()
    file = forms.FileField()

    def __init__(self, *args: Any, reads: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        formats = self.fields["format"]
        assert isinstance(formats, forms.ChoiceField)  # noqa: S101
        formats.choices = format_choices(reads)
        limit = settings.UPLOAD_LIMIT_BYTES
        field = self.fields["file"]
        field.help_text = f"At most {limit // MEBIBYTE:,} MB, one record on each line."
        field.widget.attrs["data-limit-bytes"] = str(limit)


class ClaimsImportForm(ImportForm):
    """A file of claims, which may be one split of a data set."""

    split = forms.CharField(
        required=False,
        max_length=40,
        help_text="“train”, “dev” or “test”, if the file is one part of a data set.",
    )


class DocumentsExportForm(forms.Form):
    """In which format a corpus is written."""

    format = forms.ChoiceField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        formats = self.fields["format"]
        assert isinstance(formats, forms.ChoiceField)  # noqa: S101
        formats.choices = format_choices("write_documents")

    def chosen_format(self) -> Format:
        """The format to write."""
        return get_format(self.cleaned_data["format"])


class ClaimsExportForm(forms.Form):
    """Which claims are written, and how."""

    format = forms.ChoiceField()
    states = forms.MultipleChoiceField(
        label="States of claims", widget=forms.CheckboxSelectMultiple
    )
    split = forms.ChoiceField(required=False)
    repair = forms.BooleanField(
        required=False,
        label="Mend gold that the format's evaluator cannot score",
        help_text="Overlapping rationales are merged, repeated sentences named once.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._project = project
        self._choose("format", format_choices("write_claims"), project.protocol)
        self._choose("states", _state_choices(), list(DEFAULT_STATES))
        splits = project.splits.order_by("name").values_list("name", flat=True)
        self._choose("split", [("", "all claims"), *((s, s) for s in splits)], "")
        self._mapped = [c.label for c in project.labels if _is_missing(c.label)]
        for label in self._mapped:
            self.fields[f"map_{label.value}"] = _label_field(label)

    def _choose(self, name: str, choices: Any, initial: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = choices
        field.initial = initial

    def first_fields(self) -> list[forms.BoundField]:
        """What everybody chooses."""
        return [self[name] for name in ("format", "states", "split")]

    def other_fields(self) -> list[forms.BoundField]:
        """What only some formats and some gold need."""
        return [self[n] for n in ("repair", *(f"map_{x.value}" for x in self._mapped))]

    def chosen_format(self) -> Format:
        """The format to write."""
        return get_format(self.cleaned_data["format"])

    def selection(self) -> ClaimSelection:
        """Which claims are written."""
        states = tuple(self.cleaned_data["states"])
        return ClaimSelection(self._project, states, self.cleaned_data["split"])

    def options(self) -> WriteOptions:
        """How they are written."""
        label_map = {
            label: Label(target)
            for label in self._mapped
            if (target := self.cleaned_data[f"map_{label.value}"])
        }
        return WriteOptions(label_map=label_map, repair=self.cleaned_data["repair"])


def _state_choices() -> list[tuple[str, str]]:
    return [
        (state.value, str(state.label))
        for state in Claim.State
        if state.value not in NEVER_EXPORTED
    ]


def _is_missing(label: Label) -> bool:
    """Whether some format that can be written has no word for a label."""
    writable = [fmt for fmt in all_formats().values() if fmt.write_claims is not None]
    return any(label not in fmt.labels for fmt in writable)


def _label_field(label: Label) -> forms.ChoiceField:
    others = [(other.value, other.value) for other in Label if other != label]
    return forms.ChoiceField(
        label=f"A format without a word for {label.value} gets",
        required=False,
        choices=[("", "nothing: the export stops"), *others],
    )
