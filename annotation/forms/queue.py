"""The form for leaving an item to others."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.skip_reasons import OTHER, reason_in_words, reasons_to_skip


class SkipForm(forms.Form):
    """A reason from a short list, with words of one's own."""

    chosen = forms.ChoiceField(label="Why")
    note = forms.CharField(
        label="In your own words",
        required=False,
        max_length=500,
        help_text="Needed where none of the reasons fits.",
    )

    def __init__(self, *args: Any, stage: str, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "skip_%s", **kwargs})
        reasons = [(reason, reason) for reason in reasons_to_skip(stage)]
        self.fields["chosen"].choices = reasons  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for words where no reason of the list fits."""
        data = super().clean() or {}
        if data.get("chosen") == OTHER and not str(data.get("note", "")).strip():
            self.add_error("note", "Say why you leave this one to others.")
        return data

    def reason(self) -> str:
        """The reason in one sentence."""
        data = self.cleaned_data
        return reason_in_words(data["chosen"], data["note"])
