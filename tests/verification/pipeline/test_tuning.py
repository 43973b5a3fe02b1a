"""Tuning: the regression is the library's, and fresh folds judge it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from corpus.records import Document, ExternalId, Label
from tests.verification.pipeline.worlds import FixedLogits, claim
from verification.pipeline.rationale import TransformerSelector
from verification.pipeline.tuning import fit_logistic, tune_selection


def test_the_regression_is_that_of_the_library() -> None:
    random = np.random.default_rng(2)
    features = random.normal(size=(300, 3))
    odds = features @ [1.0, -2.0, 0.0] + 0.5 + random.normal(size=300)
    truth = odds > 0
    found = fit_logistic(features, truth, ridge=1.0)
    model = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(features, truth)
    expected = [*model.coef_[0], model.intercept_[0]]
    assert found == pytest.approx(expected, abs=1e-5)


def test_what_the_margin_cannot_tell_the_place_can() -> None:
    """The last sentence is always the rationale, and the model knows nothing."""
    sentences = ("One.", "Two.", "Three.")
    model = FixedLogits(("0", "1"), dict.fromkeys(sentences, (0.0, 0.0)))
    documents = {
        str(n): Document(ExternalId(str(n)), "T", sentences) for n in range(30)
    }
    claims = [claim(n, "C", (str(n), Label.SUPPORT, [[2]])) for n in range(30)]
    tuned = tune_selection(TransformerSelector(model), claims, documents)
    assert tuned.f1 == 1.0
    assert tuned.f1_of_margin == pytest.approx(0.5)  # everything is selected
    scores = tuned.combination.scores(np.zeros(3))
    assert (scores >= tuned.threshold).tolist() == [False, False, True]


def test_there_must_be_evidence_to_tune_on() -> None:
    model = FixedLogits(("0", "1"), {})
    with pytest.raises(ValueError, match="no abstract with evidence"):
        tune_selection(TransformerSelector(model), [claim(1, "C")], {})
