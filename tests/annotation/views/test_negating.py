"""The pages of negating and of writing, as a browser without JavaScript uses them."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Claim, Draft, Lease, Review, Skip, TaskTime
from annotation.services.claim_reviews import request_claim_changes
from annotation.services.drafts import save_draft
from annotation.services.negations import negate_claim
from annotation.services.retiring import retire_claim
from annotation.services.review_undo import undo_review
from tests.annotation.views.conftest import SignIn
from tests.annotation.work import approved, written
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db

ORIGINAL, NEGATION = "Nettle tea eases knee pain.", "Nettle tea worsens knee pain."


@pytest.fixture
def team() -> Team:
    """Four sources wait."""
    return make_team(citances=4)


def _url(name: str, team: Team, *args: Any) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug, *args])


def _post(text: str = NEGATION, **more: str) -> dict[str, str]:
    return {"submission_key": str(uuid.uuid4()), "text": text, **more}


def _open(client: Client, team: Team) -> Any:
    """Follow the navigation to the next claim."""
    return client.get(_url("negate_claims", team), follow=True)


def test_the_next_claim_is_opened_with_its_original_in_the_box(
    team: Team, sign_in: SignIn
) -> None:
    original = approved(team, ORIGINAL)
    page = _open(sign_in(team.other_annotator), team)
    assert page.redirect_chain[-1][0] == _url("negate_claim", team, original.pk)
    assert page.context["form"]["text"].value() == ORIGINAL
    assert "Nettle tea did not ease knee pain [1]." in page.content.decode()
    assert "Knee pain did not differ" not in page.content.decode(), "the cited abstract"


@pytest.mark.parametrize("end", ["retired", "undone"])
def test_a_negation_that_comes_too_late_stays_on_its_page(
    team: Team, sign_in: SignIn, end: str
) -> None:
    original = approved(team, ORIGINAL)
    client = sign_in(team.other_annotator)
    url = _url("negate_claim", team, original.pk)
    client.get(url)
    if end == "retired":
        retire_claim(claim=original, actor=team.admin, reason="A duplicate.")
    else:
        Lease.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
        undo_review(review=Review.objects.get(), reviewer=team.reviewer)
    page = client.post(url, _post())
    assert page.status_code == 200
    assert page.context["form"]["text"].value() == NEGATION
    assert "Only approved claims are negated; this one is now" in page.content.decode()
    assert not original.negations.exists()
    check = client.post(_url("check_negation", team, original.pk), {"text": "Tea."})
    assert check.status_code == 200
    # It is no longer to be opened, and what was never approved is not known of.
    assert client.get(url).status_code == 404
    waiting = written(team, "Tea is green.")
    unknown = client.post(_url("negate_claim", team, waiting.pk), _post())
    assert unknown.status_code == 404


def test_a_negation_is_submitted_and_the_next_claim_comes(
    team: Team, sign_in: SignIn
) -> None:
    first, second = approved(team, ORIGINAL), approved(team, "Tea is safe.")
    client = sign_in(team.other_annotator)
    _open(client, team)
    save_draft(
        user=team.other_annotator,
        project=team.project,
        kind=Draft.Kind.NEGATE,
        item_id=first.pk,
        content={"text": "half"},
        expected_version=0,
    )
    sent = _post(active_seconds="12", elapsed_seconds="40")
    page = client.post(_url("negate_claim", team, first.pk), sent, follow=True)
    assert page.redirect_chain[-1][0] == _url("negate_claim", team, second.pk)
    assert "Submitted: the negation waits for proofreading." in page.content.decode()
    negation = first.negations.get()
    assert (negation.text, negation.state) == (NEGATION, "submitted")
    assert not Draft.objects.exists()
    time = TaskTime.objects.get()
    assert (time.stage, time.item_id, time.active_seconds) == ("negate", first.pk, 12)
    # The same form once more: nothing new, and no error.
    page = client.post(_url("negate_claim", team, first.pk), sent, follow=True)
    assert page.status_code == 200
    assert first.negations.count() == 1


def test_a_new_trigger_word_is_flagged_and_needs_a_reason(
    team: Team, sign_in: SignIn
) -> None:
    original = approved(team, ORIGINAL)
    client = sign_in(team.other_annotator)
    text = "Nettle tea does not ease knee pain."
    check = client.post(_url("check_negation", team, original.pk), {"text": text})
    assert "New trigger word: “not”" in check.content.decode()
    assert '<mark class="cd-trigger"><ins>not</ins></mark>' in check.content.decode()
    page = client.post(_url("negate_claim", team, original.pk), _post(text))
    assert page.status_code == 200
    assert "<h2>Not saved</h2>" in page.content.decode()
    assert "The original does not say “not”" in page.content.decode()
    assert page.context["form"]["text"].value() == text
    reason = "There is no word for the opposite."
    client.post(
        _url("negate_claim", team, original.pk), _post(text, trigger_reason=reason)
    )
    negation = original.negations.get()
    shown = sign_in(team.reviewer).get(_url("proofread_claim", team, negation.pk))
    assert reason in shown.content.decode()
    assert "cd-trigger" in shown.content.decode()


def test_checking_keeps_nothing_and_bears_any_text(team: Team, sign_in: SignIn) -> None:
    original = approved(team, "Tea at p<0.05 & 𝛽 eases pain.")
    client = sign_in(team.other_annotator)
    url = _url("check_negation", team, original.pk)
    for text in ("", "x" * 10_000, "<script>alert(1)</script> 𝛽 \x00", "not " * 400):
        page = client.post(url, {"text": text})
        assert page.status_code == 200
        assert "<script>" not in page.content.decode()
    assert client.post(url).status_code == 200
    assert Claim.objects.count() == 1


def test_a_skipped_claim_leaves_the_queue_for_everybody(
    team: Team, sign_in: SignIn
) -> None:
    original = approved(team, ORIGINAL)
    url = _url("skip_negation", team, original.pk)
    client = sign_in(team.other_annotator)
    client.post(url, {"reason_code": "other", "note": " "})
    assert not Skip.objects.exists()
    client.post(url, {"reason_code": "trigger", "note": "Only “not” works."})
    skip = Skip.objects.get()
    assert skip.reason == (
        "Only an obvious trigger word such as “not” would do: Only “not” works."
    )
    for person in (team.other_annotator, team.annotator):
        page = _open(sign_in(person), team)
        assert "No claim waits for its negation" in page.content.decode()


def test_the_last_negation_can_be_taken_back(team: Team, sign_in: SignIn) -> None:
    original = approved(team, ORIGINAL)
    client = sign_in(team.other_annotator)
    client.post(_url("negate_claim", team, original.pk), _post())
    page = _open(client, team)
    negation = original.negations.get()
    undo = _url("withdraw_negation", team, negation.pk)
    assert undo in page.content.decode()
    page = client.post(undo, follow=True)
    assert page.context["form"]["text"].value() == NEGATION
    negation.refresh_from_db()
    assert negation.state == "withdrawn"
    client.post(_url("negate_claim", team, original.pk), _post())
    assert original.negations.exclude(state="withdrawn").count() == 1


def test_a_negation_that_was_acted_on_stays(team: Team, sign_in: SignIn) -> None:
    negation = _returned(team)
    client = sign_in(team.other_annotator)
    undo = _url("withdraw_negation", team, negation.pk)
    page = client.post(undo, follow=True)
    assert "Somebody has acted on it" in page.content.decode()
    negation.refresh_from_db()
    assert negation.state == "changes_requested"


def _returned(team: Team) -> Claim:
    return request_claim_changes(
        claim=negate_claim(
            original=approved(team, ORIGINAL),
            author=team.other_annotator,
            text=NEGATION,
            submission_key=uuid.uuid4(),
        ),
        reviewer=team.reviewer,
        reason_code="wording",
        note="Say what worsens.",
        expected_version=1,
    )


def test_returned_negations_come_first_and_are_answered_here(
    team: Team, sign_in: SignIn
) -> None:
    approved(team, "Tea is safe.")
    negation = _returned(team)
    membership = team.membership(team.other_annotator)
    membership.stages = ["negate"]
    membership.save()
    client = sign_in(team.other_annotator)
    page = _open(client, team)
    assert page.redirect_chain[-1][0] == _url("revise_claim", team, negation.pk)
    sent = _post("Nettle tea never eases knee pain.", version="1")
    url = _url("revise_claim", team, negation.pk)
    page = client.post(url, sent)
    assert "does not say “never”" in page.content.decode()
    sent |= {"submission_key": str(uuid.uuid4()), "trigger_reason": "Its own words."}
    page = client.post(url, sent, follow=True)
    assert page.redirect_chain[0][0] == _url("negate_claims", team)
    negation.refresh_from_db()
    assert negation.state == "submitted"


def test_a_claim_that_somebody_else_has_open_is_not_opened(
    team: Team, sign_in: SignIn
) -> None:
    original = approved(team, ORIGINAL)
    _open(sign_in(team.other_annotator), team)
    page = sign_in(team.annotator).get(
        _url("negate_claim", team, original.pk), follow=True
    )
    assert "Somebody else has this one" in page.content.decode()


def test_projects_that_negate_otherwise_have_no_queue(sign_in: SignIn) -> None:
    team = make_team(protocol="core")
    page = _open(sign_in(team.annotator), team)
    assert "Claims are not negated here" in page.content.decode()
    links = [label for label, _, _ in page.context["project_nav"]]
    assert "Negate" not in links


def test_the_project_page_counts_what_waits_to_be_negated(
    team: Team, sign_in: SignIn
) -> None:
    approved(team, ORIGINAL)
    page = sign_in(team.other_annotator).get(_url("project", team))
    waiting = {item.label: item.count for item in page.context["waiting"]}
    assert waiting["Claims to negate"] == 1


def test_a_returned_negation_is_checked_while_it_is_rewritten(
    team: Team, sign_in: SignIn
) -> None:
    negation = negate_claim(
        original=approved(team, ORIGINAL),
        author=team.other_annotator,
        text=NEGATION,
        submission_key=uuid.uuid4(),
    )
    request_claim_changes(
        claim=negation,
        reviewer=team.reviewer,
        reason_code="wording",
        note="",
        expected_version=1,
    )
    client = sign_in(team.other_annotator)
    page = client.get(_url("revise_claim", team, negation.pk)).content.decode()
    url = _url("check_revision", team, negation.pk)
    assert f'hx-post="{url}"' in page
    assert page.count('id="negation-flags"') == 1
    piece = client.post(url, {"text": "Nettle tea does not ease knee pain."})
    words = piece.content.decode()
    assert "New trigger word: “not”" in words
    assert 'hx-swap-oob="innerHTML"' in words
    assert "trigger word" not in client.post(url, {"text": NEGATION}).content.decode()
    assert Claim.objects.get(pk=negation.pk).text == NEGATION, "nothing is kept"


def test_a_claim_that_is_no_negation_has_no_such_check(
    team: Team, sign_in: SignIn
) -> None:
    claim = written(team)
    client = sign_in(team.annotator)
    url = _url("check_revision", team, claim.pk)
    assert client.post(url, {"text": "Tea."}).status_code == 404
    page = client.get(_url("revise_claim", team, claim.pk)).content.decode()
    assert url not in page
