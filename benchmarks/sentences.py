"""Compare the sentence splitter with pysbd and NLTK's Punkt.

Run from the repository root: ``python -m benchmarks.sentences [--scifact N]``.
Four measures: hard boundaries (the hand-written table of the tests), boundaries
of published abstracts (SciFact's sentences joined by a space: precision and recall
of the boundaries; those sentences were themselves made by a splitter, so 100 % is
not the goal), speed, as a ratio within one process, and how
our time grows when hostile text grows twice as long (2 is linear, 4 quadratic).

pysbd and NLTK are no requirements of the project: install them by hand for this
(``pip install pysbd nltk``). NLTK's trained Punkt model is a separate download, so
NLTK runs with an untrained model here unless ``nltk.data`` finds one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Callable, Iterator

from corpus.sentences import SPLITTER, split_sentences
from tests.paths import REPO, SHARED

HARD = REPO / "tests" / "corpus" / "data" / "hard_boundaries.json"
SCIFACT = SHARED / "data" / "scifact" / "corpus.jsonl"
HOSTILE = (
    "a. ",
    "E. ",
    ". ",
    ".",
    "(",
    '."',
    "x\r\n",
    "abc.Def",
    "abc.[1] ",
    "e\u0301",
)
Splitter = Callable[[str], list[str]]


def splitters() -> dict[str, Splitter]:
    """Return the splitters that are installed, ours first."""
    found: dict[str, Splitter] = {SPLITTER: _ours}
    for load in (_pysbd, _nltk):
        try:
            name, splitter = load()
        except ImportError as error:
            print(f"left out: {error.name} is not installed (pip install {error.name})")
        else:
            found[name] = splitter
    return found


def _ours(text: str) -> list[str]:
    return list(split_sentences(text).sentences)


def _pysbd() -> tuple[str, Splitter]:
    from pysbd import Segmenter
    from pysbd.about import __version__

    segmenter = Segmenter(language="en", clean=False)
    return f"pysbd {__version__}", lambda t: [s.strip() for s in segmenter.segment(t)]


def _nltk() -> tuple[str, Splitter]:
    import nltk
    from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTokenizer

    try:
        return f"NLTK {nltk.__version__} Punkt, English", PunktTokenizer().tokenize
    except LookupError:
        name = f"NLTK {nltk.__version__} Punkt, untrained (no model found)"
        return name, PunktSentenceTokenizer().tokenize


def exact_matches(split: Splitter, cases: list[dict[str, object]]) -> int:
    """Count the texts whose sentences all come out as expected."""
    return sum(split(str(case["text"])) == case["sentences"] for case in cases)


def boundary_counts(
    split: Splitter, documents: list[list[str]]
) -> tuple[int, int, int]:
    """Count the boundaries that are right, made, and true, over all documents."""
    right = made = true = 0
    for sentences in documents:
        expected = set(_boundaries(sentences))
        found = set(_boundaries(split(" ".join(sentences))))
        right += len(expected & found)
        made += len(found)
        true += len(expected)
    return right, made, true


def _boundaries(sentences: list[str]) -> Iterator[int]:
    """Yield each boundary as the number of letters in front, white space apart."""
    lengths = [len("".join(s.split())) for s in sentences]
    yield from itertools.accumulate(lengths[:-1])


def scifact_documents(limit: int) -> list[list[str]]:
    """Return the sentences of the first ``limit`` abstracts of SciFact."""
    with SCIFACT.open(encoding="utf-8") as lines:
        rows = (json.loads(line)["abstract"] for line in itertools.islice(lines, limit))
        return [[" ".join(s.split()) for s in row if s.strip()] for row in rows]


def seconds(split: Splitter, texts: list[str]) -> float:
    """Return the time for splitting all texts once, with the model loaded.

    Once, since ours and nupunkt remember the words that they have judged.
    """
    split("One sentence. Another one.")
    begin = time.perf_counter()
    for text in texts:
        split(text)
    return time.perf_counter() - begin


def report_growth() -> None:
    """Print our time for twice as much of one kind of text, as a ratio."""
    for unit in HOSTILE:
        short, long = (unit * (n // len(unit)) for n in (100_000, 200_000))
        times = [seconds(_ours, [text]) for text in (short, long)]
        print(f"  {times[1] / times[0]:5.2f} x for twice as much {unit!r}")


def report_doubts(documents: list[list[str]]) -> None:
    """Print how many places a person would be asked to look at."""
    doubts = [len(split_sentences(" ".join(d)).doubts) for d in documents]
    share = sum(map(bool, doubts)) / len(doubts)
    print(f"doubtful places: {sum(doubts) / len(doubts):.2f} per abstract,")
    print(f"  {share:.0%} of {len(doubts)} abstracts have any")


def demo_documents() -> list[list[str]]:
    """Return the sentences of the demo's invented abstracts."""
    files = sorted((REPO / "annotation" / "demo").glob("documents*.jsonl"))
    lines = (line for f in files for line in f.read_bytes().split(b"\n") if line)
    return [json.loads(line)["abstract"] for line in lines]


def report_demo() -> None:
    """Print how many demo abstracts come back when joined and split again."""
    documents = [d for d in demo_documents() if d]
    same = sum(list(split_sentences(" ".join(d)).sentences) == d for d in documents)
    print(f"demo abstracts that come back: {same}/{len(documents)}")


def main() -> None:
    """Print the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scifact", type=int, default=1000, metavar="N")
    limit = parser.parse_args().scifact
    cases = json.loads(HARD.read_text(encoding="utf-8"))["cases"]
    documents = scifact_documents(limit) if SCIFACT.exists() else []
    if not documents:
        print(f"left out: {SCIFACT} is missing")
    texts = [" ".join(d) for d in documents[:300]] or [c["text"] for c in cases]
    baseline = 0.0
    for name, split in splitters().items():
        spent = seconds(split, texts)
        baseline = baseline or spent
        rate = sum(map(len, texts)) / spent / 1e6
        print(f"\n{name}\n  {rate:.2f} million characters/s, ", end="")
        print(f"{spent / baseline:.2f} x our time")
        print(f"  hard texts {exact_matches(split, cases)}/{len(cases)}")
        if documents:
            right, made, true = boundary_counts(split, documents)
            print(
                f"  boundaries of {len(documents)} abstracts: precision "
                f"{right / made:.4f}, recall {right / true:.4f} (n = {true})"
            )
    print()
    report_growth()
    report_demo()
    if documents:
        report_doubts(documents)


if __name__ == "__main__":
    main()
