"""Rankings: the reference's TF-IDF, BM25, vectors, fusion, and indexes on disk."""

from __future__ import annotations

import os
from pathlib import Path

import bm25s
import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from corpus.records import Claim, Document, ExternalId
from tests.paths import shared_file
from tests.verification.pipeline.worlds import WordVectors, claim, documents
from verification.pipeline.files import read_claims, read_corpus
from verification.pipeline.rationale import PlaceSelector
from verification.pipeline.retrieval.bm25 import Bm25Retriever
from verification.pipeline.retrieval.dense import DenseRetriever
from verification.pipeline.retrieval.hybrid import HybridRetriever, RerankedRetriever
from verification.pipeline.retrieval.index import best
from verification.pipeline.retrieval.tfidf import TfidfRetriever
from verification.pipeline.stages import Retrieved


def ids(found: list[Retrieved]) -> list[str]:
    return [entry.document.id.text for entry in found]


@pytest.mark.slow
def test_tfidf_finds_the_same_three_as_the_reference(tmp_path: Path) -> None:
    corpus = read_corpus(shared_file("data/scifact/corpus.jsonl"))
    claims = read_claims(shared_file("data/scifact/claims_dev.jsonl"))
    assert (len(corpus), len(claims)) == (5183, 300)
    # The published script, with its title glued to the first sentence.
    names = list(corpus)
    vectorizer = TfidfVectorizer(stop_words="english", ngram_range=(1, 2))
    rows = vectorizer.fit_transform(
        [d.title + " ".join(d.sentences) for d in corpus.values()]
    )
    ours = TfidfRetriever(list(corpus.values()), tmp_path)
    for one in claims:
        scores = rows @ vectorizer.transform([one.text]).todense().T
        order = np.asarray(scores).squeeze().argsort()[::-1].tolist()
        assert ids(ours.retrieve(one, 3)) == [names[n] for n in order[:3]]


def test_lexical_rankings_find_the_words_of_the_claim(tmp_path: Path) -> None:
    world = list(documents().values())
    for kind in (TfidfRetriever, Bm25Retriever):
        retriever = kind(world, tmp_path)
        assert ids(retriever.retrieve(claim(1, "Smoke and bees"), 1)) == ["3"]
        assert ids(retriever.retrieve(claim(1, "yield of rice fields"), 9))[0] == "2"
        assert len(retriever.retrieve(claim(1, "zzz"), 9)) == len(world)


def test_bm25_reads_other_forms_of_a_word(tmp_path: Path) -> None:
    retriever = Bm25Retriever(list(documents().values()), tmp_path)
    assert ids(retriever.retrieve(claim(1, "growing in a field"), 1)) == ["2"]


def test_bm25_adds_up_as_bm25s_does(tmp_path: Path) -> None:
    world = list(documents().values())
    ours = Bm25Retriever(world, tmp_path)
    (folder,) = tmp_path.iterdir()
    theirs = bm25s.BM25.load(folder, show_progress=False)
    # A word that comes twice counts twice.
    expected = theirs.get_scores(["bee", "smoke", "bee", "tea"])
    assert ours.scores("Bees, smoke, bees, tea and xyz") == pytest.approx(expected)
    for nothing in ("", "?", "and the"):
        assert not ours.scores(nothing).any()


def test_the_best_are_those_of_sorting_everything() -> None:
    world = [Document(ExternalId(str(n), True), "", ()) for n in range(30)]
    chance = np.random.default_rng(0)
    for k in (1, 2, 7, 30, 40):
        scores = chance.integers(0, 4, len(world)) / 2.0  # many are equal
        order = np.argsort(scores, kind="stable")[::-1][:k]
        assert ids(best(world, scores, k)) == [str(n) for n in order]
    assert best([], np.zeros(0), 3) == []


def test_an_index_is_built_once_and_anew_for_another_corpus(tmp_path: Path) -> None:
    world = list(documents().values())
    TfidfRetriever(world, tmp_path)
    (folder,) = tmp_path.iterdir()
    before = (folder / "data.npy").stat().st_mtime_ns
    TfidfRetriever(world, tmp_path)
    assert (folder / "data.npy").stat().st_mtime_ns == before
    TfidfRetriever(world[:2], tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert not list(tmp_path.glob(".*"))  # no draft is left


def test_what_killed_builders_left_goes_after_a_day(tmp_path: Path) -> None:
    old, new = tmp_path / ".tfidf-old", tmp_path / ".tfidf-new"
    for draft in (old, new):
        draft.mkdir()
    os.utime(old, (0, 0))
    TfidfRetriever(list(documents().values()), tmp_path)
    assert not old.exists()
    assert new.exists()


def test_vectors_of_known_documents_are_taken_over(tmp_path: Path) -> None:
    encoder = WordVectors()
    world = list(documents().values())
    DenseRetriever(world, tmp_path, encoder)
    assert len(encoder.seen) == 4
    new = Document(ExternalId("9"), "Tea", ("Tea, tea and tea.",))
    retriever = DenseRetriever([*world[1:], new], tmp_path, encoder)
    assert encoder.seen[4:] == ["Tea Tea, tea and tea."]
    assert ids(retriever.retrieve(claim(1, "tea"), 1)) == ["9"]
    fresh = DenseRetriever([*world[1:], new], tmp_path / "other", WordVectors())
    assert np.array_equal(fresh.scores("salt"), retriever.scores("salt"))


class Ranking:
    def __init__(self, *names: str) -> None:
        self.names = names

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        return [Retrieved(documents()[name], 1.0) for name in self.names[:k]]


def test_fusion_adds_reciprocal_ranks() -> None:
    fused = HybridRetriever([Ranking("1", "2", "3"), Ranking("2", "4")])
    found = fused.retrieve(claim(1, ""), 3)
    # 2: 1/62 + 1/61; 1: 1/61; 4: 1/62; 3: 1/63.
    assert ids(found) == ["2", "1", "4"]
    assert found[0].score == pytest.approx(1 / 62 + 1 / 61)


def test_what_has_nothing_in_common_gets_nothing_for_its_rank(tmp_path: Path) -> None:
    documents = [
        Document(ExternalId(str(n)), title, ("It rained.",))
        for n, title in enumerate(("Moss cools roofs", "Bees sleep", "Tea is warm"))
    ]
    fused = HybridRetriever([Bm25Retriever(documents, tmp_path)])
    assert ids(fused.retrieve(claim(1, "Roofs are green."), 3)) == ["0"]
    assert fused.retrieve(claim(1, "Zebras."), 3) == []


def test_reranking_weighs_the_best_sentence_as_much_as_the_rank() -> None:
    class Scores(PlaceSelector):
        def scores(self, claim, found):  # type: ignore[no-untyped-def]
            values = {"1": 0.1, "2": 0.2, "3": 0.9}
            return [np.array([0.0, values[d.id.text]]) for d in found]

    ranked = RerankedRetriever(Ranking("1", "2", "3"), Scores(), depth=3)
    # 1: ranks 1 and 3; 2: ranks 2 and 2; 3: ranks 3 and 1.
    assert ids(ranked.retrieve(claim(1, ""), 3)) == ["1", "3", "2"]
