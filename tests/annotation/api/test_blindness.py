"""Two worlds that differ only in what somebody must not see answer alike.

In one world another annotator judged SUPPORT with a rationale, in the other
CONTRADICT with another one, and somebody else's claim reads differently. Whatever
people without oversight ask, the answers are the same bytes.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import URLPattern

from annotation.api import urls
from annotation.models import (
    Claim,
    ClaimVersion,
    Judgement,
    JudgementVersion,
    Pair,
    Rationale,
)
from annotation.services.judgement_reviews import approve_judgement
from annotation.services.reannotation import Design, draw_sample
from corpus.models import Document, User
from corpus.search import index_documents
from tests.annotation.api.client import Api
from tests.annotation.work import SUPPORT, approved, judged, written
from tests.factories import Team, accept_texts, make_team

pytestmark = pytest.mark.django_db

CANARY = "CANARY-7f3a"
# The moment of the last use of the token that asks.
MASKED = re.compile(rb'"(?:last_used_at|active_at|expires_at)": ?[^,}]*')


@pytest.fixture(params=["two are asked for", "drawn once more"])
def team(request: pytest.FixtureRequest) -> Team:
    """Half of the work on a pair is done and approved, a claim waits.

    ``newcomer`` may judge that pair, too, and nothing else: because the project asks
    for two judgements, or because a sample has drawn it.
    """
    team = make_team(citances=4)
    is_drawn = request.param == "drawn once more"
    team.project.settings["judgements_per_pair"] = 1 if is_drawn else 2
    team.project.save(update_fields=["settings"])
    judgement = judged(approved(team).pairs.get(), team.other_annotator, SUPPORT)
    approve_judgement(
        judgement=judgement, reviewer=team.reviewer, expected_version=1, note=CANARY
    )
    if is_drawn:
        draw_sample(
            project=team.project,
            actor=team.admin,
            name=CANARY,
            design=Design(1, seed=1),
        )
    waiting = written(team, f"Tea {CANARY} helps.")
    Claim.objects.filter(pk=waiting.pk).update(author=team.other_annotator)
    ClaimVersion.objects.filter(claim=waiting).update(author=team.other_annotator)
    membership = team.membership(team.newcomer)
    membership.stages = ["verify"]
    membership.save(update_fields=["stages"])
    accept_texts(team.project, team.newcomer)
    index_documents(Document.objects.all())
    return team


def change_the_judgement() -> None:
    """Let the other annotator have judged differently."""
    other: dict[str, Any] = {"sentences": [0, 1], "roles": []}
    Judgement.objects.update(label="CONTRADICT", active_seconds=77)
    JudgementVersion.objects.update(label="CONTRADICT", rationales=[other])
    Rationale.objects.update(**other)


def change_what_is_hidden() -> None:
    """Turn the world into the other one."""
    change_the_judgement()
    for model in (Claim, ClaimVersion):
        model.objects.filter(text__contains=CANARY).update(text="Something else.")


def reads(team: Team) -> list[str]:
    """Every address of the API that can be read, filled in with real objects."""
    values: dict[str, list[Any]] = {
        "slug": [team.project.slug, team.corpus.slug],
        "source_id": list(team.project.sources.values_list("pk", flat=True)),
        "claim_id": list(Claim.objects.values_list("pk", flat=True)),
        "pair_id": list(Pair.objects.values_list("pk", flat=True)),
        "judgement_id": list(Judgement.objects.values_list("pk", flat=True)),
        "document_id": list(Document.objects.values_list("pk", flat=True)),
        "article_id": list(team.corpus.articles.values_list("pk", flat=True)),
    }
    paths = []
    for pattern in urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        view: Any = pattern.callback.view_class  # type: ignore[attr-defined]
        if hasattr(view, "get"):
            paths += _filled(f"/{pattern.pattern}", values)
    return paths


def _filled(route: str, values: dict[str, list[Any]]) -> list[str]:
    found = re.search(r"<(?:\w+):(\w+)>", route)
    if found is None:
        return [route]
    filled = []
    for value in values.get(found[1], ["1"]):
        filled += _filled(route.replace(found[0], str(value), 1), values)
    return filled


def answers(api: Api, paths: list[str]) -> dict[str, bytes]:
    """What somebody gets to see in a world, with its moments masked."""
    seen = {}
    for path in paths:
        response: Any = api.client.get(f"/api/v1{path}", {"size": 200})
        content = (
            b"".join(response.streaming_content)
            if response.streaming
            else response.content
        )
        text = MASKED.sub(b"masked", content)
        seen[path] = b"%d %s" % (response.status_code, text)
    return seen


def who(team: Team, role: str) -> User | None:
    return getattr(team, role, None)


BLIND = ["annotator", "newcomer", "read_only", "suspended", "outsider", "nobody"]


@pytest.mark.parametrize("role", BLIND)
def test_nobody_without_oversight_can_tell_the_worlds_apart(
    team: Team, role: str
) -> None:
    api, paths = Api(who(team, role)), reads(team)
    # Who asks what is next has that item in hand from then on, and sees so.
    answers(api, [path for path in paths if "/next/" in path])
    first = answers(api, paths)
    change_what_is_hidden()
    second = answers(api, paths)
    assert {path for path in paths if first[path] != second[path]} == set()
    assert {path for path in paths if CANARY.encode() in first[path]} == set()


def test_the_worlds_do_differ_for_those_who_may_see(team: Team) -> None:
    """Else the test above would pass for nothing."""
    api, paths = Api(team.reviewer), reads(team)
    first = answers(api, paths)
    change_what_is_hidden()
    second = answers(api, paths)
    differing = {path for path in paths if first[path] != second[path]}
    judgement, root = Judgement.objects.get(), f"/projects/{team.project.slug}"
    assert differing >= {
        f"{root}/judgements",
        f"{root}/judgements/{judgement.pk}",
        f"{root}/claims",
        f"{root}/claims/{judgement.pair.claim_id}",
        f"{root}/waiting/claims",
    }


@pytest.mark.parametrize("stage", ["review", "proofread", "adjudicate"])
def test_a_reviewer_who_may_judge_the_pair_cannot_tell_the_worlds_apart(
    team: Team, stage: str
) -> None:
    """Peers review each other; until they have judged a pair they are blind for it."""
    membership = team.membership(team.newcomer)
    membership.stages = ["verify", stage]
    membership.save(update_fields=["stages"])
    api, paths = Api(team.newcomer), reads(team)
    answers(api, [path for path in paths if "/next/" in path])
    first = answers(api, paths)
    change_the_judgement()
    second = answers(api, paths)
    assert {path for path in paths if first[path] != second[path]} == set()


def test_a_second_annotator_does_meet_the_pair(team: Team) -> None:
    pair = Pair.objects.get()
    api, root = Api(team.newcomer), f"/projects/{team.project.slug}"
    assert api.get(f"{root}/next/verify")["pair"]["id"] == pair.pk
    assert api.get(f"{root}/pairs/{pair.pk}")["state"] is None
    assert api.get(f"{root}/judgements", pair=pair.pk)["items"] == []
