"""Lists of claims: both forms, and every fault with its line."""

from __future__ import annotations

import pytest

from verification.claim_lists import (
    MOST_CHARACTERS,
    MOST_CLAIMS,
    ListedClaim,
    read_claim_list,
)


def test_every_line_that_is_not_blank_is_a_claim() -> None:
    found = read_claim_list("\ufeffTea helps.\r\n\r\n Rain\u2028falls. ".encode())
    assert found.problems == ()
    assert found.claims == (ListedClaim("Tea helps."), ListedClaim("Rain\u2028falls."))


def test_json_lines_hold_claims_and_ids() -> None:
    data = b'{"id": 7, "claim": "Tea helps."}\n\n{"claim": " Rain falls. ", "n": 1}'
    found = read_claim_list(data)
    assert found.problems == ()
    assert found.claims == (ListedClaim("Tea helps.", "7"), ListedClaim("Rain falls."))


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", None, "no claim"),
        (b"Tea.\n" + b"x" * (MOST_CHARACTERS + 1), 2, "1,001 characters"),
        (b"Tea.\nA\0b", 2, "NUL"),
        (b"Tea.\n\xff", 2, "not UTF-8"),
        ("Tea.".encode("utf-16"), 1, "UTF-16"),
        (b'{"claim": "Tea."}\n{"claim": ""}', 2, "Type a claim"),
        (b'{"claim": "Tea."}\n{"text": "Tea."}', 2, "claim"),
        (b'{"claim": "Tea."}\n{"claim": 7}', 2, "expected text"),
        (b'{"claim": "Tea."}\nTea.', 2, "JSON"),
        (b'{"claim": "A", "id": "7"}\n{"claim": "B", "id": 7}', 2, "on line 1"),
        (b'[{"claim": "Tea."}]', 1, "not JSON Lines"),
        (b"Tea.\n" * (MOST_CLAIMS + 1), None, "501 claims"),
    ],
)
def test_what_cannot_be_taken_is_told_by_line(
    data: bytes, line: int | None, words: str
) -> None:
    found = read_claim_list(data)
    assert found.claims == ()
    assert found.problems[0].line == line
    assert words in found.problems[0].message
