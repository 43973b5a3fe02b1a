"""Scoring again: once, beside the old score, and only where it makes a difference."""

from __future__ import annotations

import pytest

from corpus.exceptions import DomainError
from corpus.job_runner import execute_job
from corpus.models import Event, Job, User
from tests.factories import UserFactory
from tests.verification.board import make_phase, scored, upload
from verification.models import Phase, Score, Submission
from verification.services import rescoring
from verification.services import scoring as scoring_service
from verification.services.rescoring import start_scoring_again, to_score_again

pytestmark = pytest.mark.django_db


@pytest.fixture
def phase() -> Phase:
    """A phase with two scored submissions and one that was only checked."""
    made = make_phase()
    for _ in range(2):
        scored(upload(made, UserFactory()))
    upload(made, UserFactory())
    return made


@pytest.fixture
def _newer_scorer(monkeypatch: pytest.MonkeyPatch, phase: Phase) -> None:
    """The scorer of this site has become another version."""
    for module in (rescoring, scoring_service):
        monkeypatch.setattr(module, "VERSION", "9.9")


def _organiser(phase: Phase) -> User:
    return phase.benchmark.organisers.get()


def test_nothing_is_scored_again_by_the_same_scorer(phase: Phase) -> None:
    assert not to_score_again(phase).exists()
    with pytest.raises(DomainError, match="already"):
        start_scoring_again(phase=phase, organiser=_organiser(phase))


@pytest.mark.usefixtures("_newer_scorer")
def test_the_new_score_stands_beside_the_old_one(phase: Phase) -> None:
    before = list(Score.objects.order_by("pk").values())
    job = start_scoring_again(phase=phase, organiser=_organiser(phase))
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert job.result["counts"] == {"scored again": 2, "not scored": 0}
    assert job.result["redirect"].endswith("/phases/1/submissions/")
    assert list(Score.objects.order_by("pk").values())[:2] == before
    for submission in Submission.objects.filter(state="scored"):
        versions = submission.scores.order_by("pk").values_list("scorer_version")
        assert [version for (version,) in versions] == ["1.0", "9.9"]
    assert not to_score_again(phase).exists()
    again = Event.objects.filter(verb="score_again").order_by("pk")
    assert [event.noun for event in again] == ["phase", "submission", "submission"]


@pytest.mark.usefixtures("_newer_scorer")
def test_a_second_wish_is_the_first_while_it_goes_on(phase: Phase) -> None:
    organiser = _organiser(phase)
    job = start_scoring_again(phase=phase, organiser=organiser)
    assert start_scoring_again(phase=phase, organiser=organiser) == job
    other = UserFactory()
    phase.benchmark.organisers.add(other)
    with pytest.raises(DomainError, match="goes on now"):
        start_scoring_again(phase=phase, organiser=other)
    assert Event.objects.filter(noun="phase", verb="score_again").count() == 1


@pytest.mark.usefixtures("_newer_scorer")
def test_a_job_that_is_taken_up_again_scores_only_the_rest(phase: Phase) -> None:
    first = to_score_again(phase).earliest("pk")
    outcome = scoring_service.outcome_of(scoring_service.load_submission(first.pk))
    nothing = scoring_service.Breakdown()
    scoring_service.keep_score(submission=first, outcome=outcome, breakdown=nothing)
    job = start_scoring_again(phase=phase, organiser=_organiser(phase))
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.result["counts"] == {"scored again": 1, "not scored": 0}
    assert Score.objects.filter(scorer_version="9.9").count() == 2


@pytest.mark.usefixtures("_newer_scorer")
def test_what_was_kept_meanwhile_is_kept_once(phase: Phase) -> None:
    submission = scoring_service.load_submission(to_score_again(phase)[0].pk)
    outcome = scoring_service.outcome_of(submission)
    for _ in range(2):
        rescoring._keep_beside(submission, outcome, scoring_service.Breakdown())
    assert submission.scores.filter(scorer_version="9.9").count() == 1
