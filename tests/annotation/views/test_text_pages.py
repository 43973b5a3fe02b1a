"""Reading, publishing and accepting guidelines and consent texts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Acceptance, Guideline
from annotation.services.guidelines import (
    current_consent_text,
    pending_texts,
    publish_guideline,
)
from corpus.models import User
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def url(team: Team, name: str) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug])


def publish(team: Team, **values: str) -> Any:
    data = {"text": "Read twice.", "change_note": "New rule", "based_on": "1"}
    return signed_in(team.admin).post(url(team, "publish_guideline"), data | values)


def second_version(team: Team) -> Guideline:
    return publish_guideline(
        project=team.project,
        text="Read twice.",
        actor=team.admin,
        change_note="Stricter",
    )


def test_a_guideline_is_shown_as_formatted_text(team: Team) -> None:
    page = signed_in(team.annotator).get(url(team, "guideline")).content.decode()

    assert "<strong>whole</strong>" in page


def test_earlier_versions_stay_readable(team: Team) -> None:
    second_version(team)

    page = signed_in(team.annotator).get(url(team, "guideline") + "?version=1")

    assert "<strong>whole</strong>" in page.content.decode()
    assert "Version 2 is in force" in page.content.decode()
    assert "Stricter" in page.content.decode()


@pytest.mark.parametrize("version", ["3", "0", "x", "-1"])
def test_a_version_that_never_was_is_not_found(version: str, team: Team) -> None:
    response = signed_in(team.annotator).get(
        url(team, "guideline"), {"version": version}
    )

    assert response.status_code == 404


def test_the_guideline_of_a_public_project_is_open_and_names_nobody() -> None:
    team = make_team(visibility="public")

    page = Client().get(url(team, "guideline"))

    assert page.status_code == 200
    assert team.admin.username not in page.content.decode()
    assert Client().get(url(team, "consent_text")).status_code == 302


def test_publishing_keeps_line_ends_as_lf(team: Team) -> None:
    response = publish(team, text="# Rules\r\n\r\n- one\r\n")

    assert response.status_code == 302
    assert team.project.guidelines.get(version=2).text == "# Rules\n\n- one\n"


def test_the_second_version_needs_a_note(team: Team) -> None:
    response = publish(team, change_note="")

    assert "change_note" in response.context["form"].errors
    assert team.project.guidelines.count() == 1


def test_a_version_published_meanwhile_is_not_overruled(team: Team) -> None:
    second_version(team)

    response = publish(team, text="Read three times.")

    assert "Version 2 was published in the meantime" in response.content.decode()


def test_publishing_twice_with_one_form_is_one_version(team: Team) -> None:
    publish(team)
    assert publish(team).status_code == 302

    assert team.project.guidelines.count() == 2


def test_a_consent_text_is_published(team: Team) -> None:
    response = signed_in(team.admin).post(
        url(team, "publish_consent_text"), {"text": "I agree.", "based_on": "1"}
    )

    assert response["Location"] == url(team, "consent_text")
    current = current_consent_text(team.project)
    assert current is not None
    assert current.text == "I agree."


def test_a_preview_is_formatted_safe_and_not_kept(team: Team) -> None:
    page = signed_in(team.admin).post(
        url(team, "preview_text"), {"text": "**bold** <script>alert(1)</script>"}
    )

    assert "<strong>bold</strong> &lt;script&gt;" in page.content.decode()
    assert team.project.guidelines.count() == 1


# Accepting


def accept(team: Team, user: User, **data: Any) -> Any:
    return signed_in(user).post(url(team, "accept_texts"), data)


def keys(team: Team, user: User) -> list[str]:
    return [f"{t._meta.model_name}-{t.pk}" for t in pending_texts(team.project, user)]


def test_work_waits_until_both_texts_are_accepted(team: Team) -> None:
    work = url(team, "verify_pairs")
    asked = signed_in(team.newcomer).get(work)
    assert asked.status_code == 302
    page = signed_in(team.newcomer).get(asked["Location"]).content.decode()
    assert "My work may be published." in page
    assert "<strong>whole</strong>" in page

    response = accept(team, team.newcomer, accept=keys(team, team.newcomer), next=work)

    assert response["Location"] == work
    assert signed_in(team.newcomer).get(work).status_code == 200


def test_a_piece_of_a_page_sends_the_whole_page_to_the_texts(team: Team) -> None:
    response = signed_in(team.newcomer).get(
        url(team, "verify_pairs"), headers={"HX-Request": "true"}
    )

    assert response["HX-Redirect"].startswith(url(team, "accept_texts"))


def test_one_of_two_texts_is_not_enough(team: Team) -> None:
    response = accept(team, team.newcomer, accept=keys(team, team.newcomer)[:1])

    assert response.status_code == 200
    assert "must be accepted" in response.content.decode()
    assert len(pending_texts(team.project, team.newcomer)) == 1


def test_a_version_that_came_out_while_reading_is_asked_for_separately(
    team: Team,
) -> None:
    seen = keys(team, team.newcomer)
    second = second_version(team)

    accept(team, team.newcomer, accept=seen)

    assert pending_texts(team.project, team.newcomer) == [second]
    assert not Acceptance.objects.filter(guideline=second).exists()


def test_what_was_begun_before_a_new_version_can_still_be_sent(team: Team) -> None:
    second_version(team)
    skip = reverse("annotation:skip_source", args=[team.project.slug, 1])

    # 404: the text did not stand in the way, there is only no such source.
    assert signed_in(team.annotator).post(skip).status_code == 404
    assert signed_in(team.newcomer).post(skip).status_code == 302


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/x",
        "javascript:alert(1)",
        "",
        "\\\\evil",
    ],
)
def test_after_accepting_one_never_leaves_the_site(target: str, team: Team) -> None:
    response = accept(
        team, team.newcomer, accept=keys(team, team.newcomer), next=target
    )

    assert response["Location"] == url(team, "project")


def test_who_has_nothing_to_accept_goes_on(team: Team) -> None:
    assert signed_in(team.annotator).get(url(team, "accept_texts")).status_code == 302


# Permissions


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("GET", "publish_guideline"),
        ("POST", "publish_guideline"),
        ("GET", "publish_consent_text"),
        ("POST", "publish_consent_text"),
        ("POST", "preview_text"),
    ],
)
@pytest.mark.parametrize(
    ("role", "status"),
    [("reviewer", 403), ("read_only", 403), ("outsider", 404), ("suspended", 404)],
)
def test_only_admins_publish(
    method: str, name: str, role: str, status: int, team: Team
) -> None:
    client = signed_in(getattr(team, role))

    assert client.generic(method, url(team, name)).status_code == status


@pytest.mark.parametrize("name", ["guideline", "consent_text", "accept_texts"])
def test_texts_of_a_private_project_are_for_members(name: str, team: Team) -> None:
    assert signed_in(team.outsider).get(url(team, name)).status_code == 404


@pytest.mark.parametrize("name", ["consent_text", "accept_texts"])
def test_only_members_consent_to_a_public_project(name: str) -> None:
    team = make_team(visibility="public")

    assert signed_in(team.outsider).get(url(team, name)).status_code == 403


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("POST", "guideline"),
        ("POST", "consent_text"),
        ("PUT", "publish_guideline"),
        ("PUT", "publish_consent_text"),
        ("GET", "preview_text"),
        ("PUT", "accept_texts"),
    ],
)
def test_a_wrong_method_is_refused(method: str, name: str, team: Team) -> None:
    assert signed_in(team.admin).generic(method, url(team, name)).status_code == 405


def test_the_guideline_ends_with_the_work_that_waits() -> None:
    team = make_team(citances=2)
    page = signed_in(team.annotator).get(url(team, "guideline")).content.decode()

    start = page.index("Start here")
    assert page.index("<strong>whole</strong>") < start
    link = f'<a href="{url(team, "write_claims")}">Sources to write from:'
    assert link in page[start:]
    # Nothing waits for whoever may only review, nor for a visitor.
    assert "Start here" not in _guideline_for(team.reviewer, team)
    assert "Start here" not in _guideline_for(
        None, make_team(visibility="public", name="Open")
    )


def _guideline_for(user: User | None, team: Team) -> str:
    client = signed_in(user) if user else Client()
    return client.get(url(team, "guideline")).content.decode()
