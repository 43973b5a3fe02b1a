"""The page of notices, and the bell on every page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Notice
from annotation.services.notices import notify
from tests.factories import Team

pytestmark = pytest.mark.django_db


def _client(team: Team) -> Client:
    client = Client()
    client.force_login(team.annotator)
    return client


def _tell(team: Team, count: int = 1, url: str = "") -> None:
    for number in range(count):
        notify(
            users=[team.annotator],
            project=team.project,
            kind="returned",
            text=f"Item <{number}> came back.",
            url=url,
        )


def test_the_bell_counts_what_is_new(team: Team) -> None:
    client = _client(team)
    page = client.get("/").content.decode()
    assert '<span class="cd-bell-count num is-none">0' in page
    _tell(team, 3)
    page = client.get("/").content.decode()
    assert '<span class="cd-bell-count num">3' in page


def test_opening_leads_on_and_takes_one_as_read(team: Team) -> None:
    _tell(team, 2, url="/projects/")
    client = _client(team)
    first = Notice.objects.earliest("pk")
    answer = client.post(f"/notices/{first.pk}/open/")
    assert answer["Location"] == "/projects/"
    assert Notice.objects.filter(read_at=None).count() == 1


def test_nobody_opens_the_notice_of_another(team: Team) -> None:
    _tell(team)
    client = Client()
    client.force_login(team.reviewer)
    notice = Notice.objects.get()
    assert client.post(f"/notices/{notice.pk}/open/").status_code == 404
    assert "came back" not in client.get("/notices/").content.decode()


def test_the_newest_stand_first_and_pages_follow(team: Team) -> None:
    _tell(team, 51)
    client = _client(team)
    page = client.get("/notices/").content.decode()
    assert page.index("Item &lt;50&gt;") < page.index("Item &lt;49&gt;")
    assert "Item &lt;0&gt;" not in page
    oldest = Notice.objects.order_by("pk")[1].pk
    assert "Item &lt;0&gt;" in client.get(f"/notices/?after={oldest}").content.decode()


def test_the_list_asks_as_often_for_many_as_for_one(
    team: Team, django_assert_num_queries: Any
) -> None:
    client = _client(team)
    for count in (1, 30):
        _tell(team, count)
        # Session, person, notices, what is new on the page and for the bell.
        with django_assert_num_queries(5):
            client.get("/notices/?show=new")


def test_everything_is_taken_as_read(team: Team) -> None:
    _tell(team, 2)
    client = _client(team)
    assert client.post("/notices/read/")["Location"] == "/notices/"
    assert "Nothing here" in client.get("/notices/?show=new").content.decode()
