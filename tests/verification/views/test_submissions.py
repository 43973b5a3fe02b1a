"""The way of predictions through the site, as their submitter and others see it."""

from __future__ import annotations

import gzip
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from corpus import live
from corpus.models import Job, User
from corpus.models.jobs import new_token
from tests.factories import UserFactory
from tests.verification.board import (
    METADATA,
    after_its_job,
    as_file,
    checked,
    make_phase,
    predictions,
    published,
    scored,
    submit_now,
    upload,
)
from verification.models import Phase, Submission, Team
from verification.services.scoring import fail_abandoned_submissions
from verification.services.submissions import Metadata, disqualify

pytestmark = pytest.mark.django_db
Callbacks = DjangoCaptureOnCommitCallbacks
FORM = {"system": "Moss 3", "description": "Invented.", "setting": "open"}


@pytest.fixture
def person() -> User:
    user: User = UserFactory()
    return user


def as_(user: User) -> Client:
    """A browser in which somebody is signed in."""
    client = Client()
    client.force_login(user)
    return client


def text_of(response: Any) -> str:
    """The source of a page, with spaces for line breaks."""
    text: str = " ".join(response.content.decode().split())
    return text


def page_of(submission: Submission, user: User) -> str:
    return text_of(as_(user).get(f"/submissions/{submission.token}/"))


def submit_page(phase: Phase) -> str:
    return f"/benchmarks/{phase.benchmark.slug}/phases/{phase.number}/submit/"


class TestUpload:
    def test_a_file_is_kept_and_checked(
        self, person: User, django_capture_on_commit_callbacks: Callbacks
    ) -> None:
        phase = make_phase()
        with django_capture_on_commit_callbacks(execute=True):
            response = as_(person).post(
                submit_page(phase), {"file": as_file(predictions())}
            )
        submission = Submission.objects.get()
        assert response["Location"] == f"/submissions/{submission.token}/"
        assert submission.is_checked
        assert submission.submitter == person
        page = page_of(submission, person)
        assert "No error was found" in page
        assert "Submit and score" in page

    def test_a_gzip_file_is_read_as_what_it_holds(
        self, person: User, django_capture_on_commit_callbacks: Callbacks
    ) -> None:
        packed = gzip.compress(as_file(predictions()).read())
        file = SimpleUploadedFile("predictions.jsonl.gz", packed)
        with django_capture_on_commit_callbacks(execute=True):
            as_(person).post(submit_page(make_phase()), {"file": file})
        assert Submission.objects.get().is_checked

    def test_the_page_states_limits_and_what_is_left(self, person: User) -> None:
        phase = make_phase(daily_per_person=4, total_per_person=7)
        team = Team.objects.create(name="Mossy")
        team.members.add(person)
        submit_now(checked(upload(phase, person)))
        page = text_of(as_(person).get(submit_page(phase)))
        assert "may expand to 512 MB" in page
        assert "A line has at most 1 MB" in page
        assert "You have <strong>3 of 4</strong> submissions left for today" in page
        assert "You have <strong>6 of 7</strong> submissions left in this phase" in page
        assert "The team “Mossy” has <strong>10 of 10</strong>" in page

    def test_the_day_begins_anew_at_a_time_of_the_readers(self, person: User) -> None:
        person.time_zone = "Asia/Tokyo"
        person.save()
        phase = make_phase(closes_in=timedelta(days=90))
        with time_machine.travel("2026-12-24T20:00Z", tick=False):
            page = text_of(as_(person).get(submit_page(phase)))
        assert "2026-12-25 09:00</time> (Asia/Tokyo), that is 00:00 UTC" in page

    def test_the_team_is_one_of_the_persons(self, person: User) -> None:
        phase, others = make_phase(), Team.objects.create(name="Others")
        mine = Team.objects.create(name="Mossy")
        mine.members.add(person)
        body = {"file": as_file(predictions()), "team": str(others.pk)}
        response = as_(person).post(submit_page(phase), body)
        assert response.status_code == 200
        assert "Others" not in text_of(response)
        body |= {"file": as_file(predictions()), "team": str(mine.pk)}
        as_(person).post(submit_page(phase), body)
        assert Submission.objects.get().team == mine

    def test_a_closed_phase_says_when_it_closed(self, person: User) -> None:
        phase = make_phase(closes_in=timedelta(minutes=1))
        with time_machine.travel(timezone.now() + timedelta(minutes=2)):
            body = {"file": as_file(predictions())}
            response = as_(person).post(submit_page(phase), body)
        assert "It closed at" in text_of(response)
        assert not Submission.objects.exists()

    def test_no_file_and_an_empty_file_are_refused_in_words(self, person: User) -> None:
        phase = make_phase()
        assert "required" in text_of(as_(person).post(submit_page(phase)))
        empty = SimpleUploadedFile("predictions.jsonl", b"")
        response = as_(person).post(submit_page(phase), {"file": empty})
        assert "The submitted file is empty" in text_of(response)


class TestDryRun:
    def test_every_error_is_listed_with_its_place(self, person: User) -> None:
        lines = predictions()
        lines[0]["evidence"] = {"1": {"sentences": ["0"], "label": "SUPPORT"}}
        submission = checked(upload(make_phase(), person, lines[:-1]))
        page = page_of(submission, person)
        assert "<strong>2 errors</strong>" in page
        assert "integer expected, found text" in page
        assert "The claim 11 is missing" in page
        assert "Upload a corrected file" in page
        assert "Submit and score" not in page

    def test_it_says_how_many_errors_are_not_listed(self, person: User) -> None:
        lines = [{"id": number, "evidence": {}} for number in range(100, 400)]
        submission = checked(upload(make_phase(), person, lines))
        page = page_of(submission, person)
        assert f"the first 200 of {submission.n_errors}" in page
        assert submission.n_errors == 312

    def test_warnings_do_not_stand_in_the_way(self, person: User) -> None:
        lines = predictions()
        lines[0]["evidence"] = {"77": {"sentences": [0], "label": "SUPPORT"}}
        page = page_of(checked(upload(make_phase(), person, lines)), person)
        assert "1 warning" in page
        assert "not in the corpus" in page
        assert "Submit and score" in page

    def test_hostile_text_is_escaped(self, person: User) -> None:
        lines = [*predictions(), {"id": "<img src=x>", "evidence": {}}]
        page = page_of(checked(upload(make_phase(), person, lines)), person)
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page

    def test_the_page_asks_again_by_itself_until_the_check_has_ended(
        self, person: User
    ) -> None:
        submission = upload(make_phase(), person)
        client, path = as_(person), f"/submissions/{submission.token}/"
        assert 'hx-trigger="every 1s"' in text_of(client.get(path))
        part = text_of(client.get(path, HTTP_HX_REQUEST="true"))
        assert 'hx-trigger="every 1s"' in part
        assert "<html" not in part
        after_its_job(submission)
        part = text_of(client.get(path, HTTP_HX_REQUEST="true"))
        assert "hx-trigger" not in part
        assert "Submit and score" in part

    def test_it_says_when_no_worker_runs(self, person: User) -> None:
        submission = upload(make_phase(), person)
        live.pulse()
        assert "No worker is running" not in page_of(submission, person)
        cache.clear()
        assert "No worker is running" in page_of(submission, person)


class TestSubmit:
    def test_it_takes_a_place_and_is_scored(self, person: User) -> None:
        submission = checked(upload(make_phase(), person))
        path = f"/submissions/{submission.token}/"
        assert as_(person).post(f"{path}submit/", FORM)["Location"] == path
        submission.refresh_from_db()
        assert (submission.state, submission.system) == ("queued", "Moss 3")
        assert "Waiting to be scored" in page_of(submission, person)
        assert submission.quota_slots.count() == 1
        assert after_its_job(submission).state == "scored"

    def test_without_a_name_nothing_is_taken(self, person: User) -> None:
        submission = checked(upload(make_phase(), person))
        body = FORM | {"system": "", "description": "Kept."}
        response = as_(person).post(f"/submissions/{submission.token}/submit/", body)
        page = text_of(response)
        assert "Not saved: please correct what is marked" in page
        assert "Kept." in page
        assert submission.quota_slots.count() == 0

    def test_an_exhausted_quota_loses_nothing(self, person: User) -> None:
        phase = make_phase(daily_per_person=1, closes_in=timedelta(days=9))
        submit_now(checked(upload(phase, person)))
        submission = checked(upload(phase, person))
        client, path = as_(person), f"/submissions/{submission.token}/"
        page = text_of(client.post(f"{path}submit/", FORM))
        assert "You have no submission left for today: 1 a day." in page
        assert "Nothing is lost" in page
        assert "Moss 3" in page
        with time_machine.travel(timezone.now() + timedelta(days=1)):
            client.force_login(person)
            assert 'value="Moss 3"' in text_of(client.get(path))
            client.post(f"{path}submit/", FORM)
        submission.refresh_from_db()
        assert submission.state == "queued"

    def test_the_form_begins_with_what_was_said_last_time(self, person: User) -> None:
        phase = make_phase()
        scored(upload(phase, person))
        page = page_of(checked(upload(phase, person)), person)
        assert f'value="{METADATA.system}"' in page

    def test_twice_is_once(self, person: User) -> None:
        submission = checked(upload(make_phase(), person))
        for _ in range(2):
            as_(person).post(f"/submissions/{submission.token}/submit/", FORM)
        assert submission.quota_slots.count() == 1
        assert Job.objects.filter(kind="score_submission").count() == 1

    def test_a_failure_is_explained_and_the_place_given_back(
        self, person: User
    ) -> None:
        submission = submit_now(checked(upload(make_phase(), person)))
        assert submission.job is not None
        Job.objects.filter(pk=submission.job.pk).update(
            state=Job.State.FAILED, error="The disk was full."
        )
        assert fail_abandoned_submissions() == 1
        submission.refresh_from_db()
        page = page_of(submission, person)
        assert "The disk was full." in page
        assert "your place in the quota was given back" in page
        assert submission.quota_slots.count() == 0


class TestScored:
    def test_a_development_phase_shows_all_digits(self, person: User) -> None:
        submission = scored(upload(make_phase(), person, predictions(right=6)))
        page = page_of(submission, person)
        # Four of eight gold abstracts, all right: F1 2/3.
        assert '<td class="num">66.67</td>' in page
        assert "<code>0.6666666666666666</code>" in page
        assert "Signature: <code>task:scifact_pipeline|" in page
        assert 'class="cd-interval"' in page
        assert "Counts" in page

    def test_a_hidden_phase_shows_one_decimal_and_no_counts(self, person: User) -> None:
        phase = make_phase(shows="overall")
        page = page_of(scored(upload(phase, person, predictions(right=6))), person)
        assert '<td class="num">66.7</td>' in page
        told = ["0.666", "66.67", "Counts", "undefined", phase.gold_set.gold.sha256[:9]]
        assert not [words for words in told if words in page]

    def test_a_blind_phase_shows_nothing_to_its_own_submitter(
        self, person: User
    ) -> None:
        phase = make_phase(shows="nothing")
        submission = scored(upload(phase, person, predictions(right=6)))
        page = page_of(submission, person)
        assert "nobody but the organisers sees a score before it closes" in page
        told = ["66.67", "66.7", "0.666", "label only", "task:scifact", "cd-interval"]
        told += [phase.gold_set.gold.sha256[:9], submission.scores.get().signature]
        assert not [words for words in told if words in page]
        organiser = phase.benchmark.organisers.get()
        assert "<code>0.6666666666666666</code>" in page_of(submission, organiser)

    def test_two_blind_pages_that_differ_in_the_score_are_the_same(
        self, person: User
    ) -> None:
        submission = scored(
            upload(make_phase(shows="nothing"), person, predictions(right=6))
        )
        before = page_of(submission, person)
        submission.scores.update(primary=0.9, metrics={}, intervals={}, counts={})
        assert _masked(before) == _masked(page_of(submission, person))

    def test_after_the_close_everything_is_shown(self, person: User) -> None:
        phase = make_phase(shows="nothing", closes_in=timedelta(hours=1))
        submission = scored(upload(phase, person, predictions(right=6)))
        with time_machine.travel(timezone.now() + timedelta(hours=2)):
            assert "0.6666666666666666" in page_of(submission, person)

    def test_an_older_score_stays_beside_the_new_one(self, person: User) -> None:
        submission = scored(upload(make_phase(), person))
        score = submission.scores.get()
        score.pk, score.scorer_version = None, "99.0"
        score.save()
        page = page_of(submission, person)
        assert "Scorer 99.0 (an earlier version)" in page
        assert "Earlier score" in page

    def test_slices_are_shown_where_the_score_has_them(self, person: User) -> None:
        submission = scored(upload(make_phase(), person))
        part = {"n_claims": 24, "metrics": {"abstract_rationalized_f1": 0.25}}
        submission.scores.update(slices={"label:SUPPORT": part})
        page = page_of(submission, person)
        assert "On parts of the claims" in page
        assert '<td class="num">25.00</td>' in page


def _masked(page: str) -> str:
    """A page without the tokens of its forms."""
    return re.sub(r"(X-CSRFToken&quot;: |X-CSRFToken\": |value=)\"[^\"]+\"", "", page)


class TestStanding:
    def test_it_is_private_until_it_is_published(self, person: User) -> None:
        submission = scored(upload(make_phase(), person))
        path = f"/submissions/{submission.token}/"
        assert Client().get(path).status_code == 404
        as_(person).post(f"{path}publish/", {"is_anonymous": "false"})
        page = text_of(Client().get(path))
        assert person.display_name in page
        assert submission.file.name not in page
        assert "Withdraw" not in page

    def test_an_anonymous_entry_tells_nobody_whose_it_is(self, person: User) -> None:
        team = Team.objects.create(name="Mossy")
        team.members.add(person)
        submission = scored(upload(make_phase(), person, team=team))
        Submission.objects.filter(pk=submission.pk).update(
            paper_url="https://example.org/~ada/", code_url="https://example.org/ada/"
        )
        path = f"/submissions/{submission.token}/"
        as_(person).post(f"{path}publish/", {"is_anonymous": "true"})
        told = [person.display_name, person.email, "Mossy", "example.org"]
        for reply in (path, f"/api/v1{path}".rstrip("/")):
            page = text_of(Client().get(reply))
            assert METADATA.system in page
            assert not [words for words in told if words in page]
        as_(person).post(f"{path}publish/", {"is_anonymous": "false"})
        page = text_of(Client().get(path))
        assert all(words in page for words in (person.display_name, "Mossy"))

    def test_withdrawing_leaves_a_tombstone_and_can_be_undone(
        self, person: User
    ) -> None:
        submission = published(upload(make_phase(), person))
        path = f"/submissions/{submission.token}/"
        as_(person).post(f"{path}withdraw/")
        page = text_of(Client().get(path))
        assert "took it off the board" in page
        assert "Signature" not in page
        assert METADATA.description not in page
        assert "Undo: put it back on the board" in page_of(submission, person)
        as_(person).post(f"{path}put-back/")
        assert "Signature" in text_of(Client().get(path))

    def test_what_was_disqualified_stays_so(self, person: User) -> None:
        submission = published(upload(make_phase(), person))
        organiser = submission.phase.benchmark.organisers.get()
        disqualify(submission=submission, organiser=organiser, reason="Copied gold.")
        path = f"/submissions/{submission.token}/"
        for action in ("withdraw/", "put-back/", "publish/"):
            response = as_(person).post(path + action, follow=True)
            assert "can no longer be changed so" in text_of(response)
        assert "Copied gold." in text_of(Client().get(path))

    def test_a_private_entry_that_is_disqualified_is_told_to_insiders_alone(
        self, person: User
    ) -> None:
        submission = scored(upload(make_phase(), person))
        phase, path = submission.phase, f"/submissions/{submission.token}/"
        base = f"/benchmarks/{phase.benchmark.slug}/phases/{phase.number}"
        organiser = phase.benchmark.organisers.get()
        disqualify(submission=submission, organiser=organiser, reason="Copied gold.")
        for reader in (person, organiser):
            page = text_of(as_(reader).get(path))
            assert "Copied gold." in page
            assert "Publish" not in page
        row = text_of(as_(organiser).get(f"{base}/submissions/"))
        assert "disqualified" in row
        assert f"{submission.token}/disqualify/" not in row
        assert Client().get(path).status_code == 404
        board = text_of(Client().get(f"{base}/board/"))
        assert METADATA.system not in board
        assert "Copied gold." not in board

    def test_a_description_is_corrected_and_the_setting_stays(
        self, person: User
    ) -> None:
        submission = scored(upload(make_phase(), person))
        path = f"/submissions/{submission.token}/describe/"
        page = text_of(as_(person).get(path))
        assert f'value="{METADATA.system}"' in page
        assert 'name="setting"' not in page
        as_(person).post(path, {"system": "Moss 5", "setting": "oracle-rationale"})
        submission.refresh_from_db()
        assert (submission.system, submission.setting) == ("Moss 5", "open")

    def test_an_address_is_an_address(self, person: User) -> None:
        submission = scored(upload(make_phase(), person))
        path = f"/submissions/{submission.token}/describe/"
        body = {"system": "Moss 5", "paper_url": "javascript:alert(1)"}
        assert "Enter a valid URL" in text_of(as_(person).post(path, body))

    def test_the_own_file_comes_back_byte_for_byte(self, person: User) -> None:
        submission = scored(upload(make_phase(), person))
        response: Any = as_(person).get(f"/submissions/{submission.token}/file/")
        assert b"".join(response) == as_file(predictions()).read()


class TestLists:
    def test_own_and_team_submissions_are_listed_and_no_others(
        self, person: User
    ) -> None:
        phase, other = make_phase(), UserFactory()
        team = Team.objects.create(name="Mossy")
        team.members.add(person, other)
        scored(upload(phase, person), Metadata(system="Mine 1"))
        scored(upload(phase, other, team=team), Metadata(system="Ours 1"))
        scored(upload(phase, other), Metadata(system="Theirs 1"))
        slug = phase.benchmark.slug
        for path in ("/submissions/", f"/benchmarks/{slug}/submissions/"):
            page = text_of(as_(person).get(path))
            assert "Mine 1" in page
            assert "Ours 1" in page
            assert "Theirs 1" not in page

    @pytest.mark.parametrize("is_of_benchmark", [True, False])
    def test_the_number_of_queries_is_constant(
        self, person: User, is_of_benchmark: bool
    ) -> None:
        phase = make_phase()
        slug = phase.benchmark.slug
        path = (
            f"/benchmarks/{slug}/submissions/" if is_of_benchmark else "/submissions/"
        )
        client = as_(person)
        upload(phase, person)
        with CaptureQueriesContext(connection) as few:
            client.get(path)
        team = Team.objects.create(name="Mossy")
        team.members.add(person)
        for _ in range(4):
            upload(phase, person, team=team)
        with CaptureQueriesContext(connection) as many:
            client.get(path)
        assert len(many) == len(few)

    def test_it_is_paged(self, person: User) -> None:
        row = upload(make_phase(), person)
        for _ in range(50):
            row.pk, row.token = None, new_token()
            row.save()
        page = text_of(as_(person).get("/submissions/"))
        after = Submission.objects.order_by("-pk")[49].pk
        assert f"?after={after}" in page
        rest = text_of(as_(person).get(f"/submissions/?after={after}"))
        assert rest.count('<th scope="row"') == 1
