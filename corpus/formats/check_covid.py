"""Check-COVID: ``corpus.json`` and the claims files (JSON Lines named ``.json``).

A claim has exactly one document and one rationale, the whole ``evidence_set``,
whose sentences are PRIMARY or SUPPLEMENTARY. ``is_auth`` true means extracted by
a journalist's wording, false composed. A NOTENOUGHINFO claim carries one
deliberately insufficient sentence: it becomes the rationale of a NOT ENOUGH INFO
pair of origin ``generated``.

Files come with escaped and with raw non-ASCII text; escaped ASCII is written. A
line with neither ``label`` nor ``evidence_set`` is an unlabelled claim (a hidden
split); the published files have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from corpus.formats.base import Format, Read, WriteOptions, Written
from corpus.formats.fields import Fields
from corpus.formats.gold import merged, warn_about_rationales, without_repeats
from corpus.formats.jsonl import read_records, with_further, written
from corpus.formats.labels import label_to_write, words_of
from corpus.formats.losses import (
    sentences_to_write,
    warn_lost,
    warn_lost_claim_fields,
    warn_lost_document_fields,
)
from corpus.formats.problems import Problems, SeenIds
from corpus.records import (
    Claim,
    ClaimKind,
    Document,
    Evidence,
    ExternalId,
    Json,
    Label,
    PairOrigin,
    Rationale,
    SentenceRole,
)

TITLE = "Check-COVID"
_CLAIM_FIELDS = ("id", "claim", "cord_id", "label", "evidence_set", "is_auth")
_KINDS = (ClaimKind.COMPOSED, ClaimKind.EXTRACTED)
_LABELS = {
    Label.SUPPORT: "SUPPORT",
    Label.CONTRADICT: "REFUTE",
    Label.NOT_ENOUGH_INFO: "NOTENOUGHINFO",
}
_WORDS = words_of(_LABELS)
_ROLES = [role.value for role in SentenceRole]


def read_documents(file: BinaryIO) -> Iterator[Read[Document]]:
    """Yield the abstracts of a ``corpus.json``."""
    seen = SeenIds("document")

    def parse(fields: Fields) -> Document:
        document = Document(
            id=fields.identifier("cord_id"),
            title=fields.text("title"),
            sentences=fields.texts("abstract"),
            extra=fields.further("cord_id", "title", "abstract"),
        )
        seen.check(document.id.text, "cord_id", fields.problems)
        return document

    return read_records(file, parse)


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield the claims of a claims file."""
    seen = SeenIds("claim")

    def parse(fields: Fields) -> Claim:
        claim = _claim(fields)
        seen.check(claim.id.text, "id", fields.problems)
        return claim

    return read_records(file, parse)


def _claim(fields: Fields) -> Claim:
    claim_id = fields.identifier("id")
    text = fields.text("claim")
    document = fields.identifier("cord_id")
    is_labelled = "label" in fields or "evidence_set" in fields
    evidence = _evidence(fields, document) if is_labelled else ()
    if not text.strip():
        fields.problems.warn("The claim has no text.", field="claim", value=text)
    return Claim(
        id=claim_id,
        text=text,
        kind=ClaimKind.EXTRACTED if fields.flag("is_auth") else ClaimKind.COMPOSED,
        is_labelled=is_labelled,
        evidence=evidence,
        cited=(document,),
        extra=fields.further(*_CLAIM_FIELDS),
    )


def _evidence(fields: Fields, document: ExternalId) -> tuple[Evidence, ...]:
    label = fields.label("label", _WORDS)
    rationale = _rationale(fields)
    if label is None:
        return ()
    _warn_about_rationale(rationale, label, fields.problems)
    is_generated = label is Label.NOT_ENOUGH_INFO
    origin = PairOrigin.GENERATED if is_generated else PairOrigin.IMPORTED
    rationales = (rationale,) if rationale.sentences else ()
    return (Evidence(document, label, rationales, origin),)


def _rationale(fields: Fields) -> Rationale:
    sentences = []
    roles = []
    for entry in fields.objects("evidence_set"):
        sentences.append(entry.index("sent_index"))
        roles.append(_role(entry))
        entry.warn_unkept("sent_index", "type")
    return Rationale(tuple(sentences), tuple(roles))


def _role(entry: Fields) -> SentenceRole:
    word = entry.text("type")
    if word in _ROLES:
        return SentenceRole(word)
    if isinstance(entry.values.get("type"), str):
        expected = " or ".join(_ROLES)
        message = f"{entry.at('type')}: expected {expected}."
        entry.problems.error(
            message, field=entry.at("type"), value=word, expected=expected
        )
    return SentenceRole.PRIMARY


def _warn_about_rationale(
    rationale: Rationale, label: Label, problems: Problems
) -> None:
    field = "evidence_set"
    if not rationale.sentences:
        problems.warn("evidence_set is empty.", field=field)
        return
    if SentenceRole.PRIMARY not in rationale.roles:
        problems.warn("evidence_set has no PRIMARY sentence.", field=field)
    if label is Label.NOT_ENOUGH_INFO and len(rationale.sentences) > 1:
        problems.warn("A NOTENOUGHINFO claim has one given sentence.", field=field)
    warn_about_rationales([rationale], field, problems)


def write_documents(documents: Iterable[Document]) -> Iterator[Written]:
    """Yield a ``corpus.json``, one line per abstract."""
    for document in documents:
        problems = Problems()
        warn_lost_document_fields(document, problems, TITLE)
        values: dict[str, Json] = {
            "cord_id": document.id.to_json(),
            "title": document.title,
            "abstract": list(sentences_to_write(document, problems)),
        }
        with_further(values, document.extra, problems)
        yield written(document.id.text, values, problems)


def write_claims(claims: Iterable[Claim], options: WriteOptions) -> Iterator[Written]:
    """Yield a claims file, one line per claim.

    A claim must have exactly one document and at most one rationale without
    repeated sentences; ``options.repair`` merges several rationales and drops
    repeats.
    """
    for claim in claims:
        problems = Problems()
        warn_lost_claim_fields(claim, problems, TITLE, _KINDS)
        values: dict[str, Json] = {"id": claim.id.to_json(), "claim": claim.text}
        document = _only_document(claim, problems)
        if document:
            values["cord_id"] = document.to_json()
        if claim.is_labelled:
            values.update(_judgement(claim, options, problems))
        elif claim.evidence:
            message = "The claim is unlabelled, so its evidence is left out."
            problems.warn(message, field="evidence_set")
        values["is_auth"] = claim.kind is ClaimKind.EXTRACTED
        with_further(values, claim.extra, problems)
        yield written(claim.id.text, values, problems)


def _only_document(claim: Claim, problems: Problems) -> ExternalId | None:
    documents = {entry.document.text: entry.document for entry in claim.evidence}
    for cited in claim.cited or ():
        documents.setdefault(cited.text, cited)
    if len(documents) == 1:
        return next(iter(documents.values()))
    message = (
        f"Check-COVID has exactly one abstract for each claim; this claim has "
        f"{len(documents)}. Leave it out, or make one claim for each abstract."
    )
    names: list[Json] = list(documents)
    problems.error(message, field="cord_id", value=names, expected="one abstract")
    return None


def _judgement(
    claim: Claim, options: WriteOptions, problems: Problems
) -> dict[str, Json]:
    label: Label | None = Label.NOT_ENOUGH_INFO
    rationale = Rationale(())
    if len(claim.evidence) > 1:
        message = "The claim has two judgements of its abstract."
        problems.error(message, field="label", expected="one label")
    for entry in claim.evidence[:1]:
        label = label_to_write(entry.label, _LABELS, options, "label", problems)
        rationale = _one_rationale(entry, options, problems)
        if entry.extra:
            names = ", ".join(entry.extra)
            warn_lost(problems, TITLE, f"further data of a pair ({names})", "label")
    if not rationale.sentences:
        message = "The claim is written with an empty evidence_set."
        problems.warn(message, field="evidence_set")
    roles = rationale.roles or _assumed_roles(rationale, problems)
    evidence_set: list[Json] = [
        {"sent_index": sentence, "type": role.value}
        for sentence, role in zip(rationale.sentences, roles, strict=True)
    ]
    return {"label": _LABELS[label] if label else None, "evidence_set": evidence_set}


def _one_rationale(
    entry: Evidence, options: WriteOptions, problems: Problems
) -> Rationale:
    rationales = [r for r in entry.rationales if r.sentences]
    if not rationales:
        return Rationale(())
    field = "evidence_set"
    if len(rationales) > 1:
        message = (
            f"Check-COVID has one rationale for each claim, here {len(rationales)}"
        )
        if not options.repair:
            expected = "one rationale (or export with repair, which merges them)"
            problems.error(f"{message}.", field=field, expected=expected)
            return rationales[0]
        problems.warn(f"{message}; repaired: merged.", field=field)
        return merged(rationales)
    if options.repair and without_repeats(rationales[0]) != rationales[0]:
        problems.warn("A sentence was listed twice; repaired.", field=field)
        return without_repeats(rationales[0])
    return rationales[0]


def _assumed_roles(
    rationale: Rationale, problems: Problems
) -> tuple[SentenceRole, ...]:
    if rationale.sentences:
        message = "No sentence has a role; all are written as PRIMARY."
        problems.warn(message, field="evidence_set")
    return (SentenceRole.PRIMARY,) * len(rationale.sentences)


FORMAT = Format(
    name="check-covid",
    title=TITLE,
    protocol="check-covid",
    labels=_LABELS,
    extensions=(".json", ".jsonl"),
    read_documents=read_documents,
    read_claims=read_claims,
    write_documents=write_documents,
    write_claims=write_claims,
)
