"""Slices: groups of claims that a score is also shown for. Pure.

By the claim's label, composed or extracted, negated or not, the number of sentences
of its shortest rationale, people's tags and topic, as far as the gold lines say so.
A slice is scored with the weights 1 for its claims and 0 for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.formats.check_covid import FORMAT as CHECK_COVID
from corpus.formats.fever import FORMAT as FEVER
from corpus.records import Json, Label
from verification.scoring.findings import ClaimId, Findings
from verification.scoring.reading import Source, Values, read_cells, read_objects

if TYPE_CHECKING:  # numpy is loaded when numbers are made
    from verification.scoring.metrics import Array, Measures

FEWEST = 20
"""A slice of fewer claims is not shown: its numbers would mean little."""

MOST_CLAIMS = 5_000
"""Above so many claims no values of single claims are kept."""

_AT_ONCE = 100
MANY = "3 or more"
NO_EVIDENCE = str(Label.NOT_ENOUGH_INFO)
LONGEST_NAME = 80

Members = dict[str, list[int]]


def slices_of(task: str, gold: Source, claims: Sequence[ClaimId]) -> Members:
    """Return the claims of each slice, as places in ``claims``.

    Slices are named ``kind:name``; those with fewer than ``FEWEST`` claims are left
    out. ``gold`` is a file that was scored without an error.
    """
    places = {claim: place for place, claim in enumerate(claims)}
    found: dict[str, list[int]] = {}
    for claim, values in _rows(task, gold, places):
        place = places.get(claim)
        if place is None:
            continue
        for name in set(_names(task, values)):
            found.setdefault(name, []).append(place)
    return {name: rows for name, rows in found.items() if len(rows) >= FEWEST}


def score_slices(
    measure: Callable[[Array], Measures],
    n_claims: int,
    members: Mapping[str, list[int]],
) -> dict[str, Json]:
    """Return for each slice its number of claims and its measures."""
    import numpy as np

    scored: dict[str, Json] = {}
    for name, places in members.items():
        weights = np.zeros((1, n_claims))
        weights[0, places] = 1.0
        metrics: dict[str, Json] = {
            key: None if np.isnan(values[0]) else float(values[0])
            for key, values in measure(weights).items()
        }
        scored[name] = {"n_claims": len(places), "metrics": metrics}
    return scored


def values_by_claim(
    measure: Callable[[Array], Measures], claims: Sequence[ClaimId], name: str
) -> list[Json]:
    """Return each claim's id and a measure on this claim alone.

    Nothing for more than ``MOST_CLAIMS`` claims; ``None`` where it is undefined.
    """
    import numpy as np

    if len(claims) > MOST_CLAIMS:
        return []
    found: list[Json] = []
    for start in range(0, len(claims), _AT_ONCE):
        some = claims[start : start + _AT_ONCE]
        weights = np.eye(len(some), len(claims), start)
        for claim, value in zip(some, measure(weights)[name], strict=True):
            found.append([claim, None if np.isnan(value) else float(value)])
    return found


def _rows(
    task: str, gold: Source, places: Mapping[ClaimId, int]
) -> Iterator[tuple[ClaimId, Values]]:
    if task != "core":
        for values, _ in read_objects(gold, Findings()):
            claim = values.get("id")
            if isinstance(claim, int | str):
                yield claim, values
        return
    for values, _ in read_cells(gold, ("idx", "label"), Findings()):
        # As in the scorer: by file and idx if both files have the two columns.
        by_file = f"{values.get('file', '')}#{values['idx']}"
        yield by_file if by_file in places else str(values["idx"]), values


def _names(task: str, values: Values) -> Iterator[str]:
    yield f"label:{_label(values)}"
    if size := _rationale_size(task, values):
        yield f"rationale sentences:{size if size < 3 else MANY}"
    yield from _kinds(values)
    topic = values.get("file") if task == "core" else values.get("topic")
    if isinstance(topic, str) and topic.strip():
        yield f"topic:{topic.strip()}"[:LONGEST_NAME]
    for tag in _items(values.get("tags")):
        if isinstance(tag, str) and tag.strip():
            yield f"tag:{tag.strip()}"[:LONGEST_NAME]


def _kinds(values: Values) -> Iterator[str]:
    kind, is_extracted = values.get("kind"), values.get("is_auth")
    if kind in {"composed", "extracted", "hypothesis"}:
        yield f"claim:{kind}"
    elif isinstance(is_extracted, bool):  # Check-COVID
        yield "claim:extracted" if is_extracted else "claim:composed"
    if "negates" in values:
        yield f"wording:{'negated' if values['negates'] is not None else 'original'}"


def _label(values: Values) -> str:
    label = values.get("label")
    if isinstance(label, str):
        return label.upper()
    labels = {
        str(entry["label"])
        for document in _mapping(values.get("evidence")).values()
        for entry in (document if isinstance(document, list) else [document])
        if isinstance(entry, dict) and "label" in entry
    }
    return " and ".join(sorted(labels)) or NO_EVIDENCE


def _rationale_size(task: str, values: Values) -> int:
    """Return the number of sentences of the shortest rationale; 0 without one."""
    return min(_sizes(task, values), default=0)


def _sizes(task: str, values: Values) -> Iterable[int]:
    if task.startswith("checkcovid"):
        is_nei = values.get("label") == CHECK_COVID.labels[Label.NOT_ENOUGH_INFO]
        return [] if is_nei else [len(_items(values.get("evidence_set")))]
    if task == "fever":
        is_nei = _label(values) == FEVER.labels[Label.NOT_ENOUGH_INFO]
        return [] if is_nei else map(len, map(_items, _items(values.get("evidence"))))
    return [
        len({str(index) for index in _items(entry.get("sentences"))})
        for document in _mapping(values.get("evidence")).values()
        for entry in _items(document)
        if isinstance(entry, dict)
    ]


def _mapping(value: Json) -> Values:
    return value if isinstance(value, dict) else {}


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
