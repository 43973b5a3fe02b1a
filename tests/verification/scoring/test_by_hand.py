"""Scores worked out by hand, for what the oracle's cases leave open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.verification.scoring.files import claim, prediction, request, scored
from verification.scoring.tasks import LEADERBOARD, VERISCI

PIPELINE = "scifact_pipeline"


def of_one(gold: Any, predicted: Any, profile: str = LEADERBOARD) -> dict[str, Any]:
    return scored(PIPELINE, request([gold], [predicted], profile=profile))


def counts_of(gold: Any, predicted: Any, profile: str = LEADERBOARD) -> list[int]:
    counts = of_one(gold, predicted, profile)["counts"]
    names = ("relevant", "retrieved", "correct_selection", "correct_label")
    sentences = [counts[f"sentence_{name}"] for name in names]
    names = ("relevant", "retrieved", "correct_label_only", "correct_rationalized")
    return sentences + [counts[f"abstract_{name}"] for name in names]


# Each: reason, gold, prediction, the eight counts (sentences, then abstracts) of the
# leaderboard and, where it differs, of verisci.
COUNTED = [
    (
        "of two rationales only the complete one is credited",
        claim(1, d11=[([0, 1], "SUPPORT"), ([5], "SUPPORT")]),
        prediction(1, d11=([0, 5], "SUPPORT")),
        [3, 2, 1, 1, 1, 1, 1, 1],
        None,
    ),
    (
        "a repeated sentence is retrieved twice and correct once",
        claim(1, d11=[([0, 1], "SUPPORT")]),
        prediction(1, d11=([0, 0, 1, 5], "SUPPORT")),
        [2, 4, 2, 2, 1, 1, 1, 1],
        None,
    ),
    (
        "a repeated sentence takes one of the three places",
        claim(1, d11=[([0, 1], "SUPPORT")]),
        prediction(1, d11=([0, 0, 0, 1], "SUPPORT")),
        [2, 4, 2, 2, 1, 1, 1, 0],
        None,
    ),
    (
        "indices that no abstract has are retrieved, never correct",
        claim(1, d11=[([0, 1], "SUPPORT"), ([5], "SUPPORT")]),
        prediction(1, d11=([0, 1, 5, 999, -1], "SUPPORT")),
        [3, 5, 3, 3, 1, 1, 1, 1],
        None,
    ),
    (
        "a rationale of four may be hit within four on the leaderboard only",
        claim(1, d11=[([7, 8, 9, 10], "CONTRADICT")]),
        prediction(1, d11=([7, 8, 9, 10], "CONTRADICT")),
        [4, 4, 4, 4, 1, 1, 1, 1],
        [4, 4, 4, 4, 1, 1, 1, 0],
    ),
    (
        "the shortest rationale decides the cap, and here it is one sentence",
        claim(1, d11=[([7, 8, 9, 10], "CONTRADICT"), ([2], "CONTRADICT")]),
        prediction(1, d11=([7, 8, 9, 10], "CONTRADICT")),
        [5, 4, 4, 4, 1, 1, 1, 0],
        None,
    ),
    (
        "an empty gold rationale lies in every prediction",
        claim(1, d11=[([], "SUPPORT")]),
        prediction(1, d11=([], "SUPPORT")),
        [0, 0, 0, 0, 1, 1, 1, 1],
        None,
    ),
    (
        "a repeated gold index is relevant twice",
        claim(1, d11=[([3, 3], "SUPPORT")]),
        prediction(1, d11=([3], "SUPPORT")),
        [2, 1, 1, 1, 1, 1, 1, 1],
        None,
    ),
    (
        "0241 is another document on the leaderboard, the same for verisci",
        claim(1, d241=[([0], "SUPPORT")]),
        prediction(1, d0241=([0], "SUPPORT")),
        [1, 1, 0, 0, 1, 1, 0, 0],
        [1, 1, 1, 1, 1, 1, 1, 1],
    ),
    (
        "documents may support and contradict one claim",
        claim(1, d11=[([0], "SUPPORT")], d12=[([1], "CONTRADICT")]),
        prediction(1, d11=([0], "CONTRADICT"), d12=([1], "CONTRADICT")),
        [2, 2, 2, 1, 2, 2, 1, 1],
        None,
    ),
]


@pytest.mark.parametrize(
    ("gold", "predicted", "leaderboard", "verisci"),
    [case[1:] for case in COUNTED],
    ids=[case[0] for case in COUNTED],
)
def test_the_eight_counts_of_one_claim(
    gold: Any, predicted: Any, leaderboard: list[int], verisci: list[int] | None
) -> None:
    assert counts_of(gold, predicted) == leaderboard
    assert counts_of(gold, predicted, VERISCI) == (verisci or leaderboard)


def test_twelve_measures_of_two_claims() -> None:
    gold = [claim(1, d11=[([0, 1], "SUPPORT"), ([5], "SUPPORT")]), claim(2)]
    predicted = [
        prediction(2, d12=([3], "CONTRADICT")),
        prediction(1, d11=([0, 5], "SUPPORT")),
    ]
    metrics = scored(PIPELINE, request(gold, predicted))["metrics"]
    # Abstracts: 1 of 2 retrieved, 1 of 1 relevant. Sentences: 1 of 3 and 1 of 3.
    assert metrics["abstract_rationalized_precision"] == 0.5
    assert metrics["abstract_rationalized_recall"] == 1.0
    assert metrics["abstract_label_only_f1"] == pytest.approx(2 / 3)
    assert metrics["sentence_label_precision"] == pytest.approx(1 / 3)
    assert metrics["sentence_selection_recall"] == pytest.approx(1 / 3)


def test_rationale_selection_credits_repeats_and_the_first_rationale_decides() -> None:
    gold = [claim(1, d11=[([0, 1], "SUPPORT"), ([1], "SUPPORT")])]
    selected = [{"claim_id": 1, "evidence": {"11": [1, 1], "12": [0]}}]
    metrics = scored("scifact_rationale_selection", request(gold, selected))["metrics"]
    # Sentence 1 lies first in [0, 1], which is not selected whole.
    assert metrics["correct"] == 0
    assert metrics["retrieved"] == 3
    assert metrics["relevant"] == 3
    selected = [{"claim_id": 1, "evidence": {"11": [0, 1, 1]}}]
    metrics = scored("scifact_rationale_selection", request(gold, selected))["metrics"]
    assert metrics["correct"] == 3


def test_a_document_without_evidence_is_truly_not_enough_info() -> None:
    gold = [claim(1, d11=[([0], "SUPPORT")])]
    labels = {"11": {"label": "SUPPORT"}, "12": {"label": "NOT_ENOUGH_INFO"}}
    lines = [{"claim_id": 1, "labels": labels}]
    metrics = scored("scifact_label_prediction", request(gold, lines))["metrics"]
    assert metrics["accuracy"] == 1.0
    assert metrics["macro_f1"] == 1.0
    # CONTRADICT occurs nowhere and counts 0 in the mean of two.
    assert metrics["macro_f1_without_nei"] == 0.5
    assert metrics["classes_in_per_class_arrays"] == [1, 2]


def test_a_document_id_that_is_text_is_never_retrieved_where_ids_are_numbers() -> None:
    gold = [claim(1, d11=[([0], "SUPPORT")])]
    lines = [{"claim_id": 1, "doc_ids": ["11"]}]
    result = scored("scifact_abstract_retrieval", request(gold, lines))
    assert result["metrics"]["hit_one"] == 0.0
    assert any("is text" in warning["message"] for warning in result["warnings"])
    gold = [{"id": 1, "evidence": {"doc-a": [{"sentences": [0], "label": "SUPPORT"}]}}]
    lines = [{"claim_id": 1, "doc_ids": ["doc-a"]}]
    result = scored("scifact_abstract_retrieval", request(gold, lines))
    assert result["metrics"]["hit_all"] == 1.0


def covid(claim_id: str, label: str, *sentences: int) -> dict[str, Any]:
    evidence = [{"sent_index": n, "type": "PRIMARY"} for n in sentences]
    return {
        "id": claim_id,
        "cord_id": "ab",
        "label": label,
        "evidence_set": evidence,
    }


def test_several_check_covid_documents_can_score_above_one() -> None:
    gold = [covid("a_1", "SUPPORT", 2)]
    lines = [{"claim_id": "a_1", "evidence": {"ab": [2], "cd": [2]}}]
    result = scored("checkcovid_rationale_selection", request(gold, lines))
    found = result["metrics"]
    assert any("exceed 1" in warning["message"] for warning in result["warnings"])
    assert found["sentence_standard"]["recall"] == 2.0
    assert found["rationale_strict"]["accuracy"] == 2.0
    assert found["rationale_strict"]["precision"] == 1.0


def test_only_nei_claims_leave_accuracy_undefined_and_the_rest_stands() -> None:
    gold = [covid("a_2", "NOTENOUGHINFO", 2)]
    lines = [{"claim_id": "a_2", "evidence": {"ab": [2]}}]
    found = scored("checkcovid_rationale_selection", request(gold, lines))["metrics"]
    assert found["rationale_strict"]["accuracy"] is None
    assert found["rationale_strict"]["f1"] == 0.0


def fever_gold(label: str, *groups: list[tuple[str, int]]) -> dict[str, Any]:
    evidence = [[[1, 2, page, line] for page, line in group] for group in groups]
    return {"id": 1, "label": label, "evidence": evidence}


def fever_line(label: str, *evidence: tuple[str, int]) -> dict[str, Any]:
    listed = [[page, line] for page, line in evidence]
    return {"id": 1, "predicted_label": label, "predicted_evidence": listed}


def test_fever_needs_one_whole_set_within_the_cap() -> None:
    gold = [fever_gold("SUPPORTS", [("A", 0), ("B", 1)])]
    lines = [fever_line("supports", ("X", 9), ("A", 0), ("Y", 9), ("B", 1))]
    found = scored("fever", request(gold, lines))["metrics"]
    assert found["max_evidence_5"]["strict_fever_score"] == 1.0
    assert found["max_evidence_5"]["evidence_macro_precision"] == 0.5
    assert found["max_evidence_3"]["strict_fever_score"] == 0.0
    assert found["max_evidence_3"]["label_accuracy"] == 1.0
    # P is 1/3 and R is 0.
    assert found["max_evidence_3"]["evidence_f1"] == 0.0


def test_fever_f1_is_undefined_where_nothing_is_right() -> None:
    gold = [fever_gold("SUPPORTS", [("A", 0)])]
    found = scored("fever", request(gold, [fever_line("SUPPORTS", ("B", 0))]))
    assert found["metrics"]["max_evidence_5"]["evidence_f1"] is None
    assert found["metrics"]["max_evidence_5"]["label_accuracy"] == 1.0


def test_fever_counts_an_empty_prediction_as_precise() -> None:
    gold = [fever_gold("SUPPORTS", [("A", 0)])]
    found = scored("fever", request(gold, [fever_line("REFUTES")]))["metrics"]
    assert found["max_evidence_5"]["evidence_macro_precision"] == 1.0


CORE_GOLD = b"idx,label,file\n0,ENTAIL,a\n0,CONTRADICT,b\n1,ENTAIL,a\n1,ENTAIL,b\n"


def test_core_rows_are_matched_by_file_and_idx() -> None:
    answers = b"file,idx,label\nb,0,CONTRADICT\nb,1,\na,1,ENTAIL\na,0,entail\n"
    found = scored("core", request(CORE_GOLD, answers))
    assert found["metrics"]["accuracy"] == 0.5
    # F1: ENTAIL 2*1*(1/3)/(4/3) = 0.5, CONTRADICT 1, INCONCLUSIVE 0.
    assert found["metrics"]["macro_f1"] == 0.5
    assert found["metrics_answered_only"]["n_answered"] == 2
    assert found["metrics_answered_only"]["coverage"] == 0.5
    assert found["metrics_answered_only"]["accuracy"] == 1.0
    assert found["metrics_answered_only"]["macro_f1"] == pytest.approx(2 / 3)


def test_core_without_any_readable_answer_has_no_score_of_answers() -> None:
    gold, answers = b"idx,label\n0,ENTAIL\n", b"idx,label\n0,?\n"
    found = scored("core", request(gold, answers))
    assert found["metrics"]["accuracy"] == 0.0
    assert found["metrics_answered_only"]["accuracy"] is None
    assert found["metrics_answered_only"]["coverage"] == 0.0


def test_always_entail_has_the_reference_score() -> None:
    labels = ["ENTAIL"] * 71 + ["CONTRADICT"] * 43 + ["INCONCLUSIVE"] * 14
    gold = "idx,label\n" + "".join(f"{n},{word}\n" for n, word in enumerate(labels))
    answers = "idx,label\n" + "".join(f"{n},ENTAIL\n" for n in range(128))
    found = scored("core", request(gold.encode(), answers.encode()))["metrics"]
    assert found["accuracy"] == 0.5546875
    assert found["macro_f1"] == pytest.approx(0.23785594639865995, abs=1e-15)


def test_votes_without_a_majority_are_a_named_tie() -> None:
    answers = {"P1": " TRUE. ", "P2": "no", "P3": "gibberish", "P4": None}
    found = scored(
        "core_majority_vote", request(None, [{"idx": 7, "answers": answers}])
    )
    assert found["metrics"] == [
        {
            "idx": 7,
            "votes": {
                "P1": "ENTAIL",
                "P2": "CONTRADICT",
                "P3": None,
                "P4": None,
                "P5": None,
            },
            "winner": None,
            "tie_between": ["CONTRADICT", "ENTAIL"],
        }
    ]


def ranked(document: int, support: float, contradict: float, rank: int) -> Any:
    label = "SUPPORT" if support >= contradict else "CONTRADICT"
    return {
        "claim_id": 1,
        "doc_id": document,
        "p_support": support,
        "p_contradict": contradict,
        "predicted_label": label,
        "rank": rank,
    }


def test_average_precision_groups_equal_scores() -> None:
    gold = [{"id": 1, "evidence": {"1": {"label": "SUPPORT"}}}]
    alone = [ranked(1, 0.9, 0.1, 1), ranked(2, 0.8, 0.1, 2)]
    tied = [ranked(1, 0.9, 0.1, 1), ranked(2, 0.9, 0.1, 2)]
    unlike = [ranked(1, 0.5, 0.5, 1)]

    def area(pairs: list[Any]) -> Any:
        return scored("scifact_open", request(gold, pairs))["metrics"]["avg_precision"]

    assert area(alone) == 1.0
    assert area(tied) == 0.5
    assert area(unlike) == 1.0  # a tie of the two probabilities is SUPPORT


def test_a_merge_is_compared_as_the_profile_compares() -> None:
    gold = [claim(1, d241=[([0], "SUPPORT")])]
    selected = [{"claim_id": 1, "evidence": {"0241": [0]}}]
    labels = [{"claim_id": 1, "labels": {"0241": {"label": "SUPPORT"}}}]
    correct = {
        profile: scored(
            "scifact_merge", request(gold, selected, labels=labels, profile=profile)
        )["counts"]["abstract_correct_rationalized"]
        for profile in (LEADERBOARD, VERISCI)
    }
    assert correct == {LEADERBOARD: 0, VERISCI: 1}


def test_scifact_open_has_no_value_without_a_denominator() -> None:
    def of(gold: dict[str, Any], pairs: list[Any]) -> Any:
        lines = [{"id": 1, "evidence": gold}]
        return scored("scifact_open", request(lines, pairs))["metrics"]

    nothing = of({}, [ranked(1, 0.9, 0.1, 1)])
    assert nothing == {"P": 0.0, "R": None, "F1": None, "avg_precision": None}
    unpredicted = of(
        {"1": {"label": "SUPPORT"}},
        [ranked(1, 0.9, 0.1, 1) | {"predicted_label": "NEI"}],
    )
    assert unpredicted == {"P": None, "R": 0.0, "F1": None, "avg_precision": 1.0}


def test_pairs_of_one_rank_have_one_order_whatever_the_file_says() -> None:
    gold = [{"id": 1, "evidence": {"1": {"label": "SUPPORT"}}}]
    pairs = [ranked(1, 0.9, 0.1, 1), ranked(2, 0.8, 0.1, 1)]
    areas = {
        scored("scifact_open", request(gold, lines))["metrics"]["avg_precision"]
        for lines in (pairs, pairs[::-1])
    }
    assert areas == {1.0}


def test_merging_drops_nei_and_sorts_documents_as_text(tmp_path: Path) -> None:
    rationales = [{"claim_id": 1, "evidence": {"9": [0], "10": [1, 2], "3": []}}]
    labels = {
        "10": {"label": "SUPPORT", "confidence": 0.5},
        "9": {"label": "CONTRADICT", "confidence": "high"},
        "3": {"label": "NOT_ENOUGH_INFO"},
    }
    output = tmp_path / "merged.jsonl"
    found = scored(
        "scifact_merge",
        request(
            None,
            rationales,
            labels=[{"claim_id": 1, "labels": labels}],
            merged_output=output,
        ),
    )
    assert output.read_text() == (
        '{"id": 1, "evidence": {"10": {"sentences": [1, 2], "label": "SUPPORT"}, '
        '"9": {"sentences": [0], "label": "CONTRADICT"}}}\n'
    )
    assert found["metrics"] == {}
