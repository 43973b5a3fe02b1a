"""Corpora, abstracts and citing articles over the API."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.services.projects import create_corpus
from corpus.models import Citance, Document
from corpus.search import index_documents
from tests.annotation.api.client import Api
from tests.factories import (
    ArticleFactory,
    CitanceFactory,
    DocumentFactory,
    PassageFactory,
    Team,
    make_team,
)

pytestmark = pytest.mark.django_db

TEXT = "We gave tea to 12 cats. None of them slept (cf. Fig. 2). All purred."


@pytest.fixture
def open_team() -> Team:
    """A team without citances, so that nothing is hidden."""
    return make_team(name="Open library")


def test_a_corpus_is_made_changed_and_read(open_team: Team) -> None:
    api, reader = Api(open_team.outsider), Api(open_team.reviewer)
    made = api.post("/corpora", name="Cats and tea")
    assert (api.status, made["slug"]) == (201, "cats-and-tea")
    api.post("/corpora", name="Cats and tea")
    assert api.status == 409
    reader.get("/corpora/cats-and-tea")
    assert reader.status == 404
    changed = api.patch("/corpora/cats-and-tea", visibility="instance")
    assert (changed["visibility"], changed["name"]) == ("instance", "Cats and tea")
    shown = reader.get("/corpora/cats-and-tea")
    assert (shown["documents"], shown["can_edit"]) == (0, False)
    reader.patch("/corpora/cats-and-tea", name="Dogs")
    assert reader.status == 403
    bad = api.patch("/corpora/cats-and-tea", visibility="secret")
    assert (api.status, set(bad["errors"])) == (400, {"visibility"})


def test_an_abstract_is_added_and_its_sentences_corrected(open_team: Team) -> None:
    api = Api(open_team.admin)
    root = f"/corpora/{open_team.corpus.slug}/documents"
    body = {"title": "Cats", "text": TEXT, "doi": "10.5555/x", "authors": ["A", "B"]}
    added = api.post(root, **body)
    assert api.status == 201
    assert added["sentences"][0] == "We gave tea to 12 cats."
    assert added["authors"] == ["A", "B"]
    api.post(root, **body)
    assert api.status == 409, "it is there already"
    bad = api.post(root, title="")
    assert (api.status, set(bad["errors"])) == (400, {"non_field_errors"})
    url = f"{root}/{added['id']}/boundaries"
    change = {"action": "merge", "sentence": 1, "seen_hash": added["content_hash"]}
    merged = api.post(url, **change)
    assert len(merged["sentences"]) == len(added["sentences"]) - 1
    stale = api.post(url, **change)
    assert (api.status, "in the meantime" in stale["message"]) == (409, True)
    assert set(api.post(url, **change | {"action": "split"})["errors"]) == {"offset"}
    undone = api.post(url, action="undo", seen_hash="-")
    assert undone["sentences"] == added["sentences"]
    reader = Api(open_team.reviewer)
    reader.post(root, **body)
    assert reader.status == 403


def test_missing_abstracts_are_listed_and_filled(open_team: Team) -> None:
    api = Api(open_team.admin)
    empty = DocumentFactory(
        corpus=open_team.corpus, sentences=[], separators=[""], has_abstract=False
    )
    root = f"/corpora/{open_team.corpus.slug}"
    (listed,) = api.get(f"{root}/missing")["items"]
    assert listed["id"] == empty.pk
    url = f"{root}/documents/{empty.pk}/text"
    filled = api.send("PUT", url, {"text": TEXT})
    assert (api.status, filled["sentences"][-1]) == (200, "All purred.")
    api.send("PUT", url, {"text": TEXT})
    assert api.status == 409
    doubtful = api.get(f"{root}/doubtful")["items"]
    assert all(entry["doubts"] for entry in doubtful)
    reader = Api(open_team.reviewer)
    for path in ("missing", "doubtful"):
        reader.get(f"{root}/{path}")
        assert reader.status == 403


def test_search_finds_what_the_page_finds(open_team: Team) -> None:
    found = DocumentFactory(corpus=open_team.corpus, title="Dandelion root")
    other = DocumentFactory(corpus=open_team.corpus, title="Nettle leaf")
    index_documents([found, other])
    api, root = Api(open_team.reviewer), f"/corpora/{open_team.corpus.slug}/documents"
    hits = api.get(root, q="dandel")["items"]
    assert [hit["id"] for hit in hits] == [found.pk]
    assert api.get(root, q="…")["items"] == []
    assert len(api.get(root)["items"]) == 2
    bad = api.get(root, q="a\x00b")
    assert (api.status, set(bad["errors"])) == (400, {"q"})


def test_a_writer_never_finds_what_their_open_citances_cite(team: Team) -> None:
    index_documents(Document.objects.all())
    root, writer = f"/corpora/{team.corpus.slug}", Api(team.annotator)
    hidden = Document.objects.get(citations__citance__sources=team.sources[0])
    assert writer.get(f"{root}/documents")["items"] == []
    assert writer.get(f"{root}/documents", q="nettle")["items"] == []
    assert writer.get(root)["documents"] == 0
    writer.get(f"{root}/documents/{hidden.pk}")
    assert writer.status == 404
    article_id = writer.get(f"{root}/articles")["items"][0]["id"]
    passage = writer.get(f"{root}/articles/{article_id}")["passages"][0]
    assert [citance["citations"] for citance in passage["citances"]] == [[]]
    reviewer = Api(team.reviewer)
    assert len(reviewer.get(f"{root}/documents")["items"]) == 2
    passage = reviewer.get(f"{root}/articles/{article_id}")["passages"][0]
    assert passage["citances"][0]["citations"][0]["role"] == "seed"


def test_a_paragraph_with_citances_waits_in_every_project(open_team: Team) -> None:
    api, root = Api(open_team.admin), f"/corpora/{open_team.corpus.slug}/articles"
    cited = DocumentFactory(corpus=open_team.corpus)
    text = "Tea is old.\r\nIt calms cats [1]."
    body = {
        "article": {"title": "A review of tea", "doi": "https://doi.org/10.1234/Y"},
        "text": text,
        "citances": [{"start": 12, "end": 30, "cited": [{"document": cited.pk}]}],
    }
    shown = api.post(root, **body)
    assert (api.status, shown["doi"]) == (201, "10.1234/Y")
    citance = Citance.objects.get()
    assert citance.text == "It calms cats [1]."
    assert [c.document for c in citance.citations.all()] == [cited]
    assert open_team.project.sources.get().citance == citance
    api.post(root, **body)
    assert api.status == 409
    outside = {"start": 20, "end": 99, "cited": [{"document": 10**6}]}
    bad = api.post(root, **body | {"citances": [outside]})
    assert (api.status, set(bad["errors"])) == (
        400,
        {"citances.0.end", "citances.0.cited"},
    )
    reader = Api(open_team.reviewer)
    reader.post(root, **body)
    assert reader.status == 403


def test_documents_of_another_corpus_are_404(open_team: Team) -> None:
    other = create_corpus(name="Other", owner=open_team.admin)
    document = DocumentFactory(corpus=open_team.corpus)
    article = ArticleFactory(corpus=open_team.corpus)
    api = Api(open_team.admin)
    for path in (f"documents/{document.pk}", f"articles/{article.pk}"):
        api.get(f"/corpora/{other.slug}/{path}")
        assert api.status == 404
        api.get(f"/corpora/{open_team.corpus.slug}/{path}")
        assert api.status == 200


@pytest.mark.parametrize(
    "path", ["", "/documents", "/articles", "/missing", "/doubtful"]
)
def test_lists_have_constant_query_counts(open_team: Team, path: str) -> None:
    counts = []
    for _ in range(2):
        DocumentFactory.create_batch(
            3, corpus=open_team.corpus, has_doubts=True, doubts=[]
        )
        DocumentFactory(corpus=open_team.corpus, has_abstract=False)
        ArticleFactory.create_batch(2, corpus=open_team.corpus)
        api = Api(open_team.admin)
        with CaptureQueriesContext(connection) as queries:
            api.get(f"/corpora/{open_team.corpus.slug}{path}")
        assert api.status == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_article_is_read_in_a_constant_number_of_queries(open_team: Team) -> None:
    article = ArticleFactory(corpus=open_team.corpus)
    counts = []
    for ordinal in range(3):
        passage = PassageFactory(article=article, ordinal=ordinal)
        CitanceFactory(in_corpus=open_team.corpus, passage=passage)
        api = Api(open_team.admin)
        with CaptureQueriesContext(connection) as queries:
            api.get(f"/corpora/{open_team.corpus.slug}/articles/{article.pk}")
        assert api.status == 200
        counts.append(len(queries))
    assert len(set(counts)) == 1
