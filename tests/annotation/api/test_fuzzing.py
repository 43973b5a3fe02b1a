"""No endpoint falls over, whoever asks and whatever they send.

Schemathesis makes requests from the description of the API: some as it demands,
some that break it. The objects in the addresses are real ones. Every answer must be
one that the description knows, in the shape that it says, and never a 500.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from annotation.models import Claim, Judgement, Pair
from corpus.api_access import AnonymousThrottle
from corpus.models import Document, Job, StoredFile
from tests.annotation.api.client import Api
from tests.annotation.work import approved, judged, written
from tests.factories import Team, make_team
from tests.verification.board import checked, make_phase
from tests.verification.board import upload as upload_predictions

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    # The WSGI client of Schemathesis leaves uploads to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
BOUNDED = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Keep the connection of the test's transaction, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
    # What is left of uploads goes here, where it is allowed, not in a later test.
    gc.collect()


@pytest.fixture
def team() -> Team:
    """A project with work in several states."""
    team = make_team(citances=4, visibility="public")
    team.corpus.visibility = "public"
    team.corpus.save(update_fields=["visibility"])
    judged(approved(team).pairs.get(), team.other_annotator)
    approved(team, "Nettles sting.")
    written(team, "Tea is hot.")
    return team


def real_objects(team: Team, api: Api) -> dict[str, Any]:
    """Return what stands in the addresses."""
    file = StoredFile.objects.create(
        name="a.csv", sha256="", size=0, owner=team.admin, token="file-of-admin"
    )
    job = Job.objects.create(kind="check_documents", owner=team.admin)
    other = Api(team.admin)
    return {
        "slug": team.project.slug,
        "source_id": team.sources[3].pk,
        "claim_id": Claim.objects.latest("pk").pk,
        "pair_id": Pair.objects.latest("pk").pk,
        "judgement_id": Judgement.objects.latest("pk").pk,
        "document_id": Document.objects.latest("pk").pk,
        "article_id": team.corpus.articles.latest("pk").pk,
        "member_id": team.membership(team.read_only).pk,
        "invitation_id": 1,
        "token_id": other.token.pk,
        "number": 1,
        "token": job.token if api.key else file.token,
    }


def _can_be_broken(operation: Any) -> bool:
    """Whether a request has anything beside its address."""
    return bool(len(operation.body) or len(operation.query))


@pytest.mark.parametrize(
    ("role", "mode"),
    [
        ("admin", GenerationMode.POSITIVE),
        ("admin", GenerationMode.NEGATIVE),
        ("annotator", GenerationMode.POSITIVE),
        ("annotator", GenerationMode.NEGATIVE),
        ("outsider", GenerationMode.POSITIVE),
        ("nobody", GenerationMode.NEGATIVE),
    ],
)
def test_every_answer_is_one_that_the_description_knows(
    team: Team, role: str, mode: GenerationMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnonymousThrottle, "THROTTLE_RATES", {"anon": "9999/min"})
    api = Api(getattr(team, role, None))
    known = real_objects(team, api)
    upload = checked(upload_predictions(make_phase(), team.admin))
    headers = {"Authorization": f"Bearer {api.key}"} if api.key else {}
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
    tried = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        if mode is GenerationMode.NEGATIVE and not _can_be_broken(operation):
            continue
        names = {p.name for p in operation.path_parameters}
        path = {name: known[name] for name in names}
        if "/corpora/" in operation.path:
            path["slug"] = team.corpus.slug
        if "/benchmarks/" in operation.path and path:
            path["slug"] = upload.phase.benchmark.slug
        if "/submissions/" in operation.path:
            path["token"] = upload.token

        @BOUNDED
        @given(case=operation.as_strategy(mode, path_parameters=path or None))
        def ask(case: Any) -> None:
            case.call_and_validate(headers=headers, checks=CHECKS)

        ask()
        tried += 1
    assert tried >= (70 if mode is GenerationMode.POSITIVE else 40)
