"""Benchmarks and submissions over the API: upload, poll, submit, publish, withdraw."""

from __future__ import annotations

import gzip
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from corpus.models import Event, StoredFile, User
from tests.annotation.api.client import Api
from tests.factories import UserFactory
from tests.verification.board import (
    SCORING,
    as_file,
    make_benchmark,
    make_phase,
    predictions,
    published,
    scored,
    upload,
)
from verification.models import Phase, QuotaSlot, Submission, Team
from verification.services.submissions import Metadata

pytestmark = pytest.mark.django_db
Callbacks = DjangoCaptureOnCommitCallbacks


def address(phase: Phase) -> str:
    return f"/benchmarks/{phase.benchmark.slug}/phases/{phase.number}/submissions"


def send(api: Api, phase: Phase, lines: Any = None, **form: Any) -> Any:
    file = as_file(predictions() if lines is None else lines)
    return api.upload(address(phase), file=file, **form)


def test_a_benchmark_says_what_a_program_needs(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    phase = make_phase(shows="overall", daily_per_person=3, daily_per_team=2)
    api, person = Api(None), UserFactory()
    found = api.get(f"/benchmarks/{phase.benchmark.slug}")
    assert found["primary_metric"] == "abstract_rationalized_f1"
    (described,) = found["phases"]
    assert (described["is_open"], described["n_claims"]) == (True, 12)
    assert described["quota"] == []
    assert [file["name"] for file in described["files"]] == [
        "claims.jsonl",
        "corpus.jsonl",
    ]
    content = api.get(
        f"/benchmarks/{phase.benchmark.slug}/files/{described['files'][0]['token']}"
    )
    assert content.splitlines()[0] == (
        b'{"id": 0, "claim": "Invented claim 0 on moss and rain."}'
    )
    team = Team.objects.create(name="Mossy")
    team.members.add(person)
    scored(upload(phase, person, team=team))
    make_phase(phase.benchmark)
    api = Api(person)
    api.get("/me")
    with django_assert_num_queries(7):
        found = api.get(f"/benchmarks/{phase.benchmark.slug}")
    assert found["teams"] == [{"id": team.pk, "name": "Mossy"}]
    today = timezone.now().date().isoformat()
    assert [
        (q["whose"], q["period"], q["most"], q["used"], q["left"])
        for q in found["phases"][0]["quota"]
    ] == [
        ("you", today, 3, 1, 2),
        ("you", "all", 10, 1, 9),
        ("the team “Mossy”", today, 2, 1, 1),
        ("the team “Mossy”", "all", 10, 1, 9),
    ]


def test_a_dry_run_then_submitting(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase, api = make_phase(), Api(UserFactory(), ["read", "submit"])
    with django_capture_on_commit_callbacks(execute=True):
        sent = send(api, phase)
    assert api.status == 202
    assert (sent["state"], sent["is_under_way"], sent["scores"]) == (
        "received",
        True,
        [],
    )
    found = api.get(f"/submissions/{sent['token']}")
    assert (found["is_checked"], found["n_errors"], found["is_under_way"]) == (
        True,
        0,
        False,
    )
    assert QuotaSlot.objects.count() == 0
    with django_capture_on_commit_callbacks(execute=True):
        api.post(f"/submissions/{sent['token']}/submit", system="Moss 2")
    found = api.get(f"/submissions/{sent['token']}")
    assert (found["state"], found["system"]) == ("scored", "Moss 2")
    (score,) = found["scores"]
    assert score["metrics"]["abstract_rationalized_f1"] == score["primary"] == 1.0
    assert score["signature"].startswith("task:scifact_pipeline|")
    assert api.get("/submissions")["items"][0]["state"] == "scored"


def test_checking_and_submitting_in_one_go(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase, api = make_phase(), Api(UserFactory())
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        sent = send(api, phase, submit="true", system="Moss 2", model_size="12 M")
        assert QuotaSlot.objects.count() == 1, "the place is taken at once"
    assert callbacks
    found = api.get(f"/submissions/{sent['token']}")
    assert (found["state"], found["model_size"]) == ("scored", "12 M")
    verbs = Event.objects.filter(noun="submission").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == [
        "receive",
        "submit",
        "queue",
        "begin_scoring",
        "score",
    ]
    api.post(f"/submissions/{sent['token']}/submit", system="Twice")
    assert (api.status, QuotaSlot.objects.count()) == (200, 1)


def test_errors_give_the_place_back(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase, api = make_phase(daily_per_person=1), Api(UserFactory())
    with django_capture_on_commit_callbacks(execute=True):
        sent = send(api, phase, predictions()[:-1], submit="true", system="Moss 2")
    found = api.get(f"/submissions/{sent['token']}")
    assert (found["state"], found["n_errors"]) == ("invalid", 1)
    assert found["errors"] == [
        {
            "file": "predictions.jsonl",
            "line": None,
            "claim_id": 11,
            "message": found["errors"][0]["message"],
        }
    ]
    assert "11" in found["errors"][0]["message"]
    assert QuotaSlot.objects.count() == 0
    send(api, phase, submit="true", system="Moss 2")
    assert api.status == 202


def test_an_exhausted_day_is_429_and_says_when_it_ends(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase, api = make_phase(daily_per_person=1), Api(UserFactory())
    with time_machine.travel(timezone.now().replace(hour=23, minute=59, second=0)):
        send(api, phase, submit="true", system="Moss 2")
        files = StoredFile.objects.count()
        refused = send(api, phase, submit="true", system="Moss 2")
    assert api.status == 429
    assert "00:00 UTC" in refused["message"]
    assert 50 <= int(api.headers["Retry-After"]) <= 60
    assert StoredFile.objects.count() == files, "nothing of a refused upload is kept"
    assert Submission.objects.count() == 1


def test_an_exhausted_phase_is_409() -> None:
    phase, api = make_phase(total_per_person=1), Api(UserFactory())
    send(api, phase, submit="true", system="Moss 2")
    refused = send(api, phase, submit="true", system="Moss 2")
    assert api.status == 409
    assert "1 in all" in refused["message"]
    assert "Retry-After" not in api.headers


def test_a_closed_phase_takes_nothing() -> None:
    phase = make_phase(closes_in=timedelta(minutes=1))
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        api = Api(UserFactory())
        assert "It closed at" in send(api, phase)["message"]
    assert api.status == 409


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"submit": "true"}, "system"),
        ({"submit": "perhaps"}, "submit"),
        ({"team": "7"}, "team"),
        ({"team": str(2**70)}, "team"),
        ({"setting": "closed"}, "setting"),
        ({"paper_url": "javascript:alert(1)"}, "paper_url"),
        ({"file": ""}, "file"),
    ],
)
def test_what_is_wrong_with_the_form_is_said_by_field(
    form: dict[str, str], field: str
) -> None:
    api = Api(UserFactory())
    answer = api.upload(address(make_phase()), **{"file": as_file([]), **form})
    assert (api.status, list(answer["errors"])) == (400, [field])


def test_a_compressed_file_is_scored_like_the_plain_one(
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    content = gzip.compress(as_file(predictions(right=6)).read())
    file = SimpleUploadedFile("predictions.jsonl.gz", content)
    phase, api = make_phase(), Api(UserFactory())
    with django_capture_on_commit_callbacks(execute=True):
        sent = api.upload(address(phase), file=file, submit="true", system="Moss")
    found = api.get(f"/submissions/{sent['token']}")
    assert found["scores"][0]["metrics"]["abstract_rationalized_recall"] == 0.5


@pytest.mark.parametrize("shows", ["overall", "nothing"])
def test_hidden_scores_are_told_as_on_the_pages(shows: str) -> None:
    phase = make_phase(shows=shows)
    person = UserFactory()
    entry = scored(upload(phase, person, predictions(right=6)))
    own = Api(person).get(f"/submissions/{entry.token}")
    assert own["detail"] == shows
    if shows == "nothing":
        assert own["scores"] == []
    else:
        (score,) = own["scores"]
        assert score["primary"] == 0.667
        assert score["metrics"]["abstract_rationalized_f1"] == 0.667
        assert score["intervals"]["abstract_rationalized_f1"]["high"] <= 1
        assert score["counts"] is None
        assert "gold:hidden" in score["signature"]
    organiser: User = phase.benchmark.organisers.get()
    (score,) = Api(organiser).get(f"/submissions/{entry.token}")["scores"]
    assert score["primary"] == pytest.approx(2 / 3)
    with time_machine.travel(timezone.now() + timedelta(days=4)):
        (score,) = Api(person).get(f"/submissions/{entry.token}")["scores"]
    assert score["primary"] == pytest.approx(2 / 3)
    assert score["counts"]


def test_what_others_read_of_an_entry() -> None:
    person = UserFactory(first_name="Ada", last_name="Moss")
    entry = published(upload(make_phase(), person), is_anonymous=True)
    api, other = Api(person), Api(None)
    seen = other.get(f"/submissions/{entry.token}")
    assert (seen["submitter"], seen["file"], seen["is_own"]) == (None, None, False)
    assert seen["scores"][0]["primary"] == 1.0
    assert api.get(f"/submissions/{entry.token}")["submitter"] == "Ada Moss"
    api.post(f"/submissions/{entry.token}/publish", is_anonymous=False)
    assert other.get(f"/submissions/{entry.token}")["submitter"] == "Ada Moss"
    api.post(f"/submissions/{entry.token}/withdraw")
    seen = other.get(f"/submissions/{entry.token}")
    assert (
        seen["standing"],
        seen["scores"],
        seen["description"],
        seen["submitter"],
    ) == (
        "withdrawn",
        [],
        "",
        None,
    )
    assert api.get(f"/submissions/{entry.token}")["scores"] != []
    api.post(f"/submissions/{entry.token}/publish")
    assert api.status == 409


def test_the_board_of_a_phase_is_that_of_its_page() -> None:
    phase = make_phase()
    best = published(upload(phase, UserFactory(first_name="Ada", last_name="Moss")))
    half = published(
        upload(phase, UserFactory(), predictions(right=6)), is_anonymous=True
    )
    root = f"/benchmarks/{phase.benchmark.slug}/phases/1/board"
    api = Api(None)
    board = api.get(root)
    first, second = board["entries"]
    assert (first["token"], first["place"], first["by"]) == (best.token, 1, "Ada Moss")
    assert first["metrics"]["abstract_rationalized_f1"]["value"] == 1.0
    assert (second["token"], second["by"], second["behind"]) == (
        half.token,
        "anonymous",
        "",
    )
    place = {"slug": phase.benchmark.slug, "number": 1}
    page = api.client.get(reverse("verification:board_json", kwargs=place)).json()
    closes_at = page["phase"].pop("closes_at")
    assert closes_at[:19] == board["phase"].pop("closes_at")[:19]
    assert board == page
    turned = api.get(root, sort=SCORING.primary_metric, order="asc")["entries"]
    assert [entry["token"] for entry in turned] == [half.token, best.token]
    assert list(api.get(root, order="up")["errors"]) == ["order"]


def test_addresses_that_tell_who_it_is_come_with_the_name() -> None:
    metadata = Metadata(system="Moss", code_url="https://example.org/ada")
    person = UserFactory()
    entry = scored(upload(make_phase(), person), metadata)
    Api(person).post(f"/submissions/{entry.token}/publish", is_anonymous=True)
    assert Api(None).get(f"/submissions/{entry.token}")["code_url"] == ""
    assert Api(person).get(f"/submissions/{entry.token}")["code_url"]
    Api(person).post(f"/submissions/{entry.token}/publish", is_anonymous=False)
    assert Api(None).get(f"/submissions/{entry.token}")["code_url"]


def test_teams_share_what_they_submit() -> None:
    one, other = UserFactory(), UserFactory()
    team = Team.objects.create(name="Mossy")
    team.members.add(one, other)
    phase = make_phase()
    send(Api(one), phase, team=str(team.pk))
    (listed,) = Api(other).get("/submissions")["items"]
    assert Api(other).get(f"/submissions/{listed['token']}")["team"] == "Mossy"
    assert Api(UserFactory()).get("/submissions")["items"] == []


def test_submissions_come_in_pages_with_as_many_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    phase, person = make_phase(), UserFactory()
    tokens = [upload(phase, person).token for _ in range(5)]
    api = Api(person)
    api.get("/me")
    with django_assert_num_queries(2):
        page = api.get("/submissions", size=3)
    rest = api.get(page["next"].split("/api/v1")[1])
    assert [row["token"] for row in page["items"] + rest["items"]] == tokens
    assert rest["next"] is None


def test_private_benchmarks_are_unknown_to_others() -> None:
    phase = make_phase(make_benchmark(visibility="private"))
    api = Api(UserFactory())
    assert api.get("/benchmarks")["items"] == []
    send(api, phase)
    assert api.status == 404
    organiser = Api(phase.benchmark.organisers.get())
    assert [b["slug"] for b in organiser.get("/benchmarks")["items"]] == [
        "moss-and-rain"
    ]


@pytest.mark.parametrize("scopes", [["read"], ["write", "import", "admin"]])
def test_uploading_needs_its_own_scope(scopes: list[str]) -> None:
    api = Api(UserFactory(), scopes)
    assert "“submit”" in send(api, make_phase())["message"]
    assert api.status == 403


@pytest.mark.parametrize("number", ["0", "99", str(2**80)])
def test_a_phase_that_does_not_exist_is_404(number: str) -> None:
    slug = make_phase().benchmark.slug
    api = Api(UserFactory())
    api.upload(f"/benchmarks/{slug}/phases/{number}/submissions", file=as_file([]))
    assert api.status == 404
