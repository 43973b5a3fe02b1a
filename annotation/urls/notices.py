"""Notices of the signed-in person."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import notices

urlpatterns: list[URLPattern | URLResolver] = [
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.read_notices, name="read_notices"),
    path("notices/<int:pk>/open/", notices.open_notice, name="open_notice"),
]
