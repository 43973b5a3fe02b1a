"""Large gold is checked by a job; what it refuses stands in the form again."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from corpus.job_runner import execute_job
from corpus.models import Job, StoredFile, User
from tests.factories import UserFactory
from tests.verification.board import as_file, corpus_lines, gold_lines, make_benchmark
from verification.models import Benchmark, GoldSet
from verification.services import gold_jobs
from verification.services.benchmarks import remove_organiser

pytestmark = pytest.mark.django_db

NEW = "/benchmarks/new/scifact_pipeline/"
WORDS = {
    "name": "Moss and rain",
    "visibility": "public",
    "profile": "verisci",
    "setting": "open",
    "primary_metric": "sentence_label_f1",
    "split": "test",
    "is_hidden": "yes",
}


@pytest.fixture(autouse=True)
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gold_jobs, "AT_ONCE", 100)


@pytest.fixture
def organiser() -> User:
    """Somebody with an account."""
    user: User = UserFactory()
    return user


@pytest.fixture
def client(client: Client, organiser: User) -> Client:
    """The organiser's browser."""
    client.force_login(organiser)
    return client


def _after_the_job(client: Client, answer: Any) -> Any:
    """Do the job that a form has begun, and go where its page leads."""
    job = Job.objects.get(kind="check_gold")
    assert answer.url == f"/jobs/{job.token}/"
    assert not GoldSet.objects.filter(gold__name="gold.jsonl").exists()
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    return client.get(job.result["redirect"])


def _files(**more: Any) -> dict[str, Any]:
    return {
        "gold": as_file(gold_lines(), "gold.jsonl"),
        "corpus": as_file(corpus_lines(), "corpus.jsonl"),
        **more,
    }


def test_a_benchmark_begins_with_large_gold(client: Client, organiser: User) -> None:
    page = _after_the_job(client, client.post(NEW, WORDS | _files()))
    assert page.request["PATH_INFO"] == "/benchmarks/moss-and-rain/phases/new/"
    made = Benchmark.objects.get()
    assert (made.profile, made.primary_metric) == ("verisci", "sentence_label_f1")
    assert made.organisers.get() == organiser
    gold_set = made.gold_sets.get()
    assert (gold_set.n_claims, gold_set.split, gold_set.is_hidden) == (12, "test", True)
    assert gold_set.corpus is not None
    assert gold_set.corpus.name == "corpus.jsonl"
    job = Job.objects.get(kind="check_gold")
    assert job.payload == {}
    form = client.get(f"{NEW}?check={job.token}")
    assert form.status_code == 200
    assert form.context["errors"] == []


def test_what_is_wrong_stands_in_the_form_and_no_file_is_lost(client: Client) -> None:
    lines = gold_lines()
    lines[2]["evidence"] = {"1": [{"sentences": [0], "label": "MAY<b>BE"}]}
    sent = WORDS | _files(gold=as_file(lines, "wrong.jsonl"))
    page = _after_the_job(client, client.post(NEW, sent))
    assert not Benchmark.objects.exists()
    text = page.content.decode()
    assert "1 error was found" in text
    assert "MAY&lt;b&gt;BE" in text
    assert [error.line for error in page.context["errors"]] == [3]
    assert 'value="Moss and rain"' in text
    form = page.context["form"]
    assert form["profile"].value() == "verisci"
    Job.objects.all().delete()
    again = WORDS | {
        "gold": as_file(gold_lines(), "gold.jsonl"),
        "kept_corpus": form["kept_corpus"].value(),
    }
    _after_the_job(client, client.post(NEW, again))
    assert Benchmark.objects.get().gold_sets.get().corpus is not None
    assert StoredFile.objects.filter(name="corpus.jsonl").count() == 1


def test_a_name_that_is_taken_is_told_before_the_check(client: Client) -> None:
    make_benchmark(name="Moss and rain")
    answer = client.post(NEW, WORDS | _files())
    assert "of this name already" in answer.context["form"].errors["__all__"][0]


def test_a_name_that_was_taken_meanwhile_is_told_in_the_form(client: Client) -> None:
    answer = client.post(NEW, WORDS | _files())
    make_benchmark(name="Moss and rain")
    page = _after_the_job(client, answer)
    assert "of this name already" in page.context["form"].errors["__all__"][0]
    assert Benchmark.objects.count() == 1


def test_large_gold_is_added_to_a_benchmark(client: Client, organiser: User) -> None:
    benchmark = make_benchmark(organiser)
    url = f"/benchmarks/{benchmark.slug}/gold/new/"
    sent = _files() | {"is_hidden": "no", "split": "dev"}
    page = _after_the_job(client, client.post(url, sent))
    assert page.request["PATH_INFO"] == f"/benchmarks/{benchmark.slug}/phases/new/"
    added = benchmark.gold_sets.get()
    assert (added.name, added.is_hidden, added.split) == ("gold.jsonl", False, "dev")


def test_wrong_gold_leads_back_to_the_form_of_its_benchmark(
    client: Client, organiser: User
) -> None:
    benchmark = make_benchmark(organiser)
    url = f"/benchmarks/{benchmark.slug}/gold/new/"
    sent = _files(gold=as_file([{"id": 1}], "wrong.jsonl")) | {"is_hidden": "no"}
    page = _after_the_job(client, client.post(url, sent))
    assert page.request["PATH_INFO"] == url
    assert len(page.context["errors"]) == 1
    assert page.context["form"]["is_hidden"].value() == "no"


def test_who_no_longer_organises_adds_no_gold(client: Client, organiser: User) -> None:
    benchmark = make_benchmark(organiser)
    benchmark.organisers.add(UserFactory())
    answer = client.post(
        f"/benchmarks/{benchmark.slug}/gold/new/", _files() | {"is_hidden": "no"}
    )
    remove_organiser(benchmark=benchmark, organiser=organiser, person=organiser)
    assert _after_the_job(client, answer).status_code == 403
    assert not benchmark.gold_sets.exists()


def test_nobody_reads_what_somebody_elses_check_found(client: Client) -> None:
    lines = [{"id": 1, "claim": "Canary", "evidence": {"1": []}}]
    _after_the_job(client, client.post(NEW, WORDS | _files(gold=as_file(lines))))
    token = Job.objects.get().token
    assert client.get(f"{NEW}?check={token}").status_code == 200
    staff = Client()
    staff.force_login(UserFactory(is_staff=True))
    assert staff.get(f"{NEW}?check={token}").status_code == 404
    assert client.get(f"{NEW}?check=nonsense").status_code == 404


def test_small_gold_is_checked_at_once_and_packed_gold_is_not(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gold_jobs, "AT_ONCE", 10**6)
    assert client.post(NEW, WORDS | _files()).url.endswith("/phases/new/")  # type: ignore[attr-defined]
    packed = as_file(gold_lines(), "gold.jsonl.gz", is_packed=True)
    sent = WORDS | {"name": "Packed"} | _files(gold=packed)
    assert client.post(NEW, sent).url.startswith("/jobs/")  # type: ignore[attr-defined]


def test_the_bytes_that_are_read_are_told(client: Client) -> None:
    client.post(NEW, WORDS | _files())
    job = Job.objects.get()
    execute_job(job.pk)
    job.refresh_from_db()
    gold, corpus = (StoredFile.objects.get(name=f"{n}.jsonl").size for n in _files())
    assert job.progress_total == 3 * gold + corpus
    assert job.progress_done == job.progress_total - 1
