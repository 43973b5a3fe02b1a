"""Jobs of tests: their handlers, somebody who starts them, what they count in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from corpus.jobs import start_job
from corpus.models import Corpus, Job, User
from tests.corpus.handler_paths import HANDLERS
from tests.factories import CorpusFactory, UserFactory

StartJob = Callable[..., Job]


@pytest.fixture
def owner(db: None) -> User:
    user: User = UserFactory()
    return user


@pytest.fixture
def counter(db: None) -> Corpus:
    """A corpus whose version counts how often a handler had its effect."""
    corpus: Corpus = CorpusFactory()
    return corpus


@pytest.fixture
def start(settings: Settings, owner: User, counter: Corpus) -> StartJob:
    """Start a job with a handler of these tests."""
    settings.JOB_HANDLERS = HANDLERS

    def start_kind(kind: str, **payload: Any) -> Job:
        return start_job(
            kind=kind, owner=owner, payload={"corpus": counter.pk, **payload}
        )

    return start_kind


@pytest.fixture
def shared_cache(settings: Settings, real_broker: str) -> None:
    """Use the cache that worker processes use too."""
    from config import settings as production

    settings.CACHES = production.CACHES
