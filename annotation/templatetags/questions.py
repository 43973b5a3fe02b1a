"""What a page of one pair needs of the question that its hypothesis comes from."""

from __future__ import annotations

from typing import Any

from django import template

from annotation.models import Pair
from annotation.selectors.questions import study_of_pair

register = template.Library()


@register.inclusion_tag("annotation/_pair_question.html")
def question_of(pair: Pair) -> dict[str, Any]:
    """Show the question, what the study found, and the rule for null results.

    Nothing, and no query, where claims do not come from questions.
    """
    return {"study": study_of_pair(pair), "rule": pair.project.rules.null_result_rule}
