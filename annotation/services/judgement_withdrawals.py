"""Taking an answer back while nobody has acted on it."""

from __future__ import annotations

from django.db import transaction

from annotation.models import (
    Adjudication,
    Draft,
    Judgement,
    Pair,
    Project,
    Review,
    Stage,
)
from annotation.services.drafts import Content
from annotation.services.judgements import (
    Answer,
    current_answer,
    record_judgement,
)
from annotation.services.pairs import lock_pair
from annotation.services.settling import settle_pair
from annotation.services.slots import drop_leases, insert_lease
from annotation.services.withdrawals import ACTED_ON
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User
from corpus.transitions import change_state

# How an answer stands that nobody has acted on.
FRESH: set[str] = {Judgement.State.SUBMITTED, Judgement.State.UNREVIEWED}


def is_untouched(judgement: Judgement) -> bool:
    """Whether nobody has acted on a judgement, so that it can be taken back.

    A second one that made a dispute stays: adjudicators read the answers from then on,
    and the pair must not wait for one that is blind again.
    """
    made_a_dispute = (
        judgement.state == Judgement.State.UNREVIEWED
        and judgement.pair.state == Pair.State.DISPUTED
    )
    return (
        judgement.state in FRESH
        and not made_a_dispute
        and judgement.version == 1
        and not Review.objects.filter(judgement_version__judgement=judgement).exists()
        and not Adjudication.objects.filter(
            pair=judgement.pair_id, undone_at=None
        ).exists()
    )


@transaction.atomic
def withdraw_judgement(*, judgement: Judgement, annotator: User) -> Judgement:
    """Take an own answer back: it stays readable, its slot is free.

    The annotator has the pair in front of them again, with the old answer as a draft,
    so that it can be changed and submitted as a new judgement.
    """
    pair = lock_pair(judgement.pair)
    judgement.refresh_from_db()
    if judgement.annotator_id != annotator.pk:
        raise DomainError("Only who gave an answer takes it back.")
    judgement.pair = pair
    if not is_untouched(judgement):
        raise StaleStateError(ACTED_ON)
    answer, slot = current_answer(judgement), judgement.slot
    old = change_state(
        judgement,
        from_states=FRESH,
        to_state=Judgement.State.WITHDRAWN,
        slot=None,
    )
    record_judgement(judgement, annotator, "withdraw", old=old, fields={"slot": None})
    drop_leases(stage=Stage.REVIEW, item_id=judgement.pk)
    settle_pair(pair, annotator)
    if slot is not None:
        insert_lease(
            project=pair.project,
            stage=Stage.VERIFY,
            item_id=pair.pk,
            person=annotator,
            slot=slot,
        )
    _restore_draft(judgement, annotator, answer)
    return judgement


@transaction.atomic
def withdraw_last(*, project: Project, annotator: User) -> Judgement:
    """Take back the newest answer of a person in a project that still stands."""
    judgement = last_judgement(project, annotator)
    if judgement is None:
        raise DomainError("There is nothing of yours to take back here.")
    return withdraw_judgement(judgement=judgement, annotator=annotator)


def last_judgement(project: Project, annotator: User) -> Judgement | None:
    """Return the newest answer of a person that they have not taken back."""
    return (
        Judgement.objects.filter(
            pair__project=project,
            annotator=annotator,
            origin=Judgement.Origin.ANNOTATOR,
        )
        .exclude(state=Judgement.State.WITHDRAWN)
        .select_related("pair__project", "pair__claim")
        .order_by("-id")
        .first()
    )


def last_untouched(project: Project, annotator: User) -> Judgement | None:
    """Return the newest answer of a person if it can still be taken back."""
    judgement = last_judgement(project, annotator)
    return judgement if judgement and is_untouched(judgement) else None


# The parts of a suggestion that were taken over, as the form names them.
PARTS_TAKEN = {
    Judgement.Taken.ALL: "label sentences",
    Judgement.Taken.LABEL: "label",
    Judgement.Taken.SENTENCES: "sentences",
}


def _restore_draft(judgement: Judgement, annotator: User, answer: Answer) -> None:
    content = answer_content(answer)
    if parts := PARTS_TAKEN.get(Judgement.Taken(judgement.suggestion_taken)):
        content["suggestion_taken"] = parts
    draft, is_new = Draft.objects.get_or_create(
        user=annotator,
        kind=Draft.Kind.VERIFY,
        item_id=judgement.pair_id,
        defaults={
            "project_id": judgement.pair.project_id,
            "content": content,
        },
    )
    if not is_new:
        draft.content, draft.version = content, draft.version + 1
        draft.save()


def answer_content(answer: Answer) -> Content:
    """Return an answer as the fields of its form."""
    content: Content = {"label": answer.label.value}
    for number, rationale in enumerate(answer.rationales, start=1):
        roles = [role.value for role in rationale.roles]
        values = roles or [str(number)] * len(rationale.sentences)
        for sentence, value in zip(rationale.sentences, values, strict=True):
            content[f"sentence_{sentence}"] = value
    return content
