"""A group's own spreadsheet, from upload to sentences, without a browser."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from annotation.services.boundaries import merge_sentences
from annotation.services.documents import fill_abstract
from corpus.models import Corpus, Document, Event, Job, StoredFile
from tests.annotation.views.conftest import SignIn
from tests.factories import ClaimFactory, CorpusFactory, PairFactory, Team

IMG = "<img src=x onerror=alert(1)>"
CSV = (
    "Title,Abstract,DOI,Year\n"
    "Tea,Tea was drunk. Knees rested.,10.5555/tea,2020\n"
    "Coffee,,10.5555/coffee,2021\n"
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Wishes and progress of other tests' jobs, whose numbers were the same."""
    cache.clear()


@pytest.fixture
def client(team: Team, sign_in: SignIn) -> Client:
    return sign_in(team.admin)


class Path:
    """The steps of one person with one corpus; jobs run at once."""

    def __init__(
        self, client: Client, corpus: Corpus, commits: DjangoCaptureOnCommitCallbacks
    ) -> None:
        self.client, self.corpus, self.commits = client, corpus, commits

    def upload(self, content: bytes, name: str = "own.csv") -> Any:
        address = reverse("annotation:upload_table", args=[self.corpus.slug])
        return self.client.post(address, {"file": SimpleUploadedFile(name, content)})

    def check(self, content: bytes, name: str = "own.csv", **columns: str) -> str:
        """Upload, take the guessed columns or these, and return the next address."""
        address = self.upload(content, name).headers["Location"]
        form = self.client.get(address).context["form"]
        data = columns or {
            name: field.initial for name, field in form.fields.items() if field.initial
        }
        with self.commits(execute=True):
            response = self.client.post(address, data)
        job = Job.objects.latest("pk")
        assert response.headers["Location"] == reverse("corpus:job", args=[job.token])
        assert job.state == Job.State.DONE, job.error
        return str(job.result["redirect"])

    def confirm(self, address: str) -> str:
        with self.commits(execute=True):
            self.client.post(address)
        return str(Job.objects.latest("pk").result["redirect"])


@pytest.fixture
def path(
    client: Client,
    team: Team,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> Path:
    return Path(client, team.corpus, django_capture_on_commit_callbacks)


def workbook(*rows: tuple[str, ...]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_spreadsheet_becomes_abstracts_with_split_sentences(
    path: Path, team: Team
) -> None:
    checked = path.check(CSV.encode())
    page = path.client.get(checked)
    assert dict(page.context["counts"])["new"] == 2
    assert "There is no abstract. You can paste it" in page.content.decode()
    assert not Document.objects.exists()
    done = path.client.get(path.confirm(checked)).content.decode()
    tea, coffee = Document.objects.order_by("position")
    assert tea.sentences == ["Tea was drunk.", "Knees rested."]
    assert (tea.external_id, tea.published) == ("doi:10.5555/tea", "2020")
    assert not coffee.has_abstract
    assert reverse("annotation:missing_abstracts", args=[team.corpus.slug]) in done


def test_the_same_file_again_would_change_nothing(path: Path) -> None:
    path.confirm(path.check(CSV.encode()))
    version = Corpus.objects.get(pk=path.corpus.pk).version
    page = path.client.get(path.check(CSV.encode()))
    assert dict(page.context["counts"])["identical"] == 2
    assert "Everything in this file is here already." in page.content.decode()
    assert Corpus.objects.get(pk=path.corpus.pk).version == version


def test_a_changed_row_is_changed_unless_a_claim_uses_it(
    path: Path, team: Team
) -> None:
    path.confirm(path.check(CSV.encode()))
    changed = CSV.replace("Knees rested", "Knees hurt").encode()
    address = path.check(changed)
    assert dict(path.client.get(address).context["counts"])["changed"] == 1
    row = Document.objects.get(external_id="doi:10.5555/tea")
    claim = ClaimFactory(project=team.project, author=team.annotator)
    PairFactory(claim=claim, document=row)
    page = path.client.get(path.confirm(address))
    assert dict(page.context["counts"])["in use, kept as they are"] == 1
    row.refresh_from_db()
    assert row.sentences == ["Tea was drunk.", "Knees rested."]


def test_an_xlsx_of_hostile_cells_is_shown_as_text(path: Path) -> None:
    content = workbook(
        ("Title", "Abstract", "</script>"),
        (IMG, "𝛽-carotene rose. 👩‍🚒 slept.", "=1+1"),
    )
    address = path.upload(content, f"{IMG}.xlsx").headers["Location"]
    page = path.client.get(address).content.decode()
    assert IMG not in page
    assert "&lt;/script&gt;" in page
    path.confirm(path.check(content, "own.xlsx"))
    row = Document.objects.get()
    assert row.title == IMG
    assert row.sentences == ["𝛽-carotene rose.", "👩‍🚒 slept."]


def test_the_second_sheet_can_be_chosen(path: Path) -> None:
    book = Workbook()
    book.active.append(("Notes",))  # type: ignore[union-attr]
    sheet = book.create_sheet("Abstracts & more")
    sheet.append(("Title", "Abstract"))
    sheet.append(("Tea", "It helped."))
    stream = io.BytesIO()
    book.save(stream)
    address = path.upload(stream.getvalue(), "two.xlsx").headers["Location"]
    page = path.client.get(address, {"sheet": "Abstracts & more"})
    assert page.context["header"].columns == ("Title", "Abstract")
    with path.commits(execute=True):
        path.client.post(
            f"{address}?sheet=Abstracts+%26+more",
            {"title": "Title", "abstract": "Abstract"},
        )
    assert Job.objects.get().result["report"]["new"] == 1


def test_columns_are_guessed_once_and_remembered_after(path: Path) -> None:
    content = b"Heading,Body,DOI\nTea,It helped.,10.5555/x\n"
    address = path.upload(content).headers["Location"]
    guessed = path.client.get(address).context["form"]
    assert guessed.fields["title"].initial == ""
    assert guessed.fields["doi"].initial == "DOI"
    path.check(content, title="Heading", abstract="Body")
    address = path.upload(content).headers["Location"]
    remembered = path.client.get(address).context["form"]
    assert remembered.fields["title"].initial == "Heading"
    assert remembered.fields["abstract"].initial == "Body"
    event = Event.objects.get(noun="corpus", verb="map_columns")
    assert event.payload["set"]["column_mapping"]["title"] == "Heading"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"doi": "DOI"}, "Say which column holds the title or the abstract"),
        ({"title": "Title", "abstract": "Title"}, "Chosen twice"),
        ({"title": "No such column"}, "Select a valid choice"),
    ],
)
def test_a_mapping_that_makes_no_sense_is_said(
    path: Path, data: dict[str, str], words: str
) -> None:
    address = path.upload(CSV.encode()).headers["Location"]
    page = path.client.post(address, data)
    assert words in page.content.decode()
    assert not Job.objects.exists()


def test_errors_are_listed_by_line_and_stop_the_import(path: Path) -> None:
    content = CSV.encode() + f"{IMG},,,\n,,,x\nA\0B,Text.,,\n".encode()
    checked = path.check(content)
    page = path.client.get(checked).content.decode()
    assert "cannot be imported as it is" in page
    assert "NUL" in page
    assert "neither a title nor an abstract" in page
    assert IMG not in page
    assert "Import the abstracts" not in page
    path.client.post(checked)
    assert not Document.objects.exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("old.xls", b"\xd0\xcf\x11\xe0" + b"0" * 99, "old Excel file"),
        ("broken.xlsx", b"PK\x03\x04nonsense", "damaged"),
        ("empty.csv", b" ", "is empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(
    path: Path, name: str, content: bytes, words: str
) -> None:
    assert words in path.upload(content, name).content.decode()


def test_the_true_limit_is_stated_and_kept(path: Path, settings: Settings) -> None:
    settings.UPLOAD_LIMIT_BYTES = 1024 * 1024
    page = path.upload(b"Title\n" + b"x" * 1024 * 1024).content.decode()
    assert "At most 1 MB" in page
    assert "may have up to 1 MB" in page


def test_without_a_worker_the_pages_say_so(path: Path) -> None:
    address = path.upload(CSV.encode()).headers["Location"]
    assert "No worker is running" in path.client.get(address).content.decode()


def test_another_person_s_file_or_check_is_not_there(
    path: Path, team: Team, sign_in: SignIn
) -> None:
    uploaded = path.upload(CSV.encode()).headers["Location"]
    checked = path.check(CSV.encode())
    own = CorpusFactory(owner=team.outsider)
    stranger = sign_in(team.outsider)
    for name, token in (
        ("map_columns", StoredFile.objects.earliest("pk").token),
        ("checked_table", Job.objects.latest("pk").token),
        ("imported_table", Job.objects.latest("pk").token),
    ):
        address = reverse(f"annotation:{name}", args=[own.slug, token])
        assert stranger.get(address).status_code == 404
    for address in (uploaded, checked):
        assert stranger.get(address).status_code == 404
        assert sign_in(team.read_only).get(address).status_code == 403


def test_a_check_does_not_open_in_another_corpus(path: Path, team: Team) -> None:
    checked = path.check(CSV.encode())
    other = CorpusFactory(owner=team.admin)
    address = checked.replace(f"/{team.corpus.slug}/", f"/{other.slug}/")
    assert path.client.get(address).status_code == 404


def test_the_file_again_does_not_take_away_a_pasted_abstract(
    path: Path, team: Team
) -> None:
    path.confirm(path.check(CSV.encode()))
    row = Document.objects.get(has_abstract=False)
    fill_abstract(document=row, text="Coffee was drunk.", actor=team.admin)
    address = path.check(CSV.encode())
    assert dict(path.client.get(address).context["counts"])["identical"] == 2
    path.confirm(path.check(CSV.replace("2021", "2022").encode()))
    row.refresh_from_db()
    assert (row.published, row.text) == ("2022", "Coffee was drunk.")


def test_a_row_with_a_new_date_keeps_its_corrected_boundaries(
    path: Path, team: Team
) -> None:
    path.confirm(path.check(CSV.encode()))
    row = Document.objects.get(has_abstract=True)
    merge_sentences(
        document=row, sentence=1, seen_hash=row.content_hash, actor=team.admin
    )
    path.confirm(path.check(CSV.replace("2020", "2021-01").encode()))
    row.refresh_from_db()
    assert (row.published, row.sentences) == (
        "2021-01",
        ["Tea was drunk. Knees rested."],
    )
