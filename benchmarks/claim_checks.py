"""Measure how often each check warns of published claims, and its speed.

Run from the repository root: ``python -m benchmarks.claim_checks``. Needs SciFact and
Check-COVID in ``../shared/data``. Published claims were proofread, so a warning is
mostly a false one (aim: at most 5 % for every check). Their citances were not
published: "copied" is measured against the title and abstract that a claim is checked
on. ``--show CODE`` prints the claims that a check warns of.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from annotation.claim_checks import check_claim
from annotation.claim_reasons import REASONS
from annotation.protocols import Protocol, default_settings
from tests.paths import SHARED

MOST = 0.05
MAX_WORDS = default_settings(Protocol.SCIFACT).max_claim_words


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@cache
def claims_of_scifact(folder: Path) -> list[tuple[str, str]]:
    """Return the claims of train and dev, each with its cited abstracts."""
    abstracts = {
        row["doc_id"]: " ".join([row["title"], *row["abstract"]])
        for row in _rows(folder / "corpus.jsonl")
    }
    return [
        (row["claim"], "\n".join(abstracts[i] for i in row["cited_doc_ids"]))
        for name in ("train", "dev")
        for row in _rows(folder / f"claims_{name}.jsonl")
    ]


@cache
def claims_of_check_covid(folder: Path) -> list[tuple[str, str]]:
    """Return the composed claims, each with its abstract."""
    abstracts = {
        row["cord_id"]: " ".join([row["title"], *row["abstract"]])
        for row in _rows(folder / "corpus.json")
    }
    return [
        (row["claim"], abstracts[row["cord_id"]])
        for row in _rows(folder / "Check-COVID_all.json")
        if not row["is_auth"]
    ]


def rates(claims: Sequence[tuple[str, str]], *, show: str = "") -> Counter[str]:
    """Count the claims that each check warns of."""
    found: Counter[str] = Counter()
    for text, source in claims:
        for warning in check_claim(text, source_text=source, max_words=MAX_WORDS):
            found[warning.code] += 1
            if warning.code == show:
                print(f"  [{text[warning.start : warning.end]}] {text.strip()}")
    return found


def main() -> None:
    """Print one table for each set of claims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", choices=REASONS, default="", metavar="CODE")
    show = parser.parse_args().show
    check_covid = claims_of_check_covid(SHARED / "data" / "check-covid")
    sets = {
        "SciFact train and dev": claims_of_scifact(SHARED / "data" / "scifact"),
        "Check-COVID, composed": check_covid,
        "Check-COVID, composed, each text once": list(dict.fromkeys(check_covid)),
    }
    for name, claims in sets.items():
        start = time.perf_counter()
        found = rates(claims, show=show)
        each = (time.perf_counter() - start) / len(claims)
        print(f"{name}: {len(claims)} claims, {each * 1000:.2f} ms each")
        for code, reason in REASONS.items():
            share = found[code] / len(claims)
            flag = "" if share <= MOST else "  ABOVE THE AIM"
            print(f"  {reason.title:32}{found[code]:5}  {share:6.1%}{flag}")


if __name__ == "__main__":
    main()
