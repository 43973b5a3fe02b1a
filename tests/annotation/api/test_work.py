"""The path of a data point over the API, its refusals, and who sees what."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Claim, Judgement, Pair, Source, Verdict
from annotation.services.claim_reviews import request_claim_changes
from annotation.services.judgement_reviews import request_judgement_changes
from tests.annotation.api.client import Api
from tests.annotation.work import approved, judged, written
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


def key() -> str:
    return str(uuid.uuid4())


def answer(label: str = "SUPPORT", *sentences: int, **more: Any) -> dict[str, Any]:
    rationales = [{"sentences": list(sentences)}] if sentences else []
    return {"submission_key": key(), "label": label, "rationales": rationales, **more}


def test_a_claim_goes_from_its_source_to_its_verdict(team: Team) -> None:
    root = f"/projects/{team.project.slug}"
    writer, reviewer = Api(team.annotator), Api(team.reviewer)
    verifier = Api(team.other_annotator)
    source = writer.get(f"{root}/next/write")["source"]
    citance = source["citance"]
    assert citance["text"] == citance["paragraph"][citance["start"] : citance["end"]]
    assert source["cited_documents"] == [], "the cited abstract is hidden from writers"
    (claim,) = writer.post(
        f"{root}/sources/{source['id']}/claims",
        submission_key=key(),
        claims=[{"text": " Tea\r\nhelps. "}],
    )
    assert (writer.status, claim["text"]) == (201, "Tea\nhelps.")
    waiting = reviewer.get(f"{root}/waiting/claims")["items"]
    assert [entry["id"] for entry in waiting] == [claim["id"]]
    shown = reviewer.post(
        f"{root}/claims/{claim['id']}/reviews", decision="approve", version=1
    )
    assert (reviewer.status, shown["state"]) == (201, "approved")
    pair = verifier.get(f"{root}/next/verify")["pair"]
    assert pair["document"]["sentences"][1] == "Half of them drank nettle tea daily."
    judgement = verifier.post(
        f"{root}/pairs/{pair['id']}/judgements",
        **answer("SUPPORT", 1, 2, active_seconds=31),
    )
    assert verifier.status == 201
    (waiting_one,) = reviewer.get(f"{root}/waiting/judgements")["items"]
    assert waiting_one["rationales"] == [{"sentences": [1, 2], "roles": []}]
    reviewer.post(
        f"{root}/judgements/{judgement['id']}/reviews", decision="approve", version=1
    )
    verdict = Verdict.objects.get()
    assert (verdict.judgement_id, verdict.provenance) == (judgement["id"], "single")
    assert verdict.judgement.active_seconds == 31
    detail = reviewer.get(f"{root}/claims/{claim['id']}")
    assert detail["pairs"][0]["judgements"][0]["label"] == "SUPPORT"
    assert detail["reviews"][0]["decision"] == "approve"


def test_the_same_submission_sent_twice_is_one(team: Team) -> None:
    root, api = f"/projects/{team.project.slug}", Api(team.annotator)
    body = {"submission_key": key(), "claims": [{"text": "Tea helps."}]}
    url = f"{root}/sources/{team.sources[0].pk}/claims"
    first, second = api.post(url, **body), api.post(url, **body)
    assert first == second
    assert Claim.objects.count() == 1
    approved(team)
    pair, verifier = Pair.objects.get(), Api(team.other_annotator)
    body = answer("SUPPORT", 2)
    url = f"{root}/pairs/{pair.pk}/judgements"
    first, second = verifier.post(url, **body), verifier.post(url, **body)
    assert (verifier.status, first) == (201, second)
    assert Judgement.objects.count() == 1


def test_a_rejection_needs_words_to_the_author(team: Team) -> None:
    root, reviewer = f"/projects/{team.project.slug}", Api(team.reviewer)
    rejection = {"decision": "reject", "version": 1, "reason_code": "wording"}
    url = f"{root}/claims/{written(team).pk}/reviews"
    assert set(reviewer.post(url, **rejection, note=" ")["errors"]) == {"note"}
    assert reviewer.status == 400
    reviewer.post(url, **rejection, note="This is no sentence.")
    assert (reviewer.status, Claim.objects.get().state) == (201, "rejected")
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    url = f"{root}/judgements/{judgement.pk}/reviews"
    rejection["reason_code"] = "wrong_label"
    assert set(reviewer.post(url, **rejection)["errors"]) == {"note"}
    said = {"part": "sentence", "sentence": 1, "text": "This one says the opposite."}
    reviewer.post(url, **rejection, comments=[said])
    assert (reviewer.status, Judgement.objects.get().state) == (201, "rejected")


def test_returned_work_comes_first_and_is_answered(team: Team) -> None:
    root = f"/projects/{team.project.slug}"
    writer, reviewer = Api(team.annotator), Api(team.reviewer)
    claim = written(team)
    url = f"{root}/claims/{claim.pk}/reviews"
    refusal = {"decision": "request_changes", "version": 1}
    assert set(reviewer.post(url, **refusal)["errors"]) == {"reason_code"}
    assert set(reviewer.post(url, **refusal, reason_code="other")["errors"]) == {"note"}
    assert reviewer.status == 400
    reviewer.post(url, **refusal, reason_code="wording", note="Typo")
    returned = writer.get(f"{root}/next/write")["returned_claim"]
    assert returned["reviews"][0]["note"] == "Typo"
    writer.post(
        f"{root}/claims/{claim.pk}/versions",
        submission_key=key(),
        version=1,
        text="Tea works.",
    )
    assert writer.status == 201
    claim.refresh_from_db()
    assert (claim.state, claim.version) == ("submitted", 2)


def test_a_returned_judgement_is_answered(team: Team) -> None:
    root, api = f"/projects/{team.project.slug}", Api(team.other_annotator)
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="",
        expected_version=1,
    )
    returned = api.get(f"{root}/next/verify")["returned_judgement"]
    assert returned["reviews"][0]["reason_code"] == "wrong_label"
    url = f"{root}/judgements/{judgement.pk}/versions"
    shown = api.post(url, **answer("CONTRADICT", 0, version=1))
    assert (api.status, shown["label"], shown["version"]) == (201, "CONTRADICT", 2)
    assert [version["label"] for version in shown["versions"]] == [
        "SUPPORT",
        "CONTRADICT",
    ]


def test_fixing_while_approving_keeps_the_authors_version(team: Team) -> None:
    root, reviewer = f"/projects/{team.project.slug}", Api(team.reviewer)
    claim = written(team)
    shown = reviewer.post(
        f"{root}/claims/{claim.pk}/reviews",
        decision="approve",
        version=1,
        text="Nettle tea eases nothing.",
    )
    assert shown["text"] == "Nettle tea eases nothing."
    assert shown["versions"][0]["text"] == claim.text
    judgement = judged(Pair.objects.get(), team.other_annotator)
    shown = reviewer.post(
        f"{root}/judgements/{judgement.pk}/reviews",
        decision="approve",
        version=1,
        answer={"label": "CONTRADICT", "rationales": [{"sentences": [0]}]},
    )
    assert (shown["state"], shown["label"]) == ("approved", "CONTRADICT")


def test_an_answer_to_an_old_version_is_409(team: Team) -> None:
    root, reviewer = f"/projects/{team.project.slug}", Api(team.reviewer)
    claim = written(team)
    url = f"{root}/claims/{claim.pk}/reviews"
    stale = reviewer.post(url, decision="approve", version=7)
    assert reviewer.status == 409
    assert "newer version" in stale["message"]
    reviewer.post(url, decision="approve", version=1)
    rejection = {"decision": "reject", "version": 1, "reason_code": "wording"}
    reviewer.post(url, **rejection, note="The claim says nothing.")
    assert reviewer.status == 409
    assert Claim.objects.get().state == "approved"
    pair = Pair.objects.get()
    judged(pair, team.admin)
    late = Api(team.other_annotator)
    late.post(f"{root}/pairs/{pair.pk}/judgements", **answer("SUPPORT", 2))
    assert late.status == 404, "as on the page, it no longer waits for them"


def test_what_the_rules_refuse_is_409_in_words(team: Team) -> None:
    root = f"/projects/{team.project.slug}"
    pair, api = approved(team).pairs.get(), Api(team.other_annotator)
    url = f"{root}/pairs/{pair.pk}/judgements"
    assert "justify the label" in api.post(url, **answer("SUPPORT"))["message"]
    assert "does not exist" in api.post(url, **answer("SUPPORT", 99))["message"]
    assert "does not use MIXED" in api.post(url, **answer("MIXED", 1))["message"]
    roles = [{"sentences": [1], "roles": ["PRIMARY"]}]
    refused = api.post(url, **answer("SUPPORT") | {"rationales": roles})
    assert "does not use PRIMARY" in refused["message"]
    assert api.status == 409
    writer = Api(team.annotator)
    refused = writer.post(
        f"{root}/sources/{team.sources[1].pk}/claims",
        submission_key=key(),
        claims=[{"text": "Tea helps."}, {"text": "TEA helps."}],
    )
    assert (writer.status, "say the same" in refused["message"]) == (409, True)
    assert Judgement.objects.count() == 0


def test_bad_bodies_name_their_fields(team: Team) -> None:
    root = f"/projects/{team.project.slug}"
    pair, api = approved(team).pairs.get(), Api(team.other_annotator)
    url = f"{root}/pairs/{pair.pk}/judgements"
    bad = {"label": "YES", "rationales": [{"sentences": [-1]}, {"sentences": "x"}]}
    answer_ = api.post(url, **bad)
    assert api.status == 400
    assert set(answer_["errors"]) == {
        "submission_key",
        "label",
        "rationales.0.sentences.0",
        "rationales.1.sentences",
    }
    writer = Api(team.annotator)
    url = f"{root}/sources/{team.sources[1].pk}/claims"
    kinds = [{"text": "Tea."}, {"text": "Tea helps.", "kind": "hypothesis"}]
    answer_ = writer.post(url, submission_key=key(), claims=kinds)
    assert set(answer_["errors"]) == {"claims.1.kind"}
    answer_ = writer.post(url, submission_key=key(), claims=[{"text": ""}])
    assert set(answer_["errors"]) == {"claims.0.text"}
    assert writer.status == 400


def test_skipping_a_source_needs_a_reason(team: Team) -> None:
    api = Api(team.annotator)
    url = f"/projects/{team.project.slug}/sources/{team.sources[0].pk}/skip"
    assert set(api.post(url)["errors"]) == {"reason"}
    assert api.post(url, reason="No finding")["state"] == "skipped"
    assert Source.objects.get(pk=team.sources[0].pk).closed_by == team.annotator


def test_only_admins_retire_claims(team: Team) -> None:
    claim = approved(team)
    url = f"/projects/{team.project.slug}/claims/{claim.pk}/retire"
    reviewer, admin = Api(team.reviewer), Api(team.admin)
    reviewer.post(url, reason="Duplicate")
    assert reviewer.status == 403
    shown = admin.post(url, reason="Duplicate")
    assert (shown["state"], shown["pairs"][0]["state"]) == ("retired", "retired")


def test_work_waits_for_the_accepted_texts(team: Team) -> None:
    root, api = f"/projects/{team.project.slug}", Api(team.newcomer)
    refused = api.get(f"{root}/next/write")
    assert (api.status, "acceptances" in refused["message"]) == (403, True)
    pending = api.get(f"{root}/acceptances")["pending"]
    assert [text["kind"] for text in pending] == ["consenttext", "guideline"]
    api.post(f"{root}/acceptances", kind="guideline", version=9)
    assert api.status == 409, "a version that nobody has read yet"
    for text in pending:
        left = api.post(
            f"{root}/acceptances", kind=text["kind"], version=text["version"]
        )
    assert left == {"pending": []}
    assert api.get(f"{root}/next/write")["source"]


READS = [
    "sources",
    "sources/{source}",
    "claims",
    "claims/{claim}",
    "pairs",
    "pairs/{pair}",
    "judgements",
    "judgements/{judgement}",
    "waiting/claims",
    "waiting/judgements",
    "next/write",
    "next/verify",
]
WRITES = [
    "sources/{source}/claims",
    "sources/{source}/skip",
    "claims/{claim}/versions",
    "claims/{claim}/reviews",
    "claims/{claim}/retire",
    "pairs/{pair}/judgements",
    "judgements/{judgement}/versions",
    "judgements/{judgement}/reviews",
]


def _ids(team: Team) -> dict[str, int]:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    return {
        "source": team.sources[1].pk,
        "claim": judgement.pair.claim_id,
        "pair": judgement.pair_id,
        "judgement": judgement.pk,
    }


def test_outsiders_find_nothing(team: Team) -> None:
    ids, outsider = _ids(team), Api(team.outsider)
    for path in READS:
        outsider.get(f"/projects/{team.project.slug}/{path.format(**ids)}")
        assert outsider.status == 404, path
    for path in WRITES:
        outsider.post(f"/projects/{team.project.slug}/{path.format(**ids)}")
        assert outsider.status == 404, path


def test_objects_of_another_project_are_404_even_for_its_admin(team: Team) -> None:
    ids = _ids(team)
    other = make_team(name="Another")
    api = Api(other.admin)
    for path in READS:
        if "{" in path:
            api.get(f"/projects/{other.project.slug}/{path.format(**ids)}")
            assert api.status == 404, path
    for path in WRITES:
        api.post(f"/projects/{other.project.slug}/{path.format(**ids)}")
        assert api.status == 404, path


def test_members_without_a_permission_are_403(team: Team) -> None:
    ids, api = _ids(team), Api(team.read_only)
    stages = {"waiting/claims", "waiting/judgements", "next/write", "next/verify"}
    for path in READS:
        if path in stages:
            api.get(f"/projects/{team.project.slug}/{path}")
            assert api.status == 403, path
    for path in WRITES:
        api.post(f"/projects/{team.project.slug}/{path.format(**ids)}")
        assert api.status == 403, path


def test_an_annotator_sees_their_own_work_only(team: Team) -> None:
    ids = _ids(team)
    root, writer = f"/projects/{team.project.slug}", Api(team.annotator)
    other = Api(team.other_annotator)
    assert other.get(f"{root}/claims")["items"] == []
    other.get(f"{root}/claims/{ids['claim']}")
    assert other.status == 404
    own = writer.get(f"{root}/claims/{ids['claim']}")
    assert own["pairs"] == [], "the cited abstract and judgements are hidden"
    assert writer.get(f"{root}/judgements")["items"] == []
    assert writer.get(f"{root}/pairs")["items"] == []
    (mine,) = other.get(f"{root}/pairs")["items"]
    assert mine["state"] is None
    reviewer = Api(team.reviewer)
    assert reviewer.get(f"{root}/pairs")["items"][0]["state"] == "judged"
    assert len(reviewer.get(f"{root}/judgements")["items"]) == 1


def test_authors_are_hidden_where_the_project_says_so(team: Team) -> None:
    ids = _ids(team)
    root, reviewer, admin = (
        f"/projects/{team.project.slug}",
        Api(team.reviewer),
        Api(team.admin),
    )
    name = team.other_annotator.display_name
    url = f"{root}/judgements/{ids['judgement']}"
    assert reviewer.get(url)["annotator"] == name
    team.project.settings["hides_author_in_review"] = True
    team.project.save(update_fields=["settings"])
    shown = reviewer.get(url)
    assert shown["annotator"] is None
    assert shown["versions"][0]["author"] is None
    assert admin.get(url)["annotator"] == name


def _fill(team: Team) -> None:
    judged(approved(team).pairs.get(), team.other_annotator)
    written(team)


@pytest.mark.parametrize("path", [p for p in READS if "{" not in p])
def test_lists_have_constant_query_counts(team: Team, path: str) -> None:
    few, many = make_team(name="Few", citances=2), make_team(name="Many", citances=6)
    _fill(few)
    for _ in range(3):
        _fill(many)
    counts = []
    for one in (few, many):
        api = Api(one.admin)
        with CaptureQueriesContext(connection) as queries:
            api.get(f"/projects/{one.project.slug}/{path}")
        assert api.status == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_filters_narrow_a_list(team: Team) -> None:
    root, api = f"/projects/{team.project.slug}", Api(team.admin)
    first = approved(team)
    judged(first.pairs.get(), team.other_annotator)
    second = written(team)
    request_claim_changes(
        claim=second,
        reviewer=team.reviewer,
        reason_code="wording",
        note="",
        expected_version=1,
    )
    listed = api.get(f"{root}/claims", state="changes_requested")["items"]
    assert [entry["id"] for entry in listed] == [second.pk]
    assert len(api.get(f"{root}/sources", state="open")["items"]) == 0
    assert len(api.get(f"{root}/pairs", claim=first.pk)["items"]) == 1
    assert api.get(f"{root}/pairs", claim=second.pk)["items"] == []
    assert len(api.get(f"{root}/judgements", state="submitted")["items"]) == 1
    bad = api.get(f"{root}/judgements", state="good", pair="x")
    assert (api.status, set(bad["errors"])) == (400, {"state", "pair"})


def test_two_people_are_given_different_pairs(team: Team) -> None:
    first, second = (approved(team, f"Tea {n} helps.").pairs.get() for n in (1, 2))
    root = f"/projects/{team.project.slug}"
    verifier, admin = Api(team.other_annotator), Api(team.admin)
    assert verifier.get(f"{root}/next/verify")["pair"]["id"] == first.pk
    assert admin.get(f"{root}/next/verify")["pair"]["id"] == second.pk
    assert verifier.get(f"{root}/next/verify")["pair"]["id"] == first.pk


def test_a_pair_in_other_hands_is_not_judged(team: Team) -> None:
    pair = approved(team).pairs.get()
    root = f"/projects/{team.project.slug}"
    Api(team.other_annotator).get(f"{root}/next/verify")
    admin = Api(team.admin)
    refused = admin.post(f"{root}/pairs/{pair.pk}/judgements", **answer("SUPPORT", 0))
    assert admin.status == 409
    assert "Somebody else has this one" in refused["message"]
    assert not Judgement.objects.exists()


def test_the_daily_number_holds_for_the_api_too(team: Team) -> None:
    team.project.settings = {**team.project.settings, "daily_quota": 1}
    team.project.save(update_fields=["settings"])
    pairs = [approved(team, f"Tea {n} helps.").pairs.get() for n in (1, 2)]
    root = f"/projects/{team.project.slug}"
    verifier = Api(team.other_annotator)
    sent = answer("SUPPORT", 0)
    verifier.post(f"{root}/pairs/{pairs[0].pk}/judgements", **sent)
    assert verifier.status == 201
    refused = verifier.post(
        f"{root}/pairs/{pairs[1].pk}/judgements", **answer("SUPPORT", 0)
    )
    assert verifier.status == 409
    assert "You have done your 1 for today." in refused["message"]
    # What was sent before may still come again.
    verifier.post(f"{root}/pairs/{pairs[0].pk}/judgements", **sent)
    assert verifier.status == 201
    assert Judgement.objects.count() == 1
