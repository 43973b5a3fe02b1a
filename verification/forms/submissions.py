"""The forms of an upload and of what is said about its system."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from annotation.forms.fields import LongTextField
from corpus.models import User
from verification.models import Benchmark, ClaimTag, Phase, Team
from verification.predictions import EXPANDED_LIMIT
from verification.scoring.reading import MAX_LINE_BYTES
from verification.services.submissions import Metadata
from verification.trivial import CORE

MEBIBYTE = 1024 * 1024
MAX_TEXT = 5_000


class UploadForm(forms.Form):
    """A file of predictions, and for whom it is submitted."""

    file = forms.FileField(label="File of predictions")
    team = forms.ModelChoiceField(
        Team.objects.none(),
        required=False,
        label="Submit for",
        empty_label="myself alone",
        help_text=(
            "A team has its own limits. Its members see the submission and its scores."
        ),
    )

    def __init__(self, *args: Any, phase: Phase, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        task = phase.benchmark.task
        kind = "CSV" if task == CORE else "JSON Lines"
        limit = settings.UPLOAD_LIMIT_BYTES
        field = self.fields["file"]
        field.help_text = (
            f"{kind}, as it is or compressed with gzip. At most "
            f"{limit // MEBIBYTE:,} MB are taken; a compressed file may expand to "
            f"{EXPANDED_LIMIT // MEBIBYTE:,} MB. A line has at most "
            f"{MAX_LINE_BYTES // MEBIBYTE} MB."
        )
        suffix = ".csv" if task == CORE else ".jsonl"
        field.widget.attrs |= {
            "data-limit-bytes": str(limit),
            "accept": f"{suffix},{suffix}.gz,.gz",
        }
        self._choose_teams(person)

    def _choose_teams(self, person: User) -> None:
        teams = person.teams.order_by("name")
        if teams:
            self.fields["team"].queryset = teams  # type: ignore[attr-defined]
        else:
            del self.fields["team"]


class MetadataForm(forms.Form):
    """What the submitter says about a system."""

    system = forms.CharField(
        label="Name of the system",
        max_length=120,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        help_text="As it shall stand on the board.",
    )
    description = LongTextField(
        required=False,
        max_length=MAX_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text="How it works, and what it was trained on.",
    )
    paper_url = forms.URLField(
        label="Address of the paper",
        max_length=500,
        required=False,
        assume_scheme="https",
    )
    code_url = forms.URLField(
        label="Address of the code",
        max_length=500,
        required=False,
        assume_scheme="https",
    )
    model_size = forms.CharField(
        label="Size of the model",
        max_length=60,
        required=False,
        help_text="“110 M parameters”, for instance.",
    )
    external_data = LongTextField(
        label="External data",
        required=False,
        max_length=MAX_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="Whatever it has learnt from besides the files of this benchmark.",
    )
    setting = forms.ChoiceField(
        label="What the system was given",
        choices=Benchmark.Setting.choices,
        widget=forms.RadioSelect,
    )

    def metadata(self) -> Metadata:
        """The answers, as the services take them."""
        return Metadata(**self.cleaned_data)


class CorrectionForm(MetadataForm):
    """The same, once submitted: what the system was given stays."""

    setting = None  # type: ignore[assignment]  # Django's way to leave a field out


class TagForm(forms.Form):
    """Why a system went wrong on one claim."""

    claim = forms.CharField(max_length=400, widget=forms.HiddenInput)
    tags = forms.MultipleChoiceField(
        label="Why",
        choices=ClaimTag.Tag.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
