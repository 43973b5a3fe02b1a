"""Writing claims, alone and with their negations, without JavaScript."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Claim, EarlyAnswer, Lease
from annotation.selectors.candidates import candidate_sentences
from annotation.services.claim_reviews import approve_claim
from annotation.services.claims import Draft, write_claims
from annotation.services.members import change_stages
from annotation.services.sources import skip_source
from corpus.models import Citance
from corpus.records import ClaimKind
from tests.annotation.views.conftest import SignIn
from tests.factories import CitanceFactory, Team, make_team

pytestmark = pytest.mark.django_db


def _url(name: str, team: Team, *args: Any) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug, *args])


def _claims(*texts: str) -> dict[str, str]:
    boxes = {f"text_{number}": text for number, text in enumerate(texts, start=1)}
    return {"submission_key": str(uuid.uuid4()), **boxes}


def _undo_of(page: Any, team: Team) -> str:
    return _url("withdraw_claims", team, page.context["last"].source.pk)


def test_the_last_submit_can_be_taken_back_again_and_again(sign_in: SignIn) -> None:
    team = make_team(citances=3)
    client = sign_in(team.annotator)
    first, second, third = team.sources
    client.post(
        _url("write_source", team, first.pk), _claims("Tea helps.", "Tea cures.")
    )
    page = client.post(
        _url("write_source", team, second.pk), _claims("Tea harms."), follow=True
    )
    assert page.redirect_chain[-1][0] == _url("write_source", team, third.pk)
    page = client.post(_undo_of(page, team), follow=True)
    assert page.context["source"] == second
    assert page.context["form"]["text_1"].value() == "Tea harms."
    page = client.post(_undo_of(page, team), follow=True)
    assert page.context["source"] == first
    values = [page.context["form"][f"text_{n}"].value() for n in (1, 2, 3)]
    assert values == ["Tea helps.", "Tea cures.", None]
    assert page.context["last"] is None
    assert set(Claim.objects.values_list("state", flat=True)) == {"withdrawn"}


def test_what_a_proofreader_has_decided_on_stays(sign_in: SignIn) -> None:
    team = make_team(citances=2)
    client = sign_in(team.annotator)
    source = team.sources[0]
    client.post(_url("write_source", team, source.pk), _claims("Tea helps."))
    approve_claim(claim=Claim.objects.get(), reviewer=team.reviewer, expected_version=1)
    page = client.get(_url("write_claims", team), follow=True)
    assert page.context["last"] is None
    page = client.post(_url("withdraw_claims", team, source.pk), follow=True)
    assert "Somebody has acted on it" in page.content.decode()
    assert Claim.objects.get().state == "approved"


@pytest.mark.parametrize("protocol", ["scifact", "check-covid"])
@pytest.mark.parametrize("end", ["written", "skipped"])
def test_claims_that_come_too_late_stay_on_their_page(
    sign_in: SignIn, protocol: str, end: str
) -> None:
    team = make_team(protocol=protocol, citances=2)
    source, client = team.sources[0], sign_in(team.annotator)
    url = _url("write_source", team, source.pk)
    client.get(url)
    Lease.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    if end == "skipped":
        skip_source(source=source, actor=team.other_annotator, reason="No finding.")
    else:
        write_claims(
            source=source,
            author=team.other_annotator,
            drafts=[Draft("Tea harms.", ClaimKind.COMPOSED)],
            submission_key=uuid.uuid4(),
        )
    typed = _claims("Tea helps.")
    typed |= {"kind_1": "composed", "negation": "Tea is useless."}
    typed |= {"claim-label": "SUPPORT", "negated-label": "CONTRADICT"}
    typed |= {"claim-sentence_0": "PRIMARY", "negated-sentence_0": "PRIMARY"}
    page = client.post(url, typed)
    assert page.status_code == 200
    assert "changed in the meantime" in page.content.decode()
    assert page.context["form"]["text_1"].value() == "Tea helps."
    assert not Claim.objects.filter(author=team.annotator).exists()


@pytest.mark.parametrize("again", ["", "x", "-1", "9" * 30, "٣", "0"])
def test_nonsense_in_the_address_is_no_error(sign_in: SignIn, again: str) -> None:
    team = make_team(citances=1)
    url = _url("write_source", team, team.sources[0].pk)
    page = sign_in(team.annotator).get(url, {"again": again})
    assert page.status_code == 200
    assert page.context["form"]["text_1"].value() is None


def test_remarks_come_with_advice_and_example(sign_in: SignIn) -> None:
    team = make_team(citances=1)
    client = sign_in(team.annotator)
    url = _url("check_claim", team, team.sources[0].pk)
    page = client.post(url, {"box": "2", "text_2": "Tea might ease knee pain."})
    text = page.content.decode()
    assert "Hedged" in text
    assert 'id="checks-note-2"' in text
    assert "1 remark on claim 2: Hedged." in text
    plain = {"box": "1", "text_1": "Nettle tea eases knee pain."}
    assert "cd-remarks" not in client.post(url, plain).content.decode()
    for body in ({}, {"box": "x"}, {"box": "1", "text_1": "\x00 𝛽" * 5_000}):
        assert client.post(url, body).status_code == 200


def test_remarks_stand_on_a_page_that_comes_back_with_an_error(
    sign_in: SignIn,
) -> None:
    team = make_team(citances=1)
    url = _url("write_source", team, team.sources[0].pk)
    sent = _claims("Tea might ease pain.", "Tea might ease pain.")
    page = sign_in(team.annotator).post(url, sent)
    text = page.content.decode()
    assert "Two of these claims say the same." in text
    assert text.count("Hedged") >= 2
    assert page.context["form"]["text_2"].value() == "Tea might ease pain."


@pytest.fixture
def covid() -> Team:
    """A Check-COVID project with two sources."""
    return make_team(protocol="check-covid", citances=2)


def _pair(**more: str) -> dict[str, str]:
    return {
        "submission_key": str(uuid.uuid4()),
        "text_1": "Nettle tea leaves knees as they are.",
        "kind_1": "composed",
        "negation": "Nettle tea eases knee pain.",
        "claim-label": "SUPPORT",
        "claim-sentence_2": "PRIMARY",
        "negated-label": "CONTRADICT",
        "negated-sentence_2": "PRIMARY",
        "negated-sentence_1": "SUPPLEMENTARY",
        **more,
    }


def _send(client: Client, team: Team, **more: str) -> Any:
    url = _url("write_source", team, team.sources[0].pk)
    return client.post(url, _pair(**more), follow=True)


def test_claim_negation_and_labels_are_one_submission(
    covid: Team, sign_in: SignIn
) -> None:
    client = sign_in(covid.annotator)
    page = client.get(_url("write_claims", covid), follow=True)
    text = page.content.decode()
    assert "Herbal teas are popular." in text, "a sentence to take"
    assert "Knee pain did not differ between the halves." in text, "the abstract"
    page = _send(client, covid)
    assert "and your labels with them" in page.content.decode()
    claim, negation = Claim.objects.order_by("position")
    assert (negation.negates, claim.negates) == (claim, None)
    early = EarlyAnswer.objects.order_by("pk")
    assert [(e.label, e.rationales) for e in early] == [
        ("SUPPORT", [{"sentences": [2], "roles": ["PRIMARY"]}]),
        ("CONTRADICT", [{"sentences": [1, 2], "roles": ["SUPPLEMENTARY", "PRIMARY"]}]),
    ]


def test_what_is_missing_is_said_and_nothing_typed_is_lost(
    covid: Team, sign_in: SignIn
) -> None:
    page = _send(sign_in(covid.annotator), covid, **{"negated-label": ""})
    text = page.content.decode()
    assert "Label of the negation" in text
    assert "This field is required." in text
    assert "Nettle tea eases knee pain." in text
    assert page.context["both"].claim["label"].value() == "SUPPORT"
    assert page.context["both"].claim["sentence_2"].value() == "PRIMARY"
    assert not Claim.objects.exists()


def test_undo_brings_back_all_of_it(covid: Team, sign_in: SignIn) -> None:
    client = sign_in(covid.annotator)
    page = _send(client, covid)
    page = client.post(_undo_of(page, covid), follow=True)
    form, both = page.context["form"], page.context["both"]
    assert form["negation"].value() == "Nettle tea eases knee pain."
    assert both.claim["label"].value() == "SUPPORT"
    assert both.negation["label"].value() == "CONTRADICT"
    assert both.negation["sentence_1"].value() == "SUPPLEMENTARY"
    _send(client, covid)
    states = Claim.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["withdrawn", "withdrawn", "submitted", "submitted"]


def test_who_may_not_judge_only_writes(covid: Team, sign_in: SignIn) -> None:
    change_stages(
        membership=covid.membership(covid.annotator),
        stages=["write"],
        actor=covid.admin,
    )
    client = sign_in(covid.annotator)
    page = client.get(_url("write_claims", covid), follow=True)
    assert page.context["both"] is None
    assert "Knee pain did not differ between the halves." in page.content.decode()
    _send(client, covid)
    assert (Claim.objects.count(), EarlyAnswer.objects.count()) == (2, 0)


def test_a_pair_is_compared_while_it_is_typed(covid: Team, sign_in: SignIn) -> None:
    url = _url("compare_pair", covid, covid.sources[0].pk)
    sent = {"text_1": "Tea helps.", "negation": "Tea never helps."}
    text = sign_in(covid.annotator).post(url, sent).content.decode()
    assert "New trigger word: “never”" in text
    assert not Claim.objects.exists()


def test_candidates_cut_the_paragraph_at_the_marked_sentences(covid: Team) -> None:
    source = covid.sources[0]
    citance = source.citance
    assert citance is not None
    passage = citance.passage
    passage.text += " Mint is green. It grows in water. Cats ignore it."
    passage.save()
    start = passage.text.index("It grows")
    CitanceFactory(
        in_corpus=citance.corpus, passage=passage, start=start, end=start + 18
    )
    source.refresh_from_db()
    found = [(c.text, c.is_citance, c.is_marked) for c in candidate_sentences(source)]
    assert found == [
        ("Herbal teas are popular.", False, False),
        ("Nettle tea did not ease knee pain [1].", True, True),
        ("Mint is green.", False, False),
        ("It grows in water.", False, True),
        ("Cats ignore it.", False, False),
    ]
    assert Citance.objects.filter(passage=passage).count() == 2
