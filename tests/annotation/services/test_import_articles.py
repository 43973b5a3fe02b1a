"""Citing articles in: what is new, changed, in use or wrong."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from annotation.models import Source
from annotation.services.import_articles import check_articles, import_articles
from annotation.services.importing import ImportRefusedError, ImportReport, incoming
from annotation.services.projects import create_project
from corpus.formats.articles import read_articles
from corpus.models import Article, Citance, Citation, Corpus
from tests.factories import CorpusFactory, DocumentFactory

pytestmark = pytest.mark.django_db

TEXT = "Rye is tall 👩‍🚒 [1]. It waves."


@pytest.fixture
def corpus() -> Corpus:
    corpus: Corpus = CorpusFactory()
    DocumentFactory(corpus=corpus, external_id="b2")
    return corpus


def article(**more: Any) -> dict[str, Any]:
    citance = {
        "citance_id": "a1-1",
        "start": 0,
        "end": TEXT.index(" It"),
        "cited": [{"doc_id": "b2", "role": "co-cited"}],
    }
    passages = [{"text": TEXT, "citances": [citance]}]
    return {"article_id": "a1", "title": "On rye", "passages": passages, **more}


def bring(corpus: Corpus, *values: dict[str, Any]) -> ImportReport:
    data = "".join(json.dumps(value) + "\n" for value in values).encode()
    source = incoming(io.BytesIO(data), read_articles, name="articles.jsonl")
    checked = check_articles(source=source, corpus=corpus)
    if checked.has_errors:
        with pytest.raises(ImportRefusedError):
            import_articles(source=source, corpus=corpus, actor=None)
        return checked
    done = import_articles(source=source, corpus=corpus, actor=None)
    assert done.counts == checked.counts
    return done


def test_an_article_keeps_its_paragraphs_and_the_places_of_its_citances(
    corpus: Corpus,
) -> None:
    assert bring(corpus, article()).counts["new"] == 1
    citance = Citance.objects.get()
    assert citance.text == "Rye is tall 👩‍🚒 [1]."
    assert citance.passage.text == TEXT
    assert Citation.objects.get().role == "co-cited"
    assert bring(corpus, article()).counts["identical"] == 1


def test_an_article_of_which_no_project_knows_follows_a_corrected_file(
    corpus: Corpus,
) -> None:
    bring(corpus, article())
    assert bring(corpus, article(title="On oats")).counts["changed"] == 1
    assert Article.objects.get().title == "On oats"
    assert Citance.objects.count() == Citation.objects.count() == 1


def test_an_article_whose_citances_wait_in_a_project_is_kept(corpus: Corpus) -> None:
    create_project(name="P", protocol="scifact", corpus=corpus, actor=None)
    bring(corpus, article())
    assert Source.objects.count() == 1
    report = bring(corpus, article(title="On oats"))
    assert (report.counts["kept"], report.kept) == (1, ["a1"])
    assert Article.objects.get().title == "On rye"


def test_a_citance_of_an_abstract_that_is_not_there_is_an_error(
    corpus: Corpus,
) -> None:
    bad = article()
    bad["passages"][0]["citances"][0]["cited"] = [{"doc_id": "gone"}]
    report = bring(corpus, article(article_id="a0", passages=[]), bad)
    (error,) = report.errors
    assert (error.line, error.value) == (2, "gone")
    assert "Citance a1-1" in error.message
    assert not Article.objects.exists()


def test_a_citance_id_of_another_article_is_an_error(corpus: Corpus) -> None:
    bring(corpus, article())
    report = bring(corpus, article(article_id="a2"))
    assert [e.message for e in report.errors] == [
        "The citance id a1-1 is taken by the article a1."
    ]
