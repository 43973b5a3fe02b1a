"""A group's own spreadsheets: what is read, guessed, refused and warned about."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import table_rows
from corpus.formats.base import FormatError, Read, Severity
from corpus.records import Document, ExternalId
from corpus.tables import FIELDS, guess_mapping, read_header, read_rows

ALL = {"title": "Title", "abstract": "Abstract", "id": "ID"}
SAMPLE = "Title;Abstract;ID\r\nNaïve mice; “It grew.”;7\r\n"


def of(text: str, encoding: str = "utf-8") -> io.BytesIO:
    return io.BytesIO(text.encode(encoding))


def workbook(
    *rows: Sequence[object], **sheets: Sequence[Sequence[object]]
) -> io.BytesIO:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    for name, sheet_rows in sheets.items():
        further = book.create_sheet(name)
        for row in sheet_rows:
            further.append(list(row))
    stream = io.BytesIO()
    book.save(stream)
    return stream


def read(
    stream: io.BytesIO, mapping: dict[str, str] | None = None, sheet: str | None = None
) -> list[Read[Document]]:
    return list(read_rows(stream, "own.csv", mapping or ALL, sheet))


def one(stream: io.BytesIO, mapping: dict[str, str] | None = None) -> Document:
    (result,) = read(stream, mapping)
    assert result.record is not None, result.problems
    return result.record


def messages(results: list[Read[Document]], severity: Severity) -> list[str]:
    return [
        f"{problem.line}: {problem.message}"
        for result in results
        for problem in result.problems
        if problem.severity is severity
    ]


# --- files -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "prefix", "named"),
    [
        ("utf-8", "", "utf-8"),
        ("utf-8-sig", "", "utf-8"),
        ("utf-16", "", "utf-16"),
        ("utf-16-be", "\ufeff", "utf-16"),
        ("utf-16-le", "", "utf-16-le"),  # without a byte order mark
        ("utf-16-be", "", "utf-16-be"),
        ("cp1252", "", "cp1252"),
    ],
)
def test_csv_is_read_in_every_encoding_that_excel_writes(
    encoding: str, prefix: str, named: str
) -> None:
    stream = of(prefix + SAMPLE, encoding)
    header = read_header(stream, "own.csv")
    assert header.columns == ("Title", "Abstract", "ID")
    assert (header.encoding, header.delimiter) == (named, ";")
    document = one(stream)
    assert (document.id.text, document.title) == ("7", "Naïve mice")
    assert document.text == " “It grew.”"


def test_only_windows_1252_asks_to_check_the_accents() -> None:
    assert messages(read(of(SAMPLE)), Severity.WARNING) == []
    (warning,) = messages(read(of(SAMPLE, "cp1252")), Severity.WARNING)
    assert "Windows-1252" in warning


@pytest.mark.parametrize(
    ("text", "delimiter", "columns"),
    [
        ("a,b;c,d\n", ",", ("a", "b;c", "d")),
        ("a;b,c;d\n", ";", ("a", "b,c", "d")),
        ("a\tb\n", "\t", ("a", "b")),
        ("Abstract\n", ",", ("Abstract",)),  # one column
        ('"a;b;c",d\n', ",", ("a;b;c", "d")),  # separators inside quotes
        ("sep=;\na,x;b,x;c\n", ";", ("a,x", "b,x", "c")),  # Excel names it
        ("sep=\t\na,x\tb\n", "\t", ("a,x", "b")),
        ("\n\n a  b ,\n", ",", ("a b", "Column 2")),
        ("x,x,x (2)\n", ",", ("x", "x (2)", "x (2) (2)")),
    ],
)
def test_the_delimiter_and_the_columns_are_found(
    text: str, delimiter: str, columns: tuple[str, ...]
) -> None:
    header = read_header(of(text), "own.csv")
    assert (header.delimiter, header.columns) == (delimiter, columns)


def test_the_header_comes_with_five_rows() -> None:
    text = "a,b\n" + "".join(f"{n},\n\n" for n in range(9))
    rows = read_header(of(text), "own.csv").sample_rows
    assert rows == tuple((str(n), "") for n in range(5))


def test_a_quoted_abstract_keeps_its_line_ends_and_its_line_number() -> None:
    text = 'Title,Abstract,ID\r\nA,"One.\r\n""Two"", three.",1\r\n\r\nB,Four.,2'
    first, second = read(of(text))
    assert first.record is not None
    assert first.record.text == 'One.\r\n"Two", three.'
    assert (first.line, second.line) == (2, 5)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel"),
        (b"PK\x03\x04 no workbook", "no Excel workbook"),
        (SAMPLE.encode("utf-32"), "UTF-32"),
        (b"Title,Abstract\nx,\x81\x8d\n", "no text in utf-8 or cp1252"),
        (b"\xff\xfeT\x00\x00\xd8", "no text in utf-16"),
        (b"Title\rOne\rTwo\r", "CR only"),
        (b'Title,Abstract\nx,"never closed\n', "never closed"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_to_do(data: bytes, words: str) -> None:
    if words != "never closed":
        with pytest.raises(FormatError, match=words):
            read_header(io.BytesIO(data), "own.csv")
    mapping = {"title": "Title"}
    (result,) = read(io.BytesIO(data), mapping)
    assert result.record is None
    assert words in result.problems[0].message or words == "empty"


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({"title": "Titel"}, "lacks: Titel"),
        ({"id": "ID"}, "which column holds the title"),
        ({"title": "Title", "isbn": "ID"}, "no field isbn"),
    ],
)
def test_a_mapping_that_does_not_fit_is_one_error(
    mapping: dict[str, str], words: str
) -> None:
    (error,) = messages(read(of(SAMPLE), mapping), Severity.ERROR)
    assert words in error


# --- workbooks -------------------------------------------------------------------


def test_cells_of_a_workbook_read_as_a_person_would_type_them() -> None:
    stream = workbook(
        ["Title", "Abstract", "ID", "When", "Who"],
        ["T", "Line one_x000D_\nline two", 12.0, datetime(2019, 3, 1), True],  # noqa: DTZ001
        [],
        ["U", 0.05, 7, date(2020, 12, 31), None],
        ["V", "x", "007", datetime(2020, 1, 2, 3, 4), None],  # noqa: DTZ001
    )
    mapping = {**ALL, "date": "When", "journal": "Who"}
    results = read(stream, mapping)
    documents = [r.record for r in results if r.record]
    assert [d.id.text for d in documents] == ["12", "7", "007"]
    assert [d.published for d in documents] == [
        *("2019-03-01", "2020-12-31", "2020-01-02 03:04:00"),
    ]
    assert [d.text for d in documents] == ["Line one\r\nline two", "0.05", "x"]
    assert documents[0].journal == "TRUE"
    assert [r.line for r in results] == [2, 4, 5]


def test_a_sheet_can_be_chosen() -> None:
    stream = workbook(["Notes"], Data=[["Title"], ["T"]])
    assert read_header(stream, "own.xlsx").sheet_names == ("Sheet", "Data")
    assert read_header(stream, "own.xlsx", "Data").columns == ("Title",)
    (result,) = read(stream, {"title": "Title"}, "Data")
    assert result.record is not None
    (missing,) = read(stream, {"title": "Title"}, "Dada")
    assert "no sheet “Dada”" in missing.problems[0].message
    assert "“Sheet”, “Data”" in missing.problems[0].message


def test_a_formula_is_not_run() -> None:
    """openpyxl writes no cached value, so the cell is empty."""
    (result,) = read(workbook(["Title", "Abstract", "ID"], ["=1+1", "x", 1]))
    assert result.record is not None
    assert result.record.title == ""


def test_a_sheet_error_is_an_error_where_it_matters_and_else_a_warning() -> None:
    mapping = {**ALL, "journal": "J"}
    text = "Title,Abstract,ID,J\nA,#N/A,1,x\nB,x,2,#REF!\n"
    results = read(of(text), mapping)
    assert [r.record is None for r in results] == [True, False]
    assert "2: Abstract: the cell holds" in messages(results, Severity.ERROR)[0]
    assert "3: J: the cell holds" in messages(results, Severity.WARNING)[0]


def bomb(sheet_bytes: int) -> io.BytesIO:
    """Return a workbook whose sheet unpacks to so many blanks."""
    stream = workbook(["Title"], ["T"])
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/blanks.xml", b" " * sheet_bytes)
    return stream


def test_a_workbook_that_unpacks_to_too_much_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_rows, "MAX_UNPACKED_BYTES", 5_000_000)
    assert read_header(bomb(4_000_000), "own.xlsx").columns == ("Title",)
    with pytest.raises(FormatError, match="the limit is 4 MB"):
        read_header(bomb(5_000_000), "own.xlsx")


def with_sheet_xml(xml: str) -> io.BytesIO:
    """Return a workbook with its first sheet replaced by hand-written XML."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(workbook(["Title"])) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            new.writestr(name, xml if is_sheet else old.read(name))
    return stream


def test_an_xml_bomb_in_a_sheet_is_refused() -> None:
    entities = '<!ENTITY e0 "lol">' + "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 20}">' for n in range(1, 9)
    )
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cell = '<c r="A1" t="inlineStr"><is><t>&e8;</t></is></c>'
    stream = with_sheet_xml(
        f'<!DOCTYPE w [{entities}]><worksheet xmlns="{space}"><sheetData>'
        f'<row r="1">{cell}</row></sheetData></worksheet>'
    )
    with pytest.raises(FormatError, match="damaged"):
        read_header(stream, "own.xlsx")


def test_the_size_that_a_sheet_states_is_not_believed() -> None:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cells = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{text}</t></is></c></row>'
        for n, text in ((1, "Title"), (2, "T"))
    )
    stream = with_sheet_xml(
        f'<worksheet xmlns="{space}"><dimension ref="A1:XFD1048576"/>'
        f"<sheetData>{cells}</sheetData></worksheet>"
    )
    assert read_header(stream, "own.xlsx").columns == ("Title",)
    assert len(read(stream, {"title": "Title"})) == 1


def test_too_many_rows_or_columns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_rows, "MAX_ROWS", 3)
    monkeypatch.setattr(table_rows, "MAX_COLUMNS", 3)
    rows = [["Title", "b", "c"], ["T"], ["U"]]
    assert len(read(workbook(*rows), {"title": "Title"})) == 2
    results = read(workbook(*rows, ["V"]), {"title": "Title"})
    assert "more than 3 rows" in results[-1].problems[0].message
    with pytest.raises(FormatError, match="more than 3 columns"):
        read_header(workbook(["Title", "b", "c", "d"]), "own.xlsx")


def test_a_stray_cell_far_below_costs_nothing() -> None:
    book = openpyxl.load_workbook(workbook(["Title"], ["T"]))
    book["Sheet"]["A1000000"].number_format = "0.00"
    stream = io.BytesIO()
    book.save(stream)
    assert len(read(stream, {"title": "Title"})) == 1


def test_a_damaged_workbook_is_refused() -> None:
    data = workbook(["Title"], ["T"]).getvalue()
    for cut in range(8, len(data), len(data) // 40):
        (result,) = read(io.BytesIO(data[:cut]), {"title": "Title"})
        assert "no Excel workbook" in result.problems[0].message


# --- rows ------------------------------------------------------------------------


def test_every_field_is_read() -> None:
    header = "Title,Abstract,ID,DOI,PMID,Url,Journal,Date,Authors"
    row = "T, A. ,x7,https://doi.org/10.1234/Ab,31.0,u,J,2020,Low A; de la Cruz B."
    assert one(of(f"{header}\n{row}\n"), guess_mapping(header.split(","))) == Document(
        id=ExternalId("x7"),
        title="T",
        text=" A. ",
        doi="10.1234/Ab",
        pmid="31",
        url="u",
        journal="J",
        published="2020",
        authors=("Low A", "de la Cruz B."),
    )


def test_other_headings_are_known_by_a_telling_word() -> None:
    columns = ["Title checked by", "Paper title", "ABSTRACT (full)", "Abstract ok?"]
    columns += ["D.O.I.", "First author(s)", "PubMed no.", "Rating"]
    assert guess_mapping(columns) == {
        "title": "Paper title",
        "abstract": "ABSTRACT (full)",
        "doi": "D.O.I.",
        "authors": "First author(s)",
        "pmid": "PubMed no.",
    }


@pytest.mark.parametrize(
    ("cell", "authors"),
    [
        ("", ()),
        ("Low A;  High B ;", ("Low A", "High B")),
        ("Ann Low and Bo High", ("Ann Low", "Bo High")),
        ("Team for Rain and Snow; Low A", ("Team for Rain and Snow", "Low A")),
        ("Anderson B", ("Anderson B",)),
    ],
)
def test_authors_are_split(cell: str, authors: tuple[str, ...]) -> None:
    text = f"Title,Who\nT,{cell}\n"
    document = one(of(text), {"title": "Title", "authors": "Who"})
    assert document.authors == authors


@pytest.mark.parametrize(
    ("row", "identifier"),
    [
        ("T,A,x,10.1234/Ab,31", "x"),
        ("T,A,,https://doi.org/10.1234/Ab,31", "doi:10.1234/ab"),
        ("T,A,,,31", "pmid:31"),
    ],
)
def test_a_missing_id_is_derived(row: str, identifier: str) -> None:
    mapping = {**ALL, "doi": "DOI", "pmid": "PMID"}
    text = f"Title,Abstract,ID,DOI,PMID\n{row}\n"
    assert one(of(text), mapping).id.text == identifier


def test_an_id_derived_from_the_text_is_stable() -> None:
    mapping = {"title": "Title", "abstract": "Abstract"}
    first = one(of("Title,Abstract\nT,One  two\n"), mapping).id
    again = one(of("Abstract;Title\n one TWO;t\n"), mapping).id
    other = one(of("Title,Abstract\nT,One three\n"), mapping).id
    assert first == again != other
    assert first.text.startswith("text:")


def test_an_id_that_comes_twice_names_both_lines() -> None:
    results = read(of("Title,Abstract,ID\nT,A,7\nU,B,8\nV,C,7\n"))
    assert [r.record is None for r in results] == [False, False, True]
    (error,) = messages(results, Severity.ERROR)
    assert "line 2 and again on line 4" in error


def test_a_row_needs_a_title_or_an_abstract() -> None:
    results = read(of("Title,Abstract,ID\n,,7\nT, ,8\n,A,9\n,,\n"))
    assert [r.record is None for r in results] == [True, False, False]
    assert messages(results, Severity.ERROR) == [
        "2: The row has neither a title nor an abstract."
    ]
    assert messages(results, Severity.WARNING) == [
        "3: There is no abstract. You can paste it after the import.",
        "4: There is no title.",
    ]
    assert results[1].record is not None
    assert results[1].record.text == ""


@pytest.mark.parametrize(
    ("identifier", "warned"),
    [
        ("1.23E+15", True),
        ("1,23E+15", True),  # a German Excel
        ("1234567890123450", True),  # the 16th digit became 0
        ("1234567890123456", False),
        ("123456789012345", False),
        ("E15", False),
        ("0012", False),
    ],
)
def test_an_id_that_excel_rounded_is_a_warning(identifier: str, warned: bool) -> None:
    results = read(of(f"Title;Abstract;ID\nT;A;{identifier}\n"))
    assert results[0].record is not None
    assert results[0].record.id.text == identifier
    assert bool(messages(results, Severity.WARNING)) == warned


def test_what_cannot_be_stored_is_an_error_with_its_place() -> None:
    (error,) = messages(read(of("Title,Abstract,ID\nT\0,A,1\n")), Severity.ERROR)[:1]
    assert "NUL" in error


def test_more_cells_than_the_header_is_an_error() -> None:
    results = read(of("Title,Abstract,ID\nT,A,1,,\nT,one, two,2\n"))
    assert [r.record is None for r in results] == [False, True]
    assert "1 more cells than the header" in messages(results, Severity.ERROR)[0]


# --- headings --------------------------------------------------------------------

PUBMED = """PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,
Create Date,PMCID,NIHMS ID,DOI"""
SCOPUS = """Authors,Author full names,Author(s) ID,Title,Year,Source title,Volume,DOI,
Link,Abstract,Author Keywords,PubMed ID,Source,EID"""
WOS = """Publication Type,Authors,Author Full Names,Article Title,Source Title,Abstract,
Publication Date,Publication Year,DOI,DOI Link,Pubmed Id,UT (Unique WOS ID)"""
ZOTERO = """Key,Item Type,Publication Year,Author,Title,Publication Title,ISBN,DOI,Url,
Abstract Note,Date,Date Added"""
RAYYAN = (
    "key,title,year,month,day,journal,issn,authors,url,abstract,notes,pubmed_id,doi"
)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (PUBMED, "Title,,,DOI,PMID,,Journal/Book,Publication Year,Authors"),
        (SCOPUS, "Title,Abstract,EID,DOI,PubMed ID,Link,Source title,Year,Authors"),
        (
            WOS,
            "Article Title,Abstract,UT (Unique WOS ID),DOI,Pubmed Id,,Source Title,"
            "Publication Date,Authors",
        ),
        (ZOTERO, "Title,Abstract Note,Key,DOI,,Url,Publication Title,Date,Author"),
        (RAYYAN, "title,abstract,key,doi,pubmed_id,url,journal,year,authors"),
        ("UT,TI,AB,AU,SO,PY,DI,PM", "TI,AB,UT,DI,PM,,SO,PY,AU"),
        ("Wert,Foo", ",,,,,,,,"),
    ],
)
def test_the_headings_of_common_programs_are_known(header: str, expected: str) -> None:
    columns = [column.strip() for column in header.split(",")]
    wanted = dict(zip(FIELDS, expected.split(","), strict=True))
    assert guess_mapping(columns) == {f: c for f, c in wanted.items() if c}


# --- any table -------------------------------------------------------------------

CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@given(
    st.lists(st.tuples(CELLS, CELLS), max_size=6),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@settings(deadline=None)
def test_any_abstract_comes_back_verbatim(
    rows: list[tuple[str, str]], delimiter: str, encoding: str
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerow(["Title", "Abstract", "ID"])
    writer.writerows([title, body, n] for n, (title, body) in enumerate(rows))
    results = read(of(text.getvalue(), encoding))
    assert len(results) == len(rows)
    for result, (title, body) in zip(results, rows, strict=True):
        if result.record is None:
            assert not (title + body).strip() or "#" in title + body
            continue
        assert result.record.title == title.strip()
        assert result.record.text == (body if body.strip() else "")


@given(st.binary(max_size=300), st.sampled_from([b"", b"PK\x03\x04", b"\xff\xfe"]))
@settings(deadline=None)
def test_no_bytes_make_the_reader_crash(data: bytes, start: bytes) -> None:
    for result in read(io.BytesIO(start + data), {"title": "Title"}):
        assert (result.record is None) == any(
            p.severity is Severity.ERROR for p in result.problems
        )


def test_the_stream_stays_open_for_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes(SAMPLE.encode("cp1252"))
    with path.open("rb") as file:
        assert len(list(read_rows(file, path.name, ALL))) == 1
        file.seek(0)
        assert file.read() == SAMPLE.encode("cp1252")
