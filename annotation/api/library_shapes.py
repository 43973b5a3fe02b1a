"""What goes in and comes out about corpora, abstracts and articles."""

from __future__ import annotations

from rest_framework import serializers

from annotation.api.base import MOST, LongTextField, Serializer
from annotation.forms.corpora import MAX_ADDRESS, MAX_TEXT
from corpus.api import LARGEST_KEY, PageQuery
from corpus.models import Article, Citation
from corpus.models.library import Visibility


class CorpusShape(Serializer):
    """A corpus."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    visibility = serializers.ChoiceField(Visibility.choices)
    version = serializers.IntegerField()
    is_demo = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class NewCorpusBody(Serializer):
    """A new, empty corpus."""

    name = serializers.CharField(max_length=120)
    description = serializers.CharField(default="", allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices, default=Visibility.PRIVATE)


class DocumentTitleShape(Serializer):
    """An abstract in a list."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    title = serializers.CharField()
    journal = serializers.CharField()
    published = serializers.CharField()
    has_abstract = serializers.BooleanField()
    retraction = serializers.CharField()


class DocumentShape(DocumentTitleShape):
    """An abstract with its sentences and its metadata."""

    sentences = serializers.ListField(child=serializers.CharField())
    structured = serializers.BooleanField(allow_null=True)
    authors = serializers.ListField(child=serializers.CharField())
    doi = serializers.CharField()
    pmid = serializers.CharField()
    url = serializers.CharField()
    type = serializers.CharField()
    licence = serializers.CharField()
    content_hash = serializers.CharField()
    splitter = serializers.CharField()


class DocumentQuery(PageQuery):
    """Which abstracts are wanted."""

    q = serializers.CharField(
        required=False,
        max_length=500,
        help_text="Words that title or text must have; the last may be a beginning.",
    )


class CorpusDetailShape(CorpusShape):
    """A corpus with what the user may see of it."""

    documents = serializers.IntegerField()
    without_abstract = serializers.IntegerField()
    doubtful = serializers.IntegerField()
    articles = serializers.IntegerField()
    citances = serializers.IntegerField()
    newest = serializers.CharField(help_text="The newest date of an abstract.")
    can_edit = serializers.BooleanField()


class ChangeCorpusBody(Serializer):
    """What should change about a corpus; what is left out stays."""

    name = serializers.CharField(required=False, max_length=120)
    description = serializers.CharField(required=False, allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)


class NewDocumentBody(Serializer):
    """One abstract. A title or a text is needed; the text is split into sentences."""

    title = serializers.CharField(default="", allow_blank=True, max_length=1_000)
    text = LongTextField(default="", allow_blank=True, max_length=MAX_TEXT)
    doi = serializers.CharField(default="", allow_blank=True, max_length=200)
    pmid = serializers.CharField(default="", allow_blank=True, max_length=20)
    url = serializers.CharField(default="", allow_blank=True, max_length=MAX_ADDRESS)
    journal = serializers.CharField(default="", allow_blank=True, max_length=500)
    published = serializers.CharField(default="", allow_blank=True, max_length=40)
    authors = serializers.ListField(
        child=serializers.CharField(max_length=500), default=list, max_length=500
    )


class AbstractBody(Serializer):
    """The missing text of an abstract."""

    text = LongTextField(max_length=MAX_TEXT)


class DoubtShape(Serializer):
    """A place where a sentence may end, or may not."""

    sentence = serializers.IntegerField(help_text="Counted from 0.")
    offset = serializers.IntegerField(
        allow_null=True, help_text="Null: the boundary before this sentence."
    )
    reason = serializers.CharField()


class DoubtfulDocumentShape(DocumentShape):
    """An abstract with the boundaries that somebody should look at."""

    doubts = DoubtShape(many=True)


class BoundaryBody(Serializer):
    """A correction of where sentences end."""

    action = serializers.ChoiceField(["split", "merge", "confirm", "undo"])
    seen_hash = serializers.CharField(
        max_length=64, help_text="The `content_hash` of the abstract that you read."
    )
    sentence = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_KEY,
        help_text="For `split` the sentence, for `merge` the one that joins the "
        "sentence before it; counted from 0.",
    )
    offset = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_KEY,
        help_text="For `split`: the code point where the new sentence begins.",
    )


class ArticleTitleShape(Serializer):
    """A citing paper or news article in a list."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    kind = serializers.ChoiceField(Article.Kind.choices)
    title = serializers.CharField()
    journal = serializers.CharField()
    published = serializers.CharField()


class CitationShape(Serializer):
    """A cited abstract that you may see now."""

    document_id = serializers.IntegerField()
    role = serializers.ChoiceField(Citation.Role.choices)


class ParagraphCitanceShape(Serializer):
    """A citing sentence: the code points `start` to `end` of its paragraph."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    citations = CitationShape(many=True, source="citations.all")


class PassageShape(Serializer):
    """A paragraph."""

    text = serializers.CharField()
    citances = ParagraphCitanceShape(many=True, source="citances.all")


class ArticleDetailShape(ArticleTitleShape):
    """A citing article with its paragraphs and their citances."""

    abstract = serializers.CharField()
    url = serializers.CharField()
    doi = serializers.CharField()
    licence = serializers.CharField()
    passages = PassageShape(many=True, source="passages.all")


class ArticleBody(Serializer):
    """What is known about the article that a paragraph stands in."""

    title = serializers.CharField(max_length=1_000)
    kind = serializers.ChoiceField(Article.Kind.choices, default=Article.Kind.PAPER)
    abstract = LongTextField(default="", allow_blank=True, max_length=MAX_TEXT)
    url = serializers.CharField(default="", allow_blank=True, max_length=MAX_ADDRESS)
    doi = serializers.CharField(default="", allow_blank=True, max_length=200)


class CitationBody(Serializer):
    """An abstract of the corpus that is cited."""

    document = serializers.IntegerField(min_value=1, max_value=LARGEST_KEY)
    role = serializers.ChoiceField(Citation.Role.choices, default=Citation.Role.SEED)


class CitanceBody(Serializer):
    """A citing sentence: the code points `start` to `end` of the paragraph."""

    start = serializers.IntegerField(min_value=0, max_value=MAX_TEXT)
    end = serializers.IntegerField(min_value=1, max_value=MAX_TEXT)
    cited = CitationBody(many=True, default=list, **MOST)


class ParagraphBody(Serializer):
    """A paragraph with the sentences in it that cite."""

    article = ArticleBody()
    text = LongTextField(
        max_length=MAX_TEXT, help_text="CRLF becomes LF before positions are counted."
    )
    citances = CitanceBody(many=True, allow_empty=False, **MOST)
