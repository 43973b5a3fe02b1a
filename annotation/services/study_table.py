"""The table of questions and studies as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.access import ProjectAccess
from annotation.selectors.questions import (
    QuestionGroup,
    StudyRow,
    TableFilter,
    all_groups,
)
from annotation.study_cells import COLUMNS, OWN_COLUMNS, SEVERAL, to_cell
from corpus.formats.csvfile import encode_row


def write_table(access: ProjectAccess, chosen: TableFilter) -> Iterator[bytes]:
    """Yield the filtered table as CSV, one row for each study.

    With oversight it has the experts' labels and can be read back; others get their
    own labels.
    """
    columns = COLUMNS if access.has_oversight else OWN_COLUMNS
    words = {choice.label.value: choice.word for choice in access.project.labels}
    yield encode_row(columns)
    for group in all_groups(access, chosen):
        rows: list[StudyRow | None] = [*group.rows] or [None]
        for row in rows:
            cells = _cells(group, row, words)
            yield encode_row([to_cell(cells[name]) for name in columns])


def _cells(
    group: QuestionGroup, row: StudyRow | None, words: dict[str, str]
) -> dict[str, str]:
    question = group.question
    judged = SEVERAL.join(words.get(x, x) for x in (row.judged if row else []))
    label = row.expert_label if row else ""
    return {
        "question_id": str(question.pk),
        "review": question.review,
        "chapter": question.chapter,
        "question": question.text,
        "null_result_rule": question.null_result_rule,
        "hypothesis": SEVERAL.join(claim.text for claim in group.hypotheses),
        "study": row.study.document.external_id if row else "",
        "title": row.study.document.title if row else "",
        "finding": row.study.finding if row else "",
        "label": words.get(label, label),
        "judged": judged,
        "my_label": judged,
    }
