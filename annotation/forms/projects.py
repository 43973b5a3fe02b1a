"""Forms about projects: the wizard, all settings, and the two texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms.boundfield import BoundField

from annotation.forms.fields import LongTextField
from annotation.models import Guideline, Project
from annotation.models.projects import ProjectText
from annotation.protocols import (
    MAX_NAME,
    LabelChoice,
    NegationStep,
    ProjectSettings,
    RationaleRule,
    SettingsError,
    SourceKind,
    SplitUnit,
    SuggestionPolicy,
    Verifier,
)
from corpus.models import Corpus
from corpus.models.library import Visibility
from corpus.records import Label

VISIBILITY_HELP = (
    "Others then see the project's counts and guideline, never names or open work."
)
NEW_CORPUS = "new"


class NewProjectForm(forms.Form):
    """The second step of the wizard."""

    name = forms.CharField(
        max_length=120, help_text="For example the topic and the year."
    )
    description = LongTextField(required=False, rows=3)
    new_corpus = forms.CharField(
        label="Name of the new corpus",
        max_length=120,
        required=False,
        help_text="Empty: the corpus is called like the project.",
    )
    visibility = forms.ChoiceField(
        label="Who may look without being a member",
        choices=Visibility.choices,
        initial=Visibility.PRIVATE,
        widget=forms.RadioSelect,
        help_text=VISIBILITY_HELP,
    )

    field_order = ("name", "description", "corpus", "new_corpus", "visibility")

    def __init__(self, *args: Any, corpora: QuerySet[Corpus], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.corpora = corpora
        choices = [(str(c.pk), c.name) for c in corpora.order_by("name")]
        self.fields["corpus"] = forms.ChoiceField(
            label="Abstracts come from",
            choices=[(NEW_CORPUS, "a new, empty corpus"), *choices],
            initial=NEW_CORPUS,
            widget=forms.RadioSelect,
            help_text="A corpus holds the abstracts and can serve several projects.",
        )
        self.order_fields(self.field_order)

    def existing_corpus(self) -> Corpus | None:
        """The chosen corpus; None for a new one."""
        chosen = self.cleaned_data["corpus"]
        return None if chosen == NEW_CORPUS else self.corpora.get(pk=chosen)

    def new_corpus_name(self) -> str:
        """The name of the corpus to create."""
        name: str = self.cleaned_data["new_corpus"] or self.cleaned_data["name"]
        return name


class CountField(forms.IntegerField):
    """A whole number with a smallest value, no larger than the database holds."""

    def __init__(self, minimum: int, label: str, help_text: str = "") -> None:
        super().__init__(
            min_value=minimum, max_value=100_000, label=label, help_text=help_text
        )


class PercentField(forms.FloatField):
    """A share, shown in percent."""

    def __init__(self, label: str, help_text: str = "") -> None:
        super().__init__(
            min_value=0,
            max_value=100,
            label=label,
            help_text=help_text,
            widget=forms.NumberInput(attrs={"step": "any"}),
        )

    def clean(self, value: Any) -> float:
        """Return a share between 0 and 1."""
        percent: float = super().clean(value)
        return round(percent / 100, 6)


class SettingField(forms.BooleanField):
    """A yes or no of the protocol."""

    def __init__(self, label: str, help_text: str = "") -> None:
        super().__init__(required=False, label=label, help_text=help_text)


SOURCES = [
    (SourceKind.CITANCE, "citances: sentences of papers that cite other papers"),
    (SourceKind.CANDIDATES, "citances and candidate sentences of news paragraphs"),
    (SourceKind.QUESTION, "research questions of a review"),
]
NEGATIONS = [
    (NegationStep.SEPARATE, "a step of its own, by trained people"),
    (NegationStep.AT_ONCE, "at once, by the same annotator"),
    (NegationStep.NONE, "claims are not negated"),
]
RATIONALES = [
    (RationaleRule.ALL, "all that exist"),
    (RationaleRule.ONE, "one for each pair"),
    (RationaleRule.NONE, "none"),
]
VERIFIERS = [
    (Verifier.NOT_FAMILY, "people who had no part in the claim or its family"),
    (Verifier.ANYONE, "anyone with the permission to verify"),
    (Verifier.WRITER, "the writer of the claim"),
]
SUGGESTIONS = [
    (
        SuggestionPolicy.AFTER_FIRST_CHOICE,
        "after the annotator has chosen a label by themselves",
    ),
    (SuggestionPolicy.ON_DEMAND, "when the annotator asks for them"),
    (SuggestionPolicy.ALWAYS, "at once"),
    (SuggestionPolicy.OFF, "never"),
]
SPLIT_UNITS = [
    (SplitUnit.CLAIM, "a claim with its family"),
    (SplitUnit.ABSTRACT, "an abstract with all its claims"),
]
SHARES = ("train_share", "dev_share", "test_share")
# Lines of the protocol that are kept with the project before anything follows them.
NOT_IN_EFFECT = (
    "has_final_proofreading",
    "generates_not_enough_info",
    "is_blind",
    "has_peer_review",
    "has_assigned_reviewer",
    "quiz_questions",
    "split_unit",
    *SHARES,
)


class ProjectSettingsForm(forms.Form):
    """What a project is, and every line of its protocol."""

    name = forms.CharField(
        max_length=120, help_text="The address of the project stays as it is."
    )
    description = LongTextField(required=False, rows=3)
    visibility = forms.ChoiceField(
        label="Who may look without being a member",
        choices=Visibility.choices,
        help_text=VISIBILITY_HELP,
    )

    source = forms.ChoiceField(label="Claims are written from", choices=SOURCES)
    writer_sees_cited_abstract = SettingField(
        "Writers see the cited abstract",
        "Off: nobody who writes claims can open an abstract that one of their open "
        "citances cites, so that claims do not follow the abstract's words.",
    )
    claims_per_source = CountField(1, "Claims for each source, at most")
    max_claim_words = CountField(5, "Words of a claim above which the writer is warned")
    negation = forms.ChoiceField(label="Negation", choices=NEGATIONS)
    has_final_proofreading = SettingField(
        "Claims are proofread once more before a release"
    )

    rationales = forms.ChoiceField(
        label="Rationales of a judgement",
        choices=RATIONALES,
        help_text="A rationale is a minimal set of sentences that justifies the label.",
    )
    sentence_roles = SettingField(
        "Each sentence of a rationale is PRIMARY or SUPPLEMENTARY"
    )
    max_rationales = CountField(1, "Rationales above which the annotator is warned")
    max_rationale_sentences = CountField(
        1, "Sentences of one rationale above which the annotator is warned"
    )
    generates_not_enough_info = SettingField(
        "NOT ENOUGH INFO rows are also generated",
        "A claim with one sentence of the abstract that nobody chose as evidence. "
        "Such rows are never judged and never count for agreement.",
    )
    null_result_rule = LongTextField(
        label="How a null result is labelled",
        required=False,
        rows=2,
        help_text="Shown beside the labels.",
    )

    verifier = forms.ChoiceField(label="A pair may be judged by", choices=VERIFIERS)
    judgements_per_pair = CountField(1, "Independent judgements of each pair")
    reannotation_share = PercentField(
        "Pairs judged once more to measure agreement, in percent",
        "The size that Progress, Re-annotation offers when a sample is drawn.",
    )
    is_blind = SettingField(
        "Judgements are blind", "Later annotators never see earlier answers."
    )
    hides_author_in_review = SettingField(
        "Reviewers do not see whose work it is", "Nor do adjudicators."
    )
    has_peer_review = SettingField("Approved annotators review each other")
    has_assigned_reviewer = SettingField("Each annotator has a reviewer of their own")
    quiz_questions = CountField(
        0, "Questions of the quiz before the first task", "0: there is no quiz."
    )
    daily_quota = CountField(
        0,
        "Tasks of one kind for each person and day, at most",
        "0: there is no limit. A day begins at 00:00 UTC. What a person has open can "
        "always be finished.",
    )
    lease_minutes = CountField(
        5,
        "Minutes until a task that nobody works on is given to somebody else",
    )

    suggestion_policy = forms.ChoiceField(
        label="Suggestions of a model are shown",
        choices=SUGGESTIONS,
        help_text="Only in the first judgement of a pair, so that agreement is "
        "measured on answers that no model has touched.",
    )
    suggestion_control_share = PercentField(
        "Judgements without a suggestion, by chance, in percent",
        "What suggestions change is measured against these.",
    )
    suggestion_system = forms.CharField(
        label="System that suggests",
        max_length=MAX_NAME,
        help_text="The name of a system that is installed on this site.",
    )

    split_unit = forms.ChoiceField(
        label="Never divided between two splits", choices=SPLIT_UNITS
    )
    train_share = PercentField("Train, in percent")
    dev_share = PercentField("Dev, in percent")
    test_share = PercentField("Test, in percent")

    GROUPS = (
        ("The project", "name", "visibility"),
        ("Writing", "source", "has_final_proofreading"),
        ("Labels", "word_SUPPORT", "word_MIXED"),
        ("Judging", "rationales", "null_result_rule"),
        ("Who judges, and how it is checked", "verifier", "lease_minutes"),
        ("Help by a model", "suggestion_policy", "suggestion_system"),
        ("Splits", "split_unit", "test_share"),
    )

    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, project: Project, seen: str) -> None:
        super().__init__(data, initial={**_initial(project), "seen": seen})
        self.project = project
        for name in NOT_IN_EFFECT:
            field = self.fields[name]
            field.help_text = f"{field.help_text} Kept, but not in effect yet.".strip()
        for label in Label:
            self.fields[f"word_{label.value}"] = forms.CharField(
                label=label.value.replace("_", " "),
                required=False,
                max_length=40,
                help_text=LABEL_HELP[label],
            )

    def groups(self) -> Iterator[tuple[str, list[BoundField]]]:
        """The fields under the headings of the page."""
        names = [name for name in self.fields if not name.startswith("word_")]
        at = names.index("rationales")
        names[at:at] = [f"word_{label.value}" for label in Label]
        for title, first, last in self.GROUPS:
            chosen = names[names.index(first) : names.index(last) + 1]
            yield title, [self[name] for name in chosen]

    def values(self) -> dict[str, Any]:
        """What the service takes."""
        names = ("seen", "name", "description", "visibility", "rules", "labels")
        return {name: self.cleaned_data[name] for name in names}

    def clean(self) -> dict[str, Any]:
        """Read the settings as the protocol reads them, errors to their fields."""
        data = super().clean() or self.cleaned_data
        if not self.errors:
            self._read_rules(data)
            self._read_labels(data)
        return data

    def _read_rules(self, data: dict[str, Any]) -> None:
        values = {
            name: data[name]
            for name in self.project.rules.to_json()
            if name != "split_shares"
        }
        values["split_shares"] = [data[name] for name in SHARES]
        try:
            data["rules"] = ProjectSettings.from_json(values)
        except SettingsError as error:
            for name, problem in error.problems.items():
                field = SHARES[-1] if name == "split_shares" else name
                self.add_error(field, problem)

    def _read_labels(self, data: dict[str, Any]) -> None:
        """Labels keep the order that they have; new ones come last."""
        order = [choice.label for choice in self.project.labels]
        order += [label for label in Label if label not in order]
        words = [(label, data[f"word_{label.value}"]) for label in order]
        data["labels"] = tuple(
            LabelChoice(label, word) for label, word in words if word
        )
        if len(data["labels"]) < 2:
            self.add_error(
                f"word_{Label.SUPPORT.value}", "At least two labels need a word."
            )
        elif len({word for _, word in words if word}) < len(data["labels"]):
            self.add_error(
                f"word_{Label.SUPPORT.value}", "Two labels have the same word."
            )


LABEL_HELP = {
    Label.SUPPORT: "The abstract supports the claim. "
    "The word that annotators see; empty: the label is not offered.",
    Label.CONTRADICT: "The abstract refutes the claim.",
    Label.NOT_ENOUGH_INFO: "The abstract decides nothing about the claim.",
    Label.MIXED: "The abstract addresses the claim with mixed findings.",
}


def _initial(project: Project) -> dict[str, Any]:
    rules = project.rules
    values = rules.to_json()
    shares = values.pop("split_shares")
    return {
        **values,
        "name": project.name,
        "description": project.description,
        "visibility": project.visibility,
        "reannotation_share": _percent(rules.reannotation_share),
        "suggestion_control_share": _percent(rules.suggestion_control_share),
        **{name: _percent(share) for name, share in zip(SHARES, shares, strict=True)},
        **{f"word_{choice.label.value}": choice.word for choice in project.labels},
    }


def _percent(share: float) -> str:
    return f"{share * 100:.4f}".rstrip("0").rstrip(".")


class TextForm(forms.Form):
    """The next version of a text; ``based_on`` is the version that it replaces."""

    based_on = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, last: ProjectText | None) -> None:
        initial = {"based_on": last.version, "text": last.text} if last else {}
        super().__init__(data, initial={"based_on": 0, **initial})


class GuidelineForm(TextForm):
    """The next version of a guideline."""

    text = LongTextField(
        label="Guideline",
        rows=18,
        help_text="In Markdown: # heading, **bold**, - list, [link](https://…).",
    )
    video_url = forms.URLField(
        label="Address of a video",
        required=False,
        max_length=200,
        assume_scheme="https",
    )
    change_note = LongTextField(
        label="What changed",
        rows=2,
        help_text="Members read this when they are asked to accept the new version.",
    )

    def __init__(self, data: Any = None, *, last: Guideline | None) -> None:
        super().__init__(data, last=last)
        if last is None:
            del self.fields["change_note"]
        else:
            self.initial["video_url"] = last.video_url


class ConsentForm(TextForm):
    """The next version of a consent text."""

    text = LongTextField(
        label="Consent text",
        rows=14,
        help_text="In Markdown. Say what is collected, who sees it, what is "
        "published, and whom to ask.",
    )
