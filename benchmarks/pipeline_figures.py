"""Score a verification system on SciFact dev and Check-COVID dev, with our scorer.

Run from the repository root: ``python -m benchmarks.pipeline_figures SYSTEM...`` or
``make starter-figures SYSTEM=folder``. SYSTEM is a name or folder as for ``predict``,
or one of the baselines below. Needs the data sets in ``../shared/data``. Nothing is
tuned here. Intervals are 95 % over 10,000 resamples of the claims.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from corpus.formats.check_covid import FORMAT as CHECK_COVID
from corpus.records import Claim, ClaimKind, Document, Json
from tests.paths import SHARED
from verification.pipeline.files import read_claims, read_corpus
from verification.pipeline.label import shown_label
from verification.pipeline.predict import prediction_line
from verification.pipeline.rationale import OracleSelector, gold_documents
from verification.pipeline.retrieval.oracle import OracleRetriever
from verification.pipeline.stages import Judged, Pipeline, Setting
from verification.pipeline.systems import System
from verification.scoring.bootstrap import bootstrap
from verification.scoring.reading import Source
from verification.scoring.service import Bootstrap, score
from verification.scoring.tasks import Request

RESAMPLES = 10_000
BASELINES: dict[str, dict[str, Any]] = {
    "tfidf+tfidf+majority": {
        "retrieval": {"parts": ["tfidf"]},
        "rationale": {"kind": "tfidf"},
        "label": {"kind": "majority"},
        "settings": {"threshold": 0.15, "at_least_one": True},
    },
    "dense+dense+majority": {
        "retrieval": {"parts": ["dense"]},
        "rationale": {"kind": "dense"},
        "label": {"kind": "majority"},
    },
    "bm25~dense+dense+majority": {
        "retrieval": {"parts": ["bm25", "dense"]},
        "rationale": {"kind": "dense"},
        "label": {"kind": "majority"},
    },
    "bm25+last+majority": {
        "retrieval": {"parts": ["bm25"]},
        "rationale": {"kind": "last"},
        "label": {"kind": "majority"},
    },
    "bm25+first+majority": {
        "retrieval": {"parts": ["bm25"]},
        "rationale": {"kind": "first"},
        "label": {"kind": "majority"},
    },
}

Row = tuple[str, float, float, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="+", metavar="SYSTEM")
    parser.add_argument("--precision", default="fp32", choices=("fp32", "bf16"))
    parser.add_argument("--indexes", type=Path, default=Path("data/indexes"))
    parser.add_argument("--limit", type=int, help="of the claims, to try it out")
    options = parser.parse_args()
    for name in options.systems:
        started = time.monotonic()
        print(f"\n{name}, {options.precision}\n")
        print("| measured on | figure | 95 % interval |\n| --- | --- | --- |")
        for what, value, low, high in figures(system_of(name, options), options):
            print(f"| {what} | {value:.3f} | {low:.3f} to {high:.3f} |", flush=True)
        print(f"\n{time.monotonic() - started:.0f} s")


def system_of(name: str, options: argparse.Namespace) -> System:
    if name in BASELINES:
        return System(name, Path(), BASELINES[name], precision=options.precision)
    return System.load(name, precision=options.precision)


def figures(system: System, options: argparse.Namespace) -> Iterable[Row]:
    folder = SHARED / "data" / "scifact"
    documents = read_corpus(folder / "corpus.jsonl")
    gold = folder / "claims_dev.jsonl"
    claims = read_claims(gold)[: options.limit]
    yield from _retrieval(system, documents, claims, options.indexes)
    yield from _selection(system, documents, claims, gold)
    yield from _labels(system, documents, claims, gold)
    yield from _shown(system, documents, claims)
    yield from _check_covid(system)
    yield from _open(system, documents, claims, gold, options.indexes)


def _retrieval(
    system: System,
    documents: Mapping[str, Document],
    claims: Sequence[Claim],
    indexes: Path,
) -> Iterable[Row]:
    retriever = system.retriever(list(documents.values()), indexes)
    for k in (3, 10):
        counts = []
        for claim in claims:
            wanted = set(gold_documents(claim))
            bare = replace(claim, evidence=(), cited=None)
            found = {r.document.id.text for r in retriever.retrieve(bare, k)}
            counts.append((len(wanted & found), len(wanted)))
        yield _share(f"SciFact dev, recall@{k} of evidence abstracts", counts)


def _share(name: str, counts: Sequence[tuple[int, int]]) -> Row:
    """Return the share of the first among the second; a row of counts per claim."""
    rows = np.array(counts, dtype=float)

    def share(weights: Any) -> dict[str, Any]:
        sums = weights @ rows
        return {"share": sums[:, 0] / sums[:, 1]}

    interval = bootstrap(share, len(rows), resamples=RESAMPLES)["share"]
    assert interval is not None
    value = float(rows[:, 0].sum() / rows[:, 1].sum())
    return name, value, interval.low, interval.high


def _selection(
    system: System,
    documents: Mapping[str, Document],
    claims: Sequence[Claim],
    gold: Path,
) -> Iterable[Row]:
    oracle = OracleRetriever(documents, include_nei=False)
    settings = replace(system.settings, setting=Setting.ORACLE_ABSTRACT)
    pipeline = Pipeline(oracle, system.selector, system.predictor, settings)
    lines = _lines(
        pipeline,
        claims,
        lambda judged: {
            "evidence": {j.document.id.text: list(j.sentences) for j in judged}
        },
    )
    yield scored(
        "SciFact dev, sentence selection F1, gold abstracts",
        "scifact_rationale_selection",
        "f1",
        lines,
        gold,
        claims,
    )


def _labels(
    system: System,
    documents: Mapping[str, Document],
    claims: Sequence[Claim],
    gold: Path,
) -> Iterable[Row]:
    lines = _lines(
        _with_rationales(system, documents), [_one_nei(c) for c in claims], _labelled
    )
    for name, measure in (("accuracy", "accuracy"), ("macro F1", "macro_f1")):
        yield scored(
            f"SciFact dev, label {name}, gold rationales",
            "scifact_label_prediction",
            measure,
            lines,
            gold,
            claims,
        )


def _one_nei(claim: Claim) -> Claim:
    """Return the claim with its gold abstracts, or the first cited without any."""
    if claim.evidence:
        return replace(claim, cited=())
    return replace(claim, cited=(claim.cited or ())[:1])


def _shown(
    system: System, documents: Mapping[str, Document], claims: Sequence[Claim]
) -> Iterable[Row]:
    """Measure what annotators see: labels of given abstracts, unless it abstains."""
    settings = replace(system.settings, setting=Setting.ORACLE_ABSTRACT)
    pipeline = Pipeline(
        OracleRetriever(documents), system.selector, system.predictor, settings
    )
    precision, coverage = [], []
    for claim in claims:
        gold = {e.document.text: e.label for e in claim.evidence}
        judged = pipeline.judge(claim)
        labels = [(j, shown_label(j, system.abstain_below)) for j in judged]
        shown = [(j.document.id.text, label) for j, label in labels if label]
        right = sum(gold.get(name) is label for name, label in shown)
        precision.append((right, len(shown)))
        coverage.append((len(shown), len(judged)))
    yield _share("SciFact dev, given abstracts, shown labels that are right", precision)
    yield _share("SciFact dev, given abstracts, pairs whose label is shown", coverage)


def _check_covid(system: System) -> Iterable[Row]:
    folder = SHARED / "data" / "check-covid"
    documents = read_corpus(folder / "corpus.json", "check-covid")
    gold = folder / "dev" / "covidCheck_dev_composed.json"
    claims = read_claims(gold, "check-covid")
    assert all(claim.kind is ClaimKind.COMPOSED for claim in claims)
    pipeline = _with_rationales(system, documents)
    lines = _lines(pipeline, claims, lambda judged: _labelled(judged, CHECK_COVID))
    yield scored(
        "Check-COVID dev composed, label macro F1, gold rationales",
        "checkcovid_label_prediction",
        "macro_f1",
        lines,
        gold,
        claims,
    )


def _with_rationales(system: System, documents: Mapping[str, Document]) -> Pipeline:
    settings = replace(system.settings, setting=Setting.ORACLE_RATIONALE)
    retriever = OracleRetriever(documents)
    return Pipeline(retriever, OracleSelector(), system.predictor, settings)


def _labelled(judged: Sequence[Judged], words: Any = None) -> dict[str, Json]:
    return {
        "labels": {
            j.document.id.text: {
                "label": words.labels[j.label] if words else str(j.label),
                "confidence": j.confidence,
            }
            for j in judged
        }
    }


def _open(
    system: System,
    documents: Mapping[str, Document],
    claims: Sequence[Claim],
    gold: Path,
    indexes: Path,
) -> Iterable[Row]:
    pipeline = system.pipeline(documents, indexes)
    lines = [prediction_line(claim, pipeline.judge(claim)) for claim in claims]
    for name in (
        "abstract_label_only",
        "abstract_rationalized",
        "sentence_selection",
        "sentence_label",
    ):
        yield scored(
            f"SciFact dev, open, {name} F1",
            "scifact_pipeline",
            f"{name}_f1",
            lines,
            gold,
            claims,
        )


def _lines(
    pipeline: Pipeline,
    claims: Sequence[Claim],
    values: Callable[[Sequence[Judged]], Mapping[str, Json]],
) -> list[str]:
    return [
        json.dumps({"claim_id": claim.id.to_json(), **values(pipeline.judge(claim))})
        + "\n"
        for claim in claims
    ]


def scored(
    name: str,
    task: str,
    measure: str,
    lines: Sequence[str],
    gold: Path,
    claims: Sequence[Claim],
) -> Row:
    """Score lines as the command does, against the same claims of the gold file."""
    with tempfile.TemporaryDirectory() as folder:
        predictions, truth = Path(folder, "predictions"), Path(folder, "gold")
        predictions.write_text("".join(lines), encoding="utf-8")
        kept = gold.read_bytes().split(b"\n")[: len(claims)]
        truth.write_bytes(b"\n".join(kept) + b"\n")
        request = Request(Source.of_path(predictions), Source.of_path(truth))
        found = score(task, request, bootstrap=Bootstrap(RESAMPLES))
    if found.score is None or found.score.measure is None:
        sys.exit(f"{task}: {found.errors[:3]}")
    ones = np.ones((1, len(found.score.claim_ids)))
    value = float(found.score.measure(ones)[measure][0])
    interval = found.intervals[measure]
    assert isinstance(interval, dict)
    low, high = interval["low"], interval["high"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    return name, value, low, high


if __name__ == "__main__":
    main()
