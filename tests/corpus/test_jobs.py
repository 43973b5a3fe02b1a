"""Jobs end in exactly one way, and only their present worker can end them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db import OperationalError
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from corpus import live
from corpus.job_runner import (
    INTERRUPTED,
    MAX_ATTEMPTS,
    TOO_LONG,
    JobRun,
    LeaseLostError,
    claim_job,
    execute_job,
)
from corpus.jobs import cancel_job, job_progress, start_job, workers_alive
from corpus.models import Corpus, Job, User
from corpus.tasks import requeue_stalled_jobs, run_job
from tests.corpus.conftest import StartJob

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


def reload(job: Job) -> Job:
    job.refresh_from_db()
    return job


def make_stalled(job: Job) -> None:
    """Let time pass without a sign of the job's worker."""
    live.forget_job(job.pk)
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(lease_expires_at=past)


def test_a_job_is_queued_when_the_transaction_commits(
    start: StartJob,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = start("count")
        assert reload(job).state == Job.State.QUEUED
    assert reload(job).state == Job.State.DONE


def test_a_kind_without_handler_is_refused_at_once(owner: User) -> None:
    with pytest.raises(KeyError):
        start_job(kind="unknown", owner=owner, payload={})
    assert not Job.objects.exists()


def test_a_done_job_has_its_result_and_its_effect_once(
    start: StartJob, counter: Corpus
) -> None:
    job = start("count")
    execute_job(job.pk)
    execute_job(job.pk)
    counter.refresh_from_db()
    assert counter.version == 1
    assert reload(job).state == Job.State.DONE
    assert job.result == {"counts": {"counted": 1}}
    assert (job.attempts, job.progress_done, job.progress_total) == (1, 1, 2)
    assert job.finished_at is not None


def test_a_refusal_is_shown_in_its_own_words(start: StartJob) -> None:
    job = start("refuse")
    execute_job(job.pk)
    assert (reload(job).state, job.error) == (Job.State.FAILED, "Line 3 has no id.")


def test_a_bug_is_ours_and_is_found_in_the_log_by_the_job_s_token(
    start: StartJob, counter: Corpus, caplog: pytest.LogCaptureFixture
) -> None:
    job = start("count_then_fail")
    with pytest.raises(RuntimeError, match="a bug"):
        execute_job(job.pk)
    assert reload(job).state == Job.State.FAILED
    assert job.error.startswith("This is our fault")
    assert job.token in job.error
    assert job.token in caplog.text
    counter.refresh_from_db()
    assert counter.version == 0


def test_a_job_over_the_time_limit_says_so(
    start: StartJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Celery raises this in the handler; no test waits for an hour.
    def too_long(run: JobRun) -> None:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr("tests.corpus.job_handlers.fail", too_long)
    job = start("fail")
    execute_job(job.pk)
    assert (reload(job).state, job.error) == (Job.State.FAILED, TOO_LONG)


def test_a_job_whose_database_is_gone_is_taken_up_again(
    start: StartJob, monkeypatch: pytest.MonkeyPatch, counter: Corpus
) -> None:
    def locked(run: JobRun) -> None:
        raise OperationalError("database is locked")

    job = start("count")
    with monkeypatch.context() as patch:
        patch.setattr("tests.corpus.job_handlers.count", locked)
        execute_job(job.pk)
    assert reload(job).state == Job.State.RUNNING
    make_stalled(job)
    requeue_stalled_jobs()
    counter.refresh_from_db()
    assert (reload(job).state, counter.version) == (Job.State.DONE, 1)


def test_what_no_database_stores_is_replaced_in_results(start: StartJob) -> None:
    job = start("quote")
    execute_job(job.pk)
    assert reload(job).result == {"problems": [{"value": "a\ufffdb\ufffdc\U0001f692"}]}


class TestClaim:
    def test_only_the_first_of_two_workers_gets_a_job(self, start: StartJob) -> None:
        job = start("count")
        first = claim_job(job.pk)
        assert first is not None
        assert first.attempts == 1
        assert claim_job(job.pk) is None

    def test_a_job_is_safe_while_its_worker_gives_signs_of_life(
        self, start: StartJob
    ) -> None:
        job = start("count")
        claim_job(job.pk)
        make_stalled(job)
        live.beat(job.pk)
        assert claim_job(job.pk) is None
        requeue_stalled_jobs()
        assert reload(job).state == Job.State.RUNNING

    def test_a_job_is_safe_while_its_lease_runs(self, start: StartJob) -> None:
        job = start("count")
        claim_job(job.pk)
        live.forget_job(job.pk)
        assert claim_job(job.pk) is None
        requeue_stalled_jobs()
        assert reload(job).state == Job.State.RUNNING

    def test_the_job_of_a_vanished_worker_can_be_claimed(self, start: StartJob) -> None:
        job = start("count")
        gone = claim_job(job.pk)
        make_stalled(job)
        second = claim_job(job.pk)
        assert gone is not None
        assert second is not None
        assert second.lease_owner != gone.lease_owner

    @pytest.mark.parametrize(
        "state", [Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED]
    )
    def test_an_ended_job_is_not_claimed(self, start: StartJob, state: str) -> None:
        job = start("count")
        Job.objects.filter(pk=job.pk).update(state=state)
        assert claim_job(job.pk) is None


class TestFence:
    """A worker that lost its job, by whatever way, can commit nothing."""

    def taken_over(self, job: Job) -> None:
        make_stalled(job)
        assert claim_job(job.pk) is not None

    def requeued(self, job: Job) -> None:
        Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED, lease_owner="")

    def done_by_another(self, job: Job) -> None:
        make_stalled(job)
        execute_job(job.pk)

    def write_too_late(self, run: JobRun, counter: Corpus) -> None:
        with run.commit():
            Corpus.objects.filter(pk=counter.pk).update(version=100)
            run.finish({"counts": {"wrong": 1}})

    @pytest.mark.parametrize("lose", ["taken_over", "requeued", "done_by_another"])
    def test_a_commit_without_the_lease_is_rolled_back(
        self, start: StartJob, counter: Corpus, lose: str
    ) -> None:
        claimed = claim_job(start("count").pk)
        assert claimed is not None
        run = JobRun(claimed)
        getattr(self, lose)(claimed)
        counter.refresh_from_db()
        before = counter.version
        with pytest.raises(LeaseLostError):
            self.write_too_late(run, counter)
        counter.refresh_from_db()
        assert counter.version == before
        assert "wrong" not in str(reload(claimed).result)
        assert not run.is_finished

    def test_a_commit_renews_the_lease(self, start: StartJob) -> None:
        claimed = claim_job(start("count").pk)
        assert claimed is not None
        Job.objects.filter(pk=claimed.pk).update(lease_expires_at=timezone.now())
        with JobRun(claimed).commit():
            pass
        lease = reload(claimed).lease_expires_at
        assert lease is not None
        assert lease > timezone.now() + timedelta(seconds=10)


class TestCancel:
    def test_a_waiting_job_ends_at_once(self, start: StartJob, counter: Corpus) -> None:
        job = start("count")
        cancel_job(job=job)
        assert reload(job).state == Job.State.CANCELLED
        execute_job(job.pk)
        counter.refresh_from_db()
        assert (reload(job).state, counter.version) == (Job.State.CANCELLED, 0)

    def test_a_running_job_stops_at_its_next_report(
        self, start: StartJob, counter: Corpus
    ) -> None:
        job = start("count")
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING)
        cancel_job(job=reload(job))
        assert job_progress(job).is_cancelling
        # A worker that takes it up after a crash meets the wish at its start.
        Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
        execute_job(job.pk)
        counter.refresh_from_db()
        assert (reload(job).state, counter.version) == (Job.State.CANCELLED, 0)

    def test_an_ended_job_stays_as_it_is(self, start: StartJob) -> None:
        job = start("count")
        execute_job(job.pk)
        cancel_job(job=reload(job))
        assert reload(job).state == Job.State.DONE
        assert not job_progress(job).is_cancelling


class TestWatchdog:
    def test_the_job_of_a_killed_worker_is_done_by_another(
        self, start: StartJob, counter: Corpus
    ) -> None:
        job = start("count")
        claim_job(job.pk)
        make_stalled(job)
        requeue_stalled_jobs()
        counter.refresh_from_db()
        assert (reload(job).state, job.attempts, counter.version) == ("done", 2, 1)

    def test_a_job_that_kills_its_workers_is_given_up(self, start: StartJob) -> None:
        job = start("count")
        for _ in range(MAX_ATTEMPTS):
            assert claim_job(job.pk) is not None
            make_stalled(job)
        assert claim_job(job.pk) is None
        requeue_stalled_jobs()
        assert (reload(job).state, job.error) == (Job.State.FAILED, INTERRUPTED)

    def test_a_lost_message_is_sent_again(self, start: StartJob) -> None:
        job = start("count")
        requeue_stalled_jobs()
        assert reload(job).state == Job.State.DONE

    def test_a_message_that_was_just_sent_is_not_doubled(self, start: StartJob) -> None:
        job = start("count")
        live.note_sent(job.pk)
        requeue_stalled_jobs()
        assert reload(job).state == Job.State.QUEUED

    def test_its_rounds_are_in_the_schedule_and_do_not_pile_up(
        self, settings: Settings
    ) -> None:
        entry = settings.CELERY_BEAT_SCHEDULE["requeue-stalled-jobs"]
        assert entry["task"] == requeue_stalled_jobs.name
        assert entry["options"]["expires"] <= entry["schedule"]


def test_without_a_broker_the_job_waits_and_nobody_sees_an_error(
    start: StartJob,
    counter: Corpus,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    def unreachable(*args: object, **options: object) -> None:
        raise BrokerError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(run_job, "apply_async", unreachable)
        with django_capture_on_commit_callbacks(execute=True):
            job = start("count")
    assert reload(job).state == Job.State.QUEUED
    live.forget_job(job.pk)
    requeue_stalled_jobs()
    assert reload(job).state == Job.State.DONE


def test_a_worker_is_known_by_its_pulse() -> None:
    assert not workers_alive()
    live.pulse()
    assert workers_alive()


class TestProgress:
    def test_what_the_worker_said_last_counts_while_it_runs(
        self, start: StartJob
    ) -> None:
        claimed = claim_job(start("count").pk)
        assert claimed is not None
        JobRun(claimed).report(3, 12, "reading")
        started = timezone.now() - timedelta(seconds=10)
        Job.objects.filter(pk=claimed.pk).update(started_at=started)
        progress = job_progress(Job.objects.get(pk=claimed.pk))
        assert (progress.done, progress.total, progress.phase) == (3, 12, "reading")
        # A quarter took ten seconds.
        assert progress.seconds_left == pytest.approx(30, abs=1)

    def test_without_a_cache_the_row_s_own_figures_are_shown(
        self, start: StartJob
    ) -> None:
        claimed = claim_job(start("count").pk)
        assert claimed is not None
        run = JobRun(claimed)
        run.report(3, 12, "reading")
        with run.commit():
            pass
        cache.clear()
        progress = job_progress(Job.objects.get(pk=claimed.pk))
        assert (progress.done, progress.total, progress.phase) == (3, 12, "reading")

    def test_frequent_reports_are_not_all_written(
        self, start: StartJob, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said: list[int] = []
        monkeypatch.setattr(live, "put_progress", lambda _, p: said.append(p.done))
        claimed = claim_job(start("count").pk)
        assert claimed is not None
        run = JobRun(claimed)
        for done in range(1, 1001):
            run.report(done, 1000, "reading")
        assert said[0] == 1
        assert said[-1] == 1000
        assert len(said) < 20
