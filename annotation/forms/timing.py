"""What the clock of a page sends with its form (``static/js/clock.js``)."""

from __future__ import annotations

import re

from django import forms

from annotation.seconds import Seconds

# Longer than anybody sits before one item: a page that was left open.
LONGEST_SECONDS = 24 * 3600


class TimedForm(forms.Form):
    """A form with the hidden fields of the clock; nonsense in them is no error."""

    active_seconds = forms.CharField(required=False, widget=forms.HiddenInput)
    elapsed_seconds = forms.CharField(required=False, widget=forms.HiddenInput)

    def seconds(self) -> Seconds:
        """How long the work took, within what can be; nothing if it is not known."""
        elapsed = _whole(self.data.get(self.add_prefix("elapsed_seconds")))
        active = _whole(self.data.get(self.add_prefix("active_seconds")))
        if elapsed is None or active is None:
            return Seconds()
        elapsed = min(elapsed, LONGEST_SECONDS)
        return Seconds(active=min(active, elapsed), elapsed=elapsed)


def _whole(text: object) -> int | None:
    if isinstance(text, str) and re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    return None
