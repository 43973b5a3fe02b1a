"""What a person sees about themselves; what those who run the instance can do."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from annotation.services.members import create_invitation
from corpus.models import ApiToken, Event, User
from corpus.tokens import create_token, verify_token
from tests.factories import (
    PASSWORD,
    ClaimFactory,
    JudgementFactory,
    PairFactory,
    Team,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def url(name: str, *args: object) -> str:
    return reverse(f"annotation:{name}", args=args)


def download(user: User, name: str) -> str:
    response = signed_in(user).get(url(name))
    assert isinstance(response, StreamingHttpResponse)
    assert "attachment" in response["Content-Disposition"]
    return b"".join(response.streaming_content).decode()


@pytest.fixture
def boss(db: None) -> User:
    """Somebody who runs the instance."""
    user: User = UserFactory(is_superuser=True)
    return user


# What is kept


def test_the_summary_counts_work_per_project(team: Team) -> None:
    claim = ClaimFactory(project=team.project, author=team.annotator)
    JudgementFactory(pair=PairFactory(claim=claim), annotator=team.annotator)

    page = signed_in(team.annotator).get(url("my_data"))

    [part] = page.context["parts"]
    assert (part.claims, part.judgements, part.reviews) == (1, 1, 0)
    assert "Guideline 1 of Herbal medicine" in page.content.decode()
    assert team.annotator.email in page.content.decode()


def test_everything_can_be_downloaded(team: Team) -> None:
    text = 'Nettle "tea"\n𝛽 <b>&'
    ClaimFactory(project=team.project, author=team.annotator, text=text)
    _, key = create_token(user=team.annotator, name="Laptop", scopes=["read"])

    data = json.loads(download(team.annotator, "download_my_data"))

    assert data["account"][0]["email"] == team.annotator.email
    assert data["memberships"][0]["project__name"] == "Herbal medicine"
    assert len(data["accepted_texts"]) == 2
    assert data["claim_versions"][0]["text"] == text
    assert data["api_tokens"][0]["name"] == "Laptop"
    secrets = (key, ApiToken.objects.get().key_hash, team.annotator.password)
    assert not any(secret in json.dumps(data) for secret in secrets)


def test_a_download_holds_nobody_else(team: Team) -> None:
    ClaimFactory(project=team.project, author=team.other_annotator, text="Not mine")

    for name in ("download_my_data", "download_my_work"):
        content = download(team.annotator, name)
        assert "Not mine" not in content
        assert team.other_annotator.email not in content


def test_somebody_who_did_nothing_gets_an_empty_file_that_can_be_read() -> None:
    user = UserFactory()

    data = json.loads(download(user, "download_my_data"))

    assert data["claim_versions"] == []
    assert len(list(csv.reader(io.StringIO(download(user, "download_my_work"))))) == 1


def test_the_table_of_work_is_safe_in_a_spreadsheet(team: Team) -> None:
    claim = ClaimFactory(
        project=team.project, author=team.annotator, text='=HYPERLINK("x")'
    )
    JudgementFactory(pair=PairFactory(claim=claim), annotator=team.annotator)

    rows = list(
        csv.DictReader(io.StringIO(download(team.annotator, "download_my_work")))
    )

    assert [row["kind"] for row in rows] == ["claim", "judgement"]
    assert rows[0]["content"] == '\'=HYPERLINK("x")'
    assert rows[1]["content"].startswith("SUPPORT")


def test_the_summary_asks_as_often_for_many_projects_as_for_few(
    team: Team, django_assert_max_num_queries: Any
) -> None:
    client = signed_in(team.annotator)
    with django_assert_max_num_queries(21):
        client.get(url("my_data"))


# Preferences


def test_name_and_zone_are_changed_and_times_follow(team: Team) -> None:
    client = signed_in(team.annotator)

    client.post(
        url("preferences"),
        {"first_name": "Ada", "last_name": "Berg", "time_zone": "Asia/Kolkata"},
    )

    team.annotator.refresh_from_db()
    assert str(team.annotator) == "Ada Berg"
    page = client.get(reverse("annotation:guideline", args=[team.project.slug]))
    assert re.search(r"\d\d:\d\d IST", page.content.decode())


def test_an_unknown_zone_is_refused(team: Team) -> None:
    response = signed_in(team.annotator).post(
        url("preferences"), {"time_zone": "Mars/Olympus"}
    )

    assert "time_zone" in response.context["form"].errors


def test_a_zone_that_has_vanished_reads_as_utc(team: Team) -> None:
    User.objects.filter(pk=team.annotator.pk).update(time_zone="../etc/passwd")

    assert signed_in(team.annotator).get(url("my_data")).status_code == 200


# Tokens


def test_a_token_is_shown_once_and_works(team: Team) -> None:
    client = signed_in(team.annotator)
    page = client.post(
        url("api_tokens"), {"name": "Server", "scopes": ["read"], "days": "30"}
    )
    found = re.search(r'data-copy="(claimdesk_[^"]+)"', page.content.decode())
    assert found

    token = verify_token(found.group(1))
    assert token is not None
    assert token.user == team.annotator
    assert found.group(1) not in client.get(url("api_tokens")).content.decode()
    assert page["Cache-Control"] == "no-store"


def test_a_token_may_have_no_end(team: Team) -> None:
    signed_in(team.annotator).post(
        url("api_tokens"), {"name": "Server", "scopes": ["read"], "days": "0"}
    )

    assert ApiToken.objects.get().expires_at is None


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"name": "", "scopes": ["read"]}, "name"),
        ({"name": "x"}, "scopes"),
        ({"name": "x", "scopes": ["root"]}, "scopes"),
        ({"name": "x", "scopes": ["read"], "days": "7"}, "days"),
    ],
)
def test_a_bad_token_form_is_refused(
    data: dict[str, object], field: str, team: Team
) -> None:
    response = signed_in(team.annotator).post(url("api_tokens"), data)

    assert field in response.context["form"].errors
    assert not ApiToken.objects.exists()


def test_a_token_is_revoked_by_its_owner_only(team: Team) -> None:
    token, key = create_token(user=team.annotator, name="Laptop", scopes=["read"])
    address = url("revoke_api_token", token.pk)

    assert signed_in(team.admin).post(address).status_code == 404
    assert verify_token(key)

    assert signed_in(team.annotator).post(address).status_code == 302
    assert verify_token(key) is None


# Erasure


def test_an_identity_is_erased_with_the_password_and_a_typed_word(team: Team) -> None:
    client = signed_in(team.annotator)

    response = client.post(
        url("erase_me"), {"confirmation": "erase", "password": PASSWORD}
    )

    assert response.status_code == 302
    team.annotator.refresh_from_db()
    assert team.annotator.erased_at
    assert client.get(url("my_data")).status_code == 302


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"confirmation": "erase", "password": "wrong"}, "password"),
        ({"confirmation": "erase"}, "password"),
        ({"confirmation": "yes", "password": PASSWORD}, "confirmation"),
    ],
)
def test_without_both_nothing_is_erased(
    data: dict[str, str], field: str, team: Team
) -> None:
    response = signed_in(team.annotator).post(url("erase_me"), data)

    assert field in response.context["form"].errors
    team.annotator.refresh_from_db()
    assert team.annotator.erased_at is None


def test_who_signs_in_elsewhere_has_no_password_to_type(team: Team) -> None:
    team.annotator.set_unusable_password()
    team.annotator.save()

    signed_in(team.annotator).post(url("erase_me"), {"confirmation": "erase"})

    team.annotator.refresh_from_db()
    assert team.annotator.erased_at


def test_the_only_admin_is_told_what_to_do_first(team: Team) -> None:
    response = signed_in(team.admin).post(
        url("erase_me"), {"confirmation": "erase", "password": PASSWORD}
    )

    assert "is the only admin of “Herbal medicine”" in response.content.decode()
    team.admin.refresh_from_db()
    assert team.admin.erased_at is None


# Those who run the instance


def test_people_are_found_by_name_and_address(boss: User, team: Team) -> None:
    page = signed_in(boss).get(url("list_people"), {"q": team.annotator.email})

    assert [person.pk for person in page.context["page"].items] == [team.annotator.pk]


def test_a_reset_link_lets_a_person_choose_a_password(boss: User, team: Team) -> None:
    page = signed_in(boss).post(url("make_reset_link", team.annotator.pk))
    found = re.search(r'data-copy="https?://[^/]+(/[^"]+)"', page.content.decode())
    assert found

    person = Client()
    form = person.get(found.group(1), follow=True).redirect_chain[-1][0]
    person.post(
        form, {"password1": "a new long phrase", "password2": "a new long phrase"}
    )

    team.annotator.refresh_from_db()
    assert team.annotator.check_password("a new long phrase")


def test_a_deactivated_person_is_out_and_comes_back(boss: User, team: Team) -> None:
    client = signed_in(team.annotator)
    address = url("set_person_active", team.annotator.pk)

    signed_in(boss).post(address, {"is_active": "false"})
    assert client.get(url("my_data")).status_code == 302
    refused = signed_in(boss).post(
        url("make_reset_link", team.annotator.pk), follow=True
    )
    assert "not active" in refused.content.decode()

    signed_in(boss).post(address, {"is_active": "true"})
    team.annotator.refresh_from_db()
    assert team.annotator.is_active
    verbs = Event.objects.filter(noun="user").values_list("verb", flat=True)
    assert list(verbs) == ["deactivate", "activate"]


def test_nobody_deactivates_themselves(boss: User) -> None:
    signed_in(boss).post(url("set_person_active", boss.pk), {"is_active": "false"})

    boss.refresh_from_db()
    assert boss.is_active


def test_an_identity_is_erased_on_request(boss: User, team: Team) -> None:
    address = url("erase_person", team.annotator.pk)
    assert team.annotator.email in signed_in(boss).get(address).content.decode()

    assert signed_in(boss).post(address, {"confirmation": "no"}).status_code == 200
    assert signed_in(boss).post(address, {"confirmation": "erase"}).status_code == 302

    team.annotator.refresh_from_db()
    assert team.annotator.erased_at
    assert signed_in(boss).get(address).status_code == 404


SUPERUSER_PAGES = [
    ("GET", "list_people"),
    ("POST", "make_reset_link"),
    ("POST", "set_person_active"),
    ("GET", "erase_person"),
    ("POST", "erase_person"),
]


@pytest.mark.parametrize(("method", "name"), SUPERUSER_PAGES)
def test_pages_of_the_instance_do_not_exist_for_others(
    method: str, name: str, team: Team
) -> None:
    args = [] if name == "list_people" else [team.annotator.pk]

    # Project admins are not those who run the instance.
    response = signed_in(team.admin).generic(method, url(name, *args))
    assert response.status_code == 404
    assert Client().generic(method, url(name, *args)).status_code == 302


OWN_PAGES = [
    ("GET", "my_data"),
    ("GET", "download_my_data"),
    ("GET", "download_my_work"),
    ("GET", "preferences"),
    ("GET", "api_tokens"),
    ("GET", "erase_me"),
]


@pytest.mark.parametrize(("method", "name"), OWN_PAGES)
def test_own_pages_need_an_account(method: str, name: str, client: Client) -> None:
    response = client.generic(method, url(name))

    assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(("method", "name"), [*OWN_PAGES, *SUPERUSER_PAGES])
def test_a_wrong_method_is_refused(method: str, name: str, boss: User) -> None:
    args = [] if (method, name) in OWN_PAGES or name == "list_people" else [boss.pk]

    assert signed_in(boss).generic("PUT", url(name, *args)).status_code == 405


def test_invitation_notes_are_in_the_download(team: Team) -> None:
    create_invitation(
        project=team.project, stages=["write"], actor=team.admin, note="Spring course"
    )

    assert "Spring course" in download(team.admin, "download_my_data")
