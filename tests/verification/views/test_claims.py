"""Errors claim by claim, their tags, and two runs side by side."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from corpus.models import Event, Job, User
from tests.factories import UserFactory
from tests.verification.board import make_phase, predictions, scored, upload
from tests.verification.views.test_submissions import as_, text_of
from verification.models import ClaimTag, Comparison, Submission
from verification.services import comparisons
from verification.services.submissions import Metadata

pytestmark = pytest.mark.django_db
Callbacks = DjangoCaptureOnCommitCallbacks


@pytest.fixture
def person() -> User:
    user: User = UserFactory()
    return user


@pytest.fixture
def half(person: User) -> Submission:
    """Right for six of twelve claims, empty for the others.

    Claims 6, 7, 9 and 10 have evidence; 8 and 11 have none, so that the empty answer
    is right.
    """
    return scored(upload(make_phase(), person, predictions(right=6)))


def claims_of(submission: Submission, user: User, query: str = "") -> str:
    path = f"/submissions/{submission.token}/claims/{query}"
    return text_of(as_(user).get(path))


class TestClaims:
    def test_the_wrong_claims_are_shown_with_their_abstracts(
        self, half: Submission, person: User
    ) -> None:
        page = claims_of(half, person)
        assert "4 of 12 claims have a wrong label" in page
        for number in (6, 7, 9, 10):
            assert f"Invented claim {number} on moss" in page
        assert "Invented claim 8 on moss" not in page
        assert "Invented sentence 2 on moss." in page
        # Two sentences of each of the four abstracts, and the abstracts themselves.
        assert page.count('class="cd-found cd-found-missed"') == 12 + 1
        assert "on this claim alone: 0.000" in page

    def test_all_claims_of_a_label(self, half: Submission, person: User) -> None:
        page = claims_of(half, person, "?show=all&label=CONTRADICT")
        assert "4 claims." in page
        assert "Invented claim 1 on moss" in page
        assert "on this claim alone: 1.000" in page
        assert "Invented claim 0 on moss" not in page

    def test_the_confusion_matrix(self, half: Submission, person: User) -> None:
        page = claims_of(half, person)
        matrix = page[page.index("Labels of claims and abstracts") :]
        matrix = matrix[: matrix.index("</table>")]
        cells = [part.split("<")[0] for part in matrix.split('<td class="num">')[1:]]
        assert cells == ["2", "0", "2", "0", "2", "2", "0", "0", "0"]

    def test_unjudged_abstracts_are_told_apart(self, person: User) -> None:
        lines = predictions()
        lines[2]["evidence"] = {
            "1": {"sentences": [1], "label": "SUPPORT"},
            "77": {"sentences": [5], "label": "SUPPORT"},
        }
        page = claims_of(scored(upload(make_phase(), person, lines)), person)
        assert "1 of 12 claims" in page
        assert "(this sentence has no text here)" in page
        assert page.count('class="cd-found cd-found-unjudged"') == 2 + 1
        assert page.count('class="cd-found cd-found-extra"') == 2 + 1

    def test_it_is_paged(self, person: User) -> None:
        phase = make_phase()
        submission = scored(upload(phase, person, predictions(right=0)))
        page = claims_of(submission, person, "?show=all&after=10")
        assert page.count("<article") == 2
        for query in ("?after=-1", "?after=x", "?after=99999999999", "?label=x&tag=y"):
            path = f"/submissions/{submission.token}/claims/{query}"
            assert as_(person).get(path).status_code == 200

    @pytest.mark.parametrize("shows", ["overall", "nothing"])
    def test_hidden_gold_is_not_read_out_before_the_close(
        self, person: User, shows: str
    ) -> None:
        phase = make_phase(shows=shows, closes_in=timedelta(hours=1))
        submission = scored(upload(phase, person, predictions(right=6)))
        path = f"/submissions/{submission.token}/"
        client = as_(person)
        for reply in (
            client.get(f"{path}claims/"),
            client.get(f"{path}compare/"),
            client.post(f"{path}claims/tag/", {"claim": "1", "tags": []}),
            client.post(f"{path}compare/", {"with": submission.token}),
        ):
            assert reply.status_code == 403
            assert "Invented claim" not in text_of(reply)
        with time_machine.travel(timezone.now() + timedelta(hours=2)):
            client.force_login(person)
            assert "4 of 12 claims" in text_of(client.get(f"{path}claims/"))

    def test_what_is_too_large_is_said(self, half: Submission, person: User) -> None:
        gold_set = half.phase.gold_set
        gold_set.n_claims = 5_001
        gold_set.save()
        assert "for at most 5,000 errors are shown" in claims_of(half, person)

    def test_texts_are_escaped(self, person: User) -> None:
        lines = predictions()
        lines[0]["evidence"] = {"<img src=x>": {"sentences": [0], "label": "SUPPORT"}}
        page = claims_of(scored(upload(make_phase(), person, lines)), person)
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page


class TestTags:
    def test_they_are_set_counted_and_filtered(
        self, half: Submission, person: User
    ) -> None:
        path = f"/submissions/{half.token}/claims/tag/"
        as_(person).post(path, {"claim": "6", "tags": ["numbers", "cause"]})
        as_(person).post(path, {"claim": "7", "tags": ["numbers"]})
        page = claims_of(half, person, "?tag=cause")
        assert "Invented claim 6 on moss" in page
        assert "Invented claim 7 on moss" not in page
        assert "<dt>numerical reasoning</dt> <dd>2</dd>" in page

    def test_setting_them_again_replaces_them(
        self, half: Submission, person: User
    ) -> None:
        path = f"/submissions/{half.token}/claims/tag/"
        for tags in (["numbers", "cause"], ["cause", "coreference"], ["coreference"]):
            for _ in range(2):
                as_(person).post(path, {"claim": "6", "tags": tags})
        assert [tag.tag for tag in ClaimTag.objects.all()] == ["coreference"]
        events = Event.objects.filter(verb="tag_claim")
        assert events.count() == 3
        assert events.latest("pk").payload["was"] == {"tags": ["cause", "coreference"]}

    def test_htmx_gets_the_form_alone(self, half: Submission, person: User) -> None:
        reply = as_(person).post(
            f"/submissions/{half.token}/claims/tag/",
            {"claim": "6", "tags": ["direction"], "number": "1"},
            HTTP_HX_REQUEST="true",
        )
        page = text_of(reply)
        assert page.startswith("<form")
        assert "Saved." in page
        assert 'value="direction" checked' in page

    @pytest.mark.parametrize(
        "body",
        [
            {"claim": "99", "tags": ["numbers"]},
            {"claim": '"6"', "tags": ["numbers"]},
            {"claim": "6", "tags": ["nonsense"]},
            {"claim": "\0", "tags": ["numbers"]},
            {},
        ],
    )
    def test_unknown_claims_and_tags_are_404(
        self, half: Submission, person: User, body: dict[str, Any]
    ) -> None:
        path = f"/submissions/{half.token}/claims/tag/"
        assert as_(person).post(path, body).status_code == 404


class TestComparison:
    def other(self, half: Submission, right: int) -> Submission:
        lines = predictions(right=right)
        return scored(upload(half.phase, half.submitter, lines), Metadata("Moss 9"))

    def test_claims_won_and_lost_and_the_chance(
        self, half: Submission, person: User
    ) -> None:
        better = self.other(half, right=12)
        path = f"/submissions/{better.token}/compare/"
        reply = as_(person).post(path, {"with": half.token}, follow=True)
        page = text_of(reply)
        # The better one is right on all: F1 1 against 2/3. Claims 6, 7, 9, 10 are won.
        assert "4 won, 0 lost, 8 equal" in page
        assert "0.3333" in page
        found = Comparison.objects.get()
        assert found.observed == pytest.approx(1 / 3)
        assert found.low <= found.observed <= found.high
        as_(person).post(path, {"with": half.token})
        assert Comparison.objects.count() == 1

    def test_many_claims_are_compared_in_the_background(
        self,
        half: Submission,
        person: User,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Callbacks,
    ) -> None:
        monkeypatch.setattr("verification.views.claims.INLINE_CLAIMS", 11)
        other = self.other(half, right=12)
        path = f"/submissions/{half.token}/compare/"
        with django_capture_on_commit_callbacks(execute=True):
            reply = as_(person).post(path, {"with": other.token})
        job = Job.objects.get(kind="compare_runs")
        assert reply["Location"] == f"/jobs/{job.token}/"
        assert job.result["redirect"] == f"{path}?with={other.token}"
        assert "0 won, 4 lost" in text_of(as_(person).get(job.result["redirect"]))

    def test_only_own_runs_of_the_same_phase_compare(
        self, half: Submission, person: User
    ) -> None:
        stranger = scored(upload(half.phase, UserFactory()))
        elsewhere = scored(upload(_another_phase(half), person))
        path = f"/submissions/{half.token}/compare/"
        for token in (stranger.token, elsewhere.token, half.token, "x", "\0"):
            assert as_(person).post(path, {"with": token}).status_code == 404
            assert as_(person).get(path, {"with": token}).status_code == 404
        organiser = half.phase.benchmark.organisers.get()
        body = {"with": stranger.token}
        assert as_(organiser).post(path, body).status_code == 302

    def test_scores_of_another_version_are_not_compared(
        self, half: Submission, person: User
    ) -> None:
        other = self.other(half, right=12)
        other.scores.update(scorer_version="0.0")
        path = f"/submissions/{half.token}/compare/"
        page = text_of(as_(person).post(path, {"with": other.token}, follow=True))
        assert "earlier version of the scorer" in page
        page = text_of(as_(person).get(path, {"with": other.token}))
        assert "Only scores of the same version" in page

    def test_nobody_who_is_not_signed_in(self, half: Submission) -> None:
        reply = Client().get(f"/submissions/{half.token}/compare/")
        assert reply.status_code == 302
        assert comparisons.INLINE_CLAIMS == 1_000


def _another_phase(half: Submission) -> Any:
    benchmark = half.phase.benchmark
    return make_phase(benchmark, gold_set=half.phase.gold_set)
