"""Import and export of a project or corpus."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import exports, transfers

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "corpora/<slug:slug>/import/",
        transfers.import_documents,
        name="import_documents",
    ),
    path(
        "corpora/<slug:slug>/import/<str:token>/",
        transfers.import_of_documents,
        name="import_of_documents",
    ),
    path(
        "corpora/<slug:slug>/articles/import/",
        transfers.import_articles,
        name="import_articles",
    ),
    path(
        "corpora/<slug:slug>/articles/import/<str:token>/",
        transfers.import_of_articles,
        name="import_of_articles",
    ),
    path(
        "corpora/<slug:slug>/export/",
        exports.export_documents,
        name="export_documents",
    ),
    path("projects/<slug:slug>/import/", transfers.import_claims, name="import_claims"),
    path(
        "projects/<slug:slug>/import/<str:token>/",
        transfers.import_of_claims,
        name="import_of_claims",
    ),
    path("projects/<slug:slug>/export/", exports.export_claims, name="export_claims"),
]
