"""Finding evidence for a claim, and for batches of claims."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from corpus.api import ApiView
from corpus.api_schema import listing, operation
from corpus.models import Corpus, User
from verification import access as door
from verification.api import evidence_shapes as shapes
from verification.api.base import QuotaExhausted
from verification.claim_lists import ListedClaim, claim_problem
from verification.installed_systems import installed_system, installed_systems
from verification.models import ClaimBatch, FactCheck
from verification.selectors.claim_batches import batch_progress, plausibility_for
from verification.selectors.evidence import own_marks
from verification.selectors.evidence_files import answer_json
from verification.services.claim_batches import make_batch
from verification.services.evidence_keeping import (
    keep_check,
    mark_abstract,
    release_check,
)
from verification.services.evidence_limits import (
    TooManyClaimsError,
    ask_within_limits,
)


class EvidenceView(ApiView):
    """A view of claims and the evidence for them."""

    tag = "Evidence"

    def answer(self, check: FactCheck, status: int = 200) -> Response:
        """Answer with a check as it is now."""
        response = Response(shapes.EvidenceShape(answer_json(check)).data, status)
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 429 where waiting helps."""
        if isinstance(exc, TooManyClaimsError):
            exc = QuotaExhausted(str(exc), exc.seconds_left(timezone.now()))
        return super().handle_exception(exc)


def _corpus(slug: str) -> Corpus:
    corpus = door.searched_corpora().filter(slug=slug).first()
    if corpus is None:
        raise ValidationError({"corpus": ["There is no such public corpus."]})
    return corpus


class SystemList(EvidenceView):
    """The systems that can be asked."""

    is_public = True

    @operation("list_systems", gives=shapes.SystemsShape)
    def get(self, request: Request) -> Response:
        """List the systems that are installed here; the first is the usual one."""
        return Response(shapes.SystemsShape({"items": installed_systems()}).data)


class ClaimList(EvidenceView):
    """Asking."""

    is_open = True

    @operation(
        "find_evidence",
        takes=shapes.ClaimBody,
        gives=shapes.EvidenceShape,
        status=202,
    )
    def post(self, request: Request) -> Response:
        """Ask for evidence for a claim, in a public corpus.

        Read the answer at its token, as often as you like, until its state is `done`
        or `failed`. It is removed after an hour unless it is kept.
        """
        wanted = self.body(shapes.ClaimBody)
        check = ask_within_limits(
            claim=wanted["claim"],
            corpus=_corpus(wanted["corpus"]),
            system=wanted["system"],
            asked_by=request.user if isinstance(request.user, User) else None,
            address=str(BaseThrottle().get_ident(request)),
        )
        return self.answer(check, 202)


class ClaimDetail(EvidenceView):
    """One claim and its answer."""

    is_public = True

    @operation("get_evidence", gives=shapes.EvidenceShape)
    def get(self, request: Request, token: str) -> Response:
        """Read how far the work is, and what has been found so far."""
        return self.answer(door.get_check(token))


class ClaimKeep(EvidenceView):
    """Keeping an answer."""

    is_open = True

    @operation("keep_evidence", gives=shapes.EvidenceShape)
    def post(self, request: Request, token: str) -> Response:
        """Keep an answer under its address, with its claim. Twice changes nothing."""
        actor = request.user if isinstance(request.user, User) else None
        return self.answer(keep_check(check=door.get_check(token), actor=actor))

    @operation("release_evidence", gives=shapes.EvidenceShape)
    def delete(self, request: Request, token: str) -> Response:
        """Take the permalink back, in the hour after the claim was asked."""
        actor = request.user if isinstance(request.user, User) else None
        release_check(check=door.get_check(token), actor=actor)
        return self.answer(door.get_check(token))


class ClaimMarks(EvidenceView):
    """Experts' marks."""

    @operation("get_marks", gives=shapes.OwnMarksShape)
    def get(self, request: Request, token: str) -> Response:
        """Read which abstracts you found plausible; others' marks are not shown."""
        return self._own(door.get_check(token))

    @operation("mark_evidence", takes=shapes.MarkBody, gives=shapes.OwnMarksShape)
    def put(self, request: Request, token: str) -> Response:
        """Say whether rationale and label of an evidence abstract are plausible."""
        check, person = door.get_check(token), self.account
        mark_abstract(check=check, rater=person, **self.body(shapes.MarkBody))
        return self._own(check)

    def _own(self, check: FactCheck) -> Response:
        marks = own_marks(self.account, check)
        return Response(shapes.OwnMarksShape({"marks": marks}).data)


class BatchList(EvidenceView):
    """The user's batches of claims."""

    @listing("list_claim_batches", shapes.BatchTitleShape)
    def get(self, request: Request) -> Response:
        """List your batches, the oldest first."""
        return self.page(door.own_batches(self.account), shapes.BatchTitleShape)

    @operation(
        "make_claim_batch",
        takes=shapes.BatchBody,
        gives=shapes.BatchShape,
        status=202,
    )
    def post(self, request: Request) -> Response:
        """Have many claims checked against one corpus; they and their answers are kept.

        Whoever is signed in and has the token can read them.
        """
        person, wanted = self.account, self.body(shapes.BatchBody)
        batch = make_batch(
            owner=person,
            name=wanted["name"],
            corpus=_corpus(wanted["corpus"]),
            system=installed_system(wanted["system"]).name,
            claims=_listed(wanted["claims"]),
        )
        return _batch_answer(batch, person, 202)


def _listed(claims: list[dict[str, str]]) -> list[ListedClaim]:
    """Return the claims; 400 for one that is none, or an id that comes twice."""
    found, ids = [], set()
    for number, entry in enumerate(claims):
        text = " ".join(entry["claim"].split())
        problem = claim_problem(text)
        if not problem and entry["id"] and entry["id"] in ids:
            problem = f"The id {entry['id']} comes twice."
        if problem:
            raise ValidationError({f"claims.{number}": [problem]})
        ids.add(entry["id"])
        found.append(ListedClaim(text, entry["id"]))
    return found


def _batch_answer(batch: ClaimBatch, reader: User, status: int = 200) -> Response:
    names = ("token", "name", "corpus", "system", "created_at")
    values: dict[str, Any] = {name: getattr(batch, name) for name in names} | {
        "progress": batch_progress(batch),
        "plausibility": plausibility_for(reader, batch),
    }
    return Response(shapes.BatchShape(values).data, status)


class BatchDetail(EvidenceView):
    """One batch."""

    @operation("get_claim_batch", gives=shapes.BatchShape)
    def get(self, request: Request, token: str) -> Response:
        """Read how far a batch is, and how plausible its answers are."""
        return _batch_answer(door.get_batch(token), self.account)


class BatchAnswers(EvidenceView):
    """The claims of a batch."""

    @listing("list_batch_answers", shapes.EvidenceOfBatchShape)
    def get(self, request: Request, token: str) -> Response:
        """List a batch's claims in their order, each with its answer."""
        batch = door.get_batch(token)
        rows = batch.checks.select_related("corpus")
        return self.page(rows, shapes.EvidenceOfBatchShape, key="position")
