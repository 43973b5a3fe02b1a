"""The words in which authors and reviewers hear of decisions. They name nobody."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.text import Truncator

from annotation.models import Claim, Disagreement, Judgement, Notice, Project, Review
from annotation.services.notices import notify, withdraw_notices
from corpus.models import User

CLAIM_LENGTH = 90
Kind = Notice.Kind
Decision = Review.Decision


def project_of(item: Claim | Judgement) -> Project:
    """The project of a claim or of a judgement."""
    return item.project if isinstance(item, Claim) else item.pair.project


def author_of(item: Claim | Judgement) -> User | None:
    """Who wrote a claim or judged a pair."""
    return item.author if isinstance(item, Claim) else item.annotator


def page_of(item: Claim | Judgement) -> str:
    """The page where the author reads what happened."""
    noun = "claim" if isinstance(item, Claim) else "judgement"
    return reverse(f"annotation:{noun}", args=[project_of(item).slug, item.pk])


def answer_page_of(item: Claim | Judgement) -> str:
    """The page where the author answers requested changes."""
    noun = "claim" if isinstance(item, Claim) else "judgement"
    return reverse(f"annotation:revise_{noun}", args=[project_of(item).slug, item.pk])


def in_words(item: Claim | Judgement) -> str:
    """The item as a notice calls it."""
    if isinstance(item, Claim):
        return f"claim “{_short(item.text)}”"
    return f"judgement of “{_short(item.pair.claim.text)}”"


def _short(text: str) -> str:
    return Truncator(text).chars(CLAIM_LENGTH).rstrip(".")


def tell_author(item: Claim | Judgement, review: Review) -> None:
    """Tell the author of a decision that changes something for them.

    A plain approval is only told where it answers a disagreement.
    """
    author, words = author_of(item), in_words(item)
    if author is None:
        return
    if review.decision == Decision.REQUEST_CHANGES:
        kind, text = Kind.RETURNED, f"Came back for changes: your {words}."
    elif review.decision == Decision.REJECT:
        kind, text = Kind.REJECTED, f"Rejected: your {words}."
    elif review.decision == Decision.FIX_AND_APPROVE:
        kind = Kind.FIXED
        text = f"Fixed and approved: your {words}. See what was changed."
    elif review.is_second_opinion:
        kind = Kind.UPHELD
        text = f"A second opinion agrees with you: your {words} is approved."
    else:
        return
    notify(
        users=[author],
        project=project_of(item),
        kind=kind,
        text=text,
        url=answer_page_of(item) if kind == Kind.RETURNED else page_of(item),
    )


def tell_new_author(claim: Claim) -> None:
    """Tell the person to whom an admin gave a claim that came back."""
    if claim.author is None:
        return
    notify(
        users=[claim.author],
        project=claim.project,
        kind=Kind.RETURNED,
        text=(
            f"An admin gave you a claim that came back: “{_short(claim.text)}”. "
            "Answer the reviewer."
        ),
        url=answer_page_of(claim),
    )


def tell_about_disagreement(
    disagreement: Disagreement, reviewers: Iterable[User], url: str
) -> None:
    """Tell those who may give the second opinion that one is asked for."""
    item = disagreement.judgement or disagreement.claim
    assert item is not None  # noqa: S101  (a constraint of the table)
    notify(
        users=reviewers,
        project=disagreement.project,
        kind=Kind.DISPUTED,
        text=f"An author disagrees and asks for a second opinion: {in_words(item)}.",
        url=url,
    )


def tell_about_second_opinion(disagreement: Disagreement) -> None:
    """Tell the reviewer who had asked for changes what the second opinion was."""
    item = disagreement.judgement or disagreement.claim
    assert item is not None  # noqa: S101  (a constraint of the table)
    asked = disagreement.review.reviewer
    decided = disagreement.decided_by
    if decided is None or decided.reviewer_id == asked.pk:
        return
    notify(
        users=[asked],
        project=disagreement.project,
        kind=Kind.ANSWERED,
        text=(
            f"Second opinion on changes that you asked for: {in_words(item)}. "
            f"It was {decided.get_decision_display()}."
        ),
        url=page_of(item),
    )


def withdraw(item: Claim | Judgement, review: Review) -> None:
    """Take back what nobody has read yet of a decision that was undone."""
    people = [person for person in [author_of(item)] if person is not None]
    answered = Disagreement.objects.filter(decided_by=review).first()
    if answered is not None:
        people.append(answered.review.reviewer)
    withdraw_notices(
        users=people,
        project=project_of(item),
        urls=[page_of(item), answer_page_of(item)],
        since=review.created_at,
    )
