"""Upload, dry run, confirmation, job and export over the API."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from annotation.models import Claim
from annotation.services.members import suspend_member
from corpus.models import Document, Job, StoredFile
from tests.annotation.api.client import Api
from tests.annotation.transfers import document
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
Commits = Callable[..., Any]

LINES = [
    document(1, "Tea was brewed.", "Cats slept."),
    document(2, "Dogs ran.", "Nobody slept."),
]
CLAIM = {
    "id": 1,
    "claim": "Tea makes cats sleep.",
    "evidence": {"1": [{"sentences": [1], "label": "SUPPORT"}]},
    "cited_doc_ids": [1],
}


@pytest.fixture
def team() -> Team:
    return make_team()


@pytest.fixture
def committing(
    django_capture_on_commit_callbacks: Commits,
) -> Callable[[Api, str, dict[str, Any]], Any]:
    """Post, and let the queued job run as it would after the commit."""

    def post(api: Api, path: str, body: dict[str, Any]) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            answer = api.post(path, **body)
        if api.status != 202:
            return answer
        return api.get(f"/jobs/{answer['token']}")

    return post


def upload(api: Api, *lines: Any, name: str = "corpus.jsonl") -> str:
    content = "".join(json.dumps(line) + "\n" for line in lines)
    file = io.BytesIO(content.encode())
    file.name = name
    token: str = api.upload("/files", file=file)["token"]
    assert api.status == 201
    return token


def test_a_corpus_is_checked_confirmed_imported_and_exported(
    team: Team, committing: Any
) -> None:
    api, root = Api(team.admin), f"/corpora/{team.corpus.slug}"
    token = upload(api, *LINES)
    check = committing(api, f"{root}/checks", {"file": token, "format": "scifact"})
    assert (check["state"], check["result"]["report"]["new"]) == ("done", 2)
    assert Document.objects.count() == 0, "a check writes nothing"
    done = committing(api, "/imports", {"check_token": check["token"]})
    assert (done["state"], Document.objects.count()) == ("done", 2)
    again = committing(api, "/imports", {"check_token": check["token"]})
    assert again["result"]["report"]["identical"] == 2
    written = committing(api, f"{root}/exports", {"format": "scifact"})
    content = api.get(f"/files/{written['result']['file']}/content")
    with StoredFile.objects.get(token=token).file.open() as uploaded:
        assert content == uploaded.read()
    manifest = api.get(f"/files/{written['result']['manifest']}/content")
    assert json.loads(manifest)["counts"]["included"] == 2


def test_claims_are_checked_confirmed_imported_and_exported(
    team: Team, committing: Any
) -> None:
    api, root = Api(team.admin), f"/projects/{team.project.slug}"
    corpus = f"/corpora/{team.corpus.slug}/checks"
    file = {"file": upload(api, *LINES), "format": "scifact"}
    check = committing(api, corpus, file)
    committing(api, "/imports", {"check_token": check["token"]})
    token = upload(api, CLAIM, name="claims.jsonl")
    file = {"file": token, "format": "scifact", "split": "train"}
    check = committing(api, f"{root}/checks", file)
    committing(api, "/imports", {"check_token": check["token"]})
    claim = Claim.objects.get()
    assert (claim.state, claim.split and claim.split.name) == ("imported", "train")
    body = {"format": "scifact", "split": "train"}
    written = committing(api, f"{root}/exports", body)
    content = api.get(f"/files/{written['result']['file']}/content")
    assert json.loads(content) == CLAIM
    maps = [{"instead_of": "SUPPORT", "write": "NOT_ENOUGH_INFO"}]
    job = committing(api, f"{root}/exports", {"format": "core", "label_map": maps})
    assert Job.objects.get(token=job["token"]).payload["label_map"] == {
        "SUPPORT": "NOT_ENOUGH_INFO"
    }


def test_a_spreadsheet_is_read_by_its_columns(team: Team, committing: Any) -> None:
    api = Api(team.admin)
    file = io.BytesIO(b"Key,Heading,Text\n7,Tea,Cats slept. Dogs ran.\n")
    file.name = "mine.csv"
    token = api.upload("/files", file=file)["token"]
    columns = api.get(f"/files/{token}/columns")
    assert columns["columns"] == ["Key", "Heading", "Text"]
    assert columns["guess"] == {"id": "Key"}
    url = f"/corpora/{team.corpus.slug}/checks"
    bad = api.post(url, file=token, mapping={"id": "Key"})
    assert (api.status, set(bad["errors"])) == (400, {"mapping"})
    mapping = {"id": "Key", "title": "Heading", "abstract": "Text"}
    check = committing(api, url, {"file": token, "mapping": mapping})
    committing(api, "/imports", {"check_token": check["token"]})
    assert Document.objects.get().sentences == ["Cats slept.", "Dogs ran."]


def test_a_file_with_errors_is_not_imported(team: Team, committing: Any) -> None:
    api = Api(team.admin)
    token = upload(api, LINES[0], {"doc_id": 2.5})
    url = f"/corpora/{team.corpus.slug}/checks"
    check = committing(api, url, {"file": token, "format": "scifact"})
    problem = check["result"]["problems"][0]
    assert (problem["line"], problem["severity"]) == (2, "error")
    refused = api.post("/imports", check_token=check["token"])
    assert (api.status, "has errors" in refused["message"]) == (409, True)


def test_bad_requests_name_their_fields(team: Team) -> None:
    api = Api(team.admin)
    corpus, project = f"/corpora/{team.corpus.slug}", f"/projects/{team.project.slug}"
    token = upload(api, *LINES)
    cases: list[tuple[str, dict[str, Any], set[str]]] = [
        (f"{corpus}/checks", {"file": token}, {"format"}),
        (f"{corpus}/checks", {"file": token, "format": "excel"}, {"format"}),
        (f"{corpus}/checks", {"file": token, "format": "core"}, {"format"}),
        (f"{corpus}/checks", {"format": "scifact"}, {"file"}),
        (f"{project}/checks", {"file": token}, {"format"}),
        (f"{corpus}/exports", {"format": "core"}, {"format"}),
        (f"{project}/exports", {"format": "fever"}, {"format"}),
        (
            f"{project}/exports",
            {"format": "scifact", "states": ["good"]},
            {"states.0"},
        ),
        ("/imports", {}, {"check_token"}),
    ]
    for path, body, fields in cases:
        answer = api.post(path, **body)
        assert (api.status, set(answer["errors"])) == (400, fields), (path, body)
    empty = api.upload("/files")
    assert (api.status, set(empty["errors"])) == (400, {"file"})
    empty_table = api.get(f"/files/{upload(api, name='none.csv')}/columns")
    assert (api.status, set(empty_table["errors"])) == (400, {"file"})


def test_who_may_not_change_a_corpus_or_project_may_not_import_or_export(
    team: Team,
) -> None:
    corpus, project = f"/corpora/{team.corpus.slug}", f"/projects/{team.project.slug}"
    paths = [f"{where}/{what}" for where in (corpus, project) for what in _BOTH]
    for user, status in ((team.reviewer, 403), (team.outsider, 404)):
        api = Api(user)
        for path in paths:
            api.post(path, format="scifact", file="x")
            assert api.status == status, path


_BOTH = ("checks", "exports")


def test_files_and_jobs_belong_to_one_person(team: Team, committing: Any) -> None:
    api, other = Api(team.admin), Api(team.reviewer)
    token = upload(api, *LINES)
    url = f"/corpora/{team.corpus.slug}/checks"
    check = committing(api, url, {"file": token, "format": "scifact"})
    paths = (f"/files/{token}", f"/files/{token}/content", f"/files/{token}/columns")
    for path in (*paths, f"/jobs/{check['token']}"):
        other.get(path)
        assert other.status == 404, path
    other.post("/imports", check_token=check["token"])
    assert other.status == 404
    assert other.get("/jobs")["items"] == []
    assert [job["token"] for job in api.get("/jobs")["items"]] == [check["token"]]
    stranger = make_team(name="Stranger")
    thief = Api(stranger.admin)
    thief.post(f"/corpora/{stranger.corpus.slug}/checks", file=token, format="scifact")
    assert thief.status == 404, "somebody else's upload"


def test_a_confirmation_needs_the_permission_of_that_moment(
    team: Team, committing: Any
) -> None:
    second = make_team(name="Second", visibility="instance")
    project = second.project
    membership = second.membership(second.reviewer)
    membership.stages = ["admin"]
    membership.save(update_fields=["stages"])
    api = Api(second.reviewer)
    token = upload(api, CLAIM)
    url = f"/projects/{project.slug}/checks"
    check = committing(api, url, {"file": token, "format": "scifact"})
    suspend_member(membership=membership, actor=second.admin)
    api.post("/imports", check_token=check["token"])
    assert api.status == 403


def test_a_waiting_job_can_be_cancelled(team: Team) -> None:
    api = Api(team.admin)
    token = upload(api, *LINES)
    url = f"/corpora/{team.corpus.slug}/checks"
    job = api.post(url, file=token, format="scifact")
    assert (api.status, job["state"], job["is_worker_missing"]) == (202, "queued", True)
    api.post("/imports", check_token=job["token"])
    assert api.status == 409, "the check is not done"
    assert api.delete(f"/jobs/{job['token']}")["state"] == "cancelled"


def test_an_upload_has_a_limit(team: Team, settings: Any) -> None:
    settings.UPLOAD_LIMIT_BYTES = 10
    api = Api(team.admin)
    file = io.BytesIO(b"x" * 11)
    file.name = "big.csv"
    answer = api.upload("/files", file=file)
    assert (api.status, "too large" in answer["message"]) == (409, True)


def test_formats_say_what_they_hold() -> None:
    formats = {entry["name"]: entry for entry in Api(None).get("/formats")["items"]}
    assert formats["scifact"]["reads"] == ["documents", "claims"]
    assert formats["fever"]["writes"] == []
    assert formats["core"]["labels"]["MIXED"] == "INCONCLUSIVE"
