"""The demo's claims and judgements fit the texts, the people and the protocols."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from typing import NamedTuple

import pytest

from annotation.judgement_rules import check_judgement
from annotation.protocols import Protocol, default_labels, default_settings
from annotation.review_reasons import CLAIM_REASONS, JUDGEMENT_REASONS
from corpus.records import Label, Rationale, SentenceRole
from tests.annotation.demo_files import (
    Id,
    Row,
    citances,
    documents,
    hand_made,
    rows,
    stages,
)


class Work(NamedTuple):
    """One project's claims and the corpus that they are about."""

    project: str
    file: str
    corpus: str

    @property
    def claims(self) -> dict[Id, Row]:
        return {row["claim_id"]: row for row in rows(self.file)}

    def cited(self, claim: Row) -> list[Id]:
        """Return the abstracts that get a pair when the claim is approved."""
        if "doc_id" in claim:
            return [claim["doc_id"]]
        entries = citances(self.corpus)[claim["citance_id"]]["cited"]
        return [entry["doc_id"] for entry in entries]

    def family(self, claim: Row) -> Id:
        """Return the id of the original of a claim."""
        family: Id = claim["negates"] or claim["claim_id"]
        return family


SCIFACT = Work("scifact", "claims_scifact.jsonl", "biomedicine")
CHECK_COVID = Work("check-covid", "claims_check_covid.jsonl", "covid")
both = pytest.mark.parametrize("work", [SCIFACT, CHECK_COVID], ids=lambda w: w.project)

REASONS = {"proofread": CLAIM_REASONS, "review": JUDGEMENT_REASONS}
DECISION = {
    "draft": None,
    "submitted": None,
    "changes_requested": "request_changes",
    "approved": "approve",
    "rejected": "reject",
}


def check_review(row: Row, author: str, project: str, stage: str) -> None:
    """Check that a state and the decision that led to it fit together."""
    review, decision = row["review"], DECISION[row["state"]]
    assert (review and review["decision"]) == decision
    if review is None:
        return
    assert review["by"] != author
    assert stage in stages(review["by"], project)
    assert bool(review["note"]) == bool(review["reason_code"])
    assert review["reason_code"] in {"", *REASONS[stage]}, "reviewers could choose it"
    assert (decision == "approve") != bool(review["note"])


@both
def test_claims_come_from_citances_and_are_reviewed_by_others(work: Work) -> None:
    for claim in rows(work.file):
        citance = citances(work.corpus)[claim["citance_id"]]
        stage = "negate" if claim["negates"] else "write"
        assert stage in stages(claim["author"], work.project)
        assert claim["kind"] in {"composed", "extracted"}
        if claim["kind"] == "extracted":
            assert claim["text"] in citance["text"]
        if "doc_id" in claim:
            assert [claim["doc_id"]] == [c["doc_id"] for c in citance["cited"]]
        check_review(claim, claim["author"], work.project, "proofread")
    assert len(work.claims) == len(rows(work.file)), "claim ids are unique"


@both
def test_a_negation_follows_its_original_and_has_its_citance(work: Work) -> None:
    seen: dict[Id, Row] = {}
    for claim in rows(work.file):
        if claim["negates"]:
            original = seen[claim["negates"]]
            assert original["negates"] is None
            assert original["citance_id"] == claim["citance_id"]
            assert original["text"] != claim["text"]
        else:
            assert claim["trigger_reason"] == ""
        seen[claim["claim_id"]] = claim


@both
def test_a_new_trigger_word_in_a_negation_has_a_reason(work: Work) -> None:
    trigger = re.compile(r"\b(not|no|never|cannot|fails? to|lack of|without)\b", re.I)
    for claim in rows(work.file):
        if claim["negates"] is None:
            continue
        used = set(trigger.findall(claim["text"]))
        known = set(trigger.findall(work.claims[claim["negates"]]["text"]))
        assert bool(used - known) == bool(claim["trigger_reason"])


@both
def test_every_state_of_claims_and_judgements_occurs(work: Work) -> None:
    judged = {j["state"] for c in hand_made(work.file) for j in c["judgements"]}
    assert {c["state"] for c in hand_made(work.file)} == DECISION.keys()
    assert judged == {"submitted", "changes_requested", "approved"}


@both
def test_only_approved_claims_are_judged_once_for_each_cited_abstract(
    work: Work,
) -> None:
    for claim in rows(work.file):
        ids = [judgement["doc_id"] for judgement in claim["judgements"]]
        assert len(set(ids)) == len(ids)
        assert set(ids) <= set(work.cited(claim))
        assert not ids or claim["state"] == "approved"


@both
def test_rationales_are_disjoint_and_stand_in_the_abstract(work: Work) -> None:
    for judgement in (j for c in rows(work.file) for j in c["judgements"]):
        length = len(documents(work.corpus)[judgement["doc_id"]]["abstract"])
        used = list(chain.from_iterable(judgement["rationales"]))
        assert len(set(used)) == len(used)
        assert all(0 <= index < length for index in used)
        assert all(r and r == sorted(r) for r in judgement["rationales"])
        is_empty = judgement["label"] == Label.NOT_ENOUGH_INFO
        assert is_empty != bool(judgement["rationales"])
        assert judgement["label"] in {"SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO"}
        assert judgement["active_seconds"] > 0


@both
def test_judgements_keep_the_rules_of_their_protocol(work: Work) -> None:
    protocol = Protocol(work.project)
    for judgement in (j for c in rows(work.file) for j in c["judgements"]):
        roles = judgement.get("roles") or [()] * len(judgement["rationales"])
        findings = check_judgement(
            Label(judgement["label"]),
            [
                Rationale(tuple(indices), tuple(map(SentenceRole, named)))
                for indices, named in zip(judgement["rationales"], roles, strict=True)
            ],
            sentence_count=len(documents(work.corpus)[judgement["doc_id"]]["abstract"]),
            rules=default_settings(protocol),
            labels=default_labels(protocol),
        )
        assert findings.errors == findings.warnings == ()


@both
def test_a_citance_has_no_more_originals_than_its_protocol_allows(work: Work) -> None:
    originals = Counter(
        claim["citance_id"]
        for claim in hand_made(work.file)
        if claim["negates"] is None
    )
    limit = default_settings(Protocol(work.project)).claims_per_source
    assert max(originals.values()) <= limit


@both
def test_judgements_are_reviewed_by_others(work: Work) -> None:
    for judgement in (j for c in rows(work.file) for j in c["judgements"]):
        assert "verify" in stages(judgement["by"], work.project)
        check_review(judgement, judgement["by"], work.project, "review")


def test_scifact_pairs_are_judged_outside_the_family() -> None:
    authors: dict[Id, set[str | None]] = defaultdict(set)
    judges: dict[tuple[Id, Id], list[str]] = defaultdict(list)
    for claim in rows(SCIFACT.file):
        family = SCIFACT.family(claim)
        authors[family] |= {claim["author"], (claim["review"] or {}).get("by")}
        for judgement in claim["judgements"]:
            judges[family, judgement["doc_id"]].append(judgement["by"])
    for (family, _), people in judges.items():
        assert len(set(people)) == len(people)
        assert not set(people) & authors[family]


def test_second_judgements_come_from_others_and_some_disagree() -> None:
    protocol, disagreeing, states = Protocol.SCIFACT, set(), set()
    for second in rows("second_judgements.jsonl"):
        claim = SCIFACT.claims[second["claim_id"]]
        (first,) = (j for j in claim["judgements"] if j["doc_id"] == second["doc_id"])
        family = [c for c in rows(SCIFACT.file) if same_family(c, claim)]
        judges = {
            j["by"]
            for c in family
            for j in c["judgements"]
            if j["doc_id"] == second["doc_id"]
        }
        authors = {c["author"] for c in family} | {
            (c["review"] or {}).get("by") for c in family
        }
        assert second["by"] not in judges | authors
        assert "verify" in stages(second["by"], "scifact")
        check_review(second, second["by"], "scifact", "review")
        findings = check_judgement(
            Label(second["label"]),
            [Rationale(tuple(indices)) for indices in second["rationales"]],
            sentence_count=len(documents("biomedicine")[second["doc_id"]]["abstract"]),
            rules=default_settings(protocol),
            labels=default_labels(protocol),
        )
        assert findings.errors == findings.warnings == ()
        answers = [(j["label"], sorted(j["rationales"])) for j in (first, second)]
        if answers[0] != answers[1]:
            disagreeing.add(answers[0][0] != answers[1][0])
            states.add(second["state"])
    assert disagreeing == {True, False}  # on labels, and on sentences only
    assert states == {"submitted", "approved"}  # some are for an adjudicator


def same_family(one: Row, other: Row) -> bool:
    return SCIFACT.family(one) == SCIFACT.family(other)


def test_scifact_shows_alternative_and_longer_rationales() -> None:
    judgements = [j for c in rows(SCIFACT.file) for j in c["judgements"]]
    assert sum(len(j["rationales"]) == 2 for j in judgements) >= 5
    assert sum(any(len(r) > 1 for r in j["rationales"]) for j in judgements) >= 4
    assert {j["label"] for j in judgements} == {
        "SUPPORT",
        "CONTRADICT",
        "NOT_ENOUGH_INFO",
    }


def test_check_covid_has_one_rationale_with_a_primary_sentence() -> None:
    for claim in rows(CHECK_COVID.file):
        for judgement in claim["judgements"]:
            assert judgement["by"] == claim["author"], "the writer judges"
            (rationale,), (roles,) = judgement["rationales"], judgement["roles"]
            assert len(roles) == len(rationale)
            assert SentenceRole.PRIMARY in roles
            assert set(roles) <= set(SentenceRole)


def test_a_generated_row_gives_a_sentence_that_nobody_chose() -> None:
    chosen: dict[Id, set[int]] = defaultdict(set)
    for claim in rows(CHECK_COVID.file):
        for judgement in claim["judgements"]:
            used = chain.from_iterable(judgement["rationales"])
            chosen[CHECK_COVID.family(claim)] |= set(used)
    generated = [r for r in rows(CHECK_COVID.file) if r["generated_from"]]
    assert len(generated) >= 8
    for row in generated:
        source = CHECK_COVID.claims[row["generated_from"]]
        abstract = documents("covid")[row["doc_id"]]["abstract"]
        assert (row["text"], row["doc_id"]) == (source["text"], source["doc_id"])
        assert 0 <= row["given_sentence"] < len(abstract)
        assert row["given_sentence"] not in chosen[row["generated_from"]]
        assert row["judgements"] == []


def test_imported_claims_have_the_shape_of_scifact() -> None:
    for claim in rows("import_scifact_claims.jsonl"):
        assert list(claim) == ["id", "claim", "evidence", "cited_doc_ids"]
        assert type(claim["id"]) is int
        assert claim["id"] not in SCIFACT.claims
        assert set(claim["cited_doc_ids"]) <= documents("biomedicine").keys()
        assert {int(d) for d in claim["evidence"]} <= set(claim["cited_doc_ids"])
        for doc_id, rationales in claim["evidence"].items():
            length = len(documents("biomedicine")[int(doc_id)]["abstract"])
            used = [i for r in rationales for i in r["sentences"]]
            assert used
            assert len(set(used)) == len(used)
            assert all(0 <= index < length for index in used)
            assert len({r["label"] for r in rationales}) == 1
            assert rationales[0]["label"] in {"SUPPORT", "CONTRADICT"}


def test_visitors_have_work_to_do() -> None:
    def unwritten(work: Work) -> int:
        done = {row["citance_id"] for row in rows(work.file)}
        return len(citances(work.corpus).keys() - done - skipped)

    def open_claims(work: Work) -> int:
        return sum(
            claim["state"] == "approved"
            and len(work.cited(claim)) > len(claim["judgements"])
            for claim in hand_made(work.file)
        )

    skipped = {row["citance_id"] for row in rows("skips.jsonl")}
    free = [unwritten(SCIFACT), unwritten(CHECK_COVID)]
    unjudged = [open_claims(SCIFACT), open_claims(CHECK_COVID)]
    assert sum(free) >= 12
    assert min(free) >= 4
    assert sum(unjudged) >= 10
    assert min(unjudged) >= 4


def test_skipped_citances_have_a_reason_and_no_claim() -> None:
    for row in rows("skips.jsonl"):
        work = {w.project: w for w in (SCIFACT, CHECK_COVID)}[row["project"]]
        assert row["citance_id"] in citances(work.corpus)
        assert row["citance_id"] not in {c["citance_id"] for c in rows(work.file)}
        assert "write" in stages(row["by"], row["project"])
        assert row["reason"]
