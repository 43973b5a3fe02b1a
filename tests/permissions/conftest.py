"""The world is made once for each module; every request in it is taken back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import DjangoDbBlocker

from tests.permissions.world import World, make_world, rolled_back
from tests.verification.systems import installed


@pytest.fixture(autouse=True)
def _fresh_rate_limits() -> None:
    """The walk is quicker than any visitor."""
    cache.clear()


@pytest.fixture(scope="session", autouse=True)
def _system() -> Iterator[None]:
    """A system that can be asked for evidence, and run on a phase."""
    with installed("plain"):
        yield


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The small world, for requests that are taken back."""
    with django_db_blocker.unblock(), rolled_back():
        yield make_world()
