"""The table of questions and studies: filters, CSV there and back, who sees what."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from annotation.models import Pair, Question, Study
from annotation.selectors.questions import study_of_pair
from annotation.services.questions import StudyInput, add_question
from annotation.templatetags.questions import question_of
from corpus.models import Event, Job
from tests.annotation.reviews import CONTRADICT, ENTAIL, Review, make_review
from tests.annotation.views.conftest import SignIn
from tests.annotation.work import judged
from tests.factories import DocumentFactory, make_team

pytestmark = pytest.mark.django_db

IMG = "<img src=x onerror=alert(1)>"


@pytest.fixture
def review() -> Review:
    return make_review()


class Site:
    """One person at the pages of the project."""

    def __init__(
        self, client: Client, review: Review, commits: DjangoCaptureOnCommitCallbacks
    ) -> None:
        self.client, self.review, self.commits = client, review, commits

    def url(self, name: str, *more: object) -> str:
        return reverse(
            f"annotation:{name}", args=[self.review.team.project.slug, *more]
        )

    def table(self, **query: str) -> str:
        return self.client.get(self.url("questions"), query).content.decode()

    def csv(self, **query: str) -> list[dict[str, str]]:
        response: Any = self.client.get(self.url("questions_csv"), query)
        text = response.getvalue().decode()
        return list(csv.DictReader(io.StringIO(text)))

    def upload(self, rows: list[dict[str, str]] | str) -> Job:
        """Upload a table and return its finished check."""
        text = rows if isinstance(rows, str) else _written(rows)
        file = SimpleUploadedFile("studies.csv", text.encode())
        with self.commits(execute=True):
            response = self.client.post(self.url("import_studies"), {"file": file})
        job = Job.objects.latest("pk")
        assert response.status_code == 302, response.content.decode()
        assert job.state == Job.State.DONE, job.error
        return job

    def check_page(self, job: Job) -> str:
        return self.client.get(job.result["redirect"]).content.decode()

    def confirm(self, check: Job) -> Job:
        with self.commits(execute=True):
            self.client.post(check.result["redirect"])
        return Job.objects.latest("pk")


def _written(rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.fixture
def admin(
    review: Review,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> Site:
    client = sign_in(review.team.admin)
    return Site(client, review, django_capture_on_commit_callbacks)


@pytest.fixture
def annotator(
    review: Review,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> Site:
    client = sign_in(review.team.annotator)
    return Site(client, review, django_capture_on_commit_callbacks)


def test_the_table_has_questions_studies_findings_and_labels(admin: Site) -> None:
    page = admin.table()
    for words in (
        "Do late screens shorten sleep?",
        "Do games change play?",
        "Screens and sleep 0",
        "20 min less sleep",
        "No effect contradicts.",
        "ENTAIL",
        "No studies yet",
        "No hypothesis yet",
    ):
        assert words in page


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({}, {0, 1, 2, "play"}),
        ({"label": "SUPPORT"}, {0}),
        ({"missing": "label"}, {1, 2}),
        ({"missing": "finding"}, {2}),
        ({"missing": "studies"}, {"play"}),
        ({"missing": "hypothesis"}, {0, 1, 2, "play"}),
        ({"text": "less SLEEP"}, {0}),
        ({"text": "sleep 1"}, {1}),
        ({"text": "by day"}, {"play"}),
        ({"text": "play"}, {"play"}),
        ({"label": "SUPPORT", "missing": "label"}, set()),
        ({"label": "nonsense", "missing": "x", "question": "99999"}, {0, 1, 2, "play"}),
    ],
)
def test_filters_leave_what_fits(
    admin: Site, query: dict[str, str], shown: set[int | str]
) -> None:
    rows = admin.csv(**query)
    found: set[int | str] = {
        int(row["title"][-1]) if row["title"] else "play" for row in rows
    }
    assert found == shown
    page = admin.table(**query)
    for place in (0, 1, 2):
        assert (f"Screens and sleep {place}" in page) == (place in shown)


def test_one_question_can_be_shown(admin: Site) -> None:
    rows = admin.csv(question=str(admin.review.play.pk))
    assert [row["question"] for row in rows] == ["Do games change play?"]


def test_pages_follow_each_other_without_gaps(admin: Site) -> None:
    team = admin.review.team
    for n in range(30):
        add_question(
            project=team.project,
            question=Question(review="Many", text=f"Does {n} matter?"),
            studies=[
                StudyInput(DocumentFactory(corpus=team.corpus, title=f"Paper {n}-{k}"))
                for k in range(n % 4)
            ],
            actor=team.admin,
        )
    seen: list[str] = []
    url = admin.url("questions")
    for _ in range(5):
        response = admin.client.get(url)
        page = response.context["page"]
        for group in page.groups:
            seen += [f"{group.question.pk}-{row.study.pk}" for row in group.rows] or [
                f"{group.question.pk}-"
            ]
        if not page.next_after:
            break
        url = f"{admin.url('questions')}?after={page.next_after}"
    expected = Study.objects.count() + Question.objects.filter(studies=None).count()
    assert len(seen) == len(set(seen)) == expected


@pytest.mark.parametrize("after", ["x", "1", "1.x", "-1.2", "9" * 30, "1.-1", "²."])
def test_a_place_that_does_not_exist_is_no_trouble(admin: Site, after: str) -> None:
    assert admin.client.get(admin.url("questions"), {"after": after}).status_code == 200


def test_the_number_of_queries_does_not_grow(
    admin: Site, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    team = admin.review.team
    admin.table()
    with django_assert_max_num_queries(60) as few:
        admin.table()
    for n in range(12):
        add_question(
            project=team.project,
            question=Question(review="Many", text=f"Does {n} matter?"),
            studies=[StudyInput(DocumentFactory(corpus=team.corpus))] * 1,
            actor=team.admin,
        )
    with django_assert_max_num_queries(60) as many:
        admin.table()
    assert len(many) == len(few)


def test_texts_of_people_are_no_markup(admin: Site) -> None:
    team = admin.review.team
    document = DocumentFactory(corpus=team.corpus, title=IMG)
    source = add_question(
        project=team.project,
        question=Question(review=IMG, chapter=IMG, text=IMG, null_result_rule=IMG),
        studies=[StudyInput(document, IMG)],
        actor=team.admin,
    )
    for page in (
        admin.table(),
        admin.client.get(admin.url("question", source.question_id)).content.decode(),
        admin.client.get(f"{admin.url('write_source', source.pk)}").content.decode(),
    ):
        assert "<img src=x" not in page


# --- The table as CSV, there and back ------------------------------------------


def test_what_was_saved_reads_back_as_no_change(admin: Site) -> None:
    admin.review.hypothesis()
    rows = admin.csv()
    assert rows[1]["finding"] == "'=no effect"
    check = admin.upload(rows)
    report = check.result["report"]
    assert (report["identical"], report["changed"], report["new"]) == (3, 0, 0)
    assert (report["errors"], report["warnings"]) == (0, 0)
    assert "nothing to import" in admin.check_page(check)


def test_changes_are_shown_first_and_made_when_confirmed(admin: Site) -> None:
    rows = admin.csv()
    rows[1] |= {"finding": "'-3 min", "label": "contradict"}
    rows[0]["null_result_rule"] = "Null results are inconclusive."
    rows[1]["null_result_rule"] = rows[2]["null_result_rule"] = rows[0][
        "null_result_rule"
    ]
    check = admin.upload(rows)
    page = admin.check_page(check)
    assert check.result["report"]["changed"] == 2
    assert "=no effect" in page
    assert "-3 min" in page
    assert admin.review.study(1).label == ""
    done = admin.confirm(check)
    assert done.kind == "import_studies"
    assert done.state == Job.State.DONE
    study = admin.review.study(1)
    assert (study.finding, study.label) == ("-3 min", "CONTRADICT")
    admin.review.sleep.refresh_from_db()
    assert admin.review.sleep.null_result_rule == "Null results are inconclusive."
    assert "The table was read" in admin.check_page(done)
    assert not admin.upload(admin.csv()).result["differences"]


def test_a_table_brings_questions_and_studies(admin: Site) -> None:
    fourth = admin.review.documents[3].external_id
    check = admin.upload(
        "review,question,study,finding,label\n"
        f"New review,Does light matter?,{fourth},It does,ENTAIL\n"
        f"Screens at night,Do late screens shorten sleep?,{fourth},x,\n"
    )
    # The second has no chapter, so it is another question than the one that is there.
    assert check.result["report"]["new"] == 4
    admin.confirm(check)
    light = Question.objects.get(text="Does light matter?")
    assert light.studies.get().label == "SUPPORT"
    assert light.source.state == "open"


def test_a_study_is_added_to_a_question_by_its_number(admin: Site) -> None:
    fourth = admin.review.documents[3].external_id
    number = admin.review.sleep.pk
    check = admin.upload(f"question_id,study,label\n{number},{fourth},INCONCLUSIVE\n")
    admin.confirm(check)
    assert admin.review.study(3).label == "MIXED"


@pytest.mark.parametrize(
    ("line", "column", "field", "words"),
    [
        ("999999,,,{0},,", 1, "question_id", "no question with this number"),
        ("x,,,{0},,", 1, "question_id", "no question with this number"),
        (",,,{0},,", 3, "question", "question is missing"),
        (",,Why?,{0},,", 2, "review", "review is missing"),
        ("{q},,,nowhere,,", 4, "study", "not in the corpus"),
        ("{q},,,{0},,PERHAPS", 6, "label", "no such label"),
        ("{q},,,,found,", 4, "study", "needs the study"),
        ('{q},,,{0},"a\0b",', 4, "", "NUL"),
    ],
)
def test_errors_name_line_and_column(
    admin: Site, line: str, column: int, field: str, words: str
) -> None:
    documents = [document.external_id for document in admin.review.documents]
    text = line.format(*documents, q=admin.review.sleep.pk)
    good = f"{admin.review.sleep.pk},,,{documents[1]},better,ENTAIL"
    check = admin.upload(
        f"question_id,review,question,study,finding,label\n{good}\n{text}\n"
    )
    (error,) = check.result["report"]["first_errors"]
    assert error["line"] == 3
    assert words in error["message"]
    if field:
        assert (error["field"], error["column"]) == (field, column)
    before = Event.objects.count()
    assert "cannot be imported as it is" in admin.check_page(check)
    assert admin.confirm(check) == check
    assert Event.objects.count() == before
    assert admin.review.study(1).finding == "=no effect"


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", "study\nx\n", "question,study,study\n", "\0", "PK\3\4"]
)
def test_a_file_that_is_no_table_is_refused_in_words(admin: Site, text: str) -> None:
    report = admin.upload(text or "\n").result["report"]
    assert report["errors"] == 1
    assert report["first_errors"][0]["message"]


def test_a_study_twice_in_a_file_is_an_error(admin: Site) -> None:
    rows = admin.csv()
    report = admin.upload([*rows, rows[0]]).result["report"]
    assert report["first_errors"][0]["line"] == len(rows) + 2


def test_a_label_in_use_is_kept_and_listed(admin: Site) -> None:
    admin.review.hypothesis()
    admin.client.post(admin.url("take_over_labels"))
    rows = admin.csv()
    rows[0]["label"] = "CONTRADICT"
    check = admin.upload(rows)
    assert check.result["report"]["kept"] == 1
    admin.confirm(check)
    assert admin.review.study(0).label == "SUPPORT"


# --- The pages of a question ---------------------------------------------------


def _form(review: Review, page: str) -> dict[str, str]:
    seen = page.split('name="seen" value="')[1].split('"')[0]
    values = {"seen": seen, "null_result_rule": review.sleep.null_result_rule}
    for place in range(3):
        study = review.study(place)
        values[f"finding_{study.pk}"] = study.finding
        values[f"label_{study.pk}"] = study.label
    return values


def test_an_admin_changes_findings_and_labels_on_the_page(admin: Site) -> None:
    url = admin.url("question", admin.review.sleep.pk)
    values = _form(admin.review, admin.client.get(url).content.decode())
    study = admin.review.study(2)
    values |= {f"finding_{study.pk}": "5 min", f"label_{study.pk}": "MIXED"}
    assert admin.client.post(url, values).status_code == 302
    assert admin.review.study(2).label == "MIXED"
    # The same form again: the page has changed since, and nothing typed is lost.
    values[f"finding_{study.pk}"] = "6 minutes, typed late"
    page = admin.client.post(url, values).content.decode()
    assert "Somebody else changed this question" in page
    assert "6 minutes, typed late" in page
    assert admin.review.study(2).finding == "5 min"


def test_a_question_is_added_with_its_studies(admin: Site) -> None:
    ids = [document.external_id for document in admin.review.documents[:2]]
    values = {
        "review": "Daylight",
        "text": "Does daylight help?",
        "studies": f"{ids[0]}; helps a little\r\n{ids[1]}\r\n",
    }
    admin.client.post(admin.url("new_question"), values)
    question = Question.objects.get(text="Does daylight help?")
    assert [s.finding for s in question.studies.order_by("ordinal")] == [
        "helps a little",
        "",
    ]
    page = admin.client.post(admin.url("new_question"), values).content.decode()
    assert "has this question already" in page
    values["studies"] = "nowhere\nnowhere"
    page = admin.client.post(admin.url("new_question"), values).content.decode()
    assert "Line 1: the corpus has no abstract nowhere." in page


def test_labels_are_taken_over_with_one_button(admin: Site) -> None:
    assert "Take over" not in admin.table()
    admin.review.hypothesis()
    assert "Take over 1 label<" in admin.table()
    response = admin.client.post(admin.url("take_over_labels"), follow=True)
    assert "Decided as the experts said: 1 study." in response.content.decode()
    assert "Take over" not in admin.table()


# --- Who sees what -------------------------------------------------------------


def test_an_annotator_sees_the_own_label_only(
    admin: Site, annotator: Site, review: Review
) -> None:
    review.hypothesis()
    judged(review.pair(1), review.team.annotator, CONTRADICT)
    judged(review.pair(2), review.team.other_annotator, ENTAIL)
    (own,) = [row for row in annotator.csv() if row["my_label"]]
    assert (own["title"], own["my_label"]) == ("Screens and sleep 1", "CONTRADICT")
    assert "label" not in own
    assert [row["judged"] for row in admin.csv()] == ["", "CONTRADICT", "ENTAIL", ""]
    page = annotator.table()
    assert "My label" in page
    assert page.count("cd-label-support") == 0
    assert [r["title"][-1] for r in annotator.csv(missing="label")] == ["0", "2"]
    assert [r["title"][-1] for r in annotator.csv(label="CONTRADICT")] == ["1"]
    assert annotator.csv(label="SUPPORT") == []
    assert len(admin.csv(label="SUPPORT")) == 1


def test_an_annotator_labels_from_the_table(annotator: Site, review: Review) -> None:
    review.hypothesis()
    page = annotator.table()
    url = reverse(
        "annotation:verify_pair", args=[review.team.project.slug, review.pair(2).pk]
    )
    assert url in page
    page = annotator.client.get(url).content.decode()
    assert "No effect contradicts." in page


def test_a_study_is_found_for_its_pair(
    review: Review, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    review.hypothesis()
    pair = review.pair(1)
    study = study_of_pair(pair)
    assert study == review.study(1)
    shown = question_of(pair)["study"]
    assert (shown.finding, shown.question.text) == (
        "=no effect",
        "Do late screens shorten sleep?",
    )
    citing = Pair(project=make_team().project)
    with django_assert_num_queries(0):
        assert study_of_pair(citing) is None


def test_others_hypotheses_stay_hidden(
    review: Review,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    review.hypothesis("Late screens shorten sleep a lot.")
    client = sign_in(review.team.other_annotator)
    other = Site(client, review, django_capture_on_commit_callbacks)
    assert "sleep a lot" not in other.table()
    page = client.get(other.url("question", review.sleep.pk)).content.decode()
    assert "sleep a lot" not in page
    assert "Written by somebody else" in page


# --- Writing the hypothesis ----------------------------------------------------


def _page_of(site: Site, question: Question) -> str:
    url = site.url("write_source", question.source.pk)
    return site.client.get(url).content.decode()


def test_the_writer_gets_a_proposal_to_correct(annotator: Site, review: Review) -> None:
    page = _page_of(annotator, review.sleep)
    assert page.count("Late screens shorten sleep.") == 2  # in the box, and beside it
    for words in ("20 min less sleep", "No effect contradicts.", "My label"):
        assert words in page
    assert "ENTAIL" not in page
    reviewer_sees = "Expert’s label"
    assert reviewer_sees not in page


def test_a_proposal_that_is_no_sentence_is_not_filled_in(
    annotator: Site, review: Review
) -> None:
    team = review.team
    source = add_question(
        project=team.project,
        question=Question(review="Screens at night", text="What shortens sleep?"),
        studies=[],
        actor=team.admin,
    )
    assert source.question is not None
    page = _page_of(annotator, source.question)
    assert page.count("… shortens sleep.") == 1
    assert "Name what the question asks for" in page


def test_a_corrected_hypothesis_is_what_is_kept(
    annotator: Site, review: Review
) -> None:
    url = annotator.url("write_source", review.sleep.source.pk)
    form = annotator.client.get(url).context["form"]
    values = {
        "submission_key": form["submission_key"].value(),
        "text_1": "Screens after nine shorten sleep.",
    }
    assert annotator.client.post(url, values).status_code == 302
    claim = review.team.project.claims.get()
    assert (claim.text, claim.kind) == (values["text_1"], "hypothesis")
