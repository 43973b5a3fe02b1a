"""CoRe: the CSV files of Scientific Hypothesis Evidencing.

One row is one claim with one abstract. ``idx`` alone repeats; the key is
(``file``, ``idx``), and the claim's id is ``file#idx``, parted again at the last
``#``. The file has no ids for abstracts, so an abstract is known by its content:
``core:`` and 16 hex digits of the sha256 of title, NUL and abstract. One abstract
occurs with different references; ``ref_id``, ``url``, ``ref_txt`` and ``doi`` are
kept per row, verbatim, in the pair's ``extra``. The document itself takes address
and DOI from the first row that has it.

INCONCLUSIVE means mixed findings, so it is ``MIXED`` and never NOT ENOUGH INFO.
A row with an empty label is an unlabelled claim; its reference fields then stand
in the claim's ``extra``.

These files are data for programs and come back byte for byte, so cells that a
spreadsheet would run as a formula are **not** altered; each gets a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from corpus.formats.base import Format, Read, WriteOptions, Written
from corpus.formats.csvfile import encode_row, read_records
from corpus.formats.fields import Fields
from corpus.formats.labels import label_to_write, words_of
from corpus.formats.losses import (
    warn_lost,
    warn_lost_claim_fields,
    warn_lost_document_fields,
)
from corpus.formats.problems import Problems, SeenIds
from corpus.records import (
    Claim,
    ClaimKind,
    Document,
    Evidence,
    ExternalId,
    Json,
    Label,
    Question,
)
from corpus.text import content_key, csv_safe, doi_of

TITLE = "CoRe"
COLUMNS = (
    "idx",
    "hypothesis",
    "declarative",
    "label",
    "ref_id",
    "url",
    "ref_txt",
    "doi",
    "title",
    "abstract_collected",
    "file",
)
REFERENCE = ("ref_id", "url", "ref_txt", "doi")
_LABELS = {
    Label.SUPPORT: "ENTAIL",
    Label.CONTRADICT: "CONTRADICT",
    Label.MIXED: "INCONCLUSIVE",
}
_WORDS = words_of(_LABELS)


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield one claim for each row, with its abstract."""
    seen = SeenIds("claim")
    addresses: dict[str, tuple[str, str]] = {}

    def parse(fields: Fields) -> Claim:
        document = _document(fields, addresses)
        claim = _claim(fields, document)
        seen.check(claim.id.text, "idx", fields.problems)
        return claim

    return read_records(file, COLUMNS, parse)


def _document(fields: Fields, addresses: dict[str, tuple[str, str]]) -> Document:
    title = fields.text("title")
    abstract = fields.text("abstract_collected")
    key = f"core:{content_key(title, abstract)}"
    address = (doi_of(fields.text("doi")), fields.text("url"))
    doi, url = addresses.setdefault(key, address)
    if not abstract.strip():
        message = "abstract_collected is empty."
        fields.problems.warn(message, field="abstract_collected")
    return Document(id=ExternalId(key), title=title, text=abstract, doi=doi, url=url)


def _claim(fields: Fields, document: Document) -> Claim:
    reference: dict[str, Json] = {name: fields.text(name) for name in REFERENCE}
    further = fields.further(*COLUMNS)
    is_labelled = fields.text("label") != ""
    evidence: tuple[Evidence, ...] = ()
    if is_labelled:
        label = fields.label("label", _WORDS)
        evidence = (Evidence(document.id, label, extra=reference),) if label else ()
    review = fields.text("file")
    return Claim(
        id=_claim_id(fields, review),
        text=_declarative(fields),
        kind=ClaimKind.HYPOTHESIS,
        is_labelled=is_labelled,
        evidence=evidence,
        cited=(document.id,),
        question=Question(review=review, text=fields.text("hypothesis")),
        documents=(document,),
        extra=further if is_labelled else reference | further,
    )


def _claim_id(fields: Fields, review: str) -> ExternalId:
    number = fields.text("idx")
    if not number or "#" in number:
        message = "idx: expected a row number without “#”."
        expected = "a number, unique in its topic"
        fields.problems.error(message, field="idx", value=number, expected=expected)
    return ExternalId(f"{review}#{number}")


def _declarative(fields: Fields) -> str:
    text = fields.text("declarative")
    if not text.strip():
        message = "declarative: the hypothesis has no text."
        fields.problems.warn(message, field="declarative", value=text)
    return text


def write_claims(claims: Iterable[Claim], options: WriteOptions) -> Iterator[Written]:
    """Yield the header and one row for each claim.

    A claim must have one judgement (none if unlabelled) and bring its abstract in
    ``documents``; sentences are joined with blanks where there is no whole text.
    """
    yield Written("", encode_row(COLUMNS))
    for claim in claims:
        problems = Problems()
        row = _row(claim, options, problems)
        data = b"" if problems.has_errors else encode_row(row)
        yield Written(claim.id.text, data, problems.found())


def _row(claim: Claim, options: WriteOptions, problems: Problems) -> list[str]:
    warn_lost_claim_fields(claim, problems, TITLE, (ClaimKind.HYPOTHESIS,))
    document = _only_document(claim, problems)
    warn_lost_document_fields(document, problems, TITLE, held=("doi", "url"))
    for name in document.extra:
        warn_lost(problems, TITLE, f"the abstract's further field {name}", name)
    reference = _reference(claim, document, problems)
    review, number = _key(claim, problems)
    cells = {
        "idx": number,
        "hypothesis": claim.question.text if claim.question else "",
        "declarative": claim.text,
        "label": _label(claim, options, problems),
        **reference,
        "title": document.title,
        "abstract_collected": _abstract(document),
        "file": review,
    }
    _warn_about_formulas(cells, problems)
    return [cells[column] for column in COLUMNS]


def _key(claim: Claim, problems: Problems) -> tuple[str, str]:
    question = claim.question
    if question is None:
        message = "The claim has no research question; hypothesis is left empty."
        problems.warn(message, field="hypothesis")
    elif question.chapter:
        warn_lost(problems, TITLE, "the chapter of a question", "chapter")
    review, separator, number = claim.id.text.rpartition("#")
    if separator:
        return review, number
    review = question.review if question else ""
    message = f"In CoRe the id {claim.id} reads “{review}#{number}”."
    problems.warn(message, field="idx", value=claim.id.text)
    return review, number


def _only_document(claim: Claim, problems: Problems) -> Document:
    judged = {entry.document.text for entry in claim.evidence}
    pairs = judged | {cited.text for cited in claim.cited or ()}
    if len(pairs) > 1 or len(claim.evidence) > 1:
        message = (
            f"CoRe has one abstract in a row; this claim has {len(pairs)} abstracts "
            f"and {len(claim.evidence)} judgements."
        )
        problems.error(message, field="abstract_collected", expected="one abstract")
    for document in claim.documents:
        if not pairs or document.id.text in pairs:
            return document
    message = "The abstract of the claim is missing; CoRe holds it in the row."
    problems.error(message, field="abstract_collected", expected="an abstract")
    return Document(ExternalId(""), "")


def _reference(claim: Claim, document: Document, problems: Problems) -> dict[str, str]:
    extra = claim.evidence[0].extra if claim.evidence else claim.extra
    own = dict.fromkeys(REFERENCE, "") | {"url": document.url, "doi": document.doi}
    kept: Mapping[str, str] = {
        name: value for name in REFERENCE if isinstance(value := extra.get(name), str)
    }
    for name in [*extra, *(claim.extra if claim.evidence else ())]:
        if name not in REFERENCE:
            warn_lost(problems, TITLE, f"the further field {name}", name)
    return own | dict(kept)


def _label(claim: Claim, options: WriteOptions, problems: Problems) -> str:
    if not claim.is_labelled:
        if claim.evidence:
            message = "The claim is unlabelled, so its label is left out."
            problems.warn(message, field="label")
        return ""
    if not claim.evidence:
        message = "The claim has no judgement; CoRe has one label in a row."
        problems.error(message, field="label", expected="one judgement")
        return ""
    entry = claim.evidence[0]
    if entry.rationales:
        warn_lost(problems, TITLE, "rationales", "label")
    label = label_to_write(entry.label, _LABELS, options, "label", problems)
    return _LABELS[label] if label else ""


def _abstract(document: Document) -> str:
    return " ".join(document.sentences) if document.text is None else document.text


def _warn_about_formulas(cells: Mapping[str, str], problems: Problems) -> None:
    for name, cell in cells.items():
        if csv_safe(cell) != cell:
            message = (
                f"{name} starts like a formula. It is written unchanged, since CoRe "
                "files are data; do not open the file in a spreadsheet."
            )
            problems.warn(message, field=name, value=cell)


FORMAT = Format(
    name="core",
    title=TITLE,
    protocol="core",
    labels=_LABELS,
    extensions=(".csv",),
    read_claims=read_claims,
    write_claims=write_claims,
    ships_documents=True,
)
