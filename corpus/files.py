"""Private files: taken in as a stream, measured on the way, never half kept."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePath
from typing import IO, Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.files.base import File
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import QuerySet

from corpus.exceptions import DomainError
from corpus.models import StoredFile, User
from corpus.models.jobs import stored_file_path

NAME_LIMIT = 255
MEBIBYTE = 1024 * 1024


class _MeasuredFile(File):  # type: ignore[type-arg]
    """A file that is hashed and counted while it is copied."""

    def __init__(self, file: IO[Any], name: str, limit: int | None) -> None:
        super().__init__(file, name)
        self.hash = sha256()
        self.read_bytes = 0
        self.limit = limit

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        for chunk in super().chunks(chunk_size):
            self.hash.update(chunk)
            self.read_bytes += len(chunk)
            if self.limit is not None and self.read_bytes > self.limit:
                raise DomainError(_too_large(self.limit))
            yield chunk


def _too_large(limit: int) -> str:
    size = f"{limit / MEBIBYTE:,.0f} MB" if limit >= MEBIBYTE else f"{limit:,} bytes"
    return f"This file is too large: one file may have up to {size}."


def store_upload(
    *, upload: UploadedFile[Any], owner: User, project_id: int | None = None
) -> StoredFile:
    """Keep an uploaded file of at most ``UPLOAD_LIMIT_BYTES``.

    Not to be called inside a transaction: the file could not be taken back when
    that one fails.
    """
    limit = settings.UPLOAD_LIMIT_BYTES
    if upload.size is not None and upload.size > limit:
        raise DomainError(_too_large(limit))
    if upload.file is None:
        raise DomainError("No file arrived. Please choose it again.")
    content = _MeasuredFile(upload.file, upload.name or "", limit)
    return _store(content, owner, project_id)


def store_path(
    *, path: Path, name: str, owner: User, project_id: int | None = None
) -> StoredFile:
    """Keep a copy of a file that we made. Not to be called inside a transaction."""
    with path.open("rb") as file:
        return _store(_MeasuredFile(file, name, None), owner, project_id)


def _store(content: _MeasuredFile, owner: User, project_id: int | None) -> StoredFile:
    stored = StoredFile(
        name=_short_name(content.name or ""), owner=owner, project_id=project_id
    )
    storage = stored.file.storage
    wanted = stored_file_path(stored, stored.name)
    try:
        stored.file.name = storage.save(wanted, content)
        stored.sha256 = content.hash.hexdigest()
        stored.size = content.read_bytes
        with transaction.atomic(durable=True):
            stored.save()
    except BaseException:
        # The token in the name is ours alone, so nothing else can lie there.
        storage.delete(wanted)
        raise
    return stored


def _short_name(name: str) -> str:
    """Return the file's name without folders, short enough to be kept."""
    name = PurePath(name.replace("\0", "")).name or "file"
    suffix = PurePath(name).suffix[:20]
    if len(name) <= NAME_LIMIT:
        return name
    return name[: NAME_LIMIT - len(suffix)] + suffix


def discard_file(*, stored: StoredFile) -> None:
    """Delete a file that nothing names. Not to be called inside a transaction."""
    storage, name = stored.file.storage, str(stored.file.name)
    stored.delete()
    storage.delete(name)


def visible_files(user: User | AnonymousUser) -> QuerySet[StoredFile]:
    """Return the files that a user may download: their own."""
    if not isinstance(user, User):
        return StoredFile.objects.none()
    return StoredFile.objects.filter(owner=user)
