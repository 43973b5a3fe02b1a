"""Private files are kept whole or not at all, and never under their own name."""

from __future__ import annotations

import hashlib
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db import DatabaseError, models, transaction
from pytest_django import Settings

from corpus.exceptions import DomainError
from corpus.files import store_path, store_upload
from corpus.models import StoredFile, User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _media(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def kept(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "media").rglob("*") if path.is_file()]


def test_an_upload_is_kept_byte_by_byte_with_its_checksum(owner: User) -> None:
    content = bytes(range(256)) * 1000
    upload = SimpleUploadedFile("claims.jsonl", content)
    stored = store_upload(upload=upload, owner=owner, project_id=7)
    stored.refresh_from_db()
    with stored.file.open("rb") as file:
        assert file.read() == content
    assert stored.sha256 == hashlib.sha256(content).hexdigest()
    assert (stored.size, stored.project_id) == (len(content), 7)
    assert stored.name == "claims.jsonl"
    assert "claims" not in str(stored.file.name)


def test_a_file_of_ours_is_copied(owner: User, tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_bytes(b"a,b\r\n")
    stored = store_path(path=path, name="claims of Herbal.csv", owner=owner)
    with stored.file.open("rb") as file:
        assert file.read() == b"a,b\r\n"
    assert path.exists()
    assert stored.name == "claims of Herbal.csv"


@pytest.mark.parametrize(
    ("size", "is_kept"), [(0, True), (1000, True), (1001, False), (200_000, False)]
)
def test_the_limit_is_stated_and_nothing_above_it_is_kept(
    owner: User, settings: Settings, tmp_path: Path, size: int, is_kept: bool
) -> None:
    settings.UPLOAD_LIMIT_BYTES = 1000
    upload = SimpleUploadedFile("big.jsonl", b"x" * size)
    if is_kept:
        assert store_upload(upload=upload, owner=owner).size == size
        return
    with pytest.raises(DomainError, match="may have up to 1,000 bytes"):
        store_upload(upload=upload, owner=owner)
    assert not StoredFile.objects.exists()
    assert kept(tmp_path) == []


def test_a_file_that_is_larger_than_it_said_is_not_kept(
    owner: User, settings: Settings, tmp_path: Path
) -> None:
    settings.UPLOAD_LIMIT_BYTES = 100_000
    upload = SimpleUploadedFile("liar.jsonl", b"x" * 200_000)
    upload.size = 5
    with pytest.raises(DomainError, match="100,000 bytes"):
        store_upload(upload=upload, owner=owner)
    assert kept(tmp_path) == []


def test_the_limit_in_use_is_stated_in_megabytes(
    owner: User, settings: Settings
) -> None:
    upload = SimpleUploadedFile("big.jsonl", b"x")
    upload.size = settings.UPLOAD_LIMIT_BYTES + 1
    with pytest.raises(DomainError, match=r"up to 1,024 MB\."):
        store_upload(upload=upload, owner=owner)


@pytest.mark.parametrize(
    "error", [DatabaseError("gone"), KeyboardInterrupt()], ids=["database", "stopped"]
)
def test_a_file_whose_row_cannot_be_written_is_taken_back(
    owner: User,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(models.Model, "save", fail)
    with pytest.raises(type(error)):
        store_upload(upload=SimpleUploadedFile("a.csv", b"x"), owner=owner)
    assert kept(tmp_path) == []


def test_an_upload_that_breaks_off_leaves_nothing(owner: User, tmp_path: Path) -> None:
    class Broken(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell():
                raise OSError("disk error")
            return super().read(size)

    content = Broken(b"x" * 200_000)
    upload = UploadedFile(content, "broken.csv", size=200_000)
    with pytest.raises(OSError, match="disk error"):
        store_upload(upload=upload, owner=owner)
    assert kept(tmp_path) == []


@pytest.mark.django_db(transaction=True)
def test_a_file_is_not_stored_inside_a_transaction_that_may_fail(
    owner: User, tmp_path: Path
) -> None:
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        store_upload(upload=SimpleUploadedFile("a.csv", b"x"), owner=owner)
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "kept_as"),
    [
        ("Ärzte 数据.csv", "Ärzte 数据.csv"),
        ("../../etc/passwd", "passwd"),
        ("a\0b.csv", "ab.csv"),
        ("x" * 300 + ".jsonl", "x" * 249 + ".jsonl"),
        ("", "file"),
    ],
)
def test_the_name_is_kept_as_far_as_it_is_a_name(
    owner: User, tmp_path: Path, name: str, kept_as: str
) -> None:
    path = tmp_path / "made.bin"
    path.write_bytes(b"x")
    stored = store_path(path=path, name=name, owner=owner)
    stored.refresh_from_db()
    assert stored.name == kept_as
    assert len(kept(tmp_path)) == 1
