"""How an answer is laid out, and where its links lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verification.checks import ANSWER, SUPPORTING, UNCLEAR
from verification.evidence import Answer
from verification.evidence_layout import lay_out, link_of, searched_words


def test_retracted_work_is_apart_and_no_evidence() -> None:
    layout = lay_out(ANSWER)
    places = [
        [shown.number for shown in part]
        for part in (
            layout.retracted,
            layout.supporting,
            layout.contradicting,
            layout.unclear,
            layout.unlabelled,
        )
    ]
    assert places == [[2], [1], [3], [4, 5], []]
    assert [shown.number for shown in layout.evidence] == [1, 3]


def test_before_there_are_labels_everything_is_only_found() -> None:
    early = replace(UNCLEAR, label="", probabilities=())
    assert len(lay_out(Answer(abstracts=(early,))).unlabelled) == 1


def test_the_sentences_of_the_rationale_carry_a_number() -> None:
    (shown,) = lay_out(ANSWER).supporting
    assert [sentence.number for sentence in shown.rationale] == [2]
    assert [mark.number for mark in shown.rationale[0].marks] == [1]
    assert len(shown.sentences) == 3


@pytest.mark.parametrize(
    ("values", "link"),
    [
        ({"doi": "10.5555/a b"}, "https://doi.org/10.5555/a%20b"),
        ({"doi": "https://doi.org/10.5555/a"}, "https://doi.org/10.5555/a"),
        ({"pmid": "77"}, "https://pubmed.ncbi.nlm.nih.gov/77/"),
        ({"pmid": "x", "url": "https://example.org/"}, "https://example.org/"),
        ({"url": "javascript:alert(1)"}, ""),
        ({}, ""),
    ],
)
def test_a_link_leads_to_the_web_or_is_none(values: dict[str, str], link: str) -> None:
    bare = replace(SUPPORTING, doi="", pmid="", url="")
    assert link_of(replace(bare, **values)) == link  # type: ignore[arg-type]


def test_the_top_line_says_what_was_searched() -> None:
    assert searched_words(ANSWER) == "5,183 abstracts, newest 2019-11"
    assert searched_words(Answer(searched=1)) == "1 abstract"
