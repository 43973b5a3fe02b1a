"""Hostile files through the upload of the API and the job that checks them.

Each ends in a clear error within seconds, costs nothing of the quota, and leaves the
worker alive with flat memory. What only looks odd is scored like the plain file.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.annotation.api.client import Api
from tests.factories import UserFactory
from tests.processes import Worker, wait_until
from tests.verification.board import METADATA, make_phase, predictions
from verification.models import Phase, QuotaSlot, Submission
from verification.services.submissions import receive

Callbacks = DjangoCaptureOnCommitCallbacks
LINE = '{"id": 0, "evidence": {"1": {"sentences": [0], "label": "SUPPORT"}}%s}'


def plain() -> str:
    """Return predictions that are right for half of the claims."""
    return "".join(json.dumps(line) + "\n" for line in predictions(right=6))


def with_field(text: str) -> bytes:
    return (LINE % f', "note": {text}').encode()


def zeros_gzipped() -> bytes:
    """Return a megabyte that expands to a gigabyte: 64 members of 16 MB of zeros."""
    return gzip.compress(bytes(16 * 1024 * 1024)) * 64


def with_claim(values: dict[str, Any]) -> bytes:
    """Return predictions whose first line has some other values."""
    first, *others = predictions()
    lines = [first | values, *others]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def _right_label(label: object, sentences: object) -> dict[str, Any]:
    return {"evidence": {"1": {"sentences": sentences, "label": label}}}


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "1 GB of zeros, gzipped": (zeros_gzipped, "binary|512 MB"),
    "512 MB of blank lines, gzipped": (
        lambda: gzip.compress(b"\n" * (16 * 1024 * 1024)) * 32,
        "500,000 lines",
    ),
    "30 MB of blank lines": (lambda: b"\n" * 30_000_000, "500,000 lines"),
    "as many wrong lines as are allowed": (
        lambda: gzip.compress(b"{}\n" * 500_000),
        "is missing",
    ),
    "a damaged gzip": (lambda: gzip.compress(plain().encode())[:-9], "damaged or cut"),
    "nesting 100,000 deep": (
        lambda: with_field("[" * 100_000 + "]" * 100_000),
        "nested",
    ),
    "a line of 50 MB": (
        lambda: b'{"id": "' + b"x" * 50_000_000 + b'"}',
        "longer than 1 MB",
    ),
    "a line of 50 MB, gzipped": (
        lambda: gzip.compress(b'{"id": "' + b"x" * 50_000_000 + b'"}'),
        "longer than 1 MB",
    ),
    "NaN": (lambda: with_field("NaN"), "NaN is not a JSON number"),
    "Infinity": (lambda: with_field("Infinity"), "Infinity is not"),
    "a key twice": (lambda: b'{"id": 0, "id": 1, "evidence": {}}', "occurs twice"),
    "UTF-16": (lambda: plain().encode("utf-16"), "UTF-16"),
    "binary": (lambda: bytes(range(128, 256)) * 1000, "not UTF-8"),
    "a workbook": (lambda: b"PK\x03\x04" + bytes(1000), "Excel"),
    "empty": (lambda: b"", "empty"),
    "empty, gzipped": (lambda: gzip.compress(b""), "empty"),
    "another task's file": (lambda: b"idx,label\n0,ENTAIL\n", "not valid JSON"),
    "another task's lines": (
        lambda: b'{"claim_id": 0, "labels": {"1": {"label": "SUPPORT"}}}\n',
        "id is missing",
    ),
    "an id as text": (lambda: with_claim({"id": "0"}), "not in|unknown|missing"),
    "an id as a list": (lambda: with_claim({"id": [0]}), "id"),
    "an id as true": (lambda: with_claim({"id": True}), "id"),
    "an id as 0.0": (lambda: with_claim({"id": 0.0}), "id"),
    "sentences as text": (
        lambda: with_claim(_right_label("SUPPORT", ["0"])),
        "integer expected",
    ),
    "a label as a list": (lambda: with_claim(_right_label([], [0])), "label"),
    "evidence as a list": (lambda: with_claim({"evidence": []}), "evidence"),
}


@pytest.fixture
def api(db: None) -> Api:
    cache.clear()
    return Api(UserFactory())


def send(api: Api, phase: Phase, content: bytes, name: str = "p.jsonl") -> Any:
    """Upload a file that is to be scored."""
    return api.upload(
        f"/benchmarks/{phase.benchmark.slug}/phases/{phase.number}/submissions",
        file=SimpleUploadedFile(name, content),
        submit="true",
        system="Moss",
    )


@pytest.mark.parametrize(("make", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_upload_ends_in_a_clear_error_and_costs_nothing(
    api: Api,
    make: Callable[[], bytes],
    words: str,
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    content, phase = make(), make_phase(daily_per_person=1)
    with django_capture_on_commit_callbacks(execute=True):
        sent = send(api, phase, content)
    found = api.get(f"/submissions/{sent['token']}")
    assert (found["state"], found["is_under_way"]) == ("invalid", False)
    messages = [error["message"] for error in found["errors"]]
    assert any(word in m for word in words.split("|") for m in messages), messages
    assert all(len(message) < 2_000 for message in messages)
    assert QuotaSlot.objects.count() == 0
    assert api.get(f"/jobs/{_job_of(sent['token'])}")["state"] == "done"


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "words"), HOSTILE.values(), ids=HOSTILE)
def test_the_page_of_a_hostile_upload_says_what_is_wrong(
    make: Callable[[], bytes],
    words: str,
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    phase, client = make_phase(), Client()
    client.force_login(UserFactory())
    place = {"slug": phase.benchmark.slug, "number": phase.number}
    with django_capture_on_commit_callbacks(execute=True):
        sent = client.post(
            reverse("verification:new_submission", kwargs=place),
            {"file": SimpleUploadedFile("p.jsonl", make())},
        )
    if sent.status_code == 200:
        # The form says already that the file is empty.
        page = sent.content.decode()
    else:
        page = client.get(sent["Location"]).content.decode()
        assert Submission.objects.get().state == "invalid"
    assert any(word in page for word in words.split("|"))


def _job_of(token: str) -> str:
    job = Submission.objects.get(token=token).job
    assert job is not None
    return job.token


FORMS: dict[str, Callable[[str], bytes]] = {
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "blank lines": lambda text: b"\n\n" + text.replace("\n", "\n\n \n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "U+2028 in a field": lambda text: text.replace(
        '"evidence"', '"note": "one\u2028two", "evidence"'
    ).encode(),
    "HTML in a field": lambda text: text.replace(
        '"evidence"', '"note": "<script>alert(1)</script>", "evidence"'
    ).encode(),
    "lines in another order": lambda text: "\n".join(
        reversed(text.splitlines())
    ).encode(),
}


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_what_only_looks_odd_is_scored_like_the_plain_file(
    form: Callable[[str], bytes], django_capture_on_commit_callbacks: Callbacks
) -> None:
    phase, scores = make_phase(), []
    for content in (plain().encode(), form(plain())):
        api = Api(UserFactory())
        with django_capture_on_commit_callbacks(execute=True):
            sent = send(api, phase, content)
        found = api.get(f"/submissions/{sent['token']}")
        assert (found["state"], found["n_errors"]) == ("scored", 0)
        scores.append({**found["scores"][0], "created_at": None})
    assert scores[0] == scores[1]


HTML = '<img src=x onerror=alert(1)>"\u2028'


def test_html_in_names_and_ids_comes_back_as_text(
    api: Api, django_capture_on_commit_callbacks: Callbacks
) -> None:
    phase = make_phase()
    with django_capture_on_commit_callbacks(execute=True):
        sent = send(api, phase, with_claim({"id": HTML}), name=f"{HTML}.jsonl")
    found = api.get(f"/submissions/{sent['token']}")
    assert api.headers["Content-Type"] == "application/json"
    assert api.headers["X-Content-Type-Options"] == "nosniff"
    assert any(error["claim_id"] == HTML for error in found["errors"])


def test_html_in_every_field_is_text_on_the_pages(
    api: Api, django_capture_on_commit_callbacks: Callbacks
) -> None:
    phase = make_phase()
    about = dict.fromkeys(("system", "description", "external_data"), HTML)
    with django_capture_on_commit_callbacks(execute=True):
        entry = api.upload(
            f"/benchmarks/{phase.benchmark.slug}/phases/1/submissions",
            file=SimpleUploadedFile(f"{HTML}.jsonl", plain().encode()),
            submit="true",
            **about,
        )
        wrong = send(api, phase, with_claim({"id": HTML}), name=f"{HTML}.jsonl")
    api.post(f"/submissions/{entry['token']}/publish")
    client = Client()
    client.force_login(Submission.objects.get(token=wrong["token"]).submitter)
    slug = {"slug": phase.benchmark.slug}
    pages = [
        reverse("verification:submission", kwargs={"token": entry["token"]}),
        reverse("verification:submission", kwargs={"token": wrong["token"]}),
        reverse("verification:board", kwargs=slug),
    ]
    texts = [client.get(page).content.decode() for page in pages]
    assert all("<img src=x" not in text for text in texts)
    assert all("&lt;img src=x" in text for text in texts)


def _peak_memory(worker: Worker) -> int:
    """Return the largest memory in MB that the worker's child ever had."""
    pid = worker.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    peaks = []
    for child in children:
        status = Path(f"/proc/{child}/status").read_text()
        (line,) = [row for row in status.splitlines() if row.startswith("VmHWM")]
        peaks.append(int(line.split()[1]) // 1024)
    return max(peaks)


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_a_real_worker_survives_all_of_them_with_flat_memory(worker: Worker) -> None:
    phase, person = make_phase(daily_per_person=100), UserFactory()

    def check(name: str, content: bytes) -> str:
        file = SimpleUploadedFile(name, content)
        sent = receive(phase=phase, submitter=person, upload=file, metadata=METADATA)

        def is_over() -> bool:
            sent.refresh_from_db()
            return not sent.is_under_way

        wait_until(is_over, f"{name} to be checked", timeout=60)
        return sent.state

    assert check("first.jsonl", plain().encode()) == "scored"
    before = _peak_memory(worker)
    for number, (make, _) in enumerate(HOSTILE.values()):
        assert check(f"{number}.jsonl", make()) == "invalid"
    # A line has at most 1 MB; a thousand times that came along.
    assert _peak_memory(worker) - before < 100, (before, _peak_memory(worker))
    assert check("last.jsonl", plain().encode()) == "scored"
    assert worker.is_running
