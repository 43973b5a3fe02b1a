"""Rows written in bulk are those that ``bulk_create`` would have written."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.models import Claim, Question, Source
from corpus.bulk import BATCH, insert_rows
from corpus.models import Document, Event
from corpus.records import ClaimKind
from tests.factories import CorpusFactory, UserFactory, make_team

pytestmark = pytest.mark.django_db

# What a table of text lines could trip over: its own separators, escapes and NULL.
ODD_TEXTS = [
    "",
    " ",
    "\t",
    "a\tb\nc\rd\x08\x0b\x0c",
    "\\",
    "\\N",
    "\\.",
    "\\t is no tab",
    "\"quoted\", 'twice'",
    "{braces,and}",
    "NULL",
    "<b>&amp;</b> %s %(x)s ?",
    "naïve 👩‍🚒 𝛽 \u2028 \ufeff",
]


def stored(model: type[models.Model], *keys: int) -> list[dict[str, object]]:
    """Return the rows of some keys, without the keys."""
    rows = list(model._default_manager.filter(pk__in=keys).order_by("pk").values())
    for row in rows:
        row.pop("id")
    return rows


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_every_kind_of_value_is_stored_as_django_stores_it(text: str) -> None:
    corpora = [CorpusFactory(), CorpusFactory()]
    ours, theirs = (
        Document(
            corpus=corpus,
            external_id=text or "empty",
            external_id_is_int=True,
            position=2**40,
            title=text,
            sentences=[text, "naïve", text],
            separators=None,
            structured=None,
            authors=[],
            retraction_checked_on=dt.date(2026, 11, 30),
            content_hash="c" * 64,
            text_key="t" * 64,
            doubts=[{"sentence": 0, "offset": None, "reason": text}],
            source_extra={"b": 1.0, "a": [text, None, True]},
            retired_at=timezone.now().replace(year=2020, month=1, day=1),
        )
        for corpus in corpora
    )
    theirs.retired_at = ours.retired_at
    insert_rows([ours])
    Document.objects.bulk_create([theirs])
    (mine,), (reference,) = stored(Document, ours.pk), stored(Document, theirs.pk)
    reference["corpus_id"] = ours.corpus_id
    assert mine == reference
    assert list(Document.objects.get(pk=ours.pk).source_extra) == ["b", "a"]


def test_the_columns_hold_the_very_same_text() -> None:
    # Beneath Django's readers, too: what is kept as text, character for character.
    corpora = [CorpusFactory(), CorpusFactory()]
    ours, theirs = (
        Document(corpus=corpus, external_id="1", position=1, source_extra={"ü": "\\"})
        for corpus in corpora
    )
    insert_rows([ours])
    Document.objects.bulk_create([theirs])
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, source_extra, sentences, separators FROM corpus_document"
        )
        rows = {pk: rest for pk, *rest in cursor.fetchall()}
    assert rows[ours.pk] == rows[theirs.pk]


def test_choices_numbers_keys_and_times_of_creation() -> None:
    team = make_team()
    question = Question(project=team.project, text="Does it?", key="k")
    insert_rows([question])
    source = Source(project=team.project, question=question, position=7)
    insert_rows([source])
    values = {
        "project": team.project,
        "source": source,
        "kind": Claim.Kind.HYPOTHESIS,
        "state": Claim.State.IMPORTED,
        "is_labelled": 1,
        "author": team.annotator,
    }
    ours = Claim(external_id="1", position=1, **values)
    theirs = Claim(external_id="2", position=2, **values)
    before = timezone.now()
    insert_rows([ours])
    Claim.objects.bulk_create([theirs])
    (mine,), (reference,) = stored(Claim, ours.pk), stored(Claim, theirs.pk)
    own = {"external_id", "position", "family", "created_at"}
    assert {k: v for k, v in mine.items() if k not in own} == {
        k: v for k, v in reference.items() if k not in own
    }
    claim = Claim.objects.get(pk=ours.pk)
    assert claim.family == ours.family
    assert claim.kind == ClaimKind.HYPOTHESIS.value
    assert claim.source == source
    assert before <= claim.created_at <= timezone.now()


def events(count: int) -> list[Event]:
    """Return unsaved events that know their place."""
    return [Event(noun="test", object_id=n, verb="try") for n in range(count)]


def test_keys_ascend_over_batches_and_come_from_the_tables_own_count() -> None:
    first = Event.objects.create(noun="test", object_id=0, verb="try")
    rows = events(BATCH + 3)
    insert_rows(iter(rows))
    later = Event.objects.create(noun="test", object_id=0, verb="try")
    keys = [first.pk, *(row.pk for row in rows), later.pk]
    assert keys == sorted(set(keys))
    found = Event.objects.filter(pk__in=keys[1:-1]).order_by("pk")
    assert [row.object_id for row in found] == list(range(BATCH + 3))


def test_rows_know_that_they_are_saved() -> None:
    (row,) = events(1)
    insert_rows([row])
    row.why = "changed"
    row.save()
    assert Event.objects.get(pk=row.pk).why == "changed"


def test_a_key_is_never_given_twice_even_after_deletion() -> None:
    rows = events(2)
    insert_rows(rows)
    Event.objects.filter(pk__in=[row.pk for row in rows]).delete()
    again = events(1)
    insert_rows(again)
    assert again[0].pk > rows[1].pk


def test_a_refused_row_leaves_nothing_behind() -> None:
    corpus = CorpusFactory()
    rows = [
        Document(corpus=corpus, external_id=str(n % BATCH), position=n)
        for n in range(BATCH + 1)
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(rows)
    assert not corpus.documents.exists()


def test_nothing_to_write_costs_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        insert_rows([])


def test_a_batch_costs_two_statements_whatever_its_size(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for count in (1, BATCH):
        with django_assert_num_queries(2):
            insert_rows(events(count))


def test_an_actor_is_kept() -> None:
    actor = UserFactory()
    row = Event(noun="test", object_id=1, verb="try", actor=actor)
    insert_rows([row])
    assert Event.objects.get(pk=row.pk).actor == actor
