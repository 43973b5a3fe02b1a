"""Sending a stored file."""

from __future__ import annotations

from django.http import FileResponse, Http404

from corpus.models import StoredFile


def send_file(stored: StoredFile) -> FileResponse:
    """Send a file to be saved, never shown by the browser; 404 if it is gone."""
    try:
        content = stored.file.open("rb")
    except FileNotFoundError:
        raise Http404("This file is no longer kept.") from None
    return FileResponse(
        content,
        as_attachment=True,
        filename=stored.name,
        content_type="application/octet-stream",
        headers={"X-Content-Type-Options": "nosniff"},
    )
