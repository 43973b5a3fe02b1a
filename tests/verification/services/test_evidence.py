"""What may be asked, of which corpus and which system."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from corpus.exceptions import DomainError
from corpus.models.library import Visibility
from tests.factories import CorpusFactory
from tests.verification.systems import install_system
from verification.models import FactCheck
from verification.services.evidence import ask_for_evidence, read_claim

pytestmark = pytest.mark.django_db


def test_a_claim_is_stored_as_it_is_checked() -> None:
    assert read_claim("  Tea\r\nshortens sleep. \n") == "Tea\nshortens sleep."
    assert read_claim("𝛽" * 1000) == "𝛽" * 1000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" \n\t", "Type a claim"),
        ("x" * 1001, "has 1,001 characters"),
        ("a\0b", "Character 2 is a NUL character"),
        ("a\ud800", "lone surrogate"),
    ],
)
def test_a_text_that_is_no_claim_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        read_claim(text)


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.INSTANCE])
def test_only_public_corpora_are_searched(
    settings: Settings, tmp_path: Path, visibility: Visibility
) -> None:
    settings.DATA_DIR = tmp_path
    install_system()
    corpus = CorpusFactory(visibility=visibility)
    with pytest.raises(DomainError, match="not public"):
        ask_for_evidence(claim="Tea.", corpus=corpus, system="plain")
    assert not FactCheck.objects.exists()


def test_a_system_that_is_not_here_is_refused() -> None:
    corpus = CorpusFactory(visibility=Visibility.PUBLIC)
    with pytest.raises(DomainError, match="no system nowhere"):
        ask_for_evidence(claim="Tea.", corpus=corpus, system="nowhere")
