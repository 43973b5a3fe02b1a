"""Measure search: recall, waiting and memory on SciFact, and BM25 on a large corpus.

``python -m benchmarks.pipeline`` runs it. The large corpus is made by a seed: each
abstract has the shape of one of SciFact's (sentences and their lengths), with words
drawn as often as they stand there; every hundredth is one of 600,000 rare ones, since
the vocabulary of a corpus grows with it. Aims at 500,000 abstracts: 95 % of searches
within 50 ms, an index that is there loaded within 2 s.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from corpus.records import Claim, Document, ExternalId
from verification.pipeline.encoders.base import Runtime
from verification.pipeline.encoders.vectors import Embedder
from verification.pipeline.rationale import gold_documents
from verification.pipeline.retrieval.bm25 import Bm25Retriever
from verification.pipeline.retrieval.dense import DenseRetriever
from verification.pipeline.retrieval.hybrid import HybridRetriever
from verification.pipeline.retrieval.index import corpus_digest
from verification.pipeline.retrieval.tfidf import TfidfRetriever
from verification.pipeline.stages import Retriever, without_gold

RARE_WORDS, RARE_SHARE = 600_000, 0.01
MEGABYTE = 1 << 20


def measure_search(
    documents: Mapping[str, Document], claims: Sequence[Claim], indexes: Path
) -> None:
    """Print recall and time of each retriever, and the size of its index."""
    rows = list(documents.values())
    embedder = Embedder.load(Runtime.choose("cpu"))
    bm25, dense = Bm25Retriever(rows, indexes), DenseRetriever(rows, indexes, embedder)
    retrievers: dict[str, Retriever] = {
        "tfidf": TfidfRetriever(rows, indexes),
        "bm25": bm25,
        "dense": dense,
        "bm25 and dense": HybridRetriever([bm25, dense]),
    }
    print(f"\n{len(rows):,} abstracts; peak memory of the process {peak_memory()} MB\n")
    print("| retriever | recall@3 | recall@10 | p50 ms | p95 ms | index MB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, retriever in retrievers.items():
        recalls = [f"{recall(retriever, claims, k):.3f}" for k in (3, 10)]
        p50, p95 = np.percentile(milliseconds(retriever, claims), (50, 95))
        size = index_size(indexes, name, corpus_digest(rows))
        times = f"{p50:.1f} | {p95:.1f}"
        print(f"| {name} | {' | '.join(recalls)} | {times} | {size} |", flush=True)


def recall(retriever: Retriever, claims: Sequence[Claim], k: int) -> float:
    """Return the share of the abstracts with evidence that are among the first k."""
    found = wanted = 0
    for claim in claims:
        gold = set(gold_documents(claim))
        entries = retriever.retrieve(without_gold(claim), k)
        found += len(gold & {entry.document.id.text for entry in entries})
        wanted += len(gold)
    return found / wanted


def milliseconds(retriever: Retriever, claims: Sequence[Claim]) -> list[float]:
    """Return how long each search for ten abstracts takes."""
    times = []
    for claim in claims:
        started = time.perf_counter()
        retriever.retrieve(claim, 10)
        times.append(1000 * (time.perf_counter() - started))
    return times


def index_size(indexes: Path, name: str, digest: str) -> str:
    """Return the megabytes of an index; nothing where there is no single one."""
    folders = list(indexes.glob(f"{name}-{digest}-*"))
    sizes = [file.stat().st_size for folder in folders for file in folder.iterdir()]
    return f"{sum(sizes) / MEGABYTE:.1f}" if sizes else ""


def peak_memory() -> int:
    """Return the most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


# A large corpus -------------------------------------------------------------------


def measure_synthetic(
    documents: Sequence[Document], claims: Sequence[Claim], size: int, indexes: Path
) -> None:
    """Print how long BM25 takes to build, to load and to search."""
    rows = list(synthetic(documents, size))
    started = time.perf_counter()
    corpus_digest(rows)
    digest = time.perf_counter() - started
    started = time.perf_counter()
    Bm25Retriever(rows, indexes)
    build = time.perf_counter() - started
    started = time.perf_counter()
    retriever = Bm25Retriever(rows, indexes)
    load = time.perf_counter() - started
    first, *times = milliseconds(retriever, claims)
    p50, p95 = np.percentile(times, (50, 95))
    size_mb = index_size(indexes, "bm25", corpus_digest(rows))
    print(f"\nBM25 on {size:,} synthetic abstracts, {len(times)} claims\n")
    print("| what | aim | measured |\n| --- | --- | ---: |")
    print(f"| build | | {build:.0f} s |")
    print(f"| load, memory-mapped | 2 s | {load - digest:.2f} s |")
    print(f"| checksum of the abstracts before that | | {digest:.2f} s |")
    print(f"| first search | | {first:.1f} ms |")
    print(f"| search, p50 | | {p50:.1f} ms |")
    print(f"| search, p95 | 50 ms | {p95:.1f} ms |")
    print(f"| index | | {size_mb} MB |")
    print(f"| peak memory, mostly of building | | {peak_memory()} MB |")


def synthetic(documents: Sequence[Document], size: int) -> Iterator[Document]:
    """Yield abstracts with SciFact's lengths and frequencies of words."""
    chance = np.random.default_rng(0)
    shapes = [[len(s.split()) for s in document.sentences] for document in documents]
    words = [w for d in documents for s in d.sentences for w in s.split()]
    rare = [f"rareword{n}" for n in range(RARE_WORDS)]
    chosen = chance.integers(len(shapes), size=size)
    for number, shape in enumerate(chosen):
        lengths = shapes[shape]
        drawn = [words[n] for n in chance.integers(len(words), size=sum(lengths))]
        for place in np.flatnonzero(chance.random(len(drawn)) < RARE_SHARE):
            drawn[place] = rare[chance.integers(RARE_WORDS)]
        ends = np.cumsum([0, *lengths])
        sentences = [" ".join(drawn[a:b]) for a, b in pairwise(ends)]
        yield Document(ExternalId(str(number), True), "", tuple(sentences))
