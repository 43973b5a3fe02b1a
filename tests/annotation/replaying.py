"""The state that the tables hold, in the shape in which replayed events give it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Model

from annotation.models import (
    Acceptance,
    Adjudication,
    Claim,
    Comment,
    ConsentText,
    Disagreement,
    EarlyAnswer,
    Guideline,
    Invitation,
    Judgement,
    Membership,
    Notice,
    Pair,
    Project,
    Question,
    ReannotationSample,
    Review,
    SavedFilter,
    Skip,
    Source,
    Split,
    Study,
    SuggestionOffer,
    Verdict,
    WorkSession,
)
from annotation.replay import replay
from corpus.events import column_values
from corpus.models import (
    Article,
    Citance,
    Citation,
    Corpus,
    Document,
    Event,
    Passage,
)

MODELS: tuple[type[Model], ...] = (
    Acceptance,
    Adjudication,
    Claim,
    Comment,
    ConsentText,
    Disagreement,
    EarlyAnswer,
    Guideline,
    Invitation,
    Judgement,
    Membership,
    Notice,
    Pair,
    Project,
    Question,
    ReannotationSample,
    Review,
    SavedFilter,
    Skip,
    Source,
    Split,
    Study,
    SuggestionOffer,
    Verdict,
    WorkSession,
)
# The texts; tests that make them by factories leave them out.
LIBRARY: tuple[type[Model], ...] = (
    Article,
    Citance,
    Citation,
    Corpus,
    Document,
    Passage,
)
# Counters that only hand out numbers are not state that a person made.
# Nor is when somebody last moved: it only says when a forgotten session ends.
NOT_STATE = {"claim_counter", "last_activity_at"}


def _row(obj: Model) -> dict[str, Any]:
    values = column_values(obj)
    if isinstance(obj, Judgement):
        values["rationales"] = [
            {"sentences": r.sentences, "roles": r.roles}
            for r in obj.rationales.order_by("ordinal")
        ]
    if isinstance(obj, Claim):
        cited = obj.citations.order_by("ordinal")
        values["cited"] = list(cited.values_list("document_id", flat=True))
    if isinstance(obj, ReannotationSample):
        values["pairs"] = list(
            obj.sampled.order_by("pair").values_list("pair", flat=True)
        )
    return {k: v for k, v in values.items() if k not in NOT_STATE}


def _told(values: dict[str, Any]) -> dict[str, Any]:
    told = {k: v for k, v in values.items() if k not in NOT_STATE}
    if "family" in told:  # a claim that nobody has approved yet cites nothing
        told.setdefault("cited", [])
    return told


def table_state(models: Iterable[type[Model]]) -> dict[str, dict[int, dict[str, Any]]]:
    """Every row of every noun that has events."""
    return {
        str(model._meta.model_name): {
            obj.pk: _row(obj) for obj in model._default_manager.all()
        }
        for model in models
    }


def assert_events_rebuild_the_tables(*more: type[Model]) -> None:
    """Replay all events and compare with the tables, row by row."""
    replayed = replay(Event.objects.order_by("id"))
    assert replayed.contradictions == []
    for noun, rows in table_state((*MODELS, *more)).items():
        rebuilt = {pk: _told(values) for pk, values in replayed.objects[noun].items()}
        assert rebuilt.keys() == rows.keys(), noun
        for pk, row in rows.items():
            assert rebuilt[pk] == row, f"{noun} {pk}"
