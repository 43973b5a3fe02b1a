"""A longer list of new entries in front of PostgreSQL's search index.

New entries wait in a list, which each search reads, until it is full or autovacuum
comes by (within a minute of a large import); merging the usual 4 MB in the middle of
an import takes a quarter of its time.
"""

from typing import Any

from django.db import migrations

INDEX = "corpus_document_search_tokens"


def lengthen(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            f"ALTER INDEX {INDEX} SET (gin_pending_list_limit = 65536)"
        )


def shorten(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER INDEX {INDEX} RESET (gin_pending_list_limit)")


class Migration(migrations.Migration):
    dependencies = [("corpus", "0005_mail_digest")]
    operations = [migrations.RunPython(lengthen, shorten)]
