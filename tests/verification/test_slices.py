"""Which claims a slice has, and its measures, by hand."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from verification.scoring.metrics import Array, Measures
from verification.scoring.reading import Source
from verification.slices import FEWEST, score_slices, slices_of, values_by_claim

RATIONALES = {"1": [{"sentences": [0, 4, 7], "label": "SUPPORT"}]}
SHORTER = RATIONALES | {"2": [{"sentences": [3, 3], "label": "CONTRADICT"}]}


def _source(text: str) -> Source:
    return Source("gold", lambda: io.BytesIO(text.encode()))


def _jsonl(lines: Sequence[dict[str, Any]]) -> Source:
    return _source("".join(json.dumps(line) + "\n" for line in lines))


def _named(task: str, **line: Any) -> set[str]:
    """The slices of a claim whose like there is twenty times."""
    lines = [{"id": number, **line} for number in range(FEWEST)]
    return set(slices_of(task, _jsonl(lines), range(FEWEST)))


@pytest.mark.parametrize(
    ("task", "line", "expected"),
    [
        (
            "scifact_pipeline",
            {"evidence": RATIONALES},
            {"label:SUPPORT", "rationale sentences:3 or more"},
        ),
        # The shortest rationale counts, and a repeated sentence once.
        (
            "scifact_pipeline",
            {"evidence": SHORTER},
            {"label:CONTRADICT and SUPPORT", "rationale sentences:1"},
        ),
        ("scifact_pipeline", {"evidence": {}}, {"label:NOT_ENOUGH_INFO"}),
        (
            "scifact_pipeline",
            {
                "evidence": {},
                "kind": "composed",
                "negates": 7,
                "tags": ["numeric", "numeric", " ", 3],
                "topic": "moss",
            },
            {
                "label:NOT_ENOUGH_INFO",
                "claim:composed",
                "wording:negated",
                "tag:numeric",
                "topic:moss",
            },
        ),
        (
            "scifact_pipeline",
            {"evidence": {}, "negates": None},
            {"label:NOT_ENOUGH_INFO", "wording:original"},
        ),
        (
            "checkcovid_pipeline_py",
            {"label": "REFUTE", "is_auth": True, "evidence_set": [{}, {}]},
            {"label:REFUTE", "claim:extracted", "rationale sentences:2"},
        ),
        # Its deliberately insufficient sentence is no rationale.
        (
            "checkcovid_pipeline_py",
            {"label": "NOTENOUGHINFO", "is_auth": False, "evidence_set": [{}]},
            {"label:NOTENOUGHINFO", "claim:composed"},
        ),
        (
            "fever",
            {"label": "supports", "evidence": [[[0, 0, "A", 1], [0, 0, "B", 2]]]},
            {"label:SUPPORTS", "rationale sentences:2"},
        ),
        (
            "fever",
            {"label": "NOT ENOUGH INFO", "evidence": [[[0, 0, None, None]]]},
            {"label:NOT ENOUGH INFO"},
        ),
        (
            "scifact_open",
            {"evidence": {"5": {"label": "SUPPORT"}}},
            {"label:SUPPORT"},
        ),
    ],
)
def test_a_claim_is_in_the_slices_that_its_line_names(
    task: str, line: dict[str, Any], expected: set[str]
) -> None:
    assert _named(task, **line) == expected


@pytest.mark.parametrize("by_file", [True, False])
def test_core_is_sliced_by_label_and_file(by_file: bool) -> None:
    rows = [f"{n},ENTAIL,sleep\n" for n in range(20)]
    rows += [f"{n},CONTRADICT,tea\n" for n in range(20, 39)]
    claims = [
        f"{'sleep' if n < 20 else 'tea'}#{n}" if by_file else str(n) for n in range(39)
    ]
    found = slices_of("core", _source("idx,label,file\n" + "".join(rows)), claims)
    assert set(found) == {"label:ENTAIL", "topic:sleep"}
    assert found["topic:sleep"] == list(range(20))


def test_a_slice_of_nineteen_claims_is_left_out() -> None:
    lines: list[dict[str, Any]] = [
        {"id": n, "evidence": {}, "topic": "a" if n < 19 else "b"} for n in range(40)
    ]
    found = slices_of("scifact_pipeline", _jsonl(lines), range(40))
    assert set(found) == {"label:NOT_ENOUGH_INFO", "topic:b"}
    assert found["topic:b"] == list(range(19, 40))


def test_a_slice_weighs_its_claims_1_and_the_others_0() -> None:
    table = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])

    def measure(weights: Array) -> Measures:
        sums = weights @ table
        with np.errstate(invalid="ignore"):
            return {"precision": sums[:, 0] / sums[:, 1]}

    found = score_slices(measure, 4, {"a": [0, 1, 2], "b": [3]})
    assert found == {
        "a": {"n_claims": 3, "metrics": {"precision": pytest.approx(2 / 3)}},
        "b": {"n_claims": 1, "metrics": {"precision": None}},
    }


class TestValuesByClaim:
    def test_each_claim_is_measured_alone(self) -> None:
        """A measure that sums 1, 2, … must give these back, in and beyond a chunk."""
        counts = np.arange(1.0, 251.0)
        found = values_by_claim(
            lambda weights: {"sum": weights @ counts}, range(250), "sum"
        )
        assert found == [[n, n + 1.0] for n in range(250)]

    def test_undefined_values_are_none(self) -> None:
        found = values_by_claim(
            lambda weights: {"x": np.full(len(weights), np.nan)}, ["a"], "x"
        )
        assert found == [["a", None]]

    def test_nothing_is_kept_of_too_many_claims(self) -> None:
        def measure(weights: Any) -> Any:
            raise AssertionError("not to be measured")

        assert values_by_claim(measure, range(5_001), "x") == []
