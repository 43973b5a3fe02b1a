"""Citances by paste of a paragraph."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Source
from corpus.events import column_values
from corpus.models import Article, Citance, Citation, Document, Event, Passage
from corpus.search import index_documents
from tests.annotation.views.conftest import SignIn
from tests.factories import DocumentFactory, Team

HTMX = {"HX-Request": "true"}
TEXT = "Herbs are old. 𝛽-carotene eased pain [1]. Sleep did not [2]."
DATA = {"title": "A review", "kind": "paper", "text": TEXT, "doi": "10.5555/rev"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(team: Team, sign_in: SignIn) -> Client:
    return sign_in(team.admin)


@pytest.fixture
def cited(team: Team) -> Document:
    row: Document = DocumentFactory(corpus=team.corpus, title="Carotene and pain")
    index_documents([row])
    return row


def url(team: Team) -> str:
    return reverse("annotation:new_citances", args=[team.corpus.slug])


def split(client: Client, team: Team, **more: str) -> dict[str, str]:
    """Split the paragraph and return what the next form would send."""
    page = client.post(url(team), {**DATA, **more, "action": "split"})
    key = page.context["paragraph_key"]
    return {**DATA, **more, "paragraph_key": key}


def test_a_paragraph_is_split_into_sentences_to_tick(
    client: Client, team: Team
) -> None:
    page = client.post(url(team), {**DATA, "action": "split"})
    assert [choice.text for choice in page.context["choices"]] == [
        "Herbs are old.",
        "𝛽-carotene eased pain [1].",
        "Sleep did not [2].",
    ]
    assert not Citance.objects.exists()


@pytest.mark.parametrize("query", ["carotene", None])
def test_cited_abstracts_are_found_by_word_or_id(
    client: Client, team: Team, cited: Document, query: str | None
) -> None:
    data = split(client, team) | {
        "find_1": query or cited.external_id,
        "action": "find",
    }
    page = client.post(url(team), data, headers=HTMX)
    assert page.context["choices"][1].found == [cited]
    assert page.content.decode().lstrip().startswith('<section id="citance-sentences"')


def test_ticked_sentences_become_citances_that_wait_in_the_project(
    client: Client, team: Team, cited: Document
) -> None:
    other = DocumentFactory(corpus=team.corpus)
    data = split(client, team) | {
        "citance_1": "on",
        "cite_1": [str(other.pk), str(cited.pk)],
        f"role_1_{cited.pk}": "co-cited",
        "citance_2": "on",
        "cite_2": str(other.pk),
        "action": "save",
    }
    assert client.post(url(team), data).status_code == 302
    first, second = Citance.objects.order_by("start")
    assert (first.text, second.text) == (
        "𝛽-carotene eased pain [1].",
        "Sleep did not [2].",
    )
    roles = first.citations.order_by("ordinal").values_list("document", "role")
    assert list(roles) == [(other.pk, "seed"), (cited.pk, "co-cited")]
    waiting = team.project.sources.filter(state=Source.State.OPEN)
    assert [source.citance for source in waiting.order_by("position")] == [
        first,
        second,
    ]


def test_the_events_rebuild_every_new_row(
    client: Client, team: Team, cited: Document
) -> None:
    client.post(
        url(team), split(client, team) | {"cite_1": str(cited.pk), "action": "save"}
    )
    for model in (Article, Passage, Citance, Citation):
        row = model.objects.get()
        events = Event.objects.filter(noun=model._meta.model_name, object_id=row.pk)
        rebuilt: dict[str, object] = {}
        for event in events.order_by("id"):
            rebuilt |= event.payload["set"]
        assert rebuilt == column_values(row)


def test_a_second_paragraph_joins_its_article_and_the_same_one_is_refused(
    client: Client, team: Team, cited: Document
) -> None:
    chosen = {"cite_0": str(cited.pk), "action": "save"}
    for text in (TEXT, "Another paragraph."):
        data = split(client, team, text=text) | chosen
        assert client.post(url(team), data).status_code == 302
    assert Passage.objects.filter(article=Article.objects.get()).count() == 2
    data = split(client, team) | chosen
    page = client.post(url(team), data)
    assert "is here already" in page.content.decode()
    assert Citance.objects.count() == 2


def test_a_citance_that_cites_nothing_is_refused_since_it_leads_nowhere(
    client: Client, team: Team, cited: Document
) -> None:
    ticks = {"cite_0": str(cited.pk), "citance_1": "on", "action": "save"}
    page = client.post(url(team), split(client, team) | ticks)
    assert "Sentence 2 is ticked, but cites no abstract yet" in page.content.decode()
    assert page.context["choices"][0].cited, "what was chosen is still there"
    assert not Citance.objects.exists()


def test_ticks_of_another_wording_count_for_nothing(client: Client, team: Team) -> None:
    data = split(client, team) | {"citance_0": "on", "action": "save"}
    page = client.post(url(team), data | {"text": "New. Words."})
    assert "Tick at least one sentence" in page.content.decode()
    assert not Citance.objects.exists()


def test_line_ends_are_normalised_before_offsets_are_counted(
    client: Client, team: Team, cited: Document
) -> None:
    data = split(client, team, text="One line.\r\nIt cites.") | {
        "citance_1": "on",
        "cite_1": str(cited.pk),
        "action": "save",
    }
    client.post(url(team), data)
    citance = Citance.objects.get()
    assert citance.passage.text == "One line.\nIt cites."
    assert citance.text == "It cites."


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"cite_0": "999999999999999999999"}, "no such number"),
        ({"cite_0": "x"}, "no number"),
        ({"citance_0": "on", "role_0_1": "king"}, "no such role"),
    ],
)
def test_nonsense_in_the_form_is_ignored(
    client: Client, team: Team, values: dict[str, str], reason: str
) -> None:
    page = client.post(url(team), split(client, team) | values | {"action": "save"})
    assert page.status_code in (200, 302), reason
    assert not Citation.objects.exists()


def test_an_abstract_of_another_corpus_cannot_be_cited(
    client: Client, team: Team
) -> None:
    foreign = DocumentFactory()
    data = split(client, team) | {
        "citance_0": "on",
        "cite_0": str(foreign.pk),
        "action": "save",
    }
    client.post(url(team), data)
    assert not Citation.objects.exists()


def test_hostile_text_is_shown_as_text(
    client: Client, team: Team, cited: Document
) -> None:
    image = "<img src=x onerror=alert(1)>"
    Document.objects.filter(pk=cited.pk).update(title=image)
    text = f"Pain {image} </script> fell [1]."
    data = split(client, team, text=text) | {"find_0": "carotene", "action": "find"}
    page = client.post(url(team), data).content.decode()
    assert image not in page
    assert "&lt;/script&gt; fell" in page
