"""The page that draws samples for re-annotation, and agreement on one of them."""

from __future__ import annotations

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.agreement_report import Wanted
from annotation.models import Pair, ReannotationSample
from annotation.selectors.agreement import agreement_of
from annotation.services.reannotation import Design, draw_sample
from tests.annotation.views.conftest import SignIn
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
DRAW = {"name": "Pilot", "number": "2", "seed": "5", "strata": ["label", "annotator"]}


@pytest.fixture
def team(db: None) -> Team:
    """Two pairs SUPPORT, one CONTRADICT, by the same annotator."""
    team = make_team(citances=3)
    for n, answer in enumerate((SUPPORT, SUPPORT, CONTRADICT)):
        pair = approved(team, f"Tea number {n} eases pain.").pairs.get()
        judged(pair, team.other_annotator, answer)
    return team


def address(team: Team) -> str:
    return reverse("annotation:reannotation", args=[team.project.slug])


def test_the_page_offers_the_share_of_the_settings(team: Team, sign_in: SignIn) -> None:
    team.project.settings["reannotation_share"] = 0.7
    team.project.save(update_fields=["settings"])
    page = sign_in(team.admin).get(address(team))
    assert page.context["size"] == 2  # 70 % of 3
    assert [(r.words, r.drawn) for r in page.context["plan"].rows] == [
        (("REFUTES",), 1),
        (("SUPPORTS",), 1),
    ]


def test_the_numbers_are_shown_before_anything_is_drawn(
    team: Team, sign_in: SignIn
) -> None:
    page = sign_in(team.admin).post(address(team), DRAW | {"action": "preview"})
    name = str(team.other_annotator)
    assert [(r.words, r.available, r.drawn) for r in page.context["plan"].rows] == [
        (("REFUTES", name), 1, 1),
        (("SUPPORTS", name), 2, 1),
    ]
    assert not ReannotationSample.objects.exists()


def test_a_sample_is_drawn_shown_and_taken_back(team: Team, sign_in: SignIn) -> None:
    client = sign_in(team.admin)
    page = client.post(address(team), DRAW | {"action": "draw"}, follow=True)
    sample = ReannotationSample.objects.get()
    assert (sample.name, sample.seed) == ("Pilot", 5)
    assert [(r.done, r.total) for r in page.context["rows"]] == [(0, 2)]
    undo = reverse("annotation:undo_reannotation", args=[team.project.slug, sample.pk])
    assert undo in page.content.decode()
    client.post(undo)
    assert not ReannotationSample.objects.exists()
    assert set(Pair.objects.values_list("state", flat=True)) == {"judged"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"number": "4"}, "number"),
        ({"number": ""}, "number"),
        ({"share": "10"}, "number"),
        ({"number": "", "share": "0.1"}, "share"),
        ({"number": "", "share": "nan"}, "share"),
        ({"seed": "-1"}, "seed"),
        ({"name": "\x00"}, "name"),
        ({"strata": ["nonsense"]}, "strata"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(
    team: Team, sign_in: SignIn, change: dict[str, str], field: str
) -> None:
    page = sign_in(team.admin).post(address(team), DRAW | change | {"action": "draw"})
    assert page.status_code == 200
    assert field in page.context["form"].errors
    assert not ReannotationSample.objects.exists()


def test_agreement_can_be_asked_of_one_sample(team: Team) -> None:
    first = draw_sample(
        project=team.project, actor=team.admin, name="A", design=Design(1, seed=1)
    )
    judged(Pair.objects.get(state="open"), team.newcomer, SUPPORT)
    second = draw_sample(
        project=team.project,
        actor=team.admin,
        name="B",
        design=Design(2, seed=1, strata=("label",)),
    )
    counts = {
        wanted: agreement_of(team.project, Wanted(sample=wanted)).n_pairs
        for wanted in (None, first.pk, second.pk)
    }
    twice = Pair.objects.filter(sampled__sample=second, judgements__slot=1).count()
    assert counts == {None: 1, first.pk: 1, second.pk: twice}


def test_the_number_of_queries_does_not_depend_on_the_samples(
    team: Team,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = sign_in(team.admin)
    client.get(address(team))

    def draw(name: str) -> None:
        design = Design(1, seed=1)
        draw_sample(project=team.project, actor=team.admin, name=name, design=design)

    draw("A")
    with django_assert_num_queries(10) as one:
        client.get(address(team))
    draw("B")
    with django_assert_num_queries(len(one)):
        client.get(address(team))
