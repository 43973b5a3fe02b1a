"""The search index: FTS5 on SQLite, tsvector on PostgreSQL.

Both hold our own tokens, so that they find the same. FTS5's ``ascii`` tokenizer
takes every character outside ASCII for part of a word and thus splits at our
spaces only; PostgreSQL gets a list of tokens, without any parser.
"""

from typing import Any

from django.db import migrations

CREATE = {
    "sqlite": (
        "CREATE VIRTUAL TABLE corpus_document_search "
        "USING fts5(tokens, tokenize='ascii', detail='none', prefix='1 2 3')",
    ),
    "postgresql": (
        "CREATE TABLE corpus_document_search "
        "(document_id bigint PRIMARY KEY, tokens tsvector NOT NULL)",
        "CREATE INDEX corpus_document_search_tokens "
        "ON corpus_document_search USING gin (tokens)",
    ),
}


def create(apps: Any, schema_editor: Any) -> None:
    for statement in CREATE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def drop(apps: Any, schema_editor: Any) -> None:
    schema_editor.execute("DROP TABLE corpus_document_search")


class Migration(migrations.Migration):
    dependencies = [("corpus", "0002_job_wishes_live_in_the_cache")]
    operations = [migrations.RunPython(create, drop)]
