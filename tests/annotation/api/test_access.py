"""Who gets in: tokens, sessions, scopes, and the one shape of errors."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Project
from corpus.models import ApiToken, User
from corpus.tokens import create_token, revoke_token
from tests.annotation.api.client import ROOT, Api
from tests.factories import PASSWORD, Team, UserFactory, make_team

pytestmark = pytest.mark.django_db


def test_a_token_acts_for_its_owner(team: Team) -> None:
    api = Api(team.annotator, ["read"])
    me = api.get("/me")
    assert me["email"] == team.annotator.email
    assert me["scopes"] == ["read"]
    assert ApiToken.objects.get().last_used_at is not None


def test_a_token_that_does_not_work_is_401(team: Team) -> None:
    soon = timezone.now() - timedelta(seconds=1)
    _, expired = create_token(
        user=team.admin, name="old", scopes=["read"], expires_at=soon
    )
    token, revoked = create_token(user=team.admin, name="leaked", scopes=["read"])
    revoke_token(token=token)
    _, gone = create_token(user=team.outsider, name="gone", scopes=["read"])
    User.objects.filter(pk=team.outsider.pk).update(is_active=False)
    for key in (expired, revoked, gone, "", "nonsense", "claimdesk_", "\xff"):
        client = Client(headers={"Authorization": f"Bearer {key}"})
        for path in ("/me", "/projects"):
            response = client.get(f"{ROOT}{path}")
            assert response.status_code == 401, (key, path)
            assert response["WWW-Authenticate"].startswith("Bearer")
            assert "does not work" in response.json()["message"]


def test_nobody_without_an_account_gets_in(team: Team) -> None:
    api = Api(None)
    assert api.get("/me")["message"]
    assert api.status == 401
    api.post("/projects", name="Mine", protocol="scifact")
    assert api.status == 401
    assert Project.objects.count() == 1


def test_everybody_reads_what_is_public(team: Team) -> None:
    public = make_team(name="Open", visibility="public")
    listed = Api(None).get("/projects")
    assert [project["name"] for project in listed["items"]] == ["Open"]
    anonymous = Api(None)
    assert anonymous.get(f"/projects/{public.project.slug}")["membership"] is None
    assert anonymous.get(f"/projects/{public.project.slug}/claims")["errors"] == {}
    assert anonymous.status == 401
    anonymous.get(f"/projects/{team.project.slug}")
    assert anonymous.status == 404


@pytest.mark.parametrize(
    ("scopes", "method", "path", "scope"),
    [
        (["write", "import", "admin"], "GET", "/projects", "read"),
        (["write", "import", "admin"], "GET", "/me", "read"),
        (
            ["read", "import", "admin"],
            "POST",
            "/projects/{slug}/sources/1/skip",
            "write",
        ),
        (["read", "admin"], "POST", "/projects/{slug}/acceptances", "write"),
        (["read", "write", "import"], "POST", "/projects", "admin"),
        (["read", "write", "import"], "PATCH", "/projects/{slug}", "admin"),
        (["read", "write", "import"], "POST", "/projects/{slug}/guidelines", "admin"),
        (["read", "write", "import"], "DELETE", "/me/tokens/1", "admin"),
        (["read", "write", "admin"], "POST", "/files", "import"),
        (["read", "write", "admin"], "DELETE", "/jobs/x", "import"),
    ],
)
def test_a_token_without_the_scope_is_403(
    team: Team, scopes: list[str], method: str, path: str, scope: str
) -> None:
    api = Api(team.admin, scopes)
    answer = api.send(method, path.format(slug=team.project.slug), {})
    assert api.status == 403
    assert f"“{scope}”" in answer["message"]


def test_scopes_never_widen_what_a_person_may_do(team: Team) -> None:
    api = Api(team.annotator)
    api.patch(f"/projects/{team.project.slug}", seen="x", name="Mine")
    assert api.status == 403
    api.get(f"/projects/{team.project.slug}/members")
    assert api.status == 403
    outsider = Api(team.outsider)
    outsider.get(f"/projects/{team.project.slug}")
    assert outsider.status == 404
    suspended = Api(team.suspended)
    suspended.get(f"/projects/{team.project.slug}/claims")
    assert suspended.status == 404


def test_a_browser_session_needs_the_csrf_token_to_write(team: Team) -> None:
    browser = Client(enforce_csrf_checks=True)
    assert browser.login(username=team.admin.username, password=PASSWORD)
    assert browser.get(f"{ROOT}/me").json()["scopes"] == ApiToken.Scope.values
    body = {"name": "Another", "protocol": "core"}
    url = f"{ROOT}/projects"
    refused = browser.post(url, body, content_type="application/json")
    assert refused.status_code == 403
    assert "CSRF" in refused.json()["message"]
    token = browser.get("/accounts/logout/").cookies["csrftoken"].value
    allowed = browser.post(
        url, body, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert allowed.status_code == 201


def test_a_wrong_method_is_405(team: Team) -> None:
    api = Api(team.admin)
    assert api.delete("/projects")["message"]
    assert api.status == 405
    assert api.headers["Allow"] == "GET, POST, HEAD, OPTIONS"
    anonymous = Api(None)
    anonymous.put("/me")
    assert anonymous.status == 405


def test_options_tell_nothing_to_strangers(team: Team) -> None:
    anonymous, member = Api(None), Api(team.reviewer, ["read"])
    path = f"/projects/{team.project.slug}/members"
    assert set(anonymous.send("OPTIONS", path, {})) == {"message", "errors"}
    assert anonymous.status == 401
    assert team.admin.username not in str(member.send("OPTIONS", path, {}))
    assert member.status == 200


def test_an_unknown_address_is_404_in_the_same_shape() -> None:
    api = Api(None)
    assert api.get("/nothing/here") == {
        "message": "There is no such endpoint. See /api/docs/.",
        "errors": {},
    }
    assert api.status == 404


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "not valid JSON"),
        (b"\xff", "not Unicode"),
        (b'{"name": "\\ud800"}', "not Unicode"),
        (b'{"name": NaN}', "NaN is no JSON number"),
        (b"[" * 100_000, "nested too deeply"),
        (b'"' + b"x" * 5_300_000 + b'"', "at most"),
    ],
    ids=["cut off", "no UTF-8", "lone surrogate", "NaN", "deep", "large"],
)
def test_a_body_that_cannot_be_read_is_400(team: Team, body: bytes, words: str) -> None:
    api = Api(team.admin)
    answer = api.send("POST", "/projects", body)
    assert api.status == 400
    assert words in answer["message"]


def test_bad_values_are_named_field_by_field(team: Team) -> None:
    api = Api(team.admin)
    answer = api.post("/projects", name="x" * 121, protocol="scrum", corpus="a b")
    assert api.status == 400
    assert set(answer["errors"]) == {"name", "protocol", "corpus"}
    assert all(isinstance(words, list) for words in answer["errors"].values())
    api.send("POST", "/projects", [1, 2])
    assert api.status == 400
    other = Client(headers={"Authorization": f"Bearer {api.key}"})
    form = other.post(f"{ROOT}/projects", {"name": "No JSON"})
    assert form.status_code == 415


@pytest.mark.parametrize("after", ["x", "-1", "9" * 30, "1.5", "\x00"])
def test_a_bad_page_is_400(team: Team, after: str) -> None:
    api = Api(team.admin)
    answer = api.get("/projects", after=after)
    assert api.status == 400
    assert set(answer["errors"]) == {"after"}


def test_lists_come_in_pages_that_stay_correct(team: Team) -> None:
    for _ in range(4):
        make_team(name=UserFactory().username, visibility="instance")
    api = Api(team.admin)
    names, page = [], api.get("/projects", size=2)
    while True:
        names += [project["name"] for project in page["items"]]
        if page["next"] is None:
            break
        page = api.get(page["next"].split(ROOT)[1])
    assert names == list(Project.objects.order_by("pk").values_list("name", flat=True))


def test_anonymous_readers_are_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    from corpus.api_access import AnonymousThrottle

    monkeypatch.setattr(AnonymousThrottle, "THROTTLE_RATES", {"anon": "2/min"})
    api = Api(None)
    seen = []
    for _ in range(3):
        api.get("/projects")
        seen.append(api.status)
    assert seen == [200, 200, 429]
    assert "Retry-After" in api.headers


class TestTokens:
    """Tokens over the API."""

    def test_people_list_their_own(self, team: Team) -> None:
        Api(team.reviewer)
        api = Api(team.admin)
        (token,) = api.get("/me/tokens")["items"]
        assert token["id"] == api.token.pk
        assert "key_hash" not in token

    def test_a_token_cannot_make_tokens(self, team: Team) -> None:
        api = Api(team.admin)
        api.post("/me/tokens", name="More", scopes=["read"])
        assert api.status == 403
        assert ApiToken.objects.count() == 1

    def test_a_signed_in_person_can(self, team: Team) -> None:
        client = Client()
        client.force_login(team.admin)
        url, kind = f"{ROOT}/me/tokens", "application/json"
        body = {"name": "Notebook", "scopes": ["read", "write"]}
        answer = client.post(url, body, kind)
        assert answer.status_code == 201
        key = answer.json()["key"]
        answer = client.get(f"{ROOT}/me", headers={"Authorization": f"Bearer {key}"})
        assert answer.json()["scopes"] == ["read", "write"]
        past = {**body, "expires_at": "2020-01-01T00:00:00Z"}
        answer = client.post(url, past, kind)
        assert answer.status_code == 400
        assert set(answer.json()["errors"]) == {"expires_at"}

    def test_revoking_works_once_and_for_own_tokens_only(self, team: Team) -> None:
        stranger, api = Api(team.reviewer), Api(team.admin)
        stranger.delete(f"/me/tokens/{api.token.pk}")
        assert stranger.status == 404
        api.delete(f"/me/tokens/{api.token.pk}")
        assert api.status == 204
        api.get("/me")
        assert api.status == 401


def test_a_fault_of_ours_has_the_same_shape(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: User) -> str:
        raise RuntimeError("broken")

    monkeypatch.setattr(User, "display_name", property(broken))
    api = Api(team.admin)
    api.client.raise_request_exception = False
    answer = api.get("/me")
    assert (api.status, set(answer)) == (500, {"message", "errors"})
