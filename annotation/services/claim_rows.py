"""Writing the rows of imported claims: set-based, a batch at a time.

Imported gold is a judgement without an annotator, adopted by a verdict. A cited
abstract without evidence is NOT ENOUGH INFO if its claim is labelled; the pairs
of an unlabelled claim have no judgement. A generated pair has its given sentence
instead of a judgement.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils import timezone

from annotation.models import (
    Claim,
    ClaimCitation,
    ClaimVersion,
    Judgement,
    JudgementVersion,
    Pair,
    Project,
    Question,
    Rationale,
    Source,
    Split,
    Verdict,
)
from annotation.services.study_rows import add_missing_studies
from corpus import records
from corpus.bulk import insert_rows
from corpus.events import column_values, new_event, record_event
from corpus.models import Event, User
from corpus.records import Label, PairOrigin, SentenceRole
from corpus.text import text_key


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What an import must know of an abstract that a claim names."""

    pk: int
    sentence_count: int | None
    content_hash: str


Documents = dict[str, KnownDocument]


@dataclass(frozen=True, slots=True)
class PairSpec:
    """A pair as a claim's record describes it; ``evidence`` is what it says of it."""

    document: str
    evidence: records.Evidence | None
    origin: PairOrigin

    @property
    def given_sentence(self) -> int | None:
        """The sentence of a generated NOT ENOUGH INFO pair, if it has just one."""
        evidence = self.evidence
        if evidence is None or evidence.origin is not PairOrigin.GENERATED:
            return None
        if evidence.label is not Label.NOT_ENOUGH_INFO or len(evidence.rationales) != 1:
            return None
        rationale = evidence.rationales[0]
        if rationale.roles != (SentenceRole.PRIMARY,) or len(rationale.sentences) != 1:
            return None
        return rationale.sentences[0]

    @property
    def extra(self) -> dict[str, Any]:
        """What the source says of the pair besides its label and rationales."""
        return dict(self.evidence.extra) if self.evidence else {}


def pair_specs(claim: records.Claim) -> list[PairSpec]:
    """Return a claim's pairs: the evidence in its order, then what else is cited."""
    specs = {
        entry.document.text: PairSpec(entry.document.text, entry, entry.origin)
        for entry in claim.evidence
    }
    for cited in claim.cited or ():
        if cited.text in specs:
            continue
        entry = None
        if claim.is_labelled:
            entry = records.Evidence(cited, Label.NOT_ENOUGH_INFO)
        specs[cited.text] = PairSpec(cited.text, entry, PairOrigin.CITED)
    return list(specs.values())


class ClaimWriter:
    """Creates the rows of new claims and their events in a locked project."""

    def __init__(self, project: Project, split_name: str, actor: User | None) -> None:
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        self.project = project
        self.actor = actor
        self._events: list[Event] = []
        self._number = locked.claim_counter
        self._largest_id = 0
        self.split = self._find_split(split_name) if split_name else None

    def _find_split(self, name: str) -> Split:
        split, created = Split.objects.get_or_create(project=self.project, name=name)
        if created:
            self._log("split", [split])
        return split

    def create(self, claims: Sequence[records.Claim], documents: Documents) -> None:
        """Write new claims with everything that their records say."""
        sources = self.sources(claims)
        rows = [self._claim(claim, sources) for claim in claims]
        insert_rows(rows)
        for row, claim in zip(rows, claims, strict=True):
            self.log_claim(row, claim, documents)
        versions = [
            ClaimVersion(claim=row, number=row.version, text=row.text) for row in rows
        ]
        insert_rows(versions)
        self.cite(zip(rows, claims, strict=True), documents)
        self._create_pairs(claims, versions, documents)

    def _claim(self, claim: records.Claim, sources: dict[str, Source]) -> Claim:
        self._number += 1
        self._note_id(claim.id.text)
        return Claim(
            project=self.project,
            external_id=claim.id.text,
            position=self._number,
            family=uuid.uuid4(),
            state=Claim.State.IMPORTED,
            split=self.split,
            **claim_values(claim, sources),
        )

    def _note_id(self, external_id: str) -> None:
        """Keep the numbers of written claims clear of imported ids."""
        if external_id.isascii() and external_id.isdecimal() and len(external_id) < 16:
            self._largest_id = max(self._largest_id, int(external_id))

    def cite(
        self, claims: Iterable[tuple[Claim, records.Claim]], documents: Documents
    ) -> None:
        """Write the lists of cited abstracts, with their order and repeats."""
        insert_rows(
            ClaimCitation(claim=row, document_id=pk, ordinal=ordinal)
            for row, claim in claims
            for ordinal, pk in enumerate(_cited_keys(claim, documents))
        )

    def _create_pairs(
        self,
        claims: Sequence[records.Claim],
        versions: Sequence[ClaimVersion],
        documents: Documents,
    ) -> None:
        planned = [
            (self.new_pair(version.claim, spec, ordinal, documents), spec, version)
            for claim, version in zip(claims, versions, strict=True)
            for ordinal, spec in enumerate(pair_specs(claim))
        ]
        self.save_pairs([pair for pair, _, _ in planned])
        evidence = [(pair, spec.evidence) for pair, spec, _ in planned]
        self._log("study", add_missing_studies(evidence))
        self.judge(
            (
                (pair, spec.evidence, version)
                for pair, spec, version in planned
                if spec.evidence is not None and spec.given_sentence is None
            ),
            documents,
        )

    def new_pair(
        self, claim: Claim, spec: PairSpec, ordinal: int, documents: Documents
    ) -> Pair:
        """Return an unsaved pair."""
        return Pair(
            project=self.project,
            claim=claim,
            document_id=documents[spec.document].pk,
            origin=spec.origin.value,
            ordinal=ordinal,
            state=Pair.State.IMPORTED,
            given_sentence=spec.given_sentence,
            source_extra=spec.extra,
        )

    def save_pairs(self, pairs: Sequence[Pair]) -> None:
        """Write new pairs and their events."""
        insert_rows(pairs)
        self._log("pair", pairs)

    def judge(
        self,
        answers: Iterable[tuple[Pair, records.Evidence, ClaimVersion]],
        documents: Documents,
    ) -> None:
        """Write imported judgements, their rationales, and the verdicts on them."""
        now = timezone.now()
        planned = [
            (_judgement(pair, evidence, version, documents, now), evidence)
            for pair, evidence, version in answers
        ]
        judgements = [judgement for judgement, _ in planned]
        insert_rows(judgements)
        write_answers(planned)
        for judgement, evidence in planned:
            fields = column_values(judgement) | answer_values(evidence)
            self.log_one("judgement", judgement, "import", fields)
        verdicts = [_verdict(judgement, now) for judgement in judgements]
        insert_rows(verdicts)
        self._log("verdict", verdicts)

    def sources(self, claims: Iterable[records.Claim]) -> dict[str, Source]:
        """Return the sources of the claims' questions by key, new ones written."""
        questions = {
            question_key(claim.question): claim.question
            for claim in claims
            if claim.question is not None
        }
        if not questions:
            return {}
        known = self._known_sources(questions)
        missing = [key for key in questions if key not in known]
        return known | self._new_sources({key: questions[key] for key in missing})

    def _known_sources(self, keys: Iterable[str]) -> dict[str, Source]:
        found = Source.objects.filter(
            project=self.project, question__key__in=list(keys)
        ).select_related("question")
        return {source.question.key: source for source in found if source.question}

    def _new_sources(self, questions: dict[str, records.Question]) -> dict[str, Source]:
        rows = [
            Question(
                project=self.project,
                review=question.review,
                chapter=question.chapter,
                text=question.text,
                key=key,
                null_result_rule=self.project.rules.null_result_rule,
            )
            for key, question in questions.items()
        ]
        insert_rows(rows)
        self._log("question", rows)
        last = Source.objects.filter(project=self.project).aggregate(m=Max("position"))
        first = (last["m"] or 0) + 1
        sources = [
            Source(
                project=self.project,
                question=row,
                position=position,
                state=Source.State.DONE,
            )
            for position, row in enumerate(rows, start=first)
        ]
        insert_rows(sources)
        self._log("source", sources)
        return dict(zip(questions, sources, strict=True))

    def finish(self, file: dict[str, Any]) -> None:
        """Keep the last number given, and write the event of the whole file."""
        counter = max(self._number, self._largest_id)
        Project.objects.filter(pk=self.project.pk).update(claim_counter=counter)
        self.project.claim_counter = counter
        event = record_event(
            noun="project",
            obj=self.project,
            verb="import_claims",
            actor=self.actor,
            project_id=self.project.pk,
            fields={"claim_counter": counter},
        )
        event.payload["file"] = file
        event.save(update_fields=["payload"])

    def log_claim(self, row: Claim, claim: records.Claim, documents: Documents) -> None:
        """Collect the event of a claim with its list of cited abstracts."""
        fields = column_values(row) | {"cited": _cited_keys(claim, documents)}
        self.log_one("claim", row, "import", fields)

    def log_one(self, noun: str, obj: Any, verb: str, fields: dict[str, Any]) -> None:
        """Collect one event; ``flush`` writes it."""
        state = str(getattr(obj, "state", ""))
        self._events.append(
            new_event(
                noun=noun,
                obj=obj,
                verb=verb,
                actor=self.actor,
                project_id=self.project.pk,
                to_state=state,
                fields=fields,
            )
        )

    def flush(self) -> None:
        """Write the events collected so far."""
        insert_rows(self._events)
        self._events = []

    def _log(self, noun: str, rows: Iterable[Any]) -> None:
        for row in rows:
            self.log_one(noun, row, "import", column_values(row))


def _cited_keys(claim: records.Claim, documents: Documents) -> list[int]:
    return [documents[cited.text].pk for cited in claim.cited or ()]


def claim_values(claim: records.Claim, sources: dict[str, Source]) -> dict[str, Any]:
    """Return the columns of a claim that its record decides."""
    source = sources[question_key(claim.question)] if claim.question else None
    return {
        "external_id_is_int": claim.id.is_int,
        "kind": claim.kind.value,
        "text": claim.text,
        "text_key": text_key(claim.text),
        "is_labelled": claim.is_labelled,
        "has_cited_list": claim.cited is not None,
        "source": source,
        "source_extra": dict(claim.extra),
    }


def question_key(question: records.Question) -> str:
    """Return the key under which a project keeps a question once."""
    texts = "\0".join((question.review, question.chapter, question.text))
    return hashlib.sha256(texts.encode()).hexdigest()


def answer_values(evidence: records.Evidence) -> dict[str, Any]:
    """Return an answer as versions and events keep it."""
    return {
        "label": evidence.label.value,
        "rationales": [
            {"sentences": list(r.sentences), "roles": [role.value for role in r.roles]}
            for r in evidence.rationales
        ],
    }


def write_answers(answers: Sequence[tuple[Judgement, records.Evidence]]) -> None:
    """Write the current rationales of judgements, and the versions that keep them."""
    insert_rows(
        JudgementVersion(
            judgement=judgement,
            number=judgement.version,
            **answer_values(evidence),
        )
        for judgement, evidence in answers
    )
    insert_rows(_rationales(answers))


def _rationales(
    answers: Sequence[tuple[Judgement, records.Evidence]],
) -> Iterator[Rationale]:
    for judgement, evidence in answers:
        for ordinal, rationale in enumerate(evidence.rationales):
            yield Rationale(
                judgement=judgement,
                ordinal=ordinal,
                sentences=list(rationale.sentences),
                roles=[role.value for role in rationale.roles],
            )


def _judgement(
    pair: Pair,
    evidence: records.Evidence,
    version: ClaimVersion,
    documents: Documents,
    now: datetime,
) -> Judgement:
    return Judgement(
        pair=pair,
        origin=Judgement.Origin.IMPORT,
        state=Judgement.State.IMPORTED,
        label=evidence.label.value,
        claim_version=version,
        document_hash=documents[evidence.document.text].content_hash,
        submitted_at=now,
    )


def _verdict(judgement: Judgement, now: datetime) -> Verdict:
    return Verdict(
        pair=judgement.pair,
        judgement=judgement,
        provenance=Verdict.Provenance.IMPORTED,
        decided_at=now,
    )
