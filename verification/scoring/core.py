"""CoRe: accuracy and macro F1 over three fixed classes, and the majority vote.

No evaluator is published. Macro F1 is the mean over "all three class labels" of
the paper, a class that occurs nowhere counting 0. An answer that is no label is a
wrong answer; beside the score stands that of the readable answers alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.formats.core import FORMAT
from corpus.formats.problems import kind_of, shown
from corpus.records import Json, Label
from verification.scoring.findings import ClaimId, Findings, Place
from verification.scoring.reading import Source, Values, read_cells, read_objects
from verification.scoring.tasks import Request, Score, in_order, nested
from verification.scoring.validate import (
    MAX_ID_LENGTH,
    Roll,
    claim_id,
    label_word,
    mapping,
    words_of,
)

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

WORDS = words_of(FORMAT.labels)
ORDER = tuple(
    FORMAT.labels[label] for label in (Label.SUPPORT, Label.CONTRADICT, Label.MIXED)
)


def answer_cells(gold: str, answer: str) -> tuple[int, ...]:
    """Return the flat confusion matrix of one row; column four is "unreadable"."""
    cells = [0] * 12
    column = ORDER.index(answer) if answer in ORDER else 3
    cells[ORDER.index(gold) * 4 + column] = 1
    return tuple(cells)


def _confusion(sums: Array) -> Array:
    return sums.reshape(*sums.shape[:-1], 3, 4)


def _aggregate(sums: Array) -> Measures:
    from verification.scoring import metrics

    confusion = _confusion(sums)
    precision, recall, f1 = metrics.per_class(confusion)
    return {
        "accuracy": metrics.accuracy(confusion),
        "macro_f1": f1.mean(axis=-1),
        "macro_precision": precision.mean(axis=-1),
        "macro_recall": recall.mean(axis=-1),
    } | {f"per_class_f1.{word}": f1[..., n] for n, word in enumerate(ORDER)}


def _answered_only(sums: Array) -> dict[str, Json]:
    from verification.scoring import metrics

    confusion = _confusion(sums)
    answered = confusion[..., :3]
    coverage = metrics.ratio(answered.sum(), confusion.sum(), empty=metrics.UNDEFINED)
    values = {
        "coverage": float(coverage),
        "accuracy": float(metrics.accuracy(answered)),
        "macro_f1": float(metrics.per_class(answered)[2].mean()),
    }
    return {"n_answered": int(answered.sum())} | nested(values)


@dataclass(frozen=True, slots=True)
class CoreTask:
    """CSV files with one row for each claim and abstract.

    Rows are matched by ``file`` and ``idx`` if both files have the two columns,
    else by ``idx``, which then has to be unique.
    """

    name: str = "core"
    profiles: Sequence[str] = ("core-paper",)
    needs_gold: bool = True

    def score(self, request: Request, findings: Findings) -> Score | None:
        """Return the score, or ``None`` if there are errors."""
        gold_source = _gold_source(request)
        by_file = _has_files(request, findings)
        gold: dict[ClaimId, str | None] = {}
        for values, place in read_cells(gold_source, ("idx", "label"), findings):
            claim = _key(values, by_file, place)
            if claim in gold:
                place.error(_repeated(claim, by_file))
            gold[claim] = label_word(values["label"], "label", WORDS, place)
        answers = _answers(request, findings, by_file, gold)
        if findings.has_errors:
            return None
        return _score(
            {c: answer_cells(label, answers[c]) for c, label in gold.items() if label}
        )

    def validate(self, request: Request, findings: Findings) -> None:
        """Check predictions against the rows of a file of claims."""
        by_file = _has_files(request, findings)
        claims: dict[ClaimId, str | None] = {}
        for values, place in read_cells(_gold_source(request), ("idx",), findings):
            claim = _key(values, by_file, place)
            if claim in claims:
                place.error(_repeated(claim, by_file))
            claims[claim] = None
        _answers(request, findings, by_file, claims)


def _score(rows: Mapping[ClaimId, Sequence[int]]) -> Score:
    import numpy as np

    claims = in_order(rows)
    table = np.array([rows[claim] for claim in claims], dtype=np.float64)
    sums = table.sum(axis=0)
    values = {name: float(value) for name, value in _aggregate(sums).items()}
    return Score(
        nested(values),
        {},
        claims,
        lambda weights: _aggregate(weights @ table),
        {"metrics_answered_only": _answered_only(sums)},
    )


def _gold_source(request: Request) -> Source:
    if request.gold is None:
        raise ValueError("core needs a gold file")
    return request.gold


def _has_files(request: Request, findings: Findings) -> bool:
    """Return whether both files have the column ``file``.

    Their faults are not recorded here; they are found when the rows are read.
    """
    return all(
        _first_row_has_file(source)
        for source in (_gold_source(request), request.predictions)
    )


def _first_row_has_file(source: Source) -> bool:
    rows = read_cells(source, ("idx",), Findings())
    values, _ = next(rows, ({}, None))
    return "file" in values


def _key(values: Values, by_file: bool, place: Place) -> ClaimId:
    idx = str(values["idx"])
    claim = f"{values['file']}#{idx}" if by_file else idx
    if len(claim) > MAX_ID_LENGTH:
        place.error(f"idx and file are longer than {MAX_ID_LENGTH} characters.")
        return claim[:MAX_ID_LENGTH]
    place.claim_id = claim
    if not idx:
        place.error("idx is empty.")
    return claim


def _repeated(claim: ClaimId, by_file: bool) -> str:
    if by_file:
        return f"The row {shown(claim)} occurs twice in the gold file."
    return (
        f"The idx {shown(claim)} occurs twice in the gold file. Rows are matched by "
        "idx alone, because a file has no column named file; add it to both."
    )


def _answers(
    request: Request,
    findings: Findings,
    by_file: bool,
    claims: Mapping[ClaimId, str | None],
) -> dict[ClaimId, str]:
    source = request.predictions
    roll = Roll(claims, source.name)
    answers: dict[ClaimId, str] = {}
    for values, place in read_cells(source, ("idx", "label"), findings):
        claim = _key(values, by_file, place)
        roll.check(claim, place)
        answer = str(values["label"])
        answers[claim] = answer
        if answer not in WORDS:
            word = shown(answer) or "an empty answer"
            place.warn(f"{word} is none of {', '.join(ORDER)}: a wrong answer.")
    roll.finish(findings)
    return answers


# Majority vote -----------------------------------------------------------------

_TRUE_FALSE = dict(zip(("true", "false", "neutral"), ORDER, strict=True))
_YES_NO = dict(zip(("yes", "no", "maybe"), ORDER, strict=True))
_LETTERS = dict(zip(("e", "c", "n"), ORDER, strict=True))
PROMPTS = {
    "P1": _TRUE_FALSE,
    "P2": _YES_NO,
    "P3": _YES_NO,
    "P4": _LETTERS,
    "P5": _YES_NO,
}
"""What each prompt's answers mean (Table 4)."""

VOTE_SHAPE = '{"idx": 0, "answers": {"P1": "true", "P2": "no", …}}'


def vote_of(prompt: str, answer: str | None) -> str | None:
    """Return the label of an answer; case, blanks and a final full stop are ignored."""
    plain = (answer or "").strip().removesuffix(".").strip().lower()
    return PROMPTS[prompt].get(plain)


def majority(votes: Mapping[str, str | None]) -> tuple[str | None, list[str]]:
    """Return the winner, or ``None`` with the labels that tie; nulls do not vote."""
    counted = Counter(vote for vote in votes.values() if vote is not None)
    most = max(counted.values(), default=0)
    first = sorted(label for label, n in counted.items() if n == most)
    return (first[0], []) if len(first) == 1 else (None, first)


@dataclass(frozen=True, slots=True)
class MajorityVoteTask:
    """The answers of five prompts to labels and their majority."""

    name: str = "core_majority_vote"
    profiles: Sequence[str] = ("core-paper",)
    needs_gold: bool = False

    def score(self, request: Request, findings: Findings) -> Score | None:
        """Return the votes, winner and ties of each row, in the file's order."""
        rows = self._rows(request, findings)
        if findings.has_errors:
            return None
        return Score(list(rows.values()), {}, tuple(rows))

    def validate(self, request: Request, findings: Findings) -> None:
        """Check the file of answers."""
        self._rows(request, findings)

    def _rows(self, request: Request, findings: Findings) -> dict[ClaimId, Json]:
        rows: dict[ClaimId, Json] = {}
        for values, place in read_objects(request.predictions, findings):
            claim = claim_id(values, "idx", VOTE_SHAPE, place)
            if claim is not None and claim in rows:
                place.error(f"The idx {shown(claim)} occurs twice.")
            votes = _votes(values, place)
            winner, tied = majority(votes)
            if claim is not None:
                rows[claim] = {
                    "idx": claim,
                    "votes": {**votes},
                    "winner": winner,
                    "tie_between": [*tied],
                }
        return rows


def _votes(values: Values, place: Place) -> dict[str, str | None]:
    answers = mapping(values, "answers", VOTE_SHAPE, place) or {}
    for prompt, answer in answers.items():
        if prompt not in PROMPTS:
            place.error(f"answers: there is no prompt {shown(prompt)}.")
        elif answer is not None and not isinstance(answer, str):
            expected = f"expected text or null, found {kind_of(answer)}"
            place.error(f"answers.{prompt}: {expected}.")
    if place.has_errors:
        return {}
    return {prompt: vote_of(prompt, _text(answers.get(prompt))) for prompt in PROMPTS}


def _text(answer: Json) -> str | None:
    return answer if isinstance(answer, str) else None


TASK = CoreTask()
MAJORITY_VOTE = MajorityVoteTask()
