"""``export_claims``: what is in the file, what is not and why, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.models import Claim, Pair, Verdict
from tests.annotation import transfers
from tests.annotation.transfers import claim, document, entry, write_lines

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("project")]


@pytest.fixture
def project(tmp_path: Path) -> None:
    corpus = write_lines(tmp_path / "corpus.jsonl", document(1), document(2))
    transfers.import_corpus(corpus)
    claims = write_lines(
        tmp_path / "claims.jsonl",
        claim(1, "Bees like clover.", {"1": [entry(0)]}, [1]),
        claim(2, "Bees like tar.", {"1": [entry(1, label="CONTRADICT")]}, [1, 2]),
        claim(3, "Bees read.", {}, [2]),
    )
    transfers.import_claims(claims)


def manifest(output: Path) -> dict[str, object]:
    path = output.with_name(f"{output.name}.manifest.json")
    content: dict[str, object] = json.loads(path.read_text())
    return content


def ids(output: Path) -> list[int]:
    return [json.loads(line)["id"] for line in output.read_text().splitlines()]


def test_what_is_left_out_is_counted_and_named(tmp_path: Path) -> None:
    Claim.objects.filter(external_id="1").update(state=Claim.State.SUBMITTED)
    unjudged = Verdict.objects.filter(pair__claim__external_id="3")
    unjudged.delete()
    out = tmp_path / "out.jsonl"

    outcome = transfers.export_claims(out)

    assert ids(out) == [2]
    assert (outcome.counts["included"], outcome.counts["excluded"]) == (1, 2)
    content = manifest(out)
    assert content["counts"] == {
        "included": 1,
        "excluded": {
            "a pair has no verdict yet": 1,
            "state: waiting for proofreading": 1,
        },
        "verdicts": {"imported": 2},
    }
    assert content["excluded"] == [
        {"id": "1", "reason": "state: waiting for proofreading"},
        {"id": "3", "reason": "a pair has no verdict yet"},
    ]


def test_a_retired_claim_is_named_as_left_out(tmp_path: Path) -> None:
    Claim.objects.filter(external_id="2").update(state=Claim.State.RETIRED)
    out = tmp_path / "out.jsonl"
    transfers.export_claims(out)
    assert ids(out) == [1, 3]
    assert manifest(out)["excluded"] == [{"id": "2", "reason": "state: retired"}]


def test_states_can_be_chosen(tmp_path: Path) -> None:
    Claim.objects.filter(external_id="1").update(state=Claim.State.SUBMITTED)
    out = tmp_path / "out.jsonl"
    transfers.export_claims(out, "--states", "submitted,imported")
    assert ids(out) == [1, 2, 3]
    outcome = transfers.export_claims(out, "--states", "finished")
    assert outcome.code == 2
    assert "finished" in outcome.message


def test_retired_pairs_are_not_exported(tmp_path: Path) -> None:
    pair = Pair.objects.filter(claim__external_id="2", document__external_id="1")
    pair.update(state=Pair.State.RETIRED)
    out = tmp_path / "out.jsonl"
    transfers.export_claims(out)
    assert json.loads(out.read_text().splitlines()[1])["evidence"] == {}


def test_the_same_rows_give_the_same_files(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    transfers.export_claims(first)
    transfers.export_claims(second)
    assert first.read_bytes() == second.read_bytes()
    assert manifest(first) == manifest(second)


def test_gold_that_the_evaluator_cannot_score_is_refused_or_repaired(
    tmp_path: Path,
) -> None:
    odd = (
        claim(8, "Overlap.", {"1": [entry(0, 1), entry(1)]}, [1]),
        claim(9, "Repeat.", {"2": [entry(1, 1)]}, [2]),
    )
    transfers.import_claims(write_lines(tmp_path / "odd.jsonl", *odd))
    out = tmp_path / "out.jsonl"
    out.write_text("the last good export")

    refused = transfers.export_claims(out)

    assert refused.code == 2
    assert [line.split(": ")[1] for line in refused.errors] == ["8", "9"]
    assert out.read_text() == "the last good export"
    assert [path.name for path in tmp_path.glob("out.*")] == ["out.jsonl"]

    repaired = transfers.export_claims(out, "--repair")
    assert repaired.code == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert lines[3]["evidence"]["1"][0]["sentences"] == [0, 1]
    assert lines[4]["evidence"]["2"][0]["sentences"] == [1]
    problems = manifest(out)["problems"]
    assert isinstance(problems, list)
    assert [problem["id"] for problem in problems] == ["8", "9"]


def test_what_another_format_cannot_hold_is_reported_record_by_record(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out.json"
    outcome = transfers.export_claims(out, fmt="check-covid")
    # Claim 2 has two abstracts; Check-COVID has one for each claim.
    assert outcome.code == 2
    assert [line.split(": ")[1] for line in outcome.errors] == ["2"]

    Claim.objects.filter(external_id="2").update(state=Claim.State.REJECTED)
    assert transfers.export_claims(out, fmt="check-covid").code == 0
    problems = manifest(out)["problems"]
    assert isinstance(problems, list)
    messages = {problem["id"]: problem["message"] for problem in problems}
    assert "PRIMARY" in messages["1"]
    assert "empty evidence_set" in messages["3"]


def test_labels_cross_schemes_only_with_a_map(tmp_path: Path) -> None:
    corpus = write_lines(tmp_path / "c.jsonl", document("a"), document("b"))
    transfers.import_corpus(corpus, corpus="Mixed")
    header = "idx,hypothesis,declarative,label,ref_id,url,ref_txt,doi,title"
    file = tmp_path / "core.csv"
    file.write_text(
        f"{header},abstract_collected,file\n1,H?,H,INCONCLUSIVE,,,,,T,We saw.,R\n"
    )
    names = ("--corpus", "Mixed", "--project", "Core", "--create")
    transfers.run("import_claims", "--format", "core", *names, file)
    out = tmp_path / "out.json"
    arguments = ("--format", "check-covid", "--project", "Core", "--output", out)

    refused = transfers.run("export_claims", *arguments)
    assert refused.code == 2
    assert "MIXED" in refused.errors[0]

    mapped = ("--label-map", "MIXED=NOT_ENOUGH_INFO")
    assert transfers.run("export_claims", *arguments, *mapped).code == 0
    assert json.loads(out.read_text())["label"] == "NOTENOUGHINFO"
    assert manifest(out)["label_map"] == {"MIXED": "NOT_ENOUGH_INFO"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--split", "none"), "no split"),
        (("--label-map", "MIXED"), "write FROM=TO"),
        (("--output", "/nowhere/at/all.jsonl"), "does not exist"),
    ],
)
def test_wrong_arguments_are_said(
    more: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    outcome = transfers.export_claims(tmp_path / "out.jsonl", *more)
    assert outcome.code == 2
    assert words in outcome.message
