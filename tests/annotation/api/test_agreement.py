"""Agreement by the API: the figures of the page, null where they are undefined."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache

from annotation.models import Pair
from annotation.services.judgements import Answer
from tests.annotation.api.client import Api
from tests.annotation.work import CONTRADICT, SUPPORT, judged
from tests.factories import ClaimFactory, PairFactory, Team

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    """Primary keys come back in each test."""
    cache.clear()
    yield
    cache.clear()


def twice(team: Team, first: Answer, second: Answer, **values: Any) -> Pair:
    team.project.settings = {**team.project.settings, "judgements_per_pair": 2}
    team.project.save()
    claim = ClaimFactory(project=team.project, author=team.annotator)
    pair: Pair = PairFactory(claim=claim, **values)
    judged(pair, team.other_annotator, first)
    judged(pair, team.admin, second)
    return pair


def agreement(team: Team, **query: Any) -> Any:
    api = Api(team.admin, ["read"])
    found = api.get(f"/projects/{team.project.slug}/agreement", **query)
    assert api.status == 200
    return found


def test_the_figures_are_those_of_the_page(team: Team) -> None:
    twice(team, SUPPORT, SUPPORT)
    twice(team, SUPPORT, CONTRADICT)
    twice(team, CONTRADICT, CONTRADICT)
    found = agreement(team)
    assert found["n_pairs"] == 3
    labels = found["as_first_submitted"]["labels"]
    # Two of three are equal; by chance 2/3 * 1/3 + 1/3 * 2/3 = 4/9.
    assert labels["percent_agreement"]["value"] == pytest.approx(2 / 3)
    assert labels["cohen_kappa"]["value"] == pytest.approx(0.4)
    assert labels["cohen_kappa"]["n"] == 3
    assert labels["cohen_kappa"]["n_resamples"] == 10_000
    assert labels["cohen_kappa"]["n_undefined_resamples"] > 0
    assert labels["cohen_kappa"]["has_few_abstracts"] is True
    assert labels["prevalence"] == {"SUPPORT": 0.5, "CONTRADICT": 0.5}
    assert found["as_first_submitted"]["sentences"]["n_items"] == 9
    assert found["confusion"] == [
        {"first": "CONTRADICT", "second": "CONTRADICT", "n": 1},
        {"first": "SUPPORT", "second": "CONTRADICT", "n": 1},
        {"first": "SUPPORT", "second": "SUPPORT", "n": 1},
    ]
    assert {person["id"] for person in found["people"]} == {
        team.admin.pk,
        team.other_annotator.pk,
    }
    (two,) = found["pairwise"]
    assert two["cohen_kappa"]["n"] == 3
    (week,) = found["weeks"]
    assert week["cohen_kappa"]["value"] == pytest.approx(0.4)
    assert found["disagreeing_pairs"] == {"label": 1, "sentences": 0}


def test_what_is_undefined_is_null_with_the_reason(team: Team) -> None:
    twice(team, SUPPORT, SUPPORT)
    found = agreement(team)
    kappa = found["as_first_submitted"]["labels"]["cohen_kappa"]
    assert (kappa["value"], kappa["low"], kappa["high"]) == (None, None, None)
    assert "Only SUPPORT was chosen" in kappa["reason"]
    later = found["after_review"]["labels"]["cohen_kappa"]
    assert later["value"] is None
    assert later["n"] == 0
    assert "No item was judged by both" in later["reason"]
    equal = found["as_first_submitted"]["labels"]["percent_agreement"]
    assert equal["value"] == 1.0
    assert "at least two" in equal["interval_reason"]


def test_filters_are_those_of_the_page_and_nonsense_is_refused(team: Team) -> None:
    twice(team, SUPPORT, SUPPORT)
    pooled = twice(team, SUPPORT, CONTRADICT, origin=Pair.Origin.POOLED)
    assert agreement(team, origin="pooled")["n_pairs"] == 1
    assert agreement(team, annotator=team.admin.pk)["n_pairs"] == 2
    assert agreement(team, annotator=team.annotator.pk)["n_pairs"] == 0
    day = pooled.judgements.get(slot=1).submitted_at.date()
    for dates, expected in (
        ({"since": day}, 2),
        ({"since": day + timedelta(days=1)}, 0),
        ({"until": day}, 2),
        ({"until": day - timedelta(days=1)}, 0),
    ):
        assert agreement(team, **dates)["n_pairs"] == expected
    api = Api(team.admin)
    api.get(f"/projects/{team.project.slug}/agreement", since="soon")
    assert api.status == 400


def test_a_project_without_rationales_has_null_for_sentences(team: Team) -> None:
    twice(team, SUPPORT, SUPPORT)
    team.project.settings = {**team.project.settings, "rationales": "none"}
    team.project.save()
    found = agreement(team)["as_first_submitted"]
    assert found["sentences"] is None
    assert found["labels"]["n_items"] == 1
