"""Baselines for single stages: sentences of given abstracts, abstracts of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from corpus.records import Claim, Document, Label
from verification.pipeline.baselines import (
    ClaimOnlyPredictor,
    Inputs,
    as_line,
    tfidf_retriever,
    words_of_task,
)
from verification.pipeline.label import MajorityPredictor
from verification.pipeline.rationale import TfidfSelector
from verification.pipeline.retrieval.bm25 import Bm25Retriever
from verification.pipeline.stages import (
    LABELS,
    Ablation,
    Candidate,
    Retriever,
    choose,
    without_gold,
)

ABSTRACTS = 3
"""So many abstracts are found for each claim, as VeriSci does."""


def selection_lines(code: str, inputs: Inputs) -> Iterator[bytes]:
    """Yield one sentence of each cited abstract of each claim."""
    for claim in inputs.claims:
        evidence = {
            document: _sentences(code, claim, inputs.documents.get(document))
            for document in _cited(claim)
        }
        yield as_line({"claim_id": claim.id.to_json(), "evidence": evidence})


def _cited(claim: Claim) -> list[str]:
    """Return the abstracts that are given: the cited ones, else those of evidence."""
    cited = [document.text for document in claim.cited or ()]
    return list(dict.fromkeys(cited or (e.document.text for e in claim.evidence)))


def _sentences(code: str, claim: Claim, document: Document | None) -> list[int]:
    if code == "cited-first":
        return [0]
    if document is None:  # the corpus lacks it
        return []
    (scores,) = TfidfSelector().scores(claim, [document])
    return list(choose(scores, 1.1, at_least_one=True))


def retrieval_lines(code: str, inputs: Inputs) -> Iterator[bytes]:
    """Yield the abstracts that are found for each claim."""
    retriever = _retriever(code, inputs)
    for claim in inputs.claims:
        found = retriever.retrieve(without_gold(claim), ABSTRACTS)
        documents = [entry.document.id.to_json() for entry in found]
        yield as_line({"claim_id": claim.id.to_json(), "doc_ids": documents})


def _retriever(code: str, inputs: Inputs) -> Retriever:
    if code == "found-bm25":
        return Bm25Retriever(list(inputs.documents.values()), inputs.indexes)
    return tfidf_retriever(inputs)


def ranked_lines(code: str, inputs: Inputs) -> Iterator[bytes]:
    """Yield pairs of a claim and an abstract, ranked over all claims."""
    yield from ranked(_pairs(code, inputs))


def ranked(pairs: Iterable[Mapping[str, object]]) -> Iterator[bytes]:
    """Yield pairs by the larger of their two probabilities."""
    for rank, pair in enumerate(sorted(pairs, key=_strength, reverse=True), start=1):
        yield as_line({**pair, "rank": rank})


def _pairs(code: str, inputs: Inputs) -> Iterator[dict[str, object]]:
    words, retriever = words_of_task("scifact_open"), tfidf_retriever(inputs)
    is_learnt = code == "claim-only"
    predictor = (
        ClaimOnlyPredictor(inputs.training)
        if is_learnt
        else MajorityPredictor(inputs.majority)
    )
    for claim in inputs.claims:
        known = without_gold(claim)
        for found in retriever.retrieve(known, ABSTRACTS):
            candidates = [Candidate(found.document, ())]
            (row,) = predictor.probabilities(known, candidates, Ablation.NONE)
            of = dict(zip(LABELS, map(float, row), strict=True))
            share = 1.0 if is_learnt else found.score
            yield {
                "claim_id": claim.id.to_json(),
                "doc_id": found.document.id.to_json(),
                "p_support": of[Label.SUPPORT] * share,
                "p_contradict": of[Label.CONTRADICT] * share,
                "predicted_label": _word(of, words),
            }


def _word(of: Mapping[Label, float], words: Mapping[Label, str]) -> str:
    best = max(LABELS, key=lambda label: of[label])
    return words.get(best, "NEI")


def _strength(pair: Mapping[str, object]) -> float:
    return max(float(str(pair["p_support"])), float(str(pair["p_contradict"])))
