"""The form of a negation, and the reasons for writing none."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.forms.work import SubmissionForm
from annotation.services.claims import MAX_CLAIM_LENGTH

SKIP_REASONS = {
    "trigger": "Only an obvious trigger word such as “not” would do",
    "no_opposite": "The claim has no opposite that an abstract could refute",
    "other": "Another reason",
}


class NegationForm(SubmissionForm):
    """The negation of a claim, and why it needs a trigger word."""

    text = forms.CharField(
        label="Negation",
        max_length=MAX_CLAIM_LENGTH,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 3, "dir": "auto", "data-grow": "", "autofocus": ""}
        ),
        help_text="Change the finding itself: “raises” for “lowers”, “as effective "
        "as” for “less effective than”. Change as few words as you can.",
    )
    trigger_reason = forms.CharField(
        label="Why it needs a trigger word",
        required=False,
        max_length=500,
        help_text="Only if a word is flagged: models learn to look for “not” "
        "instead of reading.",
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )


class SkipNegationForm(forms.Form):
    """Why a claim is not negated."""

    reason_code = forms.ChoiceField(
        label="Why is there no negation?",
        choices=list(SKIP_REASONS.items()),
        widget=forms.RadioSelect,
        initial="trigger",
    )
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        """Another reason is said in words."""
        data = super().clean() or {}
        if data.get("reason_code") == "other" and not data.get("note", "").strip():
            self.add_error("note", "Say why, so that an admin can judge it.")
        return data

    def reason(self) -> str:
        """The reason as it is listed."""
        note = str(self.cleaned_data["note"]).strip()
        code = self.cleaned_data["reason_code"]
        if code == "other":
            return note
        words = SKIP_REASONS[code]
        return f"{words}: {note}" if note else words
