"""Every case of the metric oracle: the values of the official programs.

The cases lie in a folder outside the repository and are read, not copied. A value
must agree to 1e-9; bootstrap values within the tolerance that the case states.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.paths import SHARED, shared_file
from tests.verification.scoring.files import errors_of, source
from verification.scoring.reading import Source
from verification.scoring.service import Bootstrap, as_json, score
from verification.scoring.tasks import LEADERBOARD, VERISCI, Request

CASES = sorted(path.parent for path in SHARED.glob("metrics/*/*/expected.json"))

# Where this scorer is stricter than the evaluator, with the reason.
STRICTER = {
    ("string_sentence_indices", LEADERBOARD): "integer expected",
    ("string_sentence_indices", VERISCI): "integer expected",
    ("missing_claims", VERISCI): "is missing",
    ("overlapping_gold_rationales_not_hit", LEADERBOARD): "in two rationales",
    ("overlapping_gold_rationales_not_hit", VERISCI): "in two rationales",
}
# Where the evaluator stops for what this scorer takes: the order of lines.
KINDER = {"error_shuffled_order", "error_order_mismatch", "label_no_documents_at_all"}

PREDICTIONS = (
    "predictions.jsonl",
    "predictions.csv",
    "rationale_selection.jsonl",
    "label_prediction.jsonl",
    "abstract_retrieval.jsonl",
    "annotations.jsonl",
    "answers.jsonl",
)


def case_id(case: Path) -> str:
    return f"{case.parent.name}/{case.name}"


def expected_of(case: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((case / "expected.json").read_text())
    return loaded


def source_at(path: Path) -> Source | None:
    return Source.of_path(path) if path.exists() else None


def request_for(case: Path, profile: str = LEADERBOARD) -> Request:
    expected = expected_of(case)
    gold = next(case.glob("gold.*"), None)
    if "gold_ref" in expected:
        gold = shared_file(expected["gold_ref"].removeprefix("shared/"))
    files = [case / name for name in PREDICTIONS if (case / name).exists()]
    labels = case / "label_prediction.jsonl"
    is_merge = expected["task"] == "scifact_merge"
    return Request(
        predictions=Source.of_path(files[0]),
        gold=source_at(gold) if gold else None,
        label_predictions=Source.of_path(labels) if is_merge else None,
        corpus=source_at(case / "corpus.jsonl"),
        profile=profile,
    )


def assert_close(found: Any, expected: Any, at: str = "") -> None:
    """Compare keys, order of lists and numbers; ``stdout`` is no metric."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            if key != "stdout":
                assert key in found, f"{at}.{key}"
                assert_close(found[key], value, f"{at}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), at
        for n, value in enumerate(expected):
            assert_close(found[n], value, f"{at}[{n}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-9), at
    else:
        assert found == expected, at


def assert_same_keys(found: Any, expected: Any, at: str = "") -> None:
    if isinstance(expected, dict):
        assert set(found) == set(expected) - {"stdout"}, at
        for key in set(expected) - {"stdout"}:
            assert_same_keys(found[key], expected[key], f"{at}.{key}")


def run(case: Path, profile: str = LEADERBOARD, **how: Any) -> dict[str, Any]:
    outcome = score(expected_of(case)["task"], request_for(case, profile), **how)
    assert not outcome.errors, errors_of(outcome)
    return as_json(outcome)


def of_task(*tasks: str) -> list[Any]:
    return [
        pytest.param(case, id=case_id(case))
        for case in CASES
        if expected_of(case).get("task") in tasks and case.name not in KINDER
    ]


def evaluated() -> list[Any]:
    """Return (case, profile, the evaluator's entry) of the full SciFact cases."""
    return [
        pytest.param(case, profile, entry, id=f"{case_id(case)}/{profile}")
        for case in CASES
        for name, entry in expected_of(case).get("evaluators", {}).items()
        for profile in [name.split()[0]]
        if profile in (LEADERBOARD, VERISCI) and case.name not in KINDER
    ]


def test_the_cases_are_there() -> None:
    shared_file("metrics")
    assert len(CASES) >= 50


@pytest.mark.parametrize(("case", "profile", "entry"), evaluated())
def test_the_full_scoring_gives_the_evaluators_values(
    case: Path, profile: str, entry: dict[str, Any]
) -> None:
    stricter = STRICTER.get((case.name, profile))
    if stricter or "error" in entry:
        outcome = score("scifact_pipeline", request_for(case, profile))
        assert outcome.score is None
        assert re.search(stricter or ".", outcome.errors[0].message)
        return
    found = run(case, profile)
    assert_close(found["metrics"], entry["metrics"])
    assert_close(found["counts"], entry["counts"])
    assert set(found["metrics"]) == set(entry["metrics"])


@pytest.mark.parametrize(
    "case",
    of_task(
        "scifact_rationale_selection",
        "scifact_label_prediction",
        "scifact_label_accuracy_gold_inputs",
        "scifact_abstract_retrieval",
        "checkcovid_rationale_selection",
        "checkcovid_label_prediction",
        "core",
        "fever",
        "scifact_open",
    ),
)
def test_a_task_gives_the_official_values_and_keys(case: Path) -> None:
    found, expected = run(case), expected_of(case)
    assert_close(found["metrics"], expected["metrics"])
    assert_same_keys(found["metrics"], expected["metrics"])
    if "metrics_answered_only" in expected:
        assert_close(found["metrics_answered_only"], expected["metrics_answered_only"])


@pytest.mark.parametrize("case", of_task("checkcovid_pipeline_py"))
def test_the_check_covid_pipeline_gives_the_official_values(case: Path) -> None:
    found, expected = run(case), expected_of(case)["result"]
    assert_close(found["metrics"], expected["metrics"])
    assert_close(found["counts"], expected["counts"])


@pytest.mark.parametrize("profile", [LEADERBOARD, VERISCI])
@pytest.mark.parametrize("case", of_task("scifact_merge"))
def test_merging_gives_the_official_file_and_values(
    case: Path, profile: str, tmp_path: Path
) -> None:
    output = tmp_path / "merged.jsonl"
    asked = request_for(case, profile)
    merging = Request(
        predictions=asked.predictions,
        gold=asked.gold,
        label_predictions=asked.label_predictions,
        corpus=asked.corpus,
        profile=profile,
        merged_output=output,
    )
    outcome = score("scifact_merge", merging)
    found, expected = as_json(outcome), expected_of(case)[profile]
    assert output.read_bytes() == (case / "merged_expected.jsonl").read_bytes()
    assert_close(found["metrics"], expected["metrics"])
    assert_close(found["counts"], expected["counts"])


@pytest.mark.parametrize("case", of_task("core_majority_vote"))
def test_votes_are_counted_as_the_paper_defines_them(case: Path) -> None:
    assert run(case)["metrics"] == expected_of(case)["expected"]


@pytest.mark.parametrize(
    "case", [p for p in of_task("agreement") if "undefined" not in str(p.id)]
)
def test_agreement_gives_the_libraries_values(case: Path) -> None:
    found, expected = run(case), expected_of(case)
    about = {"case", "task", "evaluator", "description"}
    assert_close(
        found["metrics"], {k: v for k, v in expected.items() if k not in about}
    )


def undefined(key: str) -> list[Any]:
    return [
        pytest.param(entry, id=entry["name"])
        for case in CASES
        for entry in expected_of(case).get(key, [])
    ]


@pytest.mark.parametrize("entry", undefined("cohen"))
def test_undefined_and_extreme_kappas_of_two(entry: dict[str, Any]) -> None:
    lines = [
        {"claim_id": n, "annotator": who, "label": label}
        for who in ("ann1", "ann2")
        for n, label in enumerate(entry[who])
    ]
    if not lines:
        # An empty file is refused; items that nobody shares have no kappa either.
        lines = [
            {"claim_id": n, "annotator": f"ann{n}", "label": "SUPPORT"} for n in (1, 2)
        ]
    request = Request(predictions=source("annotations", lines))
    found: dict[str, Any] = as_json(score("agreement", request))
    assert_close(found["metrics"]["label_cohen_kappa"], entry["cohen_kappa"])
    if entry["cohen_kappa"] is None:
        words = "label_cohen_kappa is undefined"
        assert any(words in warning["message"] for warning in found["warnings"])


@pytest.mark.parametrize("entry", undefined("several"))
def test_undefined_coefficients_of_several(entry: dict[str, Any]) -> None:
    lines = [
        {"claim_id": n, "annotator": f"ann{who}", "label": label}
        for n, labels in enumerate(entry["labels"])
        for who, label in enumerate(labels)
    ]
    request = Request(predictions=source("annotations", lines))
    metrics: Any = as_json(score("agreement", request))["metrics"]
    assert metrics["fleiss_kappa"] == entry["fleiss_kappa"]
    expected = entry["krippendorff_alpha_nominal"]
    assert metrics["krippendorff_alpha_nominal"] == expected


def kinder(name: str) -> Path:
    cases = [case for case in CASES if case.name == name]
    return cases[0] if cases else shared_file(f"metrics/{name}")


def test_scifact_lines_in_another_order_score_the_same() -> None:
    case = kinder("error_shuffled_order")
    entries = expected_of(case)["evaluators"]
    entry = next(value for name, value in entries.items() if name.startswith(VERISCI))
    for profile in (LEADERBOARD, VERISCI):
        assert_close(run(case, profile)["metrics"], entry["metrics"])


def test_check_covid_lines_in_another_order_score_as_in_gold_order() -> None:
    case = kinder("error_order_mismatch")
    metrics: Any = run(case)["metrics"]
    assert set(metrics) == set(expected_of(case)["metrics"])
    assert metrics["rationale_strict"]["relevant"] == 3


def test_nothing_to_score_leaves_the_value_without_a_denominator_undefined() -> None:
    metrics: Any = run(kinder("label_no_documents_at_all"))["metrics"]
    assert metrics["accuracy"] is None
    assert metrics["macro_f1"] is None
    assert metrics["macro_f1_without_nei"] == 0.0
    assert metrics["n_scored"] == 0


def resampled() -> list[Any]:
    return [
        pytest.param(case, id=case_id(case))
        for case in CASES
        if "bootstrap" in expected_of(case)
    ]


@pytest.mark.parametrize("case", resampled())
def test_bootstrap_values_are_within_the_stated_tolerance(case: Path) -> None:
    expected = expected_of(case)["bootstrap"]["values"]
    found: Any = run(case, bootstrap=Bootstrap(10_000))["bootstrap"]
    assert set(found) == set(expected)
    for name, value in expected.items():
        assert found[name]["mean"] == pytest.approx(value["mean"], abs=0.002), name
        tolerance = 0.04 * value["std"] + 0.0005
        assert found[name]["std"] == pytest.approx(value["std"], abs=tolerance), name
