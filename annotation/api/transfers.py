"""Imports and exports: upload a file, check it, confirm, and follow the job."""

from __future__ import annotations

from typing import Any, BinaryIO, cast

from django.utils.text import slugify
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation import access as door
from annotation.api.base import ProjectView, Serializer
from annotation.api.jobs import JobShape, job_values
from annotation.models import Claim, Project, Stage
from annotation.models.labels import LabelCode
from annotation.services.exports import DEFAULT_STATES
from corpus import files
from corpus.api import ApiView, Scope, get_row
from corpus.api_schema import operation
from corpus.exceptions import DomainError
from corpus.formats.base import Format
from corpus.formats.registry import all_formats
from corpus.jobs import start_job, visible_jobs
from corpus.models import Corpus, Job, StoredFile
from corpus.tables import FIELDS, guess_mapping, read_header

FORMATS = sorted(all_formats())
CONTENT = ("documents", "articles")


class FormatShape(Serializer):
    """A file format, and what can be read from it and written to it."""

    name = serializers.CharField()
    title = serializers.CharField()
    protocol = serializers.ChoiceField(Project.ProtocolChoice.choices)
    extensions = serializers.ListField(child=serializers.CharField())
    reads = serializers.ListField(child=serializers.CharField())
    writes = serializers.ListField(child=serializers.CharField())
    labels = serializers.DictField(child=serializers.CharField())


class FormatsShape(Serializer):
    """All file formats."""

    items = FormatShape(many=True)


class ColumnsQuery(Serializer):
    """Which sheet of a workbook is meant."""

    sheet = serializers.CharField(required=False, max_length=255)


class ColumnsShape(Serializer):
    """The columns of a spreadsheet, and which is likely which."""

    columns = serializers.ListField(child=serializers.CharField())
    sheets = serializers.ListField(child=serializers.CharField())
    guess = serializers.DictField(child=serializers.CharField())


class ColumnMappingBody(Serializer):
    """Which column of a spreadsheet is which."""

    def get_fields(self) -> dict[str, Any]:
        """One optional field for each that an abstract has."""
        return {
            name: serializers.CharField(required=False, max_length=500)
            for name in FIELDS
        }


class CorpusCheckBody(Serializer):
    """A file of abstracts or of articles: of a format, or a spreadsheet."""

    file = serializers.CharField(max_length=32, help_text="The token of an upload.")
    content = serializers.ChoiceField(CONTENT, default="documents")
    format = serializers.ChoiceField(FORMATS, required=False)
    mapping = ColumnMappingBody(required=False)
    sheet = serializers.CharField(required=False, max_length=255)


class ClaimsCheckBody(Serializer):
    """A file of claims."""

    file = serializers.CharField(max_length=32, help_text="The token of an upload.")
    format = serializers.ChoiceField(FORMATS)
    split = serializers.CharField(default="", allow_blank=True, max_length=40)


class ImportBody(Serializer):
    """The finished check whose file is imported."""

    check_token = serializers.CharField(max_length=32)


class CorpusExportBody(Serializer):
    """The abstracts of a corpus as a file."""

    format = serializers.ChoiceField(FORMATS)


class LabelPairBody(Serializer):
    """A label that the format lacks, and the one that is written for it."""

    write = serializers.ChoiceField(LabelCode.choices)
    instead_of = serializers.ChoiceField(LabelCode.choices)


class ClaimsExportBody(Serializer):
    """The claims of a project as a file."""

    format = serializers.ChoiceField(FORMATS)
    states = serializers.ListField(
        child=serializers.ChoiceField(Claim.State.choices),
        default=list(DEFAULT_STATES),
        min_length=1,
        max_length=len(Claim.State.values),
    )
    split = serializers.CharField(default="", allow_blank=True, max_length=40)
    label_map = LabelPairBody(many=True, default=list)
    repair = serializers.BooleanField(
        default=False, help_text="Mend gold that the format's evaluator cannot score."
    )


class FormatList(ApiView):
    """What files there are."""

    tag = "Imports and exports"
    is_public = True

    @operation("list_formats", gives=FormatsShape)
    def get(self, request: Request) -> Response:
        """List the file formats with what each can hold."""
        items = [_format_values(fmt) for fmt in all_formats().values()]
        return Response(FormatsShape({"items": items}).data)


def _format_values(fmt: Format) -> dict[str, Any]:
    nouns = ("documents", "claims", "articles")
    return {
        "name": fmt.name,
        "title": fmt.title,
        "protocol": fmt.protocol,
        "extensions": fmt.extensions,
        "reads": [noun for noun in nouns if getattr(fmt, f"read_{noun}")],
        "writes": [noun for noun in nouns if getattr(fmt, f"write_{noun}")],
        "labels": {label.value: word for label, word in fmt.labels.items()},
    }


def _require(fmt: str, verb: str, noun: str) -> None:
    if getattr(all_formats()[fmt], f"{verb}_{noun}") is None:
        words = f"{all_formats()[fmt].title} has no file of {noun} to {verb}."
        raise ValidationError({"format": [words]})


class FileColumns(ApiView):
    """The columns of an uploaded spreadsheet."""

    tag = "Imports and exports"

    @operation("get_columns", query=ColumnsQuery, gives=ColumnsShape)
    def get(self, request: Request, token: str) -> Response:
        """Read the columns of an uploaded CSV or XLSX file, and what they may be."""
        stored = _upload(self, token)
        with stored.file.open("rb") as file:
            header = read_header(
                cast(BinaryIO, file), stored.name, self.query(ColumnsQuery).get("sheet")
            )
        values = {
            "columns": header.columns,
            "sheets": header.sheet_names,
            "guess": guess_mapping(header.columns),
        }
        return Response(ColumnsShape(values).data)


def _upload(view: ApiView, token: str) -> StoredFile:
    stored: StoredFile = get_row(files.visible_files(view.account), token=token)
    return stored


class CorpusChecks(ApiView):
    """Dry runs of an import into a corpus."""

    tag = "Imports and exports"
    write_scope = Scope.IMPORT

    @operation("check_corpus_file", takes=CorpusCheckBody, gives=JobShape, status=202)
    def post(self, request: Request, slug: str) -> Response:
        """Check a file of abstracts or articles. Nothing is written.

        The job's result says what an import would do, with the first 100 errors.
        """
        corpus = door.get_editable_corpus(request.user, slug)
        wanted = self.body(CorpusCheckBody)
        payload = {
            "corpus": corpus.pk,
            "file": _upload(self, wanted["file"]).pk,
            **_reading(wanted),
        }
        return _started(self, f"check_{wanted['content']}", payload)


def _reading(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return how the file is read: by a format, or by its columns."""
    if "mapping" in wanted and wanted["content"] == "documents":
        mapping = dict(wanted["mapping"])
        if not {"title", "abstract"} & mapping.keys():
            words = "Say which column holds the title or the abstract."
            raise ValidationError({"mapping": [words]})
        return {"mapping": mapping, "sheet": wanted.get("sheet")}
    if "format" not in wanted:
        raise ValidationError({"format": ["Name a format, or map the columns."]})
    _require(wanted["format"], "read", wanted["content"])
    return {"format": wanted["format"]}


def _started(
    view: ApiView, kind: str, payload: dict[str, Any], project: Project | None = None
) -> Response:
    job = start_job(
        kind=kind,
        owner=view.account,
        payload=payload,
        project_id=project.pk if project else None,
    )
    job.refresh_from_db()
    return Response(job_values(job), 202)


class ClaimsChecks(ProjectView):
    """Dry runs of an import into a project."""

    tag = "Imports and exports"
    write_scope = Scope.IMPORT

    @operation("check_claims_file", takes=ClaimsCheckBody, gives=JobShape, status=202)
    def post(self, request: Request, slug: str) -> Response:
        """Check a file of claims. Nothing is written.

        The job's result says what an import would do, with the first 100 errors.
        """
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        wanted = self.body(ClaimsCheckBody)
        _require(wanted["format"], "read", "claims")
        payload = {
            "project": access.project.pk,
            "file": _upload(self, wanted["file"]).pk,
            "format": wanted["format"],
            "split": wanted["split"],
        }
        return _started(self, "check_claims", payload, access.project)


class ImportList(ApiView):
    """Imports of what was checked."""

    tag = "Imports and exports"
    write_scope = Scope.IMPORT

    @operation("confirm_import", takes=ImportBody, gives=JobShape, status=202)
    def post(self, request: Request) -> Response:
        """Import the file of a check that is done and found no error.

        All of it is written, or nothing. The same file twice changes nothing.
        """
        wanted = self.body(ImportBody)
        checks = visible_jobs(self.account).filter(kind__startswith="check_")
        check = get_row(checks, token=wanted["check_token"], owner=self.account)
        project = self._target(check)
        _require_clean(check)
        kind = check.kind.replace("check_", "import_", 1)
        return _started(self, kind, check.payload, project)

    def _target(self, check: Job) -> Project | None:
        """Return the project, if the user may still import into it or its corpus."""
        if "project" not in check.payload:
            slug = Corpus.objects.get(pk=check.payload["corpus"]).slug
            door.get_editable_corpus(self.request.user, slug)
            return None
        slug = Project.objects.get(pk=check.payload["project"]).slug
        access = door.get_project(self.request.user, slug)
        access.require(Stage.ADMIN)
        return access.project


def _require_clean(check: Job) -> None:
    if check.state != Job.State.DONE:
        raise DomainError("This check is not done. Wait for it, or check again.")
    if check.result["report"]["errors"]:
        raise DomainError("The file has errors. Mend them, and check it again.")


class CorpusExports(ApiView):
    """Exports of a corpus."""

    tag = "Imports and exports"
    write_scope = Scope.READ

    @operation("export_corpus", takes=CorpusExportBody, gives=JobShape, status=202)
    def post(self, request: Request, slug: str) -> Response:
        """Write all abstracts of a corpus that you may change to a file.

        The job's result has the tokens of the `file` and of its `manifest`.
        """
        corpus = door.get_editable_corpus(request.user, slug)
        fmt = self.body(CorpusExportBody)["format"]
        _require(fmt, "write", "documents")
        name = _file_name(corpus.slug, fmt)
        payload = {"corpus": corpus.pk, "format": fmt, "name": name}
        return _started(self, "export_documents", payload)


class ClaimsExports(ProjectView):
    """Exports of a project."""

    tag = "Imports and exports"
    write_scope = Scope.READ

    @operation("export_claims", takes=ClaimsExportBody, gives=JobShape, status=202)
    def post(self, request: Request, slug: str) -> Response:
        """Write the claims of a project, with what stands for their pairs, to a file.

        The job's result has the tokens of the `file` and of its `manifest`.
        """
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        wanted = self.body(ClaimsExportBody)
        _require(wanted["format"], "write", "claims")
        labels = {pair["instead_of"]: pair["write"] for pair in wanted["label_map"]}
        payload = {
            **wanted,
            "label_map": labels,
            "project": access.project.pk,
            "name": _file_name(slug, wanted["format"]),
        }
        return _started(self, "export_claims", payload, access.project)


def _file_name(slug: str, fmt: str) -> str:
    return f"{slugify(slug)[:80]}-{fmt}{all_formats()[fmt].extensions[0]}"
