"""What a judgement must look like before it is taken. Pure.

Errors block; limits of the papers only warn, since real data breaks them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.protocols import LabelChoice, ProjectSettings, RationaleRule
from corpus.records import Label, Rationale

NEEDS_RATIONALE = frozenset({Label.SUPPORT, Label.CONTRADICT})


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with a judgement, and what is only unusual."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]


def check_judgement(
    label: Label,
    rationales: Sequence[Rationale],
    *,
    sentence_count: int,
    rules: ProjectSettings,
    labels: Sequence[LabelChoice],
) -> Findings:
    """Check one judgement against its abstract and its project's rules.

    Rationales must be non-empty, disjoint and inside the abstract; SUPPORT and
    CONTRADICT need one unless the project works without rationales; NOT ENOUGH
    INFO has none. Sentence numbers in messages count from 1, as on the page.
    """
    errors = [
        *_label_errors(label, labels),
        *_presence_errors(label, rationales, rules),
        *_index_errors(rationales, sentence_count),
        *_role_errors(rationales, rules),
    ]
    return Findings(tuple(errors), tuple(_warnings(rationales, rules)))


def _label_errors(label: Label, labels: Sequence[LabelChoice]) -> list[str]:
    if label in {choice.label for choice in labels}:
        return []
    words = ", ".join(choice.word for choice in labels)
    return [f"This project does not use {label.value}. Choose one of: {words}."]


def _presence_errors(
    label: Label, rationales: Sequence[Rationale], rules: ProjectSettings
) -> list[str]:
    if rules.rationales is RationaleRule.NONE:
        return ["This project has no rationales."] if rationales else []
    if label is Label.NOT_ENOUGH_INFO:
        if rationales:
            return ["NOT ENOUGH INFO has no rationale: take the sentences away."]
        return []
    if label in NEEDS_RATIONALE and not rationales:
        return ["Choose the sentences that justify the label."]
    if rules.rationales is RationaleRule.ONE and len(rationales) > 1:
        return ["This project has one rationale for a pair: put all sentences in it."]
    return []


def _index_errors(rationales: Sequence[Rationale], sentence_count: int) -> list[str]:
    errors = []
    if any(not r.sentences for r in rationales):
        errors.append("A rationale has no sentence: fill it or take it away.")
    used = Counter(i for r in rationales for i in r.sentences)
    errors += [
        f"Sentence {i + 1} does not exist: the abstract has {sentence_count}."
        for i in sorted(used)
        if not 0 <= i < sentence_count
    ]
    errors += [
        f"Sentence {i + 1} is used twice: rationales must be disjoint."
        for i, times in sorted(used.items())
        if times > 1
    ]
    return errors


def _role_errors(rationales: Sequence[Rationale], rules: ProjectSettings) -> list[str]:
    if not rules.sentence_roles:
        if any(r.roles for r in rationales):
            return ["This project does not use PRIMARY and SUPPLEMENTARY."]
        return []
    if any(len(r.roles) != len(r.sentences) for r in rationales):
        return ["Each sentence is either PRIMARY or SUPPLEMENTARY."]
    if any("PRIMARY" not in r.roles for r in rationales):
        return ["At least one sentence must be PRIMARY."]
    return []


def _warnings(rationales: Sequence[Rationale], rules: ProjectSettings) -> list[str]:
    warnings = []
    if len(rationales) > rules.max_rationales:
        warnings.append(
            f"{len(rationales)} rationales; more than {rules.max_rationales} is rare."
        )
    longest = max((len(r.sentences) for r in rationales), default=0)
    if longest > rules.max_rationale_sentences:
        warnings.append(
            f"A rationale of {longest} sentences; "
            f"more than {rules.max_rationale_sentences} is rare. Is it minimal?"
        )
    return warnings
