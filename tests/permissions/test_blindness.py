"""What a person must not see changes nothing that they get, byte for byte.

Two worlds differ only in what is hidden from somebody: others' judgements and the
notes about them, others' claims, abstracts that open citances cite, the work of a
public project. Every address is asked in both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import pytest

from annotation.models import (
    Claim,
    ClaimVersion,
    Comment,
    Judgement,
    JudgementVersion,
    Pair,
    Rationale,
    Review,
)
from annotation.services.judgement_reviews import approve_judgement
from annotation.services.reannotation import Design, draw_sample
from corpus.models import Document, Event
from corpus.search import index_documents
from tests.annotation.suggestions import suggest
from tests.factories import accept_texts
from tests.permissions.answering import answers
from tests.permissions.walker import lines
from tests.permissions.world import World, rolled_back

pytestmark = pytest.mark.django_db

CANARY = "Zanthoxylum secretum"
PAGES = tuple(line for line in lines() if line.method == "GET")


def _change_judgements(world: World, name: str) -> None:
    """Another label, other sentences, other notes, in every copy of them."""
    objects = world.objects
    keys = [objects[f"{name}.judgement"], objects[f"{name}.returned_judgement"]]
    judgements = Judgement.objects.filter(pk__in=keys)
    judgements.update(label="CONTRADICT", active_seconds=77)
    Rationale.objects.filter(judgement__in=judgements).update(sentences=[0])
    JudgementVersion.objects.filter(judgement__in=judgements).update(
        label="CONTRADICT", rationales=[{"sentences": [0], "roles": []}]
    )
    Review.objects.filter(judgement_version__judgement__in=judgements).update(
        note=CANARY, reason_code="wrong_label"
    )
    Comment.objects.filter(review__judgement_version__judgement__in=judgements).update(
        text=CANARY
    )
    Event.objects.filter(noun="judgement", object_id__in=keys).update(why=CANARY)


def _change_claims(world: World, name: str) -> None:
    """Another wording of a claim that somebody else wrote."""
    keys = [int(world.objects[f"{name}.others_claim"])]
    Claim.objects.filter(pk__in=keys).update(text=CANARY, text_key=CANARY)
    ClaimVersion.objects.filter(claim__in=keys).update(text=CANARY)
    Event.objects.filter(noun="claim", object_id__in=keys).update(why=CANARY)


def _change_abstracts(world: World, name: str) -> None:
    """Another text of an abstract that an open citance cites."""
    document = Document.objects.get(pk=world.objects[f"{name}.hidden_document"])
    document.title = CANARY
    document.sentences = [f"{CANARY} was chewed.", "It helped."]
    document.journal, document.published = CANARY, "2031-01-01"
    document.authors, document.doi, document.url = [CANARY], CANARY, CANARY
    document.content_hash = document.text_key = "changed"
    document.save()
    index_documents([document])


Change = Callable[[World, str], None]
HIDDEN: list[tuple[str, str, list[Change]]] = [
    ("anno", "A", [_change_judgements, _change_claims, _change_abstracts]),
    ("anno", "P", [_change_judgements, _change_claims]),
    ("newc", "A", [_change_judgements, _change_claims, _change_abstracts]),
    ("othr", "A", [_change_abstracts]),
    ("read", "A", [_change_judgements, _change_claims]),
    ("susp", "A", [_change_judgements, _change_claims, _change_abstracts]),
    ("outs", "P", [_change_judgements, _change_claims]),
    ("anon", "P", [_change_judgements, _change_claims]),
]


@pytest.fixture(scope="module")
def unchanged(world: World) -> Callable[[str], dict[str, str]]:
    """What a person gets in the world as it is, asked once for each person."""
    return lru_cache(partial(answers, world))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("role", "project", "changes"),
    # In one process, two worlds of one person are compared with the same answers.
    [pytest.param(*row, marks=pytest.mark.xdist_group(row[0])) for row in HIDDEN],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_nothing_tells_the_worlds_apart(
    world: World,
    unchanged: Callable[[str], dict[str, str]],
    role: str,
    project: str,
    changes: list[Change],
) -> None:
    before = unchanged(role)
    with rolled_back():
        for change in changes:
            change(world, project)
        after = answers(world, role)
    different = [key for key in before if before[key] != after[key]]
    assert not different, "\n".join(different)
    assert [key for key, answer in after.items() if CANARY in answer] == []


def _draw_again(world: World) -> Pair:
    """Approve A's judgement and draw its pair for a second one, by the newcomer."""
    team = world.teams["A"]
    judgement = Judgement.objects.get(pk=world.objects["A.judgement"])
    approve_judgement(
        judgement=judgement,
        reviewer=team.reviewer,
        expected_version=1,
        note=f"Good. {CANARY}",
    )
    draw_sample(
        project=team.project, actor=team.admin, name=CANARY, design=Design(1, seed=1)
    )
    accept_texts(team.project, team.newcomer)
    return Pair.objects.get(pk=judgement.pair_id)


@pytest.mark.slow
@pytest.mark.xdist_group("newc")
def test_a_second_annotator_of_a_drawn_pair_cannot_tell_the_worlds_apart(
    world: World,
) -> None:
    with rolled_back():
        pair = _draw_again(world)
        before = answers(world, "newc")
        # The pair is in front of the second annotator in both worlds.
        page = before[f"GET /projects/{world.objects['A']}/verify/{pair.pk}/"]
        assert page.startswith("200")
        assert pair.claim.text in page
        _change_judgements(world, "A")
        after = answers(world, "newc")
    different = [key for key in before if before[key] != after[key]]
    assert not different, "\n".join(different)
    assert [key for key, answer in before.items() if CANARY in answer] == []
    assert [key for key, answer in after.items() if CANARY in answer] == []


@pytest.mark.slow
@pytest.mark.parametrize("role", ["anno", "othr", "newc"])
def test_no_page_tells_of_a_suggestion_before_the_first_choice(
    world: World, role: str
) -> None:
    """The usual rule; a page only asks for it once a label is chosen."""
    before = answers(world, role, PAGES)
    with rolled_back():
        for pair in Pair.objects.filter(project=world.teams["A"].project):
            suggest(pair, system=CANARY)
        after = answers(world, role, PAGES)
    assert [key for key in before if before[key] != after[key]] == []


@pytest.fixture(scope="module")
def reviewers_pages(world: World) -> dict[str, str]:
    """What a reviewer may read in the world as it is."""
    return answers(world, "revi", PAGES)


@pytest.mark.parametrize(
    "change", [_change_judgements, _change_claims, _change_abstracts]
)
def test_the_worlds_do_differ_for_those_who_may_see(
    world: World, reviewers_pages: dict[str, str], change: Change
) -> None:
    """Otherwise the change would have missed everything that is shown."""
    with rolled_back():
        change(world, "A")
        changed = answers(world, "revi", PAGES)
    different = [key for key in changed if reviewers_pages[key] != changed[key]]
    assert len(different) >= 3
    assert any(CANARY in changed[key] for key in different)
