"""What organisers do: gold, phases that keep it hidden, deadlines, and each other."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import signing

from corpus.exceptions import DomainError
from corpus.models import Event
from tests.factories import UserFactory
from tests.verification.board import (
    SCORING,
    gold_lines,
    make_benchmark,
    make_gold_set,
    make_phase,
    stored,
)
from verification.models import Benchmark, GoldSet, Phase
from verification.organiser_links import benchmark_of, token_of
from verification.services import benchmarks
from verification.services.benchmarks import (
    About,
    GoldFiles,
    GoldRefusedError,
    add_organiser,
    add_phase,
    change_benchmark,
    change_deadline,
    change_opening,
    change_phase,
    create_gold_set,
    remove_organiser,
    start_benchmark,
)

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def _start(files: dict[str, list[dict[str, Any]]], **values: Any) -> Benchmark:
    organiser = UserFactory()
    kept = {k: stored(organiser, v, f"{k}.jsonl") for k, v in files.items()}
    about = About(values.pop("name", "Moss"), "On moss.", "public")
    return start_benchmark(
        about=about,
        scoring=SCORING,
        files=GoldFiles(**kept),
        split="dev",
        is_hidden=values.pop("is_hidden", True),
        organiser=organiser,
    )


def test_a_benchmark_starts_with_its_gold() -> None:
    benchmark = _start({"gold": gold_lines()})
    gold_set = benchmark.gold_sets.get()
    assert (gold_set.n_claims, gold_set.split, gold_set.is_hidden) == (12, "dev", True)
    with gold_set.claims.file.open() as file:
        line = json.loads(file.readline())
    assert line == {"id": 0, "claim": "Invented claim 0 on moss and rain."}
    verbs = Event.objects.values_list("noun", "verb")
    assert list(verbs) == [("benchmark", "create"), ("gold_set", "create")]


def test_all_that_is_wrong_with_gold_is_told_with_its_line() -> None:
    lines = gold_lines()
    lines[0]["evidence"] = {"1": [{"sentences": ["0"], "label": "SUPPORT"}]}
    lines[3]["evidence"] = {"1": [{"sentences": [0], "label": "MAYBE"}]}
    lines[5]["id"] = 4
    with pytest.raises(GoldRefusedError) as refused:
        _start({"gold": lines})
    assert {error.line for error in refused.value.errors} == {1, 4, 6}
    assert {error.file for error in refused.value.errors} == {"gold.jsonl"}
    assert not Benchmark.objects.exists()
    assert not GoldSet.objects.exists()


def test_errors_of_the_corpus_are_told_as_well() -> None:
    with pytest.raises(GoldRefusedError) as refused:
        _start({"gold": gold_lines(), "corpus": [{"doc_id": 1, "title": "No text"}]})
    assert [error.file for error in refused.value.errors] == ["corpus.jsonl"]


def test_gold_that_fills_the_memory_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setattr(benchmarks, "GOLD_LIMIT", 100)
    with pytest.raises(DomainError, match="too large to be gold"):
        _start({"gold": gold_lines()})


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        (gold_lines()[1:], "only in one of them"),
        ([*gold_lines(), {"id": 77, "claim": "One more."}], "only in one of them"),
        (gold_lines(), "A label or a set of evidence is given"),
        (
            [line | {"evidence": {"1": [{"sentences": [0]}]}} for line in gold_lines()],
            "The evidence is given",
        ),
    ],
)
def test_own_claims_fit_the_gold_and_give_no_answer(
    claims: list[dict[str, Any]], words: str
) -> None:
    with pytest.raises(GoldRefusedError) as refused:
        _start({"gold": gold_lines(), "claims": claims})
    assert any(words in error.message for error in refused.value.errors)


def test_own_claims_are_what_researchers_get() -> None:
    claims = [{"id": n, "claim": f"Claim {n}.", "topic": "moss"} for n in range(12)]
    benchmark = _start({"gold": gold_lines(), "claims": claims})
    with benchmark.gold_sets.get().claims.file.open() as file:
        assert json.loads(file.readline())["topic"] == "moss"


def test_a_measure_that_the_task_does_not_have_is_refused() -> None:
    scoring = benchmarks.Scoring("scifact_pipeline", "leaderboard", "open", "bleu")
    owner = UserFactory()
    files = GoldFiles(stored(owner, gold_lines(), "gold.jsonl"))
    with pytest.raises(DomainError, match="no measure “bleu”"):
        create_gold_set(files=files, scoring=scoring, owner=owner, name="Gold")


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


# Phases: what is hidden stays hidden ------------------------------------------------


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
    _phase(gold_set, 5, 10, "blind")
    _phase(gold_set, 1, 3, "dev")
    with pytest.raises(DomainError, match="at the same time"):
        _open_later(gold_set, 2)


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
