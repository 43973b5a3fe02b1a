"""Invented corpora, claims and tiny models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpus.records import Claim, Document, Evidence, ExternalId, Label, Rationale
from verification.pipeline.stages import LABELS, Array

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


def adapter(base: Path, path: Path, labels: tuple[str, ...]) -> str:
    """Write a random adapter on a random encoder; return its checksum."""
    import torch

    from verification.pipeline.encoders.adapted import (
        AdapterInfo,
        PairModel,
        adapter_bytes,
    )
    from verification.pipeline.encoders.base import fingerprint, load_encoder

    torch.manual_seed(len(labels))
    encoder = load_encoder(base)
    info = AdapterInfo(labels, fingerprint(encoder), 48, 4)
    model = PairModel(encoder, len(labels))
    model.adapt(4)
    torch.nn.init.normal_(model.head.weight)
    data = adapter_bytes(model, info)
    path.write_bytes(data)
    return sha256(data).hexdigest()


def model_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a system of models with random weights, on a random encoder."""
    from verification.pipeline.encoders import models, vectors
    from verification.pipeline.encoders.base import fingerprint, load_encoder

    base = tiny_encoder(folder / "encoder")
    own = fingerprint(load_encoder(base))
    monkeypatch.setattr(models, "BASE_FINGERPRINT", own)
    monkeypatch.setattr(models, "checked_base", lambda: base)
    monkeypatch.setattr(vectors, "checked_base", lambda: base)
    monkeypatch.setattr(vectors, "DENSE_TOKENS", 48)
    system = folder / "system"
    system.mkdir()
    selecting = adapter(base, system / "r.safetensors", ("0", "1"))
    labelling = adapter(base, system / "l.safetensors", tuple(map(str, LABELS)))
    return system_folder(
        system,
        retrieval={"parts": ["bm25", "dense"], "rerank": 3},
        rationale={
            "kind": "transformer",
            "model": "r.safetensors",
            "sha256": selecting,
            "combination": {"weights": [1.0, 0.0, 0.5, 0.0, 0.0], "bias": 0.0},
        },
        label={
            "kind": "transformer",
            "model": "l.safetensors",
            "sha256": labelling,
            "temperature": 2.0,
            "abstain_below": 0.8,
        },
        settings={"k": 3, "threshold": 0.4, "at_least_one": True, "allow_nei": False},
    )


def _words(text: str) -> list[str]:
    return text.replace(".", " .").split()
