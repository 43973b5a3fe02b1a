"""A group's own abstracts: a CSV or XLSX table and the columns that matter in it.

``read_header`` shows what a file has, ``guess_mapping`` proposes which column is
which, and ``read_rows`` makes documents of the rows. The abstract stays one text:
the import splits it into sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from corpus.formats.base import FormatError, Problem, Read
from corpus.formats.problems import Problems, SeenIds, shown
from corpus.records import Document, ExternalId
from corpus.table_rows import TableRow, first_rows, open_table
from corpus.text import bad_character, content_key, doi_of, normalise

SAMPLE_ROWS = 5

# The fields of a document, and how other programs head their columns: PubMed,
# Scopus, Web of Science (also its two-letter tags), Embase, Zotero, EndNote,
# Covidence, Rayyan, CORD-19. In order of preference; compared without case,
# spaces and marks.
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "title": (
        *("title", "article title", "document title", "primary title", "ti", "t1"),
        *("paper title", "study title"),
    ),
    "abstract": (
        *("abstract", "abstract note", "abstract text", "ab", "n2", "summary"),
        *("abstract collected", "description"),
    ),
    "id": (
        *("id", "document id", "doc id", "external id", "record id", "record number"),
        *("cord uid", "ut unique wos id", "ut unique id", "ut", "accession number"),
        *("eid", "pui", "covidence", "covidence number", "rayyan id", "key", "ref id"),
    ),
    "doi": ("doi", "doi number", "digital object identifier", "di", "doi link"),
    "pmid": (
        *("pmid", "pubmed id", "pubmed", "pm", "medline pmid", "pubmed pmid"),
        *("medline id",),
    ),
    "url": (
        *("url", "urls", "link", "article url", "full text link", "web link"),
        *("source url", "ur", "l2", "l1", "links"),
    ),
    "journal": (
        *("journal", "journal book", "source title", "publication title", "so"),
        *("journal title", "journal name", "secondary title", "publication name"),
        *("publication", "source", "t2", "jo", "jf"),
    ),
    "date": (
        *("publication date", "date published", "published", "date", "publish time"),
        *("publication year", "year", "published year", "year published", "py", "y1"),
    ),
    "authors": (
        *("authors", "author", "author names", "author full names", "author s"),
        *("authors primary", "au", "a1", "af"),
    ),
}
FIELDS = tuple(_SYNONYMS)
# Words that give a heading away wherever they stand: “Abstract (full)”.
_TELLING = {
    "title": {"title"},
    "abstract": {"abstract"},
    "doi": {"doi"},
    "pmid": {"pmid", "pubmed"},
    "authors": {"author", "authors"},
}

_MANGLED = re.compile(r"\d(?:[.,]\d+)?E\+?\d+", re.IGNORECASE)
_SHEET_ERRORS = frozenset(
    (
        *("#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"),
        *("#SPILL!", "#CALC!", "#GETTING_DATA"),
    )
)
_ESSENTIAL = frozenset(("title", "abstract", "id"))


@dataclass(frozen=True, slots=True)
class Header:
    """What a person needs to see to say which column is which.

    ``columns`` are different from each other; a column without a name is called
    by its place. ``encoding`` and ``delimiter`` are empty for a workbook, and
    ``sheet_names`` for CSV.
    """

    columns: tuple[str, ...]
    sample_rows: tuple[tuple[str, ...], ...]
    sheet_names: tuple[str, ...] = ()
    encoding: str = ""
    delimiter: str = ""


def read_header(stream: BinaryIO, filename: str, sheet: str | None = None) -> Header:
    """Return the columns and the first rows of a CSV or XLSX file.

    ``stream`` must be seekable; ``sheet`` is the first one unless named.
    ``FormatError`` says why a file cannot be read and what to do.
    """
    table = open_table(stream, filename, sheet)
    rows = first_rows(table, SAMPLE_ROWS + 1)
    if not rows:
        raise FormatError(_problem(f"“{filename}” is empty.", "a header row"))
    columns = _column_names(_checked_header(rows[0]).cells)
    samples = tuple(_padded(row.cells, len(columns)) for row in rows[1:])
    return Header(columns, samples, table.sheet_names, table.encoding, table.separator)


def guess_mapping(columns: Sequence[str]) -> dict[str, str]:
    """Return the likely column for each field; fields without one are left out.

    No column is used twice. The headings of the common reference managers and
    bibliographic databases are known, and a few words give other headings away; the
    user can change every choice.
    """
    by_heading: dict[str, str] = {}
    for column in columns:
        by_heading.setdefault(_heading(column), column)
    found = {}
    for field, synonyms in _SYNONYMS.items():
        for synonym in synonyms:
            if column := by_heading.pop(synonym, ""):
                found[field] = column
                break
    for heading, column in by_heading.items():
        words = {*heading.split(), heading.replace(" ", "")}
        for field, telling in _TELLING.items():
            if field not in found and words & telling:
                found[field] = column
                break
    return found


def read_rows(
    stream: BinaryIO,
    filename: str,
    mapping: Mapping[str, str],
    sheet: str | None = None,
) -> Iterator[Read[Document]]:
    """Yield a document for each row of a CSV or XLSX file that is not blank.

    ``mapping`` sends fields of ``FIELDS`` to columns of the header; title or
    abstract must be among them. An empty id is replaced by a stable one that the
    next export of the same record gets too: ``doi:`` and the DOI in small letters,
    else ``pmid:`` and the PMID, else ``text:`` and a hash of title and abstract.

    A row without an abstract is a document to be completed, with a warning; a row
    with neither title nor abstract is an error, and so is an id that comes twice.
    What stops the reading is the last item yielded.
    """
    position = 0
    try:
        table = open_table(stream, filename, sheet)
        header = first_rows(table, 1)
        columns = _column_names(_checked_header(header[0]).cells) if header else ()
        reader = _DocumentReader(columns, mapping, table.encoding)
        for row in table.rows:
            position = row.position
            if any(cell.strip() for cell in row.cells) or row.problems:
                yield reader.read(row)
    except FormatError as error:
        yield Read(error.problem.line or 1, None, (error.problem,), position)


def _problem(message: str, expected: str) -> Problem:
    return Problem(message, line=1, expected=expected)


def _checked_header(row: TableRow) -> TableRow:
    if row.problems:
        raise FormatError(row.problems[0])
    return row


def _heading(column: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", normalise(column)))


def _column_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Name the columns so that each name stands for one column."""
    names: list[str] = []
    for number, cell in enumerate(cells, 1):
        base = name = " ".join(cell.split()) or f"Column {number}"
        copy = 2
        while name in names:
            name = f"{base} ({copy})"
            copy += 1
        names.append(name)
    return tuple(names)


def _padded(cells: Sequence[str], length: int) -> tuple[str, ...]:
    return (*cells[:length], *[""] * (length - len(cells)))


class _DocumentReader:
    """Turns rows into documents, knowing the columns and the ids so far."""

    def __init__(
        self, columns: Sequence[str], mapping: Mapping[str, str], encoding: str
    ) -> None:
        _check_mapping(mapping, columns)
        self._places = {f: columns.index(column) for f, column in mapping.items()}
        self._mapping = mapping
        self._width = len(columns)
        self._ids = SeenIds("document")
        self._notes = _encoding_notes(encoding)

    def read(self, row: TableRow) -> Read[Document]:
        problems = Problems(row.line)
        self._check_width(row, problems)
        for note in self._notes:
            problems.warn(note)
        self._notes = ()
        values = self._values(row, problems)
        document = self._document(values, problems)
        broken = problems.has_errors or any(p.severity == "error" for p in row.problems)
        found = (*row.problems, *problems.found())
        return Read(row.line, None if broken else document, found, row.position)

    def _check_width(self, row: TableRow, problems: Problems) -> None:
        extra = [cell for cell in row.cells[self._width :] if cell.strip()]
        if extra:
            problems.error(
                f"The row has {len(extra)} more cells than the header. Is there a "
                "separator in a cell without quotes?",
                value=extra[0],
                expected=f"{self._width} cells",
            )

    def _values(self, row: TableRow, problems: Problems) -> dict[str, str]:
        cells = _padded(row.cells, self._width)
        values = dict.fromkeys(FIELDS, "")
        for field, place in self._places.items():
            # The abstract stays verbatim; blanks around the others mean nothing.
            cell = cells[place] if field == "abstract" else cells[place].strip()
            values[field] = self._checked(field, cell, problems)
        return values

    def _checked(self, field: str, cell: str, problems: Problems) -> str:
        column = self._mapping[field]
        if bad := bad_character(cell):
            problems.error(
                f"{column}: {bad[1]} at character {bad[0] + 1}. Remove it.",
                field=column,
                expected="text",
            )
            return ""
        if cell.strip() not in _SHEET_ERRORS:
            return cell
        report = problems.error if field in _ESSENTIAL else problems.warn
        message = f"{column}: the cell holds the spreadsheet's error {cell.strip()}."
        report(message, field=column, value=cell, expected="a value, or nothing")
        return ""

    def _document(self, values: dict[str, str], problems: Problems) -> Document:
        self._check_texts(values, problems)
        for field in ("id", "pmid", "doi"):
            self._check_number(field, values[field], problems)
        doi = doi_of(values["doi"]) or values["doi"]
        pmid = re.sub(r"^(\d+)\.0$", r"\1", values["pmid"])
        identifier = values["id"] or derived_id(
            title=values["title"], abstract=values["abstract"], doi=doi, pmid=pmid
        )
        if not problems.has_errors:
            column = self._mapping.get("id", "id")
            self._ids.check(identifier, column, problems)
        return Document(
            id=ExternalId(identifier),
            title=values["title"],
            text=values["abstract"] if values["abstract"].strip() else "",
            doi=doi,
            pmid=pmid,
            url=values["url"],
            authors=split_authors(values["authors"]),
            journal=values["journal"],
            published=values["date"],
        )

    def _check_texts(self, values: dict[str, str], problems: Problems) -> None:
        if problems.has_errors:
            return
        abstract, title = self._mapping.get("abstract", ""), self._mapping.get("title")
        has_abstract = bool(values["abstract"].strip())
        if not has_abstract and not values["title"]:
            message = "The row has neither a title nor an abstract."
            expected = "a title or an abstract"
            problems.error(message, field=title or abstract, expected=expected)
        elif not has_abstract:
            message = "There is no abstract. You can paste it after the import."
            problems.warn(message, field=abstract)
        elif title and not values["title"]:
            problems.warn("There is no title.", field=title)

    def _check_number(self, field: str, value: str, problems: Problems) -> None:
        """Excel writes long numbers as 1.23E+15 and zeroes what follows 15 digits."""
        digits = value.isdecimal() and len(value) > 15 and not value[15:].strip("0")
        if not digits and not _MANGLED.fullmatch(value):
            return
        problems.warn(
            f"{self._mapping[field]}: “{shown(value)}” looks like a long number that "
            "Excel has rounded. Format the column as text and fill it in again.",
            field=self._mapping[field],
            value=value,
            expected="the whole number, as text",
        )


def _check_mapping(mapping: Mapping[str, str], columns: Sequence[str]) -> None:
    unknown = [field for field in mapping if field not in FIELDS]
    missing = [column for column in mapping.values() if column not in columns]
    if unknown:
        message = f"There is no field {', '.join(unknown)}."
        raise FormatError(_problem(message, ", ".join(FIELDS)))
    if missing:
        message = f"The header lacks: {', '.join(missing)}."
        raise FormatError(_problem(message, ", ".join(columns)[:200]))
    if "title" not in mapping and "abstract" not in mapping:
        message = "Say which column holds the title or the abstract."
        raise FormatError(_problem(message, "a column for title or abstract"))


def _encoding_notes(encoding: str) -> tuple[str, ...]:
    if encoding != "cp1252":
        return ()
    return (
        "The file is not UTF-8 and was read as Windows-1252. Check letters with "
        "accents and signs such as µ and ≥.",
    )


def derived_id(*, title: str, abstract: str, doi: str = "", pmid: str = "") -> str:
    """Return a stable id for an abstract that came without one.

    The DOI in small letters, else the PMID, else a hash of title and abstract.
    """
    if doi:
        return f"doi:{doi.casefold()}"
    if pmid:
        return f"pmid:{pmid}"
    return f"text:{content_key(normalise(title), normalise(abstract))}"


def split_authors(cell: str) -> tuple[str, ...]:
    """Return the names in a cell, split at semicolons, or else at “and”."""
    parts = cell.split(";") if ";" in cell else re.split(r"\s+and\s+", cell)
    return tuple(name for part in parts if (name := " ".join(part.split())))
