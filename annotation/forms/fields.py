"""Form fields that every area shares."""

from __future__ import annotations

from typing import Any

from django import forms

from corpus.text import bad_character, normalise_newlines


class LongTextField(forms.CharField):
    """Text of several lines, kept as typed.

    Browsers send CRLF; it becomes LF here, once. White space at the ends stays
    unless ``strip`` is asked for.
    """

    def __init__(self, *, rows: int = 4, **kwargs: Any) -> None:
        kwargs.setdefault("strip", False)
        kwargs.setdefault("widget", forms.Textarea(attrs={"rows": rows}))
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> str:
        """Normalise line ends; refuse what no database can hold."""
        text = normalise_newlines(super().to_python(value) or "")
        problem = bad_character(text)
        if problem is not None:
            raise forms.ValidationError(
                f"Character {problem[0] + 1} is {problem[1]}, which cannot be kept."
            )
        return text
