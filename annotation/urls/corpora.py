"""Corpora, abstracts and citances."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import citances, corpora, documents, tables

urlpatterns: list[URLPattern | URLResolver] = [
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/new/", corpora.new_corpus, name="new_corpus"),
    path("corpora/<slug:slug>/", corpora.corpus, name="corpus"),
    path("corpora/<slug:slug>/edit/", corpora.edit_corpus, name="edit_corpus"),
    path(
        "corpora/<slug:slug>/documents/new/",
        documents.new_document,
        name="new_document",
    ),
    path(
        "corpora/<slug:slug>/documents/<int:document_id>/",
        documents.document,
        name="document",
    ),
    path(
        "corpora/<slug:slug>/documents/<int:document_id>/text/",
        documents.fill_abstract,
        name="fill_abstract",
    ),
    path(
        "corpora/<slug:slug>/documents/<int:document_id>/boundaries/",
        documents.change_boundaries,
        name="change_boundaries",
    ),
    path(
        "corpora/<slug:slug>/missing/",
        documents.missing_abstracts,
        name="missing_abstracts",
    ),
    path(
        "corpora/<slug:slug>/boundaries/",
        documents.doubtful_boundaries,
        name="doubtful_boundaries",
    ),
    path("corpora/<slug:slug>/tables/", tables.upload_table, name="upload_table"),
    path(
        "corpora/<slug:slug>/tables/<str:token>/",
        tables.map_columns,
        name="map_columns",
    ),
    path(
        "corpora/<slug:slug>/tables/<str:token>/check/",
        tables.checked_table,
        name="checked_table",
    ),
    path(
        "corpora/<slug:slug>/tables/<str:token>/imported/",
        tables.imported_table,
        name="imported_table",
    ),
    path(
        "corpora/<slug:slug>/citances/new/", citances.new_citances, name="new_citances"
    ),
]
