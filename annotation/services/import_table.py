"""A group's own spreadsheet: beginning its check and its import."""

from __future__ import annotations

from corpus.jobs import start_job, start_job_once
from corpus.models import Corpus, Job, StoredFile, User

CHECK, IMPORT = "check_documents", "import_documents"


def start_check(
    *,
    corpus: Corpus,
    file: StoredFile,
    mapping: dict[str, str],
    sheet: str,
    owner: User,
) -> Job:
    """Begin the dry run of a file whose columns are known."""
    payload = {
        "corpus": corpus.pk,
        "file": file.pk,
        "mapping": mapping,
        "sheet": sheet or None,
        "next": "annotation:checked_table",
    }
    return start_job(kind=CHECK, owner=owner, payload=payload)


def start_import(*, check: Job) -> Job:
    """Begin the import of what a dry run has checked."""
    payload = check.payload | {"next": "annotation:imported_table"}
    return start_job_once(kind=IMPORT, owner=check.owner, payload=payload)
