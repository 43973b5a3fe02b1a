"""Search finds the same documents on both databases: those that the words name.

Run on SQLite and on PostgreSQL; the expected sets are the same.
"""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from annotation.access import visible_documents
from annotation.models import Membership, Stage
from corpus.models import Corpus, Document
from corpus.search import TOKEN_LIMIT, index_documents, remove_documents, search
from corpus.text import search_tokens
from tests.factories import CorpusFactory, DocumentFactory, make_team

pytestmark = pytest.mark.django_db

# Invented texts, by name: title and sentences.
TEXTS = {
    "nettle": ("Nettle tea and knee pain", ["Tea did not ease the pain.", "n = 42"]),
    "il6": ("IL-6 rises after a cold", ["β-catenin was unchanged (p<0.05)."]),
    "naïve": ("Naïve T cells", ["NaÏve cells stayed naïve.", "Straße ﬁve ½"]),
    "snake": ("snake_case names", ["The gene lac_Z was renamed."]),
    "chinese": ("咖啡与睡眠", ["咖啡减少睡眠。"]),
    "hindi": ("हिन्दी में शोध", ["चाय और नींद"]),
    "arabic": ("الشاي والنوم", ["لم يتغير النوم."]),
    "emoji": ("👩‍🚒 𝛽-blockers", ["\u2028break\u2028lines"]),
    "long": ("x" * 150, ["y" * 99 + "z " + "w" * 5000]),
    "digits": ("007 agents", ["There were 1000 of them, 7 in 1e3."]),
    "empty": ("", []),
    "punctuation": ("…!?", ["—", " "]),
}
ALL = frozenset(TEXTS)
# Query, what it finds, and why.
CASES = [
    ("", ALL, "an empty query keeps everything"),
    (" \t\n", ALL, "so do spaces"),
    ("!?", frozenset(), "only punctuation names nothing, even where it stands"),
    ("'", frozenset(), "a lone quote is harmless"),
    ("_", frozenset(), "an underscore is no letter"),
    ("nettle", {"nettle"}, "a word of the title"),
    ("ease", {"nettle"}, "a word of the text"),
    ("NETTLE", {"nettle"}, "case does not count"),
    ("nettle ease", {"nettle"}, "words of title and text together"),
    ("ease nettle", {"nettle"}, "in any order"),
    ("nettle naïve", frozenset(), "every word counts"),
    ("net", {"nettle"}, "the last word may be a start"),
    ("net tea", frozenset(), "the others may not"),
    ("tea net", {"nettle"}, "the last one again"),
    ("tea nettle tea", {"nettle"}, "a repeated word is one word"),
    ("nettle te nettle", frozenset(), "a start is not a word, wherever it stands"),
    ("te nettle te", frozenset(), "not even where it is also the last"),
    ("ettle", frozenset(), "the middle of a word is no start"),
    ("IL-6", {"il6"}, "a hyphen parts words"),
    ("il6", frozenset(), "and the parts are not one"),
    ("β", {"il6", "emoji"}, "a Greek letter, and its mathematical form"),
    ("𝛽", {"il6", "emoji"}, "the other way round"),
    ("naïve", {"naïve"}, "an accent"),
    ("nai\u0308ve", {"naïve"}, "the same accent as a combining mark"),
    ("naive", frozenset(), "an accent is part of the letter"),
    ("na", {"naïve", "snake"}, "names and naïve both start so"),
    ("strasse", {"naïve"}, "sharp s"),
    ("five", {"naïve"}, "a ligature"),
    ("snake", {"snake"}, "an underscore parts words"),
    ("case", {"snake"}, "on both sides"),
    ("lac_z", {"snake"}, "in queries too"),
    ("咖啡", {"chinese"}, "Chinese by the character"),
    ("睡", {"chinese"}, "one character"),
    ("睡眠 咖", {"chinese"}, "several"),
    ("नींद", {"hindi"}, "Hindi with its vowel signs"),
    ("النوم", {"arabic"}, "Arabic"),
    ("الن", {"arabic"}, "the start of an Arabic word"),
    ("break", {"emoji"}, "separators part words"),
    ("👩‍🚒", frozenset(), "an emoji is no word"),
    ("x" * 150, {"long"}, "a word beyond the limit"),
    ("x" * 400, {"long"}, "is known by its first hundred letters"),
    ("x" * 99, {"long"}, "or by a start"),
    ("y" * 99 + "z", {"long"}, "a word of just the limit"),
    ("w" * 6000, {"long"}, "thousands of letters"),
    ("007", {"digits"}, "zeros in front count"),
    ("7", {"digits"}, "7 is not 007, but stands there too"),
    ("100", {"digits"}, "the start of a number"),
    ("1e3", {"digits"}, "letters and digits mixed"),
    ("tea OR snake", frozenset(), "OR is a word like any other"),
    ("tea AND pain", {"nettle"}, "AND too, and stands in the title"),
    ("NOT tea", {"nettle"}, "so does NOT"),
    ("tea NEAR/2 pain", frozenset(), "NEAR"),
    ('"tea" pain*', {"nettle"}, "quotes and stars are punctuation"),
    ("tokens:tea", frozenset(), "a column filter is two words"),
    ("tea & !pain | (snake)", frozenset(), "PostgreSQL's operators are punctuation"),
    ("te:*", {"nettle"}, "its prefix mark too"),
    ("tea:A", {"nettle"}, "a weight is the start of a word: and"),
    ("tea \\' pain", {"nettle"}, "backslashes"),
    ("tea\0pain", {"nettle"}, "NUL"),
    ("tea \ud800 pain", {"nettle"}, "half a surrogate pair"),
    ("^tea", {"nettle"}, "FTS5's caret"),
    ("%", frozenset(), "percent signs"),
    ("tea " * 3000, {"nettle"}, "a very long query"),
    (" ".join(f"w{n}" for n in range(3000)), frozenset(), "of different words"),
]


@pytest.fixture
def library() -> Corpus:
    corpus: Corpus = CorpusFactory()
    index_documents(
        DocumentFactory(corpus=corpus, external_id=name, title=title, sentences=texts)
        for name, (title, texts) in TEXTS.items()
    )
    return corpus


def found(corpus: Corpus, query: str) -> set[str]:
    hits = search(corpus.documents.all(), query)
    return set(hits.values_list("external_id", flat=True))


def test_the_same_sets_are_found_on_every_database(library: Corpus) -> None:
    wrong = [
        (query[:40], why, found(library, query))
        for query, expected, why in CASES
        if found(library, query) != expected
    ]
    assert wrong == []


WORDS = st.text(st.sampled_from("abß1_'\"*&|:-\\ é\u0301数据𝛽İक्षि"), max_size=12)
ANY_TEXT = WORDS | st.text(max_size=30)


def expected_hits(texts: list[str], query: str) -> set[int]:
    """Return by definition, without any database, which texts a query names."""
    *words, start = [token[:TOKEN_LIMIT] for token in search_tokens(query)]
    hits = set()
    for number, text in enumerate(texts):
        tokens = {token[:TOKEN_LIMIT] for token in search_tokens(text)}
        if tokens.issuperset(words) and any(t.startswith(start) for t in tokens):
            hits.add(number)
    return hits


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(ANY_TEXT, min_size=4, max_size=4), st.data())
def test_any_query_finds_what_its_definition_says(
    texts: list[str], data: st.DataObject
) -> None:
    documents = list(Document.objects.order_by("pk")) or [
        DocumentFactory() for _ in texts
    ]
    for document, text in zip(documents, texts, strict=True):
        document.title, document.sentences = "", [text]
    index_documents(documents)
    parts = st.sampled_from([*texts, *" ".join(texts).split()] or [""])
    query = data.draw(ANY_TEXT | parts | parts.map(lambda p: p[: len(p) // 2]))
    if not search_tokens(query):
        return
    expected = {documents[n].pk for n in expected_hits(texts, query)}
    hits = search(Document.objects.all(), query)
    assert set(hits.values_list("pk", flat=True)) == expected


def test_indexing_again_replaces_what_was_there(library: Corpus) -> None:
    document = library.documents.get(external_id="nettle")
    document.title, document.sentences = "Chamomile", []
    index_documents([document])
    assert found(library, "nettle") == set()
    assert found(library, "chamomile") == {"nettle"}


def test_removed_documents_are_not_found(library: Corpus) -> None:
    gone = library.documents.filter(external_id__in=["nettle", "snake"])
    remove_documents(gone.values_list("pk", flat=True))
    assert found(library, "nettle") == set()
    assert found(library, "il") == {"il6"}


def test_the_index_follows_its_transaction(library: Corpus) -> None:
    document = library.documents.get(external_id="nettle")
    with transaction.atomic():
        remove_documents([document.pk])
        assert found(library, "nettle") == set()
        transaction.set_rollback(True)
    assert found(library, "nettle") == {"nettle"}


def test_a_monstrous_document_is_indexed_up_to_the_limit() -> None:
    # Five megabytes of different words; the first ones are found, on both databases.
    words = [f"w{number:09d}" for number in range(500_000)]
    document = DocumentFactory(title="Monster", sentences=[" ".join(words)])
    index_documents([document])
    hits = Document.objects.all()
    assert search(hits, "monster w000000001").exists()
    assert search(hits, "w000040000").exists()
    assert not search(hits, "w000499999").exists()


def test_it_narrows_what_a_person_may_see_and_never_widens_it() -> None:
    team = make_team(citances=1)
    cited = team.corpus.documents.get()
    other = DocumentFactory(corpus=team.corpus, title=cited.title, position=10**6)
    foreign = DocumentFactory(title=cited.title)
    index_documents([cited, other, foreign])
    assert Membership.objects.get(user=team.annotator).allows(Stage.WRITE)
    seen = visible_documents(team.annotator, team.corpus)
    assert set(search(seen, cited.title)) == {other}
    seen = visible_documents(team.reviewer, team.corpus)
    assert set(search(seen, cited.title)) == {cited, other}


def test_hits_can_be_paged_by_position() -> None:
    corpus = CorpusFactory()
    documents = [
        DocumentFactory(corpus=corpus, position=n, title=("Fern", "Lichen")[n % 2])
        for n in range(10)
    ]
    index_documents(documents)
    hits = search(corpus.documents.order_by("position"), "lichen")
    assert [d.position for d in hits[:2]] == [1, 3]
    assert [d.position for d in hits.filter(position__gt=3)[:2]] == [5, 7]
    assert hits.count() == 5


def test_indexing_costs_two_statements_per_batch(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    documents = [DocumentFactory() for _ in range(30)]
    with django_assert_max_num_queries(2):
        index_documents(documents)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_migration_goes_back_and_forth() -> None:
    table = "corpus_document_search"
    call_command("migrate", "corpus", "0002", verbosity=0)
    assert table not in connection.introspection.table_names()
    call_command("migrate", verbosity=0)
    assert table in connection.introspection.table_names()
