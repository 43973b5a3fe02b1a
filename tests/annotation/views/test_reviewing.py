"""A reviewer's queue and pages: who sees whom, and nothing typed is lost."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Disagreement, Judgement, Notice, Review, Stage
from annotation.services.claim_reviews import request_claim_changes
from annotation.services.disagreements import disagree_with_judgement_review
from annotation.services.judgement_reviews import (
    fix_and_approve_judgement,
    request_judgement_changes,
)
from annotation.services.keys import change_keys
from annotation.services.members import add_member
from annotation.views import deciding
from corpus.models import User
from corpus.paging import sorted_page
from tests.annotation.work import CONTRADICT, approved, judged, written
from tests.factories import Team, UserFactory, accept_texts, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=6)


def _client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _url(name: str, team: Team, *args: int) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug, *args])


def _page(user: User, url: str) -> str:
    return _client(user).get(url).content.decode()


def _set(team: Team, **settings: Any) -> None:
    team.project.settings = {**team.project.settings, **settings}
    team.project.save(update_fields=["settings"])


def _judgement(team: Team, text: str = "Nettle tea helps.") -> Judgement:
    return judged(approved(team, text).pairs.get(), team.other_annotator)


def _returned(team: Team, text: str = "Nettle tea helps.") -> Judgement:
    return request_judgement_changes(
        judgement=_judgement(team, text),
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="No.",
        expected_version=1,
    )


def _disputed(team: Team, text: str = "Nettle tea helps.") -> Judgement:
    judgement = _returned(team, text)
    disagree_with_judgement_review(
        judgement=judgement,
        author=team.other_annotator,
        text="It does follow.",
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    return judgement


def test_a_rejection_needs_words_to_the_author(team: Team) -> None:
    judgement = _judgement(team)
    client = _client(team.reviewer)
    url = _url("review_judgement", team, judgement.pk)
    sent = {"version": 1, "decision": "reject", "reason_code": "wrong_label"}
    page = client.post(url, sent).content.decode()
    assert "Say in a note or a comment why this is rejected" in page
    judgement.refresh_from_db()
    assert judgement.state == "submitted"
    client.post(url, {**sent, "comment_1": "This says the opposite."})
    judgement.refresh_from_db()
    assert judgement.state == "rejected"


def test_a_hidden_author_is_nowhere(team: Team) -> None:
    User.objects.filter(pk=team.other_annotator.pk).update(first_name="Zdenka")
    _set(team, hides_author_in_review=True)
    second = UserFactory()
    add_member(
        project=team.project,
        user=second,
        stages=[Stage.REVIEW],
        actor=team.admin,
        state="trusted",
    )
    accept_texts(team.project, second)
    judgement = _disputed(team)
    pages = [
        _page(second, _url("review_judgements", team)),
        _page(second, _url("review_judgement", team, judgement.pk)),
        _page(second, _url("judgement", team, judgement.pk)),
        _page(second, "/notices/"),
        _page(second, reverse("api:judgement", args=[team.project.slug, judgement.pk])),
    ]
    assert "It does follow." in pages[1]
    for page in pages:
        assert "Zdenka" not in page
        assert team.other_annotator.username not in page
    assert all("Zdenka" not in notice.text for notice in Notice.objects.all())
    _set(team, hides_author_in_review=False)
    assert "Zdenka" in _page(second, _url("review_judgement", team, judgement.pk))


def test_authors_never_learn_who_reviewed_them(team: Team) -> None:
    User.objects.filter(pk=team.reviewer.pk).update(first_name="Ruprecht")
    judgement = _returned(team)
    for url in (
        _url("revise_judgement", team, judgement.pk),
        _url("judgement", team, judgement.pk),
        "/notices/",
    ):
        assert "Ruprecht" not in _page(team.other_annotator, url)


def test_the_queue_says_why_and_is_filtered_and_sorted(team: Team) -> None:
    _judgement(team, "First claim.")
    _disputed(team, "Second claim.")
    # The admin may review what the reviewer must leave to others.
    url = _url("review_judgements", team)
    page = _page(team.admin, url)
    assert page.index("First claim.") < page.index("Second claim.")
    assert "the author disagrees" in page
    page = _page(team.admin, f"{url}?sort=newest")
    assert page.index("Second claim.") < page.index("First claim.")
    for query, shown, hidden in (
        ("why=disputed", "Second", "First"),
        ("why=new", "First", "Second"),
        ("reason=wrong_label", "Second", "First"),
    ):
        page = _page(team.admin, f"{url}?{query}")
        assert f"{shown} claim." in page
        assert f"{hidden} claim." not in page
    author = f"{url}?author={team.other_annotator.pk}&sort=author"
    assert "First claim." in _page(team.admin, author)
    page = _page(team.reviewer, url)
    assert "Second claim." not in page
    assert "another reviewer decides" in page


@pytest.mark.parametrize("name", ["review_judgements", "proofread_claims"])
@pytest.mark.parametrize(
    "query", ["?sort=x&author=y&why=z", "?after=1~nonsense", "?done=9999999", "?done=x"]
)
def test_nonsense_in_the_address_shows_the_queue(
    team: Team, name: str, query: str
) -> None:
    _judgement(team)
    written(team, "A claim that waits.")
    response = _client(team.reviewer).get(_url(name, team) + query)
    assert response.status_code == 200


def test_pages_of_a_sorted_queue_follow_without_gap_or_repeat(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"Claim number {n}." for n in range(5)]
    for text in texts:
        _judgement(team, text)
    monkeypatch.setattr(deciding, "sorted_page", partial(sorted_page, size=2))
    for sort in ("oldest", "newest", "author", "reason"):
        seen: list[str] = []
        query: dict[str, str] = {"sort": sort}
        while query:
            page = _client(team.reviewer).get(_url("review_judgements", team), query)
            seen += [item.pair.claim.text for item in page.context["page"].items]
            after = page.context["page"].next_after
            query = {"sort": sort, "after": after} if after else {}
        assert sorted(seen) == texts, sort


@pytest.mark.parametrize("name", ["review_judgements", "proofread_claims"])
def test_the_queue_asks_as_often_for_many_as_for_one(team: Team, name: str) -> None:
    client, url = _client(team.reviewer), _url(name, team)
    _judgement(team)
    written(team, "A claim that waits.")
    client.get(url)
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    _judgement(team, "Another.")
    _judgement(team, "A third.")
    written(team, "Another that waits.")
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    assert len(many) == len(few)


def test_the_other_judgement_stands_beside_unless_the_reviewer_may_still_judge(
    team: Team,
) -> None:
    _set(team, judgements_per_pair=3)
    pair = approved(team).pairs.get()
    first = judged(pair, team.other_annotator)
    judged(pair, team.admin, CONTRADICT)
    url = _url("review_judgement", team, first.pk)
    assert "The other judgement" in _page(team.reviewer, url)
    membership = team.membership(team.reviewer)
    membership.stages = [Stage.REVIEW, Stage.VERIFY]
    membership.save()
    assert "The other judgement" not in _page(team.reviewer, url)
    _set(team, is_blind=False)
    assert "The other judgement" in _page(team.reviewer, url)


def test_a_reviewer_is_blind_for_a_pair_that_they_may_still_judge(team: Team) -> None:
    _set(team, judgements_per_pair=2)
    pair = approved(team).pairs.get()
    first = judged(pair, team.other_annotator)
    peer = UserFactory()
    stages = [Stage.REVIEW, Stage.VERIFY]
    add_member(project=team.project, user=peer, stages=stages, actor=team.admin)
    accept_texts(team.project, peer)
    client, review = _client(peer), _url("review_judgement", team, first.pk)
    claim = _url("claim", team, pair.claim_id)
    queue = client.get(_url("review_judgements", team))
    assert queue.context["page"].items == []
    led = client.get(review, follow=True)
    assert "You may still judge this pair yourself" in led.content.decode()
    assert client.get(_url("judgement", team, first.pk)).status_code == 404
    (row,) = client.get(claim).context["pairs"]
    assert row.judgements == []
    assert "Judgements to review" not in _page(peer, _url("project", team))
    judged(pair, peer, CONTRADICT)
    assert "Judgements to review" in _page(peer, _url("project", team))
    assert client.get(_url("review_judgements", team)).context["page"].items == [first]
    assert client.get(review).context["judgement"] == first
    assert len(client.get(claim).context["pairs"][0].judgements) == 2


def test_what_a_refused_form_holds_stays(team: Team) -> None:
    judgement = _judgement(team)
    client = _client(team.reviewer)
    url = _url("review_judgement", team, judgement.pk)
    data = {
        "version": "1",
        "decision": "request_changes",
        "note": "A long note.",
        "comment_2": "Typed <here>.",
        "submission_key": str(uuid.uuid4()),
    }
    page = client.post(url, data).content.decode()
    assert "Choose a reason" in page
    assert "A long note." in page
    assert "Typed &lt;here&gt;." in page
    # Another tab was faster.
    fix_and_approve_judgement(
        judgement=judgement,
        reviewer=team.reviewer,
        answer=CONTRADICT,
        expected_version=1,
    )
    page = client.post(url, {**data, "reason_code": "wrong_label"}).content.decode()
    assert "newer version" in page
    assert "A long note." in page
    assert "Typed &lt;here&gt;." in page


def test_a_comment_with_a_nul_is_refused_in_words(team: Team) -> None:
    url = _url("review_judgement", team, _judgement(team).pk)
    data = {"version": "1", "decision": "approve", "comment_0": "a\x00b"}
    page = _client(team.reviewer).post(url, data)
    assert page.status_code == 200
    assert b"cannot be kept" in page.content


def test_the_next_item_comes_with_a_way_back(team: Team) -> None:
    first, second = _judgement(team, "One."), _judgement(team, "Two.")
    client = _client(team.reviewer)
    answer = client.post(
        _url("review_judgement", team, first.pk),
        {
            "version": "1",
            "decision": "approve",
            "submission_key": str(uuid.uuid4()),
        },
    )
    review = Review.objects.latest("pk")
    expected = _url("review_judgement", team, second.pk) + f"?done={review.pk}"
    assert answer["Location"] == expected
    assert "The last one: approved." in client.get(expected).content.decode()
    undo = _url("undo_judgement_review", team, review.pk)
    assert undo in client.get(expected).content.decode()
    assert client.post(undo)["Location"] == _url("review_judgement", team, first.pk)
    first.refresh_from_db()
    assert first.state == "submitted"
    # Once is enough.
    client.post(undo)
    assert "taken back already" in client.get("/").content.decode()


def test_disagreeing_on_the_page(team: Team) -> None:
    judgement = _returned(team)
    client = _client(team.other_annotator)
    url = _url("disagree_about_judgement", team, judgement.pk)
    key = str(uuid.uuid4())
    page = client.post(url, {"version": "1", "submission_key": key, "because": " "})
    assert b"required" in page.content or b"Say why" in page.content
    data = {"version": "1", "submission_key": key, "because": "It follows."}
    assert client.post(url, data)["Location"] == _url("verify_pairs", team)
    assert client.post(url, data).status_code == 302
    assert Disagreement.objects.get().text == "It follows."
    revise = _page(team.other_annotator, _url("revise_judgement", team, judgement.pk))
    assert "No changes are asked for now." in revise


def test_the_second_of_two_tabs_sees_both_versions_of_a_claim(team: Team) -> None:
    claim = request_claim_changes(
        claim=written(team),
        reviewer=team.reviewer,
        reason_code="not_atomic",
        note="Two things.",
        expected_version=1,
    )
    client, url = _client(team.annotator), _url("revise_claim", team, claim.pk)
    first = {
        "version": "1",
        "submission_key": str(uuid.uuid4()),
        "text": "Tea eases pain.",
    }
    second = {
        "version": "1",
        "submission_key": str(uuid.uuid4()),
        "text": "Tea eases knee pain.",
    }
    assert client.post(url, first).status_code == 302
    page = client.post(url, second).content.decode()
    assert "has a newer version" in page
    sent, _, rest = page.partition("What you wrote here, against it")
    assert "Tea eases pain.</p>" in sent.partition("Sent already")[2]
    assert "<ins>knee </ins>" in rest
    assert ">\nTea eases knee pain.</textarea>" in rest
    claim.refresh_from_db()
    assert (claim.text, claim.version) == ("Tea eases pain.", 2)


def test_a_returned_claim_shows_its_thread_and_one_answer(team: Team) -> None:
    claim = request_claim_changes(
        claim=written(team),
        reviewer=team.reviewer,
        reason_code="not_atomic",
        note="Two things.",
        expected_version=1,
    )
    client = _client(team.annotator)
    page = client.get(_url("revise_claim", team, claim.pk)).content.decode()
    assert "Two things." in page
    assert "I disagree with the reviewer" in page
    client.post(
        _url("disagree_about_claim", team, claim.pk),
        {"version": "1", "submission_key": str(uuid.uuid4()), "because": "One."},
    )
    claim.refresh_from_db()
    assert claim.state == "submitted"
    assert "I disagree, because One." in _page(
        team.admin, _url("proofread_claim", team, claim.pk)
    )


def test_proofreading_shows_what_the_checker_warns_of(team: Team) -> None:
    claim = written(team, "This study shows that it may help.")
    page = _page(team.reviewer, _url("proofread_claim", team, claim.pk))
    assert "What the checker warns of" in page


def test_keys_that_are_switched_off_are_neither_shown_nor_bound(team: Team) -> None:
    url = _url("review_judgement", team, _judgement(team).pk)
    assert "&quot;approve&quot;: &quot;a&quot;" in _page(team.reviewer, url)
    change_keys(user=team.reviewer, is_on=False, keys={})
    page = _page(team.reviewer, url)
    assert 'data-keys="{}"' in page
    assert "<kbd>" not in page
