"""FEVER's score, as sheffieldnlp/fever-scorer has it, for three evidence caps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.formats.fever import FORMAT
from corpus.formats.problems import kind_of
from corpus.records import Json, Label
from verification.scoring.findings import Findings, Place
from verification.scoring.reading import Documents, Source, Values, read_documents
from verification.scoring.tasks import ClaimTask, Rules, nested
from verification.scoring.validate import label_word, words_of

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

WORDS = words_of(FORMAT.labels)
NEI = FORMAT.labels[Label.NOT_ENOUGH_INFO]
CAPS = (5, 3, None)
SHAPE = '{"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["Page", 0]]}'

Sentence = tuple[str | None, int | None]


class GoldClaim(NamedTuple):
    """The label and the sets of sentences, each of which proves it."""

    label: str
    groups: tuple[tuple[Sentence, ...], ...]


class PredictedClaim(NamedTuple):
    """The label and the sentences in the order of the file."""

    label: str
    sentences: list[Sentence]


def claim_counts(
    gold: GoldClaim, predicted: PredictedClaim, _rules: Rules
) -> tuple[float, ...]:
    """Return one claim's share of the sums.

    These are: 1; whether the label is right; whether the claim enters the means of
    evidence; and for each cap: strictly right, precision, recall.
    """
    is_right = gold.label == predicted.label
    has_evidence = gold.label != NEI
    counts: list[float] = [1, is_right, has_evidence]
    for cap in CAPS:
        sentences = predicted.sentences[:cap]
        covers = any(all(s in sentences for s in group) for group in gold.groups)
        strict = is_right and (covers or not has_evidence)
        counts.append(strict)
        counts.append(_precision(gold, sentences) if has_evidence else 0)
        counts.append(has_evidence and (covers or not gold.groups))
    return tuple(counts)


def _precision(gold: GoldClaim, sentences: Sequence[Sentence]) -> float:
    if not sentences:
        return 1.0
    known = {s for group in gold.groups for s in group if s[1] is not None}
    return sum(sentence in known for sentence in sentences) / len(sentences)


def _aggregate(sums: Array) -> Measures:
    from verification.scoring.metrics import UNDEFINED, f1_of, ratio

    claims, right, with_evidence = (sums[..., n] for n in range(3))
    measures: Measures = {}
    for n, cap in enumerate(CAPS):
        strict, precision, recall = (sums[..., 3 + 3 * n + k] for k in range(3))
        at = f"max_evidence_{cap}"
        # The scorer's own values where no claim has evidence: 1 and 0.
        macro_precision = ratio(precision, with_evidence, empty=1.0)
        macro_recall = ratio(recall, with_evidence, empty=0.0)
        measures |= {
            f"{at}.strict_fever_score": ratio(strict, claims, empty=UNDEFINED),
            f"{at}.label_accuracy": ratio(right, claims, empty=UNDEFINED),
            f"{at}.evidence_macro_precision": macro_precision,
            f"{at}.evidence_macro_recall": macro_recall,
            f"{at}.evidence_f1": f1_of(macro_precision, macro_recall, empty=UNDEFINED),
        }
    return measures


def _present(
    values: Mapping[str, float], _sums: Sequence[float]
) -> tuple[Json, dict[str, int]]:
    return nested(values), {}


def _label(values: Values, key: str, place: Place) -> str | None:
    value = values.get(key)
    return label_word(
        value.upper() if isinstance(value, str) else value, key, WORDS, place
    )


def _parse_gold(values: Values, place: Place, rules: Rules) -> GoldClaim | None:
    label = _label(values, "label", place)
    evidence = values.get("evidence")
    if not isinstance(evidence, list):
        place.error(f"evidence: expected a list of sets, found {kind_of(evidence)}.")
        return None
    groups = tuple(_gold_group(group, n, place) for n, group in enumerate(evidence))
    if not all(groups):
        place.warn("A gold evidence set is empty: any prediction contains it.")
    if label != NEI:
        for group in groups:
            for sentence in group:
                _compare_with_corpus("Gold", sentence, place, rules)
    return None if label is None or place.has_errors else GoldClaim(label, groups)


def _gold_group(value: Json, number: int, place: Place) -> tuple[Sentence, ...]:
    if not isinstance(value, list):
        place.error(f"evidence[{number}]: expected a list, found {kind_of(value)}.")
        return ()
    sentences: list[Sentence] = []
    for entry in value:
        page, line = (
            entry[2:4] if isinstance(entry, list) and len(entry) >= 4 else (0, 0)
        )
        if (page is None or isinstance(page, str)) and _is_line(line, optional=True):
            sentences.append((page, line))  # type: ignore[arg-type]  # just checked
        else:
            expected = "expected [annotation, evidence, page, line]"
            place.error(f"evidence[{number}]: {expected}.")
    return tuple(sentences)


def _is_line(value: Json, *, optional: bool = False) -> bool:
    return type(value) is int or (optional and value is None)


def _parse_prediction(
    values: Values, place: Place, rules: Rules
) -> PredictedClaim | None:
    label = _label(values, "predicted_label", place)
    evidence = values.get("predicted_evidence")
    if not isinstance(evidence, list):
        expected = f"expected a list of [page, line], found {kind_of(evidence)}"
        place.error(f"predicted_evidence: {expected}. A line is {SHAPE}.")
        return None
    sentences: list[Sentence] = []
    for number, entry in enumerate(evidence):
        sentence = _predicted_sentence(entry, number, place)
        if sentence is not None:
            sentences.append(sentence)
            _compare_with_corpus("Predicted", sentence, place, rules)
    if len(set(sentences)) < len(sentences):
        place.warn("A sentence is listed twice. Each listing counts as retrieved.")
    if label is None or place.has_errors:
        return None
    return PredictedClaim(label, sentences)


def _predicted_sentence(entry: Json, number: int, place: Place) -> Sentence | None:
    field = f"predicted_evidence[{number}]"
    if not isinstance(entry, list) or len(entry) != 2:
        place.error(f"{field}: expected [page, line].")
        return None
    page, line = entry
    if not isinstance(page, str):
        place.error(f"{field}: expected the page as text, found {kind_of(page)}.")
    elif not isinstance(line, int) or isinstance(line, bool):
        place.error(f"{field}: integer expected for the line, found {kind_of(line)}.")
    else:
        return page, line
    return None


def _compare_with_corpus(
    whose: str, sentence: Sentence, place: Place, rules: Rules
) -> None:
    page, line = sentence
    if rules.documents is None or page is None or line is None:
        return
    size = rules.documents.get(page)
    if size is None:
        place.warn(f"{whose} page {page[:200]} is not in the corpus.")
    elif not 0 <= line < size:
        place.warn(f"{whose} page {page[:200]}: there is no line {str(line)[:20]}.")


def _read_corpus(source: Source, findings: Findings, _rules: Rules) -> Documents:
    return read_documents(source, findings, id_key="id", size_of=_lines_of_page)


def _lines_of_page(values: Values) -> int | None:
    lines = values.get("lines")
    return lines.count("\n") + 1 if isinstance(lines, str) else None


TASK = ClaimTask(
    name="fever",
    profiles=("fever-scorer",),
    id_key="id",
    shape=SHAPE,
    parse_gold=_parse_gold,
    parse_prediction=_parse_prediction,
    count=claim_counts,
    aggregate=_aggregate,
    present=_present,
    read_corpus=_read_corpus,
)
