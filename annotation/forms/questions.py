"""The forms of questions, their studies and their table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings

from annotation.forms.fields import LongTextField
from annotation.models import Project, Question, Study
from annotation.selectors.questions import TableFilter
from annotation.services.questions import StudyInput
from annotation.services.studies import StudyChange
from corpus.models import Document

MEBIBYTE = 1024 * 1024
MISSING = [
    ("", "Everything"),
    ("hypothesis", "No hypothesis yet"),
    ("studies", "No studies"),
    ("finding", "No finding"),
    ("label", "No label"),
]


def label_choices(project: Project, empty: str) -> list[tuple[str, str]]:
    """Return the labels of a project for a select, after an empty choice."""
    return [("", empty), *((c.label.value, c.word) for c in project.labels)]


class TableFilterForm(forms.Form):
    """Which rows of the table are shown."""

    text = forms.CharField(label="Words", required=False, max_length=200)
    question = forms.ModelChoiceField(
        Question.objects.none(), required=False, empty_label="All questions"
    )
    label = forms.ChoiceField(required=False)
    missing = forms.ChoiceField(label="Missing", choices=MISSING, required=False)

    def __init__(self, *args: Any, project: Project, questions: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        self.fields["question"].queryset = questions  # type: ignore[attr-defined]
        choices = label_choices(project, "All labels")
        self.fields["label"].choices = choices  # type: ignore[attr-defined]

    def chosen(self) -> TableFilter:
        """The filter; a field with a value that does not exist is left open."""
        self.is_valid()
        data = self.cleaned_data
        question = data.get("question")
        return TableFilter(
            question=question.pk if question else None,
            label=data.get("label", ""),
            missing=data.get("missing", ""),
            text=data.get("text", "").strip(),
        )


class QuestionForm(forms.Form):
    """A question's rule for null results, and findings and labels of some studies."""

    null_result_rule = LongTextField(
        label="Rule for null results", required=False, max_length=4_000, rows=3
    )
    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, question: Question, studies: Sequence[Study]
    ) -> None:
        self.question, self.studies = question, studies
        initial: dict[str, Any] = {
            "null_result_rule": question.null_result_rule,
            "seen": self._key(),
        }
        for study in studies:
            initial[f"finding_{study.pk}"] = study.finding
            initial[f"label_{study.pk}"] = study.label
        super().__init__(data, initial=initial)
        choices = label_choices(question.project, "none")
        for study in studies:
            self._add(study, choices)

    def _add(self, study: Study, choices: list[tuple[str, str]]) -> None:
        self.fields[f"finding_{study.pk}"] = LongTextField(
            label="Finding", required=False, max_length=4_000, rows=2
        )
        self.fields[f"label_{study.pk}"] = forms.ChoiceField(
            label="Expert’s label", choices=choices, required=False
        )

    def _key(self) -> str:
        """A digest of what the person sees, to notice what others change."""
        values = [[s.pk, s.finding, s.label] for s in self.studies]
        text = json.dumps([self.question.null_result_rule, values])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def clean_seen(self) -> str:
        """Refuse what was filled in over values that have changed since."""
        seen: str = self.cleaned_data["seen"]
        if seen != self._key():
            raise forms.ValidationError(
                "Somebody else changed this question since you opened it. Your text "
                "is still below: compare it with the page before you save again."
            )
        return seen

    def rows(self) -> list[tuple[Study, forms.BoundField, forms.BoundField]]:
        """Each study with its two fields."""
        return [
            (study, self[f"finding_{study.pk}"], self[f"label_{study.pk}"])
            for study in self.studies
        ]

    def changes(self) -> list[StudyChange]:
        """What the studies shall be."""
        data = self.cleaned_data
        return [
            StudyChange(study, data[f"finding_{study.pk}"], data[f"label_{study.pk}"])
            for study in self.studies
        ]


class NewQuestionForm(forms.Form):
    """A question with its studies, typed."""

    review = forms.CharField(
        max_length=500, help_text="The collaborative review that asks the question."
    )
    chapter = forms.CharField(required=False, max_length=500)
    text = LongTextField(label="Question", max_length=2_000, rows=2)
    null_result_rule = LongTextField(
        label="Rule for null results", required=False, max_length=4_000, rows=3
    )
    studies = LongTextField(
        required=False,
        rows=6,
        max_length=50_000,
        help_text=(
            "The ids of abstracts in the corpus, one on each line. A finding may "
            "follow after a tab or a semicolon."
        ),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        kwargs.setdefault(
            "initial", {"null_result_rule": project.rules.null_result_rule}
        )
        super().__init__(*args, **kwargs)
        self.project = project

    def clean_text(self) -> str:
        """A question has words."""
        return _required(self.cleaned_data["text"])

    def clean_studies(self) -> list[StudyInput]:
        """Find the abstracts; say which line names none."""
        lines = self.cleaned_data["studies"].split("\n")
        named = [
            (number, *_study_line(line))
            for number, line in enumerate(lines, start=1)
            if line.strip()
        ]
        rows = Document.objects.filter(
            corpus=self.project.corpus_id,
            retired_at=None,
            external_id__in={name for _, name, _ in named},
        )
        documents = {row.external_id: row for row in rows}
        errors, seen = [], set()
        for number, name, _ in named:
            if name not in documents:
                errors.append(f"Line {number}: the corpus has no abstract {name[:80]}.")
            elif name in seen:
                errors.append(f"Line {number}: {name[:80]} is named twice.")
            seen.add(name)
        if errors:
            raise forms.ValidationError(errors[:20])
        return [StudyInput(documents[name], finding) for _, name, finding in named]

    def question(self) -> Question:
        """The unsaved question."""
        data = self.cleaned_data
        return Question(
            review=data["review"],
            chapter=data["chapter"],
            text=data["text"],
            null_result_rule=data["null_result_rule"].strip(),
        )


def _required(text: str) -> str:
    if not text.strip():
        raise forms.ValidationError("Write the question.")
    return text.strip()


def _study_line(line: str) -> tuple[str, str]:
    separator = "\t" if "\t" in line else ";"
    name, _, finding = line.partition(separator)
    return name.strip(), finding.strip()


class StudiesFileForm(forms.Form):
    """A table of questions and studies."""

    file = forms.FileField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit = settings.UPLOAD_LIMIT_BYTES
        field = self.fields["file"]
        field.help_text = f"CSV or XLSX, at most {limit // MEBIBYTE:,} MB."
        field.widget.attrs["data-limit-bytes"] = str(limit)
