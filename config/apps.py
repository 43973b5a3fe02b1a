"""Wires the parts that must exist in every process, whatever started it."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Makes our Celery application the one that ``shared_task`` uses."""

    name = "config"

    def ready(self) -> None:
        """Load the Celery application once the settings stand."""
        import_module("config.celery")
