"""Citing articles with their citances."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation import access as door
from annotation.access import AnyUser
from annotation.api import library_shapes as shapes
from annotation.services.citances import PastedArticle, PastedCitance, add_paragraph
from corpus.api import ApiView, get_row
from corpus.api_schema import listing, operation
from corpus.models import Article, Citance, Citation, Corpus, Passage
from corpus.text import doi_of


class ArticleList(ApiView):
    """The articles of a corpus."""

    tag = "Articles and citances"
    is_public = True

    @listing("list_articles", shapes.ArticleTitleShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the citing papers and news articles of a corpus."""
        corpus = door.get_corpus(request.user, slug)
        return self.page(
            corpus.articles.all(), shapes.ArticleTitleShape, key="position"
        )

    @operation(
        "add_paragraph",
        takes=shapes.ParagraphBody,
        gives=shapes.ArticleDetailShape,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a paragraph with its citances; each waits at once in every project.

        An article with the same DOI, or the same title, gets one more paragraph.
        """
        corpus = door.get_editable_corpus(request.user, slug)
        wanted = self.body(shapes.ParagraphBody)
        described = wanted["article"]
        added = add_paragraph(
            corpus=corpus,
            article=PastedArticle(
                **described | {"doi": doi_of(described["doi"]) or described["doi"]}
            ),
            text=wanted["text"],
            citances=_citances(request.user, corpus, wanted),
            actor=self.account,
        )
        article_id = added[0].passage.article_id
        return Response(_article(request.user, corpus, article_id), 201)


def _citances(
    user: AnyUser, corpus: Corpus, wanted: dict[str, Any]
) -> list[PastedCitance]:
    """Return the citances, if they lie in the text and cite what can be seen."""
    ids = {cited["document"] for one in wanted["citances"] for cited in one["cited"]}
    documents = door.visible_documents(user, corpus).in_bulk(ids)
    errors: dict[str, list[str]] = {}
    for index, one in enumerate(wanted["citances"]):
        if not one["start"] < one["end"] <= len(wanted["text"]):
            errors[f"citances.{index}.end"] = ["It lies outside of the paragraph."]
        if any(cited["document"] not in documents for cited in one["cited"]):
            words = "There is no such abstract in this corpus."
            errors[f"citances.{index}.cited"] = [words]
    if errors:
        raise ValidationError(errors)
    return [
        PastedCitance(
            one["start"],
            one["end"],
            tuple((documents[c["document"]], c["role"]) for c in one["cited"]),
        )
        for one in wanted["citances"]
    ]


class ArticleDetail(ApiView):
    """One article."""

    tag = "Articles and citances"
    is_public = True

    @operation("get_article", gives=shapes.ArticleDetailShape)
    def get(self, request: Request, slug: str, article_id: int) -> Response:
        """Read an article with its paragraphs, and what it cites that you may see."""
        corpus = door.get_corpus(request.user, slug)
        return Response(_article(request.user, corpus, article_id))


def _article(user: AnyUser, corpus: Corpus, article_id: int) -> Any:
    visible = door.visible_documents(user, corpus).values("pk")
    citations = Citation.objects.filter(document__in=visible).order_by("ordinal")
    rows = Article.objects.filter(corpus=corpus).prefetch_related(
        Prefetch("passages", Passage.objects.order_by("ordinal")),
        Prefetch("passages__citances", Citance.objects.order_by("start", "pk")),
        Prefetch("passages__citances__citations", citations),
    )
    return shapes.ArticleDetailShape(get_row(rows, pk=article_id)).data
