"""The files of a gold set, which stay chosen while something else is corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.html import escape

from corpus.models import StoredFile
from verification.services.gold import GOLD_LIMIT, GoldFiles

FILES = ("gold", "corpus", "claims")
MEBIBYTE = 1024 * 1024


def kept_name(name: str) -> str:
    """Return the field that names a file which was uploaded before."""
    return f"kept_{name}"


class GoldForm(forms.Form):
    """Gold, its corpus, and the claims that researchers get.

    ``kept`` are the files that have arrived, with this form or an earlier one. A form
    that comes back with errors names them, so that nothing is uploaded twice.
    """

    gold = forms.FileField(
        label="Gold file",
        error_messages={"required": "Choose the file with the gold."},
    )
    corpus = forms.FileField(
        label="Corpus",
        required=False,
        help_text="The abstracts, in the task's own format. Predictions are compared "
        "with it, and everybody who sees the benchmark can download it.",
    )
    claims = forms.FileField(
        label="Claims without answers",
        required=False,
        help_text="Left out, it is made from the gold: ids and claims, and what the "
        "setting gives.",
    )
    split = forms.CharField(
        required=False,
        max_length=60,
        help_text="“dev” or “test”, if the gold is one part of a data set. It stands "
        "in the signature of each score.",
    )
    is_hidden = forms.TypedChoiceField(
        label="Who gets the gold",
        choices=[
            ("yes", "nobody: it never leaves this server"),
            ("no", "everybody who sees the benchmark"),
        ],
        coerce=lambda value: value == "yes",
        initial="yes",
        widget=forms.RadioSelect,
    )
    kept_gold = forms.CharField(required=False, widget=forms.HiddenInput)
    kept_corpus = forms.CharField(required=False, widget=forms.HiddenInput)
    kept_claims = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any = None,
        *,
        kept: Mapping[str, StoredFile] | None = None,
        refused: Mapping[str, str] | None = None,
        gold_words: str = "",
        **kwargs: Any,
    ) -> None:
        self.kept = kept or {}
        self.refused = refused or {}
        if data is not None:
            tokens = {kept_name(name): file.token for name, file in self.kept.items()}
            data = {**data.dict(), **dict.fromkeys(map(kept_name, FILES), ""), **tokens}
        super().__init__(data, **kwargs)
        self.fields["gold"].help_text = (
            f"{gold_words} At most {GOLD_LIMIT // MEBIBYTE} MB; may be packed with "
            "gzip."
        )
        has_arrived = "gold" in self.kept or "gold" in self.refused
        self.fields["gold"].required = not has_arrived
        for name in FILES:
            self._describe(name)

    def _describe(self, name: str) -> None:
        field = self.fields[name]
        limit = settings.UPLOAD_LIMIT_BYTES if name == "corpus" else GOLD_LIMIT
        field.widget.attrs["data-limit-bytes"] = str(limit)
        if stored := self.kept.get(name):
            field.help_text = (
                f"{escape(stored.name)} ({filesizeformat(stored.size)}) is here. "
                "Choose another file to replace it."
            )

    def clean(self) -> dict[str, Any]:
        """Say which files could not be kept."""
        data = super().clean() or {}
        for name, words in self.refused.items():
            self.add_error(name, words)
        return data

    def gold_files(self) -> GoldFiles:
        """The files as the service takes them."""
        return GoldFiles(**self.kept)
