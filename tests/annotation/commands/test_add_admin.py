"""``add_admin``: into what a command made."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotation.access import can_edit_corpus, get_project
from annotation.models import Membership
from annotation.services.members import suspend_member
from annotation.services.projects import create_corpus, create_project
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import UserFactory, make_team

pytestmark = pytest.mark.django_db


def test_a_project_without_people_gets_its_first_admin() -> None:
    corpus = create_corpus(name="Library", owner=None)
    project = create_project(name="Bees", protocol="scifact", corpus=corpus, actor=None)
    person = UserFactory()
    for _ in range(2):
        call_command("add_admin", person.email.upper(), "--project", "Bees")
    assert get_project(person, project.slug).is_admin
    assert Membership.objects.count() == 1
    assert_events_rebuild_the_tables()


def test_a_member_gets_every_stage() -> None:
    team = make_team()
    call_command("add_admin", team.annotator.email, "--project", team.project.name)
    assert get_project(team.annotator, team.project.slug).is_admin


def test_a_corpus_gets_its_owner() -> None:
    corpus = create_corpus(name="Library", owner=None)
    person = UserFactory()
    call_command("add_admin", person.email, "--corpus", "Library")
    corpus.refresh_from_db()
    assert can_edit_corpus(person, corpus)


def test_what_cannot_be_done_is_said() -> None:
    team = make_team()
    suspend_member(membership=team.membership(team.annotator), actor=team.admin)
    for email, name, words in (
        ("nobody@example.org", team.project.name, "Sign up first"),
        (team.annotator.email, "Wasps", "nothing with this name"),
        (team.annotator.email, team.project.name, "reinstate them first"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("add_admin", email, "--project", name)
