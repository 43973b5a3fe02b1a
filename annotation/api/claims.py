"""Sources, and the claims that are written from them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import ProjectAccess
from annotation.api import work_shapes as shapes
from annotation.api.base import ProjectView, WorkView, values_of
from annotation.models import Claim, Comment, Source, Stage
from annotation.protocols import SourceKind
from annotation.selectors import work
from annotation.services import claim_reviews, claims, sources
from annotation.services.disagreements import disagree_with_claim_review
from annotation.services.leases import take_item
from annotation.services.next_work import next_work
from annotation.services.retiring import retire_claim
from annotation.services.reviews import REJECTION_WORDS, Remark
from corpus.api import PageQuery, get_row
from corpus.api_schema import listing, operation
from corpus.records import ClaimKind

KINDS: dict[SourceKind, tuple[ClaimKind, ...]] = {
    SourceKind.CITANCE: (ClaimKind.COMPOSED,),
    SourceKind.CANDIDATES: (ClaimKind.COMPOSED, ClaimKind.EXTRACTED),
    SourceKind.QUESTION: (ClaimKind.HYPOTHESIS,),
}


class SourceQuery(PageQuery):
    """A page of sources in one state or in all."""

    state = serializers.ChoiceField(Source.State.choices, required=False)


class ClaimQuery(PageQuery):
    """A page of claims in one state or in all."""

    state = serializers.ChoiceField(Claim.State.choices, required=False)


def source_values(access: ProjectAccess, source: Source) -> Any:
    """Return a source; its abstracts only where its writer may see them."""
    is_open = access.has_oversight or access.project.rules.writer_sees_cited_abstract
    documents = work.cited_documents(source) if is_open else []
    context = {"cited_documents": documents}
    return shapes.SourceDetailShape(source, context=context).data


def claim_values(access: ProjectAccess, claim: Claim) -> Any:
    """Return a claim with what the user may see of all that hangs on it."""
    values = values_of(claim, shapes.ClaimShape) | {
        "versions": claim.versions.select_related("author").order_by("number"),
        "reviews": work.claim_reviews(claim),
        "pairs": work.pair_rows(access, claim) if access.has_oversight else [],
    }
    return shapes.ClaimDetailShape(values, context=authors(access)).data


def authors(access: ProjectAccess) -> dict[str, Any]:
    """Return what shapes need to know about who reads them."""
    return {
        "shows_authors": access.shows_authors,
        "has_oversight": access.has_oversight,
        "is_admin": access.is_admin,
        "reader": access.user.pk or 0,
    }


class SourceList(ProjectView):
    """The sources of a project."""

    tag = "Sources"

    @listing("list_sources", shapes.SourceShape, SourceQuery)
    def get(self, request: Request, slug: str) -> Response:
        """List what claims are written from, in its order."""
        rows = self.open_project(slug).sources().select_related(*work.SOURCE_PARTS)
        if state := self.query(SourceQuery).get("state"):
            rows = rows.filter(state=state)
        return self.page(rows, shapes.SourceShape, key="position")


class SourceDetail(WorkView):
    """One source."""

    tag = "Sources"

    @operation("get_source", gives=shapes.SourceDetailShape)
    def get(self, request: Request, slug: str, source_id: int) -> Response:
        """Read a source as its writer sees it."""
        access = self.open_project(slug)
        rows = access.sources().select_related(*work.SOURCE_PARTS)
        return Response(source_values(access, get_row(rows, pk=source_id)))


class SourceClaims(WorkView):
    """The claims of one source."""

    tag = "Sources"

    @operation(
        "write_claims",
        takes=shapes.ClaimsBody,
        gives=shapes.ClaimShape(many=True),
        status=201,
    )
    def post(self, request: Request, slug: str, source_id: int) -> Response:
        """Submit all claims of a source, which closes it.

        Sent twice with one `submission_key`, they are written once. A source that you
        do not have in hand is taken first: refused if others have it, or if your daily
        number is reached.
        """
        access = self.open_project(slug)
        source = get_row(work.own_sources(access), pk=source_id)
        wanted = self.body(shapes.ClaimsBody)
        if source.state == Source.State.OPEN:
            take_item(access=access, stage=Stage.WRITE, item_id=source.pk)
        written = claims.write_claims(
            source=source,
            author=access.account,
            drafts=_drafts(access, wanted["claims"]),
            submission_key=wanted["submission_key"],
        )
        shown = shapes.ClaimShape(written, many=True, context=authors(access))
        return Response(shown.data, 201)


def _drafts(access: ProjectAccess, wanted: list[dict[str, Any]]) -> list[claims.Draft]:
    """Return drafts of a kind that the project's sources allow."""
    kinds = KINDS[access.project.rules.source]
    errors = {}
    for index, draft in enumerate(wanted):
        if draft.get("kind", kinds[0]) not in kinds:
            words = f"This project has claims of the kind {' or '.join(kinds)}."
            errors[f"claims.{index}.kind"] = [words]
    if errors:
        raise ValidationError(errors)
    return [
        claims.Draft(draft["text"], ClaimKind(draft.get("kind", kinds[0])))
        for draft in wanted
    ]


class SourceSkip(WorkView):
    """Putting a source aside."""

    tag = "Sources"

    @operation("skip_source", takes=shapes.ReasonBody, gives=shapes.SourceShape)
    def post(self, request: Request, slug: str, source_id: int) -> Response:
        """Put a source aside with a reason."""
        access = self.open_project(slug)
        source = get_row(work.sources_to_write(access), pk=source_id)
        reason = self.body(shapes.ReasonBody)["reason"]
        sources.skip_source(source=source, actor=access.account, reason=reason)
        return Response(shapes.SourceShape(source).data)


class NextToWrite(WorkView):
    """The writer's queue."""

    tag = "Work"

    @operation("next_to_write", gives=shapes.NextToWriteShape)
    def get(self, request: Request, slug: str) -> Response:
        """Ask what to write next: a claim that came back, else an open source.

        The source is kept for you: others do not get it while you write, for as many
        minutes as the project says.
        """
        access = self.open_project(slug)
        found = next_work(access, Stage.WRITE)
        claim = found.returned if isinstance(found.returned, Claim) else None
        source = None
        if found.lease is not None:
            source = work.own_sources(access).get(pk=found.lease.item_id)
        return Response(
            {
                "returned_claim": claim_values(access, claim) if claim else None,
                "source": source_values(access, source) if source else None,
            }
        )


class ClaimsToProofread(WorkView):
    """The proofreader's list."""

    tag = "Work"

    @listing("list_claims_to_proofread", shapes.ClaimShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the claims of others that wait for proofreading."""
        access = self.open_project(slug)
        rows = work.claims_to_proofread(access)
        context = authors(access)
        return self.page(rows, shapes.ClaimShape, key="position", context=context)


class ClaimList(ProjectView):
    """The claims of a project."""

    tag = "Claims"

    @listing("list_claims", shapes.ClaimShape, ClaimQuery)
    def get(self, request: Request, slug: str) -> Response:
        """List the claims that you may see: all with oversight, else your own."""
        access = self.open_project(slug)
        rows = work.claim_rows(access, self.query(ClaimQuery).get("state", ""))
        context = authors(access)
        return self.page(rows, shapes.ClaimShape, key="position", context=context)


class ClaimDetail(ProjectView):
    """One claim."""

    tag = "Claims"

    @operation("get_claim", gives=shapes.ClaimDetailShape)
    def get(self, request: Request, slug: str, claim_id: int) -> Response:
        """Read a claim: its versions, its reviews and its pairs."""
        access = self.open_project(slug)
        rows = access.claims().select_related("author")
        return Response(claim_values(access, get_row(rows, pk=claim_id)))


class ClaimVersions(WorkView):
    """The wordings of a claim."""

    tag = "Claims"

    @operation(
        "revise_claim",
        takes=shapes.RevisedClaimBody,
        gives=shapes.ClaimDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str, claim_id: int) -> Response:
        """Answer requested changes to your claim with another wording."""
        access = self.open_project(slug)
        access.require(Stage.WRITE)
        own = access.project.claims.filter(author=access.account)
        claim = get_row(own.select_related("author"), pk=claim_id)
        wanted = self.body(shapes.RevisedClaimBody)
        claims.revise_claim(
            claim=claim,
            author=access.account,
            text=wanted["text"],
            expected_version=wanted["version"],
            submission_key=wanted["submission_key"],
        )
        return Response(claim_values(access, claim), 201)


class ClaimReviews(WorkView):
    """Decisions on a claim."""

    tag = "Claims"

    @operation(
        "review_claim",
        takes=shapes.ClaimDecisionBody,
        gives=shapes.ClaimDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str, claim_id: int) -> Response:
        """Approve a claim, ask for changes, or reject it.

        Another `text` with `approve` fixes and approves; the author's is kept.
        """
        access = self.open_project(slug)
        access.require(Stage.PROOFREAD)
        claim = get_row(access.claims().select_related("author"), pk=claim_id)
        wanted = self.body(shapes.ClaimDecisionBody)
        _decide(claim, access, wanted)
        return Response(claim_values(access, claim), 201)


class ClaimDisagreement(WorkView):
    """The author's one answer to requested changes."""

    tag = "Claims"

    @operation(
        "disagree_about_claim",
        takes=shapes.DisagreementBody,
        gives=shapes.ClaimDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str, claim_id: int) -> Response:
        """Disagree with requested changes, once: another proofreader decides."""
        access = self.open_project(slug)
        access.require(Stage.WRITE)
        own = access.project.claims.filter(author=access.account)
        claim = get_row(own.select_related("author"), pk=claim_id)
        wanted = self.body(shapes.DisagreementBody)
        disagree_with_claim_review(
            claim=claim,
            author=access.account,
            text=wanted["because"],
            expected_version=wanted["version"],
            submission_key=wanted["submission_key"],
        )
        return Response(claim_values(access, claim), 201)


def explained(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what the services of all decisions take, from a body."""
    return {
        "expected_version": wanted["version"],
        "note": wanted["note"],
        "submission_key": wanted.get("submission_key"),
        "remarks": [
            Remark(Comment.Part(c["part"]), c["text"], c.get("sentence"))
            for c in wanted["comments"]
        ],
    }


def _decide(claim: Claim, access: ProjectAccess, wanted: dict[str, Any]) -> None:
    values = {"claim": claim, "reviewer": access.account, **explained(wanted)}
    if wanted["decision"] == "approve":
        text = wanted.get("text", claim.text)
        claim_reviews.fix_and_approve_claim(**values, text=text)
        return
    require_reason(wanted)
    refuse = {
        "request_changes": claim_reviews.request_claim_changes,
        "reject": claim_reviews.reject_claim,
    }[wanted["decision"]]
    refuse(**values, reason_code=wanted["reason_code"])


def require_reason(wanted: dict[str, Any]) -> None:
    """Refuse a refusal that teaches its author nothing, as the forms do."""
    if not wanted["reason_code"]:
        words = "Choose a reason, so that the author learns."
        raise ValidationError({"reason_code": [words]})
    if wanted["reason_code"] == "other" and not wanted["note"].strip():
        raise ValidationError({"note": ["Say in the note what is wrong."]})
    if wanted["decision"] == "reject" and not _has_words(wanted):
        raise ValidationError({"note": [REJECTION_WORDS]})


def _has_words(wanted: dict[str, Any]) -> bool:
    texts = [wanted["note"], *(comment["text"] for comment in wanted["comments"])]
    return any(text.strip() for text in texts)


class ClaimRetirement(ProjectView):
    """Taking a claim out of the data set."""

    tag = "Claims"

    @operation("retire_claim", takes=shapes.ReasonBody, gives=shapes.ClaimDetailShape)
    def post(self, request: Request, slug: str, claim_id: int) -> Response:
        """Take a claim and its pairs out of the data set; nothing is deleted."""
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        claim = get_row(access.claims().select_related("author"), pk=claim_id)
        reason = self.body(shapes.ReasonBody)["reason"]
        retire_claim(claim=claim, actor=access.account, reason=reason)
        return Response(claim_values(access, claim))
