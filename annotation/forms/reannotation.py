"""How a sample for re-annotation is drawn."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.models import ReannotationSample
from annotation.sampling import size_of_share
from annotation.services.reannotation import LONGEST_NAME, Design

LARGEST_SEED = 2**31 - 1


class SampleForm(forms.Form):
    """A number or a share of the pairs, the strata, the seed, and a name."""

    name = forms.CharField(label="Name of the sample", max_length=LONGEST_NAME)
    number = forms.IntegerField(
        label="Number of pairs", required=False, min_value=1, max_value=1_000_000
    )
    share = forms.FloatField(
        label="or a share of them, in percent",
        required=False,
        min_value=0,
        max_value=100,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    strata = forms.MultipleChoiceField(
        label="In the proportions of the whole by",
        required=False,
        choices=ReannotationSample.Stratum.choices,
        widget=forms.CheckboxSelectMultiple,
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=LARGEST_SEED,
        help_text="The same seed draws the same pairs again from the same rows.",
    )

    def __init__(self, data: Any, *, available: int) -> None:
        super().__init__(data)
        self.available = available

    def clean(self) -> dict[str, Any]:
        """Read the size, whichever way it was given."""
        data = super().clean() or self.cleaned_data
        if {"number", "share"} & self.errors.keys():
            return data
        number, share = data.get("number"), data.get("share")
        if (number is None) == (share is None):
            self.add_error("number", "Give either a number of pairs or a share.")
            return data
        data["size"] = number or size_of_share(self.available, (share or 0) / 100)
        if not 0 < data["size"] <= self.available:
            self.add_error(
                "number" if share is None else "share",
                f"That is {data['size']:,} of the {self.available:,} pairs that can be "
                "drawn; at least one is needed, and no more than there are.",
            )
        return data

    def design(self) -> Design:
        """What the service takes."""
        data = self.cleaned_data
        return Design(data["size"], data["seed"], tuple(data["strata"]))
