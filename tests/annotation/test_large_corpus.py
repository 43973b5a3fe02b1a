"""A corpus of 100,000 abstracts: its pages ask by index, not by reading all rows.

What is checked is the plan of the database, since times say little on a shared
machine.
"""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.db.models import QuerySet

from annotation.selectors import corpora as library
from corpus.models import Corpus, Document
from corpus.paging import PAGE_SIZE
from corpus.search import index_documents
from tests.factories import CorpusFactory, DocumentFactory, Team, make_team

SIZE, FIRST = 100_000, 1_000_000
RARE = FIRST + 73_001  # the position of the one abstract with a rare word

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def team(db: None) -> Team:
    team = make_team(citances=1)
    _fill(team.corpus)
    return team


def _fill(corpus: Corpus) -> None:
    """Make 100,000 abstracts by one statement, and others beside them."""
    other: Corpus = CorpusFactory()
    DocumentFactory.create_batch(20, corpus=other)
    fields = Document._meta.concrete_fields
    columns = [str(field.column) for field in fields if not field.primary_key]
    model = DocumentFactory(corpus=corpus, external_id="template", journal="Invented")
    values = {column: column for column in columns}
    values |= {
        "external_id": "'copy-' || n",
        "position": f"n + {FIRST}",
        "title": "'Abstract number ' || n",
        "has_doubts": "n % 1000 = 0",
        "has_abstract": "n % 2000 <> 1",
    }
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO corpus_document ({", ".join(columns)})
            WITH RECURSIVE numbers(n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {SIZE}
            )
            SELECT {", ".join(values[column] for column in columns)}
            FROM numbers, corpus_document WHERE id = {model.pk}
            """  # noqa: S608
        )
    rare = Document.objects.get(corpus=corpus, position=RARE)
    rare.title = "Zanthoxylum for knees"
    rare.save()
    index_documents(Document.objects.filter(corpus=corpus).iterator(chunk_size=2000))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # As the daily vacuum does, which cannot run inside a transaction.
            cursor.execute(
                "SELECT gin_clean_pending_list('corpus_document_search_tokens')"
            )
        cursor.execute("ANALYZE")


def reads_all_rows(rows: QuerySet[Document]) -> bool:
    """Whether the database would go through the table of abstracts row by row."""
    plan = rows.explain()
    if connection.vendor == "postgresql":
        return "Seq Scan on corpus_document " in plan
    return re.search(r"SCAN corpus_document\b(?!_)", plan) is not None


def page_of(rows: QuerySet[Document], after: int) -> QuerySet[Document]:
    """What ``keyset_page`` asks for."""
    return rows.filter(position__gt=after).order_by("position")[: PAGE_SIZE + 1]


def test_pages_lists_and_search_go_by_index(team: Team) -> None:
    corpus, admin, writer = team.corpus, team.admin, team.annotator
    late, early = FIRST + SIZE - 200, FIRST + 500
    asked = {
        "a late page": page_of(library.found_documents(admin, corpus, ""), late),
        "a writer's": page_of(library.found_documents(writer, corpus, ""), late),
        "a rare word": page_of(library.found_documents(admin, corpus, "zanthox"), 0),
        "a common word": page_of(library.found_documents(admin, corpus, "number"), 0),
        "no abstract": page_of(library.without_abstract(admin, corpus), early),
        "doubtful": page_of(library.doubtful(admin, corpus), early),
    }
    slow = [name for name, rows in asked.items() if reads_all_rows(rows)]
    assert slow == []
    found = {name: len(rows) for name, rows in asked.items()}
    # 50 of the 100,000 have no abstract and 100 are doubtful: see ``_fill``.
    assert found == {
        "a late page": 51,
        "a writer's": 51,
        "a rare word": 1,
        "a common word": 51,
        "no abstract": 49,
        "doubtful": 51,
    }


def test_the_check_would_see_a_scan() -> None:
    assert reads_all_rows(Document.objects.filter(journal="no index for this"))
