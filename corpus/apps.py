"""The Django app configuration."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """The corpus layer."""

    name = "corpus"
