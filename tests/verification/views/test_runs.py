"""What organisers see and do with submissions; what nobody else sees."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from corpus.models import User
from tests.factories import UserFactory
from tests.verification.board import (
    checked,
    make_benchmark,
    make_phase,
    predictions,
    published,
    scored,
    upload,
)
from tests.verification.entries import make_entry
from verification.models import Phase, Submission
from verification.services.submissions import Metadata, receive
from verification.services.teams import create_team

pytestmark = pytest.mark.django_db
EVIL = Metadata(system='=HYPERLINK("http://x")', description="@sum(1)")


@pytest.fixture
def organiser() -> User:
    """Whoever organises the benchmark."""
    user: User = UserFactory()
    return user


@pytest.fixture
def phase(organiser: User) -> Phase:
    """A blind phase of a public benchmark."""
    return make_phase(make_benchmark(organiser), shows="nothing")


def _browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _base(phase: Phase) -> str:
    return f"/benchmarks/{phase.benchmark.slug}/phases/{phase.number}"


def test_organisers_see_every_submission_with_its_score(
    organiser: User, phase: Phase
) -> None:
    submitter = UserFactory()
    team = create_team(name="Moss <lab>", founder=submitter)
    scored(upload(phase, submitter, predictions(right=6), team=team))
    checked(upload(phase, UserFactory(), predictions()[1:]))
    page = _browser(organiser).get(f"{_base(phase)}/submissions/").content.decode()
    # Precision 1, recall 4/8: F1 2/3.
    assert "0.6667" in page
    assert "Moss &lt;lab&gt;" in page
    assert "invalid" in page


def test_a_list_takes_as_many_queries_for_many_submissions(
    organiser: User, phase: Phase
) -> None:
    client = _browser(organiser)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(f"{_base(phase)}/submissions/")
        return len(found)

    make_entry(phase)
    one = queries()
    for _ in range(5):
        make_entry(phase)
    assert queries() == one


def test_long_lists_have_pages(organiser: User, phase: Phase) -> None:
    for number in range(51):
        make_entry(phase, system=f"System {number}")
    client = _browser(organiser)
    first = client.get(f"{_base(phase)}/submissions/")
    assert len(first.context["page"].items) == 50
    after = first.context["page"].next_after
    rest = client.get(f"{_base(phase)}/submissions/?after={after}")
    assert [str(s) for s in rest.context["page"].items] == ["System 0"]


# The ZIP file -----------------------------------------------------------------------


def _archive(client: Client, phase: Phase) -> zipfile.ZipFile:
    response: Any = client.get(f"{_base(phase)}/runs.zip")
    assert response.streaming
    return zipfile.ZipFile(io.BytesIO(b"".join(response)))


def _table(archive: zipfile.ZipFile) -> list[dict[str, str]]:
    text = archive.read("manifest.csv").decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_all_runs_come_packed_with_a_table(organiser: User, phase: Phase) -> None:
    first = scored(upload(phase, UserFactory(), predictions(right=6)), EVIL)
    packed = SimpleUploadedFile(
        "../../x.jsonl.gz", gzip.compress(b'{"id": 0, "evidence": {}}\n')
    )
    receive(phase=phase, submitter=UserFactory(), upload=packed)  # only checked
    archive = _archive(_browser(organiser), phase)
    assert archive.testzip() is None
    (row,) = _table(archive)
    assert archive.namelist() == [row["file"], "manifest.csv"]
    with first.file.file.open("rb") as content:
        assert archive.read(row["file"]) == content.read()
    assert row["file"] == f"runs/0001-{first.token}.jsonl"
    assert row["submission"] == first.token
    assert float(row["score"]) == pytest.approx(2 / 3)
    assert row["sha256"] == first.file.sha256
    # No spreadsheet takes these for formulas.
    assert row["system"] == '\'=HYPERLINK("http://x")'
    assert row["description"] == "'@sum(1)"


def test_a_file_that_is_gone_is_said_to_be_gone(organiser: User, phase: Phase) -> None:
    entry = scored(upload(phase, UserFactory()))
    entry.file.file.storage.delete(str(entry.file.file.name))
    archive = _archive(_browser(organiser), phase)
    assert archive.namelist() == ["manifest.csv"]
    assert _table(archive)[0]["file"] == "no longer kept"


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("a.jsonl", ".jsonl"),
        ("a.JSONL.GZ", ".jsonl.gz"),
        ("a.csv", ".csv"),
        ("a.exe", ""),
        ("a.jsonl\r\n", ""),
        (".gz", ".gz"),
    ],
)
def test_names_in_the_archive_are_ours(
    organiser: User, phase: Phase, name: str, member: str
) -> None:
    entry = scored(upload(phase, UserFactory()))
    entry.file.name = name
    entry.file.save()
    archive = _archive(_browser(organiser), phase)
    assert archive.namelist()[0] == f"runs/0001-{entry.token}{member}"


# Disqualifying and scoring again ----------------------------------------------------


def test_a_disqualified_entry_stands_with_its_reason(
    organiser: User, phase: Phase
) -> None:
    entry = published(upload(phase, UserFactory()))
    client = _browser(organiser)
    url = f"/benchmarks/{phase.benchmark.slug}/submissions/{entry.token}/disqualify/"
    empty = client.post(url, {"reason": " "}).context["form"]
    assert "Say why" in empty.errors["__all__"][0]
    assert client.post(url, {"reason": "Trained on the test."}).status_code == 302
    entry.refresh_from_db()
    assert entry.standing == Submission.Standing.DISQUALIFIED
    page = client.get(f"{_base(phase)}/submissions/").content.decode()
    assert "Trained on the test." in page
    again = client.post(url, {"reason": "Once more."})
    assert "can no longer be changed" in again.context["form"].errors["__all__"][0]


def test_scoring_again_is_offered_where_the_scorer_is_newer(
    organiser: User, phase: Phase
) -> None:
    client = _browser(organiser)
    make_entry(phase)
    assert (
        "Score again" not in client.get(f"{_base(phase)}/submissions/").content.decode()
    )
    make_entry(phase, score={"scorer_version": "0.9"})
    page = client.get(f"{_base(phase)}/submissions/").content.decode()
    assert "1 of these were scored by another version than 1.0" in page
    response: Any = client.post(f"{_base(phase)}/score-again/")
    assert response.url.startswith("/jobs/")


# Nobody else learns a score ---------------------------------------------------------


@pytest.mark.parametrize("who", ["anonymous", "outsider", "submitter"])
def test_nobody_else_sees_a_score_of_a_blind_phase(phase: Phase, who: str) -> None:
    """Two submissions that differ only in how good they are look the same."""
    submitter = UserFactory()
    good = scored(upload(phase, submitter, predictions(right=6)))
    bad = scored(upload(phase, submitter, predictions(right=4)))
    people = {"outsider": UserFactory(), "submitter": submitter}
    client = _browser(people[who]) if who in people else Client()
    for path in ("submissions/", "runs.zip"):
        status = client.get(f"{_base(phase)}/{path}").status_code
        assert status == (302 if who == "anonymous" else 403)
    page = client.get(f"/benchmarks/{phase.benchmark.slug}/").content.decode()
    for submission in (good, bad):
        assert str(submission.scores.get().primary) not in page
        assert submission.scores.get().signature not in page
