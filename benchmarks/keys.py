"""Keystrokes per judgement on the page "Verify", over published evidence.

    python -m benchmarks.keys [--shared FOLDER] [--write]

Every evidence pair of SciFact train and dev is answered in Chromium by real key
presses on the page of the demo, with the page's own key handler; the form must then
hold exactly the published rationales. The abstracts come from the public data sets and
go nowhere: only the counts are printed, and with ``--write`` kept in docs/speed.md.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LABEL_KEYS = {"SUPPORT": "1", "CONTRADICT": "2"}
START, END = "<!-- keys: begin -->", "<!-- keys: end -->"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One published answer: the label, and the sentences of each rationale."""

    claim: str
    sentences: list[str]
    label: str
    rationales: list[list[int]]


def evidence(folder: Path) -> Iterator[Evidence]:
    """Every pair of SciFact train and dev that has evidence."""
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        abstracts = {
            str(row["doc_id"]): row["abstract"] for row in map(json.loads, lines)
        }
    for split in ("train", "dev"):
        with (folder / f"claims_{split}.jsonl").open(encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                for document, found in row["evidence"].items():
                    yield Evidence(
                        row["claim"],
                        abstracts[document],
                        found[0]["label"],
                        [sorted(rationale["sentences"]) for rationale in found],
                    )


def keys_for(wanted: Evidence, tags: list[str]) -> list[str]:
    """What an expert presses: the label, the tags, N between rationales, Enter."""
    keys = [LABEL_KEYS[wanted.label]]
    for number, rationale in enumerate(wanted.rationales):
        if number:
            keys.append("n")
        for sentence in rationale:
            keys += tags[sentence]
    return [*keys, "Enter"]


def percentile(counts: list[int], share: float) -> int:
    """The smallest count that at least this share of the pairs does not exceed."""
    ordered = sorted(counts)
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)]


def table(counts: list[int]) -> str:
    """The distribution in Markdown."""
    spread = Counter(counts)
    total, running, lines = len(counts), 0, []
    for keys in sorted(spread):
        running += spread[keys]
        lines.append(f"| {keys} | {spread[keys]} | {100 * running / total:.1f} % |")
    return "\n".join(
        [
            f"{total} evidence pairs of SciFact train and dev, submit included: median "
            f"{statistics.median(counts):g} keystrokes, 90th percentile "
            f"{percentile(counts, 0.9)}, most {max(counts)}. The answer that stood in "
            f"the form was the published one in all {total} pairs.",
            "",
            "| keystrokes | pairs | this many or fewer |",
            "| --- | --- | --- |",
            *lines,
        ]
    )


def write(text: str, path: Path) -> None:
    """Put the table between its marks."""
    old = path.read_text(encoding="utf-8")
    before, after = old.split(START)[0], old.split(END)[1]
    path.write_text(f"{before}{START}\n{text}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Run the measurement through pytest, which has the site, the rows and Chromium."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--write", action="store_true", help="keep it in docs/speed.md")
    arguments = parser.parse_args()
    os.environ["CLAIMDESK_SHARED"] = str(arguments.shared)
    os.environ["CLAIMDESK_ALL_KEYS"] = "write" if arguments.write else "print"
    import pytest

    raise SystemExit(pytest.main(["tests/browser/test_keys.py", "-q", "-s", "-n", "0"]))


if __name__ == "__main__":
    main()
