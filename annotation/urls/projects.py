"""The dashboard, projects, their settings and texts."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import guidelines, projects

urlpatterns: list[URLPattern | URLResolver] = [
    path("", projects.dashboard, name="dashboard"),
    path("projects/", projects.list_projects, name="projects"),
    path("projects/new/", projects.new_project, name="new_project"),
    path(
        "projects/new/<str:protocol>/", projects.create_project, name="create_project"
    ),
    path("projects/<slug:slug>/", projects.project, name="project"),
    path(
        "projects/<slug:slug>/settings/",
        projects.project_settings,
        name="project_settings",
    ),
    path(
        "projects/<slug:slug>/archive/",
        projects.archive_project,
        name="archive_project",
    ),
    path(
        "projects/<slug:slug>/restore/",
        projects.restore_project,
        name="restore_project",
    ),
    path("projects/<slug:slug>/guideline/", guidelines.guideline, name="guideline"),
    path(
        "projects/<slug:slug>/guideline/publish/",
        guidelines.publish_guideline,
        name="publish_guideline",
    ),
    path("projects/<slug:slug>/consent/", guidelines.consent_text, name="consent_text"),
    path(
        "projects/<slug:slug>/consent/publish/",
        guidelines.publish_consent_text,
        name="publish_consent_text",
    ),
    path("projects/<slug:slug>/preview/", guidelines.preview_text, name="preview_text"),
    path("projects/<slug:slug>/accept/", guidelines.accept_texts, name="accept_texts"),
]
