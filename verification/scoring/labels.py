"""Label prediction: one instance for each claim and predicted document.

Shared by SciFact's and Check-COVID's modules, which differ in words, in the order
of the classes and in what the true label of an instance is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.formats.problems import kind_of
from corpus.records import Json
from verification.scoring.findings import Place
from verification.scoring.reading import Values
from verification.scoring.tasks import Rules, nested
from verification.scoring.validate import (
    Words,
    label_word,
    mapping,
    warn_about_document,
)

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

SHAPE = '{"claim_id": 1, "labels": {"11": {"label": "SUPPORT", "confidence": 0.9}}}'

Labels = dict[str, str]


def predicted_labels(
    values: Values, place: Place, rules: Rules, words: Words
) -> Labels | None:
    """Return the label of each document of a prediction; confidences are not read."""
    labels = mapping(values, "labels", SHAPE, place)
    if labels is None:
        return None
    found: Labels = {}
    for document, entry in labels.items():
        field = f"labels.{document[:100]}"
        if not isinstance(entry, dict):
            expected = 'expected {"label": "…"}'
            place.error(f"{field}: {expected}, found {kind_of(entry)}.")
            continue
        word = label_word(entry.get("label"), f"{field}.label", words, place)
        if word is not None:
            found[document] = word
            warn_about_document(document, rules.documents, place)
    return None if place.has_errors else found


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of a confusion matrix in the evaluator's order."""

    order: Sequence[str]
    nei: str

    def count(self, pairs: Sequence[tuple[str, str]]) -> tuple[int, ...]:
        """Return the flat confusion matrix of (true, predicted) labels."""
        size = len(self.order)
        cells = [0] * (size * size)
        for true, predicted in pairs:
            cells[self.order.index(true) * size + self.order.index(predicted)] += 1
        return tuple(cells)

    def confusion(self, sums: Array) -> Array:
        """Return summed cells as matrices."""
        size = len(self.order)
        return sums.reshape(*sums.shape[:-1], size, size)

    def aggregate(self, sums: Array) -> Measures:
        """Return accuracy and both macro F1 of summed confusion matrices.

        Macro F1 is the mean over the classes that occur as truth or as prediction;
        without NEI it is over the other two always, an absent one counting 0.
        """
        from verification.scoring import metrics

        confusion = self.confusion(sums)
        _, _, f1 = metrics.per_class(confusion)
        occurs = metrics.occurring(confusion)
        judged = [n for n, word in enumerate(self.order) if word != self.nei]
        return {
            "macro_f1": metrics.macro_over_occurring(f1, occurs),
            "macro_f1_without_nei": f1[..., judged].mean(axis=-1),
            "accuracy": metrics.accuracy(confusion),
        }

    def present(
        self, values: Mapping[str, float], sums: Sequence[float]
    ) -> tuple[Json, dict[str, int]]:
        """Return the measures with per-class values of the classes that occur."""
        import numpy as np

        from verification.scoring import metrics

        confusion = self.confusion(np.array(sums))
        kept = [int(n) for n in np.flatnonzero(metrics.occurring(confusion))]
        precision, recall, f1 = (
            [float(v) for v in all_classes[kept]]
            for all_classes in metrics.per_class(confusion)
        )
        matrix = [[int(confusion[i, j]) for j in kept] for i in kept]
        further: dict[str, Json] = {
            "per_class_f1": [*f1],
            "per_class_precision": [*precision],
            "per_class_recall": [*recall],
            "confusion_matrix_rows_true_cols_pred": [[*row] for row in matrix],
            "classes_in_per_class_arrays": [*kept],
            "n_scored": int(sum(sums)),
        }
        return nested(values) | further, {}


def pairs_with(truth: Callable[[str], str], predicted: Labels) -> list[tuple[str, str]]:
    """Return the (true, predicted) labels of a claim's documents."""
    return [(truth(document), label) for document, label in predicted.items()]
