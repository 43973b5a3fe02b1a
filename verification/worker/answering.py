"""Answering checks of one corpus and one system together, stage by stage.

Each stage asks its model once for all claims, and what it finds is written before
the next begins, so that a page fills while the work goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError

from corpus.exceptions import DomainError
from corpus.job_runner import OUR_FAULT
from corpus.models import Corpus, Document
from corpus.records import Claim, ExternalId, Label
from verification.evidence import Answer, FoundAbstract
from verification.installed_systems import installed_system
from verification.models import FactCheck
from verification.pipeline import together
from verification.pipeline.label import shown_label
from verification.pipeline.stages import (
    Judged,
    Pipeline,
    Retrieved,
    Selected,
)
from verification.pipeline.systems import System
from verification.selectors.searched import found_documents
from verification.services.check_leases import fail_checks, save_stage
from verification.services.evidence import require_public
from verification.worker.rounding import DIGITS, rounded
from verification.worker.warm import WARM

logger = logging.getLogger(__name__)

State = FactCheck.State
Entry = TypeVar("Entry")


def answer_checks(checks: Sequence[FactCheck]) -> None:
    """Answer checks that are held and share corpus and system; all of them end.

    Whatever was not foreseen is tried again for each claim alone, so that a claim
    cannot fail those that came with it.
    """
    try:
        _answer(checks)
    except DomainError as error:
        fail_checks(checks=checks, error=str(error))
    except (OperationalError, SoftTimeLimitExceeded):
        raise
    except Exception:
        if len(checks) > 1:
            logger.exception("claims are answered one by one")
            for check in checks:
                answer_checks([check])
            return
        logger.exception("the check %s failed", checks[0].token)
        fail_checks(checks=checks, error=f"{OUR_FAULT} {checks[0].token}.")


def _answer(checks: Sequence[FactCheck]) -> None:
    corpus = checks[0].corpus
    corpus.refresh_from_db(fields=["visibility", "version"])
    require_public(corpus)
    _Answering.begin(corpus, checks).run()


@dataclass(slots=True)
class _Answering:
    """Checks on their way through a pipeline."""

    corpus: Corpus
    checks: Sequence[FactCheck]
    system: System
    pipeline: Pipeline
    answers: list[Answer]

    @classmethod
    def begin(cls, corpus: Corpus, checks: Sequence[FactCheck]) -> _Answering:
        """Load what is not yet in memory."""
        installed = installed_system(checks[0].system)
        pipeline = WARM.pipeline(corpus, installed)
        warm = WARM.corpus(corpus)
        for check in checks:
            check.corpus_version = warm.version
            check.system_digest = installed.digest
        empty = Answer(len(warm.documents), warm.newest, corpus.is_demo)
        answers = [empty for _ in checks]
        return cls(corpus, checks, WARM.system(installed), pipeline, answers)

    def run(self) -> None:
        """Do the three stages, and keep nothing of what was asked in memory."""
        claims = [
            Claim(ExternalId(check.token), check.claim, is_labelled=False)
            for check in self.checks
        ]
        try:
            self._do_stages(claims)
        finally:
            self.system.forget()

    def _do_stages(self, claims: Sequence[Claim]) -> None:
        found = together.retrieve_all(self.pipeline, claims)
        self._describe(found)
        self._save(State.RETRIEVED)
        selected = together.select_all(self.pipeline, claims, found)
        self._add_to_abstracts(selected, _with_rationale)
        self._save(State.SELECTED)
        judged = together.label_all(self.pipeline, claims, selected)
        self._add_to_abstracts(judged, self._with_label)
        self._save(State.DONE)

    def _save(self, state: FactCheck.State) -> None:
        for check, answer in zip(self.checks, self.answers, strict=True):
            check.result = answer.to_json()
        save_stage(checks=self.checks, state=state)

    def _describe(self, found: Sequence[Sequence[Retrieved]]) -> None:
        """Put the abstracts into the answers as they are in the database now."""
        names = {entry.document.id.text for entries in found for entry in entries}
        rows = found_documents(self.corpus, names)
        self.answers = [
            replace(
                answer,
                abstracts=tuple(
                    _found_abstract(entry, rows[entry.document.id.text])
                    for entry in entries
                ),
            )
            for answer, entries in zip(self.answers, found, strict=True)
        ]

    def _add_to_abstracts(
        self,
        entries: Sequence[Sequence[Entry]],
        add: Callable[[FoundAbstract, Entry], FoundAbstract],
    ) -> None:
        self.answers = [
            replace(answer, abstracts=tuple(map(add, answer.abstracts, row)))
            for answer, row in zip(self.answers, entries, strict=True)
        ]

    def _with_label(self, abstract: FoundAbstract, judged: Judged) -> FoundAbstract:
        is_shown = (
            judged.label is Label.NOT_ENOUGH_INFO
            or shown_label(judged, self.system.abstain_below) is not None
        )
        return replace(
            abstract,
            label=str(judged.label) if is_shown else "",
            # Without a sentence nothing was predicted: there is no probability.
            probabilities=tuple(rounded(judged.probabilities))
            if judged.sentences
            else (),
            is_abstaining=not is_shown,
        )


def _found_abstract(entry: Retrieved, row: Document) -> FoundAbstract:
    """Return what the models read, with what the row says about it."""
    return FoundAbstract(
        document=entry.document.id.text,
        title=entry.document.title,
        sentences=entry.document.sentences,
        retrieval_score=round(entry.score, DIGITS),
        journal=row.journal,
        published=row.published,
        doi=row.doi,
        pmid=row.pmid,
        url=row.url,
        authors=tuple(row.authors),
        retraction=row.retraction,
    )


def _with_rationale(abstract: FoundAbstract, selected: Selected) -> FoundAbstract:
    return replace(
        abstract, chosen=selected.sentences, scores=tuple(rounded(selected.scores))
    )
