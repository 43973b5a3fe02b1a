"""What whoever decides on a negation needs to see beside it."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from annotation.models import Claim
from annotation.negation_diff import Comparison, compare
from annotation.selectors.negations import trigger_reason

register = template.Library()


@dataclass(frozen=True, slots=True)
class NegationFacts:
    """A negation beside its original, and why it uses a new trigger word."""

    comparison: Comparison
    reason: str


@register.simple_tag
def negation_facts(claim: Claim) -> NegationFacts | None:
    """Compare a negation with its original; ``None`` for any other claim."""
    if claim.negates is None:
        return None
    return NegationFacts(compare(claim.negates.text, claim.text), trigger_reason(claim))
