"""The label codes for the database."""

from __future__ import annotations

from django.db import models

from corpus import records


class LabelCode(models.TextChoices):
    """The labels of ``corpus.records`` for the database."""

    SUPPORT = records.Label.SUPPORT.value, "SUPPORT"
    CONTRADICT = records.Label.CONTRADICT.value, "CONTRADICT"
    NOT_ENOUGH_INFO = records.Label.NOT_ENOUGH_INFO.value, "NOT ENOUGH INFO"
    MIXED = records.Label.MIXED.value, "MIXED"
