"""From the upload to the score, the quota, and what goes wrong on the way."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, Job
from tests.factories import UserFactory
from tests.verification.board import (
    gold_lines,
    make_benchmark,
    make_gold_set,
    make_phase,
    predictions,
    scored,
    submit_now,
    upload,
)
from verification.models import QuotaSlot, Score, Team
from verification.scoring.service import score as score_predictions
from verification.services.quota import QuotaExhaustedError
from verification.services.scoring import (
    breakdown_of,
    fail_abandoned_submissions,
    keep_score,
    request_of,
)
from verification.services.submissions import disqualify, publish, withdraw

pytestmark = pytest.mark.django_db
Callbacks = DjangoCaptureOnCommitCallbacks


def test_a_right_answer_scores_one(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase = make_phase()
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(phase, UserFactory())
    with django_capture_on_commit_callbacks(execute=True):
        submit_now(submission)
    submission.refresh_from_db()
    score = submission.scores.get()
    assert submission.state == "scored"
    assert score.primary == 1.0
    assert score.n_claims == 12
    assert score.intervals["abstract_rationalized_f1"]["low"] == 1.0
    assert score.signature.startswith("task:scifact_pipeline|profile:leaderboard|")
    assert submission.quota_slots.count() == 1


def test_half_the_answers_score_as_calculated_by_hand(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    """Six of twelve claims are answered: four of their abstracts are evidence.

    Eight gold abstracts: precision 4/4, recall 4/8, F1 2/3.
    """
    phase = make_phase()
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(phase, UserFactory(), predictions(right=6))
    with django_capture_on_commit_callbacks(execute=True):
        submit_now(submission)
    metrics = submission.scores.get().metrics
    assert metrics["abstract_rationalized_precision"] == 1.0
    assert metrics["abstract_rationalized_recall"] == 0.5
    assert metrics["abstract_rationalized_f1"] == pytest.approx(2 / 3)


def test_a_dry_run_says_everything_and_takes_nothing_of_the_quota(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    lines = predictions()[:-1]
    lines[0]["evidence"] = {"1": {"sentences": ["0"], "label": "MAYBE"}}
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(make_phase(), UserFactory(), lines)
    submission.refresh_from_db()
    assert submission.state == "invalid"
    assert submission.n_errors == 3
    assert {error["line"] for error in submission.errors} == {1, None}
    assert QuotaSlot.objects.count() == 0
    with pytest.raises(StaleStateError):
        submit_now(submission)
    assert QuotaSlot.objects.count() == 0


def test_the_quota_of_a_person_and_of_a_team(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase = make_phase(daily_per_person=3, daily_per_team=1, total_per_team=5)
    one, other = UserFactory(), UserFactory()
    team = Team.objects.create(name="Mossy")
    team.members.add(one, other)
    with django_capture_on_commit_callbacks(execute=True):
        first = upload(phase, one, team=team)
        second = upload(phase, other, team=team)
        alone = upload(phase, other)
    submit_now(first)
    with pytest.raises(
        QuotaExhaustedError, match=r"The team “Mossy” has no"
    ) as refused:
        submit_now(second)
    assert refused.value.free_at is not None
    submit_now(alone)
    assert sorted(QuotaSlot.objects.values_list("holder", flat=True)) == sorted(
        [f"person:{one.pk}", f"team:{team.pk}", f"team:{team.pk}", f"person:{other.pk}"]
    )


def test_a_new_day_begins_at_midnight_utc(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase = make_phase(daily_per_person=1, closes_in=timedelta(days=9))
    person = UserFactory()
    with django_capture_on_commit_callbacks(execute=True):
        uploads = [upload(phase, person) for _ in range(3)]
    submit_now(uploads[0])
    with pytest.raises(QuotaExhaustedError):
        submit_now(uploads[1])
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        submit_now(uploads[2])


def test_hidden_gold_has_ten_submissions_in_all() -> None:
    phase = make_phase(shows="overall")
    assert (phase.total_per_person, phase.total_per_team) == (10, 10)


def test_submitting_twice_changes_nothing(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(make_phase(), UserFactory())
    submit_now(submission)
    submit_now(submission)
    assert QuotaSlot.objects.count() == 1
    assert Job.objects.filter(kind="score_submission").count() == 1


def test_a_phase_that_is_closed_takes_nothing() -> None:
    phase = make_phase(closes_in=timedelta(minutes=1))
    with (
        time_machine.travel(timezone.now() + timedelta(minutes=2)),
        pytest.raises(DomainError, match="It closed at"),
    ):
        upload(phase, UserFactory())
    with (
        time_machine.travel(timezone.now() - timedelta(days=2)),
        pytest.raises(DomainError, match="It opens at"),
    ):
        upload(phase, UserFactory())


def test_uploads_have_a_limit_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verification.services.submissions.UPLOADS_A_DAY", 2)
    phase, other = make_phase(), make_phase(make_benchmark(name="Ferns"))
    person = UserFactory()
    upload(phase, person)
    upload(other, person)
    with pytest.raises(QuotaExhaustedError, match="uploaded 2 files") as refused:
        upload(phase, person)
    assert refused.value.free_at is not None
    upload(phase, UserFactory())
    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        upload(phase, person)


def test_only_members_submit_for_a_team() -> None:
    team = Team.objects.create(name="Mossy")
    with pytest.raises(DomainError, match="not a member"):
        upload(make_phase(), UserFactory(), team=team)


@pytest.mark.parametrize("how", ["failed", "cancelled", "hangs"])
def test_what_nobody_works_on_is_failed_and_the_quota_given_back(
    how: str, django_capture_on_commit_callbacks: Callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(make_phase(), UserFactory())
    submission = submit_now(submission)
    assert submission.job is not None
    job = Job.objects.filter(pk=submission.job.pk)
    if how != "hangs":
        job.update(state=how, error="Out of memory." if how == "failed" else "")
    else:
        long_ago = timezone.now() - timedelta(minutes=11)
        job.update(state="running", lease_owner="w", started_at=long_ago)
    assert fail_abandoned_submissions() == 1
    assert fail_abandoned_submissions() == 0
    submission.refresh_from_db()
    assert submission.state == "failed"
    assert "given back" in submission.failure
    assert ("our fault" in submission.failure) == (how != "cancelled")
    assert QuotaSlot.objects.count() == 0
    assert job.get().state == ("cancelled" if how == "cancelled" else "failed")


def test_what_is_still_worked_on_is_left_alone(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(make_phase(), UserFactory())
    submit_now(submission)
    assert fail_abandoned_submissions() == 0


def test_one_score_for_each_version_of_the_scorer(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(make_phase(), UserFactory())
    with django_capture_on_commit_callbacks(execute=True):
        submit_now(submission)
    submission.refresh_from_db()
    request = request_of(submission, with_gold=True)
    outcome = score_predictions("scifact_pipeline", request)
    breakdown = breakdown_of(submission=submission, outcome=outcome)
    with pytest.raises(IntegrityError), transaction.atomic():
        keep_score(submission=submission, outcome=outcome, breakdown=breakdown)
    assert Score.objects.count() == 1


def test_slices_are_kept_with_the_score_as_calculated_by_hand() -> None:
    """60 claims, 30 of them answered: of each kind of 20 claims, 10.

    Precision 10/10 and recall 10/20 give F1 2/3; claims without evidence have
    nothing to find, which counts 0.
    """
    benchmark = make_benchmark()
    gold_set = make_gold_set(
        benchmark.organisers.get(), is_hidden=False, lines=gold_lines(60)
    )
    phase = make_phase(benchmark, gold_set=gold_set)
    lines = predictions(right=30, n_claims=60)
    lines[2]["evidence"] = {
        "1": {"sentences": [], "label": "SUPPORT"},
        "9": {"sentences": [0], "label": "SUPPORT"},
    }
    score = scored(upload(phase, UserFactory(), lines)).scores.get()
    assert {name: part["n_claims"] for name, part in score.slices.items()} == {
        "label:SUPPORT": 20,
        "label:CONTRADICT": 20,
        "label:NOT_ENOUGH_INFO": 20,
        "rationale sentences:2": 40,
    }
    f1 = {
        name: part["metrics"]["abstract_rationalized_f1"]
        for name, part in score.slices.items()
    }
    assert f1["label:SUPPORT"] == pytest.approx(2 / 3)
    assert f1["rationale sentences:2"] == pytest.approx(2 / 3)
    assert f1["label:NOT_ENOUGH_INFO"] == 0
    # Twenty right abstracts, one that is cited, and document 9, which is not.
    assert (score.predicted_abstracts, score.unjudged_abstracts) == (22, 1)


def test_where_an_entry_stands(django_capture_on_commit_callbacks: Callbacks) -> None:
    phase = make_phase()
    organiser = phase.benchmark.organisers.get()
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(phase, UserFactory())
    person = submission.submitter
    with pytest.raises(DomainError, match="Only a scored"):
        publish(submission=submission, actor=person, is_anonymous=True)
    with django_capture_on_commit_callbacks(execute=True):
        submit_now(submission)
    publish(submission=submission, actor=person, is_anonymous=True)
    publish(submission=submission, actor=person, is_anonymous=False)
    withdraw(submission=submission, actor=person)
    with pytest.raises(StaleStateError):
        publish(submission=submission, actor=person, is_anonymous=False)
    with pytest.raises(DomainError, match="Say why"):
        disqualify(submission=submission, organiser=organiser, reason=" ")
    disqualify(submission=submission, organiser=organiser, reason="Trained on it.")
    submission.refresh_from_db()
    assert (submission.standing, submission.reason) == (
        "disqualified",
        "Trained on it.",
    )
    verbs = Event.objects.filter(noun="submission", object_id=submission.pk)
    assert list(verbs.order_by("id").values_list("verb", flat=True)) == [
        "receive",
        "submit",
        "queue",
        "begin_scoring",
        "score",
        "publish",
        "publish",
        "withdraw",
        "disqualify",
    ]


def test_a_private_entry_that_is_disqualified_stays_private() -> None:
    """Nobody knew of it; the board would be the first to tell."""
    entry = scored(upload(make_phase(), UserFactory()))
    organiser = entry.phase.benchmark.organisers.get()
    disqualify(submission=entry, organiser=organiser, reason="Copied.")
    entry.refresh_from_db()
    assert (entry.standing, entry.reason) == ("private", "Copied.")
    with pytest.raises(StaleStateError, match="is disqualified"):
        publish(submission=entry, actor=entry.submitter, is_anonymous=False)
    with pytest.raises(StaleStateError, match="is disqualified"):
        disqualify(submission=entry, organiser=organiser, reason="Once more.")


def test_what_is_wrong_with_the_gold_is_not_told(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    """A gold document that the corpus lacks is a warning of the scorer's."""
    benchmark = make_benchmark()
    organiser = benchmark.organisers.get()
    lines = [
        {
            "id": 1,
            "claim": "Moss is soft.",
            "evidence": {"77": [{"sentences": [0], "label": "SUPPORT"}]},
            "cited_doc_ids": [77],
        }
    ]
    gold_set = make_gold_set(organiser, lines=lines)
    phase = make_phase(benchmark, shows="overall", gold_set=gold_set)
    with django_capture_on_commit_callbacks(execute=True):
        submission = upload(phase, UserFactory(), [{"id": 1, "evidence": {}}])
    with django_capture_on_commit_callbacks(execute=True):
        submit_now(submission)
    submission.refresh_from_db()
    assert submission.state == "scored"
    assert submission.warnings == []
