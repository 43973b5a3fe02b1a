"""Invented corpora, claims and tiny models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpus.records import Claim, Document, Evidence, ExternalId, Label, Rationale
from verification.pipeline.stages import Array

TEXTS = {
    "1": ("Tea and sleep", ("Tea was given to adults.", "Tea shortened their sleep.")),
    "2": (
        "Rice yields",
        ("Rice grew in fields.", "Salt halved the yield.", "End."),
    ),
    "3": ("Bees", ("Bees visited clover.", "Smoke calmed the bees.")),
    "4": ("Iron", ("Iron rusts in salt water.",)),
}


def documents() -> dict[str, Document]:
    return {
        key: Document(ExternalId(key, True), title, sentences)
        for key, (title, sentences) in TEXTS.items()
    }


def claim(
    number: int,
    text: str,
    *evidence: tuple[str, Label, Sequence[Sequence[int]]],
    cited: Sequence[str] = (),
) -> Claim:
    return Claim(
        ExternalId(str(number), True),
        text,
        evidence=tuple(
            Evidence(
                ExternalId(document, True), label, tuple(Rationale(tuple(s)) for s in r)
            )
            for document, label, r in evidence
        ),
        cited=tuple(ExternalId(d, True) for d in cited),
    )


def corpus_file(folder: Path) -> Path:
    path = folder / "corpus.jsonl"
    lines = [
        {"doc_id": int(k), "title": t, "abstract": s, "structured": False}
        for k, (t, s) in TEXTS.items()
    ]
    return written(path, lines)


CLAIM_LINES: list[dict[str, Any]] = [
    {
        "id": 7,
        "claim": "Tea makes sleep shorter.",
        "evidence": {"1": [{"sentences": [1], "label": "SUPPORT"}]},
        "cited_doc_ids": [1],
    },
    {
        "id": 3,
        "claim": "Salt raises the yield of rice.",
        "evidence": {"2": [{"sentences": [1], "label": "CONTRADICT"}]},
        "cited_doc_ids": [2, 4],
    },
    {"id": 5, "claim": "Bees like iron.", "evidence": {}, "cited_doc_ids": [3]},
]


def written(path: Path, lines: Iterable[Any]) -> Path:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def system_folder(folder: Path, **values: Any) -> Path:
    """Write a system that needs no model: TF-IDF, the last sentence, SUPPORT."""
    folder.mkdir(exist_ok=True)
    system = {
        "name": "plain",
        "retrieval": {"parts": ["tfidf"]},
        "rationale": {"kind": "last"},
        "label": {"kind": "majority"},
        "settings": {"k": 2},
        **values,
    }
    (folder / "system.json").write_text(json.dumps(system), encoding="utf-8")
    return folder


class WordVectors:
    """Counts of a few words, at length one: an encoder one can do by hand."""

    name = "words"
    words = ("tea", "sleep", "rice", "salt", "bees", "iron")

    def __init__(self) -> None:
        self.seen: list[str] = []

    def vectors(self, texts: Iterable[str]) -> Array:
        rows = []
        for text in texts:
            self.seen.append(text)
            row = np.array([text.lower().count(word) + 1e-3 for word in self.words])
            rows.append(row / np.linalg.norm(row))
        return np.array(rows, dtype=np.float32).reshape(-1, len(self.words))


class FixedLogits:
    """A model that gives a pair the logits that stand in a table."""

    def __init__(
        self, labels: Sequence[str], table: Mapping[str, Sequence[float]]
    ) -> None:
        self.labels, self.table = labels, table
        self.pairs: list[tuple[str, str]] = []

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        self.pairs += pairs
        return np.array([self.table[text] for _, text in pairs], dtype=np.float32)

    def forget(self) -> None:
        """There is nothing to forget."""


def tiny_encoder(folder: Path) -> Path:
    """Write a random encoder of two layers that knows the words of ``TEXTS``."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing
    from transformers import BertConfig, BertModel

    texts = [" ".join((title, *sentences)) for title, sentences in TEXTS.values()]
    words = sorted({word for text in texts for word in _words(text)})
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words]
    numbers = {name: n for n, name in enumerate(names)}
    tokenizer = Tokenizer(WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    BertModel(tiny_config(BertConfig, len(names))).save_pretrained(folder)
    return folder


def tiny_config(config: Any, words: int, **values: Any) -> Any:
    return config(
        vocab_size=words,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=64,
        **values,
    )


def _words(text: str) -> list[str]:
    return text.replace(".", " .").split()
