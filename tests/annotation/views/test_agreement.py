"""Agreement for a project's admins: which judgements count, and what the page says."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from time_machine import Traveller

from annotation.agreement_intervals import Measure
from annotation.agreement_report import Kind, Part, RatedPair, Report, Wanted
from annotation.models import Judgement, Pair
from annotation.selectors import agreement as selectors
from annotation.selectors.agreement import RatedPairs, agreement_of
from annotation.services import judgement_reviews
from annotation.services.judgement_withdrawals import withdraw_judgement
from annotation.services.judgements import Answer, revise_judgement
from annotation.services.retiring import retire_claim
from annotation.views import agreement_figures
from annotation.views.agreement_figures import few_words
from corpus.models import Event, User
from corpus.records import Label, Rationale
from tests.annotation.work import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, judged
from tests.factories import (
    ClaimFactory,
    JudgementFactory,
    PairFactory,
    Team,
    UserFactory,
    make_team,
)

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
EVERYTHING = Wanted()


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    """Primary keys come back in each test."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def clock() -> Iterator[Traveller]:
    """A clock that the test moves."""
    with time_machine.travel(MONDAY, tick=False) as traveller:
        yield traveller


@pytest.fixture
def team(clock: Traveller) -> Team:
    """A project that asks for two judgements of each pair."""
    return asking_for(make_team(), 2)


def asking_for(team: Team, count: int) -> Team:
    team.project.settings = {**team.project.settings, "judgements_per_pair": count}
    team.project.save()
    return team


def pair_of(team: Team, **values: Any) -> Pair:
    claim = ClaimFactory(project=team.project, author=team.annotator)
    pair: Pair = PairFactory(claim=claim, **values)
    return pair


def twice(team: Team, first: Answer, second: Answer, **values: Any) -> Pair:
    """A pair that the other annotator and then the admin have judged."""
    pair = pair_of(team, **values)
    judged(pair, team.other_annotator, first)
    judged(pair, team.admin, second)
    return pair


def approve(team: Team, judgement: Judgement) -> None:
    judgement.refresh_from_db()
    judgement_reviews.approve_judgement(
        judgement=judgement,
        reviewer=team.reviewer,
        expected_version=judgement.version,
    )


def sent_back(team: Team, judgement: Judgement) -> None:
    judgement_reviews.request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="missing_rationale",
        note="See the second sentence.",
        expected_version=1,
    )


def rejected(team: Team, judgement: Judgement) -> None:
    judgement_reviews.reject_judgement(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="missing_rationale",
        note="No.",
        expected_version=1,
    )


def first_pairs(team: Team, wanted: Wanted = EVERYTHING) -> list[RatedPair]:
    return list(RatedPairs(team.project, wanted).first(set()))


def reviewed_pairs(team: Team) -> list[RatedPair]:
    pairs, taken = RatedPairs(team.project, EVERYTHING), set[int]()
    list(pairs.first(taken))
    return list(pairs.after(taken))


def labels(pairs: list[RatedPair]) -> list[tuple[str, ...]]:
    return [rated.labels for rated in pairs]


# --- which judgements count ---


def test_a_pair_counts_with_its_answers_in_the_order_of_submission(team: Team) -> None:
    pair = twice(team, CONTRADICT, SUPPORT)
    (rated,) = first_pairs(team)
    assert (rated.pair, rated.document) == (pair.pk, pair.document_id)
    assert (rated.origin, rated.n_sentences) == ("cited", 3)
    assert (rated.claim_id, rated.document_id) == (
        pair.claim.external_id,
        pair.document.external_id,
    )
    first, second = rated.ratings
    assert (first.annotator, first.label) == (team.other_annotator.pk, "CONTRADICT")
    assert (second.annotator, second.label) == (team.admin.pk, "SUPPORT")
    assert sorted(first.sentences) == [0, 2]
    assert sorted(second.sentences) == [2]


def test_a_pair_with_one_judgement_does_not_count(team: Team) -> None:
    judged(pair_of(team), team.admin)
    assert first_pairs(team) == []


def test_a_revised_answer_counts_as_it_was_first_submitted(
    team: Team, clock: Traveller
) -> None:
    pair = twice(team, CONTRADICT, SUPPORT)
    one, other = pair.judgements.order_by("pk")
    sent_back(team, one)
    clock.shift(timedelta(days=9))
    one.refresh_from_db()
    revise_judgement(
        judgement=one,
        annotator=team.other_annotator,
        answer=SUPPORT,
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    assert labels(first_pairs(team)) == [("CONTRADICT", "SUPPORT")]
    assert first_pairs(team)[0].ratings[0].at == MONDAY
    assert reviewed_pairs(team) == []
    approve(team, one)
    assert reviewed_pairs(team) == []
    approve(team, other)
    assert labels(reviewed_pairs(team)) == [("SUPPORT", "SUPPORT")]
    assert labels(first_pairs(team)) == [("CONTRADICT", "SUPPORT")]


def test_an_answer_that_was_taken_back_does_not_count(team: Team) -> None:
    pair = twice(team, SUPPORT, SUPPORT)
    mine = pair.judgements.get(annotator=team.admin)
    withdraw_judgement(judgement=mine, annotator=team.admin)
    assert first_pairs(team) == []
    judged(pair, team.admin, NOT_ENOUGH_INFO)
    assert labels(first_pairs(team)) == [("SUPPORT", "NOT_ENOUGH_INFO")]


def test_a_rejected_answer_counts_as_submitted_and_its_substitute_does_not(
    team: Team,
) -> None:
    pair = twice(team, CONTRADICT, SUPPORT)
    bad, good = pair.judgements.order_by("pk")
    rejected(team, bad)
    assert labels(first_pairs(team)) == [("CONTRADICT", "SUPPORT")]
    substitute = judged(pair, team.annotator, SUPPORT)
    assert labels(first_pairs(team)) == [("CONTRADICT", "SUPPORT")]
    approve(team, good)
    approve(team, substitute)
    assert labels(reviewed_pairs(team)) == [("SUPPORT", "SUPPORT")]


def test_a_substitute_alone_makes_no_pair_of_judgements(clock: Traveller) -> None:
    team = make_team(name="Single")
    pair = pair_of(team)
    rejected(team, judged(pair, team.admin, CONTRADICT))
    judged(pair, team.other_annotator, SUPPORT)
    assert first_pairs(team) == []


def test_a_substitute_stays_one_when_the_project_asks_for_more(
    clock: Traveller,
) -> None:
    team = make_team(name="Single")
    pair = pair_of(team)
    rejected(team, judged(pair, team.admin, CONTRADICT))
    judged(pair, team.other_annotator, SUPPORT)
    assert first_pairs(asking_for(team, 2)) == []


def test_a_rejected_answer_counts_when_the_project_asks_for_fewer(team: Team) -> None:
    pair = twice(team, SUPPORT, CONTRADICT)
    rejected(asking_for(team, 1), pair.judgements.get(slot=1))
    assert labels(first_pairs(team)) == [("SUPPORT", "CONTRADICT")]


def test_a_substitute_is_not_listed_among_the_answers_as_first_submitted(
    team: Team,
) -> None:
    pair = twice(team, CONTRADICT, SUPPORT)
    rejected(team, pair.judgements.get(slot=0))
    judged(pair, team.annotator, SUPPORT)
    report = agreement_of(team.project, EVERYTHING)
    (row,) = selectors.disagreement_page(report, None, "").rows
    assert [label for _, label, _ in row.answers] == ["CONTRADICT", "SUPPORT"]


@pytest.mark.parametrize("after", ["", "x", "-1", "9" * 5000])
def test_a_page_of_disagreements_begins_at_the_front_for_what_is_no_key(
    team: Team, after: str
) -> None:
    twice(team, CONTRADICT, SUPPORT)
    report = agreement_of(team.project, EVERYTHING)
    assert len(selectors.disagreement_page(report, None, after).rows) == 1


def test_a_pair_that_is_judged_while_the_report_is_made_comes_next_time(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    twice(team, SUPPORT, SUPPORT)
    monkeypatch.setattr(RatedPairs, "_sentence_counts", lambda _: {})
    assert first_pairs(team) == []


def test_a_pair_keeps_counting_when_the_project_asks_for_fewer(team: Team) -> None:
    twice(team, SUPPORT, SUPPORT)
    assert len(first_pairs(asking_for(team, 1))) == 1


def test_imported_gold_retired_and_foreign_pairs_do_not_count(team: Team) -> None:
    gold = pair_of(team)
    judged(gold, team.admin)
    JudgementFactory(
        pair=gold, origin=Judgement.Origin.IMPORT, annotator=None, slot=None
    )
    retired = twice(team, SUPPORT, SUPPORT)
    retire_claim(claim=retired.claim, actor=team.admin, reason="Doubtful.")
    foreign = asking_for(make_team(name="Other"), 2)
    twice(foreign, SUPPORT, SUPPORT)
    assert first_pairs(team) == []
    assert len(first_pairs(foreign)) == 1


def test_filters_narrow_both_columns(team: Team, clock: Traveller) -> None:
    early = twice(team, SUPPORT, SUPPORT)
    for judgement in early.judgements.all():
        approve(team, judgement)
    clock.shift(timedelta(days=8))
    pooled = twice(team, SUPPORT, CONTRADICT, origin=Pair.Origin.POOLED)
    later = Wanted(since=date(2026, 12, 8))
    for wanted, expected in (
        (EVERYTHING, [early.pk, pooled.pk]),
        (later, [pooled.pk]),
        (Wanted(until=date(2026, 12, 7)), [early.pk]),
        (Wanted(origin="pooled"), [pooled.pk]),
        (Wanted(annotator=team.admin.pk), [early.pk, pooled.pk]),
        (Wanted(annotator=team.annotator.pk), []),
    ):
        assert [rated.pair for rated in first_pairs(team, wanted)] == expected
    assert agreement_of(team.project, EVERYTHING).after[Part.LABELS].n_items == 1
    assert agreement_of(team.project, later).after[Part.LABELS].n_items == 0


# --- the report ---


def kappa(report: Report, part: Part = Part.LABELS) -> float | None:
    return report.first[part].by_measure[Measure.COHEN].coefficient.value


def four_pairs(team: Team) -> list[Pair]:
    """Labels (S, S), (S, C), (C, C), (S, N): two of four are equal."""
    return [
        twice(team, SUPPORT, SUPPORT),
        twice(team, SUPPORT, CONTRADICT),
        twice(team, CONTRADICT, CONTRADICT),
        twice(team, SUPPORT, NOT_ENOUGH_INFO),
    ]


def test_the_figures_are_those_computed_by_hand(team: Team) -> None:
    four_pairs(team)
    report = agreement_of(team.project, EVERYTHING)
    # Chance: 3/4 * 1/4 for S, 1/4 * 2/4 for C, 0 for N: 5/16. (1/2 - 5/16) / (11/16).
    assert kappa(report) == pytest.approx(3 / 11)
    # Three sentences each, {2} for S, {0, 2} for C and none for N.
    # Both 4, first only 1, second only 1, neither 6 of 12: po 10/12, pe (25 + 49)/144.
    assert kappa(report, Part.SENTENCES) == pytest.approx((120 - 74) / (144 - 74))
    assert report.first[Part.EVIDENCE_SENTENCES].n_items == 9
    assert [kind for _, kind in report.disagreeing] == [Kind.LABEL, Kind.LABEL]


def test_a_report_is_kept_until_something_happens(
    team: Team, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first, *_ = four_pairs(team)
    before = agreement_of(team.project, EVERYTHING)
    with django_assert_num_queries(2):
        assert agreement_of(team.project, EVERYTHING) == before
    assert agreement_of(team.project, Wanted(origin="pooled")).n_pairs == 0
    for judgement in first.judgements.all():
        approve(team, judgement)
    assert agreement_of(team.project, EVERYTHING).after[Part.LABELS].n_items == 1
    twice(team, SUPPORT, SUPPORT)
    assert agreement_of(team.project, EVERYTHING).n_pairs == 5


def test_a_change_that_commits_after_a_later_one_is_seen(team: Team) -> None:
    """On PostgreSQL, an event with a smaller key can appear after one with a larger."""
    pair = twice(team, SUPPORT, SUPPORT)
    for judgement in pair.judgements.all():
        approve(team, judgement)
    late = Event.objects.filter(noun="judgement").latest("pk")
    late.delete()
    judgements = Judgement.objects.filter(pk=late.object_id)
    judgements.update(state="submitted")
    Event.objects.create(
        noun="judgement",
        object_id=late.object_id,
        verb="flag",
        project_id=team.project.pk,
    )
    assert agreement_of(team.project, EVERYTHING).after[Part.LABELS].n_items == 0
    judgements.update(state="approved")
    late.pk = -1  # smaller than any
    late.save(force_insert=True)
    assert agreement_of(team.project, EVERYTHING).after[Part.LABELS].n_items == 1


def test_the_number_of_queries_depends_on_nothing(team: Team) -> None:
    def queries() -> int:
        cache.clear()
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert browser(team.admin).get(url(team)).status_code == 200
        return len(found)

    four_pairs(team)
    few = queries()
    for _ in range(3):
        four_pairs(team)
    third = UserFactory()
    pair = pair_of(team)
    judged(pair, team.reviewer, SUPPORT)
    judged(pair, third, CONTRADICT)
    assert queries() == few


def test_a_column_on_few_abstracts_is_warned_of_beside_one_on_many(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement_figures, "FEW_CLUSTERS", 2)
    first, _ = twice(team, SUPPORT, SUPPORT), twice(team, SUPPORT, CONTRADICT)
    assert few_words(agreement_of(team.project, EVERYTHING)) == ""
    for judgement in first.judgements.all():
        approve(team, judgement)
    words = few_words(agreement_of(team.project, EVERYTHING))
    assert words.startswith("Some of this rests on few abstracts")


# --- the page ---


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def url(team: Team, name: str = "agreement") -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug])


def page(team: Team, **data: Any) -> str:
    response = browser(team.admin).get(url(team), data)
    assert response.status_code == 200
    return " ".join(response.content.decode().replace("\u202f", " ").split())


def test_the_page_says_what_to_do_while_nothing_is_judged_twice(team: Team) -> None:
    text = page(team)
    assert "No pair has two judgements yet" in text
    assert reverse("annotation:project_settings", args=[team.project.slug]) in text
    assert "Figures" not in text


def test_the_page_shows_figures_matrices_and_disagreements(team: Team) -> None:
    pairs = four_pairs(team)
    text = page(team)
    assert "<strong>4</strong> pairs with two or more judgements" in text
    assert "0.273" in text  # 3 / 11
    assert "All of this rests on 4 abstracts" in text
    assert 'Pairs on which people disagree <span class="muted">(2)</span>' in text
    for judgement in pairs[1].judgements.all():
        here = reverse("annotation:judgement", args=[team.project.slug, judgement.pk])
        assert here in text
    assert pairs[1].claim.text in text
    assert pairs[0].claim.text not in text
    assert "2026-W49" in text


def test_an_undefined_value_says_why_in_the_words_of_the_project(team: Team) -> None:
    twice(team, SUPPORT, SUPPORT)
    twice(team, SUPPORT, SUPPORT)
    text = page(team)
    assert "Only SUPPORTS was chosen" in text
    assert "undefined" in text
    assert " nan" not in text


def test_a_filter_without_a_pair_says_so(team: Team) -> None:
    four_pairs(team)
    text = page(team, origin="pooled")
    assert "No pair with two judgements fits this filter" in text
    text = page(team, since="nonsense")
    assert "was not understood" in text
    assert "<strong>4</strong> pairs" in text


def test_disagreements_come_in_pages_by_key(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "PAGE_SIZE", 2)
    pairs = [twice(team, SUPPORT, CONTRADICT) for _ in range(3)]
    same_label = Answer(Label.SUPPORT, (Rationale((0,)),))
    pairs.append(twice(team, SUPPORT, same_label))
    report = agreement_of(team.project, EVERYTHING)
    first = selectors.disagreement_page(report, None, "")
    assert [row.pair.pk for row in first.rows] == [pairs[0].pk, pairs[1].pk]
    second = selectors.disagreement_page(report, None, first.next_after)
    assert [row.pair.pk for row in second.rows] == [pairs[2].pk, pairs[3].pk]
    assert second.next_after == ""
    (row,) = selectors.disagreement_page(report, Kind.SENTENCES, "x").rows
    assert row.pair == pairs[3]
    assert [(label, words) for _, label, words in row.answers] == [
        ("SUPPORT", "3"),
        ("SUPPORT", "1"),
    ]
    text = page(team)
    assert f"after={pairs[1].pk}#disagreements" in text
    assert pairs[3].claim.text in page(team, kind="sentences")
    assert pairs[0].claim.text not in page(team, kind="sentences")


# --- the tables ---


def table(team: Team, name: str, **data: Any) -> list[dict[str, str]]:
    response = browser(team.admin).get(url(team, name), data)
    assert response["Content-Type"].startswith("text/csv")
    body = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(body)))


def test_the_tables_have_every_rating_behind_the_figures(team: Team) -> None:
    pairs = four_pairs(team)
    for judgement in pairs[0].judgements.all():
        approve(team, judgement)
    rows = table(team, "agreement_labels_csv")
    first = [row for row in rows if row["answers"] == "as first submitted"]
    assert len(first) == 8
    assert len(rows) == 10
    assert {**first[2], "submitted_at": ""} == {
        "answers": "as first submitted",
        "pair": str(pairs[1].pk),
        "claim": pairs[1].claim.external_id,
        "abstract": pairs[1].document.external_id,
        "origin": "cited",
        "order": "1",
        "annotator": str(team.other_annotator),
        "submitted_at": "",
        "label": "SUPPORT",
        "suggestion_arm": "none",
        "suggestion_shown": "0",
        "suggestion_taken": "none",
    }
    sentences = table(team, "agreement_sentences_csv")
    assert len(sentences) == 30
    chosen = [r for r in sentences if r["pair"] == str(pairs[1].pk)]
    assert [(r["order"], r["sentence"], r["in_a_rationale"]) for r in chosen] == [
        ("1", "0", "0"),
        ("1", "1", "0"),
        ("1", "2", "1"),
        ("2", "0", "1"),
        ("2", "1", "0"),
        ("2", "2", "1"),
    ]


def test_the_tables_follow_the_filter(team: Team) -> None:
    four_pairs(team)
    pooled = twice(team, SUPPORT, SUPPORT, origin=Pair.Origin.POOLED)
    rows = table(team, "agreement_labels_csv", origin="pooled")
    assert {row["pair"] for row in rows} == {str(pooled.pk)}


def test_the_figures_can_leave_out_pairs_with_a_suggestion(team: Team) -> None:
    with_one, without = twice(team, SUPPORT, SUPPORT), twice(team, SUPPORT, SUPPORT)
    with_one.judgements.filter(slot=0).update(suggestion_shown=True)
    for wanted, pair in (("yes", with_one), ("no", without)):
        rows = table(team, "agreement_labels_csv", suggestion=wanted)
        assert {row["pair"] for row in rows} == {str(pair.pk)}
    assert len(table(team, "agreement_labels_csv", suggestion="nonsense")) == 4


def test_no_cell_starts_a_formula(team: Team) -> None:
    User.objects.filter(pk=team.admin.pk).update(first_name="=1+1", last_name="")
    twice(team, SUPPORT, SUPPORT)
    _, second = table(team, "agreement_labels_csv")
    assert second["annotator"].startswith("'=1+1")
