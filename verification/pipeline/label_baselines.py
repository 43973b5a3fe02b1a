"""Baselines for tasks that ask for labels alone: the most frequent one, claim only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from corpus.formats.csvfile import encode_row
from corpus.records import Claim, Label
from verification.pipeline.baselines import (
    ClaimWords,
    Inputs,
    as_line,
    claim_label,
    most_frequent,
    words_of_task,
)
from verification.scoring.findings import Findings
from verification.scoring.reading import Source, read_cells, read_objects

GOLD_INPUTS = "scifact_label_accuracy_gold_inputs"
CLAIM_ONLY = "claim-only"
_TEXTS = ("declarative", "hypothesis", "claim")


def label_lines(task: str, code: str, inputs: Inputs) -> Iterator[bytes]:
    """Yield a label for each given abstract of each claim."""
    choose = _chooser(task, code, inputs)
    words = words_of_task(task)
    for claim in inputs.claims:
        entry = {"label": words[choose(claim)]}
        labels = dict.fromkeys(_true_labels(task, claim), entry)
        yield as_line({"claim_id": claim.id.to_json(), "labels": labels})


def _chooser(task: str, code: str, inputs: Inputs) -> Callable[[Claim], Label]:
    if code == CLAIM_ONLY:
        model = ClaimWords([(c.text, str(claim_label(c))) for c in inputs.training])
        return lambda claim: Label(model.label(claim.text))
    label = most_frequent(
        label
        for claim in inputs.training or inputs.claims
        for label in _true_labels(task, claim).values()
    )
    return lambda _: label


def _true_labels(task: str, claim: Claim) -> dict[str, Label]:
    """Return the true label of each abstract that is given with a claim.

    With gold inputs these are the abstracts with evidence, and the cited ones of a
    claim without any; all have the label of the claim.
    """
    cited = {c.text: Label.NOT_ENOUGH_INFO for c in claim.cited or ()}
    judged = {e.document.text: e.label for e in claim.evidence}
    return judged or cited if task == GOLD_INPUTS else cited | judged


def core_lines(code: str, gold: Source, training: Source | None) -> Iterator[bytes]:
    """Yield a label for each row of a table of CoRe."""
    choose = _word_chooser(code, _rows(gold), _rows(training) if training else None)
    yield encode_row(("idx", "label", "file"))
    for values in _rows(gold):
        cells = (str(values["idx"]), choose(values), str(values.get("file", "")))
        yield encode_row(cells)


def fever_lines(code: str, gold: Source, training: Source | None) -> Iterator[bytes]:
    """Yield a label and no evidence for each claim of FEVER."""
    other = _objects(training) if training else None
    choose = _word_chooser(code, _objects(gold), other)
    for values in _objects(gold):
        yield as_line(
            {
                "id": values["id"],
                "predicted_label": choose(values),
                "predicted_evidence": [],
            }
        )


Row = Mapping[str, object]


def _word_chooser(
    code: str, gold: Iterable[Row], training: Iterable[Row] | None
) -> Callable[[Row], str]:
    """Return what gives a row its label, in the words of the file."""
    if code == CLAIM_ONLY:
        known = [(text_of(row), str(row["label"])) for row in training or ()]
        model = ClaimWords([(text, label) for text, label in known if text])
        return lambda row: model.label(text_of(row))
    counted = Counter(str(row["label"]) for row in training or gold)
    word = min(counted, key=lambda word: (-counted[word], word))
    return lambda _: word


def text_of(row: Row) -> str:
    """Return the text of a claim: CoRe's hypothesis, or FEVER's claim."""
    return next((str(row[name]) for name in _TEXTS if row.get(name)), "")


def texts_of_rows(task: str, source: Source) -> Iterator[str]:
    """Yield the claims of a file of CoRe or FEVER."""
    return map(text_of, _rows(source) if task == "core" else _objects(source))


def _rows(source: Source) -> Iterator[Row]:
    for values, _ in read_cells(source, ("idx", "label"), Findings()):
        yield values


def _objects(source: Source) -> Iterator[Row]:
    for values, _ in read_objects(source, Findings()):
        yield values | {"label": str(values["label"]).upper()}
