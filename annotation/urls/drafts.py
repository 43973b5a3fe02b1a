"""Drafts of forms."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import drafts

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "projects/<slug:slug>/drafts/<str:kind>/<int:item_id>/",
        drafts.draft,
        name="draft",
    ),
]
