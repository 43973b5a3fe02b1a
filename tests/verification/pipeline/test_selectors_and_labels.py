"""Rationale selectors, label predictors and calibration, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import f1_score

from corpus.records import Label
from tests.verification.pipeline.worlds import (
    TEXTS,
    FixedLogits,
    WordVectors,
    claim,
    documents,
)
from verification.pipeline.calibration import (
    best_threshold,
    fit_temperature,
    macro_f1,
    negative_log_likelihood,
    precision_threshold,
    sigmoid,
    softmax,
)
from verification.pipeline.label import NLI_LABELS, TransformerPredictor
from verification.pipeline.rationale import (
    Combination,
    DenseSelector,
    PlaceSelector,
    TfidfSelector,
    TransformerSelector,
    sentence_features,
)
from verification.pipeline.similarity import top_sentences
from verification.pipeline.stages import Ablation, Candidate

TEA = claim(1, "Tea shortens sleep")
TWO = [documents()["1"], documents()["2"]]


def test_first_and_last_sentences() -> None:
    assert [s.tolist() for s in PlaceSelector(0).scores(TEA, TWO)] == [
        [1, 0],
        [1, 0, 0],
    ]
    assert [s.tolist() for s in PlaceSelector(-1).scores(TEA, TWO)] == [
        [0, 1],
        [0, 0, 1],
    ]


def test_tfidf_is_fitted_on_the_abstract_as_the_reference_does() -> None:
    sentences = TEXTS["2"][1]
    vectorizer = TfidfVectorizer(stop_words="english")
    rows = vectorizer.fit_transform(sentences)
    expected = np.asarray((rows @ vectorizer.transform(["salt yield"]).T).todense())
    (found,) = TfidfSelector().scores(claim(1, "salt yield"), [documents()["2"]])
    assert found.tolist() == expected.squeeze().tolist()
    assert top_sentences("salt yield", sentences, 2) == [1, 0]


def test_an_abstract_of_stop_words_has_no_similar_sentence() -> None:
    assert top_sentences("tea", ["It is.", "And so."], 1) == [0]


def test_dense_scores_are_cosines() -> None:
    (found,) = DenseSelector(WordVectors()).scores(claim(1, "salt"), [documents()["2"]])
    assert found.argmax() == 1
    assert found[1] == pytest.approx(1.0, abs=1e-4)
    assert DenseSelector(WordVectors()).scores(TEA, []) == []


def test_all_sentences_of_all_abstracts_go_through_the_model_together() -> None:
    table = {s: (0.0, float(n)) for n, s in enumerate([*TEXTS["1"][1], *TEXTS["2"][1]])}
    model = FixedLogits(("0", "1"), table)
    found = TransformerSelector(model).scores(TEA, TWO)
    assert [len(values) for values in found] == [2, 3]
    assert found[1][2] == pytest.approx(1 / (1 + math.exp(-4)))
    assert model.pairs[0] == (TEA.text, TEXTS["1"][1][0])


def test_the_margin_of_a_model_with_three_labels_is_its_log_odds() -> None:
    model = FixedLogits(("a", "b", "c"), dict.fromkeys(TEXTS["4"][1], (1.0, 2.0, 3.0)))
    selector = TransformerSelector(model, selected="b")
    share = math.exp(2) / (math.exp(1) + math.exp(2) + math.exp(3))
    assert selector.scores(TEA, [documents()["4"]])[0][0] == pytest.approx(share)


def test_the_combination_reads_place_and_neighbours() -> None:
    features = sentence_features(np.array([1.0, 3.0, 2.0]))
    log3 = math.log(3)
    assert features.tolist() == [
        [1.0, -2.0, 0.0, 0.0, log3],
        [3.0, 0.0, 0.5, 0.0, log3],
        [2.0, -1.0, 1.0, 1.0, log3],
    ]
    combined = Combination((1.0, 0.5, 0.0, 2.0, 0.0), -1.0).scores(
        np.array([1.0, 3.0, 2.0])
    )
    assert combined == pytest.approx(sigmoid(np.array([-1.0, 2.0, 2.5])))
    assert len(Combination().scores(np.zeros(0))) == 0


def test_label_columns_go_where_the_label_map_says() -> None:
    model = FixedLogits(
        ("entailment", "neutral", "contradiction"),
        {TEA.text: (math.log(6), math.log(3), math.log(1))},
    )
    predictor = TransformerPredictor(model, NLI_LABELS, text_first=True)
    candidate = Candidate(documents()["1"], (1,))
    (row,) = predictor.probabilities(TEA, [candidate], Ablation.NONE)
    assert row == pytest.approx([0.1, 0.3, 0.6])  # CONTRADICT, NEI, SUPPORT
    assert model.pairs == [("Tea shortened their sleep.", TEA.text)]


def test_a_label_without_a_meaning_is_refused() -> None:
    model = FixedLogits(("LABEL_0",), {TEXTS["4"][1][0]: (0.0,)})
    with pytest.raises(ValueError, match="LABEL_0"):
        TransformerPredictor(model).probabilities(
            TEA, [Candidate(documents()["4"], (0,))], Ablation.NONE
        )


@pytest.mark.parametrize(
    ("ablation", "pair"),
    [
        (Ablation.CLAIM_ONLY, (TEA.text, "")),
        (Ablation.ABSTRACT_ONLY, ("", "Tea shortened their sleep.")),
    ],
)
def test_ablations_hide_one_side(ablation: Ablation, pair: tuple[str, str]) -> None:
    labels = tuple(map(str, (Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.SUPPORT)))
    model = FixedLogits(labels, {pair[1]: (0.0, 0.0, 1.0)})
    predictor = TransformerPredictor(model)
    predictor.probabilities(TEA, [Candidate(documents()["1"], (1,))], ablation)
    assert model.pairs == [pair]


def test_the_temperature_makes_the_truth_most_likely() -> None:
    random = np.random.default_rng(0)
    logits = random.normal(size=(400, 3)) * 2
    cumulated = softmax(logits).cumsum(axis=1)
    truth = (random.random(400)[:, None] > cumulated).sum(axis=1)
    found = fit_temperature(logits * 3, truth)
    assert found == pytest.approx(3.0, rel=0.25)
    grid = np.exp(np.linspace(np.log(0.05), np.log(20), 4001))
    best = min(negative_log_likelihood(logits * 3, truth, float(t)) for t in grid)
    assert negative_log_likelihood(logits * 3, truth, found) <= best + 1e-9


def test_the_threshold_is_the_best_of_all() -> None:
    random = np.random.default_rng(1)
    scores = random.normal(size=200).round(1)  # with ties
    truth = (scores + random.normal(size=200) > 0.8).astype(int)
    threshold, f1 = best_threshold(scores, truth)
    every = [f1_score(truth, scores >= t) for t in np.unique(scores)]
    assert f1 == pytest.approx(max(every))
    assert f1_score(truth, scores >= threshold) == pytest.approx(f1)


def test_without_anything_to_find_nothing_is_selected() -> None:
    assert best_threshold(np.array([1.0]), np.array([0])) == (math.inf, 0.0)


def test_labels_are_shown_from_the_confidence_that_keeps_the_precision() -> None:
    confidence = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    right = np.array([1, 1, 0, 1, 0])
    assert precision_threshold(confidence, right, 0.75) == (0.6, 0.8)
    assert precision_threshold(confidence, right, 1.0) == (0.8, 0.4)
    assert precision_threshold(confidence, 1 - right, 0.9) == (1.01, 0.0)


def test_macro_f1_leaves_out_classes_that_do_not_occur() -> None:
    truth, found = [0, 0, 2, 2], np.array([0, 2, 2, 2])
    expected = f1_score(truth, found, average="macro", labels=[0, 2])
    assert macro_f1(truth, found, 3) == pytest.approx(expected)


def test_sigmoid_and_softmax_do_not_overflow() -> None:
    assert sigmoid(np.array([-1e4, 0.0, 1e4])).tolist() == [0.0, 0.5, 1.0]
    assert softmax(np.array([[1e4, 0.0]])).tolist() == [[1.0, 0.0]]
