"""Why somebody leaves an item to others: a short list for each kind. Pure."""

from __future__ import annotations

OTHER = "Another reason"
# The first words of each reason end the sentence "I leave this one to others: …".
_VERIFY = (
    "It is too far from my field",
    "The claim is unclear",
    "The abstract is unclear or damaged",
    "I know the authors, or took part in the work",
)
_PROOFREAD = (
    "It is too far from my field",
    "I talked about this claim with its writer",
)
_REVIEW = (
    "It is too far from my field",
    "I cannot judge this without a second opinion",
    "I know the authors, or took part in the work",
)
_NEGATE = (
    "Only an obvious negation word would do",
    "The claim cannot be turned around",
)
_ADJUDICATE = (
    "It is too far from my field",
    "I cannot decide without talking to both",
    "I know the authors, or took part in the work",
)
_REASONS = {
    "adjudicate": _ADJUDICATE,
    "verify": _VERIFY,
    "proofread": _PROOFREAD,
    "review": _REVIEW,
    "negate": _NEGATE,
}


def reasons_to_skip(stage: str) -> tuple[str, ...]:
    """Return the reasons of a kind of work; the last one wants words of one's own."""
    return (*_REASONS.get(stage, ()), OTHER)


def reason_in_words(chosen: str, note: str) -> str:
    """Return one sentence from a chosen reason and what was typed beside it.

    >>> reason_in_words("The claim is unclear", "Which tea?")
    'The claim is unclear: Which tea?'
    >>> reason_in_words("Another reason", "Too long today.")
    'Too long today.'
    """
    if chosen == OTHER or not chosen:
        return note.strip()
    return f"{chosen}: {note.strip()}" if note.strip() else chosen
