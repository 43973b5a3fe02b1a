"""Correcting where sentences end, until the first pair points to the abstract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import accumulate

from django.db import transaction
from django.db.models import Max

from annotation.services.documents import (
    lock_document,
    refuse_if_used,
    save_text,
    text_values,
)
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Document, Event, User
from corpus.sentences import (
    Doubt,
    Pieces,
    find_doubts,
    merge_boundary,
    split_boundary,
)

SPLIT, MERGE, CONFIRM = "split", "merge", "confirm_boundaries"


@transaction.atomic
def split_sentence(
    *, document: Document, sentence: int, offset: int, seen_hash: str, actor: User
) -> Document:
    """Cut a sentence at a code point offset."""
    document = _changeable(document, seen_hash)
    try:
        pieces = split_boundary(*_pieces(document), sentence, offset)
    except ValueError as error:
        raise DomainError(str(error)) from None
    place = _starts(*pieces)[sentence + 1]
    return _change(document, pieces, place, SPLIT, actor)


@transaction.atomic
def merge_sentences(
    *, document: Document, sentence: int, seen_hash: str, actor: User
) -> Document:
    """Join a sentence to the one before it."""
    document = _changeable(document, seen_hash)
    try:
        pieces = merge_boundary(*_pieces(document), sentence)
    except ValueError as error:
        raise DomainError(str(error)) from None
    place = _starts(*_pieces(document))[sentence]
    return _change(document, pieces, place, MERGE, actor)


@transaction.atomic
def confirm_boundaries(*, document: Document, seen_hash: str, actor: User) -> Document:
    """Note that somebody has looked and the sentences are right as they are."""
    document = _unchanged(document, seen_hash)
    was = text_values(document)
    document.doubts = []
    save_text(document=document, verb=CONFIRM, actor=actor, was=was)
    return document


@transaction.atomic
def undo_boundary_change(*, document: Document, actor: User) -> Document:
    """Take back the last change of a document, if it was one of boundaries."""
    document = lock_document(document)
    last = undoable([document.pk]).get(document.pk)
    if last is None:
        raise DomainError("There is nothing to undo.")
    if last.verb != CONFIRM:
        refuse_if_used(document)
    was = text_values(document)
    for field, value in last.payload["was"].items():
        setattr(document, field, value)
    save_text(document=document, verb="undo", actor=actor, was=was)
    return document


def undoable(documents: Iterable[int]) -> dict[int, Event]:
    """Return, for those documents that have one, the change that an undo takes back.

    That is the last event of a document, if it changed boundaries.
    """
    last = (
        Event.objects.filter(noun="document", object_id__in=documents)
        .order_by()
        .values("object_id")
        .annotate(last=Max("pk"))
    )
    events = Event.objects.filter(
        pk__in=last.values("last"), verb__in=(SPLIT, MERGE, CONFIRM)
    )
    return {event.object_id: event for event in events}


def _unchanged(document: Document, seen_hash: str) -> Document:
    document = lock_document(document)
    if document.content_hash != seen_hash:
        raise StaleStateError(
            "Somebody has changed these sentences in the meantime. This is how they "
            "are now."
        )
    return document


def _changeable(document: Document, seen_hash: str) -> Document:
    document = _unchanged(document, seen_hash)
    if document.separators is None:
        raise DomainError(
            "This abstract came with its sentences, so they stay as they are."
        )
    refuse_if_used(document)
    return document


def _change(
    document: Document, pieces: Pieces, place: int, verb: str, actor: User
) -> Document:
    """Write new boundaries; the place that was decided is doubtful no more."""
    was = text_values(document)
    starts = _starts(*_pieces(document))
    open_places = {_place(Doubt(**doubt), starts) for doubt in document.doubts}
    new_starts = _starts(*pieces)
    document.sentences, document.separators = map(list, pieces)
    document.doubts = [
        asdict(doubt)
        for doubt in find_doubts(*pieces)
        if _place(doubt, new_starts) in open_places - {place}
    ]
    save_text(document=document, verb=verb, actor=actor, was=was)
    return document


def _pieces(document: Document) -> Pieces:
    return tuple(document.sentences), tuple(document.separators or ())


def _starts(sentences: Sequence[str], separators: Sequence[str]) -> list[int]:
    """Return where in the whole text each sentence begins."""
    lengths = [
        len(part) for pair in zip(separators, sentences, strict=False) for part in pair
    ]
    return list(accumulate(lengths))[::2]


def _place(doubt: Doubt, starts: list[int]) -> int:
    """Return where in the whole text a doubtful place is, boundary or not."""
    return starts[doubt.sentence] + (doubt.offset or 0)
