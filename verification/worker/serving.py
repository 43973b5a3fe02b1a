"""What a worker with models does for the claims that wait."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

from django.db import OperationalError

from corpus.exceptions import DomainError
from corpus.job_runner import heartbeat
from corpus.models import Corpus
from corpus.models.library import Visibility
from verification.installed_systems import STARTER, InstalledSystem, installed_systems
from verification.services.check_leases import claim_checks
from verification.worker.answering import answer_checks
from verification.worker.warm import MAX_CORPORA, WARM

logger = logging.getLogger(__name__)

Chunk = TypeVar("Chunk")


def serve_waiting_checks() -> None:
    """Answer all claims that wait, those of one corpus and system together.

    While the database cannot be written to, they are left to the watchdog.
    """
    try:
        while checks := claim_checks():
            with heartbeat(checks[0].lease_owner):
                answer_checks(checks)
    except OperationalError as error:
        logger.warning("claims are left to the watchdog: %s", error)


def with_checks_between(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks of a long job, and answer the claims that wait before each.

    So nobody who asks for evidence waits longer than one chunk takes. Not to be used
    inside a transaction.
    """
    for chunk in chunks:
        serve_waiting_checks()
        yield chunk


def load_starter() -> None:
    """Load the starter's models, so that the first visitor does not wait for them."""
    starter = _starter()
    if starter is None:
        return
    with suppress(DomainError):  # which is in the log
        WARM.system(starter)


def prepare_public_corpora() -> None:
    """Load public corpora for the starter; their indexes are built if need be.

    Nothing goes for it that somebody has asked for: those in memory are brought up to
    date, and others join them while there is room, the newest first.
    """
    starter = _starter()
    if starter is None:
        return
    public = Corpus.objects.filter(visibility=Visibility.PUBLIC)
    keys = list(public.order_by("-pk").values_list("pk", flat=True))
    held = [key for key in keys if key in WARM.corpora]
    others = [key for key in keys if key not in WARM.corpora]
    room = max(0, MAX_CORPORA - len(WARM.corpora))
    with suppress(DomainError):
        for key in with_checks_between([*held, *others[:room]]):
            for corpus in public.filter(pk=key):  # as it is now, if it still is
                WARM.pipeline(corpus, starter)


def _starter() -> InstalledSystem | None:
    found = (s for s in installed_systems() if s.name == STARTER.name)
    return next(found, None)
