"""The single keys of a reviewer's pages. Pure."""

from __future__ import annotations

REVIEW_KEYS = {
    "approve": "a",
    "fix": "f",
    "request": "r",
    "reject": "x",
    "comment": "c",
    "comment_claim": "k",
    "undo": "u",
    **{f"reason_{number}": str(number) for number in range(1, 10)},
}
