"""Pairs, what annotators judge of them, and what reviewers decide."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import ProjectAccess
from annotation.api import work_shapes as shapes
from annotation.api.base import ProjectView, WorkView, values_of
from annotation.api.claims import authors, explained, require_reason
from annotation.models import Judgement, Pair, Rationale, Stage
from annotation.selectors import work
from annotation.selectors.judgements import told_as
from annotation.services import judgement_reviews, judgements
from annotation.services.disagreements import disagree_with_judgement_review
from annotation.services.judgements import Answer, Seconds
from annotation.services.leases import take_item
from annotation.services.next_work import next_work
from annotation.services.work_time import record_time
from corpus.api import LARGEST_KEY, PageQuery, get_row
from corpus.api_schema import listing, operation
from corpus.records import Label, SentenceRole
from corpus.records import Rationale as RationaleRecord

PAIR_PARTS = ("claim", "document", "project")


class PairQuery(PageQuery):
    """A page of pairs, of one claim or of all."""

    claim = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_KEY)


class JudgementQuery(PageQuery):
    """A page of judgements, of one pair or in one state."""

    pair = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_KEY)
    state = serializers.ChoiceField(Judgement.State.choices, required=False)


def pair_values(access: ProjectAccess, pair: Pair) -> Any:
    """Return a pair with its abstract."""
    return shapes.PairDetailShape(pair, context=authors(access)).data


def judgement_values(access: ProjectAccess, judgement: Judgement) -> Any:
    """Return a judgement with its pair, its versions and its reviews."""
    values = values_of(judgement, shapes.JudgementShape) | {
        "rationales": {"all": judgement.rationales.order_by("ordinal")},
        "pair": judgement.pair,
        "versions": judgement.versions.select_related("author").order_by("number"),
        "reviews": work.judgement_reviews(judgement),
    }
    return shapes.JudgementDetailShape(values, context=authors(access)).data


def _with_parts(rows: QuerySet[Judgement]) -> QuerySet[Judgement]:
    ordered = Prefetch("rationales", Rationale.objects.order_by("ordinal"))
    return rows.select_related("annotator").prefetch_related(ordered)


def _answer(wanted: dict[str, Any]) -> Answer:
    return Answer(
        Label(wanted["label"]),
        tuple(
            RationaleRecord(
                tuple(rationale["sentences"]),
                tuple(SentenceRole(role) for role in rationale.get("roles", ())),
            )
            for rationale in wanted["rationales"]
        ),
    )


class NextToVerify(WorkView):
    """The verifier's queue."""

    tag = "Work"

    @operation("next_to_verify", gives=shapes.NextToVerifyShape)
    def get(self, request: Request, slug: str) -> Response:
        """Ask what to judge next: a judgement that came back, else an open pair.

        The pair is kept for you: others do not get it while you judge it, for as
        many minutes as the project says.
        """
        access = self.open_project(slug)
        found = next_work(access, Stage.VERIFY)
        returned = found.returned if isinstance(found.returned, Judgement) else None
        pair = None
        if found.lease is not None:
            pair = work.pair_to_judge(access, found.lease.item_id)
        return Response(
            {
                "returned_judgement": judgement_values(access, returned)
                if returned
                else None,
                "pair": pair_values(access, pair) if pair else None,
            }
        )


class JudgementsToReview(WorkView):
    """The reviewer's list."""

    tag = "Work"

    @listing("list_judgements_to_review", shapes.JudgementShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the judgements of others that wait for review."""
        access = self.open_project(slug)
        rows = _with_parts(work.judgements_to_review(access))
        return self.page(rows, shapes.JudgementShape, context=authors(access))


class PairList(ProjectView):
    """The pairs of a project."""

    tag = "Pairs"

    @listing("list_pairs", shapes.PairShape, PairQuery)
    def get(self, request: Request, slug: str) -> Response:
        """List the pairs: all with oversight, else those that you judged."""
        access = self.open_project(slug)
        rows = access.pairs().select_related("claim", "document")
        if claim := self.query(PairQuery).get("claim"):
            rows = rows.filter(claim=claim)
        return self.page(rows, shapes.PairShape, context=authors(access))


class PairDetail(WorkView):
    """One pair."""

    tag = "Pairs"

    @operation("get_pair", gives=shapes.PairDetailShape)
    def get(self, request: Request, slug: str, pair_id: int) -> Response:
        """Read a pair with its abstract: one that you may judge, or may see."""
        access = self.open_project(slug)
        pair = access.pairs().select_related(*PAIR_PARTS).filter(pk=pair_id).first()
        if pair is None and access.can(Stage.VERIFY):
            pair = work.pair_to_judge(access, pair_id)
        if pair is None:
            raise Http404("There is no such pair, or you may not see it.")
        return Response(pair_values(access, pair))


class PairJudgements(WorkView):
    """Judging a pair."""

    tag = "Pairs"

    @operation(
        "submit_judgement",
        takes=shapes.JudgementBody,
        gives=shapes.JudgementDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str, pair_id: int) -> Response:
        """Submit your judgement of a pair.

        Sent twice with one `submission_key`, it is submitted once. A pair that you do
        not have in hand is taken first: refused if others have it, or if your daily
        number is reached.
        """
        access = self.open_project(slug)
        pair = work.pair_to_judge(access, pair_id)
        if pair is None:
            raise Http404("That pair does not wait for you.")
        wanted = self.body(shapes.JudgementBody)
        if not pair.judgements.filter(annotator=access.account).exists():
            take_item(access=access, stage=Stage.VERIFY, item_id=pair.pk)
        seconds = Seconds(wanted.get("active_seconds"), wanted.get("elapsed_seconds"))
        judgement = judgements.submit_judgement(
            pair=pair,
            annotator=access.account,
            answer=_answer(wanted),
            submission_key=wanted["submission_key"],
            seconds=seconds,
        )
        if seconds != Seconds():  # a client with a clock, so somebody sat at it
            record_time(
                project=access.project,
                person=access.account,
                stage=Stage.VERIFY,
                item_id=pair.pk,
                seconds=seconds,
                submission_key=wanted["submission_key"],
            )
        return Response(judgement_values(access, judgement), 201)


class JudgementList(ProjectView):
    """The judgements of a project."""

    tag = "Judgements"

    @listing("list_judgements", shapes.JudgementShape, JudgementQuery)
    def get(self, request: Request, slug: str) -> Response:
        """List the judgements that you may see: all with oversight, else your own."""
        access = self.open_project(slug)
        wanted = self.query(JudgementQuery)
        rows = _with_parts(access.judgements())
        if "pair" in wanted:
            rows = rows.filter(pair=wanted["pair"])
        if "state" in wanted:
            rows = rows.filter(told_as(wanted["state"], access.account))
        return self.page(rows, shapes.JudgementShape, context=authors(access))


class JudgementDetail(ProjectView):
    """One judgement."""

    tag = "Judgements"

    @operation("get_judgement", gives=shapes.JudgementDetailShape)
    def get(self, request: Request, slug: str, judgement_id: int) -> Response:
        """Read a judgement: its pair, its versions and what reviewers said."""
        access = self.open_project(slug)
        rows = access.judgements().select_related(*work.JUDGEMENT_PARTS)
        return Response(judgement_values(access, get_row(rows, pk=judgement_id)))


class JudgementVersions(WorkView):
    """The answers of a judgement."""

    tag = "Judgements"

    @operation(
        "revise_judgement",
        takes=shapes.RevisedJudgementBody,
        gives=shapes.JudgementDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str, judgement_id: int) -> Response:
        """Answer requested changes to your judgement."""
        access = self.open_project(slug)
        access.require(Stage.VERIFY)
        judgement = get_row(work.own_judgements(access), pk=judgement_id)
        wanted = self.body(shapes.RevisedJudgementBody)
        judgements.revise_judgement(
            judgement=judgement,
            annotator=access.account,
            answer=_answer(wanted),
            expected_version=wanted["version"],
            submission_key=wanted["submission_key"],
        )
        return Response(judgement_values(access, judgement), 201)


class JudgementDisagreement(WorkView):
    """The annotator's one answer to requested changes."""

    tag = "Judgements"

    @operation(
        "disagree_about_judgement",
        takes=shapes.DisagreementBody,
        gives=shapes.JudgementDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str, judgement_id: int) -> Response:
        """Disagree with requested changes, once: another reviewer decides."""
        access = self.open_project(slug)
        access.require(Stage.VERIFY)
        judgement = get_row(work.own_judgements(access), pk=judgement_id)
        wanted = self.body(shapes.DisagreementBody)
        disagree_with_judgement_review(
            judgement=judgement,
            author=access.account,
            text=wanted["because"],
            expected_version=wanted["version"],
            submission_key=wanted["submission_key"],
        )
        return Response(judgement_values(access, judgement), 201)


class JudgementReviews(WorkView):
    """Decisions on a judgement."""

    tag = "Judgements"

    @operation(
        "review_judgement",
        takes=shapes.JudgementDecisionBody,
        gives=shapes.JudgementDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str, judgement_id: int) -> Response:
        """Approve a judgement, ask for changes, or reject it.

        Another `answer` with `approve` fixes and approves; the annotator's is kept.
        """
        access = self.open_project(slug)
        access.require(Stage.REVIEW)
        rows = access.judgements().select_related(*work.JUDGEMENT_PARTS)
        judgement = get_row(rows, pk=judgement_id)
        _decide(judgement, access, self.body(shapes.JudgementDecisionBody))
        return Response(judgement_values(access, judgement), 201)


def _decide(
    judgement: Judgement, access: ProjectAccess, wanted: dict[str, Any]
) -> None:
    values = {"judgement": judgement, "reviewer": access.account, **explained(wanted)}
    if wanted["decision"] == "approve":
        given = wanted.get("answer")
        answer = _answer(given) if given else judgements.current_answer(judgement)
        judgement_reviews.fix_and_approve_judgement(**values, answer=answer)
        return
    require_reason(wanted)
    refuse = {
        "request_changes": judgement_reviews.request_judgement_changes,
        "reject": judgement_reviews.reject_judgement,
    }[wanted["decision"]]
    refuse(**values, reason_code=wanted["reason_code"])
