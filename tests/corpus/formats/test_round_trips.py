"""Every written format gives back the records it was made of, whatever the text."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from corpus.formats.articles import read_articles, write_articles
from corpus.formats.base import WriteOptions
from corpus.formats.csvfile import encode_row, read_rows
from corpus.formats.registry import get_format
from corpus.records import (
    Article,
    Citance,
    CitationRole,
    CitedDocument,
    Claim,
    ClaimKind,
    Document,
    Evidence,
    ExternalId,
    Label,
    PairOrigin,
    Passage,
    Question,
    Rationale,
    SentenceRole,
)
from corpus.text import content_key, doi_of
from tests.corpus.formats.helpers import HOSTILE_TEXTS

# NUL and surrogates are refused by the readers, so no record holds them.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.sampled_from(HOSTILE_TEXTS) | st.text(CHARACTERS, max_size=12)
NAMES = st.text(CHARACTERS, min_size=1, max_size=6)
IDS = st.integers(-9, 10**18).map(lambda n: ExternalId(str(n), True)) | NAMES.map(
    ExternalId
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner),
    max_leaves=5,
).filter(lambda value: "inf" not in repr(value).lower())
EXTRAS = st.dictionaries(NAMES.map("x-{}".format), JSON, max_size=2)
INDICES = st.integers(0, 60)


def unique(records: Any) -> Any:
    return st.lists(records, max_size=4, unique_by=lambda record: record.id.text)


def distinct(ids: Any, size: int = 3) -> Any:
    return st.lists(ids, max_size=size, unique_by=str)


@st.composite
def rationales(draw: st.DrawFn) -> tuple[Rationale, ...]:
    """Return disjoint rationales without repeats, in any order."""
    indices = draw(st.lists(INDICES, min_size=1, max_size=6, unique=True))
    cut = draw(st.integers(1, len(indices)))
    parts = [indices[:cut], indices[cut:]]
    return tuple(Rationale(tuple(part)) for part in parts if part)


@st.composite
def scifact_claims(draw: st.DrawFn) -> Claim:
    cited = draw(distinct(IDS))
    judged = [document for document in cited if draw(st.booleans())]
    labels = st.sampled_from([Label.SUPPORT, Label.CONTRADICT])
    is_labelled = draw(st.booleans())
    evidence = [Evidence(d, draw(labels), draw(rationales())) for d in judged]
    repeats = [draw(st.sampled_from(cited))] if cited and draw(st.booleans()) else []
    return Claim(
        id=draw(IDS),
        text=draw(TEXTS),
        is_labelled=is_labelled,
        evidence=tuple(evidence) if is_labelled else (),
        cited=(*cited, *repeats) if is_labelled or draw(st.booleans()) else None,
        extra=draw(EXTRAS),
    )


@st.composite
def check_covid_claims(draw: st.DrawFn) -> Claim:
    document = draw(IDS)
    label = draw(
        st.sampled_from([Label.SUPPORT, Label.CONTRADICT])
        | st.just(Label.NOT_ENOUGH_INFO)
    )
    sentences = tuple(draw(st.lists(INDICES, min_size=1, max_size=4, unique=True)))
    roles = tuple(draw(st.sampled_from(SentenceRole)) for _ in sentences)
    is_nei = label is Label.NOT_ENOUGH_INFO
    origin = PairOrigin.GENERATED if is_nei else PairOrigin.IMPORTED
    is_labelled = draw(st.booleans())
    entry = Evidence(document, label, (Rationale(sentences, roles),), origin)
    return Claim(
        id=draw(IDS),
        text=draw(TEXTS),
        kind=draw(st.sampled_from([ClaimKind.COMPOSED, ClaimKind.EXTRACTED])),
        is_labelled=is_labelled,
        evidence=(entry,) if is_labelled else (),
        cited=(document,),
        extra=draw(EXTRAS),
    )


@st.composite
def core_claims(draw: st.DrawFn) -> Claim:
    title, abstract, review = draw(TEXTS), draw(TEXTS), draw(TEXTS)
    number = draw(NAMES.filter(lambda name: "#" not in name))
    key = ExternalId(f"core:{content_key(title, abstract)}")
    reference: dict[str, Any] = {
        name: draw(TEXTS) for name in ("ref_id", "url", "ref_txt", "doi")
    }
    document = Document(
        key,
        title,
        text=abstract,
        doi=doi_of(reference["doi"]),
        url=reference["url"],
    )
    label = draw(st.sampled_from([Label.SUPPORT, Label.CONTRADICT, Label.MIXED, None]))
    return Claim(
        id=ExternalId(f"{review}#{number}"),
        text=draw(TEXTS),
        kind=ClaimKind.HYPOTHESIS,
        is_labelled=label is not None,
        evidence=(Evidence(key, label, extra=reference),) if label else (),
        cited=(key,),
        question=Question(review, draw(TEXTS)),
        documents=(document,),
        extra={} if label else reference,
    )


def documents(structured: Any) -> Any:
    return unique(
        st.builds(
            Document,
            id=IDS,
            title=TEXTS,
            sentences=st.lists(TEXTS, max_size=4).map(tuple),
            structured=structured,
            extra=EXTRAS,
        )
    )


@st.composite
def passages(draw: st.DrawFn, ids: list[ExternalId]) -> Passage:
    text = draw(TEXTS)
    found = []
    while ids and len(text) > 0 and draw(st.booleans()):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        cited = draw(
            st.lists(
                st.builds(CitedDocument, IDS, st.sampled_from(CitationRole)),
                max_size=2,
            )
        )
        found.append(Citance(ids.pop(), start, end, tuple(cited)))
    return Passage(text, tuple(found))


@st.composite
def article_lists(draw: st.DrawFn) -> list[Article]:
    ids = draw(distinct(IDS, size=6))
    return [
        Article(
            id=article_id,
            title=draw(TEXTS),
            kind=draw(st.sampled_from(["paper", "news"])),
            abstract=draw(TEXTS),
            url=draw(TEXTS),
            doi=draw(TEXTS),
            journal=draw(TEXTS),
            published=draw(TEXTS),
            licence=draw(TEXTS),
            passages=tuple(draw(passages(ids)) for _ in range(draw(st.integers(0, 2)))),
            extra=draw(EXTRAS),
        )
        for article_id in draw(distinct(IDS))
    ]


def check(format_name: str, kind: str, records: list[Any]) -> bytes:
    """Write, read and write again; records and bytes must be the same."""
    fmt = get_format(format_name)
    reader = getattr(fmt, f"read_{kind}")
    writer = getattr(fmt, f"write_{kind}")
    options = [WriteOptions()] if kind == "claims" else []
    data = b"".join(result.data for result in writer(records, *options))
    found = [result.record for result in reader(BytesIO(data))]
    assert found == records
    again = b"".join(result.data for result in writer(found, *options))
    assert again == data
    return data


def raw(data: bytes) -> bytes:
    """Return JSON Lines with CRLF, a mark and text that is not escaped."""
    lines = [
        json.dumps(json.loads(line), ensure_ascii=False).encode()
        for line in data.split(b"\n")
        if line
    ]
    return b"\xef\xbb\xbf" + b"".join(line + b"\r\n" for line in lines)


@given(documents(st.none() | st.booleans()))
def test_scifact_documents(records: list[Document]) -> None:
    data = check("scifact", "documents", records)
    reader = get_format("scifact").read_documents
    assert reader
    assert [result.record for result in reader(BytesIO(raw(data)))] == records


@given(documents(st.none()))
def test_check_covid_documents(records: list[Document]) -> None:
    check("check-covid", "documents", records)


@given(unique(scifact_claims()))
def test_scifact_claims(records: list[Claim]) -> None:
    data = check("scifact", "claims", records)
    reader = get_format("scifact").read_claims
    assert reader
    assert [result.record for result in reader(BytesIO(raw(data)))] == records


@given(unique(check_covid_claims()))
def test_check_covid_claims(records: list[Claim]) -> None:
    check("check-covid", "claims", records)


@given(
    unique(core_claims()).filter(
        lambda claims: len({c.documents[0].id for c in claims}) == len(claims)
    )
)
def test_core_claims(records: list[Claim]) -> None:
    check("core", "claims", records)


@given(article_lists())
def test_articles(records: list[Article]) -> None:
    data = b"".join(result.data for result in write_articles(records))
    assert [result.record for result in read_articles(BytesIO(data))] == records


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=4), max_size=4))
@example([["\ufeff", "x"]])
def test_csv_rows(rows: list[list[str]]) -> None:
    data = encode_row(["a", "b"]) + b"".join(map(encode_row, rows))
    _, *found = read_rows(BytesIO(data))
    assert [list(row.cells) for row in found] == rows


@given(documents(st.none()), st.integers(0, 400), st.binary(max_size=3))
def test_damaged_bytes_never_raise(
    records: list[Document], place: int, damage: bytes
) -> None:
    writer = get_format("scifact").write_documents
    assert writer
    data = b"".join(result.data for result in writer(records))
    broken = data[:place] + damage + data[place:]
    for name in ("scifact", "check-covid", "fever"):
        reader = get_format(name).read_documents
        assert reader
        for result in reader(BytesIO(broken)):
            assert result.record is not None or result.problems


@given(st.binary(max_size=60))
def test_any_bytes_never_raise(data: bytes) -> None:
    for name in ("scifact", "check-covid", "core", "fever", "healthver", "covidfact"):
        reader = get_format(name).read_claims
        assert reader
        for result in reader(BytesIO(data)):
            assert result.record is not None or result.problems
