"""What a worker with models does for the claims that wait."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError

from corpus import caching, live
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
# How often claims are answered together before a long job goes on.
ROUNDS_BETWEEN = 4
# How often a version of a corpus is prepared before it is left to those who ask: one
# that is too large for the machine's memory brings the worker down each time.
MAX_PREPARATIONS = 3


def serve_waiting_checks(rounds: int | None = None) -> None:
    """Answer the claims that wait, those of one corpus and system together.

    All of them, or so many rounds. While the database cannot be written to, they are
    left to the watchdog.
    """
    turns = count() if rounds is None else range(rounds)
    try:
        for _ in turns:
            checks = claim_checks()
            if not checks:
                return
            with heartbeat(checks[0].lease_owner):
                answer_checks(checks)
    except OperationalError as error:
        logger.warning("claims are left to the watchdog: %s", error)


def with_checks_between(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks of a long job, and answer the claims that wait before each.

    So nobody who asks for evidence waits longer than one chunk takes, and a job goes
    on however many ask. Not to be used inside a transaction.
    """
    for chunk in chunks:
        serve_waiting_checks(rounds=ROUNDS_BETWEEN)
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
    for key in with_checks_between([*held, *others[:room]]):
        for corpus in public.filter(pk=key):  # as it is now, if it still is
            _prepare(corpus, starter)


def _prepare(corpus: Corpus, starter: InstalledSystem) -> None:
    """Load one corpus; one that cannot be loaded stops no other."""
    key = f"prepare-{corpus.pk}-{corpus.version}-{corpus.created_at.timestamp()}"
    if WARM.has(corpus, starter) or not _may_begin(key):
        return
    try:
        WARM.pipeline(corpus, starter)
        caching.drop([key])
    except DomainError:  # which is in the log
        return
    except (OperationalError, SoftTimeLimitExceeded):
        raise
    except Exception:
        logger.exception("the corpus %s cannot be prepared", corpus.pk)


def _may_begin(key: str) -> bool:
    """Count beginnings without an end: a worker without memory just vanishes."""
    begun = caching.get(key) or 0
    if begun >= MAX_PREPARATIONS:
        return False
    caching.put(key, begun + 1, live.DAY)
    return True


def _starter() -> InstalledSystem | None:
    found = (s for s in installed_systems() if s.name == STARTER.name)
    return next(found, None)
