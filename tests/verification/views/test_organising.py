"""The pages of organisers: making a benchmark, its phases, and what people read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from corpus.models import StoredFile, User
from tests.factories import UserFactory
from tests.verification.board import (
    as_file,
    gold_lines,
    make_benchmark,
    make_gold_set,
    make_phase,
)
from verification.models import Benchmark, GoldSet, Phase
from verification.services.phases import add_phase

pytestmark = pytest.mark.django_db
NEW = "/benchmarks/new/scifact_pipeline/"
WORDS = {
    "name": "Moss and rain",
    "description": "Claims on moss.",
    "visibility": "public",
    "profile": "leaderboard",
    "setting": "open",
    "primary_metric": "sentence_label_f1",
    "is_hidden": "yes",
    "split": "test",
}


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


@pytest.fixture
def benchmark(organiser: User) -> Benchmark:
    """A benchmark with one hidden gold set."""
    made = make_benchmark(organiser)
    make_gold_set(organiser, benchmark=made)
    return made


def test_tasks_are_chosen_in_plain_words(client: Client) -> None:
    page = client.get("/benchmarks/new/").content.decode()
    assert "Whole pipeline, SciFact" in page
    assert NEW in page


def test_anybody_with_an_account_makes_a_benchmark(
    client: Client, organiser: User
) -> None:
    response = client.post(NEW, WORDS | {"gold": as_file(gold_lines(), "gold.jsonl")})
    assert response.url == "/benchmarks/moss-and-rain/phases/new/"  # type: ignore[attr-defined]
    made = Benchmark.objects.get()
    assert made.primary_metric == "sentence_label_f1"
    assert made.organisers.get() == organiser
    assert made.gold_sets.get().split == "test"


def test_the_measures_are_those_of_the_task(client: Client) -> None:
    page = client.get("/benchmarks/new/core/").content.decode()
    assert "per_class_f1.ENTAIL" in page
    assert "sentence_label_f1" not in page
    answer = client.post("/benchmarks/new/core/", WORDS)
    assert "primary_metric" in answer.context["form"].errors


def test_wrong_gold_is_told_line_by_line_and_nothing_is_lost(client: Client) -> None:
    lines = gold_lines()
    lines[2]["evidence"] = {"1": [{"sentences": [-1], "label": "MAYBE"}]}
    lines[7]["id"] = "<b>6</b>" * 100
    sent = WORDS | {
        "gold": as_file(lines, "wrong & gold.jsonl"),
        "corpus": as_file([{"doc_id": 1, "title": "T", "abstract": ["A."]}], "c.jsonl"),
    }
    answer = client.post(NEW, sent)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert not Benchmark.objects.exists()
    assert {error.line for error in answer.context["errors"]} == {3, 8}
    assert "wrong &amp; gold.jsonl" in page
    assert "c.jsonl" in page
    assert 'value="Moss and rain"' in page
    # The corrected gold alone is sent again: the corpus is still there.
    form = answer.context["form"]
    again = WORDS | {
        "gold": as_file(gold_lines(), "gold.jsonl"),
        "kept_corpus": form["kept_corpus"].value(),
    }
    assert client.post(NEW, again).status_code == 302
    corpus = GoldSet.objects.get().corpus
    assert corpus is not None
    assert corpus.name == "c.jsonl"


def test_files_stay_while_another_field_is_corrected(client: Client) -> None:
    sent = WORDS | {"name": "", "gold": as_file(gold_lines(), "gold.jsonl")}
    answer = client.post(NEW, sent)
    token = answer.context["form"]["kept_gold"].value()
    assert token in answer.content.decode()
    assert client.post(NEW, WORDS | {"kept_gold": token}).status_code == 302
    assert StoredFile.objects.filter(name="gold.jsonl").count() == 1


def test_nobody_takes_over_the_files_of_others(client: Client) -> None:
    others = make_gold_set(UserFactory()).gold
    answer = client.post(NEW, WORDS | {"kept_gold": others.token})
    assert answer.context["form"].errors == {"gold": ["Choose the file with the gold."]}


def test_a_file_above_the_limit_is_refused_in_words(
    client: Client, settings: Any
) -> None:
    settings.UPLOAD_LIMIT_BYTES = 50
    answer = client.post(NEW, WORDS | {"gold": as_file(gold_lines(), "gold.jsonl")})
    assert "too large" in answer.context["form"].errors["gold"][0]


def test_another_gold_set_is_uploaded(client: Client, benchmark: Benchmark) -> None:
    url = f"/benchmarks/{benchmark.slug}/gold/new/"
    sent = {"gold": as_file(gold_lines()[:3], "dev.jsonl"), "is_hidden": "no"}
    assert client.post(url, sent).status_code == 302
    added = benchmark.gold_sets.latest("pk")
    assert (added.n_claims, added.is_hidden, added.name) == (3, False, "dev.jsonl")
    wrong = client.post(url, {"gold": as_file([{"id": 1}]), "is_hidden": "no"})
    assert len(wrong.context["errors"]) > 0


# Phases -----------------------------------------------------------------------------


def _phase(benchmark: Benchmark, **values: Any) -> dict[str, Any]:
    return {
        "kind": "blind",
        "name": "Test",
        "gold_set": benchmark.gold_sets.latest("pk").pk,
        "shows": "nothing",
        "daily_per_person": 2,
        "total_per_person": 5,
        "daily_per_team": 2,
        "closes_at": "2099-12-01T23:59",
        "zone": "AoE",
        **values,
    }


def test_a_phase_closes_at_midnight_anywhere_on_earth(
    client: Client, benchmark: Benchmark
) -> None:
    url = f"/benchmarks/{benchmark.slug}/phases/new/"
    assert client.post(url, _phase(benchmark)).status_code == 302
    phase = benchmark.phases.get()
    assert phase.closes_at == datetime(2099, 12, 2, 11, 59, tzinfo=UTC)
    assert timezone.now() - phase.opens_at < timedelta(minutes=1)
    limits = phase.daily_per_person, phase.total_per_person, phase.total_per_team
    assert limits == (2, 5, None)


def test_times_are_read_on_the_chosen_clock(
    client: Client, benchmark: Benchmark
) -> None:
    url = f"/benchmarks/{benchmark.slug}/phases/new/"
    sent = _phase(
        benchmark,
        opens_at="2026-07-01T08:00",
        closes_at="2026-12-01T08:00",
        zone="Europe/Berlin",
    )
    client.post(url, sent)
    phase = benchmark.phases.get()
    assert phase.opens_at == datetime(2026, 7, 1, 6, tzinfo=UTC)
    assert phase.closes_at == datetime(2026, 12, 1, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"closes_at": "2027-03-28T02:30"}, "closes_at", "put forward"),
        ({"closes_at": "2027-10-31T02:30"}, "closes_at", "twice"),
        ({"opens_at": "2027-10-31T02:30"}, "opens_at", "twice"),
        ({"closes_at": "next week"}, "closes_at", "Write a day and a time"),
        ({"closes_at": "9999-12-31T23:59"}, "closes_at", "Write a day and a time"),
        ({"closes_at": "2027-02-30T23:59"}, "closes_at", "Write a day and a time"),
        ({"zone": "Mars/Olympus"}, "zone", "not one of the available choices"),
        ({"shows": "everything"}, "__all__", "give hidden gold away"),
        ({"opens_at": "2100-01-01T00:00"}, "__all__", "before it opens"),
        ({"daily_per_person": "0"}, "daily_per_person", "greater than or equal"),
        ({"daily_per_person": "99999999999"}, "daily_per_person", "less than or"),
        ({"gold_set": "x"}, "gold_set", "not one of the available choices"),
    ],
)
def test_what_is_wrong_with_a_phase_is_told_at_its_field(
    client: Client,
    benchmark: Benchmark,
    values: dict[str, str],
    field: str,
    words: str,
) -> None:
    sent = _phase(benchmark, zone="Europe/Berlin") | values
    answer = client.post(f"/benchmarks/{benchmark.slug}/phases/new/", sent)
    assert words in answer.context["form"].errors[field][0]
    assert not Phase.objects.exists()


def test_limits_change_and_the_change_is_listed(
    client: Client, benchmark: Benchmark
) -> None:
    phase = make_phase(benchmark, shows="nothing")
    url = f"/benchmarks/{benchmark.slug}/phases/1/edit/"
    sent = {
        "name": "Final",
        "shows": "overall",
        "daily_per_person": 3,
        "daily_per_team": 10,
        "total_per_team": 10,
    }
    assert 'value="10"' in client.get(url).content.decode()
    assert client.post(url, sent).status_code == 302
    phase.refresh_from_db()
    assert (phase.name, phase.total_per_person) == ("Final", None)
    page = client.get(f"/benchmarks/{benchmark.slug}/").content.decode()
    assert "was called “Test” before" in page
    assert "submissions a day, each person: 3 instead of 10" in page
    assert "submissions in all, each person: no limit instead of 10" in page
    refused = client.post(url, sent | {"shows": "everything"})
    assert "give hidden gold away" in refused.context["form"].errors["__all__"][0]


def test_a_moved_deadline_is_listed_with_its_reason(
    client: Client, benchmark: Benchmark
) -> None:
    with time_machine.travel(datetime(2026, 11, 1, tzinfo=UTC)):
        phase = make_phase(benchmark, shows="nothing", closes_in=timedelta(days=1.5))
        url = f"/benchmarks/{benchmark.slug}/phases/1/deadline/"
        form = client.get(url).context["form"]
        assert form["closes_at"].value() == "2026-11-02T00:00"
        sent = {"closes_at": "2026-12-01T23:59", "zone": "AoE", "why": "A <b>storm</b>"}
        assert client.post(url, sent).status_code == 302
        page = client.get(f"/benchmarks/{benchmark.slug}/").content.decode()
    phase.refresh_from_db()
    assert phase.closes_at == datetime(2026, 12, 2, 11, 59, tzinfo=UTC)
    assert (
        "moved from 2026-11-02 00:00 AoE (2026-11-02 12:00 UTC) to "
        "2026-12-01 23:59 AoE (2026-12-02 11:59 UTC)"
    ) in page
    assert "A &lt;b&gt;storm&lt;/b&gt;" in page


def test_the_opening_of_a_phase_moves_until_it_has_opened(
    client: Client, benchmark: Benchmark
) -> None:
    made, gold = benchmark, benchmark.gold_sets.get()
    with time_machine.travel(datetime(2026, 11, 1, tzinfo=UTC)):
        add_phase(
            benchmark=made,
            gold_set=gold,
            organiser=made.organisers.get(),
            kind="blind",
            name="Test",
            shows="nothing",
            opens_at=datetime(2026, 11, 5, tzinfo=UTC),
            closes_at=datetime(2026, 11, 9, tzinfo=UTC),
        )
        url = f"/benchmarks/{made.slug}/phases/1/opening/"
        assert url in client.get(f"/benchmarks/{made.slug}/organise/").content.decode()
        form = client.get(url).context["form"]
        assert form["opens_at"].value() == "2026-11-04T12:00"
        sent = {"opens_at": "2026-11-07T00:00", "zone": "UTC", "why": "A <b>storm</b>"}
        assert client.post(url, sent).status_code == 302
        page = client.get(f"/benchmarks/{made.slug}/").content.decode()
    assert (
        "moved from 2026-11-04 12:00 AoE (2026-11-05 00:00 UTC) to "
        "2026-11-06 12:00 AoE (2026-11-07 00:00 UTC)"
    ) in page
    assert "A &lt;b&gt;storm&lt;/b&gt;" in page
    with time_machine.travel(datetime(2026, 11, 8, tzinfo=UTC)):
        page = client.get(f"/benchmarks/{made.slug}/organise/").content.decode()
        assert url not in page
        refused = client.post(url, sent | {"opens_at": "2026-11-08T12:00"})
    assert "opened already" in refused.context["form"].errors["__all__"][0]


def test_a_deadline_without_a_reason_does_not_move(
    client: Client, benchmark: Benchmark
) -> None:
    make_phase(benchmark, shows="nothing")
    url = f"/benchmarks/{benchmark.slug}/phases/1/deadline/"
    answer = client.post(url, {"closes_at": "2099-12-01T23:59", "zone": "UTC"})
    assert "why" in answer.context["form"].errors


# What everybody reads ---------------------------------------------------------------


def test_deadlines_stand_on_three_clocks_with_the_time_left(
    client: Client, organiser: User, benchmark: Benchmark
) -> None:
    organiser.time_zone = "Asia/Tokyo"
    organiser.save()
    now = datetime(2026, 11, 30, 6, 59, tzinfo=UTC)
    with time_machine.travel(now, tick=False):
        make_phase(benchmark, shows="nothing", closes_in=timedelta(days=2, hours=5))
        page = client.get(f"/benchmarks/{benchmark.slug}/").content.decode()
    assert "2026-12-01 23:59 AoE" in page
    assert "2026-12-02 11:59 UTC" in page
    assert "2026-12-02 20:59 Asia/Tokyo" in page
    assert ">2 days 5 h</span> left" in page
    assert 'data-countdown="2026-12-02T' in page


def test_the_reader_sees_what_is_left_of_the_quota(
    client: Client, benchmark: Benchmark
) -> None:
    make_phase(benchmark, shows="nothing", daily_per_person=4)
    page = client.get(f"/benchmarks/{benchmark.slug}/").content.decode()
    assert "Left for you today: 4 of 4" in " ".join(page.split())
    anonymous = Client().get(f"/benchmarks/{benchmark.slug}/").content.decode()
    assert "Left for you" not in anonymous


def test_a_page_takes_as_many_queries_for_many_phases_and_changes(
    client: Client, benchmark: Benchmark
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/benchmarks/{benchmark.slug}/")
        return len(queries)

    make_phase(benchmark, shows="nothing")
    one = queries()
    for _ in range(4):
        make_phase(benchmark, shows="overall")
    assert queries() == one


def test_announcements_are_read_by_everybody(
    client: Client, benchmark: Benchmark
) -> None:
    url = f"/benchmarks/{benchmark.slug}/announce/"
    assert client.post(url, {"text": "The <gold> is mended."}).status_code == 302
    page = Client().get(f"/benchmarks/{benchmark.slug}/").content.decode()
    assert "The &lt;gold&gt; is mended." in page
    assert client.post(url, {"text": "  "}).status_code == 200


def test_organisers_are_added_and_removed(
    client: Client, organiser: User, benchmark: Benchmark
) -> None:
    base, other = f"/benchmarks/{benchmark.slug}/organisers/", UserFactory()
    client.post(f"{base}{organiser.pk}/remove/")
    assert benchmark.organisers.count() == 1
    link = urlsplit(client.post(base).context["link"]).path
    browser = Client()
    assert f"?next={quote(link)}" in browser.get(link).content.decode()
    browser.force_login(other)
    assert f"Organise it as {other}" in browser.get(link).content.decode()
    browser.post(f"{link}accept/")
    assert set(benchmark.organisers.all()) == {organiser, other}
    assert browser.get(link).status_code == 404
    gone = client.post(f"{base}{organiser.pk}/remove/")
    assert gone.url == "/benchmarks/"  # type: ignore[attr-defined]
    assert client.get(f"/benchmarks/{benchmark.slug}/organise/").status_code == 403


def test_words_and_readers_are_changed(client: Client, benchmark: Benchmark) -> None:
    url = f"/benchmarks/{benchmark.slug}/edit/"
    sent = {"name": "Moss", "description": "New.", "visibility": "private"}
    assert client.post(url, sent).status_code == 302
    assert Client().get(f"/benchmarks/{benchmark.slug}/").status_code == 404
    page = client.get(f"/benchmarks/{benchmark.slug}/").content.decode()
    assert "Changed: description, name, visibility." in page
