"""SciFact's two-file predictions: merged as merge_predictions.py does, then scored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from corpus.formats.problems import shown
from corpus.formats.scifact import FORMAT
from corpus.records import Label
from verification.scoring import scifact
from verification.scoring.findings import ClaimId, Findings
from verification.scoring.labels import SHAPE as LABELS_SHAPE
from verification.scoring.reading import Documents, read_objects
from verification.scoring.scifact import PredictedDocument
from verification.scoring.scifact_modules import (
    SELECTION_SHAPE,
    parse_labels,
    predicted_selection,
)
from verification.scoring.tasks import (
    PROFILES,
    Request,
    Rules,
    Score,
    profile_of,
    read_claim_ids,
    read_scifact_corpus,
    warn_no_corpus,
)
from verification.scoring.validate import Roll, claim_id

NEI = FORMAT.labels[Label.NOT_ENOUGH_INFO]

Merged: TypeAlias = dict[ClaimId, dict[str, PredictedDocument]]


def merge_documents(
    selected: dict[str, list[int]], labels: dict[str, str]
) -> dict[str, PredictedDocument]:
    """Return the documents that are not NEI, in the order of their ids as text."""
    return {
        document: (labels[document], selected[document])
        for document in sorted(selected)
        if labels[document] != NEI
    }


def merged_lines(merged: Merged, order: Sequence[ClaimId]) -> Iterator[str]:
    """Yield the lines of the merged file, as ``json.dumps`` writes them."""
    for claim in order:
        evidence = {
            document: {"sentences": sentences, "label": label}
            for document, (label, sentences) in merged[claim].items()
        }
        yield json.dumps({"id": claim, "evidence": evidence}) + "\n"


@dataclass(frozen=True, slots=True)
class MergeTask:
    """Two module files in, one merged file out, which is scored if there is gold."""

    name: str = "scifact_merge"
    profiles: Sequence[str] = PROFILES
    needs_gold: bool = False

    def score(self, request: Request, findings: Findings) -> Score | None:
        """Merge, write the merged file where one is asked for, and score it."""
        rules = Rules(profile_of(self, request), self._documents(request, findings))
        gold = None
        if request.gold is not None:
            gold = scifact.TASK.gold_of(request.gold, findings, rules)
        merged = self._merged(request, findings, rules, gold)
        if findings.has_errors:
            return None
        if request.merged_output is not None:
            text = "".join(merged_lines(merged, list(gold or merged)))
            request.merged_output.write_text(text, encoding="utf-8")
        if gold is None:
            return Score({}, {}, tuple(merged))
        rows = {
            claim: scifact.TASK.count(truth, _as_compared(merged[claim], rules), rules)
            for claim, truth in gold.items()
            if truth is not None
        }
        return scifact.TASK.score_rows(rows)

    def validate(self, request: Request, findings: Findings) -> None:
        """Check both files against each other and against a file of claims."""
        rules = Rules(profile_of(self, request), self._documents(request, findings))
        gold = request.gold
        claims = None if gold is None else read_claim_ids(gold, findings)
        self._merged(request, findings, rules, claims)

    def _documents(self, request: Request, findings: Findings) -> Documents | None:
        if request.corpus is None:
            warn_no_corpus(request, findings)
            return None
        rules = Rules(profile_of(self, request))
        return read_scifact_corpus(request.corpus, findings, rules)

    def _merged(
        self,
        request: Request,
        findings: Findings,
        rules: Rules,
        claims: Mapping[ClaimId, object] | None,
    ) -> Merged:
        selected = self._selected(request, findings, rules, claims)
        if request.label_predictions is None:
            raise ValueError(f"{self.name} needs a file of label predictions")
        source = request.label_predictions
        roll = Roll(selected, source.name)
        merged: Merged = {}
        for values, place in read_objects(source, findings):
            claim = claim_id(values, "claim_id", LABELS_SHAPE, place)
            is_due = claim is not None and roll.check(claim, place)
            labels = parse_labels(values, place, rules)
            chosen = selected.get(claim) if claim is not None and is_due else None
            if claim is None or labels is None or chosen is None:
                continue
            if set(labels) != set(chosen):
                place.error(_unequal(set(labels), set(chosen)))
                continue
            merged[claim] = merge_documents(chosen, labels)
            for document, (_, sentences) in merged[claim].items():
                scifact.warn_about_cap(document, sentences, place)
        roll.finish(findings)
        return {claim: merged[claim] for claim in selected if claim in merged}

    def _selected(
        self,
        request: Request,
        findings: Findings,
        rules: Rules,
        claims: Mapping[ClaimId, object] | None,
    ) -> dict[ClaimId, dict[str, list[int]] | None]:
        source = request.predictions
        roll = Roll(claims, source.name) if claims is not None else None
        selected: dict[ClaimId, dict[str, list[int]] | None] = {}
        for values, place in read_objects(source, findings):
            claim = claim_id(values, "claim_id", SELECTION_SHAPE, place)
            if claim is not None and roll is not None:
                roll.check(claim, place)
            elif claim in selected:
                place.error(f"The claim {shown(claim)} occurs twice.")
            parsed = predicted_selection(values, place, rules)
            if claim is not None:
                selected[claim] = parsed
        if roll is not None:
            roll.finish(findings)
        return selected


def _as_compared(
    documents: dict[str, PredictedDocument], rules: Rules
) -> dict[str, PredictedDocument]:
    return {scifact.document_key(key, rules): d for key, d in documents.items()}


def _unequal(labels: set[str], selected: set[str]) -> str:
    only_labels = ", ".join(sorted(labels - selected)) or "none"
    only_selected = ", ".join(sorted(selected - labels)) or "none"
    return (
        "The two files name different documents for this claim. Only with a label: "
        f"{only_labels[:200]}. Only with sentences: {only_selected[:200]}."
    )


TASK = MergeTask()
