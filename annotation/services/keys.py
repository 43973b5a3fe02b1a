"""The keys that somebody has chosen."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from annotation.models import KeySettings
from annotation.shortcuts import DEFAULT_KEYS, check_keys
from corpus.exceptions import DomainError
from corpus.models import User


def key_settings(user: User) -> KeySettings:
    """Return what a person has set; the usual keys if nothing."""
    return KeySettings.objects.filter(user=user).first() or KeySettings(user=user)


@transaction.atomic
def change_keys(*, user: User, is_on: bool, keys: Mapping[str, str]) -> KeySettings:
    """Keep a person's keys. No event: nobody else is concerned."""
    problems = check_keys(keys)
    if problems:
        raise DomainError(" ".join(sorted(set(problems.values()))))
    changed = {n: k.lower() for n, k in keys.items() if k.lower() != DEFAULT_KEYS[n]}
    settings, _ = KeySettings.objects.update_or_create(
        user=user, defaults={"is_on": is_on, "keys": changed}
    )
    return settings
