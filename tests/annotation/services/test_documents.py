"""Adding one abstract, and filling in a missing one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.services.documents import add_document, fill_abstract
from corpus.events import column_values
from corpus.exceptions import DomainError
from corpus.models import Corpus, Document, Event
from corpus.records import Document as Record
from corpus.records import ExternalId
from corpus.search import search
from tests.factories import (
    ClaimFactory,
    DocumentFactory,
    JudgementFactory,
    PairFactory,
    Team,
)

RECORD = Record(
    id=ExternalId("doi:10.5555/tea"),
    title="Tea and knees",
    text="Tea was drunk. Knees did not change.",
    doi="10.5555/tea",
    authors=("A. Writer", "B. Reader"),
)

pytestmark = pytest.mark.django_db


def test_an_added_abstract_is_split_found_and_recorded(team: Team) -> None:
    added = add_document(corpus=team.corpus, record=RECORD, actor=team.admin)
    row = Document.objects.get()
    assert row.sentences == ["Tea was drunk.", "Knees did not change."]
    assert row.text == RECORD.text
    assert row.splitter.startswith("nupunkt")
    assert list(search(team.corpus.documents.all(), "knees tea")) == [row]
    event = Event.objects.get(noun="document", object_id=added.pk)
    assert event.payload["set"] == column_values(row)
    assert Corpus.objects.get(pk=team.corpus.pk).version == 1


@pytest.mark.parametrize(
    ("again", "reason"),
    [
        (replace(RECORD, title="Other", text="Another text."), "the same id"),
        (replace(RECORD, id=ExternalId("new")), "the same text"),
        (
            replace(RECORD, id=ExternalId("new"), title="TEA  and knees"),
            "a text that reads the same",
        ),
    ],
)
def test_the_same_abstract_is_not_added_twice(
    team: Team, again: Record, reason: str
) -> None:
    add_document(corpus=team.corpus, record=RECORD, actor=team.admin)
    with pytest.raises(DomainError, match="already in the corpus"):
        add_document(corpus=team.corpus, record=again, actor=team.admin)
    assert team.corpus.documents.count() == 1, reason


@pytest.fixture
def without_text(team: Team) -> Document:
    row = add_document(
        corpus=team.corpus, record=replace(RECORD, text=""), actor=team.admin
    )
    assert not row.has_abstract
    return row


def test_a_filled_abstract_is_split_and_found(
    team: Team, without_text: Document
) -> None:
    fill_abstract(
        document=without_text, text="Sleep was long. It helped.", actor=team.admin
    )
    row = Document.objects.get()
    assert row.has_abstract
    assert row.sentences == ["Sleep was long.", "It helped."]
    assert list(search(team.corpus.documents.all(), "sleep")) == [row]


def test_a_text_that_somebody_filled_in_first_is_not_overwritten(
    team: Team, without_text: Document
) -> None:
    fill_abstract(document=without_text, text="The first.", actor=team.admin)
    with pytest.raises(DomainError, match="already"):
        fill_abstract(document=without_text, text="The second.", actor=team.admin)
    assert Document.objects.get().sentences == ["The first."]


def test_a_document_that_was_judged_without_text_keeps_what_it_is(
    team: Team, without_text: Document
) -> None:
    claim = ClaimFactory(project=team.project, author=team.annotator)
    pair = PairFactory(claim=claim, document=without_text)
    JudgementFactory(pair=pair, annotator=team.other_annotator)
    with pytest.raises(DomainError, match="paired with this abstract"):
        fill_abstract(document=without_text, text="Too late.", actor=team.admin)


def test_white_space_is_no_abstract(team: Team, without_text: Document) -> None:
    with pytest.raises(DomainError, match="Paste"):
        fill_abstract(document=without_text, text=" \n ", actor=team.admin)


def test_a_document_that_shipped_no_sentence_can_be_filled(team: Team) -> None:
    row = DocumentFactory(corpus=team.corpus, sentences=[], has_abstract=False)
    filled = fill_abstract(document=row, text="Now there is one.", actor=team.admin)
    assert filled.text == "Now there is one."
