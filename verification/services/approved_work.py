"""What a project's approved claims teach: for training, on the server's own command.

Hidden gold stays out: a claim that reads as one of any hidden gold set is left out,
whoever wrote it, and counted.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.models import Project
from annotation.selectors.records import claim_records, document_records
from annotation.services.exports import ClaimSelection
from corpus.models import Corpus
from corpus.records import Claim, Document
from verification.models import GoldSet
from verification.pipeline.label_baselines import texts_of_rows
from verification.pipeline.trained_on import TrainedOn
from verification.pipeline.training_data import Example, from_claim
from verification.services.phase_files import format_of, stored_claims
from verification.services.scoring import stored_source

BATCH = 500


@dataclass(frozen=True, slots=True)
class ApprovedWork:
    """Approved claims with their abstracts, and how many stay out as hidden gold."""

    claims: Sequence[Claim]
    documents: dict[str, Document]
    n_hidden: int

    def examples(self, task: str, seed: int) -> list[Example]:
        """Return what the claims teach for a task (``label`` or ``rationale``)."""
        chance = random.Random(seed)  # noqa: S311
        return [
            example
            for claim in self.claims
            for example in from_claim(claim, self.documents, task, chance)
        ]


def approved_work(project: Project) -> ApprovedWork:
    """Return the labelled claims that an export of the project would take."""
    taken = ClaimSelection(project).taken().filter(is_labelled=True)
    found = list(claim_records(taken))
    hidden = hidden_gold()
    claims = [claim for claim in found if not hidden.count([claim.text])]
    documents = _documents(project.corpus, claims)
    return ApprovedWork(claims, documents, len(found) - len(claims))


def hidden_gold() -> TrainedOn:
    """Return digests of every claim of every hidden gold set."""
    hidden = GoldSet.objects.filter(is_hidden=True).select_related("gold")
    return TrainedOn.of(text for gold in hidden for text in _texts(gold))


def _texts(gold_set: GoldSet) -> Iterator[str]:
    source, task = stored_source(gold_set.gold), gold_set.task
    if task in ("core", "fever"):
        yield from texts_of_rows(task, source)
        return
    with tempfile.TemporaryDirectory(prefix="claimdesk-gold-") as folder:
        path = Path(folder, "gold")
        yield from (c.text for c in stored_claims(source, format_of(task), path))


def _documents(corpus: Corpus, claims: Sequence[Claim]) -> dict[str, Document]:
    """Return the abstracts that the claims name, by id."""
    judged = {e.document.text for claim in claims for e in claim.evidence}
    names = sorted(judged | {c.text for claim in claims for c in claim.cited or ()})
    parts = [names[n : n + BATCH] for n in range(0, len(names), BATCH)]
    return {
        record.id.text: record
        for part in parts
        for record in document_records(corpus.documents.filter(external_id__in=part))
    }
