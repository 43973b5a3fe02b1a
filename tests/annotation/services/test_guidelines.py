"""Versions of guidelines and consent texts, and who accepted which."""

from __future__ import annotations

import pytest

from annotation.models import Acceptance, Guideline
from annotation.services.guidelines import (
    accept_consent_text,
    accept_guideline,
    current_consent_text,
    pending_texts,
    publish_consent_text,
    publish_guideline,
)
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event
from tests.factories import Team

pytestmark = pytest.mark.django_db


def publish(team: Team, text: str, note: str = "Rule 2 is new") -> Guideline:
    return publish_guideline(
        project=team.project, text=text, actor=team.admin, change_note=note
    )


def test_versions_count_up_and_old_ones_stay(team: Team) -> None:
    publish(team, "Read twice.")

    kept = list(team.project.guidelines.order_by("version"))
    assert [g.version for g in kept] == [1, 2]
    assert kept[0].text == "Read the **whole** abstract."


@pytest.mark.parametrize("note", ["", "   "])
def test_from_the_second_version_on_a_note_is_needed(note: str, team: Team) -> None:
    with pytest.raises(DomainError, match="Say what changed"):
        publish(team, "Read twice.", note)


def test_the_same_text_again_is_no_new_version(team: Team) -> None:
    assert publish(team, team.guideline.text, "") == team.guideline
    assert team.project.guidelines.count() == 1


def test_the_same_consent_text_again_is_no_new_version(team: Team) -> None:
    current = current_consent_text(team.project)
    assert current is not None

    again = publish_consent_text(
        project=team.project, text=current.text, actor=team.admin
    )

    assert again == current


def test_a_version_that_the_writer_has_not_seen_is_not_overruled(team: Team) -> None:
    publish(team, "Read twice.")

    with pytest.raises(StaleStateError, match="Version 2 was published"):
        publish_guideline(
            project=team.project,
            text="Read three times.",
            actor=team.admin,
            change_note="Once more",
            based_on=1,
        )


@pytest.mark.parametrize("text", ["", " \n "])
def test_an_empty_text_is_refused(text: str, team: Team) -> None:
    with pytest.raises(DomainError, match="empty"):
        publish(team, text)


def test_a_new_member_has_both_texts_to_accept_consent_first(team: Team) -> None:
    texts = pending_texts(team.project, team.newcomer)

    assert texts == [current_consent_text(team.project), team.guideline]


def test_who_accepted_both_has_nothing_to_do(team: Team) -> None:
    assert pending_texts(team.project, team.annotator) == []


def test_a_new_version_must_be_accepted_again(team: Team) -> None:
    second = publish(team, "Read twice.")

    assert pending_texts(team.project, team.annotator) == [second]


def test_work_begun_under_an_earlier_version_may_be_finished(team: Team) -> None:
    publish(team, "Read twice.")

    assert pending_texts(team.project, team.annotator, any_version=True) == []
    assert len(pending_texts(team.project, team.newcomer, any_version=True)) == 2


def test_a_project_without_texts_asks_for_nothing(team: Team) -> None:
    Acceptance.objects.all().delete()
    team.project.guidelines.all().delete()
    team.project.consent_texts.all().delete()

    assert pending_texts(team.project, team.newcomer) == []


def test_accepting_twice_is_kept_once(team: Team) -> None:
    consent = current_consent_text(team.project)
    assert consent is not None
    before = Event.objects.filter(noun="acceptance").count()

    for _ in range(2):
        accept_guideline(guideline=team.guideline, user=team.newcomer)
        accept_consent_text(consent_text=consent, user=team.newcomer)

    assert Acceptance.objects.filter(user=team.newcomer).count() == 2
    assert Event.objects.filter(noun="acceptance").count() == before + 2
