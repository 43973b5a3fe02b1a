"""The gallery's addresses beside those of the site."""

from __future__ import annotations

import pytest
from pytest_django import Settings


@pytest.fixture
def gallery_urls(settings: Settings) -> None:
    """Serve the pages of ``tests/gallery_urls.py`` beside those of the site."""
    settings.ROOT_URLCONF = "tests.gallery_urls"
