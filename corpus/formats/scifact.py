"""SciFact: ``corpus.jsonl`` and ``claims_{train,dev,test}.jsonl``.

A claim line is ``id, claim, evidence, cited_doc_ids``. ``evidence`` maps a
document id, as text, to its rationales, each with the label repeated;
``cited_doc_ids`` has the same ids as numbers. There is no word for NOT ENOUGH
INFO: a cited document without an entry has that label. A line without
``evidence`` (the test set) is unlabelled.

Further fields of a line (MultiVerS adds ``doc_ids``) are kept in ``extra`` and
written back after the known ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from corpus.formats.base import (
    Format,
    FormatError,
    Problem,
    Read,
    WriteOptions,
    Written,
)
from corpus.formats.fields import Fields
from corpus.formats.gold import scorable_rationales, warn_about_rationales
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
    Rationale,
)

TITLE = "SciFact"
USUAL_RATIONALES = 3
USUAL_SENTENCES = 3
"""The paper's limits. The released files exceed both, so they only warn."""

_LABELS = {
    Label.SUPPORT: "SUPPORT",
    Label.CONTRADICT: "CONTRADICT",
    # Written as a citation without evidence, never as a word.
    Label.NOT_ENOUGH_INFO: "NOT_ENOUGH_INFO",
}
WORDS = words_of({k: v for k, v in _LABELS.items() if k != Label.NOT_ENOUGH_INFO})


def read_documents(file: BinaryIO) -> Iterator[Read[Document]]:
    """Yield the abstracts of a ``corpus.jsonl``."""
    seen = SeenIds("document")

    def parse(fields: Fields) -> Document:
        document = Document(
            id=fields.identifier("doc_id"),
            title=fields.text("title"),
            sentences=fields.texts("abstract"),
            structured=fields.flag("structured") if "structured" in fields else None,
            extra=fields.further("doc_id", "title", "abstract", "structured"),
        )
        seen.check(document.id.text, "doc_id", fields.problems)
        return document

    return read_records(file, parse)


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield the claims of a claims file, labelled or not."""
    seen = SeenIds("claim")

    def parse(fields: Fields) -> Claim:
        _refuse_rows_per_rationale(fields)
        claim = _claim(fields)
        seen.check(claim.id.text, "id", fields.problems)
        return claim

    return read_records(file, parse)


def _refuse_rows_per_rationale(fields: Fields) -> None:
    if "evidence_doc_id" not in fields:
        return
    message = (
        "The file has one row per rationale (the Hugging Face layout of SciFact). "
        "Import the original claims_train.jsonl and claims_dev.jsonl instead, with "
        "one line per claim."
    )
    raise FormatError(
        Problem(
            message,
            line=fields.problems.line,
            field="evidence_doc_id",
            expected="one line per claim with the field evidence",
        )
    )


def _claim(fields: Fields) -> Claim:
    claim_id = fields.identifier("id")
    text = fields.text("claim")
    cited = fields.identifiers("cited_doc_ids") if "cited_doc_ids" in fields else None
    is_labelled = "evidence" in fields
    evidence = _evidence(fields.mapping("evidence"), cited) if is_labelled else ()
    _warn_about_claim(fields, text, cited)
    return Claim(
        id=claim_id,
        text=text,
        is_labelled=is_labelled,
        evidence=evidence,
        cited=cited,
        extra=fields.further("id", "claim", "evidence", "cited_doc_ids"),
    )


def _warn_about_claim(
    fields: Fields, text: str, cited: tuple[ExternalId, ...] | None
) -> None:
    problems = fields.problems
    if not text.strip():
        problems.warn("The claim has no text.", field="claim", value=text)
    if cited and len({document.text for document in cited}) < len(cited):
        problems.warn(
            "cited_doc_ids: a document is cited twice; it makes one pair.",
            field="cited_doc_ids",
        )
    if "label" in fields:
        message = (
            "label: SciFact has labels in evidence only; this field is kept as "
            "further data and not read as a label."
        )
        problems.warn(message, field="label", value=fields.values["label"])


def _evidence(
    fields: Fields, cited: tuple[ExternalId, ...] | None
) -> tuple[Evidence, ...]:
    spelled = {document.text: document for document in cited or ()}
    found = []
    for key in fields.values:
        if not key:
            message = "evidence: a document id is empty."
            fields.problems.error(message, field="evidence", expected="a document id")
        if cited is not None and key not in spelled:
            message = f"{fields.at(key)}: the document is not in cited_doc_ids."
            fields.problems.warn(message, field=fields.at(key), value=key)
        value = fields.values[key]
        if isinstance(value, dict):
            _report_open_shape(fields, key, value)
            continue
        entry = read_judgement(fields, key, spelled.get(key, ExternalId(key)))
        if entry:
            found.append(entry)
    return tuple(found)


def read_judgement(fields: Fields, key: str, document: ExternalId) -> Evidence | None:
    """Return the judgement in a list of rationales, or ``None`` with an error."""
    labels: list[Label | None] = []
    rationales = []
    for entry in fields.objects(key):
        labels.append(entry.label("label", WORDS))
        rationales.append(Rationale(entry.indices("sentences")))
        entry.warn_unkept("sentences", "label")
    if fields.values[key] == []:
        message = f"{fields.at(key)}: no rationales, so there is no label."
        fields.problems.error(
            message, field=fields.at(key), value=[], expected="at least 1 rationale"
        )
    if len({label for label in labels if label}) > 1:
        _report_mixed(fields, key)
    warn_about_rationales(rationales, fields.at(key), fields.problems)
    _warn_about_size(rationales, fields.at(key), fields.problems)
    if not labels or not labels[0]:
        return None
    return Evidence(document, labels[0], tuple(rationales))


def _report_open_shape(fields: Fields, key: str, value: dict[str, Json]) -> None:
    message = (
        f"{fields.at(key)}: one object per document is the shape of SciFact-Open. "
        "Choose the format scifact-open."
    )
    fields.problems.error(
        message,
        field=fields.at(key),
        value=value,
        expected="a list of rationales",
    )


def _report_mixed(fields: Fields, key: str) -> None:
    message = (
        f"{fields.at(key)}: the rationales of one abstract have different labels. "
        "A claim and an abstract have one label."
    )
    fields.problems.error(
        message,
        field=fields.at(key),
        value=fields.values[key],
        expected="one label for all rationales of an abstract",
    )


def _warn_about_size(
    rationales: list[Rationale], field: str, problems: Problems
) -> None:
    if len(rationales) > USUAL_RATIONALES:
        message = f"{field}: {len(rationales)} rationales; the paper's limit is 3."
        problems.warn(message, field=field)
    for number, rationale in enumerate(rationales):
        if len(rationale.sentences) > USUAL_SENTENCES:
            at = f"{field}[{number}].sentences"
            message = f"{at}: more than 3 sentences; the paper's limit is 3."
            problems.warn(message, field=at)


def write_documents(documents: Iterable[Document]) -> Iterator[Written]:
    """Yield a ``corpus.jsonl``, one line per abstract."""
    for document in documents:
        problems = Problems()
        warn_lost_document_fields(document, problems, TITLE, held=("structured",))
        values: dict[str, Json] = {
            "doc_id": document.id.to_json(),
            "title": document.title,
            "abstract": list(sentences_to_write(document, problems)),
        }
        if document.structured is not None:
            values["structured"] = document.structured
        with_further(values, document.extra, problems)
        yield written(document.id.text, values, problems)


def write_claims(claims: Iterable[Claim], options: WriteOptions) -> Iterator[Written]:
    """Yield a claims file, one line per claim.

    Gold that the evaluators cannot score is an error: a label without a
    rationale, an empty rationale, a repeated index, a sentence in two
    rationales, two labels for one abstract. ``options.repair`` mends all but the
    first and the last. A labelled claim always gets ``cited_doc_ids``, since the
    verisci evaluator needs it.
    """
    for claim in claims:
        problems = Problems()
        warn_lost_claim_fields(claim, problems, TITLE, (ClaimKind.COMPOSED,))
        values: dict[str, Json] = {"id": claim.id.to_json(), "claim": claim.text}
        if claim.is_labelled:
            labelled = _labelled(claim, options, problems)
            values["evidence"] = _evidence_values(labelled, options, problems)
            values["cited_doc_ids"] = _cited_values(claim, labelled, problems)
        else:
            _add_unlabelled(values, claim, problems)
        _add_further(values, claim, problems)
        yield written(claim.id.text, values, problems)


def _add_further(values: dict[str, Json], claim: Claim, problems: Problems) -> None:
    if claim.extra:
        names = ", ".join(claim.extra)
        message = f"Written with further fields ({names}), which verisci refuses."
        problems.warn(message, field=names)
    with_further(values, claim.extra, problems)


def _add_unlabelled(values: dict[str, Json], claim: Claim, problems: Problems) -> None:
    if claim.evidence:
        message = "The claim is unlabelled, so its evidence is left out."
        problems.warn(message, field="evidence")
    if claim.cited is not None:
        values["cited_doc_ids"] = [document.to_json() for document in claim.cited]


def _labelled(
    claim: Claim, options: WriteOptions, problems: Problems
) -> list[tuple[Evidence, Label]]:
    found = []
    for entry in claim.evidence:
        field = f"evidence.{entry.document}"
        label = label_to_write(entry.label, _LABELS, options, field, problems)
        if label:
            found.append((entry, label))
        if entry.extra:
            names = ", ".join(entry.extra)
            warn_lost(problems, TITLE, f"further data of a pair ({names})", field)
        if any(rationale.roles for rationale in entry.rationales):
            warn_lost(problems, TITLE, "primary and supplementary sentences", field)
    return found


def _evidence_values(
    labelled: list[tuple[Evidence, Label]], options: WriteOptions, problems: Problems
) -> dict[str, Json]:
    values: dict[str, Json] = {}
    by_document: dict[str, list[tuple[Evidence, Label]]] = {}
    for entry, label in labelled:
        by_document.setdefault(entry.document.text, []).append((entry, label))
    for key, entries in by_document.items():
        rationales = _one_judgement(key, entries, options, problems)
        if rationales:
            word = _LABELS[entries[0][1]]
            values[key] = [
                {"sentences": list(rationale.sentences), "label": word}
                for rationale in rationales
            ]
    return values


def _one_judgement(
    key: str,
    entries: list[tuple[Evidence, Label]],
    options: WriteOptions,
    problems: Problems,
) -> tuple[Rationale, ...]:
    field = f"evidence.{key}"
    labels = {label for _, label in entries}
    rationales = [rationale for entry, _ in entries for rationale in entry.rationales]
    if len(labels) > 1:
        message = f"{field}: the claim has two labels for this abstract."
        problems.error(message, field=field, expected="one label for an abstract")
        return ()
    if labels == {Label.NOT_ENOUGH_INFO}:
        if rationales:
            warn_lost(problems, TITLE, "sentences of a NOT ENOUGH INFO pair", field)
        return ()
    scorable = scorable_rationales(rationales, field, problems, repair=options.repair)
    if not scorable and not (rationales and problems.has_errors):
        message = (
            f"{field}: the label has no rationale, which the evaluator cannot score "
            "and no repair can mend. Choose sentences, or leave the pair out."
        )
        problems.error(message, field=field, expected="at least 1 rationale")
    return scorable


def _cited_values(
    claim: Claim, labelled: list[tuple[Evidence, Label]], problems: Problems
) -> list[Json]:
    cited = list(claim.cited or ())
    known = {document.text for document in cited}
    for entry, label in labelled:
        document = entry.document
        # Evidence for a document that the file does not cite stays as it is, but
        # a NOT ENOUGH INFO pair exists only as a citation.
        if document.text in known or (
            claim.cited is not None and label != Label.NOT_ENOUGH_INFO
        ):
            continue
        if claim.cited is not None:
            message = f"The document {document} is added to cited_doc_ids."
            problems.warn(message, field="cited_doc_ids", value=document.text)
        cited.append(document)
        known.add(document.text)
    return [document.to_json() for document in cited]


FORMAT = Format(
    name="scifact",
    title=TITLE,
    protocol="scifact",
    labels=_LABELS,
    extensions=(".jsonl",),
    read_documents=read_documents,
    read_claims=read_claims,
    write_documents=write_documents,
    write_claims=write_claims,
)
