"""The Django app configuration."""

from django.apps import AppConfig


class VerificationConfig(AppConfig):
    """The verification layer."""

    name = "verification"
