"""The addresses of projects, people, corpora and work; one module per area."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from annotation.urls import (
    corpora,
    days,
    drafts,
    notices,
    oversight,
    people,
    projects,
    questions,
    queue,
    reviewing,
    transfers,
    verifying,
    work,
    writing,
)

app_name = "annotation"
urlpatterns: list[URLPattern | URLResolver] = [
    *projects.urlpatterns,
    *people.urlpatterns,
    *notices.urlpatterns,
    *oversight.urlpatterns,
    *days.urlpatterns,
    *corpora.urlpatterns,
    *transfers.urlpatterns,
    *writing.urlpatterns,
    *work.urlpatterns,
    *questions.urlpatterns,
    *reviewing.urlpatterns,
    *drafts.urlpatterns,
    *queue.urlpatterns,
    *verifying.urlpatterns,
]
