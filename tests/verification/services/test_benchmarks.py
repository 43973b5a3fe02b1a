"""How benchmarks start, what they are called, and who organises them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import signing

from corpus.exceptions import DomainError
from corpus.models import Event
from tests.factories import UserFactory
from tests.verification.board import (
    gold_lines,
    make_benchmark,
    start_from,
)
from verification.organiser_links import benchmark_of, token_of
from verification.services.benchmarks import (
    About,
    add_organiser,
    change_benchmark,
    remove_organiser,
)

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_a_benchmark_starts_with_its_gold() -> None:
    benchmark = start_from({"gold": gold_lines()})
    gold_set = benchmark.gold_sets.get()
    assert (gold_set.n_claims, gold_set.split, gold_set.is_hidden) == (12, "dev", True)
    with gold_set.claims.file.open() as file:
        line = json.loads(file.readline())
    assert line == {"id": 0, "claim": "Invented claim 0 on moss and rain."}
    verbs = Event.objects.values_list("noun", "verb")
    assert list(verbs) == [("benchmark", "create"), ("gold_set", "create")]


def test_a_name_is_taken_once_and_new_is_no_address() -> None:
    assert make_benchmark(name="New").slug == "new-2"
    with pytest.raises(DomainError, match="of this name already"):
        make_benchmark(name="New")
    other = make_benchmark(name="Rain")
    with pytest.raises(DomainError, match="of this name already"):
        change_benchmark(
            benchmark=other,
            organiser=other.organisers.get(),
            about=About("New", "", "public"),
        )


def test_words_change_with_an_event_and_the_address_stays() -> None:
    benchmark = make_benchmark()
    changed = change_benchmark(
        benchmark=benchmark,
        organiser=benchmark.organisers.get(),
        about=About("Moss and snow", benchmark.description, "private"),
    )
    assert changed.slug == benchmark.slug
    event = Event.objects.get(noun="benchmark", verb="change")
    assert event.payload["set"] == {"name": "Moss and snow", "visibility": "private"}
    assert event.payload["was"]["name"] == "Moss and rain"


# Organisers -------------------------------------------------------------------------


def test_organisers_come_and_go_but_never_the_last() -> None:
    benchmark = make_benchmark()
    first, second = benchmark.organisers.get(), UserFactory()
    with pytest.raises(DomainError, match="always has an organiser"):
        remove_organiser(benchmark=benchmark, organiser=first, person=first)
    assert add_organiser(token=token_of(benchmark), person=second) == benchmark
    remove_organiser(benchmark=benchmark, organiser=first, person=first)
    assert list(benchmark.organisers.all()) == [second]
    events = Event.objects.filter(noun="benchmark").order_by("pk")
    assert [e.payload["set"]["organisers"] for e in events] == [
        [first.pk],
        [first.pk, second.pk],
        [second.pk],
    ]


def test_somebody_who_cannot_sign_in_is_no_organiser_who_stays() -> None:
    benchmark = make_benchmark()
    first, second = benchmark.organisers.get(), UserFactory()
    add_organiser(token=token_of(benchmark), person=second)
    second.is_active = False
    second.save()
    with pytest.raises(DomainError, match="always has an organiser"):
        remove_organiser(benchmark=benchmark, organiser=first, person=first)


def test_an_organisers_link_works_once() -> None:
    benchmark = make_benchmark()
    token = token_of(benchmark)
    add_organiser(token=token, person=benchmark.organisers.get())  # changes nothing
    add_organiser(token=token, person=UserFactory())
    with pytest.raises(DomainError, match="does not work any more"):
        add_organiser(token=token, person=UserFactory())
    assert benchmark.organisers.count() == 2


def test_whom_somebody_invited_is_not_added_after_they_left() -> None:
    benchmark = make_benchmark()
    first, second = benchmark.organisers.get(), UserFactory()
    add_organiser(token=token_of(benchmark), person=second)
    token = token_of(benchmark)
    remove_organiser(benchmark=benchmark, organiser=first, person=second)
    with pytest.raises(DomainError, match="does not work any more"):
        add_organiser(token=token, person=UserFactory())


def test_a_link_that_was_used_stays_used_when_its_user_has_left() -> None:
    benchmark = make_benchmark()
    first, second = benchmark.organisers.get(), UserFactory()
    token = token_of(benchmark)
    add_organiser(token=token, person=second)
    remove_organiser(benchmark=benchmark, organiser=first, person=second)
    with pytest.raises(DomainError, match="does not work any more"):
        add_organiser(token=token, person=second)
    assert benchmark.organisers.get() == first


def test_an_organisers_link_ends_after_two_weeks() -> None:
    benchmark = make_benchmark()
    with time_machine.travel(NOON, tick=False):
        token = token_of(benchmark)
    with time_machine.travel(NOON + timedelta(days=14, seconds=-1), tick=False):
        assert benchmark_of(token) == benchmark
    with time_machine.travel(NOON + timedelta(days=14, seconds=2), tick=False):
        assert benchmark_of(token) is None


def test_a_link_of_our_own_making_leads_nowhere() -> None:
    benchmark = make_benchmark()
    keys = [person.pk for person in benchmark.organisers.all()]
    assert benchmark_of(signing.dumps([benchmark.pk, keys])) is None
