"""What was said about a claim or a judgement, all rounds in one thread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from annotation.access import ProjectAccess
from annotation.models import (
    Claim,
    ClaimVersion,
    Comment,
    Disagreement,
    Judgement,
    JudgementVersion,
    Review,
)
from annotation.version_changes import AnswerChanges, answer_changes
from corpus.models import User
from corpus.reading import Change, word_diff


@dataclass(frozen=True, slots=True)
class CommentLine:
    """A comment with the sentence that it is about; ``number`` from 1."""

    comment: Comment
    number: int | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was said or done: a version, a decision or an answer."""

    at: datetime
    who: str
    version: ClaimVersion | JudgementVersion | None = None
    review: Review | None = None
    disagreement: Disagreement | None = None
    words: list[Change] = field(default_factory=list)
    changes: AnswerChanges | None = None
    comments: list[CommentLine] = field(default_factory=list)

    @property
    def is_first(self) -> bool:
        """Whether this is the first version: there is nothing to compare with."""
        return self.version is not None and self.version.number == 1


class _People:
    """What people are called in a thread: an author may be hidden.

    Authors never learn who reviewed them.
    """

    def __init__(self, access: ProjectAccess, author: User | None) -> None:
        self.access = access
        self.author = author
        self.reviewers: dict[int, int] = {}

    def name(self, person: User | None) -> str:
        if person is None:
            return "imported"
        if person == self.access.user:
            return "you"
        if self.author is not None and person.pk == self.author.pk:
            shows = self.access.has_oversight and self.access.shows_authors
            return person.display_name if shows else "the author"
        number = self.reviewers.setdefault(person.pk, len(self.reviewers) + 1)
        name = f"reviewer {number}"
        return f"{name} ({person.display_name})" if self.access.is_admin else name


def judgement_thread(access: ProjectAccess, judgement: Judgement) -> list[Entry]:
    """Return the versions, decisions and answers of a judgement, oldest first."""
    people = _People(access, judgement.annotator)
    sentences = judgement.pair.document.sentences
    versions = list(judgement.versions.select_related("author").order_by("number"))
    reviews = _reviews(judgement_version__judgement=judgement)
    answers = Disagreement.objects.filter(judgement=judgement)
    entries = _said(people, reviews, answers, sentences)
    previous: JudgementVersion | None = None
    for version in versions:
        changes = None
        if previous is not None:
            changes = answer_changes(
                (previous.label, previous.rationales),
                (version.label, version.rationales),
                sentences,
            )
        who = people.name(version.author)
        entries.append(Entry(version.created_at, who, version, changes=changes))
        previous = version
    return _in_order(entries)


def claim_thread(access: ProjectAccess, claim: Claim) -> list[Entry]:
    """Return the wordings, decisions and answers of a claim, oldest first."""
    people = _People(access, claim.author)
    versions = list(claim.versions.select_related("author").order_by("number"))
    reviews = _reviews(claim_version__claim=claim)
    answers = Disagreement.objects.filter(claim=claim)
    entries = _said(people, reviews, answers, [])
    previous: ClaimVersion | None = None
    for version in versions:
        words = word_diff(previous.text, version.text) if previous else []
        who = people.name(version.author)
        entries.append(Entry(version.created_at, who, version, words=words))
        previous = version
    return _in_order(entries)


def _reviews(**about: object) -> QuerySet[Review]:
    """Return the decisions that stand; those that were taken back are nobody's."""
    return (
        Review.objects.filter(**about, undone_at=None)
        .select_related("reviewer", "claim_version", "judgement_version")
        .prefetch_related("comments")
        .order_by("id")
    )


def _said(
    people: _People,
    reviews: Iterable[Review],
    answers: QuerySet[Disagreement],
    sentences: list[str],
) -> list[Entry]:
    entries = [
        Entry(
            review.created_at,
            people.name(review.reviewer),
            review=review,
            comments=_lines(review, sentences),
        )
        for review in reviews
    ]
    for answer in answers.select_related("author"):
        who = people.name(answer.author)
        entries.append(Entry(answer.created_at, who, disagreement=answer))
    return entries


def _lines(review: Review, sentences: list[str]) -> list[CommentLine]:
    comments = sorted(
        review.comments.all(),
        key=lambda c: (c.sentence is not None, c.sentence or 0, c.pk),
    )
    return [
        CommentLine(comment)
        if comment.sentence is None
        else CommentLine(comment, comment.sentence + 1, sentences[comment.sentence])
        for comment in comments
    ]


def _in_order(entries: list[Entry]) -> list[Entry]:
    """Sort by time; a fix stands with the decision that made it."""
    return sorted(entries, key=lambda e: (e.at, e.version is None))


def comments_by_sentence(entries: Iterable[Entry]) -> dict[int, list[CommentLine]]:
    """Return the comments on sentences, by the number of the sentence."""
    found: dict[int, list[CommentLine]] = {}
    for entry in entries:
        for line in entry.comments:
            if line.number is not None:
                found.setdefault(line.number, []).append(line)
    return found
