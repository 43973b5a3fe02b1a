"""What waits for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from annotation.access import ProjectAccess
from annotation.models import Claim, Judgement, Pair, Review, Skip, Source, Stage
from annotation.protocols import NegationStep
from annotation.selectors.second_opinions import held_back
from annotation.services.negations import FALLEN
from corpus.models import Document, Event
from corpus.reading import MarkedSentence, mark_sentences
from corpus.records import Rationale, SentenceRole

JUDGEMENT_PARTS = ("annotator", "pair__claim", "pair__document", "pair__project")
SOURCE_PARTS = ("citance__passage__article", "question", "project")


def sources_to_write(access: ProjectAccess) -> QuerySet[Source]:
    """The open sources, oldest first.

    Where writers must not know the cited abstract, nobody gets a citance of an
    abstract that they have judged a claim on.
    """
    access.require(Stage.WRITE)
    sources = access.sources().filter(state=Source.State.OPEN)
    if not access.project.rules.writer_sees_cited_abstract:
        judged = Judgement.objects.filter(
            annotator=access.account,
            pair__document__citations__citance=OuterRef("citance"),
        )
        sources = sources.filter(~Exists(judged))
    return sources.select_related(*SOURCE_PARTS).order_by("position")


def skipped_sources(access: ProjectAccess) -> QuerySet[Source]:
    """The skipped sources in their order, each with its ``reason``."""
    skips = Event.objects.filter(noun="source", verb="skip", object_id=OuterRef("pk"))
    return (
        access.sources()
        .filter(state=Source.State.SKIPPED)
        .annotate(reason=Subquery(skips.order_by("-id").values("why")[:1]))
        .select_related(*SOURCE_PARTS, "closed_by")
        .order_by("position")
    )


def claims_to_proofread(access: ProjectAccess) -> QuerySet[Claim]:
    """The submitted claims of others, oldest first: the user wrote no version.

    Where an author disagrees with the user, another proofreader decides.
    """
    access.require(Stage.PROOFREAD)
    left = held_back(access.account, [access.project.pk], Stage.PROOFREAD)
    return (
        access.project.claims.filter(state=Claim.State.SUBMITTED)
        .exclude(author=access.account)
        .exclude(versions__author=access.account)
        .exclude(pk__in=left)
        .select_related("author", "project")
        .order_by("position")
    )


def claims_to_negate(access: ProjectAccess) -> QuerySet[Claim]:
    """The approved originals without a negation that stands, oldest first.

    Who wrote them does not matter. Never a negation, nor a generated copy; nothing
    where claims are negated at once or not at all.
    """
    access.require(Stage.NEGATE)
    if access.project.rules.negation is not NegationStep.SEPARATE:
        return access.project.claims.none()
    return (
        negatable_claims()
        .filter(project=access.project)
        .select_related("project", *(f"source__{part}" for part in SOURCE_PARTS))
        .order_by("position")
    )


def negatable_claims() -> QuerySet[Claim]:
    """The approved originals, of any project, that have no negation.

    One that somebody skipped because only an obvious negation would do is left out
    for everybody, until an admin brings it back.
    """
    skipped = Skip.objects.filter(stage=Stage.NEGATE, item_id=OuterRef("pk"))
    standing = Claim.objects.filter(negates=OuterRef("pk")).exclude(state__in=FALLEN)
    generated = Pair.objects.filter(claim=OuterRef("pk"), origin=Pair.Origin.GENERATED)
    return Claim.objects.filter(
        ~Exists(standing),
        ~Exists(generated),
        ~Exists(skipped),
        state=Claim.State.APPROVED,
        negates=None,
    )


def sendable_originals(access: ProjectAccess) -> QuerySet[Claim]:
    """The originals for which a negation may come, be it too late.

    Those that were approved once: the form is refused in words, on its own page, and
    its text stays in it.
    """
    access.require(Stage.NEGATE)
    approvals = Event.objects.filter(
        noun="claim", object_id=OuterRef("pk"), to_state=Claim.State.APPROVED
    )
    was_approved = Q(state=Claim.State.APPROVED) | Exists(approvals)
    return access.project.claims.filter(was_approved, negates=None).select_related(
        "project", *(f"source__{part}" for part in SOURCE_PARTS)
    )


def judgements_to_review(access: ProjectAccess) -> QuerySet[Judgement]:
    """The submitted judgements of others, oldest first.

    Where an annotator disagrees with the user, another reviewer decides. What the
    user must not see yet comes once they can no longer judge its pair.
    """
    access.require(Stage.REVIEW)
    left = held_back(access.account, [access.project.pk], Stage.REVIEW)
    return (
        access.judgements()
        .filter(state=Judgement.State.SUBMITTED)
        .exclude(annotator=access.account)
        .exclude(pk__in=left)
        .select_related(*JUDGEMENT_PARTS)
        .order_by("id")
    )


def returned_claims(access: ProjectAccess) -> QuerySet[Claim]:
    """The user's own claims that came back to the page of writing, oldest first.

    Negations come back to the page of negating, where the project has one.
    """
    claims = _returned_claims(access)
    if access.project.rules.negation is NegationStep.SEPARATE:
        claims = claims.filter(negates=None)
    return claims


def returned_negations(access: ProjectAccess) -> QuerySet[Claim]:
    """The user's own negations that came back to the page of negating."""
    claims = _returned_claims(access)
    if access.project.rules.negation is not NegationStep.SEPARATE:
        return claims.none()
    return claims.filter(negates__isnull=False)


def _returned_claims(access: ProjectAccess) -> QuerySet[Claim]:
    return access.project.claims.filter(
        author=access.account, state=Claim.State.CHANGES_REQUESTED
    ).order_by("position")


def returned_judgements(access: ProjectAccess) -> QuerySet[Judgement]:
    """The user's own judgements that came back, oldest first."""
    return (
        Judgement.objects.filter(
            pair__project=access.project,
            annotator=access.account,
            state=Judgement.State.CHANGES_REQUESTED,
        )
        .select_related(*JUDGEMENT_PARTS)
        .order_by("id")
    )


def own_sources(access: ProjectAccess) -> QuerySet[Source]:
    """The sources that the user may write from, or has written from.

    A form that is sent twice meets a source that it has closed itself.
    """
    mine = Q(pk__in=sources_to_write(access).values("pk"))
    mine |= Q(closed_by=access.account)
    return access.sources().filter(mine).select_related(*SOURCE_PARTS)


def sendable_sources(access: ProjectAccess) -> QuerySet[Source]:
    """The sources for which a form may come, be it too late.

    What others have closed is among them: the form is refused in words, on its own
    page, and its texts stay in it.
    """
    closed = access.sources().exclude(state=Source.State.OPEN).values("pk")
    sendable = Q(pk__in=own_sources(access).values("pk")) | Q(pk__in=closed)
    return access.sources().filter(sendable).select_related(*SOURCE_PARTS)


def pair_to_judge(access: ProjectAccess, pk: int) -> Pair | None:
    """A pair that the user may judge, or has judged with a form sent twice."""
    access.require(Stage.VERIFY)
    open_now = access.pairs_to_verify().filter(pk=pk)
    mine = access.project.pairs.filter(pk=pk, judgements__annotator=access.account)
    for pairs in (open_now, mine):
        pair = pairs.select_related("claim", "document", "project").first()
        if pair is not None:
            return pair
    return None


def own_judgements(access: ProjectAccess) -> QuerySet[Judgement]:
    """The user's own judgements in this project."""
    return Judgement.objects.filter(
        pair__project=access.project, annotator=access.account
    ).select_related(*JUDGEMENT_PARTS)


def plain_rationales(judgement: Judgement) -> list[dict[str, Any]]:
    """The rationales of the current version, as plain values; may be prefetched."""
    rows = sorted(judgement.rationales.all(), key=lambda r: r.ordinal)
    return [{"sentences": r.sentences, "roles": r.roles} for r in rows]


def marked_sentences(judgement: Judgement) -> list[MarkedSentence]:
    """The abstract of a judgement with its rationales; may be prefetched."""
    rationales = [
        Rationale(tuple(r["sentences"]), tuple(SentenceRole(x) for x in r["roles"]))
        for r in plain_rationales(judgement)
    ]
    return mark_sentences(judgement.pair.document.sentences, rationales)


def claim_reviews(claim: Claim) -> QuerySet[Review]:
    """What stands of the decisions about a claim, newest first."""
    return (
        Review.objects.filter(claim_version__claim=claim, undone_at=None)
        .select_related("reviewer", "claim_version")
        .prefetch_related("comments")
        .order_by("-id")
    )


def judgement_reviews(judgement: Judgement) -> QuerySet[Review]:
    """What stands of the decisions about a judgement, newest first."""
    return (
        Review.objects.filter(judgement_version__judgement=judgement, undone_at=None)
        .select_related("reviewer", "judgement_version")
        .prefetch_related("comments")
        .order_by("-id")
    )


def cited_documents(source: Source) -> list[Document]:
    """The abstracts that a source cites, in its order, each once."""
    if source.citance is None:
        return []
    citations = source.citance.citations.select_related("document").order_by("ordinal")
    return list(dict.fromkeys(citation.document for citation in citations))


@dataclass(frozen=True, slots=True)
class PassageParts:
    """A paragraph cut at its citance, for highlighting."""

    before: str
    citance: str
    after: str


def passage_parts(source: Source) -> PassageParts | None:
    """Return the paragraph of a source's citance; None for a question."""
    if source.citance is None:
        return None
    text, citance = source.citance.passage.text, source.citance
    return PassageParts(text[: citance.start], citance.text, text[citance.end :])


def claim_rows(access: ProjectAccess, state: str) -> QuerySet[Claim]:
    """The claims that the user may list, in one state or in all, with their pairs."""
    claims = access.claims().annotate(pair_count=Count("pairs"))
    if state:
        claims = claims.filter(state=state)
    return claims.select_related("author").order_by("position")


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """A judgement with its sentences, for the page of its claim."""

    judgement: Judgement
    sentences: list[MarkedSentence]


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair of a claim with what was judged of it."""

    pair: Pair
    judgements: list[JudgementRow]


def pair_rows(access: ProjectAccess, claim: Claim) -> list[PairRow]:
    """The pairs of a claim; only oversight sees judgements of others.

    The writer of a claim sees that its pairs exist, but neither their abstracts
    nor what others judged of them.
    """
    pairs = claim.pairs.select_related("document").order_by("ordinal")
    if not access.has_oversight:
        return [PairRow(pair, []) for pair in pairs]
    judgements = (
        access.judgements()
        .select_related("annotator", "pair__document")
        .prefetch_related("rationales")
        .order_by("slot", "id")
    )
    return [
        PairRow(
            pair, [JudgementRow(j, marked_sentences(j)) for j in pair.judgements.all()]
        )
        for pair in pairs.prefetch_related(Prefetch("judgements", judgements))
    ]


def claim_history(claim: Claim) -> QuerySet[Event]:
    """What happened to a claim, newest first."""
    return (
        Event.objects.filter(noun="claim", object_id=claim.pk)
        .select_related("actor")
        .order_by("-id")
    )
