"""The abstracts of imported hypotheses as the studies of their questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from annotation.models import Pair, Study
from corpus import records
from corpus.bulk import insert_rows


def add_missing_studies(
    answers: Iterable[tuple[Pair, records.Evidence | None]],
) -> list[Study]:
    """Let the abstracts of questions' claims be their studies, each once.

    A published table may repeat a study, with another label even: the first counts.
    Returns the new rows, for their events.
    """
    first: dict[tuple[int, int], str] = {}
    for pair, evidence in answers:
        source = pair.claim.source
        if source is not None and source.question_id is not None:
            label = evidence.label.value if evidence else ""
            first.setdefault((source.question_id, pair.document_id), label)
    questions = {question for question, _ in first}
    known = set(
        Study.objects.filter(question__in=questions).values_list(
            "question_id", "document_id"
        )
    )
    free = Counter(question for question, _ in known)
    rows = []
    for (question, document), label in first.items():
        if (question, document) in known:
            continue
        rows.append(
            Study(
                question_id=question,
                document_id=document,
                ordinal=free[question],
                label=label,
            )
        )
        free[question] += 1
    insert_rows(rows)
    return rows
