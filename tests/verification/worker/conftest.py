"""A corpus, an installed system, and an empty memory for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from corpus.models import Corpus
from corpus.models.library import Visibility
from tests.factories import CorpusFactory, DocumentFactory
from tests.verification.pipeline.worlds import TEXTS
from tests.verification.systems import install_system
from verification.worker.warm import WARM


@pytest.fixture(autouse=True)
def _cold() -> Iterator[None]:
    """Begin and end with nothing in memory: keys of rows come again in tests."""
    yield
    WARM.systems.clear()
    WARM.corpora.clear()


@pytest.fixture
def system(settings: Settings, tmp_path: Path) -> Path:
    """TF-IDF, the last sentence, SUPPORT, two abstracts."""
    settings.DATA_DIR = tmp_path
    return install_system()


@pytest.fixture
def corpus(db: None) -> Corpus:
    """A public corpus of four abstracts."""
    made: Corpus = CorpusFactory(visibility=Visibility.PUBLIC, version=1)
    for number, (title, sentences) in TEXTS.items():
        DocumentFactory(
            corpus=made,
            external_id=number,
            title=title,
            sentences=list(sentences),
            journal="Journal of Invented Trials",
            published=f"200{number}-05",
        )
    return made
