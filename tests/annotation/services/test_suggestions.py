"""Who is offered a suggestion, what is kept of it, and that chance decides fairly."""

from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import override_settings

from annotation.models import Judgement, Pair, Suggestion, SuggestionOffer
from annotation.services.judgement_withdrawals import withdraw_judgement
from annotation.services.judgements import Answer, submit_judgement
from annotation.services.purge import purge_project
from annotation.services.reannotation import Design, draw_sample
from annotation.services.suggestions import (
    is_control,
    kept_parts,
    offer_suggestion,
    standing_offer,
)
from corpus.exceptions import DomainError
from corpus.models import Event
from corpus.records import Label, Rationale
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.suggestions import settle, suggest
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
BOTH = ("label", "sentences")


@pytest.fixture
def team() -> Team:
    team = make_team(citances=1)
    settle(team)
    return team


@pytest.fixture
def pair(team: Team) -> Pair:
    return approved(team).pairs.get()


def submitted(
    pair: Pair, team: Team, answer: Answer = SUPPORT, taken: tuple[str, ...] = BOTH
) -> tuple[str, bool, str]:
    found = submit_judgement(
        pair=pair,
        annotator=team.other_annotator,
        answer=answer,
        submission_key=uuid.uuid4(),
        taken=taken,
    )
    found.refresh_from_db()
    return found.suggestion_arm, found.suggestion_shown, found.suggestion_taken


def offer(pair: Pair, team: Team, label: str = "CONTRADICT") -> SuggestionOffer | None:
    return offer_suggestion(
        pair=pair,
        annotator=team.other_annotator,
        first_label=label,
        first_rationales=[{"sentences": [0], "roles": []}],
    )


def test_the_first_choice_is_kept_and_the_judgement_says_what_was_shown(
    team: Team, pair: Pair
) -> None:
    suggestion = suggest(pair)
    offered = offer(pair, team)
    assert offered is not None
    assert (offered.suggestion, offered.first_label) == (suggestion, "CONTRADICT")
    assert offer(pair, team, "SUPPORT") == offered
    assert submitted(pair, team) == ("after_first_choice", True, "all")
    assert_events_rebuild_the_tables()


def test_nothing_is_offered_before_the_first_choice(team: Team, pair: Pair) -> None:
    suggest(pair)
    with pytest.raises(DomainError, match="first"):
        offer(pair, team, "")
    assert not SuggestionOffer.objects.exists()


@pytest.mark.parametrize("policy", ["on_demand", "always"])
def test_other_policies_need_no_choice(team: Team, pair: Pair, policy: str) -> None:
    settle(team, suggestion_policy=policy)
    suggest(pair)
    assert offer(pair, team, "") is not None
    assert submitted(pair, team, taken=()) == (policy, True, "none")


def test_chance_withholds_it_and_what_a_page_says_changes_nothing(
    team: Team, pair: Pair
) -> None:
    settle(team, suggestion_control_share=1.0)
    suggest(pair)
    offered = offer(pair, team)
    assert offered is not None
    assert offered.suggestion is None
    assert submitted(pair, team) == ("control", False, "none")


def test_who_never_asked_was_shown_nothing(team: Team, pair: Pair) -> None:
    settle(team, suggestion_policy="on_demand")
    suggest(pair)
    assert submitted(pair, team) == ("on_demand", False, "none")


@pytest.mark.parametrize(
    "values",
    [
        {"suggestion_policy": "off"},
        # The second judgement of a pair: agreement is measured on it.
        {"judgements_per_pair": 2},
    ],
    ids=str,
)
def test_there_is_no_arm(team: Team, pair: Pair, values: dict[str, Any]) -> None:
    settle(team, **values)
    suggest(pair)
    if "judgements_per_pair" in values:
        Judgement.objects.filter(pk=judged(pair, team.reviewer).pk).update(slot=0)
    pair.refresh_from_db()
    assert offer(pair, team) is None
    assert submitted(pair, team) == ("none", False, "none")


@pytest.mark.parametrize("field", ["claim_version", "document_hash"])
def test_a_suggestion_for_other_words_counts_for_nothing(
    team: Team, pair: Pair, field: str
) -> None:
    suggest(pair, **{field: 7})
    assert offer(pair, team) is None
    assert submitted(pair, team) == ("none", False, "none")


def test_the_newest_system_is_offered(team: Team, pair: Pair) -> None:
    suggest(pair)
    newer = suggest(pair, system_digest="1" * 64)
    offered = offer(pair, team)
    assert offered is not None
    assert offered.suggestion == newer


def test_who_takes_an_answer_back_has_still_seen_it(team: Team, pair: Pair) -> None:
    suggest(pair)
    offer(pair, team)
    submitted(pair, team)
    withdraw_judgement(judgement=pair.judgements.get(), annotator=team.other_annotator)
    offer(pair, team, "SUPPORT")
    assert submitted(pair, team, CONTRADICT) == (
        "after_first_choice",
        True,
        "sentences",
    )
    assert SuggestionOffer.objects.get().first_label == "CONTRADICT"
    assert_events_rebuild_the_tables()


def test_an_offer_of_the_first_slot_is_none_in_a_later_one(
    team: Team, pair: Pair
) -> None:
    suggest(pair)
    offered = offer(pair, team)
    assert standing_offer(pair, team.other_annotator) == offered
    judged(pair, team.newcomer)  # who was given the pair in their stead
    design = Design(1, seed=1)
    draw_sample(project=team.project, actor=team.admin, name="A", design=design)
    pair.refresh_from_db()
    assert standing_offer(pair, team.other_annotator) is None
    assert offer(pair, team) is None
    assert submitted(pair, team) == ("none", True, "none")


@pytest.mark.parametrize("change", ["policy", "words"])
def test_an_offer_that_holds_no_more_has_no_arm_but_was_seen(
    team: Team, pair: Pair, change: str
) -> None:
    suggestion = suggest(pair)
    offer(pair, team)
    if change == "policy":
        settle(team, suggestion_policy="off")
    else:
        Suggestion.objects.filter(pk=suggestion.pk).update(claim_version=7)
        suggest(pair)
    pair.refresh_from_db()
    assert standing_offer(pair, team.other_annotator) is None
    assert offer(pair, team) is None
    assert submitted(pair, team) == ("none", True, "none")


@pytest.mark.parametrize(
    ("label", "sentences", "taken", "kept"),
    [
        ("SUPPORT", {2}, BOTH, "all"),
        ("SUPPORT", {1, 2}, BOTH, "all"),
        ("SUPPORT", {1}, BOTH, "label"),
        ("CONTRADICT", {2}, BOTH, "sentences"),
        ("NOT_ENOUGH_INFO", set(), BOTH, "none"),
        ("SUPPORT", {2}, ("sentences",), "sentences"),
        ("SUPPORT", {2}, ("label",), "label"),
        ("SUPPORT", {2}, ("nonsense",), "none"),
    ],
)
def test_only_what_was_taken_and_still_stands_counts(
    pair: Pair, label: str, sentences: set[int], taken: tuple[str, ...], kept: str
) -> None:
    assert kept_parts(suggest(pair), label, sentences, taken) == kept


def test_an_abstaining_suggestion_has_no_label_to_take(pair: Pair) -> None:
    empty = suggest(pair, label="", sentences=[])
    assert kept_parts(empty, "", {1}, BOTH) == "none"


def test_the_share_is_met_and_depends_on_pair_person_and_key(team: Team) -> None:
    settle(team, suggestion_control_share=0.25)
    people: list[Any] = [SimpleNamespace(pk=n) for n in range(1, 21)]
    pairs = [Pair(pk=n, project=team.project) for n in range(1, 201)]

    def draws() -> list[bool]:
        return [is_control(pair, person) for pair in pairs for person in people]

    drawn = draws()
    assert drawn == draws()
    # 4000 draws: four standard deviations are 2.7 percentage points.
    assert abs(sum(drawn) / len(drawn) - 0.25) < 0.027
    with override_settings(SECRET_KEY="another"):
        assert draws() != drawn


def test_an_answer_that_names_all_suggested_sentences_and_more_keeps_them(
    team: Team, pair: Pair
) -> None:
    suggest(pair)
    offer(pair, team)
    more = Answer(Label.SUPPORT, (Rationale((1,)), Rationale((2,))))
    assert submitted(pair, team, more)[2] == "all"


def test_a_purge_takes_suggestions_and_offers_along(team: Team, pair: Pair) -> None:
    suggest(pair)
    offer(pair, team)
    submitted(pair, team)
    purge_project(project=team.project, typed_name=team.project.name)
    assert not SuggestionOffer.objects.exists()
    assert not Event.objects.filter(noun="suggestionoffer").exists()
