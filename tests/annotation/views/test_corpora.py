"""The list of corpora, one corpus with its search, and its settings."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from corpus.models import Corpus, Document
from corpus.models.library import Visibility
from corpus.search import index_documents
from tests.annotation.views.conftest import SignIn
from tests.factories import CorpusFactory, DocumentFactory, Team

IMG = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(1)</script>"

pytestmark = pytest.mark.django_db


def url(corpus: Corpus, name: str = "corpus") -> str:
    return reverse(f"annotation:{name}", args=[corpus.slug])


def indexed(**values: object) -> Document:
    document: Document = DocumentFactory(**values)
    index_documents([document])
    return document


def text_of(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers or None)
    assert response.status_code == 200
    return response.content.decode()


# --- who may see what ----------------------------------------------------------


@pytest.mark.parametrize(
    ("visibility", "who", "expected"),
    [
        (Visibility.PRIVATE, "anonymous", 404),
        (Visibility.PRIVATE, "outsider", 404),
        (Visibility.PRIVATE, "suspended", 404),
        (Visibility.PRIVATE, "read_only", 200),
        (Visibility.INSTANCE, "anonymous", 404),
        (Visibility.INSTANCE, "outsider", 200),
        (Visibility.PUBLIC, "anonymous", 200),
    ],
)
def test_a_corpus_is_read_by_those_it_is_shared_with(
    team: Team, sign_in: SignIn, visibility: str, who: str, expected: int
) -> None:
    Corpus.objects.update(visibility=visibility)
    client = Client() if who == "anonymous" else sign_in(getattr(team, who))
    assert client.get(url(team.corpus)).status_code == expected
    listed = team.corpus.name in text_of(client, reverse("annotation:corpora"))
    assert listed == (expected == 200)


EDITING = [
    "edit_corpus",
    "new_document",
    "missing_abstracts",
    "doubtful_boundaries",
    "upload_table",
    "new_citances",
]


@pytest.mark.parametrize("name", EDITING)
def test_only_editors_reach_what_changes_a_corpus(
    team: Team, sign_in: SignIn, name: str
) -> None:
    address = url(team.corpus, name)
    statuses = {
        who: sign_in(getattr(team, who)).get(address).status_code
        for who in ("admin", "reviewer", "annotator", "read_only", "outsider")
    }
    assert statuses == {
        "admin": 200,
        "reviewer": 403,
        "annotator": 403,
        "read_only": 403,
        "outsider": 404,
    }
    assert Client().get(address).status_code == 302


@pytest.mark.parametrize("name", ["corpora", "corpus"])
def test_reading_pages_take_no_post(team: Team, sign_in: SignIn, name: str) -> None:
    arguments = [team.corpus.slug] if name == "corpus" else []
    address = reverse(f"annotation:{name}", args=arguments)
    assert sign_in(team.admin).post(address).status_code == 405


# --- list and figures ----------------------------------------------------------


def test_the_list_counts_abstracts_and_names_the_newest(
    team: Team, sign_in: SignIn
) -> None:
    for published in ("2019-11-02", "2020", "spring 2021", ""):
        DocumentFactory(corpus=team.corpus, published=published)
    page = text_of(sign_in(team.admin), reverse("annotation:corpora"))
    assert '<td class="num">4</td>' in page
    assert "<td>2020</td>" in page, "a date that does not begin with a year is no date"


def test_the_list_asks_the_same_for_three_corpora_as_for_thirty(
    team: Team,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = sign_in(team.admin)
    for number in (2, 28):
        for _ in range(number):
            DocumentFactory(corpus=CorpusFactory(owner=team.admin))
        # Session, person, memberships, corpora, what is new.
        with django_assert_num_queries(5):
            client.get(reverse("annotation:corpora"))


def test_a_corpus_asks_the_same_for_three_abstracts_as_for_fifty(
    team: Team,
    sign_in: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = sign_in(team.annotator)
    asked = []
    for number in (3, 47):
        DocumentFactory.create_batch(number, corpus=team.corpus)
        with django_assert_max_num_queries(20) as captured:
            client.get(url(team.corpus))
        asked.append(len(captured))
    assert asked[0] == asked[1]


def test_pages_follow_each_other_without_gap_or_repeat(
    team: Team, sign_in: SignIn
) -> None:
    DocumentFactory.create_batch(120, corpus=team.corpus)
    client, seen, after = sign_in(team.admin), [], ""
    while True:
        response = client.get(url(team.corpus), {"after": after})
        page = response.context["page"]
        seen += [document.pk for document in page.items]
        after = page.next_after
        if not after:
            break
    wanted = team.corpus.documents.order_by("position").values_list("pk", flat=True)
    assert seen == list(wanted)


# --- search --------------------------------------------------------------------


def test_search_finds_words_of_title_and_text(team: Team, sign_in: SignIn) -> None:
    tea = indexed(corpus=team.corpus, title="Tea", sentences=["It eased 𝛽-pain."])
    indexed(corpus=team.corpus, title="Coffee", sentences=["It did nothing."])
    client = sign_in(team.admin)
    for query in ("tea", "TEA eased", "β-pain"):
        found = client.get(url(team.corpus), {"q": query}).context["page"].items
        assert found == [tea], query


def test_a_search_that_finds_nothing_says_so(team: Team, sign_in: SignIn) -> None:
    indexed(corpus=team.corpus)
    page = text_of(sign_in(team.admin), url(team.corpus) + "?q=" + "zzz")
    assert "Nothing in this corpus has all of these words" in page


def test_htmx_gets_only_the_rows_of_the_same_address(
    team: Team, sign_in: SignIn
) -> None:
    indexed(corpus=team.corpus, title="Nettle tea")
    client = sign_in(team.admin)
    partial = text_of(client, url(team.corpus) + "?q=nettle", **{"HX-Request": "true"})
    assert partial.lstrip().startswith('<div id="documents">')
    assert "Nettle tea" in partial
    whole = text_of(client, url(team.corpus) + "?q=nettle")
    assert partial.strip() in whole


@pytest.mark.parametrize(
    "query", ["\0", "'", '"', "*", "a AND (", "%", IMG, "x" * 9000]
)
def test_odd_queries_are_words_like_others(
    team: Team, sign_in: SignIn, query: str
) -> None:
    indexed(corpus=team.corpus)
    response = sign_in(team.admin).get(url(team.corpus), {"q": query})
    assert response.status_code == 200
    assert IMG not in response.content.decode()


# --- hostile text ----------------------------------------------------------------


def test_hostile_text_is_shown_as_text(team: Team, sign_in: SignIn) -> None:
    Corpus.objects.update(name=f"A{SCRIPT}", description=IMG)
    indexed(corpus=team.corpus, title=IMG, journal=SCRIPT, published=IMG)
    client = sign_in(team.admin)
    for address in (url(team.corpus), reverse("annotation:corpora")):
        page = text_of(client, address)
        assert IMG not in page
        assert SCRIPT not in page
        assert "&lt;/script&gt;" in page


# --- new and changed corpora -----------------------------------------------------


def test_anybody_signed_in_starts_a_corpus_and_owns_it(
    team: Team, sign_in: SignIn
) -> None:
    data = {
        "name": "Sleep",
        "description": "line 1\r\nline 2",
        "visibility": "private",
    }
    response = sign_in(team.outsider).post(reverse("annotation:new_corpus"), data)
    corpus = Corpus.objects.get(name="Sleep")
    assert response.headers["Location"] == url(corpus)
    assert corpus.owner == team.outsider
    assert corpus.description == "line 1\nline 2"


def test_a_taken_name_is_said_on_the_form(team: Team, sign_in: SignIn) -> None:
    data = {"name": team.corpus.name, "visibility": "private"}
    response = sign_in(team.outsider).post(reverse("annotation:new_corpus"), data)
    assert "There is already a corpus with the name" in response.content.decode()


def test_settings_are_changed_with_one_event(team: Team, sign_in: SignIn) -> None:
    data = {"name": "Renamed", "description": "", "visibility": "public"}
    client = sign_in(team.admin)
    for _ in range(2):
        assert client.post(url(team.corpus, "edit_corpus"), data).status_code == 302
    changed = Corpus.objects.get(pk=team.corpus.pk)
    assert (changed.name, changed.visibility) == ("Renamed", "public")
    assert changed.slug == team.corpus.slug


@pytest.mark.parametrize("field", ["name", "description"])
def test_a_nul_character_is_refused_in_words(
    team: Team, sign_in: SignIn, field: str
) -> None:
    data = {"name": "x", "description": "", "visibility": "public", field: "a\0b"}
    page = sign_in(team.admin).post(url(team.corpus, "edit_corpus"), data)
    assert page.status_code == 200
    assert "ull character" in page.content.decode() or "NUL" in page.content.decode()
