"""What an adjudicator decides, beside the answer that they may write."""

from __future__ import annotations

from django import forms

from annotation.forms.fields import LongTextField
from annotation.forms.work import SubmissionForm


class AdjudicationForm(SubmissionForm):
    """Which judgements were seen, the one that is taken or changed, and a note."""

    seen = forms.CharField(widget=forms.HiddenInput)
    side = forms.CharField(required=False, max_length=1)
    note = LongTextField(label="Note", required=False, rows=2, max_length=4_000)
