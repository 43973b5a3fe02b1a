"""The reasons that a reviewer can choose, in words. Pure."""

from __future__ import annotations

CLAIM_REASONS = {
    "not_atomic": "Says more than one thing",
    "not_faithful": "Says something else than the source",
    "no_context": "Cannot be understood alone",
    "wording": "Wording or spelling",
    "not_verifiable": "Cannot be verified",
    "other": "Other: see the note",
}
JUDGEMENT_REASONS = {
    "wrong_label": "Label does not follow from the abstract",
    "missing_rationale": "A rationale is missing",
    "not_minimal": "A rationale has a sentence too many",
    "insufficient": "A rationale does not suffice",
    "other": "Other: see the note",
}


def reason_words(code: str) -> str:
    """Return the words of a reason code; the code itself if it is not known."""
    return {**CLAIM_REASONS, **JUDGEMENT_REASONS}.get(code, code)
