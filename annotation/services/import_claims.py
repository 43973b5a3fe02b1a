"""Bringing claims with their evidence into a project: the check, and the writing.

A claim is known by its external id in the project. The same content again changes
nothing. A claim on which somebody has worked is never changed: it is listed as
kept. An abstract that a claim names must be in the corpus or in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from annotation.models import Claim, Project
from annotation.selectors.records import claim_record, claim_rows, is_said_by_citation
from annotation.services.claim_changes import (
    Change,
    change_claims,
    lock_claims,
    untouched,
)
from annotation.services.claim_rows import (
    ClaimWriter,
    Documents,
    KnownDocument,
    pair_specs,
)
from annotation.services.corpora import lock_corpus
from annotation.services.import_documents import DocumentLoader, finish_corpus
from annotation.services.importing import (
    ImportRefusedError,
    ImportReport,
    Incoming,
    Progress,
    no_progress,
    read_batches,
)
from corpus import records
from corpus.formats.base import Format, Problem, Read, Severity
from corpus.models import Document, User
from corpus.records import ExternalId, PairOrigin
from corpus.text import text_key


@dataclass(frozen=True, slots=True)
class ClaimTarget:
    """Where claims go: a project, and a split of it if they get one."""

    project: Project
    format: Format
    split: str = ""


def check_claims(
    *,
    source: Incoming[records.Claim],
    target: ClaimTarget,
    progress: Progress = no_progress,
    on_problem: Callable[[Problem], None] | None = None,
) -> ImportReport:
    """Say what an import would do. Writes nothing and holds no transaction."""
    report = ImportReport(sha256=source.sha256, on_problem=on_problem)
    loader = ClaimLoader(target, report)
    for batch in read_batches(source, report, progress, "checking"):
        loader.load(batch)
    return report


def import_claims(
    *,
    source: Incoming[records.Claim],
    target: ClaimTarget,
    actor: User | None,
    progress: Progress = no_progress,
) -> ImportReport:
    """Write a whole file, or nothing: ``ImportRefusedError`` if it has an error."""
    with transaction.atomic():
        report = ImportReport(sha256=source.sha256)
        # No sentence may move between its check and its pair. Whoever locks both a
        # corpus and a project locks the corpus first.
        lock_corpus(target.project.corpus_id)
        writer = ClaimWriter(target.project, target.split, actor)
        loader = ClaimLoader(target, report, writer)
        for batch in read_batches(source, report, progress, "writing"):
            loader.load(batch)
        if report.has_errors:
            raise ImportRefusedError(report)
        _finish(target, report, writer)
    return report


def _finish(target: ClaimTarget, report: ImportReport, writer: ClaimWriter) -> None:
    corpus = target.project.corpus
    finish_corpus(corpus, report, report.documents, "import_claims", writer.actor)
    writer.flush()
    if report.changes_anything:
        counts = {"counts": dict(report.counts), "documents": dict(report.documents)}
        writer.finish({"sha256": report.sha256, "split": target.split, **counts})


class ClaimLoader:
    """Checks batches of claims against a project; writes them if it has a writer."""

    def __init__(
        self,
        target: ClaimTarget,
        report: ImportReport,
        writer: ClaimWriter | None = None,
    ) -> None:
        self._target = target
        self._project = target.project
        self._report = report
        self._writer = writer
        self._labels = {choice.label for choice in target.project.labels}
        self._texts: set[int] = set()
        self._shipped: set[str] = set()
        self._documents: DocumentLoader | None = None
        if target.format.ships_documents:
            self._documents = DocumentLoader(
                target.project.corpus,
                report,
                report.documents,
                writes=writer is not None,
                actor=writer.actor if writer else None,
            )
        if target.format.protocol != target.project.protocol:
            self._warn_about_protocol()

    def _warn_about_protocol(self) -> None:
        message = (
            f"{self._target.format.title} files fit the protocol "
            f"{self._target.format.protocol}; this project follows "
            f"{self._project.protocol}."
        )
        self._report.add(Problem(message, severity=Severity.WARNING))

    def load(self, batch: Sequence[Read[records.Claim]]) -> None:
        """Take a batch of good records."""
        claims = [(read.line, read.record) for read in batch if read.record]
        self._load_documents([claim for _, claim in claims])
        documents = self._known_documents([claim for _, claim in claims])
        sound = [
            claim for line, claim in claims if self._is_sound(line, claim, documents)
        ]
        self._find_duplicate_texts(sound)
        self._sort(sound, documents)

    def _load_documents(self, claims: Iterable[records.Claim]) -> None:
        if self._documents is None:
            return
        new: dict[str, records.Document] = {}
        for document in _shipped(claims):
            if document.id.text not in self._shipped:
                new.setdefault(document.id.text, document)
        self._shipped |= new.keys()
        self._documents.load(new.values())

    def _known_documents(self, claims: Sequence[records.Claim]) -> Documents:
        """Return the abstracts that a batch names, in one query.

        What the file ships is counted as known in a check, too.
        """
        known = {
            document.id.text: KnownDocument(0, len(document.sentences) or None, "")
            for document in _shipped(claims)
        }
        ids = {spec.document for claim in claims for spec in pair_specs(claim)}
        rows = Document.objects.filter(
            corpus_id=self._project.corpus_id, external_id__in=ids
        ).values_list("external_id", "pk", "sentences", "content_hash")
        for external_id, pk, sentences, content_hash in rows:
            known[external_id] = KnownDocument(pk, len(sentences), content_hash)
        return known

    def _is_sound(self, line: int, claim: records.Claim, documents: Documents) -> bool:
        problems = [
            *self._missing(claim, documents),
            *self._foreign_labels(claim),
            *_repeated_evidence(claim),
            *_impossible_sentences(claim, documents),
        ]
        for problem in problems:
            message = f"Claim {claim.id}: {problem.message}"
            self._report.add(replace(problem, line=line, message=message))
        return not problems

    def _missing(self, claim: records.Claim, documents: Documents) -> Iterator[Problem]:
        evidence = {entry.document.text for entry in claim.evidence}
        for spec in pair_specs(claim):
            if spec.document in documents:
                continue
            field = "evidence" if spec.document in evidence else "cited"
            yield Problem(
                f"the abstract {spec.document} is not in the corpus "
                f"“{self._project.corpus.name}”. Import the abstracts first.",
                field=field,
                value=spec.document,
                expected="the id of an abstract in the corpus",
            )

    def _foreign_labels(self, claim: records.Claim) -> Iterator[Problem]:
        offered = ", ".join(sorted(label.value for label in self._labels))
        for spec in pair_specs(claim):
            if spec.evidence is None or spec.evidence.label in self._labels:
                continue
            if spec.given_sentence is not None:
                continue
            yield Problem(
                f"the label {spec.evidence.label.value} for {spec.document} is not "
                f"one of this project's labels ({offered}).",
                field=f"evidence.{spec.document}",
                value=spec.evidence.label.value,
                expected=offered,
            )

    def _find_duplicate_texts(self, claims: Sequence[records.Claim]) -> None:
        """Report a wording that another claim of the file or project has."""
        keys = {claim.id.text: text_key(claim.text) for claim in claims}
        stored: dict[str, set[str]] = {}
        rows = Claim.objects.filter(
            project_id=self._project.pk, text_key__in=set(keys.values())
        ).values_list("text_key", "external_id")
        for key, external_id in rows:
            stored.setdefault(key, set()).add(external_id)
        for external_id, key in keys.items():
            short = int(key[:15], 16)
            if short in self._texts or stored.get(key, set()) - {external_id}:
                self._report.add_duplicate(external_id)
            self._texts.add(short)

    def _sort(self, claims: Sequence[records.Claim], documents: Documents) -> None:
        """Count what is new, the same, changed or in use, and write what may be."""
        known = self._known_claims(claims)
        new = [claim for claim in claims if claim.id.text not in known]
        pairs = [(row, claim) for claim in claims if (row := known.get(claim.id.text))]
        different = [pair for pair in pairs if not self._is_identical(*pair)]
        changed = self._changeable(different)
        counts = self._report.counts
        counts["new"] += len(new)
        counts["identical"] += len(pairs) - len(different)
        counts["changed"] += len(changed)
        if self._writer is not None and not self._report.has_errors:
            self._write(new, changed, documents)

    def _changeable(self, different: Sequence[Change]) -> list[Change]:
        """Return the claims that a file may change, and report the others."""
        rows = [row for row, _ in different]
        if self._writer is not None:
            lock_claims(rows)
        free = untouched(rows) if rows else set()
        changed = []
        for row, claim in different:
            loses_gold = row.is_labelled and not claim.is_labelled
            if row.pk in free and not loses_gold:
                changed.append((row, claim))
            elif row.state == Claim.State.RETIRED:
                self._report.counts["retired"] += 1
            else:
                self._report.counts["kept"] += 1
                self._report.keep(claim.id.text)
        return changed

    def _known_claims(self, claims: Sequence[records.Claim]) -> dict[str, Claim]:
        ids = [claim.id.text for claim in claims]
        found = Claim.objects.filter(project_id=self._project.pk, external_id__in=ids)
        return {row.external_id: row for row in claim_rows(found)}

    def _is_identical(self, row: Claim, claim: records.Claim) -> bool:
        wanted = self._target.split
        if wanted and (row.split is None or row.split.name != wanted):
            return False
        return comparable(claim_record(row)) == comparable(claim)

    def _write(
        self,
        new: Sequence[records.Claim],
        changed: Sequence[Change],
        documents: Documents,
    ) -> None:
        assert self._writer is not None  # noqa: S101
        self._writer.create(new, documents)
        change_claims(self._writer, changed, documents)
        self._writer.flush()


def _shipped(claims: Iterable[records.Claim]) -> Iterator[records.Document]:
    for claim in claims:
        yield from claim.documents


def _repeated_evidence(claim: records.Claim) -> Iterator[Problem]:
    seen: set[str] = set()
    for entry in claim.evidence:
        if entry.document.text in seen:
            yield Problem(
                f"it has two judgements of the abstract {entry.document}.",
                field=f"evidence.{entry.document}",
                value=entry.document.text,
                expected="one judgement for each abstract",
            )
        seen.add(entry.document.text)


def _impossible_sentences(
    claim: records.Claim, documents: Documents
) -> Iterator[Problem]:
    for entry in claim.evidence:
        document = documents.get(entry.document.text)
        if document is None or document.sentence_count is None:
            continue
        for number, rationale in enumerate(entry.rationales):
            for sentence in rationale.sentences:
                if sentence >= document.sentence_count:
                    yield _no_such_sentence(entry, number, sentence, document)


def _no_such_sentence(
    entry: records.Evidence, number: int, sentence: int, document: KnownDocument
) -> Problem:
    count = document.sentence_count or 0
    sentences = "1 sentence" if count == 1 else f"{count} sentences"
    return Problem(
        f"there is no sentence {sentence} in the abstract {entry.document}, which "
        f"has {sentences} (counted from 0).",
        field=f"evidence.{entry.document}[{number}].sentences",
        value=str(sentence),
        expected=f"a number from 0 to {count - 1}" if count else "no sentence",
    )


def comparable(claim: records.Claim) -> records.Claim:
    """Return a claim so that two spellings of the same content are equal.

    Ids of documents compare as text. NOT ENOUGH INFO for a cited abstract is the
    same with and without an empty entry. No format says what a claim negates, nor
    where a pair comes from unless it is generated.
    """
    cited = {document.text for document in claim.cited or ()}
    evidence = tuple(
        replace(
            entry,
            document=ExternalId(entry.document.text),
            origin=_told_origin(entry.origin),
        )
        for entry in claim.evidence
        if not is_said_by_citation(entry, cited)
    )
    return replace(
        claim,
        evidence=evidence,
        cited=None
        if claim.cited is None
        else tuple(ExternalId(document.text) for document in claim.cited),
        negates=None,
        documents=(),
        extra=dict(claim.extra),
    )


def _told_origin(origin: PairOrigin) -> PairOrigin:
    return origin if origin is PairOrigin.GENERATED else PairOrigin.IMPORTED
