"""Predicted abstracts that nobody has judged for their claim. Pure.

Pure counting: an abstract is judged if the claim's gold holds evidence in it, or
cites it. The others are scored as the evaluator scores them, as wrong; how many
there are says how far that can be trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from corpus.formats.fever import FORMAT as FEVER
from corpus.records import Json, Label
from verification.scoring.findings import Findings
from verification.scoring.reading import Source, Values, read_objects
from verification.scoring.scifact import document_key
from verification.scoring.tasks import Request, Rules


class Unjudged(NamedTuple):
    """How many abstracts were predicted, and how many of them nobody judged."""

    predicted: int
    unjudged: int


class _Reader(NamedTuple):
    """Which documents a gold line judges, and which a prediction line names.

    ``judged`` is ``None`` for a claim whose documents the evaluator does not look at.
    """

    id_key: str
    judged: Callable[[Values], set[str] | None]
    predicted: Callable[[Values], set[str]]


def count_unjudged(task: str, request: Request) -> Unjudged | None:
    """Count over all claims; ``None`` for a task without predicted documents.

    The files are those that were scored without an error. A document counts once for
    each claim that it is predicted for.
    """
    reader = _READERS.get(task)
    if reader is None or request.gold is None:
        return None
    rules = Rules(request.profile if task == "scifact_pipeline" else "")
    judged = {
        str(values["id"]): _keys(documents, rules)
        for values in _lines(request.gold)
        if (documents := reader.judged(values)) is not None
    }
    predicted = unjudged = 0
    for values in _lines(request.predictions):
        known = judged.get(str(values[reader.id_key]))
        if known is not None:
            named = _keys(reader.predicted(values), rules)
            predicted += len(named)
            unjudged += len(named - known)
    return Unjudged(predicted, unjudged)


def _lines(source: Source) -> Iterator[Values]:
    for values, _ in read_objects(source, Findings()):
        yield values


def _keys(documents: set[str], rules: Rules) -> set[str]:
    return {document_key(document, rules) for document in documents}


def _mapping(value: Json) -> Values:
    return value if isinstance(value, dict) else {}


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _scifact_judged(values: Values) -> set[str]:
    cited = {str(document) for document in _items(values.get("cited_doc_ids"))}
    return cited | set(_mapping(values.get("evidence")))


def _check_covid_judged(values: Values) -> set[str]:
    return {str(values.get("cord_id"))}


def _fever_judged(values: Values) -> set[str] | None:
    """The pages of the evidence sets; a claim without evidence is scored by label."""
    if str(values.get("label")).upper() == FEVER.labels[Label.NOT_ENOUGH_INFO]:
        return None
    sentences = [s for group in _items(values.get("evidence")) for s in _items(group)]
    return {str(_items(sentence)[2]) for sentence in sentences}


def _evidence_documents(values: Values) -> set[str]:
    return set(_mapping(values.get("evidence")))


def _selected_documents(values: Values) -> set[str]:
    """The documents with a selected sentence; an empty list predicts nothing."""
    evidence = _mapping(values.get("evidence"))
    return {document for document, sentences in evidence.items() if sentences}


def _fever_predicted(values: Values) -> set[str]:
    listed = _items(values.get("predicted_evidence"))
    return {str(_items(sentence)[0]) for sentence in listed}


_READERS = {
    "scifact_pipeline": _Reader("id", _scifact_judged, _evidence_documents),
    "scifact_rationale_selection": _Reader(
        "claim_id", _scifact_judged, _selected_documents
    ),
    "checkcovid_pipeline_py": _Reader("id", _check_covid_judged, _evidence_documents),
    "fever": _Reader("id", _fever_judged, _fever_predicted),
}
