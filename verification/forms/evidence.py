"""The forms that ask for evidence: for one claim, and for a batch of claims."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django import forms

from annotation.forms.fields import LongTextField
from corpus.formats.base import Problem
from corpus.models import Corpus
from verification.access import searched_corpora
from verification.claim_lists import (
    MOST_BYTES,
    MOST_CHARACTERS,
    MOST_CLAIMS,
    ListedClaim,
    claim_problem,
    read_claim_list,
)
from verification.installed_systems import installed_systems

KILOBYTE = 1024


class CorpusField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A corpus that everybody may read, by its slug."""

    def __init__(self) -> None:
        super().__init__(
            Corpus.objects.none(),
            label="Corpus",
            to_field_name="slug",
            empty_label=None,
            error_messages={
                "invalid_choice": "Choose one of the corpora that everybody may read."
            },
        )

    def to_python(self, value: Any) -> Corpus | None:
        """Return the corpus; no database can be asked for a NUL."""
        return super().to_python(str(value or "").replace("\0", ""))

    def label_from_instance(self, obj: Corpus) -> str:
        """Return the name, and that it is invented where it is."""
        return f"{obj} (invented for the demo)" if obj.is_demo else str(obj)


class _SearchForm(forms.Form):
    """Where evidence is looked for, and with what."""

    corpus = CorpusField()
    system = forms.ChoiceField(
        label="System",
        error_messages={"invalid_choice": "Choose one of the systems of the list."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        corpora = self.fields["corpus"]
        corpora.queryset = searched_corpora().order_by("name")  # type: ignore[attr-defined]
        systems = [(system.name, system.title) for system in installed_systems()]
        self.fields["system"].choices = systems  # type: ignore[attr-defined]


class ClaimForm(_SearchForm):
    """One claim."""

    field_order = ["claim", "corpus", "system"]
    claim = LongTextField(
        label="Claim",
        rows=2,
        strip=True,
        widget=forms.Textarea(
            attrs={"rows": 2, "dir": "auto", "data-grow": "", "autofocus": True}
        ),
        help_text="One statement of one finding, in a sentence.",
    )

    def clean_claim(self) -> str:
        """Return the claim as one line."""
        claim = " ".join(self.cleaned_data["claim"].split())
        if problem := claim_problem(claim):
            raise forms.ValidationError(problem)
        return claim


class BatchForm(_SearchForm):
    """A list of claims and its name."""

    field_order = ["name", "corpus", "system", "file", "claims"]
    name = forms.CharField(
        max_length=120,
        help_text="It stands above the report.",
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    file = forms.FileField(
        label="File of claims",
        required=False,
        help_text=(
            f"One claim a line; or JSON Lines, each with <code>claim</code> and, if "
            f"wanted, <code>id</code>. At most {MOST_CLAIMS} claims of "
            f"{MOST_CHARACTERS:,} characters, {MOST_BYTES // KILOBYTE:,} KB."
        ),
        widget=forms.ClearableFileInput(
            attrs={"data-limit-bytes": str(MOST_BYTES), "accept": ".txt,.jsonl"}
        ),
    )
    claims = LongTextField(
        label="Or paste the claims",
        required=False,
        rows=8,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto"}),
        help_text="In the same two forms. A file takes the place of what stands here.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.problems: tuple[Problem, ...] = ()
        self.listed: tuple[ListedClaim, ...] = ()

    def clean(self) -> dict[str, Any]:
        """Read the list; its problems are told by line."""
        data = super().clean() or {}
        upload = data.get("file")
        if upload is not None and upload.size > MOST_BYTES:
            self.add_error("file", f"This file has more than {MOST_BYTES:,} bytes.")
            return data
        name = "file" if upload is not None else "claims"
        if name in self.errors:
            return data
        content = upload.read() if upload is not None else data["claims"].encode()
        self._read(name, content)
        return data

    def _read(self, name: str, content: bytes) -> None:
        if not content.strip():
            self.add_error(name, "Choose a file of claims, or paste some.")
            return
        found = read_claim_list(content)
        self.listed, self.problems = found.claims, found.problems
        if found.problems:
            self.add_error(name, "This list cannot be taken yet: see below.")
            # A file must be chosen again; what it holds can be corrected at once.
            self._show_again(content)

    def _show_again(self, content: bytes) -> None:
        with suppress(UnicodeDecodeError):
            text = content.decode("utf-8-sig").replace("\0", "")
            self.data = {**self.data.dict(), "claims": text}  # type: ignore[attr-defined]
