"""What goes in and comes out about sources, claims, pairs, judgements and reviews."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.api.base import (
    MOST,
    PersonField,
    SecondsField,
    Serializer,
    is_own_work,
)
from annotation.api.library_shapes import DocumentShape, DocumentTitleShape
from annotation.models import Claim, Comment, Judgement, Pair, Review, Source
from annotation.models.labels import LabelCode
from annotation.review_reasons import CLAIM_REASONS, JUDGEMENT_REASONS
from annotation.services.claims import MAX_CLAIM_LENGTH
from annotation.services.disagreements import LONGEST_ANSWER
from annotation.services.reviews import LONGEST_COMMENT
from corpus.records import SentenceRole

LARGEST = 2**31 - 1
CLAIM_REASON_CHOICES = list(CLAIM_REASONS.items())
JUDGEMENT_REASON_CHOICES = list(JUDGEMENT_REASONS.items())
ROLES = [(role.value, role.value) for role in SentenceRole]


class VersionField(serializers.IntegerField):
    """The version that was read: a decision on another one is refused."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            min_value=1,
            max_value=LARGEST,
            help_text="The version that you read; a newer one is a 409.",
            **options,
        )


class ArticleShape(Serializer):
    """A citing paper or news article."""

    title = serializers.CharField()
    kind = serializers.CharField()
    abstract = serializers.CharField()
    url = serializers.CharField()
    doi = serializers.CharField()
    journal = serializers.CharField()
    published = serializers.CharField()


class CitanceShape(Serializer):
    """A citing sentence: the code points `start` to `end` of its paragraph."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    text = serializers.CharField()
    paragraph = serializers.CharField(source="passage.text")
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    article = ArticleShape(source="passage.article")


class QuestionShape(Serializer):
    """A research question."""

    review = serializers.CharField()
    chapter = serializers.CharField()
    text = serializers.CharField()
    null_result_rule = serializers.CharField()


class SourceShape(Serializer):
    """What claims are written from: a citance or a question."""

    id = serializers.IntegerField()
    position = serializers.IntegerField()
    state = serializers.ChoiceField(Source.State.choices)
    citance = CitanceShape(allow_null=True)
    question = QuestionShape(allow_null=True)


class SourceDetailShape(SourceShape):
    """A source with the abstracts that its writer may see."""

    cited_documents = serializers.SerializerMethodField(
        help_text="Empty where the project hides cited abstracts from writers."
    )

    def get_cited_documents(self, source: Source) -> list[dict[str, Any]]:
        """The abstracts that were handed in for this reader."""
        documents = self.context["cited_documents"]
        return list(DocumentShape(documents, many=True).data)


class DraftBody(Serializer):
    """One claim as it was written."""

    text = serializers.CharField(max_length=MAX_CLAIM_LENGTH)
    kind = serializers.ChoiceField(
        Claim.Kind.choices,
        required=False,
        help_text="Only where claims come from candidate sentences.",
    )


class SubmissionBody(Serializer):
    """Something that is safe to send twice: the same key is the same work."""

    submission_key = serializers.UUIDField()


class ClaimsBody(SubmissionBody):
    """All claims of one source."""

    claims = DraftBody(many=True, allow_empty=False, **MOST)


class ReasonBody(Serializer):
    """Why something is put aside."""

    reason = serializers.CharField(max_length=500)


class ClaimShape(Serializer):
    """A claim in its current version."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    position = serializers.IntegerField()
    kind = serializers.ChoiceField(Claim.Kind.choices)
    state = serializers.ChoiceField(Claim.State.choices)
    text = serializers.CharField()
    version = serializers.IntegerField()
    source_id = serializers.IntegerField(allow_null=True)
    negates_id = serializers.IntegerField(allow_null=True)
    author = PersonField()
    created_at = serializers.DateTimeField()


class ClaimVersionShape(Serializer):
    """An earlier or the current wording."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    author = PersonField()
    created_at = serializers.DateTimeField()


class CommentShape(Serializer):
    """A comment of a reviewer; a sentence is counted from 0."""

    part = serializers.ChoiceField(Comment.Part.choices)
    sentence = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=LARGEST
    )
    text = serializers.CharField(max_length=LONGEST_COMMENT)


class ReviewShape(Serializer):
    """What a reviewer decided; not who."""

    comments = CommentShape(many=True, source="comments.all")
    is_second_opinion = serializers.BooleanField()

    decision = serializers.ChoiceField(Review.Decision.choices)
    reason_code = serializers.CharField()
    note = serializers.CharField()
    created_at = serializers.DateTimeField()


class RationaleShape(Serializer):
    """Sentences that together justify the label, counted from 0."""

    sentences = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST), max_length=1000
    )
    roles = serializers.ListField(
        child=serializers.ChoiceField(ROLES),
        required=False,
        max_length=1000,
        help_text="One for each sentence, in projects that use them; else empty.",
    )


class JudgementShape(Serializer):
    """A judgement in its current version, as its reader may know it.

    What its annotator took over of a suggestion is told to them and to admins; how
    chance had it, and that it was a re-annotation, never to the annotator.
    """

    id = serializers.IntegerField()
    pair_id = serializers.IntegerField()
    state = serializers.ChoiceField(Judgement.State.choices)
    label = serializers.ChoiceField(LabelCode.choices)  # type: ignore[assignment]
    rationales = RationaleShape(many=True, source="rationales.all")
    version = serializers.IntegerField()
    annotator = PersonField()
    submitted_at = serializers.DateTimeField()
    active_seconds = SecondsField()
    elapsed_seconds = SecondsField()
    suggestion_arm = serializers.ChoiceField(
        Judgement.Arm.choices, allow_null=True, help_text="Null for all but admins."
    )
    suggestion_shown = serializers.BooleanField(allow_null=True)
    suggestion_taken = serializers.ChoiceField(Judgement.Taken.choices, allow_null=True)

    def to_representation(self, instance: Any) -> Any:
        """Leave out what the reader may not know."""
        values = super().to_representation(instance)
        is_own = is_own_work(instance, self.context)
        if not self.context.get("is_admin"):
            values["suggestion_arm"] = None
            if not is_own:
                values["suggestion_shown"] = values["suggestion_taken"] = None
        if is_own:
            values["state"] = Judgement.State(values["state"]).told.value
        return values


class PairShape(Serializer):
    """A claim and one abstract."""

    id = serializers.IntegerField()
    claim_id = serializers.IntegerField()
    claim_text = serializers.CharField(source="claim.text")
    document = DocumentTitleShape()
    origin = serializers.ChoiceField(Pair.Origin.choices)
    state = serializers.SerializerMethodField(
        help_text="Null for annotators: it would tell what others judged."
    )

    def get_state(self, pair: Pair) -> str | None:
        """The state, for those who may read everybody's work."""
        return pair.state if self.context["has_oversight"] else None


class PairDetailShape(PairShape):
    """A pair with its abstract, as a verifier reads it."""

    document = DocumentShape()


class ClaimPairShape(Serializer):
    """A pair of a claim with what was judged of it."""

    id = serializers.IntegerField(source="pair.pk")
    document = DocumentTitleShape(source="pair.document")
    origin = serializers.ChoiceField(Pair.Origin.choices, source="pair.origin")
    state = serializers.ChoiceField(Pair.State.choices, source="pair.state")
    judgements = serializers.SerializerMethodField()

    def get_judgements(self, row: Any) -> list[dict[str, Any]]:
        """The judgements in the order of their slots."""
        found = [entry.judgement for entry in row.judgements]
        return list(JudgementShape(found, many=True, context=self.context).data)


class ClaimDetailShape(ClaimShape):
    """A claim with everything that hangs on it and that the user may see."""

    versions = ClaimVersionShape(many=True)
    reviews = ReviewShape(many=True)
    pairs = ClaimPairShape(
        many=True, help_text="Empty for its writer, who is blind to what follows."
    )


class JudgementVersionShape(Serializer):
    """An answer as it was submitted once."""

    number = serializers.IntegerField()
    label = serializers.ChoiceField(LabelCode.choices)  # type: ignore[assignment]
    rationales = RationaleShape(many=True)
    author = PersonField()
    created_at = serializers.DateTimeField()


class JudgementDetailShape(JudgementShape):
    """A judgement with its pair, its versions and what reviewers said."""

    pair = PairDetailShape()
    versions = JudgementVersionShape(many=True)
    reviews = ReviewShape(many=True)


class RevisedClaimBody(SubmissionBody):
    """A new wording of a returned claim."""

    version = VersionField()
    text = serializers.CharField(max_length=MAX_CLAIM_LENGTH)


class AnswerBody(Serializer):
    """A label and its rationales."""

    label = serializers.ChoiceField(LabelCode.choices)  # type: ignore[assignment]
    rationales = RationaleShape(many=True, default=list, **MOST)


class JudgementBody(SubmissionBody, AnswerBody):
    """A first judgement of a pair."""

    active_seconds = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST
    )
    elapsed_seconds = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST
    )


class RevisedJudgementBody(SubmissionBody, AnswerBody):
    """A new answer to a pair whose judgement came back."""

    version = VersionField()


class DecisionBody(Serializer):
    """What a reviewer decides about a version."""

    version = VersionField()
    decision = serializers.ChoiceField(["approve", "request_changes", "reject"])
    note = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=4_000,
        help_text="With `reject`, a note or a comment must say why.",
    )
    comments = CommentShape(many=True, default=list, **MOST)
    submission_key = serializers.UUIDField(
        required=False, allow_null=True, help_text="Sent twice, it decides once."
    )


class ClaimDecisionBody(DecisionBody):
    """What is decided about a claim."""

    reason_code = serializers.ChoiceField(
        CLAIM_REASON_CHOICES, default="", allow_blank=True
    )
    text = serializers.CharField(
        required=False,
        max_length=MAX_CLAIM_LENGTH,
        help_text="With `approve`: another wording, which fixes and approves.",
    )


class JudgementDecisionBody(DecisionBody):
    """What is decided about a judgement."""

    reason_code = serializers.ChoiceField(
        JUDGEMENT_REASON_CHOICES, default="", allow_blank=True
    )
    answer = AnswerBody(
        required=False,
        help_text="With `approve`: another answer, which fixes and approves.",
    )


class DisagreementBody(SubmissionBody):
    """The author's one answer to requested changes."""

    version = VersionField()
    because = serializers.CharField(max_length=LONGEST_ANSWER)


class NextToWriteShape(Serializer):
    """What to write next: a returned claim first, else an open source."""

    returned_claim = ClaimDetailShape(allow_null=True)
    source = SourceDetailShape(allow_null=True)  # type: ignore[assignment]


class NextToVerifyShape(Serializer):
    """What to judge next: a returned judgement first, else an open pair."""

    returned_judgement = JudgementDetailShape(allow_null=True)
    pair = PairDetailShape(allow_null=True)
