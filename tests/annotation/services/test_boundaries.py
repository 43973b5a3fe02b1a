"""Correcting sentence boundaries: what changes, what is refused, what can be undone."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.services.boundaries import (
    confirm_boundaries,
    merge_sentences,
    split_sentence,
    undo_boundary_change,
)
from annotation.services.documents import add_document
from corpus.events import column_values
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Corpus, Document, Event
from corpus.records import Document as Record
from corpus.records import ExternalId
from corpus.search import search
from corpus.text import content_hash
from tests.factories import ClaimFactory, DocumentFactory, PairFactory, Team

TEXT = "We compared 𝛽-blockers. Pain fell (p < 0.05).  Nobody left the trial."
SENTENCES = [
    "We compared 𝛽-blockers.",
    "Pain fell (p < 0.05).",
    "Nobody left the trial.",
]
SEPARATORS = ["", " ", "  ", ""]

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(team: Team) -> Document:
    """Three sentences; both boundaries are doubtful."""
    row = added(team, TEXT)
    row.doubts = [doubt(1), doubt(2)]
    row.has_doubts = True
    row.save()
    assert (row.sentences, row.separators) == (SENTENCES, SEPARATORS)
    return row


def added(team: Team, text: str) -> Document:
    record = Record(id=ExternalId("a"), title="Tea", text=text)
    return add_document(corpus=team.corpus, record=record, actor=team.admin)


def doubt(sentence: int, offset: int | None = None) -> dict[str, Any]:
    return {"sentence": sentence, "offset": offset, "reason": "Is it one?"}


def seen(document: Document, team: Team) -> dict[str, Any]:
    return {
        "document": document,
        "seen_hash": document.content_hash,
        "actor": team.admin,
    }


def test_a_merge_keeps_every_character_between_the_sentences(
    document: Document, team: Team
) -> None:
    merged = merge_sentences(**seen(document, team), sentence=2)
    assert merged.sentences == [
        "We compared 𝛽-blockers.",
        "Pain fell (p < 0.05).  Nobody left the trial.",
    ]
    assert merged.separators == ["", " ", ""]
    assert merged.text == TEXT


def test_a_split_counts_code_points_not_utf_16(document: Document, team: Team) -> None:
    # "We compared " has 12 characters and 𝛽 is one more: the cut is after it.
    cut = split_sentence(**seen(document, team), sentence=0, offset=13)
    assert cut.sentences[:2] == ["We compared 𝛽", "-blockers."]
    assert cut.text == TEXT


def test_a_change_renews_hash_index_and_version(document: Document, team: Team) -> None:
    version = Corpus.objects.get(pk=team.corpus.pk).version
    merged = merge_sentences(**seen(document, team), sentence=1)
    document.refresh_from_db()
    assert document.content_hash == merged.content_hash
    assert document.content_hash == content_hash(
        "Tea", document.sentences, document.separators
    )
    assert document.corpus.version == version + 1
    assert list(search(team.corpus.documents.all(), "blockers pain")) == [document]


def test_the_decided_place_is_doubtful_no_more_and_the_others_still_are(
    team: Team,
) -> None:
    row = added(
        team, "We asked 20 people etc. They answered. Pills fell i.v. All slept."
    )
    # The splitter cuts behind both abbreviations and is sure of neither.
    assert [doubt["sentence"] for doubt in row.doubts] == [1, 3]
    merged = merge_sentences(**seen(row, team), sentence=1)
    assert [doubt["sentence"] for doubt in merged.doubts] == [2]
    assert merged.sentences[2] == "All slept."
    merged = merge_sentences(**seen(merged, team), sentence=2)
    assert (merged.doubts, merged.has_doubts) == ([], False)


def test_a_missing_boundary_is_made_where_the_doubt_says(team: Team) -> None:
    row = added(team, "The rest did not. methods were simple.")
    assert [(d["sentence"], d["offset"]) for d in row.doubts] == [(0, 18)]
    cut = split_sentence(**seen(row, team), sentence=0, offset=18)
    assert cut.sentences == ["The rest did not.", "methods were simple."]
    assert cut.doubts == []


def test_looking_right_clears_the_doubts_and_changes_no_sentence(
    document: Document, team: Team
) -> None:
    confirmed = confirm_boundaries(**seen(document, team))
    assert confirmed.doubts == []
    assert not confirmed.has_doubts
    assert confirmed.sentences == SENTENCES


@pytest.mark.parametrize("change", ["merge", "split", "confirm"])
def test_undo_brings_back_sentences_and_doubts_once(
    document: Document, team: Team, change: str
) -> None:
    before = column_values(document)
    if change == "merge":
        merge_sentences(**seen(document, team), sentence=1)
    elif change == "split":
        split_sentence(**seen(document, team), sentence=1, offset=4)
    else:
        confirm_boundaries(**seen(document, team))
    undo_boundary_change(document=document, actor=team.admin)
    document.refresh_from_db()
    assert column_values(document) == before
    with pytest.raises(DomainError, match="nothing to undo"):
        undo_boundary_change(document=document, actor=team.admin)


def test_the_events_rebuild_the_document(document: Document, team: Team) -> None:
    merge_sentences(**seen(document, team), sentence=1)
    events = Event.objects.filter(noun="document", object_id=document.pk)
    rebuilt: dict[str, Any] = {}
    for event in events.order_by("id"):
        rebuilt |= event.payload["set"]
    document.refresh_from_db()
    stored = column_values(document)
    assert {name: stored[name] for name in rebuilt} == rebuilt
    assert rebuilt.keys() == stored.keys()


def test_from_the_first_pair_on_sentences_stay(document: Document, team: Team) -> None:
    claim = ClaimFactory(project=team.project, author=team.annotator)
    PairFactory(claim=claim, document=document)
    with pytest.raises(DomainError, match="paired with this abstract"):
        merge_sentences(**seen(document, team), sentence=1)
    with pytest.raises(DomainError, match="paired with this abstract"):
        split_sentence(**seen(document, team), sentence=1, offset=4)
    document.refresh_from_db()
    assert document.sentences == SENTENCES


def test_a_change_before_the_first_pair_cannot_be_undone_after_it(
    document: Document, team: Team
) -> None:
    merge_sentences(**seen(document, team), sentence=1)
    claim = ClaimFactory(project=team.project, author=team.annotator)
    PairFactory(claim=claim, document=document)
    with pytest.raises(DomainError, match="paired with this abstract"):
        undo_boundary_change(document=document, actor=team.admin)


def test_the_second_of_two_people_sees_that_the_sentences_have_changed(
    document: Document, team: Team
) -> None:
    both_saw = seen(document, team)
    merge_sentences(**both_saw, sentence=1)
    with pytest.raises(StaleStateError, match="in the meantime"):
        merge_sentences(**both_saw, sentence=1)


def test_sentences_that_came_from_the_source_are_never_changed(team: Team) -> None:
    shipped = DocumentFactory(corpus=team.corpus)
    with pytest.raises(DomainError, match="came with its sentences"):
        merge_sentences(**seen(shipped, team), sentence=1)


@pytest.mark.parametrize(
    ("sentence", "offset", "reason"),
    [
        (0, 0, "nothing before the cut"),
        (0, 9_999, "behind the end"),
        (9, 3, "no such sentence"),
    ],
)
def test_a_cut_where_none_can_be_is_refused(
    document: Document, team: Team, sentence: int, offset: int, reason: str
) -> None:
    with pytest.raises(DomainError):
        split_sentence(**seen(document, team), sentence=sentence, offset=offset)
    document.refresh_from_db()
    assert document.sentences == SENTENCES, reason


@pytest.mark.parametrize("sentence", [0, 3, 99])
def test_a_merge_needs_a_boundary(
    document: Document, team: Team, sentence: int
) -> None:
    with pytest.raises(DomainError, match="no boundary"):
        merge_sentences(**seen(document, team), sentence=sentence)
