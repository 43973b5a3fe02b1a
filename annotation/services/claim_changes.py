"""Bringing imported claims up to a corrected file, where nobody has worked on them.

Wordings and answers get a new version; the old ones stay readable. Pairs that the
file no longer has are retired. Gold is never taken away: a file that has become
unlabelled leaves a labelled claim as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.db.models import F

from annotation.models import (
    Claim,
    ClaimCitation,
    ClaimVersion,
    Judgement,
    Pair,
    Rationale,
    Review,
    Verdict,
)
from annotation.services.claim_rows import (
    ClaimWriter,
    Documents,
    PairSpec,
    answer_values,
    claim_values,
    pair_specs,
    write_answers,
)
from annotation.services.importing import BATCH
from corpus import records

# Ordinals are unique: rows step aside by this much before they get their new ones.
_ASIDE = 1_000_000
_VALUES = (
    "external_id_is_int",
    "kind",
    "text",
    "text_key",
    "is_labelled",
    "has_cited_list",
    "source",
    "source_extra",
    "version",
    "split",
)

Change = tuple[Claim, records.Claim]
Answered = tuple[Pair, PairSpec, ClaimVersion]


def lock_claims(rows: Sequence[Claim]) -> None:
    """Hold claims until the import ends, and read their states again.

    Who retires, negates or reviews one of them comes before the lock and is seen,
    or waits until the import is done.
    """
    locked = Claim.objects.select_for_update().filter(pk__in=[row.pk for row in rows])
    states = dict(locked.order_by("pk").values_list("pk", "state"))
    for row in rows:
        row.state = states[row.pk]


def untouched(rows: Sequence[Claim]) -> set[int]:
    """Return the keys of the claims on which nobody but imports has worked."""
    found = {
        row.pk
        for row in rows
        if row.state == Claim.State.IMPORTED and row.author_id is None
    }
    by_people = Judgement.objects.filter(origin=Judgement.Origin.ANNOTATOR)
    decided = Verdict.objects.exclude(provenance=Verdict.Provenance.IMPORTED)
    reworded = ClaimVersion.objects.filter(author__isnull=False)
    negated = Claim.objects.filter(author__isnull=False)
    for work, path in (
        (by_people, "pair__claim"),
        (decided, "pair__claim"),
        (reworded, "claim"),
        (negated, "negates"),
        (Review.objects.all(), "claim_version__claim"),
        (Review.objects.all(), "judgement_version__judgement__pair__claim"),
    ):
        found -= set(work.filter(**{f"{path}__in": found}).values_list(path, flat=True))
    return found


def change_claims(
    writer: ClaimWriter, changes: Sequence[Change], documents: Documents
) -> None:
    """Make the rows of untouched claims say what their new records say."""
    if not changes:
        return
    versions = _change_rows(writer, changes, documents)
    _replace_citations(writer, changes, documents)
    answered = _change_pairs(writer, changes, versions, documents)
    _change_answers(writer, answered, documents)


def _change_rows(
    writer: ClaimWriter, changes: Sequence[Change], documents: Documents
) -> dict[int, ClaimVersion]:
    sources = writer.sources(claim for _, claim in changes)
    reworded = []
    for row, claim in changes:
        if row.text != claim.text:
            row.version += 1
            reworded.append(row)
        for name, value in claim_values(claim, sources).items():
            setattr(row, name, value)
        row.split = writer.split or row.split
        writer.log_claim(row, claim, documents)
    Claim.objects.bulk_update([row for row, _ in changes], _VALUES, batch_size=50)
    ClaimVersion.objects.bulk_create(
        ClaimVersion(claim=row, number=row.version, text=row.text) for row in reworded
    )
    current = ClaimVersion.objects.filter(
        claim__in=[row for row, _ in changes], number=F("claim__version")
    )
    return {version.claim_id: version for version in current}


def _replace_citations(
    writer: ClaimWriter, changes: Sequence[Change], documents: Documents
) -> None:
    ClaimCitation.objects.filter(claim__in=[row for row, _ in changes]).delete()
    writer.cite(changes, documents)


def _change_pairs(
    writer: ClaimWriter,
    changes: Sequence[Change],
    versions: dict[int, ClaimVersion],
    documents: Documents,
) -> list[Answered]:
    rows = [row for row, _ in changes]
    stored = _stored_pairs(rows)
    Pair.objects.filter(claim__in=rows).update(ordinal=F("ordinal") + _ASIDE)
    new: list[Pair] = []
    kept: list[Pair] = []
    answered: list[Answered] = []
    for row, claim in changes:
        mine = stored[row.pk]
        specs = pair_specs(claim)
        for ordinal, spec in enumerate(specs):
            if documents[spec.document].pk in mine:
                pair = mine.pop(documents[spec.document].pk)
                _change_pair(pair, spec, ordinal)
                kept.append(pair)
            else:
                pair = writer.new_pair(row, spec, ordinal, documents)
                new.append(pair)
            answered.append((pair, spec, versions[row.pk]))
        kept += _retired(mine.values(), len(specs))
    _save_pairs(writer, kept)
    writer.save_pairs(new)
    return answered


def _stored_pairs(rows: Sequence[Claim]) -> dict[int, dict[int, Pair]]:
    stored: dict[int, dict[int, Pair]] = {row.pk: {} for row in rows}
    pairs = Pair.objects.filter(claim__in=rows).select_related("verdict__judgement")
    for pair in pairs:
        stored[pair.claim_id][pair.document_id] = pair
    return stored


def _retired(pairs: Iterable[Pair], first_ordinal: int) -> Iterator[Pair]:
    """Put away the pairs that the file no longer has, behind the others."""
    for ordinal, pair in enumerate(pairs, start=first_ordinal):
        pair.ordinal, pair.state = ordinal, Pair.State.RETIRED
        yield pair


def _change_pair(pair: Pair, spec: PairSpec, ordinal: int) -> None:
    pair.ordinal = ordinal
    pair.state = Pair.State.IMPORTED
    pair.origin = spec.origin.value
    pair.source_extra = spec.extra
    # A pair with a verdict keeps it, so its answer is a judgement even if generated.
    has_verdict = hasattr(pair, "verdict")
    pair.given_sentence = None if has_verdict else spec.given_sentence


def _save_pairs(writer: ClaimWriter, pairs: Sequence[Pair]) -> None:
    fields = ["ordinal", "state", "origin", "source_extra", "given_sentence"]
    Pair.objects.bulk_update(pairs, fields, batch_size=BATCH)
    for pair in pairs:
        values = {name: getattr(pair, name) for name in fields}
        writer.log_one("pair", pair, "import", values)


def _change_answers(
    writer: ClaimWriter, answered: Iterable[Answered], documents: Documents
) -> None:
    fresh = []
    revised = []
    for pair, spec, version in answered:
        if spec.evidence is None or pair.given_sentence is not None:
            continue
        if hasattr(pair, "verdict"):
            revised.append((pair.verdict.judgement, spec.evidence, version))
        else:
            fresh.append((pair, spec.evidence, version))
    writer.judge(fresh, documents)
    _revise(writer, revised, documents)


def _revise(
    writer: ClaimWriter,
    revised: Sequence[tuple[Judgement, records.Evidence, ClaimVersion]],
    documents: Documents,
) -> None:
    judgements = []
    for judgement, evidence, version in revised:
        judgement.version += 1
        judgement.label = evidence.label.value
        judgement.claim_version = version
        judgement.document_hash = documents[evidence.document.text].content_hash
        judgements.append(judgement)
    fields = ["version", "label", "claim_version", "document_hash"]
    Judgement.objects.bulk_update(judgements, fields, batch_size=BATCH)
    Rationale.objects.filter(judgement__in=judgements).delete()
    write_answers([(judgement, evidence) for judgement, evidence, _ in revised])
    for judgement, evidence, version in revised:
        values = {
            "version": judgement.version,
            "claim_version_id": version.pk,
            "document_hash": judgement.document_hash,
            **answer_values(evidence),
        }
        writer.log_one("judgement", judgement, "import", values)
