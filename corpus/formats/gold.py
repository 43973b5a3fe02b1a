"""Rationales: what evaluators cannot score, its repair, and the whole document.

The SciFact evaluators stop with an assertion when a sentence lies in two
rationales, take an empty rationale as part of every prediction, and count a
repeated index twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpus.formats.problems import Problems
from corpus.records import Document, Evidence, Label, Rationale, SentenceRole


def scorable_rationales(
    rationales: Sequence[Rationale], field: str, problems: Problems, *, repair: bool
) -> tuple[Rationale, ...]:
    """Return the rationales as an evaluator can score them.

    Empty rationales and repeated indices are dropped and overlapping rationales
    merged, each reported as a warning with ``repair`` and as an error without.
    """
    mended: list[Rationale] = []
    for number, rationale in enumerate(rationales):
        at = f"{field}[{number}]"
        if not rationale.sentences:
            _report(problems, repair, at, "is empty", "dropped")
            continue
        single = without_repeats(rationale)
        if single != rationale:
            _report(problems, repair, at, "repeats a sentence", "named once")
        _add_disjoint(mended, single, at, problems, repair=repair)
    return tuple(mended)


def _add_disjoint(
    mended: list[Rationale],
    rationale: Rationale,
    at: str,
    problems: Problems,
    *,
    repair: bool,
) -> None:
    sentences = set(rationale.sentences)
    overlapping = [
        n for n, other in enumerate(mended) if sentences & set(other.sentences)
    ]
    if not overlapping:
        mended.append(rationale)
        return
    _report(problems, repair, at, "shares a sentence with another", "merged")
    joined = merged([*(mended[n] for n in overlapping), rationale])
    mended[overlapping[0]] = joined
    for n in reversed(overlapping[1:]):
        del mended[n]


def _report(problems: Problems, repair: bool, at: str, fault: str, remedy: str) -> None:
    if repair:
        problems.warn(f"{at}: the rationale {fault}; repaired: {remedy}.", field=at)
        return
    message = (
        f"{at}: the rationale {fault}, which the evaluator cannot score. Correct it, "
        f"or export with repair (then it is {remedy})."
    )
    problems.error(message, field=at)


def without_repeats(rationale: Rationale) -> Rationale:
    """Return the rationale with each sentence where it first stands."""
    first = {sentence: n for n, sentence in reversed([*enumerate(rationale.sentences)])}
    places = sorted(first.values())
    roles = tuple(rationale.roles[n] for n in places) if rationale.roles else ()
    return Rationale(tuple(rationale.sentences[n] for n in places), roles)


def merged(rationales: Iterable[Rationale]) -> Rationale:
    """Return one rationale with all sentences, ascending.

    If any part has roles, a sentence without one counts as primary.
    """
    roles: dict[int, SentenceRole] = {}
    has_roles = False
    for rationale in rationales:
        has_roles = has_roles or bool(rationale.roles)
        own = rationale.roles or (SentenceRole.PRIMARY,) * len(rationale.sentences)
        for sentence, role in zip(rationale.sentences, own, strict=True):
            roles.setdefault(sentence, role)
    sentences = tuple(sorted(roles))
    return Rationale(sentences, tuple(roles[s] for s in sentences) if has_roles else ())


def warn_about_rationales(
    rationales: Sequence[Rationale], field: str, problems: Problems
) -> None:
    """Warn about what the format allows but evaluators or the task do not."""
    seen: set[int] = set()
    for number, rationale in enumerate(rationales):
        at = f"{field}[{number}].sentences"
        sentences = set(rationale.sentences)
        if not sentences:
            problems.warn(f"{at}: the rationale is empty.", field=at)
        if len(sentences) < len(rationale.sentences):
            problems.warn(f"{at}: a sentence is listed twice.", field=at)
        if sentences & seen:
            problems.warn(f"{at}: a sentence is in two rationales.", field=at)
        seen |= sentences


def whole_evidence(document: Document, label: Label) -> Evidence:
    """Return a judgement whose rationale, if any, is the whole document."""
    if label is Label.NOT_ENOUGH_INFO:
        return Evidence(document.id, label)
    everything = Rationale(tuple(range(len(document.sentences))))
    return Evidence(document.id, label, (everything,))
