"""Drawing a sample of judged pairs for a second, blind judgement, and undoing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation.models import Judgement, Pair, Project, ReannotationSample, SampledPair
from annotation.selectors.reannotation import (
    Candidate,
    done_pairs,
    held_pairs,
    plan_sample,
)
from annotation.services.settling import conflict_of, implied_state, standing
from corpus.events import column_values, new_event, record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User
from corpus.text import normalise_newlines

BATCH = 500
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Design:
    """How a sample is drawn: its size, its seed, and the codes of its strata."""

    size: int
    seed: int
    strata: tuple[str, ...] = ()


@transaction.atomic
def draw_sample(
    *, project: Project, actor: User, name: str, design: Design
) -> ReannotationSample:
    """Draw judged pairs and open them for one more judgement, by somebody else.

    What was decided about them stands. Two draws at once wait for each other.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    title = _free_name(project, name)
    chosen = _chosen(project, design)
    sample = ReannotationSample.objects.create(
        project=project,
        name=title,
        seed=design.seed,
        strata=list(design.strata),
        drawn_by=actor,
        drawn_at=timezone.now(),
    )
    SampledPair.objects.bulk_create(
        (
            SampledPair(sample=sample, pair_id=c.pair, judgements=c.judgements + 1)
            for c in chosen
        ),
        batch_size=BATCH,
    )
    _record(sample, actor, "draw", chosen)
    _open(chosen, project, actor)
    return sample


def _free_name(project: Project, name: str) -> str:
    title = normalise_newlines(name).strip()
    if not title or len(title) > LONGEST_NAME:
        raise DomainError(f"Give the sample a name of at most {LONGEST_NAME} letters.")
    if project.reannotation_samples.filter(name=title).exists():
        raise DomainError(f"There is a sample called “{title}” already. Name it anew.")
    return title


def _chosen(project: Project, design: Design) -> Sequence[Candidate]:
    if design.size < 1:
        raise DomainError("A sample needs at least one pair.")
    try:
        plan = plan_sample(
            project, kinds=design.strata, size=design.size, seed=design.seed
        )
    except ValueError as error:
        raise DomainError(
            f"There are not {design.size} pairs that can be drawn any more. Look at "
            "the numbers again and draw fewer."
        ) from error
    return plan.pairs


def _open(chosen: Iterable[Candidate], project: Project, actor: User) -> None:
    """Put pairs into the queue again, one update for each group of like ones."""
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for candidate in chosen:
        groups[candidate.state, candidate.judgements + 1].append(candidate.pair)
    for (state, wanted), keys in groups.items():
        pairs = _locked(keys)
        if len(pairs) != len(keys) or any(pair.state != state for pair in pairs):
            raise StaleStateError(
                "Some of these pairs have changed in the meantime. Draw again."
            )
        values = {"judgements_wanted": wanted}
        _move(pairs, state, Pair.State.OPEN, values, project, actor, "draw")


def _locked(keys: Iterable[int]) -> list[Pair]:
    """Lock pairs in the order of their keys, a batch at a time."""
    ordered = sorted(keys)
    return [
        pair
        for start in range(0, len(ordered), BATCH)
        for pair in Pair.objects.select_for_update(of=("self",))
        .filter(pk__in=ordered[start : start + BATCH])
        .order_by("pk")
    ]


def _move(
    pairs: Sequence[Pair],
    old: str,
    new: str,
    values: dict[str, int],
    project: Project,
    actor: User,
    verb: str,
) -> None:
    events = []
    for start in range(0, len(pairs), BATCH):
        keys = [pair.pk for pair in pairs[start : start + BATCH]]
        Pair.objects.filter(pk__in=keys).update(state=new, **values)
    for pair in pairs:
        pair.state = new
        events.append(
            new_event(
                noun="pair",
                obj=pair,
                verb=verb,
                actor=actor,
                project_id=project.pk,
                from_state=old,
                to_state=new,
                fields=dict(values),
            )
        )
    Event.objects.bulk_create(events, batch_size=BATCH)


@transaction.atomic
def undo_sample(*, sample: ReannotationSample, actor: User) -> None:
    """Take a sample back while nobody has begun with it; its pairs are as before."""
    project = Project.objects.select_for_update(no_key=True).get(pk=sample.project_id)
    if not ReannotationSample.objects.filter(pk=sample.pk).exists():
        raise StaleStateError("This sample has been taken back already.")
    pairs = _locked(sample.sampled.values_list("pair", flat=True))
    _require_untouched(sample, project)
    _close(sample, pairs, _wanted_before(sample), actor)
    sample.sampled.all().delete()
    _record(sample, actor, "delete", [])
    ReannotationSample.objects.filter(pk=sample.pk).delete()


def _require_untouched(sample: ReannotationSample, project: Project) -> None:
    if done_pairs(project).filter(sample=sample).exists():
        raise StaleStateError(
            "Somebody has judged a pair of this sample, so it can no longer be taken "
            "back."
        )
    if held_pairs(project).filter(sample=sample).exists():
        raise StaleStateError(
            "Somebody has a pair of this sample in front of them. Release it under "
            "“Who holds what”, or wait."
        )


def _wanted_before(sample: ReannotationSample) -> dict[int, int]:
    """Return how many judgements other samples ask for, of pairs that have any."""
    others = SampledPair.objects.filter(pair__sampled__sample=sample)
    return dict(
        others.exclude(sample=sample)
        .order_by()
        .values_list("pair")
        .annotate(Max("judgements"))
    )


def _close(
    sample: ReannotationSample,
    pairs: Sequence[Pair],
    wanted: dict[int, int],
    actor: User,
) -> None:
    """Take pairs out of the queue; reviews since the draw may have moved them.

    One that was retired since the draw stays as it is: restored, it goes on where it
    was.
    """
    project = sample.project
    judged: dict[int, list[Judgement]] = defaultdict(list)
    for judgement in standing(Judgement.objects.filter(pair__sampled__sample=sample)):
        judged[judgement.pair_id].append(judgement)
    groups: dict[tuple[str, str, int, int], list[Pair]] = defaultdict(list)
    for pair in pairs:
        if pair.state == Pair.State.RETIRED:
            continue
        pair.project = project
        pair.judgements_wanted = wanted.get(pair.pk, 0)
        new = pair.state
        if pair.state == Pair.State.OPEN:
            new = implied_state(pair, judged[pair.pk])
        is_disputed = new == Pair.State.DISPUTED
        conflict = conflict_of(judged[pair.pk]) if is_disputed else 0
        groups[pair.state, new, pair.judgements_wanted, conflict].append(pair)
    for (old, new, before, conflict), members in groups.items():
        values = {"judgements_wanted": before, "conflict": conflict}
        _move(members, old, new, values, project, actor, "undo_draw")


def _record(
    sample: ReannotationSample, actor: User, verb: str, chosen: Iterable[Candidate]
) -> None:
    fields = {**column_values(sample), "pairs": [c.pair for c in chosen]}
    record_event(
        noun="reannotationsample",
        obj=sample,
        verb=verb,
        actor=actor,
        project_id=sample.project_id,
        fields=fields if verb == "draw" else None,
    )
