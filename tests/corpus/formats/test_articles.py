"""Citances: spans in code points, checked against their passage."""

from __future__ import annotations

import json

import pytest

from corpus.formats.articles import read_articles, write_articles
from corpus.records import (
    Article,
    Citance,
    CitationRole,
    CitedDocument,
    ExternalId,
    Passage,
)
from tests.corpus.formats.helpers import errors, jsonl, only_record, problems, read

TEXT = "𝛽 👩‍🚒 first. Rain cools streets [1,2]. Last."
START = TEXT.index("Rain")
END = TEXT.index(" Last")


def citance(**changes: object) -> dict[str, object]:
    """Return a valid citance with some fields replaced."""
    cited = [
        {"doc_id": 11, "role": "seed"},
        {"doc_id": "12", "role": "co-cited"},
    ]
    return {"citance_id": "c1", "start": START, "end": END, "cited": cited} | changes


def article(*citances: object, **changes: object) -> dict[str, object]:
    return {
        "article_id": "a1",
        "kind": "news",
        "title": "On <rain>",
        "abstract": "",
        "url": "https://example.org",
        "doi": "",
        "journal": "J. Rain",
        "published": "2024-05",
        "licence": "CC BY 4.0",
        "passages": [{"text": TEXT, "citances": list(citances)}],
    } | changes


def test_a_citance_is_a_span_of_its_passage_in_code_points() -> None:
    record = only_record(read_articles, jsonl(article(citance())))
    (passage,) = record.passages
    (found,) = passage.citances
    assert passage.text[found.start : found.end] == "Rain cools streets [1,2]."
    assert found == Citance(
        ExternalId("c1"),
        START,
        END,
        (
            CitedDocument(ExternalId("11", True), CitationRole.SEED),
            CitedDocument(ExternalId("12"), CitationRole.CO_CITED),
        ),
    )


def test_an_article_comes_back_byte_for_byte() -> None:
    data = jsonl(article(citance()), article(article_id="a2", more=[1]))
    records = [result.record for result in read(read_articles, data)]
    assert b"".join(result.data for result in write_articles(records)) == data


def test_a_minimal_article_needs_an_id_a_title_and_passages() -> None:
    value = {"article_id": 1, "title": "T", "passages": []}
    record = only_record(read_articles, jsonl(value))
    assert record == Article(ExternalId("1", True), "T")
    assert record.kind == "paper"


def test_a_candidate_sentence_cites_nothing_yet() -> None:
    value = citance()
    del value["cited"]
    record = only_record(read_articles, jsonl(article(value)))
    assert record.passages[0].citances[0].cited == ()
    (result,) = write_articles([record])
    written = json.loads(result.data)["passages"][0]["citances"][0]
    assert written == citance(cited=[])


@pytest.mark.parametrize(
    ("start", "end"),
    [(0, 0), (5, 5), (6, 5), (0, len(TEXT) + 1), (len(TEXT), len(TEXT) + 1)],
)
def test_an_empty_span_or_one_outside_its_passage_is_an_error(
    start: int, end: int
) -> None:
    value = article(citance(start=start, end=end))
    (problem,) = errors(read_articles, jsonl(value))
    assert problem.field == "passages[0].citances[0]"
    assert problem.value == f"{start}:{end}"
    assert "code points" in problem.message


def test_the_whole_passage_can_be_a_citance() -> None:
    value = article(citance(start=0, end=len(TEXT)))
    assert problems(read_articles, jsonl(value)) == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"start": "1"}, "passages[0].citances[0].start"),
        ({"end": 20.0}, "passages[0].citances[0].end"),
        ({"start": -1}, "passages[0].citances[0].start"),
        ({"citance_id": None}, "passages[0].citances[0].citance_id"),
        ({"cited": [1]}, "passages[0].citances[0].cited[0]"),
        ({"cited": [{"role": "seed"}]}, "passages[0].citances[0].cited[0].doc_id"),
        (
            {"cited": [{"doc_id": 1, "role": "main"}]},
            "passages[0].citances[0].cited[0].role",
        ),
    ],
)
def test_a_wrong_citance_is_an_error(changes: dict[str, object], field: str) -> None:
    found = errors(read_articles, jsonl(article(citance(**changes))))
    assert found[0].field == field


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kind": "blog"}, "kind"),
        ({"kind": 1}, "kind"),
        ({"title": None}, "title"),
        ({"doi": 5}, "doi"),
        ({"passages": None}, "passages"),
        ({"passages": ["text"]}, "passages[0]"),
        ({"passages": [{"text": "x"}]}, "passages[0].citances"),
    ],
)
def test_a_wrong_article_is_an_error(changes: dict[str, object], field: str) -> None:
    (problem,) = errors(read_articles, jsonl(article(**changes)))
    assert problem.field == field


def test_ids_are_unique_in_the_file() -> None:
    (problem,) = errors(read_articles, jsonl(article(), article()))
    assert "article id a1 is on line 1 and again on line 2" in problem.message
    other = article(citance(), article_id="a2")
    (problem,) = errors(read_articles, jsonl(article(citance()), other))
    assert "citance id c1 is on line 1 and again on line 2" in problem.message


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (
            article(citance(), citance(citance_id="c2", start=START + 1)),
            "citances c1 and c2 overlap",
        ),
        (article(citance(start=1, end=2)), "only blanks"),
        (article(citance(note=1)), "is not kept"),
    ],
)
def test_a_doubtful_citance_is_accepted_with_a_warning(
    value: dict[str, object], words: str
) -> None:
    assert only_record(read_articles, jsonl(value))
    (problem,) = problems(read_articles, jsonl(value))
    assert words in problem.message


def test_a_passage_keeps_its_line_ends() -> None:
    text = "First.\r\nSecond.\n"
    value = article(passages=[{"text": text, "citances": []}])
    record = only_record(read_articles, jsonl(value))
    assert record.passages == (Passage(text),)
