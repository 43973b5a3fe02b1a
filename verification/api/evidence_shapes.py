"""What the API says of claims and the evidence for them, and what it takes."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.api.base import LongTextField, Serializer
from verification.claim_lists import MOST_CHARACTERS, MOST_CLAIMS, MOST_ID_CHARACTERS
from verification.models import FactCheck
from verification.pipeline.stages import LABELS
from verification.selectors.evidence_files import answer_json

# Passed on to the list that ``many`` makes of a shape.
_MOST: dict[str, Any] = {"max_length": MOST_CLAIMS}
LABEL_CHOICES = [(str(label), str(label)) for label in LABELS]


class SystemShape(Serializer):
    """A verification system that can be asked here."""

    name = serializers.CharField()
    title = serializers.CharField()
    digest = serializers.CharField(help_text="Changes with whatever it is made of.")


class SystemsShape(Serializer):
    """The systems that can be asked here."""

    items = SystemShape(many=True)


class ClaimBody(Serializer):
    """A claim, the slug of a public corpus, and the name of a system."""

    claim = LongTextField(max_length=MOST_CHARACTERS)
    corpus = serializers.CharField(max_length=140)
    system = serializers.CharField(max_length=80)


class SearchedCorpusShape(Serializer):
    """The corpus that was searched, in the version of that moment."""

    slug = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)


class UsedSystemShape(Serializer):
    """The system that answered."""

    name = serializers.CharField()
    digest = serializers.CharField()


class SearchedShape(Serializer):
    """What was searched."""

    abstracts = serializers.IntegerField()
    newest = serializers.CharField()


class FoundAbstractShape(Serializer):
    """An abstract that was found, as it was then."""

    document = serializers.CharField()
    title = serializers.CharField()
    journal = serializers.CharField()
    published = serializers.CharField()
    doi = serializers.CharField()
    pmid = serializers.CharField()
    url = serializers.CharField()
    link = serializers.CharField()
    authors = serializers.ListField(child=serializers.CharField())
    retraction = serializers.CharField(
        help_text="Not empty for retracted work, which is never evidence."
    )
    is_evidence = serializers.BooleanField()
    label = serializers.ChoiceField(  # type: ignore[assignment]
        LABEL_CHOICES, allow_null=True
    )
    is_abstaining = serializers.BooleanField()
    confidence = serializers.FloatField(allow_null=True)
    probabilities = serializers.DictField(child=serializers.FloatField())
    retrieval_score = serializers.FloatField()
    sentences = serializers.ListField(child=serializers.CharField())
    rationale = serializers.ListField(
        child=serializers.IntegerField(), help_text="Sentences, counted from 0."
    )
    sentence_scores = serializers.ListField(child=serializers.FloatField())


class EvidenceShape(Serializer):
    """A claim and what was found for it, as far as the work is."""

    token = serializers.CharField()
    id = serializers.CharField(allow_null=True, help_text="Its id in a batch.")
    claim = serializers.CharField()
    state = serializers.ChoiceField(FactCheck.State.choices)
    error = serializers.CharField()
    is_invented = serializers.BooleanField()
    notice = serializers.CharField(help_text="Keep it with the answer.")
    corpus = SearchedCorpusShape()
    system = UsedSystemShape()
    asked_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    kept_at = serializers.DateTimeField(allow_null=True)
    searched = SearchedShape()
    abstracts = FoundAbstractShape(many=True)


class EvidenceOfBatchShape(EvidenceShape):
    """The same, from the row of a claim."""

    def to_representation(self, instance: Any) -> Any:
        """Return the answer as its file holds it."""
        return super().to_representation(answer_json(instance))


class MarkBody(Serializer):
    """Whether you find rationale and label of an abstract plausible."""

    document = serializers.CharField(max_length=255)
    is_plausible = serializers.BooleanField(
        allow_null=True, help_text="null takes it back."
    )


class OwnMarksShape(Serializer):
    """Your own marks, by abstract."""

    marks = serializers.DictField(child=serializers.BooleanField())


class ListedClaimBody(Serializer):
    """One claim of a batch."""

    claim = LongTextField(max_length=MOST_CHARACTERS)
    id = serializers.CharField(
        max_length=MOST_ID_CHARACTERS, required=False, default=""
    )


class BatchBody(Serializer):
    """Claims to be checked together, under a name."""

    name = serializers.CharField(max_length=120)
    corpus = serializers.CharField(max_length=140)
    system = serializers.CharField(max_length=80)
    claims = ListedClaimBody(many=True, allow_empty=False, **_MOST)


class BatchTitleShape(Serializer):
    """A batch in a list."""

    id = serializers.IntegerField()
    token = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class BatchProgressShape(Serializer):
    """How many claims have an answer; those without one for good are ``failed``."""

    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    total = serializers.IntegerField()


class PlausibilityShape(Serializer):
    """How many of the decided answers are plausible, with a 95 % Wilson interval."""

    plausible = serializers.IntegerField(source="share.plausible")
    n = serializers.IntegerField(source="share.n")
    interval = serializers.ListField(
        child=serializers.FloatField(), source="share.interval", allow_null=True
    )
    undecided = serializers.IntegerField(source="n_open")


class BatchShape(Serializer):
    """A batch and how far it is."""

    token = serializers.CharField()
    name = serializers.CharField()
    corpus = serializers.CharField(source="corpus.slug")
    system = serializers.CharField()
    created_at = serializers.DateTimeField()
    progress = BatchProgressShape()
    plausibility = PlausibilityShape(
        allow_null=True, help_text="By all experts' marks; for the batch's owner only."
    )
