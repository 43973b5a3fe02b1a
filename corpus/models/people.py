"""People and the tokens that act for them."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone


def new_pseudonym() -> str:
    """Return an opaque name under which a person's work can be kept."""
    return f"person-{secrets.token_hex(4)}"


class User(AbstractUser):
    """Somebody with an account. Never deleted: deactivated, or the identity erased."""

    pseudonym = models.CharField(max_length=40, unique=True, default=new_pseudonym)
    time_zone = models.CharField(max_length=64, default="UTC")
    # A daily mail with what is new, where the site has a mail server.
    wants_mail_digest = models.BooleanField(default=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                condition=~Q(email=""),
                name="user_email_unique",
                violation_error_message="Somebody already uses this address.",
            )
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """The name that other members see."""
        if self.erased_at:
            return self.pseudonym
        return self.get_full_name() or self.username


class ApiToken(models.Model):
    """A revocable key of one person for the API. Only its hash is kept."""

    class Scope(models.TextChoices):
        READ = "read", "Read projects and corpora"
        WRITE = "write", "Write claims, judgements and reviews"
        IMPORT = "import", "Import files"
        SUBMIT = "submit", "Upload, submit and publish predictions"
        ADMIN = "admin", "Change projects, members and guidelines"

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=80)
    key_hash = models.CharField(max_length=64, unique=True)
    key_start = models.CharField(max_length=12)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.key_start}…)"

    @property
    def is_expired(self) -> bool:
        """Whether the time of the token is over."""
        return self.expires_at is not None and self.expires_at <= timezone.now()
