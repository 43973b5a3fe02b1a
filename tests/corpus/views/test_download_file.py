"""Private files go to their owners, as downloads."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpus.files import store_upload
from corpus.models import StoredFile, User
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def stored(owner: User, settings: Settings, tmp_path: Path) -> StoredFile:
    settings.MEDIA_ROOT = tmp_path
    upload = SimpleUploadedFile("Größe.html", b"<script>alert(1)</script>")
    return store_upload(upload=upload, owner=owner)


def url(stored: StoredFile) -> str:
    return reverse("corpus:download_file", args=[stored.token])


def test_the_owner_gets_the_bytes_and_no_browser_runs_them(
    client: Client, owner: User, stored: StoredFile
) -> None:
    client.force_login(owner)
    response = client.get(url(stored))
    assert b"".join(response.streaming_content) == b"<script>alert(1)</script>"  # type: ignore[attr-defined]
    assert response["Content-Disposition"] == (
        "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.html"
    )
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Length"] == "25"
    assert "no-store" in response["Cache-Control"]


def test_nobody_else_gets_it(client: Client, stored: StoredFile) -> None:
    assert client.get(url(stored)).status_code == 302
    client.force_login(UserFactory(is_staff=True))
    assert client.get(url(stored)).status_code == 404


def test_a_file_that_is_gone_is_not_found(
    client: Client, owner: User, stored: StoredFile
) -> None:
    stored.file.storage.delete(str(stored.file.name))
    client.force_login(owner)
    assert client.get(url(stored)).status_code == 404


def test_it_is_only_read(client: Client, owner: User, stored: StoredFile) -> None:
    client.force_login(owner)
    assert client.post(url(stored)).status_code == 405
