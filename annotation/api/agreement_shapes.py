"""What comes out about agreement."""

from __future__ import annotations

from rest_framework import serializers

from annotation.agreement_report import Shown
from annotation.api.base import Serializer
from annotation.forms.agreement import ORIGINS
from annotation.models.labels import LabelCode

LARGEST_KEY = 2**63 - 1


class AgreementQuery(Serializer):
    """Which pairs count; without anything, all that were judged twice."""

    since = serializers.DateField(
        required=False,
        help_text="The first day, in UTC, of the second judgement of a pair.",
    )
    until = serializers.DateField(required=False, help_text="The last day of it.")
    annotator = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_KEY,
        help_text="Only pairs that this person judged: an `id` of `people`.",
    )
    origin = serializers.ChoiceField(ORIGINS, required=False)
    sample = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_KEY,
        help_text="Only pairs of this re-annotation sample: the number in its address.",
    )
    suggestion = serializers.ChoiceField(
        [shown.value for shown in Shown],
        required=False,
        help_text="Whether anybody who judged a pair was shown a model's suggestion.",
    )


class CoefficientShape(Serializer):
    """A value, or null and the reason in words."""

    value = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="How many items it rests on.")
    reason = serializers.CharField(
        help_text="Why there is no value; empty where there is one."
    )


class FigureShape(CoefficientShape):
    """A value with its 95 % interval, from whole abstracts that are resampled."""

    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    interval_reason = serializers.CharField(
        help_text="Why there is no interval; empty where there is one."
    )
    n_abstracts = serializers.IntegerField()
    n_resamples = serializers.IntegerField()
    n_undefined_resamples = serializers.IntegerField(
        help_text="Resamples in which there is no value; they are left out."
    )
    has_few_abstracts = serializers.BooleanField(
        help_text="Whether the interval is too narrow, for want of abstracts."
    )


class FiguresShape(Serializer):
    """All coefficients of labels, or of one reading of sentences."""

    n_items = serializers.IntegerField(help_text="Pairs, or sentences.")
    n_abstracts = serializers.IntegerField()
    prevalence = serializers.DictField(
        child=serializers.FloatField(),
        help_text="The share of each answer in all judgements.",
    )
    percent_agreement = FigureShape(help_text="First judgement against second.")
    cohen_kappa = FigureShape(help_text="First judgement against second, pooled.")
    gwet_ac1 = FigureShape(help_text="All judgements.")
    fleiss_kappa = FigureShape(help_text="All judgements.")
    krippendorff_alpha = FigureShape(help_text="All judgements.")


class PartsShape(Serializer):
    """Agreement on labels and on sentences; no sentences without rationales."""

    labels = FiguresShape()
    sentences = FiguresShape(allow_null=True)
    sentences_without_not_enough_info = FiguresShape(
        allow_null=True,
        help_text="Without the pairs that anybody called NOT_ENOUGH_INFO.",
    )


class ConfusionShape(Serializer):
    """How often one label was followed by another."""

    first = serializers.ChoiceField(LabelCode.choices)
    second = serializers.ChoiceField(LabelCode.choices)
    n = serializers.IntegerField()


class JudgeShape(Serializer):
    """Somebody who has judged."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="display_name")


class TwoShape(Serializer):
    """How two people agree on the labels of the pairs that both judged."""

    first = serializers.IntegerField(help_text="An `id` of `people`.")
    second = serializers.IntegerField()
    cohen_kappa = CoefficientShape()
    percent_agreement = CoefficientShape()


class WeekShape(Serializer):
    """Cohen's kappa on labels of the pairs whose second judgement came in a week."""

    monday = serializers.DateField()
    cohen_kappa = FigureShape()


class DisagreeingShape(Serializer):
    """How many pairs disagree on the label, and how many on sentences only."""

    label = serializers.IntegerField()  # type: ignore[assignment]
    sentences = serializers.IntegerField()


class AgreementShape(Serializer):
    """A project's agreement, before any review and after it."""

    n_pairs = serializers.IntegerField()
    as_first_submitted = PartsShape()
    after_review = PartsShape(
        help_text="The same pairs, with the answers that reviewers have approved."
    )
    confusion = ConfusionShape(many=True)
    people = JudgeShape(many=True)
    pairwise = TwoShape(many=True)
    weeks = WeekShape(many=True)
    disagreeing_pairs = DisagreeingShape()
