"""What a worker with models does for the claims that wait."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TypeVar

from django.db import OperationalError

from corpus.job_runner import heartbeat
from corpus.models import Corpus
from corpus.models.library import Visibility
from verification.installed_systems import STARTER, InstalledSystem, installed_systems
from verification.pipeline.stages import ModelFileError
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
    try:
        system = WARM.system(starter)
        _ = system.selector, system.predictor
    except ModelFileError as error:
        logger.error("the starter cannot be used: %s", error)


def prepare_public_corpora() -> None:
    """Load the public corpora for the starter; their indexes are built if need be.

    As many as stay in memory, the newest first.
    """
    starter = _starter()
    if starter is None:
        return
    corpora = Corpus.objects.filter(visibility=Visibility.PUBLIC).order_by("-pk")
    for corpus in with_checks_between(corpora[:MAX_CORPORA]):
        try:
            WARM.pipeline(corpus, starter)
        except ModelFileError as error:
            logger.error("the starter cannot be used: %s", error)
            return


def _starter() -> InstalledSystem | None:
    found = (s for s in installed_systems() if s.name == STARTER.name)
    return next(found, None)
