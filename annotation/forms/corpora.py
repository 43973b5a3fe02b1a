"""The forms of corpora, abstracts, spreadsheets and citances."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from annotation.forms.fields import LongTextField
from annotation.services.citances import PastedArticle
from corpus import records
from corpus.models import Article
from corpus.models.library import Visibility
from corpus.tables import FIELDS, derived_id, split_authors
from corpus.text import doi_of

MEBIBYTE = 1024 * 1024
# Longer than any abstract or paragraph; a whole paper was pasted by mistake.
MAX_TEXT = 50_000
MAX_ADDRESS = 2_000


class CorpusForm(forms.Form):
    """Name, description and visibility of a corpus."""

    name = forms.CharField(
        max_length=120, help_text="As your group calls it: “Sleep and shift work”."
    )
    description = LongTextField(
        required=False,
        max_length=5_000,
        help_text="Where the abstracts come from, and what they may be used for.",
    )
    visibility = forms.ChoiceField(
        label="Who may read it", choices=Visibility.choices, widget=forms.RadioSelect
    )


class DoiField(forms.CharField):
    """A DOI, bare or as the address that resolves it; kept bare."""

    def clean(self, value: Any) -> str:
        """It names the abstract and becomes a link, so it has to be one."""
        typed: str = super().clean(value)
        if typed and not doi_of(typed):
            raise forms.ValidationError("A DOI looks like 10.1000/182.")
        return doi_of(typed)


class BibliographyForm(forms.Form):
    """What is known about a paper beside its text; nothing of it is required."""

    doi = DoiField(label="DOI", max_length=200, required=False)
    pmid = forms.CharField(label="PMID", max_length=20, required=False)
    url = forms.CharField(label="Address", max_length=MAX_ADDRESS, required=False)
    journal = forms.CharField(max_length=500, required=False)
    published = forms.RegexField(
        r"^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?\Z",
        label="Date",
        max_length=40,
        required=False,
        help_text="2021, or 2021-05-30.",
        error_messages={"invalid": "Write a year, or a day as in 2021-05-30."},
    )
    authors = forms.CharField(
        max_length=5_000, required=False, help_text="Separate names with semicolons."
    )


class DocumentForm(BibliographyForm):
    """One abstract by paste."""

    title = forms.CharField(
        max_length=1_000,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    text = LongTextField(
        label="Abstract",
        rows=10,
        required=False,
        max_length=MAX_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 10, "dir": "auto"}),
        help_text="You see at once where its sentences end.",
    )

    def clean(self) -> dict[str, Any]:
        """An abstract needs a title or a text."""
        data = super().clean() or {}
        if not self.errors and not data["title"] and not data["text"]:
            raise forms.ValidationError("Fill in a title or an abstract.")
        return data

    def record(self) -> records.Document:
        """The abstract that was typed, under the id that a spreadsheet would give."""
        data = self.cleaned_data
        doi = data["doi"]
        identifier = derived_id(
            title=data["title"], abstract=data["text"], doi=doi, pmid=data["pmid"]
        )
        return records.Document(
            id=records.ExternalId(identifier),
            title=data["title"],
            text=data["text"],
            doi=doi,
            pmid=data["pmid"],
            url=data["url"],
            authors=split_authors(data["authors"]),
            journal=data["journal"],
            published=data["published"],
        )


class AbstractForm(forms.Form):
    """The missing text of one document of a list."""

    text = LongTextField(
        label="Abstract",
        max_length=MAX_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )


class TableForm(forms.Form):
    """A spreadsheet of the group's own abstracts."""

    file = forms.FileField(label="Spreadsheet")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit = settings.UPLOAD_LIMIT_BYTES
        field = self.fields["file"]
        field.help_text = (
            "CSV or Excel (.xlsx), with the names of the columns in the first row. "
            f"At most {limit // MEBIBYTE:,} MB."
        )
        field.widget.attrs |= {
            "data-limit-bytes": str(limit),
            "accept": ".csv,.tsv,.txt,.xlsx",
        }


FIELD_LABELS = {
    "title": "Title",
    "abstract": "Abstract",
    "id": "Id",
    "doi": "DOI",
    "pmid": "PMID",
    "url": "Address",
    "journal": "Journal",
    "date": "Date",
    "authors": "Authors",
}
FIELD_NOTES = {
    "abstract": "It is split into sentences.",
    "id": "Without one, DOI, PMID or the text itself name the abstract.",
}


class ColumnsForm(forms.Form):
    """Which column of a spreadsheet is which."""

    def __init__(
        self, *args: Any, columns: tuple[str, ...], guess: dict[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "not in this file"), *((c, c) for c in columns)]
        for field in FIELDS:
            self.fields[field] = forms.ChoiceField(
                label=FIELD_LABELS[field],
                help_text=FIELD_NOTES.get(field, ""),
                choices=choices,
                required=False,
                initial=guess.get(field, ""),
            )

    def clean(self) -> dict[str, Any]:
        """Something to read, and no column taken twice."""
        data = super().clean() or {}
        if not data.get("title") and not data.get("abstract"):
            raise forms.ValidationError(
                "Say which column holds the title or the abstract."
            )
        chosen = [column for column in data.values() if column]
        twice = {column for column in chosen if chosen.count(column) > 1}
        if twice:
            names = ", ".join(f"“{column}”" for column in sorted(twice))
            raise forms.ValidationError(f"Chosen twice: {names}.")
        return data

    def mapping(self) -> dict[str, str]:
        """The chosen columns."""
        return {field: column for field, column in self.cleaned_data.items() if column}


class ParagraphForm(forms.Form):
    """An article and one of its paragraphs."""

    title = forms.CharField(
        label="Title of the article",
        max_length=1_000,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    kind = forms.ChoiceField(label="What it is", choices=Article.Kind.choices)
    doi = DoiField(label="DOI", max_length=200, required=False)
    url = forms.CharField(label="Address", max_length=MAX_ADDRESS, required=False)
    abstract = LongTextField(
        label="Abstract of the article",
        required=False,
        max_length=MAX_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="Writers see it beside the citance.",
    )
    text = LongTextField(
        label="Paragraph",
        max_length=MAX_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )

    def article(self) -> PastedArticle:
        """The article as it was described."""
        data = self.cleaned_data
        return PastedArticle(
            title=data["title"],
            kind=data["kind"],
            abstract=data["abstract"],
            url=data["url"],
            doi=data["doi"],
        )
