"""Changing what a corpus is, and keeping its version."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from corpus.events import record_event
from corpus.exceptions import DomainError
from corpus.models import Corpus, User


def lock_corpus(pk: int) -> Corpus:
    """Return a corpus for a change of its texts; the caller is in a transaction.

    Everything that writes texts locks the corpus first, so that two writers wait
    for each other and never the one for the other.
    """
    return Corpus.objects.select_for_update().get(pk=pk)


def raise_version(*, corpus: Corpus, verb: str, actor: User | None) -> None:
    """Count one change of a locked corpus' texts, and say what it was."""
    corpus.version += 1
    corpus.save(update_fields=["version"])
    record_event(
        noun="corpus",
        obj=corpus,
        verb=verb,
        actor=actor,
        fields={"version": corpus.version},
    )


@transaction.atomic
def change_corpus(
    *, corpus: Corpus, actor: User, name: str, description: str, visibility: str
) -> Corpus:
    """Give a corpus new words or another visibility; its address stays."""
    corpus = lock_corpus(corpus.pk)
    wanted = {
        "name": name.strip(),
        "description": description,
        "visibility": visibility,
    }
    old = {field: getattr(corpus, field) for field in wanted}
    changed = {field: new for field, new in wanted.items() if new != old[field]}
    if not changed:
        return corpus
    for field, value in changed.items():
        setattr(corpus, field, value)
    _save_named(corpus, list(changed))
    record_event(
        noun="corpus",
        obj=corpus,
        verb="change",
        actor=actor,
        fields=changed,
        was={field: old[field] for field in changed},
    )
    return corpus


@transaction.atomic
def change_owner(*, corpus: Corpus, owner: User) -> Corpus:
    """Give a corpus to somebody; for whoever runs the site."""
    corpus = lock_corpus(corpus.pk)
    if corpus.owner_id == owner.pk:
        return corpus
    was, corpus.owner = corpus.owner_id, owner
    corpus.save(update_fields=["owner"])
    record_event(
        noun="corpus",
        obj=corpus,
        verb="change_owner",
        actor=None,
        fields={"owner_id": owner.pk},
        was={"owner_id": was},
    )
    return corpus


def _save_named(corpus: Corpus, fields: list[str]) -> None:
    if not corpus.name:
        raise DomainError("The corpus needs a name.")
    try:
        with transaction.atomic():
            corpus.save(update_fields=fields)
    except IntegrityError:
        message = f"There is already a corpus with the name “{corpus.name}”."
        raise DomainError(message) from None


@transaction.atomic
def remember_columns(*, corpus: Corpus, mapping: dict[str, str], actor: User) -> Corpus:
    """Keep which column is which, for the next file."""
    corpus = lock_corpus(corpus.pk)
    if corpus.column_mapping == mapping:
        return corpus
    corpus.column_mapping = mapping
    corpus.save(update_fields=["column_mapping"])
    record_event(
        noun="corpus",
        obj=corpus,
        verb="map_columns",
        actor=actor,
        fields={"column_mapping": mapping},
    )
    return corpus
