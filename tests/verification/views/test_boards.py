"""The board: who sees what of whom, sorted, downloaded, in constant queries."""

from __future__ import annotations

import csv
import html
import io
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from corpus.models import User
from tests.factories import UserFactory
from tests.verification.board import (
    gold_lines,
    make_benchmark,
    make_phase,
    predictions,
)
from tests.verification.entries import METRIC, add_score, make_entry
from verification.models import Comparison, Phase, Submission, Team
from verification.scoring.signature import VERSION

pytestmark = pytest.mark.django_db
HOSTILE = "=cmd|'/c calc'!A1<img src=x>"


@pytest.fixture
def person(client: Client) -> User:
    """Somebody who is signed in and organises nothing."""
    user: User = UserFactory()
    client.force_login(user)
    return user


def _at(phase: Phase, suffix: str = "/", **query: str) -> str:
    words = "&".join(f"{key}={value}" for key, value in query.items())
    address = f"/benchmarks/{phase.benchmark.slug}/phases/{phase.number}/board{suffix}"
    return f"{address}?{words}" if words else address


def _text(client: Client, phase: Phase, **query: str) -> str:
    response = client.get(_at(phase, **query))
    assert response.status_code == 200
    return response.content.decode()


def _json(client: Client, phase: Phase, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(_at(phase, ".json", **query)).json()
    return found


def _csv(client: Client, phase: Phase) -> list[dict[str, str]]:
    text = client.get(_at(phase, ".csv")).content.decode()
    return list(csv.DictReader(io.StringIO(text)))


def _systems(client: Client, phase: Phase, **query: str) -> list[str]:
    return [entry["system"] for entry in _json(client, phase, **query)["entries"]]


def test_an_open_board_shows_every_measure_with_its_interval(client: Client) -> None:
    phase = make_phase()
    make_entry(phase, 2 / 3, system="Moss 2", model_size="12 M")
    text = _text(client, phase)
    assert "66.67" in text
    assert "54.32–76.54" in text
    assert "cd-board-bar" in text
    assert "sentence label recall" in text
    assert "sha256-0123456789abcdef" in text
    (entry,) = _json(client, phase)["entries"]
    assert entry["metrics"][METRIC]["value"] == 2 / 3
    assert entry["n_claims"] == 12
    assert entry["place"] == 1


def test_the_board_opens_with_the_first_phase_whose_scores_are_shown(
    client: Client,
) -> None:
    benchmark = make_benchmark()
    address = f"/benchmarks/{benchmark.slug}/board/"
    assert "No phase yet" in client.get(address).content.decode()
    blind = make_phase(benchmark, shows="nothing")
    make_entry(blind, system="Blind moss")
    assert "Blind moss" in client.get(address).content.decode()
    make_phase(benchmark, shows="nothing")
    assert "No entry yet" in client.get(address).content.decode()
    dev = make_phase(benchmark)
    make_entry(dev, system="Dev moss")
    assert "Dev moss" in client.get(address).content.decode()
    assert client.post(address).status_code == 405


def test_columns_sort_by_links_and_tombstones_come_last(client: Client) -> None:
    phase = make_phase()
    make_entry(phase, 0.2, system="low")
    make_entry(phase, 0.9, system="high")
    make_entry(phase, None, system="undefined")
    make_entry(phase, 0.99, system="gone", standing="withdrawn")
    assert _systems(client, phase) == ["high", "low", "gone", "undefined"]
    up = {"sort": METRIC, "order": "asc"}
    assert _systems(client, phase, **up) == ["low", "high", "gone", "undefined"]
    by_name = _systems(client, phase, sort="system")
    assert by_name == ["gone", "high", "low", "undefined"]
    assert _systems(client, phase, sort="nonsense", order="x")[0] == "high"
    text = _text(client, phase)
    assert f"?sort={METRIC}&amp;order=asc" in text
    assert text.count('aria-sort="descending"') == 1


def test_tombstones_say_why_and_show_no_score(client: Client) -> None:
    phase = make_phase()
    make_entry(
        phase,
        0.98765,
        system="Trained on it",
        standing="disqualified",
        reason="It was trained on the test set.",
        submitter=UserFactory(first_name="Wilhelmina", last_name="Hidden"),
    )
    text = _text(client, phase)
    assert "It was trained on the test set." in text
    assert "disqualified" in text
    assert "98.77" not in text
    assert "Wilhelmina" not in text
    assert _json(client, phase)["entries"][0]["metrics"] == {}


def test_a_blind_board_lists_entries_without_scores_by_name(
    client: Client, person: User
) -> None:
    phase = make_phase(shows="nothing")
    make_entry(phase, 0.3, system="Algae")
    make_entry(phase, 0.9, system="Zinnia", submitter=person)
    text = _text(client, phase, sort=METRIC, order="desc")
    assert "Scores are blind until" in text
    assert f"{phase.closes_at:%Y-%m-%d %H:%M} UTC" in text
    assert text.index("Algae") < text.index("Zinnia")
    for secret in ("90.00", "0.9", "sha256", "54.32", "recall", "Place"):
        assert secret not in text.replace("0.9rem", "")
    for entry in _json(client, phase)["entries"]:
        assert (entry["metrics"], entry["place"], entry["signature"]) == ({}, None, "")
    assert _json(client, phase)["shows"] == "nothing"


def test_a_blind_board_is_open_after_its_close_and_for_organisers(
    client: Client,
) -> None:
    phase = make_phase(shows="nothing")
    make_entry(phase, 2 / 3)
    assert "66.67" not in _text(client, phase)
    with time_machine.travel(timezone.now() + timedelta(days=4)):
        assert "66.67" in _text(client, phase)
    client.force_login(phase.benchmark.organisers.get())
    text = _text(client, phase)
    assert "66.67" in text
    assert "You organise this benchmark" in text


def test_hidden_gold_shows_one_decimal_and_equal_scores_share_a_place(
    client: Client,
) -> None:
    """The better of two that round alike stands second: its name comes later."""
    phase = make_phase(shows="overall")
    slices = {"label:SUPPORT": {"n_claims": 20, "metrics": {METRIC: 0.123}}}
    counts = {"predicted_abstracts": 9, "unjudged_abstracts": 7, "slices": slices}
    make_entry(phase, 0.66666, system="Algae", score=counts)
    make_entry(phase, 0.66712, system="Zinnia", score=counts)
    found = _json(client, phase, slice="label:SUPPORT")
    assert found["slice"] is None
    for entry in found["entries"]:
        assert entry["metrics"][METRIC]["value"] == 0.667
        assert entry["metrics"][METRIC]["low"] in {0.543, 0.544}
        assert entry["place"] == 1
        assert entry["tie"] is None
        assert entry["unjudged_abstracts"] is None
        assert "gold:hidden" in entry["signature"]
    assert [entry["system"] for entry in found["entries"]] == ["Algae", "Zinnia"]
    text = _text(client, phase)
    assert "66.7" in text
    assert "66.67" not in text
    assert "label:SUPPORT" not in text
    assert "7 (78%)" not in text


def test_an_open_board_offers_slices_and_shows_unjudged(client: Client) -> None:
    phase = make_phase()
    slices = {
        "label:SUPPORT": {"n_claims": 20, "metrics": {METRIC: 0.125, "x": None}},
        "kind:composed": {"n_claims": 31, "metrics": {METRIC: 0.75}},
    }
    counts = {"predicted_abstracts": 9, "unjudged_abstracts": 7}
    make_entry(phase, 0.5, system="a", score=counts | {"slices": slices})
    make_entry(phase, 0.6, system="b", score=counts)
    text = _text(client, phase)
    assert "7 (78%)" in text
    assert '<option value="kind:composed"' in text
    found = _json(client, phase, slice="label:SUPPORT")
    one, other = found["entries"]
    assert found["slice"] == "label:SUPPORT"
    assert one["metrics"][METRIC] == {"value": 0.125, "low": None, "high": None}
    assert (one["n_claims"], other["n_claims"]) == (20, None)
    assert "12.50" in _text(client, phase, slice="label:SUPPORT")


def test_nothing_tells_who_an_anonymous_entry_is_from(client: Client) -> None:
    phase = make_phase()
    submitter = UserFactory(
        first_name="Wilhelmina", last_name="Hidden", username="whidden"
    )
    member = UserFactory(first_name="Quentin", last_name="Secret", username="qsecret")
    team = Team.objects.create(name="Fernwood lab")
    team.members.add(submitter, member)
    make_entry(
        phase,
        submitter=submitter,
        team=team,
        is_anonymous=True,
        paper_url="https://fernwood.example/paper",
        code_url="https://fernwood.example/code",
    )
    secrets = ("Wilhelmina", "whidden", "Quentin", "qsecret", "ernwood", team.token)
    for suffix in ("/", ".csv", ".json"):
        text = client.get(_at(phase, suffix)).content.decode()
        assert "anonymous" in text
        assert [secret for secret in secrets if secret in text] == []
    client.force_login(phase.benchmark.organisers.get())
    assert "Fernwood lab" in _text(client, phase)
    assert _csv(client, phase)[0]["behind"] == "Fernwood lab"


def test_a_named_entry_shows_the_team_or_else_the_person(client: Client) -> None:
    phase = make_phase()
    person = UserFactory(first_name="Ada", last_name="Fern")
    team = Team.objects.create(name="Fernwood lab")
    make_entry(phase, 0.9, submitter=person, team=team)
    make_entry(phase, 0.8, submitter=person)
    entries = _json(client, phase)["entries"]
    assert [entry["by"] for entry in entries] == ["Fernwood lab", "Ada Fern"]


def test_ties_are_told_in_words(client: Client) -> None:
    phase = make_phase()
    best, tied, behind, _ = (
        make_entry(phase, value, system=f"s{value}") for value in (0.9, 0.8, 0.5, 0.4)
    )
    make_entry(phase, 1.0, system="oracle", is_baseline=True)
    _compare(best, tied, 0.2)
    _compare(best, behind, 0.01)
    found = {e["system"]: e["tie"] for e in _json(client, phase)["entries"]}
    assert found == {
        "oracle": "not compared yet",
        "s0.9": "first place",
        "s0.8": "not distinguishable from first place",
        "s0.5": "below first place",
        "s0.4": "not compared yet",
    }
    assert "not distinguishable from first place" in _text(client, phase)


def _compare(first: Submission, second: Submission, p_value: float) -> None:
    Comparison.objects.create(
        first=first.scores.get(),
        second=second.scores.get(),
        metric=METRIC,
        observed=0.1,
        low=-0.1,
        high=0.3,
        p_value=p_value,
    )


def test_an_entry_is_cited_with_its_signature(client: Client) -> None:
    phase = make_phase()
    person = UserFactory(first_name="Ada", last_name="Fern & Moss")
    entry = make_entry(phase, 2 / 3, system="Moss_2", submitter=person)
    text = _cited(client, phase, entry)
    assert r"author = {{Ada Fern \& Moss}}" in text
    assert f"url = {{http://testserver/submissions/{entry.token}/}}" in text
    assert r"Moss\_2 & 66.67 & 54.32–76.54 & 50.00 \\ % task:scifact_pipeline|" in text


def test_citing_tells_no_more_than_the_board(client: Client) -> None:
    phase = make_phase(shows="nothing")
    person = UserFactory(first_name="Wilhelmina", last_name="Hidden")
    entry = make_entry(phase, 2 / 3, is_anonymous=True, submitter=person)
    gone = make_entry(phase, 2 / 3, standing="withdrawn")
    text = _cited(client, phase, entry)
    assert "author = {{anonymous}}" in text
    for secret in ("Wilhelmina", "66.67", "LaTeX row", "sha256"):
        assert secret not in text
    assert client.get(_at(phase, f"/{gone.token}/")).status_code == 404
    assert client.get(_at(phase, "/nothing/")).status_code == 404


def _cited(client: Client, phase: Phase, entry: Submission) -> str:
    response = client.get(_at(phase, f"/{entry.token}/"))
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def test_the_scorer_is_one_file_that_scores_as_the_site_does(
    client: Client, tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path
    first, second = (client.get("/benchmarks/scorer.pyz") for _ in range(2))
    content = b"".join(first)
    assert content == b"".join(second)
    assert [p.name[0] for p in (tmp_path / "scorer").iterdir()] == ["c"]
    (tmp_path / "scorer.pyz").write_bytes(content)
    gold = [json.dumps(line) for line in gold_lines()]
    (tmp_path / "gold.jsonl").write_text("\n".join(gold))
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, predictions(6))))
    files = ["--gold", "gold.jsonl", "--predictions", "p.jsonl"]
    task = ["--task", "scifact_pipeline", "--json"]
    result = subprocess.run(
        [sys.executable, "scorer.pyz", "score", *task, *files],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    found = json.loads(result.stdout)
    assert found["metrics"][METRIC] == pytest.approx(2 / 3)
    assert f"scorer:{VERSION}" in found["signature"]


def test_an_earlier_score_is_kept_and_both_are_shown(client: Client) -> None:
    phase = make_phase()
    entry = make_entry(phase, 0.25)
    add_score(entry, 0.75, scorer_version="1.1")
    text = _text(client, phase)
    assert "75.00" in text
    assert "scorer 1.0, earlier: 25.00" in text


def test_the_table_runs_no_formula_and_the_page_no_markup(client: Client) -> None:
    phase = make_phase()
    person = UserFactory(first_name=HOSTILE, last_name="")
    make_entry(phase, system=HOSTILE, model_size="+1", submitter=person)
    (row,) = _csv(client, phase)
    assert row["system"] == f"'{HOSTILE}"
    assert row["model_size"] == "'+1"
    assert "<img" not in _text(client, phase)


@pytest.mark.parametrize("suffix", ["/", ".csv", ".json"])
def test_the_number_of_queries_does_not_grow(
    client: Client,
    person: User,
    suffix: str,
) -> None:
    phase = make_phase()
    team = Team.objects.create(name="Fernwood lab")
    counts = []
    for n_entries in (3, 197):
        for number in range(n_entries):
            make_entry(
                phase,
                number / 200,
                submitter=person,
                team=team if number % 2 else None,
                system=f"s{number}",
            )
        with CaptureQueriesContext(connection) as counted:
            assert client.get(_at(phase, suffix)).status_code == 200
        counts.append(len(counted))
    assert counts[0] == counts[1]
