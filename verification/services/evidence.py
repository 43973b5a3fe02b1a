"""Asking for evidence: a claim becomes a check that waits for the worker with models.

The web process writes the row and sends a message; it loads no model.
"""

from __future__ import annotations

from django.db import transaction

from corpus.exceptions import DomainError
from corpus.models import Corpus, User
from corpus.models.library import Visibility
from corpus.text import normalise_newlines
from verification.claim_lists import claim_problem
from verification.installed_systems import installed_system
from verification.models import FactCheck
from verification.tasks import send_find_evidence

MAX_WAITING = 200


@transaction.atomic
def ask_for_evidence(
    *,
    claim: str,
    corpus: Corpus,
    system: str,
    asked_by: User | None = None,
    client: str = "",
) -> FactCheck:
    """Let a claim be checked against a public corpus by an installed system.

    ``client`` is a hash of the address that asks, never the address.
    """
    require_public(corpus)
    _require_room()
    check = FactCheck.objects.create(
        claim=read_claim(claim),
        corpus=corpus,
        system=installed_system(system).name,
        asked_by=asked_by,
        client=client,
    )
    transaction.on_commit(send_find_evidence)
    return check


def _require_room() -> None:
    """Refuse while more wait than are answered in a minute or two."""
    waiting = FactCheck.objects.filter(batch=None, state=FactCheck.State.WAITING)
    if waiting.count() >= MAX_WAITING:
        raise DomainError(
            "Many claims wait for an answer just now. Ask again in a minute; what you "
            "typed is still here."
        )


def read_claim(text: str) -> str:
    """Return the text of a claim as it is checked, or say what is wrong with it."""
    claim = normalise_newlines(text).strip()
    if problem := claim_problem(claim):
        raise DomainError(problem)
    return claim


def require_public(corpus: Corpus) -> None:
    """Refuse a corpus that not everybody may read."""
    if corpus.visibility != Visibility.PUBLIC:
        raise DomainError(
            "Evidence is searched in public corpora only, and this one is not public."
        )
