"""docs/formats.md says what the code does."""

from __future__ import annotations

import json
import re

from corpus.formats.articles import read_articles
from corpus.formats.registry import all_formats
from corpus.records import Label
from tests.corpus.formats.helpers import only_record
from tests.paths import REPO

TEXT = (REPO / "docs" / "formats.md").read_text(encoding="utf-8")


def table(first_cell: str) -> list[list[str]]:
    """Return the cells of the table whose header starts with ``first_cell``."""
    (block,) = (b for b in TEXT.split("\n\n") if b.startswith(f"| {first_cell} |"))
    lines = [line for line in block.split("\n") if not line.startswith("| ---")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def test_every_format_is_in_the_first_table_with_what_it_reads_and_writes() -> None:
    _, *rows = table("name")
    described = {}
    for name, reads, writes, _, _ in rows:
        written = "" if writes == "–" else writes
        described[name.strip("`")] = (reads.replace("pages", "corpus"), written)
    kinds = (("documents", "corpus"), ("claims", "claims"), ("articles", "articles"))
    assert described == {
        fmt.name: tuple(
            ", ".join(word for kind, word in kinds if getattr(fmt, f"{verb}_{kind}"))
            for verb in ("read", "write")
        )
        for fmt in all_formats().values()
    }


def test_the_label_table_has_the_words_of_the_formats() -> None:
    (_, *names), *rows = table("ours")
    for ours, *words in rows:
        for name, word in zip(names, words, strict=True):
            labels = all_formats()[name.strip("`")].labels
            if word not in ("–", "(DISPUTED)", "*no entry*"):
                assert labels[Label(ours)] == word
            elif word != "*no entry*":
                assert Label(ours) not in labels


def test_the_example_of_an_article_is_valid_and_its_citance_is_the_sentence() -> None:
    match = re.search(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert match
    article = only_record(read_articles, json.dumps(json.loads(match[1])).encode())
    (passage,) = article.passages
    (citance,) = passage.citances
    assert passage.text[citance.start : citance.end] == "Rain cools streets [1]."
