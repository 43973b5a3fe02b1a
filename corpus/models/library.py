"""The library of texts: corpora, abstracts, and the articles that cite them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from corpus import records
from corpus.fields import VerbatimJSONField
from corpus.models.people import User


class Visibility(models.TextChoices):
    """Who may read something without being a member."""

    PRIVATE = "private", "members only"
    INSTANCE = "instance", "everyone who is signed in"
    PUBLIC = "public", "everyone"


class Corpus(models.Model):
    """A named collection of abstracts and citing articles."""

    name = models.CharField(max_length=120, unique=True)
    slug = models.SlugField(max_length=140, unique=True)
    description = models.TextField(blank=True)
    owner = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="corpora"
    )
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    is_demo = models.BooleanField(default=False)
    # Grows with every change of a document: retrieval indexes are keyed by it.
    version = models.PositiveIntegerField(default=0)
    # The columns of the group's own spreadsheet, remembered for the next file.
    column_mapping = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "corpora"

    def __str__(self) -> str:
        return self.name


class Document(models.Model):
    """One abstract. Immutable from the first pair that points to it.

    ``separators`` is null where the source shipped sentences. Where it shipped
    one string, that string is kept as the sentences and what stood around them:
    ``separators[0] + sentences[0] + separators[1] + … + separators[-1]``.
    """

    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="documents"
    )
    external_id = models.CharField(max_length=255)
    external_id_is_int = models.BooleanField(default=False)
    position = models.PositiveBigIntegerField()
    title = models.TextField(blank=True)
    sentences = models.JSONField(default=list)
    separators = models.JSONField(null=True, blank=True)
    structured = models.BooleanField(null=True, blank=True)
    doi = models.TextField(blank=True)
    pmid = models.TextField(blank=True)
    url = models.TextField(blank=True)
    authors = models.JSONField(default=list)
    journal = models.TextField(blank=True)
    published = models.TextField(blank=True)
    type = models.TextField(blank=True)
    licence = models.TextField(blank=True)
    retraction = models.TextField(blank=True)
    retraction_checked_on = models.DateField(null=True, blank=True)
    content_hash = models.CharField(max_length=64)
    # Hash of the normalised title and text: finds the same abstract twice.
    text_key = models.CharField(max_length=64)
    splitter = models.CharField(max_length=60, blank=True)
    # Boundaries that the splitter was not sure of, until somebody has looked.
    doubts = models.JSONField(default=list)
    has_doubts = models.BooleanField(default=False)
    has_abstract = models.BooleanField(default=True)
    source_extra = VerbatimJSONField(default=dict)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "external_id"], name="document_external_id"
            ),
            models.UniqueConstraint(
                fields=["corpus", "position"], name="document_position"
            ),
        ]
        indexes = [
            models.Index(fields=["corpus", "text_key"], name="document_text_key"),
            models.Index(
                fields=["corpus", "position"],
                condition=Q(has_abstract=False),
                name="document_no_abstract",
            ),
            models.Index(
                fields=["corpus", "position"],
                condition=Q(has_doubts=True),
                name="document_doubts",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id

    @property
    def text(self) -> str | None:
        """The string that the source shipped, or None where it shipped sentences."""
        if self.separators is None:
            return None
        pieces = [self.separators[0]]
        for sentence, after in zip(self.sentences, self.separators[1:], strict=True):
            pieces += [sentence, after]
        return "".join(pieces)

    @property
    def record_id(self) -> records.ExternalId:
        """The id as its file spells it."""
        return records.ExternalId(self.external_id, self.external_id_is_int)


class Article(models.Model):
    """A citing paper or news article."""

    class Kind(models.TextChoices):
        PAPER = "paper", "paper"
        NEWS = "news", "news article"

    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="articles"
    )
    external_id = models.CharField(max_length=255)
    external_id_is_int = models.BooleanField(default=False)
    position = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PAPER)
    title = models.TextField(blank=True)
    abstract = models.TextField(blank=True)
    url = models.TextField(blank=True)
    doi = models.TextField(blank=True)
    journal = models.TextField(blank=True)
    published = models.TextField(blank=True)
    licence = models.TextField(blank=True)
    content_hash = models.CharField(max_length=64)
    source_extra = VerbatimJSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "external_id"], name="article_external_id"
            ),
            models.UniqueConstraint(
                fields=["corpus", "position"], name="article_position"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id


class Passage(models.Model):
    """One paragraph of an article, verbatim."""

    article = models.ForeignKey(
        Article, on_delete=models.PROTECT, related_name="passages"
    )
    ordinal = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["article", "ordinal"], name="passage_ordinal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.article} ¶{self.ordinal + 1}"


class Citance(models.Model):
    """A citing sentence: the code points ``start:end`` of its paragraph.

    A candidate sentence of a news paragraph is a citance without citations.
    """

    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="citances"
    )
    passage = models.ForeignKey(
        Passage, on_delete=models.PROTECT, related_name="citances"
    )
    external_id = models.CharField(max_length=255)
    external_id_is_int = models.BooleanField(default=False)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    documents = models.ManyToManyField(
        Document, through="Citation", related_name="citances"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "external_id"], name="citance_external_id"
            ),
            models.CheckConstraint(
                condition=Q(end__gt=F("start")), name="citance_not_empty"
            ),
        ]

    def __str__(self) -> str:
        return self.external_id

    @property
    def text(self) -> str:
        """The citing sentence. Reads ``self.passage``."""
        return self.passage.text[self.start : self.end]


class Citation(models.Model):
    """One reference of a citance to an abstract."""

    class Role(models.TextChoices):
        SEED = records.CitationRole.SEED.value, "seed"
        CO_CITED = records.CitationRole.CO_CITED.value, "co-cited"

    citance = models.ForeignKey(
        Citance, on_delete=models.PROTECT, related_name="citations"
    )
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, related_name="citations"
    )
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.SEED)
    ordinal = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["citance", "ordinal"], name="citation_ordinal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.citance} → {self.document}"


class Distractor(models.Model):
    """An abstract that is in the corpus only to make retrieval harder."""

    document = models.OneToOneField(
        Document, on_delete=models.PROTECT, related_name="distractor"
    )
    note = models.TextField(blank=True)

    def __str__(self) -> str:
        return str(self.document)
