"""The counts that the published files are known to have (docs/formats.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

import pytest

from corpus.formats.base import Severity
from corpus.records import (
    Claim,
    ClaimKind,
    Document,
    Label,
    PairOrigin,
    SentenceRole,
)
from tests.corpus.formats.helpers import FOLDS, reads, records
from tests.paths import shared_file

S, C, N, M = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.MIXED


# --- SciFact ------------------------------------------------------------------


def scifact_claims(split: str) -> list[Claim]:
    return records("scifact", "claims", f"data/scifact/claims_{split}.jsonl")


def scifact_label(claim: Claim) -> Label:
    labels = {entry.label for entry in claim.evidence} or {N}
    (label,) = labels
    return label


SCIFACT_COUNTS = {
    "train": {
        "claims": 809,
        "labels": {S: 332, N: 304, C: 173},
        "ids": (0, 1407),
        "evidence abstracts": 564,
        "rationales": 957,
        "gold sentences": 1025,
        "claims by evidence abstracts": {0: 304, 1: 468, 2: 20, 3: 17},
        "abstracts by rationales": {1: 296, 2: 176, 3: 92},
        "rationales by sentences": {1: 897, 2: 53, 3: 7},
        "citations": 919,
        "cited documents": 565,
    },
    "dev": {
        "claims": 300,
        "labels": {S: 124, N: 112, C: 64},
        "ids": (1, 1395),
        "evidence abstracts": 209,
        "rationales": 338,
        "gold sentences": 366,
        "claims by evidence abstracts": {0: 112, 1: 178, 2: 4, 3: 6},
        "abstracts by rationales": {1: 124, 2: 54, 3: 31},
        "rationales by sentences": {1: 313, 2: 22, 3: 3},
        "citations": 340,
        "cited documents": 283,
    },
}


def capped(numbers: Iterable[int]) -> dict[int, int]:
    """Count numbers, with 3 standing for 3 and more."""
    return dict(Counter(min(number, 3) for number in numbers))


@pytest.mark.parametrize("split", SCIFACT_COUNTS)
def test_scifact_has_the_published_counts(split: str) -> None:
    claims = scifact_claims(split)
    entries = [entry for claim in claims for entry in claim.evidence]
    rationales = [rationale for entry in entries for rationale in entry.rationales]
    cited = [document.text for claim in claims for document in claim.cited or ()]
    expected = SCIFACT_COUNTS[split]
    numbers = [int(claim.id.text) for claim in claims]
    assert numbers == sorted(numbers)
    assert {
        "claims": len(claims),
        "labels": dict(Counter(map(scifact_label, claims))),
        "ids": (numbers[0], numbers[-1]),
        "evidence abstracts": len(entries),
        "rationales": len(rationales),
        "gold sentences": sum(len(rationale.sentences) for rationale in rationales),
        "claims by evidence abstracts": capped(len(c.evidence) for c in claims),
        "abstracts by rationales": capped(len(entry.rationales) for entry in entries),
        "rationales by sentences": capped(len(r.sentences) for r in rationales),
        "citations": len(cited),
        "cited documents": len(set(cited)),
    } == expected


def test_the_largest_sentence_index_of_scifact_is_40() -> None:
    claims = scifact_claims("train") + scifact_claims("dev")
    entries = [entry for claim in claims for entry in claim.evidence]
    assert max(max(r.sentences) for e in entries for r in e.rationales) == 40


def test_scifact_train_and_dev_share_181_cited_documents() -> None:
    train, dev = (
        {d.text for claim in scifact_claims(split) for d in claim.cited or ()}
        for split in ("train", "dev")
    )
    assert (len(train & dev), len(train | dev)) == (181, 667)


def test_the_scifact_test_set_is_unlabelled_not_without_evidence() -> None:
    claims = scifact_claims("test")
    assert len(claims) == 300
    assert {(c.is_labelled, c.cited, c.evidence) for c in claims} == {(False, None, ())}


def test_scifact_ids_are_unique_over_all_splits() -> None:
    ids = [c.id.text for s in ("train", "dev", "test") for c in scifact_claims(s)]
    assert (len(ids), len(set(ids))) == (1409, 1409)


def test_scifact_claim_texts_repeat_under_eight_pairs_of_ids() -> None:
    texts = Counter(c.text for s in ("train", "dev", "test") for c in scifact_claims(s))
    assert [n for n in texts.values() if n > 1] == [2] * 8


def test_scifact_quirks_are_accepted_and_reported() -> None:
    warned = {}
    for split in ("train", "dev"):
        for read in reads(
            "scifact", "claims", shared_file(f"data/scifact/claims_{split}.jsonl")
        ):
            for problem in read.problems:
                assert problem.severity is Severity.WARNING
                warned[read.record.id.text, problem.field] = problem.message
    more_rationales = [m for m in warned.values() if "rationales; the paper" in m]
    assert len(more_rationales) == 28 + 10
    assert "more than 3 sentences" in warned["264", "evidence.11328820[0].sentences"]
    assert "cited twice" in warned["1245", "cited_doc_ids"]
    assert len(warned) == 28 + 10 + 2


def test_the_scifact_corpus_has_the_published_counts() -> None:
    documents: list[Document] = records(
        "scifact", "documents", "data/scifact/corpus.jsonl"
    )
    assert len(documents) == 5183
    assert sum(document.structured is True for document in documents) == 977


def test_the_scifact_corpus_is_the_released_one() -> None:
    digest = sha256(shared_file("data/scifact/corpus.jsonl").read_bytes()).hexdigest()
    assert digest.startswith("b8d6c896")
    assert digest.endswith("ade62")


def test_the_scifact_folds_have_the_published_sizes() -> None:
    sizes = [len(records("scifact", "claims", path)) for path in FOLDS]
    assert sizes == [887, 222] * 4 + [888, 221]


# --- Check-COVID --------------------------------------------------------------


def check_covid(path: str) -> list[Claim]:
    return records("check-covid", "claims", f"data/check-covid/{path}")


CHECK_COVID_COUNTS = [
    ("train/covidCheck_train_composed.json", (264, 299, 279)),
    ("train/covidCheck_train_extracted.json", (95, 59, 72)),
    ("train/covidCheck_train_composed+extracted.json", (359, 358, 351)),
    ("dev/covidCheck_dev_composed.json", (50, 56, 54)),
    ("dev/covidCheck_dev_extracted.json", (19, 14, 14)),
    ("dev/covidCheck_dev_composed+extracted.json", (69, 70, 68)),
    ("test/covidCheck_test_composed.json", (57, 64, 59)),
    ("test/covidCheck_test_extracted.json", (20, 12, 17)),
    ("Check-COVID_all.json", (505, 504, 495)),
]


@pytest.mark.parametrize(("path", "counts"), CHECK_COVID_COUNTS)
def test_check_covid_has_the_published_counts(
    path: str, counts: tuple[int, int, int]
) -> None:
    labels = Counter(claim.evidence[0].label for claim in check_covid(path))
    assert (labels[S], labels[C], labels[N]) == counts


@pytest.mark.parametrize(
    ("path", "claims"),
    [
        ("noNEI/covidCheck_dev_composed+extracted_noNEI.json", 138),
        ("noNEI/covidCheck_test_composed_noNEI.json", 119),
        ("noNEI/covidCheck_test_extracted_noNEI.json", 31),
        ("challenge_subset/covidCheck_test_composed_noNEI_numeric.json", 20),
        ("challenge_subset/covidCheck_test_extracted_noNEI_numeric.json", 11),
        ("challenge_subset/covidCheck_test_composed_noNEI_temporal.json", 25),
        ("challenge_subset/covidCheck_test_extracted_noNEI_temporal.json", 17),
        ("covidCheck_dev_rationale_ablation.json", 14),
    ],
)
def test_check_covid_variants_have_the_published_counts(path: str, claims: int) -> None:
    assert len(check_covid(f"variants_for_experiments/{path}")) == claims


def test_check_covid_claims_have_the_published_kinds_and_roles() -> None:
    claims = check_covid("Check-COVID_all.json")
    kinds = Counter((c.kind, c.evidence[0].label) for c in claims)
    composed, extracted = ClaimKind.COMPOSED, ClaimKind.EXTRACTED
    assert [kinds[composed, label] for label in (S, C, N)] == [371, 419, 392]
    assert [kinds[extracted, label] for label in (S, C, N)] == [134, 85, 103]
    roles = Counter(
        role for c in claims for r in c.evidence[0].rationales for role in r.roles
    )
    assert roles == {SentenceRole.PRIMARY: 1539, SentenceRole.SUPPLEMENTARY: 447}
    assert sum(claim.text != claim.text.strip() for claim in claims) == 175


def test_every_check_covid_nei_claim_keeps_its_one_given_sentence() -> None:
    for claim in check_covid("Check-COVID_all.json"):
        (entry,) = claim.evidence
        (rationale,) = entry.rationales
        is_nei = entry.label is N
        assert (entry.origin is PairOrigin.GENERATED) == is_nei
        assert len(rationale.sentences) == 1 or not is_nei


def test_the_check_covid_corpus_has_the_published_counts() -> None:
    documents = records("check-covid", "documents", "data/check-covid/corpus.json")
    lengths = [len(document.sentences) for document in documents]
    assert (len(lengths), sum(lengths)) == (347, 3459)
    assert (min(lengths), max(lengths)) == (1, 26)


def check_covid_groups() -> list[list[Claim]]:
    """Return the variants of each annotation: claims with the same 24 hex digits."""
    groups: dict[str, list[Claim]] = {}
    for claim in check_covid("Check-COVID_all.json"):
        groups.setdefault(claim.id.text.split("_")[0], []).append(claim)
    return list(groups.values())


def test_check_covid_groups_share_a_document_but_not_always_a_kind() -> None:
    groups = check_covid_groups()
    assert len(groups) == 498
    assert all(len({claim.cited for claim in group}) == 1 for group in groups)
    assert sum(len({claim.kind for claim in group}) > 1 for group in groups) == 49


def test_the_suffix_of_a_check_covid_id_is_not_the_label() -> None:
    usual = {"0": C, "1": S, "2": N}
    suffixes = [
        (claim.id.text.split("_")[1], claim.evidence[0].label)
        for claim in check_covid("Check-COVID_all.json")
    ]
    assert sum(usual.get(suffix) != label for suffix, label in suffixes) == 45
    assert max(suffix for suffix, _ in suffixes) == "6"


def test_check_covid_claim_texts_are_not_keys() -> None:
    texts = Counter(claim.text for claim in check_covid("Check-COVID_all.json"))
    assert sum(count > 1 for count in texts.values()) == 496


def test_check_covid_evidence_is_sorted_in_range_and_has_a_primary_sentence() -> None:
    documents = records("check-covid", "documents", "data/check-covid/corpus.json")
    lengths = {document.id.text: len(document.sentences) for document in documents}
    claims = check_covid("Check-COVID_all.json")
    rationales = [(c.cited, c.evidence[0].rationales[0]) for c in claims]
    for cited, rationale in rationales:
        assert cited is not None
        assert list(rationale.sentences) == sorted(set(rationale.sentences))
        assert rationale.sentences[-1] < lengths[cited[0].text]
    primary = [list(r.roles).count(SentenceRole.PRIMARY) for _, r in rationales]
    assert (min(primary), sum(count > 1 for count in primary)) == (1, 29)
    assert {cited[0].text for cited, _ in rationales if cited} == set(lengths)


def test_in_two_check_covid_groups_the_given_sentence_is_gold_of_a_sibling() -> None:
    def sentences(group: list[Claim], *, nei: bool) -> set[int]:
        return {
            sentence
            for claim in group
            if (claim.evidence[0].label is N) == nei
            for sentence in claim.evidence[0].rationales[0].sentences
        }

    clashing = [
        group
        for group in check_covid_groups()
        if sentences(group, nei=True) & sentences(group, nei=False)
    ]
    assert len(clashing) == 2


def test_check_covid_splits_share_no_abstract() -> None:
    splits = [
        ("train/covidCheck_train_composed+extracted.json",),
        ("dev/covidCheck_dev_composed+extracted.json",),
        ("test/covidCheck_test_composed.json", "test/covidCheck_test_extracted.json"),
    ]
    documents = [
        {
            claim.cited[0].text
            for path in paths
            for claim in check_covid(path)
            if claim.cited
        }
        for paths in splits
    ]
    assert [len(ids) for ids in documents] == [247, 50, 50]
    assert len(set().union(*documents)) == 347


def test_the_rationale_ablation_file_is_accepted_without_primary_sentences() -> None:
    path = "variants_for_experiments/covidCheck_dev_rationale_ablation.json"
    found = reads("check-covid", "claims", shared_file(f"data/check-covid/{path}"))
    messages = [problem.message for read in found for problem in read.problems]
    without = sum(
        SentenceRole.PRIMARY not in r.record.evidence[0].rationales[0].roles
        for r in found
    )
    assert messages == ["evidence_set has no PRIMARY sentence."] * without
    assert without > 0


# --- CoRe ---------------------------------------------------------------------


def core(split: str) -> list[Claim]:
    return records("core", "claims", f"data/core/{split}_mapped.csv")


@pytest.mark.parametrize(
    ("split", "counts", "untitled", "declaratives"),
    [("train", (243, 92, 47), 227, 59), ("test", (79, 28, 20), 74, 46)],
)
def test_core_has_the_published_counts(
    split: str, counts: tuple[int, int, int], untitled: int, declaratives: int
) -> None:
    claims = core(split)
    labels = Counter(claim.evidence[0].label for claim in claims)
    assert (labels[S], labels[C], labels[M]) == counts
    assert sum(c.documents[0].title == "" for c in claims) == untitled
    assert len({claim.text for claim in claims}) == declaratives


# Rows in train and development of each topic, topics in alphabetical order.
CORE_TOPICS = [
    (27, 10),
    (25, 8),
    (10, 3),
    (2, 1),
    (17, 8),
    (1, 1),
    (21, 8),
    (30, 10),
    (142, 38),
    (82, 35),
    (23, 4),
    (2, 1),
]


def test_core_has_the_published_rows_of_each_topic() -> None:
    def reviews(split: str) -> Counter[str]:
        return Counter(c.question.review for c in core(split) if c.question)

    train, dev = reviews("train"), reviews("test")
    topics = sorted(train | dev)
    assert [(train[topic], dev[topic]) for topic in topics] == CORE_TOPICS


def test_core_files_have_the_published_abstracts_and_dois() -> None:
    # 125 in the development file; train and development share 6 abstracts.
    train = {c.documents[0].text for c in core("train")}
    dev = {c.documents[0].text for c in core("test")}
    assert len(train & dev) == 6
    assert len({c.evidence[0].extra["doi"] for c in core("test")}) == 125


def test_core_repeats_two_pairs_across_train_and_development() -> None:
    train, dev = (
        {(c.text, c.documents[0].text) for c in core(split)}
        for split in ("train", "test")
    )
    assert len(train & dev) == 2


def test_core_texts_keep_their_odd_characters() -> None:
    raw = shared_file("data/core/train_mapped.csv").read_bytes()
    assert sum(byte > 127 for byte in raw) == 295
    assert shared_file("data/core/test_mapped.csv").read_bytes().isascii()
    abstracts = [c.documents[0].text or "" for c in core("train") + core("test")]
    assert sum("<i>" in abstract for abstract in abstracts) == 2
    assert all(abstracts)


def test_core_keeps_the_replacement_characters() -> None:
    cells = [
        text
        for claim in core("train")
        for text in (
            claim.text,
            claim.documents[0].title,
            claim.documents[0].text or "",
            *map(str, claim.evidence[0].extra.values()),
        )
    ]
    assert sum(cell.count("\ufffd") for cell in cells) == 33


def test_the_same_core_abstract_is_the_same_document_in_every_row() -> None:
    by_id: dict[str, Document] = {}
    for claim in core("train"):
        (document,) = claim.documents
        assert by_id.setdefault(document.id.text, document) == document
    assert len(by_id) == 372
