"""Evidence by the API: asking without an account, answers, marks and batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from corpus.models import Corpus, User
from corpus.tokens import create_token
from tests.factories import CorpusFactory, DocumentFactory, UserFactory
from tests.verification.checks import CLAIM, kept_check, make_check, public_corpus
from tests.verification.systems import install_system
from verification.models import FactCheck
from verification.services import evidence_limits
from verification.worker.warm import WARM

pytestmark = pytest.mark.django_db

JSON = "application/json"


@pytest.fixture(autouse=True)
def _system(settings: Settings, tmp_path: Path) -> Iterator[None]:
    settings.DATA_DIR = tmp_path
    install_system()
    yield
    WARM.systems.clear()
    WARM.corpora.clear()


@pytest.fixture
def corpus() -> Corpus:
    made = public_corpus(name="Teas")
    DocumentFactory(corpus=made, external_id="7")
    return made


def send(
    client: Client, method: str, path: str, body: dict[str, Any], user: User | None
) -> Any:
    extra = {}
    if user is not None:
        _, key = create_token(user=user, name="test", scopes=["read", "write"])
        extra["headers"] = {"authorization": f"Bearer {key}"}
    return getattr(client, method)(
        f"/api/v1/{path}", body or None, content_type=JSON, **extra
    )


def test_a_visitor_asks_and_reads_the_answer(
    client: Client,
    corpus: Corpus,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    systems = client.get("/api/v1/systems").json()["items"]
    wanted = {"claim": CLAIM, "corpus": corpus.slug, "system": systems[-1]["name"]}
    with django_capture_on_commit_callbacks(execute=True):
        asked = send(client, "post", "evidence", wanted, None)
    assert asked.status_code == 202
    assert asked.json()["state"] == "waiting"
    token = asked.json()["token"]
    answer = client.get(f"/api/v1/evidence/{token}").json()
    assert (answer["state"], answer["searched"]["abstracts"]) == ("done", 1)
    assert answer["abstracts"][0]["document"] == "7"
    kept = send(client, "post", f"evidence/{token}/keep", {}, None)
    assert kept.json()["kept_at"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"corpus": "hidden"}, "corpus"),
        ({"corpus": "nowhere"}, "corpus"),
        ({"claim": ""}, "claim"),
        ({"claim": "x" * 1001}, "claim"),
    ],
)
def test_a_wrong_question_is_told_by_field(
    client: Client, corpus: Corpus, change: dict[str, str], field: str
) -> None:
    CorpusFactory(slug="hidden")
    wanted = {"claim": CLAIM, "corpus": corpus.slug, "system": "plain", **change}
    response = send(client, "post", "evidence", wanted, None)
    assert response.status_code == 400
    assert list(response.json()["errors"]) == [field]
    assert not FactCheck.objects.exists()


def test_an_unknown_system_is_refused_in_words(client: Client, corpus: Corpus) -> None:
    wanted = {"claim": CLAIM, "corpus": corpus.slug, "system": "nowhere"}
    response = send(client, "post", "evidence", wanted, None)
    assert response.status_code == 409
    assert "no system nowhere" in response.json()["message"]


def test_the_limit_is_that_of_the_page(
    client: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_limits, "VISITOR_CLAIMS", 1)
    wanted = {"claim": CLAIM, "corpus": corpus.slug, "system": "plain"}
    client.post("/evidence/", wanted)
    response = send(client, "post", "evidence", wanted, None)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 3500


def test_an_expert_reads_and_changes_only_own_marks(client: Client) -> None:
    check, expert = kept_check(), UserFactory()
    path = f"evidence/{check.token}/marks"
    mark = {"document": "11", "is_plausible": True}
    assert send(client, "put", path, mark, expert).json() == {"marks": {"11": True}}
    other = send(client, "get", path, {}, UserFactory())
    assert other.json() == {"marks": {}}
    taken_back = send(client, "put", path, {**mark, "is_plausible": None}, expert)
    assert taken_back.json() == {"marks": {}}
    unkept = send(client, "put", f"evidence/{make_check().token}/marks", mark, expert)
    assert unkept.status_code == 409


def test_a_batch_is_made_followed_and_read(
    client: Client,
    corpus: Corpus,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    person = UserFactory()
    wanted = {
        "name": "Spring",
        "corpus": corpus.slug,
        "system": "plain",
        "claims": [{"claim": "Tea helps.", "id": "a"}, {"claim": "Rain falls."}],
    }
    with django_capture_on_commit_callbacks(execute=True):
        made = send(client, "post", "claim-batches", wanted, person)
    assert made.status_code == 202
    assert made.json()["progress"] == {"done": 0, "failed": 0, "total": 2}
    path = f"claim-batches/{made.json()['token']}"
    batch = send(client, "get", path, {}, person).json()
    assert batch["progress"]["done"] == 2
    assert batch["plausibility"]["undecided"] > 0
    assert send(client, "get", path, {}, UserFactory()).json()["plausibility"] is None
    answers = send(client, "get", f"{path}/answers", {}, person).json()
    assert [entry["id"] for entry in answers["items"]] == ["a", None]
    assert answers["items"][0]["abstracts"]


@pytest.mark.parametrize(
    "claims",
    [
        [],
        [{"claim": " "}],
        [{"claim": "A.", "id": "7"}, {"claim": "B.", "id": "7"}],
        [{"claim": "A."}] * 501,
    ],
)
def test_a_faulty_batch_makes_nothing(
    client: Client, corpus: Corpus, claims: list[dict[str, str]]
) -> None:
    wanted = {"name": "S", "corpus": corpus.slug, "system": "plain", "claims": claims}
    response = send(client, "post", "claim-batches", wanted, UserFactory())
    assert response.status_code == 400
    assert any(name.startswith("claims") for name in response.json()["errors"])
    assert not FactCheck.objects.exists()
