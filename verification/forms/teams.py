"""The forms of teams."""

from __future__ import annotations

from django import forms


class TeamForm(forms.Form):
    """What a team is called."""

    name = forms.CharField(
        label="Name of the team",
        max_length=120,
        help_text="It stands on boards beside what you publish, unless that is "
        "anonymous.",
    )
