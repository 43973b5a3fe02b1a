"""Drafts: versioned, personal, gone with the submit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Draft, Pair
from annotation.selectors.personal_data import personal_data_json
from annotation.services.drafts import (
    DraftConflictError,
    drop_draft,
    own_draft,
    save_draft,
)
from annotation.services.erasure import erase_identity
from annotation.services.purge import purge_project
from corpus.exceptions import DomainError
from corpus.models import User
from tests.annotation.work import approved, judged
from tests.factories import Team, UserFactory, make_team

pytestmark = pytest.mark.django_db
CONTENT = {"label": "SUPPORT", "sentence_0": "1"}


@pytest.fixture
def team() -> Team:
    return make_team(citances=2)


@pytest.fixture
def pair(team: Team) -> Pair:
    return approved(team).pairs.get()


def save(team: Team, pair: Pair, content: Any = CONTENT, version: int = 0) -> Draft:
    return save_draft(
        user=team.other_annotator,
        project=team.project,
        kind="verify",
        item_id=pair.pk,
        content=content,
        expected_version=version,
    )


def test_each_save_is_a_new_version(team: Team, pair: Pair) -> None:
    assert save(team, pair).version == 1
    assert save(team, pair, {"label": "MIXED"}, 1).version == 2
    kept = own_draft(team.other_annotator, "verify", pair.pk)
    assert kept is not None
    assert kept.content == {"label": "MIXED"}


@pytest.mark.parametrize("version", [0, 1])
def test_the_second_tab_gets_the_other_version_and_overwrites_nothing(
    team: Team, pair: Pair, version: int
) -> None:
    save(team, pair)
    save(team, pair, {"label": "MIXED"}, 1)
    with pytest.raises(DraftConflictError) as caught:
        save(team, pair, {"label": "CONTRADICT"}, version)
    assert caught.value.current is not None
    assert caught.value.current.content == {"label": "MIXED"}
    assert caught.value.current.version == 2
    assert save(team, pair, {"label": "CONTRADICT"}, 2).version == 3


def test_the_same_content_from_both_tabs_is_no_conflict(team: Team, pair: Pair) -> None:
    save(team, pair)
    assert save(team, pair).version == 1


def test_a_draft_that_was_submitted_elsewhere_says_so(team: Team, pair: Pair) -> None:
    save(team, pair)
    drop_draft(user=team.other_annotator, kind="verify", item_id=pair.pk)
    with pytest.raises(DraftConflictError, match="already submitted") as caught:
        save(team, pair, {"label": "MIXED"}, 1)
    assert caught.value.current is None


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        {"a": 1},
        {"a": [1]},
        {"a": None},
        {"a": "\0"},
        {"a": ["\ud800"]},
        {"\0": "a"},
        {"a": "x" * 100_001},
        {str(i): "" for i in range(501)},
    ],
)
def test_what_cannot_be_kept_is_refused(team: Team, pair: Pair, content: Any) -> None:
    with pytest.raises(DomainError):
        save(team, pair, content)
    assert not Draft.objects.exists()


def test_submitting_drops_only_the_own_draft_of_that_item(
    team: Team, pair: Pair
) -> None:
    save(team, pair)
    save_draft(
        user=team.reviewer,
        project=team.project,
        kind="verify",
        item_id=pair.pk,
        content=CONTENT,
        expected_version=0,
    )
    judged(pair, team.other_annotator)
    assert list(Draft.objects.values_list("user", flat=True)) == [team.reviewer.pk]


def test_drafts_are_in_my_data_and_go_with_an_erasure_and_a_purge(
    team: Team, pair: Pair
) -> None:
    person, project = team.other_annotator, team.project
    save(team, pair, {"note": "Invented thought"})
    assert "Invented thought" in "".join(personal_data_json(person))
    erase_identity(user=person, actor=person)
    assert not Draft.objects.exists()
    save_draft(
        user=team.reviewer,
        project=project,
        kind="review",
        item_id=1,
        content={"note": "x"},
        expected_version=0,
    )
    purge_project(project=project, typed_name=project.name)
    assert not Draft.objects.exists()


def test_an_erased_person_leaves_the_drafts_of_others(team: Team, pair: Pair) -> None:
    person: User = UserFactory(first_name="Zdenka", last_name="Quillfeather")
    save(
        team, pair, {"note": "Ask Zdenka Quillfeather", "more": ["zdenka quillfeather"]}
    )
    erased = erase_identity(user=person, actor=team.admin)
    kept = Draft.objects.get()
    assert kept.content == {
        "note": f"Ask {erased.pseudonym}",
        "more": [erased.pseudonym],
    }


def address(team: Team, pair: Pair, kind: str = "verify") -> str:
    return reverse("annotation:draft", args=[team.project.slug, kind, pair.pk])


def post(client: Client, url: str, **data: Any) -> Any:
    return client.post(url, {"content": json.dumps(CONTENT), "version": "0", **data})


def test_the_address_keeps_shows_and_reports_conflicts(team: Team, pair: Pair) -> None:
    client = Client()
    client.force_login(team.other_annotator)
    url = address(team, pair)
    assert client.get(url).json()["content"] is None
    assert post(client, url).json() == {"version": 1}
    assert client.get(url).json()["content"] == CONTENT
    other = post(client, url, content='{"label": "MIXED"}')
    assert other.status_code == 409
    assert other.json()["content"] == CONTENT
    assert other.json()["version"] == 1
    for bad in ({"version": "-1"}, {"content": "{"}, {"content": "3"}):
        assert post(client, url, **bad).status_code == 400


def test_a_page_of_somebody_else_is_not_kept_for_the_one_signed_in_now(
    team: Team, pair: Pair
) -> None:
    client = Client()
    client.force_login(team.other_annotator)
    response = post(client, address(team, pair), user=str(team.annotator.pk))
    assert response.status_code == 403
    assert not Draft.objects.exists()


def test_a_kept_draft_stays_within_reach_when_the_pair_is_gone(
    team: Team, pair: Pair
) -> None:
    client = Client()
    client.force_login(team.other_annotator)
    post(client, address(team, pair))
    judged(pair, team.reviewer)
    assert client.get(address(team, pair)).json()["content"] == CONTENT
