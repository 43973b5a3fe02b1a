"""Corpora and abstracts, as far as the user may see them now."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation import access as door
from annotation.api import library_shapes as shapes
from annotation.api.base import values_of
from annotation.forms.corpora import DocumentForm
from annotation.selectors import corpora as library
from annotation.services import boundaries
from annotation.services import documents as services
from annotation.services.corpora import change_corpus
from annotation.services.projects import create_corpus
from corpus.api import ApiView, Scope
from corpus.api_schema import listing, operation
from corpus.models import Corpus, Document


class CorpusList(ApiView):
    """All corpora that the user may read."""

    tag = "Corpora"
    is_public = True
    write_scope = Scope.ADMIN

    @listing("list_corpora", shapes.CorpusShape)
    def get(self, request: Request) -> Response:
        """List the corpora that you may read."""
        return self.page(door.visible_corpora(request.user), shapes.CorpusShape)

    @operation(
        "create_corpus",
        takes=shapes.NewCorpusBody,
        gives=shapes.CorpusShape,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Create an empty corpus of your own."""
        corpus = create_corpus(owner=self.account, **self.body(shapes.NewCorpusBody))
        return Response(shapes.CorpusShape(corpus).data, 201)


class CorpusDetail(ApiView):
    """One corpus."""

    tag = "Corpora"
    is_public = True
    write_scope = Scope.ADMIN

    @operation("get_corpus", gives=shapes.CorpusDetailShape)
    def get(self, request: Request, slug: str) -> Response:
        """Read what a corpus is, and how much of it you may see."""
        return self._detail(door.get_corpus(request.user, slug))

    @operation(
        "change_corpus", takes=shapes.ChangeCorpusBody, gives=shapes.CorpusDetailShape
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change name, description and visibility."""
        corpus = door.get_editable_corpus(request.user, slug)
        now = values_of(corpus, shapes.ChangeCorpusBody)
        wanted = now | self.body(shapes.ChangeCorpusBody)
        changed = change_corpus(corpus=corpus, actor=self.account, **wanted)
        return self._detail(changed)

    def _detail(self, corpus: Corpus) -> Response:
        user = self.request.user
        values = values_of(corpus, shapes.CorpusShape)
        values |= asdict(library.figures(user, corpus))
        values["can_edit"] = door.can_edit_corpus(user, corpus)
        return Response(shapes.CorpusDetailShape(values).data)


class DocumentList(ApiView):
    """The abstracts of a corpus."""

    tag = "Abstracts"
    is_public = True

    @listing("list_documents", shapes.DocumentTitleShape, shapes.DocumentQuery)
    def get(self, request: Request, slug: str) -> Response:
        """List the abstracts that you may see now, or search their text with `q`."""
        corpus = door.get_corpus(request.user, slug)
        query = self.query(shapes.DocumentQuery).get("q", "")
        rows = library.found_documents(request.user, corpus, query)
        rows = rows.defer("sentences", "separators", "doubts", "source_extra")
        return self.page(rows, shapes.DocumentTitleShape, key="position")

    @operation(
        "add_document",
        takes=shapes.NewDocumentBody,
        gives=shapes.DocumentShape,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add one abstract; its text is split into sentences."""
        corpus = door.get_editable_corpus(request.user, slug)
        wanted = self.body(shapes.NewDocumentBody)
        form = DocumentForm(wanted | {"authors": "; ".join(wanted["authors"])})
        if not form.is_valid():
            raise ValidationError(_problems(form))
        added = services.add_document(
            corpus=corpus, record=form.record(), actor=self.account
        )
        return Response(shapes.DocumentShape(added).data, 201)


def _problems(form: DocumentForm) -> dict[str, list[str]]:
    """Return what a form found, by the names that the API uses."""
    return {
        "non_field_errors" if name == "__all__" else name: [str(w) for w in words]
        for name, words in form.errors.items()
    }


class MissingAbstracts(ApiView):
    """The documents that came without a text."""

    tag = "Abstracts"

    @listing("list_missing_abstracts", shapes.DocumentTitleShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the documents that wait for their text."""
        corpus = door.get_editable_corpus(request.user, slug)
        rows = library.without_abstract(request.user, corpus)
        return self.page(rows, shapes.DocumentTitleShape, key="position")


class DoubtfulBoundaries(ApiView):
    """The abstracts whose sentences somebody should look at."""

    tag = "Abstracts"

    @listing("list_doubtful_boundaries", shapes.DoubtfulDocumentShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the abstracts with sentence boundaries that are doubtful."""
        corpus = door.get_editable_corpus(request.user, slug)
        rows = library.doubtful(request.user, corpus)
        return self.page(rows, shapes.DoubtfulDocumentShape, key="position")


class DocumentDetail(ApiView):
    """One abstract."""

    tag = "Abstracts"
    is_public = True

    @operation("get_document", gives=shapes.DocumentShape)
    def get(self, request: Request, slug: str, document_id: int) -> Response:
        """Read an abstract; 404 while you write claims from what cites it."""
        corpus = door.get_corpus(request.user, slug)
        document = door.get_document(request.user, corpus, document_id)
        return Response(shapes.DocumentShape(document).data)


class EditedDocument(ApiView):
    """An abstract of a corpus that the user may change."""

    tag = "Abstracts"

    def document(self, slug: str, document_id: int) -> Document:
        """Return the abstract; 403 if its corpus may only be read."""
        corpus = door.get_editable_corpus(self.request.user, slug)
        return door.get_document(self.request.user, corpus, document_id)


class DocumentText(EditedDocument):
    """The text of a document that came without one."""

    @operation("fill_abstract", takes=shapes.AbstractBody, gives=shapes.DocumentShape)
    def put(self, request: Request, slug: str, document_id: int) -> Response:
        """Fill in a missing abstract; it is split into sentences."""
        filled = services.fill_abstract(
            document=self.document(slug, document_id),
            text=self.body(shapes.AbstractBody)["text"],
            actor=self.account,
        )
        return Response(shapes.DocumentShape(filled).data)


class DocumentBoundaries(EditedDocument):
    """Where the sentences of an abstract end."""

    @operation(
        "change_boundaries",
        takes=shapes.BoundaryBody,
        gives=shapes.DoubtfulDocumentShape,
    )
    def post(self, request: Request, slug: str, document_id: int) -> Response:
        """Split, merge, confirm or undo, until the first pair with the abstract."""
        document = self.document(slug, document_id)
        wanted = self.body(shapes.BoundaryBody)
        changed = CHANGES[wanted["action"]](document, wanted, self.account)
        return Response(shapes.DoubtfulDocumentShape(changed).data)


def _split(document: Document, wanted: dict[str, Any], actor: Any) -> Document:
    _require(wanted, "sentence", "offset")
    return boundaries.split_sentence(
        document=document,
        sentence=wanted["sentence"],
        offset=wanted["offset"],
        seen_hash=wanted["seen_hash"],
        actor=actor,
    )


def _merge(document: Document, wanted: dict[str, Any], actor: Any) -> Document:
    _require(wanted, "sentence")
    return boundaries.merge_sentences(
        document=document,
        sentence=wanted["sentence"],
        seen_hash=wanted["seen_hash"],
        actor=actor,
    )


def _confirm(document: Document, wanted: dict[str, Any], actor: Any) -> Document:
    return boundaries.confirm_boundaries(
        document=document, seen_hash=wanted["seen_hash"], actor=actor
    )


def _undo(document: Document, wanted: dict[str, Any], actor: Any) -> Document:
    return boundaries.undo_boundary_change(document=document, actor=actor)


CHANGES = {"split": _split, "merge": _merge, "confirm": _confirm, "undo": _undo}


def _require(wanted: dict[str, Any], *names: str) -> None:
    missing = {name: ["This action needs it."] for name in names if name not in wanted}
    if missing:
        raise ValidationError(missing)
