"""Reading gold, predictions and abstracts for looking at errors claim by claim. Pure.

The files are those that were scored without an error, so that what cannot be read is
left out without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from corpus.formats import check_covid, core, fever, scifact
from corpus.formats.base import Problem
from corpus.formats.lines import scan_lines
from corpus.formats.problems import Problems
from corpus.formats.strict_json import StrictDecoder
from corpus.records import Json, Label
from verification.scoring.findings import ClaimId, Findings
from verification.scoring.reading import (
    MAX_LINE_BYTES,
    Source,
    Values,
    read_cells,
    read_objects,
)
from verification.scoring.scifact import document_key
from verification.scoring.tasks import Rules

MOST_CLAIMS = 5_000
"""Gold with more claims is not compared claim by claim."""

MOST_BYTES = 64 * 1024 * 1024
"""Larger files of predictions, and larger corpora, are not read for a page."""

LABELS: dict[str, Label] = {
    word: label
    for data_set in (scifact, check_covid, fever, core)
    for label, word in data_set.FORMAT.labels.items()
} | {"NEI": Label.NOT_ENOUGH_INFO}

NEI = Label.NOT_ENOUGH_INFO

CLAIM = ""
"""In place of a document: the label is that of the whole claim."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What gold or a prediction says of one document; rationales may be none."""

    label: Label | None = None
    rationales: tuple[tuple[int, ...], ...] = ()

    @property
    def sentences(self) -> set[int]:
        """The sentences of all rationales."""
        return {sentence for rationale in self.rationales for sentence in rationale}


Answers = dict[str, Answer]


@dataclass(frozen=True, slots=True)
class GoldClaim:
    """The gold of a claim; ``judged`` are the documents that somebody looked at."""

    claim: ClaimId
    text: str
    answers: Answers
    judged: Collection[str] = ()

    @property
    def labels(self) -> set[Label]:
        """The labels of its documents; not enough information without any."""
        return {answer.label or NEI for answer in self.answers.values()} or {NEI}


@dataclass(frozen=True, slots=True)
class TaskReader:
    """How a task's lines are read, and what its predictions hold."""

    id_key: str
    gold: Callable[[Values], tuple[Answers, set[str]]]
    predicted: Callable[[Values], Answers]
    has_labels: bool = True
    has_sentences: bool = True


# Claims ------------------------------------------------------------------------


def read_gold(task: str, source: Source, profile: str) -> dict[ClaimId, GoldClaim]:
    """Return the gold of every claim, in the order of the file."""
    if task == "core":
        return _core_gold(source)
    reader, rules = READERS[task], _rules(task, profile)
    found: dict[ClaimId, GoldClaim] = {}
    for values, _ in read_objects(source, Findings()):
        claim = values.get("id")
        if not isinstance(claim, int | str):
            continue
        answers, judged = reader.gold(values)
        text = values.get("claim")
        found[claim] = GoldClaim(
            claim,
            text if isinstance(text, str) else "",
            {document_key(key, rules): answer for key, answer in answers.items()},
            {document_key(key, rules) for key in judged},
        )
    return found


def read_predicted(
    task: str, source: Source, profile: str, wanted: Collection[ClaimId]
) -> Iterator[tuple[ClaimId, Answers]]:
    """Yield the predictions of some claims; no others are kept in memory."""
    if task == "core":
        yield from _core_predicted(source, wanted)
        return
    reader, rules = READERS[task], _rules(task, profile)
    rows: dict[ClaimId, Answers] = {}
    for values, _ in read_objects(source, Findings()):
        claim = values.get(reader.id_key)
        if not isinstance(claim, int | str) or claim not in wanted:
            continue
        answers = {
            document_key(key, rules): answer
            for key, answer in reader.predicted(values).items()
        }
        if task == "scifact_open":  # one line for each document
            rows.setdefault(claim, {}).update(answers)
        else:
            yield claim, answers
    yield from rows.items()


def _rules(task: str, profile: str) -> Rules:
    return Rules(profile if task == "scifact_pipeline" else "")


# Texts -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Abstract:
    """A document's title and sentences."""

    title: str
    sentences: tuple[str, ...]


def read_abstracts(
    task: str, corpus: Source, wanted: Collection[str]
) -> dict[str, Abstract]:
    """Return some documents of a corpus; the others are passed over quickly."""
    if not wanted:
        return {}
    is_likely = re.compile("|".join(map(re.escape, wanted))).search
    decoder, found = StrictDecoder(), dict[str, Abstract]()
    with corpus.open() as file:
        for line in scan_lines(file, MAX_LINE_BYTES):
            if isinstance(line, Problem) or not is_likely(line.text):
                continue
            values = decoder.decode(line.text, Problems(line.number)) or {}
            name = str(values.get(_corpus_key(task)))
            if name in wanted:
                found[name] = _abstract(values)
                if len(found) == len(wanted):
                    break
    return found


def _corpus_key(task: str) -> str:
    if task == "fever":
        return "id"
    return "cord_id" if task.startswith("checkcovid") else "doc_id"


def _abstract(values: Values) -> Abstract:
    lines = values.get("lines")
    if isinstance(lines, str):  # FEVER's pages: number, sentence, links
        cells = [line.split("\t") for line in lines.split("\n")]
        title = str(values.get("id", ""))
        return Abstract(title, tuple(c[1] if len(c) > 1 else "" for c in cells))
    sentences = tuple(str(sentence) for sentence in _items(values.get("abstract")))
    return Abstract(str(values.get("title") or ""), sentences)


# The formats -------------------------------------------------------------------


def _mapping(value: Json) -> Values:
    return value if isinstance(value, dict) else {}


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _label(value: Json) -> Label | None:
    return LABELS.get(value.upper()) if isinstance(value, str) else None


def _integers(value: Json) -> tuple[int, ...]:
    return tuple(item for item in _items(value) if type(item) is int)


def _scifact_gold(values: Values) -> tuple[Answers, set[str]]:
    answers: Answers = {}
    for document, entries in _mapping(values.get("evidence")).items():
        listed = entries if isinstance(entries, list) else [entries]
        found = [_mapping(entry) for entry in listed]
        if found:
            answers[document] = Answer(
                _label(found[0].get("label")),
                tuple(_integers(entry.get("sentences")) for entry in found),
            )
    cited = {str(document) for document in _items(values.get("cited_doc_ids"))}
    return answers, cited | set(answers)


def _check_covid_gold(values: Values) -> tuple[Answers, set[str]]:
    document = str(values.get("cord_id"))
    sentences = [
        _mapping(entry).get("sent_index")
        for entry in _items(values.get("evidence_set"))
    ]
    answer = Answer(_label(values.get("label")), (_integers(sentences),))
    return {document: answer}, {document}


def _fever_gold(values: Values) -> tuple[Answers, set[str]]:
    label = _label(values.get("label"))
    rationales: dict[str, list[tuple[int, ...]]] = {}
    for group in map(_items, _items(values.get("evidence"))):
        pages: dict[str, list[int]] = {}
        for entry in map(_items, group):
            if len(entry) >= 4 and isinstance(entry[3], int):
                pages.setdefault(str(entry[2]), []).append(entry[3])
        for page, numbers in pages.items():
            rationales.setdefault(page, []).append(tuple(numbers))
    answers = {page: Answer(label, tuple(sets)) for page, sets in rationales.items()}
    return {CLAIM: Answer(label), **answers}, set(rationales)


def _evidence(values: Values) -> Answers:
    return {
        document: Answer(
            _label(_mapping(entry).get("label")),
            (_integers(_mapping(entry).get("sentences")),),
        )
        for document, entry in _mapping(values.get("evidence")).items()
    }


def _selection(values: Values) -> Answers:
    return {
        document: Answer(None, (_integers(sentences),))
        for document, sentences in _mapping(values.get("evidence")).items()
    }


def _label_answers(values: Values) -> Answers:
    return {
        document: Answer(_label(_mapping(entry).get("label")))
        for document, entry in _mapping(values.get("labels")).items()
    }


def _retrieved(values: Values) -> Answers:
    return {str(document): Answer() for document in _items(values.get("doc_ids"))}


def _fever_predicted(values: Values) -> Answers:
    label = _label(values.get("predicted_label"))
    pages: dict[str, list[int]] = {}
    for entry in map(_items, _items(values.get("predicted_evidence"))):
        if len(entry) == 2 and isinstance(entry[1], int):
            pages.setdefault(str(entry[0]), []).append(entry[1])
    answers = {page: Answer(label, (tuple(found),)) for page, found in pages.items()}
    return {CLAIM: Answer(label), **answers}


def _open_predicted(values: Values) -> Answers:
    label = _label(values.get("predicted_label"))
    return {} if label is NEI else {str(values.get("doc_id")): Answer(label)}


def _core_gold(source: Source) -> dict[ClaimId, GoldClaim]:
    found: dict[ClaimId, GoldClaim] = {}
    for values, _ in read_cells(source, ("idx", "label"), Findings()):
        idx = str(values["idx"])
        claim = f"{values['file']}#{idx}" if "file" in values else idx
        text = values.get("hypothesis") or values.get("claim") or ""
        found[claim] = GoldClaim(
            claim, str(text), {"": Answer(_label(values["label"]))}
        )
    return found


def _core_predicted(
    source: Source, wanted: Collection[ClaimId]
) -> Iterator[tuple[ClaimId, Answers]]:
    """Match as the scorer does: by file and idx if both files have the columns."""
    by_idx = {str(claim).partition("#")[2] or str(claim): claim for claim in wanted}
    for values, _ in read_cells(source, ("idx", "label"), Findings()):
        idx = str(values["idx"])
        by_file = f"{values['file']}#{idx}" if "file" in values else ""
        claim = by_file if by_file in wanted else by_idx.get(idx)
        if claim is not None:
            yield claim, {CLAIM: Answer(_label(values["label"]))}


_NONE: tuple[Answers, set[str]] = ({}, set())

READERS: dict[str, TaskReader] = {
    "scifact_pipeline": TaskReader("id", _scifact_gold, _evidence),
    "scifact_rationale_selection": TaskReader(
        "claim_id", _scifact_gold, _selection, has_labels=False
    ),
    "scifact_label_prediction": TaskReader(
        "claim_id", _scifact_gold, _label_answers, has_sentences=False
    ),
    "scifact_label_accuracy_gold_inputs": TaskReader(
        "claim_id", _scifact_gold, _label_answers, has_sentences=False
    ),
    "scifact_abstract_retrieval": TaskReader(
        "claim_id", _scifact_gold, _retrieved, has_labels=False, has_sentences=False
    ),
    "scifact_open": TaskReader(
        "claim_id", _scifact_gold, _open_predicted, has_sentences=False
    ),
    "checkcovid_rationale_selection": TaskReader(
        "claim_id", _check_covid_gold, _selection, has_labels=False
    ),
    "checkcovid_label_prediction": TaskReader(
        "claim_id", _check_covid_gold, _label_answers, has_sentences=False
    ),
    "checkcovid_pipeline_py": TaskReader("id", _check_covid_gold, _evidence),
    "fever": TaskReader("id", _fever_gold, _fever_predicted),
    "core": TaskReader("idx", lambda _: _NONE, lambda _: {}, has_sentences=False),
}
