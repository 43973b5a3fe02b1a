"""The report on suggestions as its page and its table, and starting the computation."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Pair
from annotation.selectors.suggestion_report import judgement_table
from annotation.selectors.suggestions import (
    Readiness,
    pairs_that_lack_one,
    readiness,
)
from annotation.services.suggestions import offer_suggestion
from corpus.models import Job
from tests.annotation.suggestions import settle, suggest
from tests.annotation.views.conftest import SignIn
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    team = make_team(citances=3)
    settle(team)
    return team


@pytest.fixture
def client(team: Team, sign_in: SignIn) -> Client:
    return sign_in(team.admin)


def address(team: Team, name: str = "suggestion_report") -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug])


def pair_of(team: Team, text: str) -> Pair:
    return approved(team, text).pairs.get()


def test_the_page_compares_the_arms_and_the_table_has_every_judgement(
    team: Team, client: Client
) -> None:
    shown, control = pair_of(team, "Tea is old."), pair_of(team, "Tea is new.")
    suggest(shown)
    offer_suggestion(
        pair=shown, annotator=team.other_annotator, first_label="CONTRADICT"
    )
    judged(shown, team.other_annotator, SUPPORT)
    settle(team, suggestion_control_share=1.0)
    suggest(control)
    control.refresh_from_db()
    judged(control, team.other_annotator, CONTRADICT)

    page = client.get(address(team))
    assert [words.split()[0] for words in page.context["arms"]] == ["Control:", "After"]
    figures = dict(page.context["figures"])
    nothing, all_of_one = "0 % (0–79), 0 of 1", "100 % (21–100), 1 of 1"
    assert figures["Judgements"] == ("1", "1")
    assert figures["Active seconds: median"] == ("–", "–")
    assert figures["Were shown the suggestion"] == (nothing, all_of_one)
    assert figures["Changed their first choice of label"] == ("–", all_of_one)
    assert figures["Have the model’s label"] == (nothing, all_of_one)

    sent = client.get(address(team, "suggestion_report_csv"))
    body = b"".join(sent.streaming_content).decode()  # type: ignore[attr-defined]
    first, second = csv.DictReader(io.StringIO(body))
    assert (first["suggestion_arm"], first["first_label"], first["label"]) == (
        "after_first_choice",
        "CONTRADICT",
        "SUPPORT",
    )
    assert (second["suggestion_arm"], second["suggestion_shown"]) == ("control", "0")


def test_the_models_label_is_the_one_that_was_offered_and_can_be_chosen(
    team: Team,
) -> None:
    offered, odd = pair_of(team, "Tea is old."), pair_of(team, "Tea is new.")
    suggest(offered)
    offer_suggestion(
        pair=offered, annotator=team.other_annotator, first_label="CONTRADICT"
    )
    judged(offered, team.other_annotator, SUPPORT)
    suggest(offered, label="CONTRADICT", system_digest="1" * 64)
    suggest(odd, label="MIXED")
    judged(odd, team.other_annotator, SUPPORT)
    body = b"".join(judgement_table(team.project)).decode()
    rows = csv.DictReader(io.StringIO(body))
    assert [row["model_label"] for row in rows] == ["SUPPORT", ""]


def test_the_number_of_queries_depends_on_nothing(team: Team, client: Client) -> None:
    client.get(address(team))
    counts = []
    for text in ("Tea is old.", "Tea is new.", "Tea is hot."):
        pair = pair_of(team, text)
        suggest(pair)
        judged(pair, team.other_annotator)
        with CaptureQueriesContext(connection) as asked:
            client.get(address(team))
        counts.append(len(asked))
    assert len(set(counts)) == 1


def test_only_pairs_that_wait_for_a_first_judgement_lack_one(team: Team) -> None:
    open_pair, done = pair_of(team, "Tea is old."), pair_of(team, "Tea is new.")
    judged(done, team.other_annotator)
    assert readiness(team.project) == Readiness(waiting=1, suggested=0)
    assert [*pairs_that_lack_one(team.project, "0" * 64)] == [open_pair]
    found = suggest(open_pair)
    assert readiness(team.project) == Readiness(waiting=1, suggested=1)
    assert not pairs_that_lack_one(team.project, "0" * 64).exists()
    assert [*pairs_that_lack_one(team.project, "1" * 64)] == [open_pair]
    # The claim has other words now: what was suggested is for the old ones.
    type(found).objects.filter(pk=found.pk).update(claim_version=7)
    assert readiness(team.project) == Readiness(waiting=1, suggested=0)


def test_a_second_press_starts_no_second_job(team: Team, client: Client) -> None:
    for _ in range(2):
        assert client.post(address(team, "compute_suggestions")).status_code == 302
    job = Job.objects.get(kind="suggest_pairs")
    assert (job.owner, job.project_id) == (team.admin, team.project.pk)
    assert "waiting" in client.get(address(team)).content.decode()
