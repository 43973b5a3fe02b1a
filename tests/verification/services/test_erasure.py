"""Erasing a person and handing out what is kept, where benchmarks keep something."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from annotation.selectors.personal_data import personal_data_json
from annotation.services.erasure import erase_identity
from corpus.exceptions import DomainError
from corpus.jobs import start_job
from corpus.models import Event, User
from tests.factories import UserFactory
from tests.verification.board import make_benchmark, make_phase, published, upload
from verification.models import Phase, Submission, Team
from verification.organiser_links import token_of
from verification.services.benchmarks import add_organiser, announce
from verification.services.submissions import Metadata, describe
from verification.services.teams import create_team, rename_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    """Somebody whose name stands in many places."""
    user: User = UserFactory(
        username="brynmossman", first_name="Bryn", last_name="Mossman"
    )
    return user


@pytest.fixture
def phase() -> Phase:
    """An open phase of somebody else's benchmark."""
    return make_phase()


def _everything() -> str:
    rows = [list(model.objects.values()) for model in (Submission, Team)]
    events = list(Event.objects.values_list("payload", "why"))
    return json.dumps([rows, events], default=str)


def test_a_name_goes_from_submissions_teams_and_their_events(
    person: User, phase: Phase
) -> None:
    team = create_team(name="Bryn Mossman's lab", founder=person)
    rename_team(team=team, member=person, name="Lab of Bryn Mossman")
    entry = published(upload(phase, person, team=team))
    about = {
        "system": "Mossman-1 by Bryn Mossman",
        "description": "Write to brynmossman@example.org.",
        "code_url": "https://example.org/brynmossman/",
        "external_data": "Notes of Bryn Mossman.",
    }
    describe(submission=entry, actor=person, metadata=Metadata(**about))
    announce(
        benchmark=phase.benchmark,
        organiser=phase.benchmark.organisers.get(),
        text="Bryn Mossman leads.",
    )
    assert "Bryn Mossman" in _everything()
    erased = erase_identity(user=person, actor=person)
    left = _everything()
    for word in ("Bryn Mossman", "brynmossman"):
        assert word not in left
    assert phase.benchmark.announcements.get().text == f"{erased.pseudonym} leads."
    entry.refresh_from_db()
    assert entry.submitter == erased
    assert entry.standing == "published"
    assert list(team.members.all()) == [erased]


def test_a_longer_pseudonym_fits_its_column(person: User) -> None:
    team = create_team(name="Bryn Mossman " + "x" * 107, founder=person)
    erased = erase_identity(user=person, actor=person)
    team.refresh_from_db()
    assert team.name.startswith(erased.pseudonym)
    assert len(team.name) <= 120


def test_what_was_filled_in_for_gold_that_was_refused_is_forgotten(
    person: User,
) -> None:
    start = {"files": {}, "about": {"description": "By Bryn Mossman."}}
    job = start_job(kind="check_gold", owner=person, payload=start)
    erase_identity(user=person, actor=person)
    job.refresh_from_db()
    assert job.payload == {}


def test_the_only_organiser_of_a_benchmark_is_not_erased(person: User) -> None:
    benchmark, other = make_benchmark(person), UserFactory()
    with pytest.raises(DomainError, match="the only organiser of “Moss and rain”"):
        erase_identity(user=person, actor=person)
    add_organiser(token=token_of(benchmark), person=other)
    assert erase_identity(user=person, actor=person).erased_at


def test_what_is_kept_about_me_names_submissions_and_teams(
    person: User, phase: Phase
) -> None:
    team = create_team(name="Moss lab", founder=person)
    published(upload(phase, person, team=team))
    make_benchmark(person, name="Rain")
    data = json.loads("".join(personal_data_json(person)))
    (submission,) = data["submissions"]
    assert submission["phase__benchmark__name"] == "Moss and rain"
    assert submission["team__name"] == "Moss lab"
    assert [team["name"] for team in data["teams"]] == ["Moss lab"]
    assert [made["name"] for made in data["organised_benchmarks"]] == ["Rain"]
    client = Client()
    client.force_login(person)
    page = client.get("/me/").content.decode()
    assert "Benchmarks that you organise" in page


def test_a_blind_score_is_not_handed_out(person: User) -> None:
    entry = published(upload(make_phase(shows="nothing"), person))
    data = "".join(personal_data_json(person))
    assert entry.scores.get().signature not in data
    assert '"primary"' not in data.split('"submissions"')[1]
