"""Every address of the site."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from annotation.api.docs import api_docs
from config import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("api/docs/", api_docs, name="api_docs"),
    # First: the last address of the other answers for all that are unknown.
    path("api/v1/", include("verification.api.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("corpus.urls")),
    path("", include("annotation.urls")),
    path("", include("verification.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"
