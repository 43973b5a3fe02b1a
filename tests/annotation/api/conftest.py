"""A team whose members have tokens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.factories import Team, make_team


@pytest.fixture
def team(db: None) -> Team:
    """A SciFact project with a member in each role and two open sources."""
    return make_team(citances=2)


@pytest.fixture(autouse=True)
def _fresh_throttle() -> Iterator[None]:
    """Let no test be slowed down by the requests of another."""
    cache.clear()
    yield
    cache.clear()
