"""Background work and private files."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import Serializer
from corpus import files, jobs
from corpus.api import ApiView, Scope, get_row
from corpus.api_schema import listing, operation
from corpus.downloads import send_file
from corpus.models import Job, StoredFile


class JobShape(Serializer):
    """A piece of background work and how far it is."""

    token = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Job.State.choices)
    phase = serializers.CharField(source="progress.phase")
    done = serializers.IntegerField(source="progress.done")
    total = serializers.IntegerField(source="progress.total")
    seconds_left = serializers.FloatField(
        source="progress.seconds_left", allow_null=True
    )
    error = serializers.CharField()
    result = serializers.DictField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    is_worker_missing = serializers.BooleanField(
        help_text="No worker runs, so that this will not go on by itself."
    )


class JobTitleShape(Serializer):
    """A piece of background work in a list."""

    id = serializers.IntegerField()
    token = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Job.State.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class FileShape(Serializer):
    """A private file of yours."""

    token = serializers.CharField()
    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    created_at = serializers.DateTimeField()


class UploadBody(Serializer):
    """A file, as a multipart form."""

    file = serializers.FileField(allow_empty_file=True, max_length=255)


def job_values(job: Job) -> Any:
    """Return a job with its progress."""
    names = ("token", "kind", "state", "error", "result", "created_at", "finished_at")
    values = {name: getattr(job, name) for name in names} | {
        "progress": jobs.job_progress(job),
        "is_worker_missing": jobs.is_worker_missing(job),
    }
    return JobShape(values).data


class JobList(ApiView):
    """The user's background work."""

    tag = "Jobs and files"

    @listing("list_jobs", JobTitleShape)
    def get(self, request: Request) -> Response:
        """List your jobs, the oldest first."""
        return self.page(jobs.visible_jobs(self.account), JobTitleShape)


class JobDetail(ApiView):
    """One job."""

    tag = "Jobs and files"
    write_scope = Scope.IMPORT

    @operation("get_job", gives=JobShape)
    def get(self, request: Request, token: str) -> Response:
        """Read how far a job is, and its result once it is done."""
        job = get_row(jobs.visible_jobs(self.account), token=token)
        return Response(job_values(job))

    @operation("cancel_job", gives=JobShape)
    def delete(self, request: Request, token: str) -> Response:
        """Cancel a waiting job; ask the worker of a running one to stop."""
        rows = jobs.visible_jobs(self.account)
        jobs.cancel_job(job=get_row(rows, token=token))
        return Response(job_values(get_row(rows, token=token)))


class FileList(ApiView):
    """Uploading."""

    tag = "Jobs and files"
    write_scope = Scope.IMPORT
    parser_classes = [MultiPartParser]

    @operation(
        "upload_file",
        takes={"multipart/form-data": UploadBody},
        gives=FileShape,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Upload a file for an import; nobody else can read it."""
        upload = self.body(UploadBody)["file"]
        stored = files.store_upload(upload=upload, owner=self.account)
        return Response(FileShape(stored).data, 201)


class FileDetail(ApiView):
    """One private file."""

    tag = "Jobs and files"

    @operation("get_file", gives=FileShape)
    def get(self, request: Request, token: str) -> Response:
        """Read the name, size and checksum of a file."""
        return Response(FileShape(_file(self, token)).data)


class FileContent(ApiView):
    """What is in a private file."""

    tag = "Jobs and files"

    @operation(
        "download_file",
        gives=OpenApiTypes.BINARY,
        media="application/octet-stream",
    )
    def get(self, request: Request, token: str) -> FileResponse:
        """Download a file."""
        return send_file(_file(self, token))


def _file(view: ApiView, token: str) -> StoredFile:
    stored: StoredFile = get_row(files.visible_files(view.account), token=token)
    return stored
