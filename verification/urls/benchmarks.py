"""Addresses of the list of benchmarks and of a benchmark's own page."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.views import benchmarks

urlpatterns: list[URLPattern] = [
    path("benchmarks/", benchmarks.list_benchmarks, name="benchmarks"),
    path("benchmarks/<slug:slug>/", benchmarks.benchmark, name="benchmark"),
    path(
        "benchmarks/<slug:slug>/files/<str:token>/",
        benchmarks.download_file,
        name="benchmark_file",
    ),
]
