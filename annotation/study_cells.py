"""Cells of the table of questions and studies, there and back unchanged. Pure.

A cell that a spreadsheet would run as a formula gets an apostrophe before it, and
loses it again when the table is read back. So that nothing is lost on the way, a cell
that looks as if it had been treated so already gets another one.
"""

from __future__ import annotations

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_MARKED = tuple(f"'{start}" for start in (*_FORMULA_STARTS, "'"))

# The columns that are read back, those that only help the reader, and their order.
KEYS = ("question_id", "review", "chapter", "question", "study")
VALUES = ("null_result_rule", "finding", "label")
READ = (*KEYS, *VALUES)
SHOWN = ("hypothesis", "title", "judged")
COLUMNS = (
    *("question_id", "review", "chapter", "question", "null_result_rule"),
    *("hypothesis", "study", "title", "finding", "label", "judged"),
)
# An annotator's own table: without the experts' labels, and so not to be read back.
OWN_COLUMNS = tuple(
    "my_label" if name == "judged" else name for name in COLUMNS if name != "label"
)
SEVERAL = " | "
"""Between several hypotheses or judged labels in one cell."""


def to_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet runs."""
    return f"'{text}" if text.startswith((*_FORMULA_STARTS, *_MARKED)) else text


def from_cell(cell: str) -> str:
    """Return the text of a cell that ``to_cell`` has written."""
    return cell[1:] if cell.startswith(_MARKED) else cell
