"""A day of six people and 300 citances: nothing is lost, and everything is told."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone

from annotation.models import (
    Judgement,
    Lease,
    Pair,
    Project,
    Review,
    Stage,
    Verdict,
)
from annotation.services.members import add_member
from annotation.services.projects import (
    change_project,
    create_corpus,
    create_project,
    settings_key,
)
from corpus.models import User
from tests.annotation.day import DECISIONS, FATES, MORNING, PAGES, Day
from tests.annotation.invented import import_texts
from tests.annotation.replaying import LIBRARY, assert_events_rebuild_the_tables
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SEED = 20261130
CITANCES = 300
TURNS = 700
PLAIN = (Stage.WRITE, Stage.NEGATE, Stage.VERIFY)
SENIOR = (Stage.VERIFY, Stage.PROOFREAD, Stage.REVIEW)
WORKED = (Stage.WRITE, Stage.PROOFREAD, Stage.NEGATE, Stage.VERIFY, Stage.REVIEW)
TEAM = (PLAIN, PLAIN, PLAIN, PLAIN, SENIOR, SENIOR)


def make_project(rng: random.Random) -> tuple[Project, dict[User, tuple[Stage, ...]]]:
    """A project with 300 open citances, where two people judge each pair."""
    admin = UserFactory()
    corpus = create_corpus(name="Invented trials", owner=admin)
    project = create_project(
        name="A long day", protocol="scifact", corpus=corpus, actor=admin
    )
    change_project(
        project=project,
        actor=admin,
        seen=settings_key(project),
        name=project.name,
        description="",
        visibility=project.visibility,
        rules=replace(project.rules, judgements_per_pair=2),
        labels=project.labels,
    )
    project.refresh_from_db()
    people: dict[User, tuple[Stage, ...]] = {}
    for stages in TEAM:
        person: User = UserFactory()
        add_member(
            project=project, user=person, stages=stages, actor=admin, state="trusted"
        )
        people[person] = stages
    import_texts(project, rng, CITANCES)
    return project, people


def test_every_item_is_accounted_for_at_the_end_of_a_day() -> None:
    rng = random.Random(SEED)
    with time_machine.travel(MORNING, tick=False) as clock:
        project, people = make_project(rng)
        assert project.sources.count() == CITANCES
        day = Day(project, people, rng, clock)
        for turn in range(TURNS):
            day.turn(rng.choice(list(people)))
            if turn % 100 == 0:
                _nobody_has_too_much(project)
        day.go_home()
    assert not Lease.objects.exists()
    _everything_happened(day)
    _the_ledger_agrees(day)
    _states_follow_from_each_other(project)
    _nobody_judged_their_own(project)
    assert_events_rebuild_the_tables(*LIBRARY)


def _everything_happened(day: Day) -> None:
    """The day had each kind of step, so that the rest of the test says something."""
    done = day.ledger.steps
    assert {step.partition(": ")[2] for step in done} >= {*FATES, *DECISIONS}
    assert set(done) >= {
        *(f"{stage}: submit" for stage in WORKED),
        *(f"{stage}: by page" for stage in PAGES),
        "came back and submitted",
        "came back too late",
        "claim revised",
        "judgement revised",
    }
    states = Counter(day.project.pairs.values_list("state", flat=True))
    assert {"open", "judged", "approved"} <= set(states)


def _nobody_judged_their_own(project: Project) -> None:
    """Who had written or proofread a member of a family judged none of it then."""
    touched = [
        *project.claims.values_list("author", "family", "created_at"),
        *Review.objects.filter(claim_version__claim__project=project).values_list(
            "reviewer", "claim_version__claim__family", "created_at"
        ),
    ]
    first = {
        (who, family): at for who, family, at in sorted(touched, key=_newest_first)
    }
    for judgement in Judgement.objects.select_related("pair__claim"):
        assert judgement.annotator_id is not None
        since = first.get((judgement.annotator_id, judgement.pair.claim.family))
        assert since is None or since > judgement.versions.get(number=1).created_at


def _newest_first(touch: tuple[int, UUID, datetime]) -> float:
    return -touch[2].timestamp()


def _nobody_has_too_much(project: Project) -> None:
    """No item is in more hands than it still needs."""
    live = Lease.objects.filter(project=project, expires_at__gt=timezone.now())
    for (stage, item_id), hands in Counter(
        live.values_list("stage", "item_id")
    ).items():
        need = 1
        if stage == Stage.VERIFY:
            need = 2 - Judgement.objects.filter(pair=item_id, slot__gte=0).count()
        assert hands <= need, (stage, item_id)


def _the_ledger_agrees(day: Day) -> None:
    """Every item is in the state in which the last step left it, and none is more."""
    ledger, project = day.ledger, day.project
    sources = dict(project.sources.values_list("pk", "state"))
    assert sources == dict.fromkeys(sources, "open") | ledger.sources
    assert len(sources) == CITANCES
    claims = dict(project.claims.values_list("pk", "state"))
    assert claims == ledger.claims
    judgements = Judgement.objects.filter(pair__project=project)
    assert dict(judgements.values_list("pk", "state")) == ledger.judgements


def _states_follow_from_each_other(project: Project) -> None:
    for source in project.sources.prefetch_related("claims"):
        standing = [c for c in source.claims.all() if c.state != "withdrawn"]
        assert bool(standing) == (source.state == "done"), source.pk
    for claim in project.claims.select_related("source__citance"):
        pairs = list(claim.pairs.order_by("ordinal").values_list("document", flat=True))
        assert claim.source is not None
        assert claim.source.citance is not None
        cited = claim.source.citance.citations.order_by("ordinal")
        wanted = list(cited.values_list("document", flat=True))
        assert pairs == (wanted if claim.state == "approved" else []), claim.pk
    for pair in project.pairs.prefetch_related("judgements__rationales"):
        _pair_follows(pair)


def _pair_follows(pair: Pair) -> None:
    """The state of a pair is the one that docs/states.md gives for its judgements."""
    judgements = list(pair.judgements.all())
    holding = [j for j in judgements if j.slot is not None]
    assert len({j.slot for j in holding} & {0, 1}) == len(holding)
    for judgement in judgements:
        is_gone = judgement.state in ("rejected", "withdrawn")
        assert is_gone == (judgement.slot is None)
    standing = Counter(j.annotator_id for j in judgements if j.state != "withdrawn")
    assert set(standing.values()) <= {1}
    states = {j.state for j in holding}
    answers = {
        (j.label, frozenset(n for r in j.rationales.all() for n in r.sentences))
        for j in holding
    }
    if len(holding) < 2:
        expected = "open"
    elif "changes_requested" in states:
        expected = "changes_requested"
    elif states == {"approved"}:
        expected = "approved" if len(answers) == 1 else "disputed"
    else:
        expected = "judged"
    assert pair.state == expected, pair.pk
    assert Verdict.objects.filter(pair=pair).exists() == (expected == "approved")
