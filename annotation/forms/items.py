"""The filter of the table of all claims and pairs, and what is done to many."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.forms.fields import LongTextField
from annotation.models import BulkAction, Claim, Pair, Project
from annotation.models.labels import LabelCode
from annotation.services.bulk import Action, Noun
from annotation.services.priorities import LARGEST

# What a claim may be, and what a pair may be; the words of the first that has one.
STATES = {**dict(Pair.State.choices), **dict(Claim.State.choices)}


class ItemFilterForm(forms.Form):
    """Which claims or pairs to list. Whatever makes no sense filters nothing."""

    show = forms.ChoiceField(label="List", choices=Noun.choices, required=False)
    state = forms.ChoiceField(label="State", required=False)
    label = forms.ChoiceField(label="Label", required=False)
    person = forms.TypedChoiceField(
        label="Person", required=False, coerce=int, empty_value=None
    )
    split = forms.TypedChoiceField(
        label="Split", required=False, coerce=int, empty_value=None
    )
    text = forms.CharField(label="Claim contains", required=False, max_length=200)
    document = forms.CharField(
        label="Abstract (id or title)", required=False, max_length=200
    )
    older_than = forms.IntegerField(
        label="Claim older than, days", required=False, min_value=0, max_value=3650
    )

    def __init__(self, data: Any, *, project: Project) -> None:
        super().__init__(data)
        self.project = project
        words = {choice.label.value: choice.word for choice in project.labels}
        labels = [(v, words.get(v, w)) for v, w in LabelCode.choices]
        members = project.memberships.select_related("user")
        people = sorted(
            ((m.user_id, str(m.user)) for m in members),
            key=lambda row: (row[1].casefold(), row[0]),
        )
        splits = list(project.splits.order_by("name").values_list("pk", "name"))
        for name, choices in (
            ("state", list(STATES.items())),
            ("label", labels),
            ("person", people),
            ("split", splits),
        ):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = [("", "any"), *choices]

    @property
    def noun(self) -> str:
        """Claims, unless pairs are asked for."""
        show = self.wanted.get("show")
        return str(show) if show else Noun.CLAIM.value

    @property
    def wanted(self) -> dict[str, Any]:
        """The fields that were understood and say something."""
        self.is_valid()
        cleaned = self.cleaned_data
        return {k: v for k, v in cleaned.items() if v not in (None, "")}

    @property
    def fields_for_links(self) -> list[tuple[str, str]]:
        """The filter as names and values, for links and hidden fields."""
        return [(name, str(value)) for name, value in self.wanted.items()]


class BulkForm(forms.Form):
    """What to do with the ticked rows, or with all that match."""

    action = forms.ChoiceField(
        label="Do with them",
        choices=[
            (Action.PRIORITY.value, "Change the priority"),
            (Action.RELEASE.value, "Release: take them from whoever holds them"),
            (Action.REQUEUE.value, "Requeue: release, and offer to those who skipped"),
            (Action.RETIRE.value, "Retire: take out of the data set"),
            (Action.RESTORE.value, "Restore: bring retired ones back"),
        ],
    )
    scope = forms.ChoiceField(
        label="Which",
        choices=[("ticked", "the ticked rows"), ("all", "all that match")],
        initial="ticked",
    )
    priority = forms.IntegerField(
        label="Priority",
        required=False,
        min_value=-LARGEST,
        max_value=LARGEST,
        initial=0,
        help_text="0 is usual; higher is served first.",
    )
    reason = LongTextField(
        label="Reason", rows=2, required=False, max_length=500, strip=True
    )
    # The number that the confirmation page has shown.
    confirmed = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """A reason for retiring, a number for a priority."""
        data = super().clean() or {}
        if data.get("action") == Action.RETIRE and not data.get("reason"):
            self.add_error("reason", "Say why they are retired.")
        if data.get("action") == Action.PRIORITY and data.get("priority") is None:
            self.add_error("priority", "Which priority?")
        return data


class SaveFilterForm(forms.Form):
    """The name of a filter."""

    name = forms.CharField(label="Keep this filter as", max_length=80)
    is_shared = forms.BooleanField(
        label="The other admins of the project see it too", required=False
    )


def bulk_words(bulk: BulkAction) -> str:
    """Say what was done to how many."""
    count = len(bulk.changed)
    noun = bulk.noun if count == 1 else f"{bulk.noun}s"
    return f"{count} {noun}: {bulk.get_action_display()}."
