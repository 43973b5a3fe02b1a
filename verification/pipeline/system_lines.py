"""What a system says about the claims of a benchmark, as lines of its task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from corpus.records import Claim, Label
from verification.pipeline.baselines import as_line, evidence_of, words_of_task
from verification.pipeline.module_baselines import ranked
from verification.pipeline.stages import LABELS, Judged

Answered = tuple[Claim, Sequence[Judged]]
Words = Mapping[Label, str]


def system_lines(task: str, answered: Iterable[Answered]) -> Iterator[bytes]:
    """Yield the predictions of a task; ``KeyError`` for one that has none here."""
    if task == "scifact_open":
        words = words_of_task(task)
        pairs = (_pair(claim, j, words) for claim, found in answered for j in found)
        return ranked(pairs)
    make, words = _LINES[task], words_of_task(task)
    return (as_line(make(claim, judged, words)) for claim, judged in answered)


def as_given(task: str, claim: Claim) -> Claim:
    """Return the claim with the abstracts that the task gives.

    With gold inputs these are those with evidence; the cited ones only of a claim
    without any.
    """
    if task == "scifact_label_accuracy_gold_inputs" and claim.evidence:
        return replace(claim, cited=())
    return claim


def _whole(claim: Claim, judged: Sequence[Judged], words: Words) -> dict[str, object]:
    return {"id": claim.id.to_json(), "evidence": evidence_of(judged, words)}


def _sentences(claim: Claim, judged: Sequence[Judged], _: Words) -> dict[str, object]:
    chosen = {entry.document.id.text: list(entry.sentences) for entry in judged}
    return {"claim_id": claim.id.to_json(), "evidence": chosen}


def _labels(claim: Claim, judged: Sequence[Judged], words: Words) -> dict[str, object]:
    labels = {
        entry.document.id.text: {
            "label": words[entry.label],
            "confidence": entry.confidence,
        }
        for entry in judged
    }
    return {"claim_id": claim.id.to_json(), "labels": labels}


def _abstracts(claim: Claim, judged: Sequence[Judged], _: Words) -> dict[str, object]:
    found = [entry.document.id.to_json() for entry in judged]
    return {"claim_id": claim.id.to_json(), "doc_ids": found}


def _pair(claim: Claim, judged: Judged, words: Words) -> dict[str, object]:
    of = dict(zip(LABELS, judged.probabilities, strict=True))
    return {
        "claim_id": claim.id.to_json(),
        "doc_id": judged.document.id.to_json(),
        "p_support": of[Label.SUPPORT],
        "p_contradict": of[Label.CONTRADICT],
        "predicted_label": words.get(judged.label, "NEI"),
    }


_LINES: dict[str, Callable[[Claim, Sequence[Judged], Words], Mapping[str, object]]] = {
    "scifact_pipeline": _whole,
    "checkcovid_pipeline_py": _whole,
    "scifact_rationale_selection": _sentences,
    "checkcovid_rationale_selection": _sentences,
    "scifact_label_prediction": _labels,
    "scifact_label_accuracy_gold_inputs": _labels,
    "checkcovid_label_prediction": _labels,
    "scifact_abstract_retrieval": _abstracts,
}
