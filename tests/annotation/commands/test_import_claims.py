"""``import_claims``: gold in, all or nothing, and never over anybody's work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import (
    Claim,
    ClaimVersion,
    Judgement,
    JudgementVersion,
    Pair,
    Project,
    Rationale,
    Source,
    Verdict,
)
from corpus.models import Document
from tests.annotation import transfers
from tests.annotation.replaying import LIBRARY, assert_events_rebuild_the_tables
from tests.annotation.transfers import claim, document, entry, write_lines
from tests.factories import UserFactory


@pytest.fixture
def library(tmp_path: Path) -> None:
    lines = (document(1), document(2, "Rye is tall."), document(3, "Figs.", "Plums."))
    transfers.import_corpus(write_lines(tmp_path / "corpus.jsonl", *lines))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write_claims(*lines: Any) -> Path:
        return write_lines(tmp_path / "claims.jsonl", *lines)

    return write_claims


GOLD = claim(
    11,
    "Bees like clover.",
    {"3": [entry(0), entry(1)], "1": [entry(1, label="SUPPORT")]},
    [1, 2, 3, 2],
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]


def test_gold_becomes_judgements_that_verdicts_adopt(
    write: Callable[..., Path],
) -> None:
    outcome = transfers.import_claims(write(GOLD), "--split", "dev")

    assert outcome.counts["new"] == 1
    row = Claim.objects.get()
    assert (row.external_id, row.external_id_is_int, row.state) == (
        "11",
        True,
        "imported",
    )
    assert row.split is not None
    assert row.split.name == "dev"
    cited = row.citations.order_by("ordinal")
    assert [c.document.external_id for c in cited] == ["1", "2", "3", "2"]
    pairs = row.pairs.order_by("ordinal")
    found = [
        (p.document.external_id, p.origin, p.verdict.judgement.label) for p in pairs
    ]
    assert found == [
        ("3", "imported", "SUPPORT"),
        ("1", "imported", "SUPPORT"),
        ("2", "cited", "NOT_ENOUGH_INFO"),
    ]
    judgement = pairs[0].verdict.judgement
    assert (judgement.annotator, judgement.origin) == (None, "import")
    assert judgement.document_hash == pairs[0].document.content_hash
    assert judgement.claim_version == row.versions.get()
    ordered = judgement.rationales.order_by("ordinal")
    assert [r.sentences for r in ordered] == [[0], [1]]
    version = judgement.versions.get()
    assert version.rationales == [
        {"sentences": [0], "roles": []},
        {"sentences": [1], "roles": []},
    ]


def test_an_unlabelled_claim_says_nothing_about_its_abstracts(
    write: Callable[..., Path],
) -> None:
    lines = (
        {"id": 1, "claim": "Rye is tall."},
        {"id": 2, "claim": "Rye is short.", "cited_doc_ids": [2]},
    )
    transfers.import_claims(write(*lines))
    assert not Judgement.objects.exists()
    pair = Pair.objects.get()
    assert (pair.claim.external_id, pair.state) == ("2", "imported")
    silent = Claim.objects.get(external_id="1")
    assert (silent.is_labelled, silent.has_cited_list) == (False, False)


def test_the_same_file_twice_changes_nothing(write: Callable[..., Path]) -> None:
    file = write(GOLD, claim(12, "Figs.", {}, [3]))
    transfers.import_claims(file)
    before = transfers.row_counts()
    counter = Project.objects.get().claim_counter

    outcome = transfers.import_claims(file)

    assert (outcome.counts["identical"], outcome.counts["new"]) == (2, 0)
    assert transfers.row_counts() == before
    assert Project.objects.get().claim_counter == counter


def test_events_rebuild_what_was_imported(write: Callable[..., Path]) -> None:
    transfers.import_claims(write(GOLD, claim(12, "Figs.", {}, [3])), "--split", "a")
    transfers.import_claims(write({**GOLD, "claim": "Bees love clover."}))

    assert_events_rebuild_the_tables(*LIBRARY)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (claim(1, "x", {"9": [entry(0)]}, [9]), "the abstract 9 is not in the corpus"),
        (claim(1, "x", {}, [1, 8]), "the abstract 8 is not in the corpus"),
        (
            claim(1, "x", {"2": [entry(0, 1)]}, [2]),
            "no sentence 1 in the abstract 2, which has 1 sentence",
        ),
        (claim(1, "x", {"2": [entry(0, label="REFUTES")]}, [2]), "REFUTES"),
        (
            {
                **claim(1, "x"),
                "evidence": {"2": [{"sentences": ["0"], "label": "SUPPORT"}]},
            },
            "a whole number from 0",
        ),
    ],
    ids=["evidence", "cited", "sentence", "label", "text as index"],
)
def test_what_does_not_fit_is_an_error_with_its_place(
    line: dict[str, Any], words: str, write: Callable[..., Path]
) -> None:
    file = write(claim(4, "Fine.", {}, [1]), line)
    outcome = transfers.import_claims(file)
    assert outcome.code == 2
    assert outcome.errors[0].startswith(f"{file}:2: ")
    assert words in outcome.errors[0]
    assert not Claim.objects.exists()
    assert not Project.objects.exists()


def test_a_repeated_evidence_key_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    evidence = '{"2": [{"sentences": [0], "label": "SUPPORT"}], "2": []}'
    file.write_text(
        f'{{"id": 1, "claim": "x", "evidence": {evidence}, "cited_doc_ids": [2]}}'
    )
    outcome = transfers.import_claims(file)
    assert outcome.code == 2
    assert "occurs twice" in outcome.errors[0]


def test_every_error_is_printed_however_many(write: Callable[..., Path]) -> None:
    lines = [claim(n, "x", {}, [1000 + n]) for n in range(250)]
    outcome = transfers.import_claims(write(*lines))
    assert len(outcome.errors) == 250
    assert "250 errors" in outcome.message


def test_an_untouched_claim_follows_a_corrected_file(
    write: Callable[..., Path],
) -> None:
    transfers.import_claims(write(GOLD, claim(12, "Figs.", {}, [3])))
    corrected = claim(
        11,
        "Bees love clover.",
        {"2": [entry(0, label="CONTRADICT")], "3": [entry(0, label="CONTRADICT")]},
        [2, 3],
    )
    file = write(corrected, claim(12, "Figs.", {}, [3]))

    outcome = transfers.import_claims(file)

    assert (outcome.counts["changed"], outcome.counts["identical"]) == (1, 1)
    row = Claim.objects.get(external_id="11")
    assert (row.version, row.text) == (2, "Bees love clover.")
    assert list(row.versions.order_by("number").values_list("text", flat=True)) == [
        "Bees like clover.",
        "Bees love clover.",
    ]
    states = dict(row.pairs.values_list("document__external_id", "state"))
    assert states == {"1": "retired", "2": "imported", "3": "imported"}
    # The old answer stays readable as a version.
    judgement = Judgement.objects.get(pair__claim=row, pair__document__external_id="3")
    labels = JudgementVersion.objects.filter(judgement=judgement).order_by("number")
    assert list(labels.values_list("label", flat=True)) == ["SUPPORT", "CONTRADICT"]
    assert transfers.import_claims(file).counts["identical"] == 2


def judged_by_somebody(row: Claim) -> None:
    pair = row.pairs.order_by("ordinal")[0]
    Judgement.objects.create(
        pair=pair,
        annotator=UserFactory(),
        slot=1,
        label="SUPPORT",
        claim_version=row.versions.get(),
        document_hash="x",
        submitted_at=timezone.now(),
    )


def reworded_by_somebody(row: Claim) -> None:
    ClaimVersion.objects.create(claim=row, number=2, text="y", author=UserFactory())


def approved_here(row: Claim) -> None:
    Claim.objects.filter(pk=row.pk).update(state=Claim.State.APPROVED)


@pytest.mark.parametrize(
    "work", [judged_by_somebody, reworded_by_somebody, approved_here]
)
def test_a_claim_that_somebody_worked_on_is_kept(
    work: Callable[[Claim], None], write: Callable[..., Path]
) -> None:
    transfers.import_claims(write(GOLD))
    row = Claim.objects.get()
    work(row)
    before = transfers.row_counts()

    outcome = transfers.import_claims(write({**GOLD, "claim": "Other words."}))

    assert (outcome.code, outcome.counts["kept"]) == (0, 1)
    assert Claim.objects.get().text == "Bees like clover."
    assert transfers.row_counts() == before


def test_gold_is_never_taken_away_by_an_unlabelled_file(
    write: Callable[..., Path],
) -> None:
    transfers.import_claims(write(GOLD))
    outcome = transfers.import_claims(write({"id": 11, "claim": GOLD["claim"]}))
    assert outcome.counts["kept"] == 1
    assert Verdict.objects.count() == 3


def test_numbers_of_written_claims_stay_clear_of_imported_ids(
    write: Callable[..., Path],
) -> None:
    transfers.import_claims(write(claim(1400, "Figs.", {}, [3])))
    assert Project.objects.get().claim_counter == 1400


def test_a_question_is_kept_once_and_its_source_is_done(tmp_path: Path) -> None:
    header = (
        "idx,hypothesis,declarative,label,ref_id,url,ref_txt,doi,title,"
        "abstract_collected,file\n"
    )
    row = "{n},DO FIGS HELP?,FIGS HELP,ENTAIL,r{n},,,,T{n},We saw. They did.,Review\n"
    file = tmp_path / "core.csv"
    file.write_text(header + row.format(n=1) + row.format(n=2))
    names = ("--corpus", "Studies", "--project", "Review", "--create")
    outcome = transfers.run("import_claims", "--format", "core", *names, file)
    assert (outcome.counts["new"], outcome.counts["documents"]["new"]) == (2, 2)
    source = Source.objects.get()
    assert source.state == "done"
    assert source.claims.count() == 2
    split = Document.objects.filter(corpus__name="Studies").first()
    assert split is not None
    assert split.sentences == ["We saw.", "They did."]
    assert split.text == "We saw. They did."
    before = transfers.row_counts()
    transfers.run("import_claims", "--format", "core", *names, file)
    assert transfers.row_counts() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("Library", "None"), "no project"),
        (("None", "None"), "no corpus"),
        (("Other", "Claims", "--create"), "works on the corpus"),
        (("Library", "Claims", "--split", "x" * 41), "40 characters"),
    ],
)
def test_a_wrong_place_is_said(
    arguments: tuple[str, ...], words: str, write: Callable[..., Path]
) -> None:
    file = write(GOLD)
    transfers.import_claims(file)
    corpus, project, *more = arguments
    names = ("--corpus", corpus, "--project", project, *more)
    outcome = transfers.run("import_claims", "--format", "scifact", *names, file)
    assert outcome.code == 2
    assert words in outcome.message


def test_labels_outside_the_projects_scheme_are_errors(
    write: Callable[..., Path],
) -> None:
    transfers.import_claims(write(GOLD))
    Project.objects.update(
        label_scheme=[
            {"label": "SUPPORT", "word": "YES"},
            {"label": "MIXED", "word": "BOTH"},
        ]
    )
    line = claim(2, "No.", {"1": [entry(0, label="CONTRADICT")]}, [1])
    outcome = transfers.import_claims(write(line))
    assert outcome.code == 2
    assert "not one of this project's labels (MIXED, SUPPORT)" in outcome.errors[0]


def test_rationales_keep_order_repeats_and_overlaps(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    odd = claim(1, "Figs.", {"3": [entry(1, 0), entry(1, 1)]}, [3])
    file = write(odd)
    assert transfers.import_claims(file).code == 0
    stored = Rationale.objects.order_by("ordinal").values_list("sentences", flat=True)
    assert list(stored) == [[1, 0], [1, 1]]
    out = tmp_path / "out.jsonl"
    refused = transfers.export_claims(out)
    assert refused.code == 2  # the evaluators cannot score it
    assert not out.exists()
