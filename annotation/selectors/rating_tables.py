"""The rating tables behind the figures on agreement, as CSV.

One row for each rating, in the order of pairs; rows stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from annotation.agreement_report import RatedPair, Rating, Wanted
from annotation.models import Project
from annotation.selectors.agreement import RatedPairs, people_of
from corpus.formats.csvfile import encode_row
from corpus.text import csv_safe

LABEL_COLUMNS = (
    "answers",
    "pair",
    "claim",
    "abstract",
    "origin",
    "order",
    "annotator",
    "submitted_at",
    "label",
    "suggestion_arm",
    "suggestion_shown",
    "suggestion_taken",
)
SENTENCE_COLUMNS = (*LABEL_COLUMNS, "sentence", "in_a_rationale")


def label_table(project: Project, wanted: Wanted) -> Iterator[bytes]:
    """Yield the ratings behind the figures on labels as CSV, one for each row."""
    return _table(project, wanted, LABEL_COLUMNS, lambda rated, rating: [()])


def sentence_table(project: Project, wanted: Wanted) -> Iterator[bytes]:
    """Yield the ratings of each sentence as CSV; sentences are counted from 0."""

    def sentences(rated: RatedPair, rating: Rating) -> Iterable[tuple[int, int]]:
        return ((n, int(n in rating.sentences)) for n in range(rated.n_sentences))

    return _table(project, wanted, SENTENCE_COLUMNS, sentences)


def _table(
    project: Project,
    wanted: Wanted,
    columns: Sequence[str],
    cells: Callable[[RatedPair, Rating], Iterable[tuple[int, ...]]],
) -> Iterator[bytes]:
    yield encode_row(columns)
    people = {pk: str(user) for pk, user in people_of(project).items()}
    pairs, taken = RatedPairs(project, wanted), set[int]()
    for answers, found in (
        ("as first submitted", pairs.first(taken)),
        ("after review", pairs.after(taken)),
    ):
        for rated in found:
            for order, rating in enumerate(rated.ratings, start=1):
                begin = (answers, *_rating_cells(rated, order, rating, people))
                for more in cells(rated, rating):
                    yield encode_row([csv_safe(str(c)) for c in (*begin, *more)])


def _rating_cells(
    rated: RatedPair, order: int, rating: Rating, people: dict[int, str]
) -> tuple[object, ...]:
    return (
        rated.pair,
        rated.claim_id,
        rated.document_id,
        rated.origin,
        order,
        people.get(rating.annotator, ""),
        rating.at.isoformat(timespec="seconds"),
        rating.label,
        rating.arm,
        int(rating.was_shown),
        rating.taken,
    )
