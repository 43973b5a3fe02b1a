"""Reading the table of questions and studies back: the check, and the writing.

Rows are known by question and study. The table may change findings, experts' labels
and rules for null results, and bring new questions and studies of abstracts that are
in the corpus. Nothing is taken away: a row that the file lacks stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from annotation.models import Project, Question, Study
from annotation.services.corpora import lock_corpus
from annotation.services.importing import (
    SHOWN,
    ImportRefusedError,
    ImportReport,
    Progress,
    no_progress,
)
from annotation.services.questions import StudyInput, add_question
from annotation.services.studies import (
    StudyChange,
    add_studies,
    change_rule,
    change_studies,
    taken_over,
)
from annotation.study_lines import Line, TableFile, read_lines
from corpus.formats.base import FormatError, Problem, Severity
from corpus.formats.problems import shown
from corpus.models import Document, User
from corpus.records import Label
from corpus.text import row_key

QuestionKey = tuple[str, str, str]


@dataclass(slots=True)
class NewQuestion:
    """A question that the file brings, with its studies."""

    question: Question
    studies: list[StudyInput] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """What reading a table back would do."""

    report: ImportReport
    questions: dict[QuestionKey, NewQuestion] = field(default_factory=dict)
    studies: dict[int, list[StudyInput]] = field(default_factory=dict)
    rules: dict[int, str] = field(default_factory=dict)
    changes: list[StudyChange] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)

    def differ(self, line: Line, what: str, column: str, old: str, new: str) -> None:
        """Take note of a change, for the person to see before it is made."""
        if len(self.differences) < SHOWN:
            self.differences.append(
                {
                    "line": line.number,
                    "what": what,
                    "column": column,
                    "old": old,
                    "new": new,
                }
            )


def check_studies(
    *, table: TableFile, project: Project, progress: Progress = no_progress
) -> Plan:
    """Say what reading a table back would do. Writes nothing."""
    return _Planner(project).plan(table, progress)


def import_studies(
    *,
    table: TableFile,
    project: Project,
    actor: User,
    progress: Progress = no_progress,
) -> Plan:
    """Read a whole table back; ``ImportRefusedError`` and nothing if it has errors."""
    with transaction.atomic():
        lock_corpus(project.corpus_id)
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        plan = _Planner(project).plan(table, progress)
        if plan.report.has_errors:
            raise ImportRefusedError(plan.report)
        _write(plan, project, actor)
    return plan


def _write(plan: Plan, project: Project, actor: User) -> None:
    for pk, rule in plan.rules.items():
        question = project.questions.get(pk=pk)
        change_rule(question=question, rule=rule, actor=actor)
    change_studies(changes=plan.changes, actor=actor)
    for pk, studies in plan.studies.items():
        question = project.questions.get(pk=pk)
        add_studies(question=question, studies=studies, actor=actor)
    for new in plan.questions.values():
        add_question(
            project=project, question=new.question, studies=new.studies, actor=actor
        )


class _Planner:
    """Compares a table with what the project has."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._plan = Plan(ImportReport())
        self._questions = {q.pk: q for q in project.questions.all()}
        self._by_text = {_key(q): q for q in self._questions.values()}
        rows = Study.objects.filter(question__project=project)
        self._studies = {
            (study.question_id, study.document.external_id): study
            for study in rows.select_related("document", "question__project")
        }
        self._fixed = set(taken_over(rows).values_list("pk", flat=True))
        self._documents: dict[str, Document] = {}
        self._labels = self._words()
        self._seen: set[tuple[object, str]] = set()
        self._rules: dict[object, str] = {}

    def _words(self) -> dict[str, str]:
        """The labels that a cell may name: the project's words, and our codes."""
        choices = self._project.labels
        words = {
            choice.label.value.casefold(): choice.label.value for choice in choices
        }
        return words | {c.word.casefold(): c.label.value for c in choices} | {"": ""}

    def plan(self, table: TableFile, progress: Progress) -> Plan:
        report = self._plan.report
        report.sha256 = table.sha256
        progress(0, table.size, "checking")
        lines: list[Line] = []
        try:
            for read in read_lines(table):
                if isinstance(read, Line):
                    lines.append(read)
                else:
                    report.add(read)
        except FormatError as error:
            report.add(error.problem)
            return self._plan
        self._find_documents(lines)
        for line in lines:
            self._take(line)
        progress(table.size, table.size, "checking")
        return self._plan

    def _find_documents(self, lines: Sequence[Line]) -> None:
        wanted = {line.cells["study"] for line in lines} - {""}
        ids = sorted(wanted)
        for start in range(0, len(ids), 500):
            rows = Document.objects.filter(
                corpus_id=self._project.corpus_id,
                retired_at=None,
                external_id__in=ids[start : start + 500],
            )
            self._documents |= {row.external_id: row for row in rows}

    def _take(self, line: Line) -> None:
        problems = list(self._problems(line))
        for problem in problems:
            self._plan.report.add(problem)
        if problems:
            return
        question = self._question(line)
        name = line.cells["study"]
        place = (question.pk or _key(question), name)
        if place in self._seen:
            message = "This study of this question stands in the file twice."
            self._plan.report.add(line.problem(message, "study"))
            return
        self._seen.add(place)
        self._take_rule(line, question)
        if question.pk is None:
            self._take_new(line, question)
        elif name:
            self._take_study(line, question)

    def _problems(self, line: Line) -> Iterator[Problem]:
        cells = line.cells
        known = cells.get("question_id", "")
        if known:
            if row_key(known) not in self._questions:
                yield line.problem(
                    "This project has no question with this number. Leave the cell "
                    "empty for a new question.",
                    "question_id",
                    "the number of a question of this project",
                )
        elif not cells.get("question"):
            yield line.problem("The question is missing.", "question", "a question")
        elif not cells.get("review"):
            yield line.problem("The review is missing.", "review", "a title")
        study = cells["study"]
        if study and study not in self._documents:
            yield line.problem(
                f"The abstract {shown(study)} is not in the corpus "
                f"“{self._project.corpus.name}”. Import the abstracts first.",
                "study",
                "the id of an abstract in the corpus",
            )
        if cells.get("label", "").casefold() not in self._labels:
            words = ", ".join(choice.word for choice in self._project.labels)
            yield line.problem("This project has no such label.", "label", words)
        if not study and (cells.get("finding") or cells.get("label")):
            yield line.problem(
                "A finding or a label needs the study that it belongs to.", "study"
            )

    def _question(self, line: Line) -> Question:
        """Return the question of a row: known by its number, else by its texts."""
        if number := line.cells.get("question_id"):
            question = self._questions[int(number)]
            for column in ("review", "chapter", "question"):
                self._note_other_text(line, question, column)
            return question
        key = (
            line.cells["review"],
            line.cells.get("chapter", ""),
            line.cells["question"],
        )
        if key in self._by_text:
            return self._by_text[key]
        rule = self._project.rules.null_result_rule
        question = Question(
            project=self._project,
            review=key[0],
            chapter=key[1],
            text=key[2],
            null_result_rule=rule,
        )
        self._by_text[key] = question
        self._plan.questions[key] = NewQuestion(question)
        self._plan.report.counts["new"] += 1
        self._plan.differ(line, key[2], "question", "", key[2])
        return question

    def _note_other_text(self, line: Line, question: Question, column: str) -> None:
        old = question.text if column == "question" else getattr(question, column)
        if column in line.cells and line.cells[column] != old.strip():
            problem = line.problem(
                "The texts of a question are not read back: it stays as it is.",
                column,
                shown(old),
            )
            self._warn(problem)

    def _warn(self, problem: Problem) -> None:
        self._plan.report.add(
            Problem(
                problem.message,
                problem.line,
                problem.column,
                problem.field,
                problem.value,
                problem.expected,
                Severity.WARNING,
            )
        )

    def _take_rule(self, line: Line, question: Question) -> None:
        """Take the rule for null results; all rows of a question say the same."""
        if "null_result_rule" not in line.cells:
            return
        rule, key = line.cells["null_result_rule"], question.pk or _key(question)
        if self._rules.setdefault(key, rule) != rule:
            message = "Two rows of this question have different rules for null results."
            self._plan.report.add(line.problem(message, "null_result_rule"))
            return
        if rule == question.null_result_rule.strip():
            return
        if question.pk is None:
            question.null_result_rule = rule or question.null_result_rule
        elif question.pk not in self._plan.rules:
            self._plan.rules[question.pk] = rule
            self._plan.report.counts["changed"] += 1
            old = question.null_result_rule
            self._plan.differ(line, question.text, "null_result_rule", old, rule)

    def _take_new(self, line: Line, question: Question) -> None:
        if line.cells["study"]:
            new = self._plan.questions[_key(question)]
            new.studies.append(self._input(line))
            self._plan.report.counts["new"] += 1
            self._plan.differ(line, question.text, "study", "", line.cells["study"])

    def _take_study(self, line: Line, question: Question) -> None:
        name = line.cells["study"]
        study = self._studies.get((question.pk, name))
        if study is None:
            self._plan.studies.setdefault(question.pk, []).append(self._input(line))
            self._plan.report.counts["new"] += 1
            self._plan.differ(line, question.text, "study", "", name)
            return
        finding = line.cells.get("finding", study.finding)
        if finding == study.finding.strip():
            finding = study.finding
        label = self._label(line) if "label" in line.cells else study.label
        if label != study.label and study.pk in self._fixed:
            self._plan.report.counts["kept"] += 1
            self._plan.report.keep(name)
            label = study.label
        if (finding, label) == (study.finding, study.label):
            self._plan.report.counts["identical"] += 1
            return
        self._plan.changes.append(StudyChange(study, finding, label))
        self._plan.report.counts["changed"] += 1
        if finding != study.finding:
            self._plan.differ(line, name, "finding", study.finding, finding)
        if label != study.label:
            old, new = self._word(study.label), self._word(label)
            self._plan.differ(line, name, "label", old, new)

    def _input(self, line: Line) -> StudyInput:
        label = self._label(line)
        return StudyInput(
            self._documents[line.cells["study"]],
            line.cells.get("finding", ""),
            Label(label) if label else None,
        )

    def _label(self, line: Line) -> str:
        return self._labels[line.cells.get("label", "").casefold()]

    def _word(self, label: str) -> str:
        words = {choice.label.value: choice.word for choice in self._project.labels}
        return words.get(label, label)


def _key(question: Question) -> QuestionKey:
    return question.review.strip(), question.chapter.strip(), question.text.strip()
