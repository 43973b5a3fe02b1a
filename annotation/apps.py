"""The Django app configuration."""

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """The annotation layer."""

    name = "annotation"
