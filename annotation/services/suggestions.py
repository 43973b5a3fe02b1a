"""Who is shown a model's suggestion, from when on, and what of it was taken over.

Chance decides by a keyed hash of project, pair and annotator: nobody can foresee it or
turn it, and asking again gives the same. Whether a suggestion was shown is what this
server did, never what a page says.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.models import Judgement, Pair, Stage, Suggestion, SuggestionOffer
from annotation.protocols import SuggestionPolicy
from annotation.selectors.suggestions import current_suggestion, own_offer
from annotation.services.pairs import lock_pair
from annotation.services.slots import free_slot
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.models import User

Arm = Judgement.Arm
Taken = Judgement.Taken


def is_control(pair: Pair, annotator: User) -> bool:
    """Whether chance withholds the suggestion for this pair from this annotator."""
    digest = salted_hmac(
        "annotation.suggestion_arm",
        f"{pair.project_id}:{pair.pk}:{annotator.pk}",
        algorithm="sha256",
    ).digest()
    draw = int.from_bytes(digest[:8]) / 2**64
    return draw < pair.project.rules.suggestion_control_share


def assigned_arm(pair: Pair, annotator: User, slot: int | None) -> Judgement.Arm:
    """Return how an annotator stands to the suggestion for a pair.

    Only the first slot of a pair has any: agreement is measured on the others.
    """
    policy = pair.project.rules.suggestion_policy
    if policy is SuggestionPolicy.OFF or slot != 0:
        return Arm.NONE
    if current_suggestion(pair) is None:
        return Arm.NONE
    return Arm.CONTROL if is_control(pair, annotator) else Arm(policy.value)


def standing_offer(pair: Pair, annotator: User) -> SuggestionOffer | None:
    """Return what an annotator was offered for a pair, if they may see it now."""
    offer = own_offer(pair, annotator)
    if offer is None or not _counts(offer, pair, _slot(pair, annotator)):
        return None
    return offer


def _counts(offer: SuggestionOffer, pair: Pair, slot: int | None) -> bool:
    """Whether an offer holds for a slot: the first one, and the words of now."""
    if pair.project.rules.suggestion_policy is SuggestionPolicy.OFF or slot != 0:
        return False
    return offer.suggestion is None or offer.suggestion.fits(pair)


def _slot(pair: Pair, annotator: User) -> int | None:
    return free_slot(
        stage=Stage.VERIFY,
        item_id=pair.pk,
        person=annotator,
        need=pair.judgements_needed(pair.project.rules),
        now=timezone.now(),
    )


@transaction.atomic
def offer_suggestion(
    *,
    pair: Pair,
    annotator: User,
    first_label: str = "",
    first_rationales: list[dict[str, list[Any]]] | None = None,
) -> SuggestionOffer | None:
    """Keep what an annotator has chosen by themselves, and offer the suggestion.

    Once for a pair and an annotator: asked again, the first offer stands, while it
    holds. None where there is nothing to offer or to withhold. The caller has seen
    that the pair waits for the annotator.
    """
    pair = lock_pair(pair)
    slot = _slot(pair, annotator)
    if offer := own_offer(pair, annotator):
        return offer if _counts(offer, pair, slot) else None
    policy = pair.project.rules.suggestion_policy
    if policy is SuggestionPolicy.AFTER_FIRST_CHOICE and not first_label:
        raise DomainError("Choose a label by yourself first.")
    arm = assigned_arm(pair, annotator, slot)
    if arm is Arm.NONE:
        return None
    return _create_offer(
        pair=pair,
        annotator=annotator,
        arm=arm,
        suggestion=None if arm is Arm.CONTROL else current_suggestion(pair),
        first_label=first_label,
        first_rationales=first_rationales or [],
    )


def _create_offer(**values: Any) -> SuggestionOffer:
    offer = SuggestionOffer.objects.create(**values)
    record_event(
        noun="suggestionoffer",
        obj=offer,
        verb="offer",
        actor=offer.annotator,
        project_id=offer.pair.project_id,
        fields=column_values(offer),
    )
    return offer


def suggestion_columns(
    pair: Pair,
    annotator: User,
    slot: int | None,
    *,
    label: str,
    sentences: Collection[int],
    taken: Collection[str],
) -> dict[str, Any]:
    """Return what a new judgement keeps about the suggestion for its pair.

    ``taken`` are the parts that the annotator took over, as the page says; what the
    answer does not hold any more, or was never shown, does not count. An offer that
    does not hold any more has no arm, but who saw a suggestion has seen it.
    """
    offer = own_offer(pair, annotator)
    if offer is None:
        return {"suggestion_arm": assigned_arm(pair, annotator, slot)}
    if not _counts(offer, pair, slot):
        was_shown = offer.suggestion is not None
        return {"suggestion_arm": Arm.NONE, "suggestion_shown": was_shown}
    kept = Taken.NONE
    if offer.suggestion is not None:
        kept = kept_parts(offer.suggestion, label, sentences, taken)
    return {
        "suggestion_arm": offer.arm,
        "suggestion_shown": offer.suggestion is not None,
        "suggestion_taken": kept,
    }


def kept_parts(
    suggestion: Suggestion,
    label: str,
    sentences: Collection[int],
    taken: Collection[str],
) -> Judgement.Taken:
    """Return which of the parts that were taken over an answer still holds."""
    has_label = (
        "label" in taken and bool(suggestion.label) and label == suggestion.label
    )
    has_sentences = (
        "sentences" in taken
        and bool(suggestion.sentences)
        and set(suggestion.sentences) <= set(sentences)
    )
    if has_label and has_sentences:
        return Taken.ALL
    if has_label:
        return Taken.LABEL
    return Taken.SENTENCES if has_sentences else Taken.NONE
