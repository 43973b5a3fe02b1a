"""The addresses of jobs and private files."""

from __future__ import annotations

from django.urls import path

from corpus import views

app_name = "corpus"
urlpatterns = [
    path("jobs/<str:token>/", views.job, name="job"),
    path("jobs/<str:token>/cancel/", views.cancel_job, name="cancel_job"),
    path("files/<str:token>/", views.download_file, name="download_file"),
]
