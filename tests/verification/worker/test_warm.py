"""What a worker loads before anybody asks, and what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from corpus.models import Corpus
from corpus.models.library import Visibility
from tests.factories import CorpusFactory, DocumentFactory
from tests.verification.pipeline.worlds import system_folder
from tests.verification.systems import install_system
from verification import installed_systems
from verification.installed_systems import installed_system
from verification.services.evidence import ask_for_evidence
from verification.worker import warm
from verification.worker.serving import (
    MAX_PREPARATIONS,
    load_starter,
    prepare_public_corpora,
    serve_waiting_checks,
)
from verification.worker.warm import MAX_CORPORA, WARM

pytestmark = pytest.mark.django_db


@pytest.fixture
def starter(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A starter that needs no weights."""
    settings.DATA_DIR = tmp_path / "data"
    folder = system_folder(tmp_path / "starter", name="starter")
    monkeypatch.setattr(installed_systems, "STARTER", folder)
    return folder


def public_corpus() -> Corpus:
    made: Corpus = CorpusFactory(visibility=Visibility.PUBLIC)
    DocumentFactory(corpus=made)
    return made


@pytest.mark.usefixtures("starter")
def test_models_and_public_corpora_are_there_before_somebody_asks() -> None:
    private: Corpus = CorpusFactory(visibility=Visibility.INSTANCE)
    DocumentFactory(corpus=private)
    corpus = public_corpus()
    load_starter()
    assert list(WARM.systems) == ["starter"]
    prepare_public_corpora()
    assert list(WARM.corpora) == [corpus.pk]
    assert list(warm.index_root(corpus).glob("tfidf-*"))
    assert not warm.index_root(private).exists()


@pytest.mark.usefixtures("starter")
def test_a_changed_corpus_is_prepared_anew() -> None:
    corpus = public_corpus()
    prepare_public_corpora()
    DocumentFactory(corpus=corpus)
    Corpus.objects.filter(pk=corpus.pk).update(version=5)
    prepare_public_corpora()
    assert WARM.corpora[corpus.pk].version == 5
    assert len(WARM.corpora[corpus.pk].documents) == 2


@pytest.mark.usefixtures("starter")
def test_preparing_drops_nothing_that_somebody_asked_for() -> None:
    corpora = [public_corpus() for _ in range(MAX_CORPORA + 1)]
    starter = installed_system("starter")
    for corpus in corpora[:MAX_CORPORA]:
        WARM.pipeline(corpus, starter)
    prepare_public_corpora()
    assert set(WARM.corpora) == {corpus.pk for corpus in corpora[:MAX_CORPORA]}
    WARM.pipeline(corpora[-1], starter)
    assert len(WARM.corpora) == MAX_CORPORA
    assert corpora[-1].pk in WARM.corpora


@pytest.mark.usefixtures("starter")
def test_a_corpus_without_words_stops_no_other_and_holds_no_evidence() -> None:
    other = public_corpus()
    empty: Corpus = CorpusFactory(visibility=Visibility.PUBLIC)
    prepare_public_corpora()
    assert set(WARM.corpora) == {other.pk, empty.pk}
    check = ask_for_evidence(claim="Moss cools.", corpus=empty, system="starter")
    serve_waiting_checks()
    check.refresh_from_db()
    assert (check.state, check.result["abstracts"]) == ("done", [])


@pytest.mark.usefixtures("starter")
def test_a_corpus_that_brings_workers_down_is_left_to_those_who_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    public_corpus()
    begun: list[int] = []

    def vanish(corpus: Corpus, *_: object) -> None:
        begun.append(corpus.pk)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(warm.Warm, "pipeline", lambda _, *found: vanish(*found))
        for _ in range(MAX_PREPARATIONS):
            with pytest.raises(SystemExit):
                prepare_public_corpora()
        prepare_public_corpora()
    assert len(begun) == MAX_PREPARATIONS


def test_without_a_starter_nothing_is_loaded(starter: Path) -> None:
    (starter / "system.json").unlink()
    public_corpus()
    load_starter()
    prepare_public_corpora()
    assert (WARM.systems, WARM.corpora) == ({}, {})


def test_an_altered_starter_stops_no_worker(starter: Path) -> None:
    part = {"kind": "transformer", "model": "r.safetensors", "sha256": "0" * 64}
    system_folder(starter, name="starter", rationale=part)
    (starter / "r.safetensors").write_bytes(b"other weights")
    public_corpus()
    load_starter()
    prepare_public_corpora()
    assert not WARM.systems


@pytest.mark.usefixtures("starter")
def test_a_system_is_loaded_once_until_its_file_changes() -> None:
    install_system("alder")
    first = WARM.system(installed_system("alder"))
    assert WARM.system(installed_system("alder")) is first
    install_system("alder", settings={"k": 5})
    second = WARM.system(installed_system("alder"))
    assert second is not first
    assert second.settings.k == 5
