"""Phases: what is hidden stays hidden, and every change is kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpus.exceptions import DomainError
from corpus.models import Event
from tests.factories import UserFactory
from tests.verification.board import (
    make_benchmark,
    make_gold_set,
    make_phase,
)
from verification.models import GoldSet, Phase
from verification.services.phases import (
    add_phase,
    change_deadline,
    change_opening,
    change_phase,
)

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_a_phase_takes_the_gold_of_its_own_benchmark_alone() -> None:
    benchmark = make_benchmark()
    gold_set = make_gold_set(UserFactory(), benchmark=make_benchmark(name="Other"))
    with pytest.raises(DomainError, match="another benchmark"):
        make_phase(benchmark, shows="nothing", gold_set=gold_set)


def test_hidden_gold_never_shows_everything_while_open() -> None:
    benchmark, gold_set = make_benchmark(), make_gold_set(UserFactory())
    with pytest.raises(DomainError, match="give hidden gold away"):
        make_phase(benchmark, shows="everything", gold_set=gold_set)
    phase = make_phase(benchmark, shows="nothing", gold_set=gold_set)
    with pytest.raises(DomainError, match="give hidden gold away"):
        change_phase(
            phase=phase,
            organiser=phase.benchmark.organisers.get(),
            name=phase.name,
            shows="everything",
        )


def _phase(gold_set: GoldSet, opens: int, closes: int | None, kind: str) -> Phase:
    """Add a phase from one day to another, counted from noon of 1 December."""
    benchmark = gold_set.benchmark
    assert benchmark is not None
    return add_phase(
        benchmark=benchmark,
        gold_set=gold_set,
        organiser=benchmark.organisers.get(),
        kind=kind,
        name=f"From {opens}",
        shows="nothing",
        opens_at=NOON + timedelta(days=opens),
        closes_at=None if closes is None else NOON + timedelta(days=closes),
    )


@pytest.fixture
def hidden() -> GoldSet:
    """Hidden gold that a blind phase uses from day 0 to day 10."""
    benchmark = make_benchmark()
    gold_set = make_gold_set(benchmark.organisers.get(), benchmark=benchmark)
    _phase(gold_set, 0, 10, "blind")
    return gold_set


@pytest.mark.parametrize(
    ("opens", "closes", "kind", "words"),
    [
        (5, 15, "blind", "at the same time"),
        (-5, 1, "dev", "at the same time"),
        (2, 3, "late", "at the same time"),
        (-5, None, "late", "at the same time"),
        (10, 20, "blind", "known by then"),
        (30, None, "dev", "known by then"),
    ],
)
def test_phases_of_hidden_gold_are_kept_apart(
    hidden: GoldSet, opens: int, closes: int | None, kind: str, words: str
) -> None:
    with pytest.raises(DomainError, match=words):
        _phase(hidden, opens, closes, kind)


def test_after_the_deadline_the_gold_may_be_used_again(hidden: GoldSet) -> None:
    late = _phase(hidden, 10, None, "late")
    assert late.number == 2
    blind = hidden.phases.get(number=1)
    with time_machine.travel(NOON), pytest.raises(DomainError, match="same time"):
        change_deadline(
            phase=blind,
            organiser=UserFactory(),
            closes_at=NOON + timedelta(days=12),
            why="Rain.",
        )


def test_a_closed_phase_of_hidden_gold_stays_closed(hidden: GoldSet) -> None:
    with (
        time_machine.travel(NOON + timedelta(days=11)),
        pytest.raises(DomainError, match="everything about its gold was shown"),
    ):
        change_deadline(
            phase=hidden.phases.get(),
            organiser=UserFactory(),
            closes_at=NOON + timedelta(days=20),
            why="Rain.",
        )


def test_a_deadline_moves_with_its_reason(hidden: GoldSet) -> None:
    with time_machine.travel(NOON):
        change_deadline(
            phase=hidden.phases.get(),
            organiser=UserFactory(),
            closes_at=NOON + timedelta(days=12),
            why=" Rain. ",
        )
    event = Event.objects.get(verb="change_deadline")
    assert event.why == "Rain."
    assert event.payload["was"] == {"closes_at": "2026-12-11T12:00:00+00:00"}
    assert event.payload["set"] == {"closes_at": "2026-12-13T12:00:00+00:00"}


@pytest.mark.parametrize(
    ("days", "why", "words"),
    [
        (12, "  ", "Say why"),
        (-1, "Rain.", "before it opens"),
        (1, "Rain.", "has passed"),
    ],
)
def test_a_deadline_does_not_move_just_so(
    hidden: GoldSet, days: int, why: str, words: str
) -> None:
    with (
        time_machine.travel(NOON + timedelta(days=2)),
        pytest.raises(DomainError, match=words),
    ):
        change_deadline(
            phase=hidden.phases.get(),
            organiser=UserFactory(),
            closes_at=NOON + timedelta(days=days),
            why=why,
        )


# Openings ---------------------------------------------------------------------------


def _open_later(hidden: GoldSet, days: float | None, why: str = " Rain. ") -> None:
    """Move the opening of the phase, a day before it opens."""
    with time_machine.travel(NOON - timedelta(days=1), tick=False):
        change_opening(
            phase=hidden.phases.get(number=1),
            organiser=UserFactory(),
            opens_at=None if days is None else NOON + timedelta(days=days),
            why=why,
        )


@pytest.mark.parametrize(
    ("days", "opens"),
    [(2, "2026-12-03T12:00:00+00:00"), (None, "2026-11-30T12:00:00+00:00")],
)
def test_an_opening_moves_with_its_reason(
    hidden: GoldSet, days: int | None, opens: str
) -> None:
    _open_later(hidden, days)
    event = Event.objects.get(verb="change_opening")
    assert event.why == "Rain."
    assert event.payload["was"] == {"opens_at": "2026-12-01T12:00:00+00:00"}
    assert event.payload["set"] == {"opens_at": opens}
    assert hidden.phases.get().opens_at.isoformat() == opens


@pytest.mark.parametrize(
    ("days", "why", "words"),
    [
        (2, "  ", "Say why"),
        (-1.5, "Rain.", "has passed"),
        (10, "Rain.", "close before it opens"),
    ],
)
def test_an_opening_does_not_move_just_so(
    hidden: GoldSet, days: float, why: str, words: str
) -> None:
    with pytest.raises(DomainError, match=words):
        _open_later(hidden, days, why)


def test_a_phase_that_has_opened_stays_open(hidden: GoldSet) -> None:
    with (
        time_machine.travel(NOON, tick=False),
        pytest.raises(DomainError, match="opened already"),
    ):
        change_opening(
            phase=hidden.phases.get(),
            organiser=UserFactory(),
            opens_at=NOON + timedelta(days=1),
            why="Rain.",
        )


def test_an_opening_does_not_move_into_another_phase_of_the_gold() -> None:
    benchmark = make_benchmark()
    gold_set = make_gold_set(benchmark.organisers.get(), benchmark=benchmark)
    _phase(gold_set, 5, 10, "late")
    _phase(gold_set, 1, 3, "blind")
    with pytest.raises(DomainError, match="at the same time"):
        _open_later(gold_set, 2)


def test_hidden_gold_is_not_known_before_a_phase_that_is_there_already() -> None:
    benchmark = make_benchmark()
    gold_set = make_gold_set(benchmark.organisers.get(), benchmark=benchmark)
    _phase(gold_set, 5, 10, "blind")
    with pytest.raises(DomainError, match="known by then"):
        _phase(gold_set, 1, 3, "dev")
    assert gold_set.phases.count() == 1


def test_limits_change_with_an_event() -> None:
    phase = make_phase(shows="nothing")
    assert (phase.daily_per_person, phase.total_per_person) == (10, 10)
    change_phase(
        phase=phase,
        organiser=phase.benchmark.organisers.get(),
        name="Test",
        shows="overall",
        total_per_person=None,
        daily_per_person=3,
    )
    phase.refresh_from_db()
    assert (phase.daily_per_person, phase.total_per_person) == (3, None)
    event = Event.objects.get(noun="phase", verb="change")
    assert event.payload == {
        "set": {"shows": "overall", "total_per_person": None, "daily_per_person": 3},
        "was": {"shows": "nothing", "total_per_person": 10, "daily_per_person": 10},
    }
