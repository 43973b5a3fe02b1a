"""The pages of adjudicating, without a browser."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.models import Adjudication, Lease, Pair, Verdict
from annotation.services.adjudications import undo_adjudication
from annotation.services.retiring import retire_claim
from tests.annotation.services.test_adjudications import disputed, reopen
from tests.annotation.views.conftest import SignIn
from tests.annotation.work import CONTRADICT
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=4)


@pytest.fixture
def pair(team: Team) -> Pair:
    return disputed(team)


@pytest.fixture
def client(team: Team, pair: Pair, sign_in: SignIn) -> Client:
    return sign_in(team.reviewer)


def address(pair: Pair) -> str:
    return reverse("annotation:adjudicate_pair", args=[pair.project.slug, pair.pk])


def sent(client: Client, pair: Pair, **more: Any) -> dict[str, Any]:
    """What the opened page would send."""
    seen = client.get(address(pair)).context["comparison"].seen
    return {"submission_key": str(uuid.uuid4()), "seen": seen, **more}


def test_names_are_hidden_by_the_setting_of_reviews(
    team: Team, pair: Pair, client: Client
) -> None:
    name = team.newcomer.display_name
    assert name in client.get(address(pair)).content.decode()
    team.project.settings["hides_author_in_review"] = True
    team.project.save(update_fields=["settings"])
    assert name not in client.get(address(pair)).content.decode()


def test_a_judgement_is_taken_changed_or_written(pair: Pair, client: Client) -> None:
    other: dict[str, Any] = {"label": "CONTRADICT", "sentence_1": "1"}
    for more, decision in (
        ({"side": "B"}, "take"),
        ({"side": "A", "from": "A", **other}, "edit"),
        ({"from": "new", **other}, "write"),
    ):
        client.post(address(pair), sent(client, pair, **more))
        done = Adjudication.objects.get(undone_at=None)
        assert (done.decision, done.judgement.label) == (decision, "CONTRADICT")
        undo_adjudication(adjudication=done, adjudicator=done.adjudicator)


def test_the_opened_answer_is_that_of_its_side(pair: Pair, client: Client) -> None:
    page = client.get(address(pair), {"from": "B"})
    editor = page.context["editor"]
    assert editor["label"].value() == "CONTRADICT"
    assert [row[1].value() for row in editor.rows()[:3]] == [1, None, 1]
    empty = client.get(address(pair), {"from": "new"}).context["editor"]
    assert empty["label"].value() is None
    assert client.get(address(pair), {"from": "Z"}).context["editor"] is None


def test_an_answer_that_comes_too_late_is_kept_on_the_page(
    team: Team, pair: Pair, client: Client
) -> None:
    form = sent(
        client,
        pair,
        **{"from": "new", "label": "SUPPORT", "sentence_1": "1"},
        note="Because of the dose.",
    )
    reopen(team, pair)
    page = client.post(address(pair), form)
    assert page.status_code == 200
    assert "Because of the dose." in page.content.decode()
    assert page.context["editor"]["sentence_1"].value() == "1"
    # Once there are two judgements again, the page as it stands can be sent.
    assert f'name="seen" value="{page.context["comparison"].seen}"' in (
        page.content.decode()
    )
    assert not Adjudication.objects.exists()


def test_an_answer_outlives_the_side_that_it_came_from(
    team: Team, pair: Pair, client: Client
) -> None:
    answer = {"label": "SUPPORT", "sentence_1": "1"}
    form = sent(client, pair, side="B", **{"from": "B", **answer})
    reopen(team, pair)
    page = client.post(address(pair), form)
    assert page.context["editor"]["sentence_1"].value() == "1"
    assert page.context["origin"] == "new"
    assert not Adjudication.objects.exists()


def test_what_was_written_about_a_retired_pair_is_shown(
    team: Team, pair: Pair, client: Client
) -> None:
    answer = {"from": "new", "label": "CONTRADICT", "sentence_1": "1"}
    form = sent(client, pair, note="Because of the dose.", **answer)
    retire_claim(claim=pair.claim, actor=team.admin, reason="A wrong premise.")
    page = client.post(address(pair), form)
    assert page.status_code == 409
    text = page.content.decode()
    for words in ("REFUTES", "Because of the dose.", pair.document.sentences[1]):
        assert words in text
    assert reverse("annotation:adjudicate_pairs", args=[pair.project.slug]) in text
    assert client.get(address(pair)).status_code == 404


@pytest.mark.parametrize(
    "more", [{}, {"side": "Z"}, {"from": "new"}, {"side": "A", "seen": "\x00"}]
)
def test_nonsense_decides_nothing(
    pair: Pair, client: Client, more: dict[str, Any]
) -> None:
    page = client.post(address(pair), sent(client, pair) | more)
    assert page.status_code == 200
    assert Verdict.objects.get(pair=pair).provenance == "single"


def test_an_open_pair_shows_nothing_to_an_adjudicator(
    team: Team, pair: Pair, client: Client
) -> None:
    reopen(team, pair)
    Lease.objects.all().delete()
    assert client.get(address(pair)).status_code == 404


def test_the_number_of_queries_does_not_depend_on_the_disputes(
    team: Team,
    pair: Pair,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    listed = reverse("annotation:adjudicate_pairs", args=[team.project.slug])
    client.get(listed)
    with django_assert_num_queries(12) as one:
        client.get(listed)
    disputed(team, CONTRADICT, "Mint tea eases knee pain.")
    with django_assert_num_queries(len(one)):
        page = client.get(listed)
    assert page.context["total"] == 2
