"""A check as its page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone

from annotation.access import visible_documents
from corpus import live
from corpus.models import User
from verification.access import AnyUser
from verification.evidence import Answer
from verification.evidence_layout import Layout, lay_out, searched_words
from verification.models import UNKEPT_FOR, FactCheck, Plausibility

State = FactCheck.State
STEPS = (
    (State.RETRIEVED, "Abstracts found"),
    (State.SELECTED, "Rationales highlighted"),
    (State.DONE, "Labels given"),
)
_REACHED = {State.RETRIEVED: 1, State.SELECTED: 2, State.DONE: 3}


@dataclass(frozen=True, slots=True)
class Step:
    """A stage of the work, and whether it is over."""

    words: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class CheckPage:
    """What somebody sees of a check.

    ``marks`` are the reader's own: nobody sees what other experts think. ``places``
    are the addresses of our own pages of the abstracts, as far as they still exist.
    """

    check: FactCheck
    answer: Answer
    layout: Layout
    marks: dict[str, bool]
    places: dict[str, str]
    is_askers: bool

    @property
    def steps(self) -> list[Step]:
        """The stages in their order."""
        reached = _REACHED.get(State(self.check.state), 0)
        return [
            Step(words, number <= reached)
            for number, (_, words) in enumerate(STEPS, start=1)
        ]

    @property
    def searched(self) -> str:
        """What was searched, in words; nothing before it is known."""
        return searched_words(self.answer) if self.answer.searched else ""

    @property
    def is_invented(self) -> bool:
        """Whether the abstracts are those of a demonstration."""
        return self.answer.is_demo or self.check.corpus.is_demo

    @property
    def is_worker_missing(self) -> bool:
        """Whether nobody is there to go on with the work."""
        return not self.check.is_finished and not live.workers_alive(live.ML_QUEUE)

    @property
    def seen(self) -> str:
        """What the page shows now; a poll that brings the same changes nothing."""
        return f"{self.check.state}-{'waits' if self.is_worker_missing else 'works'}"

    @property
    def vanishes_at(self) -> datetime:
        """When the answer is removed unless somebody keeps it."""
        return self.check.asked_at + UNKEPT_FOR

    @property
    def can_be_released(self) -> bool:
        """Whether the permalink can still be taken back, unless it was marked."""
        is_single = self.check.kept_at is not None and self.check.batch_id is None
        return self.is_askers and is_single and timezone.now() < self.vanishes_at


def check_page(check: FactCheck, reader: AnyUser | None) -> CheckPage:
    """Return a check for a reader; without one, as a file shows it."""
    answer = Answer.from_json(check.result)
    return CheckPage(
        check=check,
        answer=answer,
        layout=lay_out(answer),
        marks=own_marks(reader, check) if reader else {},
        places=_places(check, answer, reader) if reader else {},
        is_askers=check.is_asked_by(reader if isinstance(reader, User) else None),
    )


def own_marks(reader: AnyUser, check: FactCheck) -> dict[str, bool]:
    """Return what the reader finds plausible and not, by the abstracts' ids."""
    if not reader.is_authenticated or check.kept_at is None:
        return {}
    rows = Plausibility.objects.filter(check_of=check, rater=reader)
    return dict(rows.values_list("document", "is_plausible"))


def _places(check: FactCheck, answer: Answer, reader: AnyUser) -> dict[str, str]:
    ids = _ids(answer)
    rows = visible_documents(reader, check.corpus).filter(external_id__in=ids)
    return {
        external_id: reverse("annotation:document", args=[check.corpus.slug, pk])
        for external_id, pk in rows.values_list("external_id", "pk")
    }


def _ids(answer: Answer) -> Iterable[str]:
    return {found.document for found in answer.abstracts}
