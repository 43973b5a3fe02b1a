"""Ties with first place, against probabilities by hand and against scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from corpus.job_runner import execute_job
from corpus.models import Job
from tests.factories import UserFactory
from tests.verification.board import (
    gold_lines,
    make_benchmark,
    make_gold_set,
    make_phase,
    predictions,
    published,
    upload,
)
from verification.models import Comparison, Phase, Submission
from verification.services.submissions import publish, withdraw

pytestmark = pytest.mark.django_db
N = 60


@pytest.fixture
def phase() -> Phase:
    """A phase with sixty claims, every third without evidence."""
    benchmark = make_benchmark()
    organiser = benchmark.organisers.get()
    gold_set = make_gold_set(organiser, is_hidden=False, lines=gold_lines(N))
    return make_phase(benchmark, gold_set=gold_set)


def _entry(phase: Phase, right: int) -> Submission:
    return published(upload(phase, UserFactory(), predictions(right, N)))


def _compare() -> None:
    """Do the comparing that waits, as a worker would."""
    for job in Job.objects.filter(kind="compare_entries", state="queued"):
        execute_job(job.pk)
        job.refresh_from_db()
        assert job.state == "done", job.error


def test_what_misses_few_claims_is_tied_as_calculated_by_hand(phase: Phase) -> None:
    """First place is right everywhere, the others miss 3 and 4 claims with evidence.

    The difference is above 0 unless none of the k missed claims is drawn, which has
    the probability (1 - k/60)^60: 0.046 for 3 and 0.016 for 4. The p-value is twice
    that.
    """
    first, three, four = (_entry(phase, right) for right in (60, 55, 54))
    assert Comparison.objects.count() == 0
    _compare()
    found = {c.second.submission_id: c for c in Comparison.objects.all()}
    assert set(found) == {three.pk, four.pk}
    assert {c.first.submission_id for c in found.values()} == {first.pk}
    for entry, missed, is_tie in ((three, 3, True), (four, 4, False)):
        expected = 2 * (1 - missed / N) ** N
        assert found[entry.pk].p_value == pytest.approx(expected, abs=0.01)
        assert found[entry.pk].is_tie is is_tie
        assert found[entry.pk].observed > 0


def test_the_interval_of_the_difference_is_that_of_scipy(phase: Phase) -> None:
    _entry(phase, 60)
    _entry(phase, 40)
    _compare()
    comparison = Comparison.objects.get()
    has_evidence = np.array([number % 3 != 2 for number in range(N)], dtype=float)
    answered = has_evidence * (np.arange(N) < 40)

    def difference(relevant: Any, found: Any, axis: int = -1) -> Any:
        # F1 of a right answer to every claim is 1; precision is 1 in both.
        recall = found.sum(axis=axis) / relevant.sum(axis=axis)
        return 1 - 2 * recall / (1 + recall)

    expected = stats.bootstrap(
        (has_evidence, answered),
        difference,
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert comparison.observed == pytest.approx(difference(has_evidence, answered))
    assert comparison.low == pytest.approx(expected.low, abs=0.01)
    assert comparison.high == pytest.approx(expected.high, abs=0.01)


def test_equal_entries_are_tied_and_the_first_scored_stands_first(phase: Phase) -> None:
    first, second = _entry(phase, 50), _entry(phase, 50)
    _compare()
    comparison = Comparison.objects.get()
    assert comparison.first.submission == first
    assert comparison.second.submission == second
    assert (comparison.p_value, comparison.observed) == (1.0, 0.0)


def test_nothing_is_compared_twice_and_a_new_first_place_with_all(phase: Phase) -> None:
    first, second, third = (_entry(phase, right) for right in (58, 50, 40))
    _compare()
    kept = set(Comparison.objects.values_list("pk", flat=True))
    publish(submission=second, actor=second.submitter, is_anonymous=True)
    _compare()
    assert set(Comparison.objects.values_list("pk", flat=True)) == kept
    withdraw(submission=first, actor=first.submitter)
    _compare()
    new = Comparison.objects.exclude(pk__in=kept).get()
    assert new.first.submission_id == second.pk
    assert new.second.submission_id == third.pk


def test_scores_that_cannot_be_had_again_are_not_compared(phase: Phase) -> None:
    _entry(phase, 60)
    old, other_gold, best = (_entry(phase, right) for right in (50, 40, 30))
    old.scores.update(scorer_version="0.9")
    other_gold.scores.update(gold_sha256="f" * 64)
    _compare()
    assert Comparison.objects.get().second.submission_id == best.pk
    Comparison.objects.all().delete()
    best.scores.update(scorer_version="0.9", primary=1.5)
    publish(submission=best, actor=best.submitter, is_anonymous=False)
    _compare()
    assert Comparison.objects.count() == 0


def test_baselines_are_compared_and_never_first(phase: Phase) -> None:
    oracle, first = _entry(phase, 60), _entry(phase, 50)
    Submission.objects.filter(pk=oracle.pk).update(is_baseline=True)
    _compare()
    comparison = Comparison.objects.get()
    assert comparison.first.submission_id == first.pk
    assert comparison.observed < 0
