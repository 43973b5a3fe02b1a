"""The forms of benchmarks, phases, announcements and organisers."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from annotation.forms.fields import LongTextField
from corpus.models.library import Visibility
from verification.benchmark_tasks import PROFILE_WORDS, TASKS
from verification.deadlines import (
    ANYWHERE_ON_EARTH,
    AOE,
    ClockTimeError,
    moment_of,
)
from verification.forms.gold import GoldForm
from verification.models import Benchmark, GoldSet, Phase
from verification.scoring.registry import get_task
from verification.services.benchmarks import About
from verification.services.gold import Scoring
from verification.services.phases import LIMITS, OVERALL_LIMIT

MAX_LIMIT = 10_000
YEARS = range(2000, 2200)
CLOCK_FORMAT = "%Y-%m-%dT%H:%M"
SETTINGS = dict(Benchmark.Setting.choices)


class AboutForm(forms.Form):
    """What people read about a benchmark, and who they are."""

    name = forms.CharField(
        max_length=120, help_text="As people will cite it: “Moss and rain 2027”."
    )
    description = LongTextField(
        required=False,
        rows=6,
        max_length=20_000,
        help_text="What the claims are about, where they come from, how to cite them.",
    )
    visibility = forms.ChoiceField(
        label="Who may see it",
        choices=[
            (Visibility.PRIVATE, "only its organisers"),
            (Visibility.INSTANCE, "everyone who is signed in"),
            (Visibility.PUBLIC, "everyone"),
        ],
        initial=Visibility.PRIVATE,
        widget=forms.RadioSelect,
    )

    def about(self) -> About:
        """The words as the services take them."""
        data = self.cleaned_data
        return About(data["name"], data["description"], data["visibility"])


class NewBenchmarkForm(AboutForm, GoldForm):
    """A benchmark of one task, with its first gold."""

    profile = forms.ChoiceField(label="Scored", widget=forms.RadioSelect)
    setting = forms.ChoiceField(label="Systems are given", widget=forms.RadioSelect)
    primary_metric = forms.ChoiceField(
        label="The board is sorted by",
        help_text="All measures are shown; this one decides the order.",
    )
    field_order = (
        "name",
        "description",
        "visibility",
        "profile",
        "setting",
        "primary_metric",
        "gold",
        "is_hidden",
        "split",
        "corpus",
        "claims",
    )

    def __init__(self, data: Any = None, *, task: str, **kwargs: Any) -> None:
        words = TASKS[task]
        super().__init__(data, gold_words=words.gold, **kwargs)
        self.task = task
        profiles = [(name, PROFILE_WORDS[name]) for name in get_task(task).profiles]
        self._offer("profile", profiles)
        self._offer("setting", [(name, SETTINGS[name]) for name in words.settings])
        self._offer("primary_metric", [(name, name) for name in words.measures])

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = choices
        field.initial = choices[0][0]

    def scoring(self) -> Scoring:
        """How the benchmark scores."""
        data = self.cleaned_data
        return Scoring(
            self.task, data["profile"], data["setting"], data["primary_metric"]
        )


class _Minute(forms.TextInput):
    input_type = "datetime-local"


class ClockTimeField(forms.Field):
    """A time to the minute as a clock shows it, without a zone."""

    widget = _Minute

    def to_python(self, value: Any) -> datetime | None:
        """Read 2026-12-01T23:59, with a space too."""
        if value in self.empty_values:
            return None
        for pattern in (CLOCK_FORMAT, "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"):
            try:
                typed = datetime.strptime(str(value).strip(), pattern)  # noqa: DTZ007
            except ValueError:
                continue
            if typed.year in YEARS:
                return typed.replace(second=0)
        raise forms.ValidationError("Write a day and a time: 2026-12-01 23:59.")


class ZoneForm(forms.Form):
    """Times of one zone, which become moments."""

    zone = forms.ChoiceField(
        label="Time zone",
        initial=AOE,
        help_text="AoE, “anywhere on Earth”, is UTC-12. Pages show every time in AoE, "
        "in UTC and in the reader's own zone.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["zone"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = zone_choices(timezone.get_current_timezone_name())

    def read_moment(self, name: str) -> None:
        """Replace a time of the chosen zone by the moment it is."""
        at, zone = self.cleaned_data.get(name), self.cleaned_data.get("zone")
        if at is None or zone is None:
            return
        try:
            self.cleaned_data[name] = moment_of(at, zone)
        except ClockTimeError as error:
            self.add_error(name, str(error))


def zone_choices(own: str) -> list[tuple[str, str]]:
    """Return AoE, UTC and the reader's zone, then all others by name."""
    first = dict.fromkeys([AOE, "UTC", own])
    others = sorted(available_timezones() - first.keys())
    words = {AOE: "AoE (anywhere on Earth, UTC-12)"}
    return [
        (name, words.get(name, name.replace("_", " "))) for name in (*first, *others)
    ]


def _limit(label: str, **kwargs: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=MAX_LIMIT, **kwargs)


class LimitsForm(forms.Form):
    """What is shown of scores, and how often one may submit."""

    name = forms.CharField(max_length=60, help_text="“Development”, “Test”.")
    shows = forms.ChoiceField(
        label="Shown to submitters before it closes",
        choices=Phase.Shows.choices,
        widget=forms.RadioSelect,
        help_text="After it has closed everything is shown. Organisers always see "
        "everything. Hidden gold never shows slices and errors while it is open.",
    )
    daily_per_person = _limit("Submissions a day, each person", initial=10)
    total_per_person = _limit(
        "Submissions in all, each person", required=False, help_text="Empty: no limit."
    )
    daily_per_team = _limit("Submissions a day, each team", initial=10)
    total_per_team = _limit(
        "Submissions in all, each team", required=False, help_text="Empty: no limit."
    )

    def limits(self) -> dict[str, int | None]:
        """The limits as the services take them."""
        return {name: self.cleaned_data[name] for name in LIMITS}

    @staticmethod
    def initial_of(phase: Phase) -> dict[str, Any]:
        """What the form starts from."""
        names = ("name", "shows", *LIMITS)
        return {name: getattr(phase, name) for name in names}


class _GoldSetField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: GoldSet) -> str:
        hidden = "hidden" if obj.is_hidden else "public"
        split = f", {obj.split}" if obj.split else ""
        return f"{obj}{split}: {obj.n_claims:,} claims, {hidden}"


class PhaseForm(LimitsForm, ZoneForm):
    """A new phase of a benchmark."""

    kind = forms.ChoiceField(
        choices=Phase.Kind.choices, initial=Phase.Kind.DEV, widget=forms.RadioSelect
    )
    gold_set = _GoldSetField(
        GoldSet.objects.none(), label="Scored against", empty_label=None
    )
    opens_at = ClockTimeField(
        label="Opens", required=False, help_text="Empty: at once."
    )
    closes_at = ClockTimeField(
        label="Closes", required=False, help_text="Empty: never."
    )
    field_order = (
        "kind",
        "name",
        "gold_set",
        "shows",
        "opens_at",
        "closes_at",
        "zone",
        *LIMITS,
    )

    def __init__(self, *args: Any, benchmark: Benchmark, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["gold_set"]
        assert isinstance(field, _GoldSetField)  # noqa: S101
        field.queryset = gold_sets_of(benchmark)
        self.fields["total_per_person"].initial = OVERALL_LIMIT
        self.fields["total_per_team"].initial = OVERALL_LIMIT

    def clean(self) -> dict[str, Any]:
        """Read both times on the clock of the zone."""
        super().clean()
        self.read_moment("opens_at")
        self.read_moment("closes_at")
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        """The phase as the service takes it."""
        names = ("kind", "name", "gold_set", "shows", "closes_at")
        values = {name: self.cleaned_data[name] for name in names}
        opens_at = self.cleaned_data["opens_at"] or timezone.now()
        return values | {"opens_at": opens_at} | self.limits()


def gold_sets_of(benchmark: Benchmark) -> QuerySet[GoldSet]:
    """The gold sets that a phase of a benchmark may use."""
    return benchmark.gold_sets.order_by("pk")


class _MoveForm(ZoneForm):
    """A time of a phase that moves, and why."""

    why = LongTextField(
        label="Reason",
        rows=2,
        max_length=500,
        help_text="Everybody who sees the benchmark reads it.",
    )


class OpeningForm(_MoveForm):
    """Another opening, and why."""

    opens_at = ClockTimeField(
        label="Opens", required=False, help_text="Empty: at once."
    )
    field_order = ("opens_at", "zone", "why")

    def clean(self) -> dict[str, Any]:
        """Read the time on the clock of the zone."""
        super().clean()
        self.read_moment("opens_at")
        return self.cleaned_data

    @staticmethod
    def initial_of(phase: Phase) -> dict[str, Any]:
        """The opening as it stands, on the clock of AoE."""
        return {"opens_at": _on_aoe(phase.opens_at)}


class DeadlineForm(_MoveForm):
    """Another deadline, and why."""

    closes_at = ClockTimeField(
        label="Closes", required=False, help_text="Empty: never."
    )
    field_order = ("closes_at", "zone", "why")

    def clean(self) -> dict[str, Any]:
        """Read the time on the clock of the zone."""
        super().clean()
        self.read_moment("closes_at")
        return self.cleaned_data

    @staticmethod
    def initial_of(phase: Phase) -> dict[str, Any]:
        """The deadline as it stands, on the clock of AoE."""
        if phase.closes_at is None:
            return {}
        return {"closes_at": _on_aoe(phase.closes_at)}


def _on_aoe(at: datetime) -> str:
    return at.astimezone(ANYWHERE_ON_EARTH).strftime(CLOCK_FORMAT)


class AnnouncementForm(forms.Form):
    """What organisers tell everybody."""

    text = LongTextField(label="Announcement", rows=3, max_length=5_000)


class DisqualifyForm(forms.Form):
    """Why an entry is taken off the board."""

    reason = LongTextField(
        rows=3,
        max_length=2_000,
        help_text="It stands on the board for everybody. Of an entry that was never "
        "published, only whoever submitted it reads it.",
    )
