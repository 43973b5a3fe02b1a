"""The lowest layer's tables: people, jobs, files, events, and the library of texts."""

from corpus.models.events import Event
from corpus.models.jobs import Job, StoredFile
from corpus.models.library import (
    Article,
    Citance,
    Citation,
    Corpus,
    Distractor,
    Document,
    Passage,
)
from corpus.models.people import ApiToken, User

__all__ = [
    "ApiToken",
    "Article",
    "Citance",
    "Citation",
    "Corpus",
    "Distractor",
    "Document",
    "Event",
    "Job",
    "Passage",
    "StoredFile",
    "User",
]
