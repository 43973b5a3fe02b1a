"""A suggestion is shown when the rule allows it, and what was shown is known.

That no page tells of one before is in ``tests/permissions/test_blindness.py``.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Judgement, Pair, SuggestionOffer
from annotation.views.shown_suggestions import percent_words
from tests.annotation.suggestions import settle, suggest
from tests.annotation.views.conftest import SignIn
from tests.annotation.work import approved
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
PIECE = {"HX-Request": "true"}
CANARY = "Zanthoxylum"


@pytest.fixture
def team() -> Team:
    team = make_team(citances=2)
    settle(team)
    return team


@pytest.fixture
def pair(team: Team) -> Pair:
    pair = approved(team).pairs.get()
    suggest(pair, system=CANARY)
    return pair


@pytest.fixture
def client(team: Team, sign_in: SignIn) -> Client:
    return sign_in(team.other_annotator)


def url(pair: Pair, name: str) -> str:
    return reverse(f"annotation:{name}", args=[pair.project.slug, pair.pk])


def ask(client: Client, pair: Pair, **sent: str) -> Any:
    return client.post(url(pair, "show_suggestion"), sent, headers=PIECE)


def page(client: Client, pair: Pair) -> str:
    return client.get(url(pair, "verify_pair")).content.decode()


@pytest.mark.parametrize("sent", [{}, {"sentence_2": "1"}, {"label": "nonsense"}])
def test_it_is_not_shown_before_a_label_is_chosen(
    client: Client, pair: Pair, sent: dict[str, str]
) -> None:
    refused = ask(client, pair, **sent)
    assert refused.status_code == 422
    assert refused.content == b"Choose a label by yourself first."
    assert CANARY not in page(client, pair)
    assert not SuggestionOffer.objects.exists()


def test_it_is_shown_once_the_first_choice_is_kept(client: Client, pair: Pair) -> None:
    shown = ask(client, pair, label="CONTRADICT", sentence_0="1", sentence_1="2")
    text = " ".join(shown.content.decode().split())
    assert "SUPPORTS</span>" in text
    assert "86 %</span>; sentence C <span" in text
    assert "(0.93)" in text
    offer = SuggestionOffer.objects.get()
    assert offer.first_label == "CONTRADICT"
    assert [r["sentences"] for r in offer.first_rationales] == [[0], [1]]
    assert CANARY in page(client, pair)


def test_who_chose_the_same_reads_only_that(client: Client, pair: Pair) -> None:
    text = ask(client, pair, label="SUPPORT", sentence_2="1").content.decode()
    assert "The model chose the same." in text
    assert "take_all" not in text


def test_a_control_gets_what_everybody_gets_where_there_is_none(
    team: Team, client: Client, pair: Pair
) -> None:
    settle(team, suggestion_control_share=1.0)
    withheld = ask(client, pair, label="SUPPORT")
    pair.suggestions.all().delete()
    SuggestionOffer.objects.all().delete()
    none = ask(client, pair, label="SUPPORT")
    assert (withheld.status_code, withheld.content) == (204, b"")
    assert (none.status_code, none.content) == (204, b"")
    assert CANARY not in page(client, pair)


def test_shown_at_once_it_is_on_the_page_and_on_the_next_piece(
    team: Team, client: Client, pair: Pair
) -> None:
    settle(team, suggestion_policy="always")
    second = approved(team, "Gardeners who drink tea have better knees.").pairs.get()
    suggest(second, system="Sambucus")
    assert CANARY in page(client, pair)
    piece = client.get(
        reverse("annotation:next_pair", args=[team.project.slug]),
        {"besides": str(pair.pk)},
        headers=PIECE,
    )
    assert "Sambucus" in piece.content.decode()
    arms = SuggestionOffer.objects.values_list("pair", "arm", "first_label")
    assert sorted(arms) == sorted((p.pk, "always", "") for p in (pair, second))


def test_on_demand_it_needs_no_label(team: Team, client: Client, pair: Pair) -> None:
    settle(team, suggestion_policy="on_demand")
    assert CANARY not in page(client, pair)
    assert CANARY in ask(client, pair).content.decode()


def test_switched_off_there_is_no_trace(team: Team, client: Client, pair: Pair) -> None:
    settle(team, suggestion_policy="off")
    assert "data-suggestion" not in page(client, pair)
    assert ask(client, pair, label="SUPPORT").status_code == 204


def test_without_scripts_the_whole_page_comes_back_as_it_was_filled(
    client: Client, pair: Pair
) -> None:
    sent = {"label": "CONTRADICT", "sentence_0": "1"}
    text = client.post(url(pair, "show_suggestion"), sent).content.decode()
    assert CANARY in text
    assert (
        'value="CONTRADICT" data-words="REFUTES" aria-keyshortcuts="2" checked' in text
    )
    assert 'name="sentence_0" value="1"' in text
    assert "cd-error-summary" not in text


def test_what_is_submitted_says_what_was_taken(client: Client, pair: Pair) -> None:
    ask(client, pair, label="CONTRADICT")
    sent = {
        "submission_key": str(uuid.uuid4()),
        "label": "SUPPORT",
        "sentence_2": "1",
        "suggestion_taken": "label sentences",
    }
    assert client.post(url(pair, "verify_pair"), sent).status_code == 302
    judgement = Judgement.objects.get()
    assert judgement.suggestion_shown
    assert judgement.suggestion_taken == "all"
    # What was taken back comes again with the parts that were taken over.
    client.post(url(pair, "withdraw_judgement"))
    assert 'value="label sentences"' in page(client, pair)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"label": ""}, "no label; sentence C"),
        ({"label": "", "sentences": []}, "no suggestion here"),
        ({"label": "MIXED"}, "no label; sentence C"),
    ],
    ids=["abstains", "nothing", "a label that the project does not use"],
)
def test_an_unsure_model_shows_no_label_and_no_probabilities(
    client: Client, pair: Pair, values: dict[str, Any], words: str
) -> None:
    pair.suggestions.update(**values)
    text = " ".join(ask(client, pair, label="CONTRADICT").content.decode().split())
    assert words in text
    assert "%" not in text


def test_a_page_that_somebody_else_opened_shows_nothing(
    team: Team, client: Client, pair: Pair
) -> None:
    refused = ask(client, pair, label="SUPPORT", as_user=str(team.annotator.pk))
    assert refused.status_code == 422
    assert not SuggestionOffer.objects.exists()


def test_nothing_is_shown_once_the_pair_is_judged(client: Client, pair: Pair) -> None:
    sent = {"submission_key": str(uuid.uuid4()), "label": "SUPPORT", "sentence_2": "1"}
    client.post(url(pair, "verify_pair"), sent)
    assert ask(client, pair, label="SUPPORT").status_code == 409
    assert not SuggestionOffer.objects.exists()


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.004, "< 1 %"), (0.86, "86 %"), (0.994, "99 %"), (0.995, "> 99 %")],
)
def test_no_probability_is_called_certain(share: float, words: str) -> None:
    assert percent_words(share) == words
