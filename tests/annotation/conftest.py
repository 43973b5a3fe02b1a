"""People and a project that most tests here start from."""

from __future__ import annotations

import pytest

from tests.factories import Team, make_team


@pytest.fixture
def team(db: None) -> Team:
    """A SciFact project with a member in each role."""
    return make_team()
