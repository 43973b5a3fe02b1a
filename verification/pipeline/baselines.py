"""Baselines without trained weights, as lines of predictions.

See ``verification.baselines`` for what each is. The most frequent label and the
claim-only model come from ``training``, public claims of another split; without
them, the label is counted in the gold itself.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from corpus.formats import check_covid, scifact
from corpus.records import Claim, Document, Label
from verification.pipeline.label import MajorityPredictor
from verification.pipeline.rationale import (
    OracleSelector,
    PlaceSelector,
    TfidfSelector,
)
from verification.pipeline.retrieval.oracle import OracleRetriever
from verification.pipeline.retrieval.tfidf import TfidfRetriever
from verification.pipeline.stages import (
    LABELS,
    Ablation,
    Array,
    Candidate,
    Judged,
    LabelPredictor,
    Pipeline,
    Setting,
    Settings,
)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a baseline reads: labelled claims, the corpus, and public claims."""

    claims: Sequence[Claim]
    documents: Mapping[str, Document]
    training: Sequence[Claim]
    indexes: Path

    @property
    def majority(self) -> Label:
        """The more frequent of the labels that a pipeline can predict."""
        return most_frequent(
            evidence.label
            for claim in self.training or self.claims
            for evidence in claim.evidence
            if evidence.label is not Label.NOT_ENOUGH_INFO
        )


def most_frequent(labels: Iterable[Label]) -> Label:
    """Return the most frequent label; of equals, or of none, the first by name."""
    counted = Counter(labels)
    ranked = sorted(counted, key=lambda label: (-counted[label], str(label)))
    return ranked[0] if ranked else Label.SUPPORT


class UntrainableError(Exception):
    """Public claims from which no label can be learnt."""


class ClaimWords:
    """Labels from the words of the claim alone: a logistic regression on TF-IDF.

    ``UntrainableError`` where the claims have one label only, or no words.
    """

    def __init__(self, known: Sequence[tuple[str, str]]) -> None:
        if len({label for _, label in known}) < 2:
            raise UntrainableError
        self._words = TfidfVectorizer(ngram_range=(1, 2))
        try:
            rows = self._words.fit_transform([text for text, _ in known])
        except ValueError as error:  # no word in any text
            raise UntrainableError from error
        self._model = LogisticRegression(max_iter=1000, class_weight="balanced")
        self._model.fit(rows, [label for _, label in known])

    def probabilities(self, text: str) -> dict[str, float]:
        """Return the probability of each label that was seen."""
        (found,) = self._model.predict_proba(self._words.transform([text]))
        return dict(zip(self._model.classes_, map(float, found), strict=True))

    def label(self, text: str) -> str:
        """Return the most probable label; of equals the first by name."""
        found = self.probabilities(text)
        return min(found, key=lambda label: (-found[label], label))


class ClaimOnlyPredictor:
    """Labels from the words of the claim alone: no sentence is looked at."""

    def __init__(self, training: Sequence[Claim]) -> None:
        self._words = ClaimWords([(c.text, str(claim_label(c))) for c in training])

    def probabilities(
        self, claim: Claim, candidates: Sequence[Candidate], ablation: Ablation
    ) -> Array:
        """Return the same row for each candidate, in the order of ``LABELS``."""
        found = self._words.probabilities(claim.text)
        row = [found.get(str(label), 0.0) for label in LABELS]
        return np.tile(row, (len(candidates), 1))


def claim_label(claim: Claim) -> Label:
    """Return the first label of a claim's evidence, else not enough information."""
    labels = [evidence.label for evidence in claim.evidence]
    judged = [label for label in labels if label is not Label.NOT_ENOUGH_INFO]
    return judged[0] if judged else Label.NOT_ENOUGH_INFO


def can_learn(training: Sequence[Claim]) -> bool:
    """Whether a claim-only model can be trained: two labels at least."""
    return len({claim_label(claim) for claim in training}) > 1


# Pipelines ---------------------------------------------------------------------


def pipeline_of(code: str, inputs: Inputs) -> Pipeline:
    """Return the pipeline of a baseline; ``KeyError`` for an unknown code."""
    make: dict[str, Callable[[Inputs], Pipeline]] = {
        "majority": _majority,
        "oracle-rationale": _oracle_rationale,
        "first-sentence": _first_sentence,
        "tfidf-majority": lambda i: _tfidf(i, MajorityPredictor(i.majority)),
        "claim-only": lambda i: _tfidf(i, ClaimOnlyPredictor(i.training)),
    }
    return make[code](inputs)


def _majority(inputs: Inputs) -> Pipeline:
    settings = Settings(at_least_one=True, setting=Setting.ORACLE_ABSTRACT)
    retriever = OracleRetriever(inputs.documents)
    predictor = MajorityPredictor(inputs.majority)
    return Pipeline(retriever, TfidfSelector(), predictor, settings)


def _oracle_rationale(inputs: Inputs) -> Pipeline:
    settings = Settings(setting=Setting.ORACLE_RATIONALE)
    retriever = OracleRetriever(inputs.documents)
    predictor = MajorityPredictor(inputs.majority)
    return Pipeline(retriever, OracleSelector(), predictor, settings)


def _first_sentence(inputs: Inputs) -> Pipeline:
    predictor = MajorityPredictor(inputs.majority)
    return Pipeline(tfidf_retriever(inputs), PlaceSelector(0), predictor)


def _tfidf(inputs: Inputs, predictor: LabelPredictor) -> Pipeline:
    settings = Settings(at_least_one=True)
    return Pipeline(tfidf_retriever(inputs), TfidfSelector(), predictor, settings)


def tfidf_retriever(inputs: Inputs) -> TfidfRetriever:
    """Return VeriSci's retriever over the documents of a baseline."""
    return TfidfRetriever(list(inputs.documents.values()), inputs.indexes)


def pipeline_lines(task: str, code: str, inputs: Inputs) -> Iterator[bytes]:
    """Yield the predictions of a baseline for a pipeline task."""
    pipeline, words = pipeline_of(code, inputs), words_of_task(task)
    for claim in inputs.claims:
        evidence = evidence_of(pipeline.judge(claim), words)
        yield as_line({"id": claim.id.to_json(), "evidence": evidence})


def evidence_of(judged: Iterable[Judged], words: Mapping[Label, str]) -> object:
    """Return sentences and label of each abstract that is evidence."""
    return {
        entry.document.id.text: {
            "sentences": list(entry.sentences),
            "label": words[entry.label],
        }
        for entry in judged
        if entry.label is not Label.NOT_ENOUGH_INFO and entry.sentences
    }


def words_of_task(task: str) -> Mapping[Label, str]:
    """Return the words for labels in the files of a task."""
    is_check_covid = task.startswith("checkcovid")
    return check_covid.FORMAT.labels if is_check_covid else scifact.FORMAT.labels


def as_line(values: Mapping[str, object]) -> bytes:
    """Return an object as a line of JSON Lines."""
    return json.dumps(values).encode() + b"\n"
