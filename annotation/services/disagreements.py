"""The author's one answer to requested changes: "I disagree, because …"."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import Model
from django.urls import reverse

from annotation.models import Claim, Disagreement, Draft, Judgement, Review
from annotation.selectors.second_opinions import other_reviewers
from annotation.services.claims import record_claim, require_claim_version
from annotation.services.drafts import drop_draft
from annotation.services.judgements import (
    record_judgement,
    require_judgement_version,
)
from annotation.services.pairs import lock_pair
from annotation.services.review_notices import project_of, tell_about_disagreement
from annotation.services.reviews import record_disagreement
from annotation.services.settling import settle_pair
from corpus.events import column_values
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.models import User
from corpus.text import bad_character, normalise_newlines
from corpus.transitions import change_state

LONGEST_ANSWER = 2_000
ONCE = (
    "You have disagreed once already. Send a new version, or ask the reviewer outside "
    "this site."
)


@transaction.atomic
def disagree_with_judgement_review(
    *,
    judgement: Judgement,
    author: User,
    text: str,
    expected_version: int,
    submission_key: uuid.UUID,
) -> Disagreement:
    """Send a judgement to another reviewer as it stands, with the reason."""
    pair = lock_pair(judgement.pair)
    cleaned = _clean(text)
    if already := _sent(submission_key, cleaned, judgement=judgement, author=author):
        return already
    judgement.refresh_from_db(fields=["state", "version"])
    require_judgement_version(judgement, expected_version)
    _require_author(author, judgement.annotator_id)
    _require_first(judgement)
    old = change_state(
        judgement,
        from_states={Judgement.State.CHANGES_REQUESTED},
        to_state=Judgement.State.SUBMITTED,
    )
    disagreement = _create(judgement, author, cleaned, submission_key)
    record_judgement(judgement, author, "disagree", old=old, why=cleaned)
    settle_pair(pair, author)
    drop_draft(user=author, kind=Draft.Kind.REVISE_JUDGEMENT, item_id=judgement.pk)
    return disagreement


@transaction.atomic
def disagree_with_claim_review(
    *,
    claim: Claim,
    author: User,
    text: str,
    expected_version: int,
    submission_key: uuid.UUID,
) -> Disagreement:
    """Send a claim to another proofreader as it stands, with the reason."""
    Claim.objects.select_for_update().only("pk").get(pk=claim.pk)
    cleaned = _clean(text)
    if already := _sent(submission_key, cleaned, claim=claim, author=author):
        return already
    require_claim_version(claim, expected_version)
    _require_author(author, claim.author_id)
    _require_first(claim)
    old = change_state(
        claim,
        from_states={Claim.State.CHANGES_REQUESTED},
        to_state=Claim.State.SUBMITTED,
    )
    disagreement = _create(claim, author, cleaned, submission_key)
    record_claim(claim, author, old, "disagree", why=cleaned)
    drop_draft(user=author, kind=Draft.Kind.REVISE_CLAIM, item_id=claim.pk)
    return disagreement


def _clean(text: str) -> str:
    cleaned = normalise_newlines(text).strip()
    if not cleaned:
        raise DomainError("Say why you disagree: another reviewer reads it.")
    if len(cleaned) > LONGEST_ANSWER:
        raise DomainError(f"An answer has at most {LONGEST_ANSWER} characters.")
    if problem := bad_character(cleaned):
        raise DomainError(f"An answer cannot hold {problem[1]}.")
    return cleaned


def _sent(key: uuid.UUID, text: str, **about: Model) -> Disagreement | None:
    """Return what the form with this key has sent before; None if it is new.

    ``about`` is its item and its author.
    """
    rows = Disagreement.objects.filter(submission_key=key)
    sent = rows.first()
    if sent is not None and not rows.filter(text=text, **about).exists():
        raise AlreadySentError
    return sent


def _require_author(author: User, author_id: int | None) -> None:
    if author.pk != author_id:
        raise DomainError("Only the author answers a reviewer.")


def _require_first(item: Claim | Judgement) -> None:
    noun = "claim" if isinstance(item, Claim) else "judgement"
    if Disagreement.objects.filter(**{noun: item}).exists():
        raise DomainError(ONCE)


def _create(
    item: Claim | Judgement, author: User, text: str, key: uuid.UUID
) -> Disagreement:
    is_claim = isinstance(item, Claim)
    review = _asking_review(item)
    disagreement = Disagreement.objects.create(
        project=project_of(item),
        review=review,
        **{"claim" if is_claim else "judgement": item},
        author=author,
        text=text,
        submission_key=key,
    )
    record_disagreement(
        disagreement, author, "disagree", fields=column_values(disagreement)
    )
    page = "proofread_claim" if is_claim else "review_judgement"
    tell_about_disagreement(
        disagreement,
        other_reviewers(item, review.reviewer),
        reverse(f"annotation:{page}", args=[disagreement.project.slug, item.pk]),
    )
    return disagreement


def _asking_review(item: Claim | Judgement) -> Review:
    """Return the decision that asked for changes to the current version."""
    about = "claim_version" if isinstance(item, Claim) else "judgement_version"
    noun = "claim" if isinstance(item, Claim) else "judgement"
    review = (
        Review.objects.filter(
            **{f"{about}__{noun}": item, f"{about}__number": item.version},
            decision=Review.Decision.REQUEST_CHANGES,
            undone_at=None,
        )
        .select_related("reviewer")
        .order_by("-id")
        .first()
    )
    if review is None:
        raise StaleStateError("Nobody asks for changes to this version any more.")
    return review
