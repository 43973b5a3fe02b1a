"""The state of a pair, and the verdict, that follow from its judgements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet
from django.utils import timezone

from annotation.disputes import conflict
from annotation.models import Judgement, Pair, Verdict
from annotation.services.pairs import record_pair
from corpus.events import column_values, record_event
from corpus.models import User
from corpus.transitions import change_state

# What needs no review any more, or never did.
READY = frozenset({Judgement.State.APPROVED, Judgement.State.UNREVIEWED})
BY_JUDGES = frozenset({Verdict.Provenance.SINGLE, Verdict.Provenance.UNANIMOUS})


def settle_pair(pair: Pair, actor: User) -> None:
    """Move a pair to the state that its judgements imply; the pair is locked."""
    judgements = list(standing(pair.judgements.all()))
    verdict = Verdict.objects.filter(pair=pair).first()
    state = implied_state(pair, judgements, verdict)
    value = conflict_of(judgements) if state == Pair.State.DISPUTED else 0
    if (state, value) != (pair.state, pair.conflict):
        old = change_state(
            pair, from_states={pair.state}, to_state=state, conflict=value
        )
        record_pair(pair, actor, old, "settle", fields={"conflict": value})
    _settle_verdict(pair, judgements, verdict, actor)


def standing(judgements: QuerySet[Judgement]) -> QuerySet[Judgement]:
    """The judgements that hold a slot, in its order, with what comparing them needs."""
    return (
        judgements.exclude(slot=None)
        .order_by("pair", "slot")
        .prefetch_related("rationales")
    )


def implied_state(
    pair: Pair, judgements: Sequence[Judgement], verdict: Verdict | None = None
) -> Pair.State:
    """Judgements that disagree once none waits for review leave a pair disputed."""
    if len(judgements) < pair.judgements_needed(pair.project.rules):
        return Pair.State.OPEN
    if any(j.state == Judgement.State.CHANGES_REQUESTED for j in judgements):
        return Pair.State.CHANGES_REQUESTED
    if verdict is not None and verdict.provenance == Verdict.Provenance.ADJUDICATED:
        return Pair.State.APPROVED
    if not READY.issuperset(j.state for j in judgements):
        return Pair.State.JUDGED
    return Pair.State.APPROVED if agree(judgements) else Pair.State.DISPUTED


def agree(judgements: Iterable[Judgement]) -> bool:
    """Whether all have the same label and the same sentences, however parted."""
    return len({_answer(judgement) for judgement in judgements}) == 1


def conflict_of(judgements: Iterable[Judgement]) -> int:
    """How informative it is to settle a disagreement."""
    return conflict([_answer(judgement) for judgement in judgements])


def _answer(judgement: Judgement) -> tuple[str, frozenset[int]]:
    chosen = (r.sentences for r in judgement.rationales.all())
    return str(judgement.label), frozenset(n for found in chosen for n in found)


def _settle_verdict(
    pair: Pair, judgements: Sequence[Judgement], verdict: Verdict | None, actor: User
) -> None:
    """Decide a pair once what the project asks for is there; keep a verdict honest.

    A re-annotation never takes a verdict away: until it is in, and while it disagrees,
    what was decided stands. With it, agreement makes a single verdict unanimous.
    """
    if not judgements or not agree(judgements):
        return
    if verdict is not None:
        _correct_provenance(verdict, judgements, actor)
    elif _is_decided(pair, judgements):
        _decide(pair, judgements, actor)


def _is_decided(pair: Pair, judgements: Sequence[Judgement]) -> bool:
    need = pair.project.rules.judgements_per_pair
    wanted = [j for j in judgements if j.slot is not None and j.slot < need]
    return len(wanted) == need and READY.issuperset(j.state for j in judgements)


def _correct_provenance(
    verdict: Verdict, judgements: Sequence[Judgement], actor: User
) -> None:
    provenance = _provenance(judgements)
    if verdict.provenance not in BY_JUDGES or verdict.provenance == provenance:
        return
    verdict.provenance = provenance
    verdict.save(update_fields=["provenance"])
    record_verdict(verdict, actor, "count", {"provenance": str(provenance)})


def _provenance(judgements: Sequence[Judgement]) -> Verdict.Provenance:
    is_single = len(judgements) == 1
    return Verdict.Provenance.SINGLE if is_single else Verdict.Provenance.UNANIMOUS


def _decide(pair: Pair, judgements: Sequence[Judgement], actor: User) -> None:
    verdict = Verdict.objects.create(
        pair=pair,
        judgement=judgements[0],
        provenance=_provenance(judgements),
        decided_by=actor,
        decided_at=timezone.now(),
    )
    record_verdict(verdict, actor, "decide", column_values(verdict))


def record_verdict(
    verdict: Verdict, actor: User, verb: str, fields: dict[str, object] | None = None
) -> None:
    """Write the event of a verdict that was decided, changed or taken away."""
    record_event(
        noun="verdict",
        obj=verdict,
        verb=verb,
        actor=actor,
        project_id=verdict.pair.project_id,
        fields=fields,
    )
