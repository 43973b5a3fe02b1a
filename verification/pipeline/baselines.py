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
from corpus.formats.csvfile import encode_row
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
from verification.scoring.findings import Findings
from verification.scoring.reading import Source, read_cells, read_objects


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


class ClaimOnlyPredictor:
    """Labels from the words of the claim alone: no sentence is looked at."""

    def __init__(self, training: Sequence[Claim]) -> None:
        known = [(claim.text, claim_label(claim)) for claim in training]
        self._words = TfidfVectorizer(ngram_range=(1, 2))
        rows = self._words.fit_transform([text for text, _ in known])
        self._model = LogisticRegression(max_iter=1000, class_weight="balanced")
        self._model.fit(rows, [str(label) for _, label in known])

    def probabilities(
        self, claim: Claim, candidates: Sequence[Candidate], ablation: Ablation
    ) -> Array:
        """Return the same row for each candidate, in the order of ``LABELS``."""
        (found,) = self._model.predict_proba(self._words.transform([claim.text]))
        columns = dict(zip(self._model.classes_, found, strict=True))
        row = [float(columns.get(str(label), 0.0)) for label in LABELS]
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
    return Pipeline(_retriever(inputs), PlaceSelector(0), predictor)


def _tfidf(inputs: Inputs, predictor: LabelPredictor) -> Pipeline:
    settings = Settings(at_least_one=True)
    return Pipeline(_retriever(inputs), TfidfSelector(), predictor, settings)


def _retriever(inputs: Inputs) -> TfidfRetriever:
    return TfidfRetriever(list(inputs.documents.values()), inputs.indexes)


def pipeline_lines(task: str, code: str, inputs: Inputs) -> Iterator[bytes]:
    """Yield the predictions of a baseline for a pipeline task."""
    pipeline, words = pipeline_of(code, inputs), _words(task)
    for claim in inputs.claims:
        evidence = _evidence(pipeline.judge(claim), words)
        yield _line({"id": claim.id.to_json(), "evidence": evidence})


def _evidence(judged: Iterable[Judged], words: Mapping[Label, str]) -> object:
    return {
        entry.document.id.text: {
            "sentences": list(entry.sentences),
            "label": words[entry.label],
        }
        for entry in judged
        if entry.label is not Label.NOT_ENOUGH_INFO and entry.sentences
    }


def _words(task: str) -> Mapping[Label, str]:
    is_check_covid = task.startswith("checkcovid")
    return check_covid.FORMAT.labels if is_check_covid else scifact.FORMAT.labels


def _line(values: Mapping[str, object]) -> bytes:
    return json.dumps(values).encode() + b"\n"


# Majority ----------------------------------------------------------------------


def label_lines(task: str, inputs: Inputs) -> Iterator[bytes]:
    """Yield the most frequent label for each cited abstract of each claim."""
    label = most_frequent(
        label
        for claim in inputs.training or inputs.claims
        for label in _cited_labels(claim).values()
    )
    word = _words(task)[label]
    for claim in inputs.claims:
        labels = {document: {"label": word} for document in _cited_labels(claim)}
        yield _line({"claim_id": claim.id.to_json(), "labels": labels})


def _cited_labels(claim: Claim) -> dict[str, Label]:
    cited = {c.text: Label.NOT_ENOUGH_INFO for c in claim.cited or ()}
    return cited | {e.document.text: e.label for e in claim.evidence}


def core_lines(gold: Source, training: Source | None) -> Iterator[bytes]:
    """Yield the most frequent label for each row of a table of CoRe."""
    label = _most_frequent_word(
        str(values["label"]) for values in _cells(training or gold)
    )
    yield encode_row(("idx", "label", "file"))
    for values in _cells(gold):
        yield encode_row((str(values["idx"]), label, str(values.get("file", ""))))


def fever_lines(gold: Source, training: Source | None) -> Iterator[bytes]:
    """Yield the most frequent label and no evidence for each claim of FEVER."""
    label = _most_frequent_word(
        str(values["label"]).upper() for values in _objects(training or gold)
    )
    for values in _objects(gold):
        yield _line(
            {
                "id": values["id"],
                "predicted_label": label,
                "predicted_evidence": [],
            }
        )


def _most_frequent_word(words: Iterable[str]) -> str:
    counted = Counter(words)
    return min(counted, key=lambda word: (-counted[word], word))


def _cells(source: Source) -> Iterator[Mapping[str, object]]:
    for values, _ in read_cells(source, ("idx", "label"), Findings()):
        yield values


def _objects(source: Source) -> Iterator[Mapping[str, object]]:
    for values, _ in read_objects(source, Findings()):
        yield values
