"""A writer cannot see what an open citance of theirs cites: by no page, by no search.

The differential test compares two worlds that differ only in the hidden abstract.
"""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Source
from annotation.services.claims import Draft, write_claims
from annotation.services.sources import add_sources, skip_source
from corpus.models import Document
from corpus.records import ClaimKind
from corpus.search import index_documents
from tests.annotation.views.conftest import SignIn
from tests.factories import CitanceFactory, DocumentFactory, Team, make_team

CANARY = "Zanthoxylum"

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    """A SciFact project with one open citance."""
    return make_team(citances=1)


@pytest.fixture
def hidden(team: Team) -> Document:
    """The abstract that the open citance cites."""
    row = cited_by(team.sources[0])
    row.title = f"{CANARY} for knees"
    row.sentences = [f"{CANARY} was chewed.", "It helped."]
    row.save()
    DocumentFactory(corpus=team.corpus, title="Knees and others")
    index_documents(team.corpus.documents.all())
    return row


def cited_by(source: Source) -> Document:
    return Document.objects.get(citations__citance=source.citance)


def sees(client: Client, team: Team, row: Document) -> dict[str, bool]:
    """By which ways a person comes to an abstract."""
    corpus = reverse("annotation:corpus", args=[team.corpus.slug])
    opened = client.get(reverse("annotation:document", args=[team.corpus.slug, row.pk]))
    ways = {
        "list": client.get(corpus),
        "title": client.get(corpus, {"q": row.title}),
        "word of the text": client.get(corpus, {"q": "chewed"}),
        "htmx": client.get(corpus, {"q": CANARY}, headers={"HX-Request": "true"}),
    }
    found = {way: row in page.context["page"].items for way, page in ways.items()}
    return found | {"address": opened.status_code == 200}


def test_a_writer_does_not_see_it_while_the_citance_is_open(
    team: Team, hidden: Document, sign_in: SignIn
) -> None:
    assert not any(sees(sign_in(team.annotator), team, hidden).values())


@pytest.mark.parametrize("end", ["done", "skipped"])
def test_a_writer_sees_it_once_the_citance_is_done_or_skipped(
    team: Team, hidden: Document, sign_in: SignIn, end: str
) -> None:
    if end == "skipped":
        skip_source(source=team.sources[0], actor=team.annotator, reason="unclear")
    else:
        write_claims(
            source=team.sources[0],
            author=team.annotator,
            drafts=[Draft("Bark eases knees.", ClaimKind.COMPOSED)],
            submission_key=uuid.uuid4(),
        )
    assert all(sees(sign_in(team.annotator), team, hidden).values())


@pytest.mark.parametrize("who", ["admin", "reviewer", "read_only"])
def test_who_does_not_write_sees_it(
    team: Team, hidden: Document, sign_in: SignIn, who: str
) -> None:
    assert all(sees(sign_in(getattr(team, who)), team, hidden).values())


def test_a_second_open_citance_keeps_it_hidden(
    team: Team, hidden: Document, sign_in: SignIn
) -> None:
    CitanceFactory(in_corpus=team.corpus, documents=[hidden])
    add_sources(project=team.project, actor=team.admin)
    skip_source(source=team.sources[0], actor=team.annotator, reason="unclear")
    assert not any(sees(sign_in(team.annotator), team, hidden).values())


def test_pages_are_the_same_whatever_the_hidden_abstract_says(
    team: Team, hidden: Document, sign_in: SignIn
) -> None:
    client = sign_in(team.annotator)
    before = pages_of(client, team, hidden)
    hidden.title, hidden.sentences = "Another title", ["Other words, more of them."]
    hidden.journal, hidden.published = "Another journal", "2025-12-31"
    hidden.save()
    index_documents([hidden])
    assert pages_of(client, team, hidden) == before
    assert CANARY not in "".join(before)


def pages_of(client: Client, team: Team, row: Document) -> list[str]:
    """Every page on which an abstract could show, without what changes each time."""
    corpus = reverse("annotation:corpus", args=[team.corpus.slug])
    document = reverse("annotation:document", args=[team.corpus.slug, row.pk])
    addresses = [reverse("annotation:corpora"), corpus, document]
    # Words of both worlds.
    addresses += [f"{corpus}?q={word}" for word in ("knees", "helped", "other")]
    return [_masked(client.get(address).content.decode()) for address in addresses]


def _masked(page: str) -> str:
    page = re.sub(r'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[^"]+"', "", page)
    return re.sub(r"<code>[0-9a-f-]{36}</code>", "", page)
