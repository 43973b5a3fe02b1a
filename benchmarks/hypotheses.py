"""Measure how close proposed hypotheses come to those that researchers wrote.

Run from the repository root: ``python -m benchmarks.hypotheses``. Needs CoRe in
``../shared/data``. A proposal is equal if it has the same words (capitals, blanks and
punctuation aside), and close if at least nine words in ten are the same in the same
order. ``--show`` prints the proposals that differ.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from annotation.hypotheses import propose_hypothesis
from tests.paths import SHARED

CLOSE = 0.9


def core_pairs(folder: Path) -> list[tuple[str, str]]:
    """Return each question with its hypothesis, one for each row."""
    pairs = []
    for name in ("train", "test"):
        path = folder / f"{name}_mapped.csv"
        with path.open(encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines)
            pairs += [(row["hypothesis"], row["declarative"]) for row in rows]
    return pairs


def likeness(question: str, hypothesis: str) -> float:
    """Return how much of a hypothesis its proposal has: 1 if the words are equal."""
    proposed = _words(propose_hypothesis(question).text)
    return SequenceMatcher(None, proposed, _words(hypothesis), autojunk=False).ratio()


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def shares(pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Return the shares of proposals that are equal, and at least close."""
    found = [likeness(*pair) for pair in pairs]
    equal = sum(value == 1 for value in found)
    return equal / len(pairs), sum(value >= CLOSE for value in found) / len(pairs)


def main() -> None:
    """Print the shares over the rows, and over the different pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    rows = core_pairs(SHARED / "data" / "core")
    different = list(dict.fromkeys(rows))
    for name, pairs in (("rows", rows), ("different pairs", different)):
        equal, close = shares(pairs)
        print(f"{len(pairs)} {name}: {equal:.1%} equal, {close:.1%} equal or close")
    if show:
        for question, hypothesis in different:
            if likeness(question, hypothesis) < 1:
                proposal = propose_hypothesis(question)
                print(f"{question}\n  {proposal.text}  {proposal.hint}\n  {hypothesis}")


if __name__ == "__main__":
    main()
