"""What the API says of benchmarks, submissions and scores, and what it takes."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.api.base import LongTextField, Serializer
from corpus.models.library import Visibility
from verification.disclosure import Detail
from verification.models import Benchmark, Phase, Submission

DETAILS = [(detail.name.lower(), detail.name.lower()) for detail in Detail]
# The largest key that a row can have.
LARGEST_KEY = 2**63 - 1


class BenchmarkShape(Serializer):
    """A benchmark in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    task = serializers.CharField()
    profile = serializers.CharField()
    setting = serializers.ChoiceField(Benchmark.Setting.choices)
    primary_metric = serializers.CharField()
    visibility = serializers.ChoiceField(Visibility.choices)


class PublicFileShape(Serializer):
    """A file of a benchmark that everybody who sees it may download."""

    token = serializers.CharField()
    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()


class QuotaShape(Serializer):
    """One limit that your submissions count against."""

    whose = serializers.CharField(source="limit.whose")
    period = serializers.CharField(
        source="limit.period", help_text="A day in UTC, or `all` for the whole phase."
    )
    most = serializers.IntegerField(source="limit.most")
    used = serializers.IntegerField()
    left = serializers.IntegerField()


class PhaseShape(Serializer):
    """A phase: its times, its public files, and what is left of your quota."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Phase.Kind.choices)
    name = serializers.CharField()
    shows = serializers.ChoiceField(Phase.Shows.choices)
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField(allow_null=True)
    is_open = serializers.BooleanField()
    n_claims = serializers.IntegerField()
    files = PublicFileShape(many=True)
    quota = QuotaShape(
        many=True, help_text="Of an open phase: your limits, and those of your teams."
    )


class TeamShape(Serializer):
    """A team that you can submit for."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class BenchmarkDetailShape(BenchmarkShape):
    """A benchmark with its phases and the teams that you are in."""

    is_organiser = serializers.BooleanField()
    phases = PhaseShape(many=True)
    teams = TeamShape(many=True)


class BoardQuery(Serializer):
    """How the board is sorted, and on which part of the claims."""

    sort = serializers.CharField(
        default="",
        max_length=120,
        help_text="A measure, `system`, `by`, `setting`, `model_size`, `n_claims` or "
        "`unjudged`; the primary measure otherwise.",
    )
    order = serializers.ChoiceField(
        ["asc", "desc"], required=False, help_text="With `sort` only."
    )
    slice = serializers.CharField(default="", max_length=200)


class BoardPhaseShape(Serializer):
    """The phase of a board."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    closes_at = serializers.DateTimeField(allow_null=True)


class MeasureShape(Serializer):
    """A measure with its 95 % interval; null is undefined or not shown."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class EarlierScoreShape(Serializer):
    """What an earlier version of the scorer, or earlier gold, gave."""

    scorer_version = serializers.CharField()
    value = serializers.FloatField(allow_null=True)


class EntryShape(Serializer):
    """An entry of a board, or the tombstone of one."""

    token = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    system = serializers.CharField()
    by = serializers.CharField()
    behind = serializers.CharField(
        help_text="Who stands behind an anonymous entry; for organisers."
    )
    metrics = serializers.DictField(child=MeasureShape())
    n_claims = serializers.IntegerField(allow_null=True)
    predicted_abstracts = serializers.IntegerField(allow_null=True)
    unjudged_abstracts = serializers.IntegerField(allow_null=True)
    tie = serializers.CharField(allow_null=True)
    is_baseline = serializers.BooleanField()
    earlier_scores = EarlierScoreShape(many=True)
    setting = serializers.CharField()
    model_size = serializers.CharField()
    external_data = serializers.CharField()
    description = serializers.CharField(help_text="What a baseline does.")
    paper_url = serializers.CharField()
    code_url = serializers.CharField()
    standing = serializers.ChoiceField(Submission.Standing.choices)
    reason = serializers.CharField()
    signature = serializers.CharField()


class BoardShape(Serializer):
    """A phase's board as you may see it now."""

    benchmark = serializers.CharField()
    name = serializers.CharField()
    task = serializers.CharField()
    profile = serializers.CharField()
    phase = BoardPhaseShape()
    shows = serializers.ChoiceField(DETAILS)
    primary_metric = serializers.CharField()
    slice = serializers.CharField(allow_null=True)
    entries = EntryShape(many=True)


class FindingShape(Serializer):
    """An error or a warning about one line; null is the whole file."""

    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    claim_id = serializers.JSONField(allow_null=True)
    message = serializers.CharField()


class ScoreShape(Serializer):
    """A score as far as you may learn it now.

    Until a hidden phase closes, measures have three decimals, and counts are null.
    """

    scorer_version = serializers.CharField()
    n_claims = serializers.IntegerField()
    primary = serializers.FloatField(allow_null=True)
    metrics = serializers.JSONField()
    counts = serializers.JSONField(allow_null=True)
    intervals = serializers.JSONField(allow_null=True)
    extra = serializers.JSONField(allow_null=True)
    signature = serializers.CharField()
    created_at = serializers.DateTimeField()


class SubmissionTitleShape(Serializer):
    """A submission of yours in a list."""

    id = serializers.IntegerField()
    token = serializers.CharField()
    benchmark = serializers.CharField(source="phase.benchmark.slug")
    phase = serializers.IntegerField(source="phase.number")
    state = serializers.ChoiceField(Submission.State.choices)
    standing = serializers.ChoiceField(Submission.Standing.choices)
    system = serializers.CharField()
    n_errors = serializers.IntegerField()
    n_warnings = serializers.IntegerField()
    received_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class SubmissionColumnsShape(Serializer):
    """What is kept of a submission and shown as it is."""

    token = serializers.CharField()
    state = serializers.ChoiceField(Submission.State.choices)
    standing = serializers.ChoiceField(Submission.Standing.choices)
    is_under_way = serializers.BooleanField(
        help_text="Whether a check or the scoring has still to end."
    )
    is_checked = serializers.BooleanField()
    is_anonymous = serializers.BooleanField()
    is_baseline = serializers.BooleanField()
    system = serializers.CharField()
    description = serializers.CharField()
    paper_url = serializers.CharField()
    code_url = serializers.CharField()
    model_size = serializers.CharField()
    external_data = serializers.CharField()
    setting = serializers.ChoiceField(Benchmark.Setting.choices)
    errors = FindingShape(many=True, help_text="The first 200.")  # type: ignore[assignment]
    n_errors = serializers.IntegerField()
    warnings = FindingShape(many=True, help_text="The first 200.")
    n_warnings = serializers.IntegerField()
    failure = serializers.CharField()
    reason = serializers.CharField()
    received_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class SubmissionShape(SubmissionColumnsShape):
    """A submission, how far it is, and its score.

    Errors, warnings and the file are for whoever submitted it and for organisers;
    names are null where the entry is anonymous. Of an entry that was taken off the
    board, others read that and why.
    """

    benchmark = serializers.CharField()
    phase = serializers.IntegerField()
    is_own = serializers.BooleanField()
    submitter = serializers.CharField(allow_null=True)
    team = serializers.CharField(allow_null=True)
    file = PublicFileShape(allow_null=True)
    detail = serializers.ChoiceField(
        DETAILS, help_text="How much of the scores you may learn now."
    )
    scores = ScoreShape(
        many=True, help_text="One for each version of the scorer, the newest last."
    )


class MetadataBody(Serializer):
    """What you say about your system."""

    system = serializers.CharField(max_length=120)
    description = LongTextField(default="", allow_blank=True, max_length=10_000)
    paper_url = serializers.URLField(default="", allow_blank=True, max_length=500)
    code_url = serializers.URLField(default="", allow_blank=True, max_length=500)
    model_size = serializers.CharField(default="", allow_blank=True, max_length=60)
    external_data = LongTextField(default="", allow_blank=True, max_length=10_000)
    setting = serializers.ChoiceField(
        Benchmark.Setting.choices, default=Benchmark.Setting.OPEN
    )


class PredictionsBody(MetadataBody):
    """Predictions, as a multipart form; gzip-compressed if you like.

    Without `submit` the file is only checked, and nothing of the quota is taken.
    """

    file = serializers.FileField(allow_empty_file=True, max_length=255)
    submit = serializers.BooleanField(
        default=False,
        help_text="Have it scored when the check has found no error; needs `system`.",
    )
    team = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_KEY,
        help_text="The id of a team of yours, to submit for it.",
    )
    system = serializers.CharField(default="", allow_blank=True, max_length=120)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for the name of a system that is to be scored."""
        if attrs["submit"] and not attrs["system"]:
            raise serializers.ValidationError({"system": ["Name your system."]})
        return attrs


class PublicationBody(Serializer):
    """How an entry stands on the board."""

    is_anonymous = serializers.BooleanField(default=False)
