"""Uploading, submitting, waiting for the score, and publishing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api_schema import listing, operation
from verification import access as door
from verification.access import SubmissionAccess
from verification.api import shapes
from verification.api.base import BenchmarkView
from verification.api.values import submission_values
from verification.models import Team
from verification.services import submissions as services
from verification.services.submissions import Metadata


class SubmissionView(BenchmarkView):
    """A view that answers with a submission."""

    tag = "Submissions"

    def answer(self, token: str, status: int = 200) -> Response:
        """Answer with a submission as it is now."""
        values = submission_values(self.open_submission(token))
        return Response(shapes.SubmissionShape(values).data, status)

    def open_own(self, token: str) -> SubmissionAccess:
        """Return a submission of the user or their team; 403 for another's."""
        access = self.open_submission(token)
        access.require_own()
        return access


def _metadata(wanted: dict[str, Any]) -> Metadata:
    return Metadata(**{field.name: wanted[field.name] for field in fields(Metadata)})


class PhaseSubmissions(SubmissionView):
    """Uploads to a phase."""

    parser_classes = [MultiPartParser]

    @operation(
        "upload_submission",
        takes={"multipart/form-data": shapes.PredictionsBody},
        gives=shapes.SubmissionShape,
        status=202,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Upload predictions: a dry run, unless `submit` says otherwise.

        With `submit` the place in the quota is taken now and given back if the file
        has errors. Ask for the submission until it is no longer under way.
        """
        access = self.open_benchmark(slug)
        phase, person = access.phase(number), access.account
        wanted = self.body(shapes.PredictionsBody)
        submission = services.receive(
            phase=phase,
            submitter=person,
            upload=wanted["file"],
            team=self._team(wanted.get("team")),
            metadata=_metadata(wanted) if wanted["submit"] else None,
        )
        return self.answer(submission.token, 202)

    def _team(self, key: int | None) -> Team | None:
        if key is None:
            return None
        team = self.account.teams.filter(pk=key).first()
        if team is None:
            raise ValidationError({"team": ["You are in no such team."]})
        return team


class SubmissionList(BenchmarkView):
    """The submissions of the user and of their teams."""

    tag = "Submissions"

    @listing("list_submissions", shapes.SubmissionTitleShape)
    def get(self, request: Request) -> Response:
        """List your submissions and your teams', the oldest first."""
        rows = door.own_submissions(self.account).select_related("phase__benchmark")
        return self.page(rows, shapes.SubmissionTitleShape)


class SubmissionDetail(SubmissionView):
    """One submission."""

    is_public = True

    @operation("get_submission", gives=shapes.SubmissionShape)
    def get(self, request: Request, token: str) -> Response:
        """Read how far a submission is, and its score as far as you may learn it."""
        return self.answer(token)


class SubmissionSubmit(SubmissionView):
    """Submitting what was checked."""

    @operation("submit", takes=shapes.MetadataBody, gives=shapes.SubmissionShape)
    def post(self, request: Request, token: str) -> Response:
        """Have a checked upload scored; this takes a place in the quota.

        Doing it twice changes nothing.
        """
        access = self.open_own(token)
        services.submit(
            submission=access.submission,
            actor=self.account,
            metadata=_metadata(self.body(shapes.MetadataBody)),
        )
        return self.answer(token)


class SubmissionPublication(SubmissionView):
    """Putting a scored entry on the board."""

    @operation("publish", takes=shapes.PublicationBody, gives=shapes.SubmissionShape)
    def post(self, request: Request, token: str) -> Response:
        """Put a scored entry on the board, with names or without.

        An anonymous entry can be named later in the same way.
        """
        access = self.open_own(token)
        services.publish(
            submission=access.submission,
            actor=self.account,
            **self.body(shapes.PublicationBody),
        )
        return self.answer(token)


class SubmissionWithdrawal(SubmissionView):
    """Taking an entry off the board."""

    @operation("withdraw", gives=shapes.SubmissionShape)
    def post(self, request: Request, token: str) -> Response:
        """Take an entry off the board; a tombstone stays there."""
        access = self.open_own(token)
        services.withdraw(submission=access.submission, actor=self.account)
        return self.answer(token)
