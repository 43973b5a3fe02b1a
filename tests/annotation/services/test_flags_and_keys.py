"""What people set and note for themselves."""

from __future__ import annotations

import pytest

from annotation.models import Flag, KeySettings, Pair
from annotation.selectors.personal_data import personal_data_json
from annotation.services.erasure import erase_identity
from annotation.services.flags import flag_pair, settle_flag
from annotation.services.keys import change_keys, key_settings
from annotation.services.purge import purge_project
from annotation.shortcuts import DEFAULT_KEYS
from corpus.exceptions import DomainError
from tests.annotation.work import approved
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    return make_team(citances=1)


@pytest.fixture
def pair(team: Team) -> Pair:
    return approved(team).pairs.get()


def test_a_flag_is_kept_once_and_opened_again(team: Team, pair: Pair) -> None:
    flag = flag_pair(user=team.annotator, pair=pair, note=" Which dose?\r\n")
    assert flag.note == "Which dose?"
    settle_flag(flag=flag, is_settled=True)
    again = flag_pair(user=team.annotator, pair=pair, note="Still unclear")
    assert (again.pk, again.resolved_at) == (flag.pk, None)


@pytest.mark.parametrize("note", ["x" * 501, "\0"])
def test_a_note_that_cannot_be_kept_is_refused(
    team: Team, pair: Pair, note: str
) -> None:
    with pytest.raises(DomainError):
        flag_pair(user=team.annotator, pair=pair, note=note)


def test_flags_and_keys_are_personal(team: Team, pair: Pair) -> None:
    person = team.annotator
    flag_pair(user=person, pair=pair, note="Invented thought")
    change_keys(user=person, is_on=False, keys={**DEFAULT_KEYS, "undo": "Z"})
    data = "".join(personal_data_json(person))
    assert "Invented thought" in data
    assert '"undo": "z"' in data
    erase_identity(user=person, actor=person)
    assert not Flag.objects.exists()
    assert not KeySettings.objects.exists()


def test_a_purge_takes_the_flags_of_a_project(team: Team, pair: Pair) -> None:
    flag_pair(user=team.annotator, pair=pair, note="")
    purge_project(project=team.project, typed_name=team.project.name)
    assert not Flag.objects.exists()


def test_only_what_differs_from_the_usual_keys_is_kept(team: Team) -> None:
    person = team.annotator
    assert key_settings(person).key_map == DEFAULT_KEYS
    change_keys(user=person, is_on=True, keys={**DEFAULT_KEYS, "undo": "Z"})
    assert key_settings(person).keys == {"undo": "z"}
    assert key_settings(person).key_map["undo"] == "z"
    with pytest.raises(DomainError, match="used twice"):
        change_keys(user=person, is_on=True, keys={**DEFAULT_KEYS, "undo": "n"})
