"""Projects, their settings and texts, members and one's own data over the API."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Acceptance, Membership, Project
from annotation.services.projects import create_corpus
from corpus.models import Event
from tests.annotation.api.client import Api
from tests.factories import Team, UserFactory, make_team

pytestmark = pytest.mark.django_db


def test_a_person_creates_a_project_and_becomes_its_admin(team: Team) -> None:
    api = Api(team.outsider)
    made = api.post("/projects", name="Sleep", protocol="core")
    assert (api.status, made["slug"], made["corpus"]) == (201, "sleep", "sleep")
    assert set(made["membership"]["stages"]) >= {"write", "admin"}
    assert [label["word"] for label in made["labels"]] == [
        "ENTAIL",
        "CONTRADICT",
        "INCONCLUSIVE",
    ]
    again = api.post("/projects", name="Sleep", protocol="core")
    assert again["slug"] == "sleep", "one form sent twice"
    api.post("/projects", name="Sleep", protocol="scifact")
    assert api.status == 409


def test_a_project_is_built_on_a_corpus_that_one_may_change(team: Team) -> None:
    create_corpus(name="Mine", owner=team.outsider)
    api = Api(team.outsider)
    assert api.post("/projects", name="A", protocol="scifact", corpus="mine")
    assert api.status == 201
    bad = api.post("/projects", name="B", protocol="scifact", corpus=team.corpus.slug)
    assert (api.status, set(bad["errors"])) == (400, {"corpus"})


def test_settings_change_one_by_one(team: Team) -> None:
    api, url = Api(team.admin), f"/projects/{team.project.slug}"
    shown = api.get(url)
    labels = [
        {"label": "SUPPORT", "word": "YES"},
        {"label": "CONTRADICT", "word": "NO"},
    ]
    changed = api.patch(
        url,
        seen=shown["seen"],
        name="Herbs",
        settings={"judgements_per_pair": 2},
        labels=labels,
    )
    assert api.status == 200
    assert (changed["name"], changed["slug"]) == ("Herbs", shown["slug"])
    assert changed["settings"] == {**shown["settings"], "judgements_per_pair": 2}
    assert changed["labels"] == labels
    api.patch(url, seen=shown["seen"], name="Weeds")
    assert api.status == 409, "somebody has changed the settings since"
    bad = api.patch(
        url,
        seen=changed["seen"],
        settings={"judgements_per_pair": 0, "wizard": True, "source": ["x"]},
    )
    assert api.status == 400
    assert set(bad["errors"]) == {"judgements_per_pair", "wizard", "source"}
    same = [{"label": "SUPPORT", "word": "YES"}] * 2
    assert set(api.patch(url, seen="x", labels=same)["errors"]) == {"labels"}
    assert set(api.patch(url, name="x")["errors"]) == {"seen"}


def test_a_project_is_archived_and_restored(team: Team) -> None:
    api, url = Api(team.admin), f"/projects/{team.project.slug}/archive"
    assert api.put(url)["archived_at"]
    assert api.put(url)["archived_at"], "twice is once"
    assert Event.objects.filter(verb="archive").count() == 1
    assert api.delete(url)["archived_at"] is None
    assert Api(team.reviewer).put(url)["message"]
    assert Project.objects.get().archived_at is None


def test_texts_are_published_version_by_version(team: Team) -> None:
    api, root = Api(team.admin), f"/projects/{team.project.slug}"
    made = api.post(
        f"{root}/guidelines", text="Read\r\nit.", change_note="Shorter", based_on=1
    )
    assert (api.status, made["version"], made["text"]) == (201, 2, "Read\nit.")
    api.post(f"{root}/guidelines", text="Late", change_note="x", based_on=1)
    assert api.status == 409
    versions = api.get(f"{root}/guidelines")["items"]
    assert [text["version"] for text in versions] == [1, 2]
    bad = api.post(f"{root}/consent-texts", text="")
    assert (api.status, set(bad["errors"])) == (400, {"text", "based_on"})
    api.post(f"{root}/consent-texts", text="All is published.", based_on=1)
    assert api.status == 201
    writer = Api(team.annotator)
    pending = writer.get(f"{root}/acceptances")["pending"]
    assert [(text["kind"], text["version"]) for text in pending] == [
        ("consenttext", 2),
        ("guideline", 2),
    ]
    writer.get(f"{root}/next/write")
    assert writer.status == 403
    writer.post(f"{root}/acceptances", kind="guideline", version=1)
    assert writer.status == 409, "an old version is not accepted any more"
    writer.post(f"{root}/guidelines", text="Mine", change_note="x", based_on=2)
    assert writer.status == 403
    assert Acceptance.objects.filter(user=team.annotator).count() == 2


def test_guidelines_of_public_projects_are_public_consent_texts_are_not() -> None:
    public = make_team(name="Open", visibility="public")
    anonymous, stranger = Api(None), Api(public.outsider)
    root = f"/projects/{public.project.slug}"
    assert len(anonymous.get(f"{root}/guidelines")["items"]) == 1
    anonymous.get(f"{root}/consent-texts")
    assert anonymous.status == 401
    stranger.get(f"{root}/consent-texts")
    assert stranger.status == 403
    stranger.get(f"{root}/acceptances")
    assert stranger.status == 403


def test_admins_change_what_members_may_do(team: Team) -> None:
    api, root = Api(team.admin), f"/projects/{team.project.slug}/members"
    members = api.get(root)["items"]
    assert {member["state"] for member in members} == {"trusted", "suspended"}
    pk = team.membership(team.annotator).pk
    changed = api.patch(
        f"{root}/{pk}", stages=["verify"], state="suspended", why="Away"
    )
    assert (changed["stages"], changed["state"]) == (["verify"], "suspended")
    assert api.patch(f"{root}/{pk}", state="probation")["state"] == "probation"
    assert api.patch(f"{root}/{pk}", state="trusted")["state"] == "trusted"
    api.patch(f"{root}/{pk}", state="trusted")
    assert api.status == 409
    mine = team.membership(team.admin).pk
    refused = api.patch(f"{root}/{mine}", stages=[])
    assert (api.status, "only admin" in refused["message"]) == (409, True)
    bad = api.patch(f"{root}/{pk}", stages=["rule"], state="king")
    assert (api.status, set(bad["errors"])) == (400, {"stages.0", "state"})
    other = make_team(name="Other")
    foreign = other.membership(other.annotator).pk
    api.patch(f"{root}/{foreign}", stages=[])
    assert api.status == 404
    reviewer = Api(team.reviewer)
    reviewer.patch(f"{root}/{pk}", stages=["admin"])
    assert reviewer.status == 403


def test_an_invitation_lets_people_in_until_it_is_revoked(team: Team) -> None:
    api, root = Api(team.admin), f"/projects/{team.project.slug}/invitations"
    made = api.post(root, stages=["verify"], max_uses=2, note="Lab")
    assert api.status == 201
    (listed,) = api.get(root)["items"]
    assert listed == {key: value for key, value in made.items() if key != "secret"}
    guest = Api(team.outsider)
    joined = guest.post("/invitations", secret=made["secret"])
    assert joined == {"state": "probation", "stages": ["verify"]}
    api.delete(f"{root}/{made['id']}")
    assert api.status == 204
    late = Api(UserFactory())
    late.post("/invitations", secret=made["secret"])
    assert late.status == 409
    shut_out = Api(team.suspended)
    shut_out.post("/invitations", secret=made["secret"])
    assert shut_out.status == 409
    bad = api.post(root, stages=[], max_uses=0)
    assert (api.status, set(bad["errors"])) == (400, {"stages", "max_uses"})
    members = Membership.objects.filter(project=team.project, user=team.outsider)
    assert members.count() == 1


def test_people_read_what_is_kept_about_them(team: Team) -> None:
    api = Api(team.annotator)
    data = json.loads(api.get("/me/data"))
    assert data["account"][0]["email"] == team.annotator.email
    assert len(data["accepted_texts"]) == 2
    assert team.reviewer.email not in json.dumps(data)
    assert api.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["", "/{slug}/members", "/{slug}/guidelines"])
def test_lists_have_constant_query_counts(team: Team, path: str) -> None:
    api, counts = Api(team.admin), []
    api.get("/me")
    for number in range(2):
        make_team(name=f"More {number}", visibility="instance")
        with CaptureQueriesContext(connection) as queries:
            api.get(f"/projects{path.format(slug=team.project.slug)}")
        assert api.status == 200
        counts.append(len(queries))
        UserFactory.create_batch(2)
        for user in UserFactory.create_batch(2):
            Membership.objects.create(project=team.project, user=user)
    assert counts[0] == counts[1]
