"""Rows of installed systems: what they score by hand, and when they are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from corpus.exceptions import DomainError
from corpus.job_runner import execute_job
from corpus.models import Job
from tests.factories import UserFactory
from tests.verification.board import N_CLAIMS, gold_lines, make_phase
from tests.verification.systems import install_system
from tests.verification.task_phases import task_phase
from verification.models import Phase, QuotaSlot, Submission
from verification.pipeline.trained_on import FILE, TrainedOn
from verification.services.system_runs import start_system_run, system_offers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("system")]

OURS = {"kind": "transformer", "model": "l.safetensors", "sha256": "0" * 64}


def run(phase: Phase, name: str = "plain") -> Job:
    organiser = phase.benchmark.organisers.get()
    job = start_system_run(phase=phase, organiser=organiser, name=name)
    execute_job(job.pk)
    job.refresh_from_db()
    return job


def row(phase: Phase, name: str = "plain") -> Submission:
    job = run(phase, name)
    assert job.state == "done", job.error
    return phase.submissions.latest("pk")


def trained_system(name: str, trained_on: TrainedOn | None) -> Path:
    """Install a system whose label predictor has learned from something."""
    folder = install_system(name, label=OURS)
    (folder / "l.safetensors").write_bytes(b"weights")
    if trained_on is not None:
        trained_on.write(folder)
    return folder


@pytest.mark.parametrize(
    ("task", "metric", "expected"),
    [
        # Both abstracts of all twelve claims "support": 4 of 24 do so, of 8.
        ("scifact_pipeline", "abstract_label_only_f1", 0.25),
        ("scifact_label_prediction", "accuracy", 4 / 24),
        # Eight claims have one abstract with evidence, four have two without any.
        ("scifact_label_accuracy_gold_inputs", "accuracy", 4 / 16),
        ("scifact_rationale_selection", "f1", 0),  # the last sentence is in none
        ("scifact_abstract_retrieval", "hit_all", 1),
        ("scifact_open", "F1", 0.25),
        ("checkcovid_label_prediction", "accuracy", 2 / 3),
        # The last of three sentences is right once.
        ("checkcovid_rationale_selection", "sentence_standard.f1", 1 / 3),
    ],
)
def test_a_system_answers_in_the_words_of_each_task(
    task: str, metric: str, expected: float
) -> None:
    score = row(task_phase(task, metric)).scores.get()
    assert score.primary == pytest.approx(expected)


def test_its_row_is_a_baseline_outside_of_quotas_and_stands_once(system: Path) -> None:
    phase = make_phase()
    organiser = phase.benchmark.organisers.get()
    (offer,) = (o for o in system_offers(phase) if o.system.name == "plain")
    entry = row(phase)
    assert entry.system == f"plain ({offer.system.digest[:12]})"
    assert offer.system.digest in entry.description
    assert (entry.is_baseline, entry.standing) == (True, "published")
    assert QuotaSlot.objects.count() == 0
    with pytest.raises(DomainError, match="on the board already"):
        start_system_run(phase=phase, organiser=organiser, name="plain")
    # A system that has changed is another one.
    install_system(settings={"k": 1})
    assert row(phase).system != entry.system
    assert phase.submissions.count() == 2


def test_two_that_were_asked_for_at_once_are_one_row() -> None:
    phase = make_phase()
    organiser = phase.benchmark.organisers.get()
    jobs = [
        start_system_run(phase=phase, organiser=organiser, name="plain")
        for _ in range(2)
    ]
    for job in jobs:
        execute_job(job.pk)
        job.refresh_from_db()
        assert job.state == "done"
    assert phase.submissions.count() == 1


def test_a_second_organiser_is_told_that_it_goes_on() -> None:
    phase = make_phase()
    organiser = phase.benchmark.organisers.get()
    first = start_system_run(phase=phase, organiser=organiser, name="plain")
    again = start_system_run(phase=phase, organiser=organiser, name="plain")
    assert first == again
    with pytest.raises(DomainError, match="it goes on now"):
        start_system_run(phase=phase, organiser=UserFactory(), name="plain")


def test_a_system_that_has_seen_the_gold_is_refused_without_saying_which() -> None:
    phase = make_phase()
    texts = [str(line["claim"]) for line in gold_lines()]
    learned = TrainedOn.of([texts[0].upper(), texts[3], f"{texts[5]} ", "Other."])
    trained_system("learned", learned)
    job = run(phase, "learned")
    assert job.state == "failed"
    assert f"3 of the {N_CLAIMS} claims" in job.error
    assert not any(text in job.error for text in texts)
    assert phase.submissions.count() == 0


def test_weights_without_a_list_of_what_they_learned_from_are_refused() -> None:
    phase = make_phase()
    trained_system("silent", None)
    job = run(phase, "silent")
    assert (job.state, FILE in job.error) == ("failed", True)
    assert phase.submissions.count() == 0


def test_a_phase_without_a_corpus_runs_no_system() -> None:
    phase = make_phase()
    phase.gold_set.corpus = None
    assert system_offers(phase) == []
    organiser = phase.benchmark.organisers.get()
    with pytest.raises(DomainError, match="has a corpus"):
        start_system_run(phase=phase, organiser=organiser, name="plain")
    with pytest.raises(DomainError, match="no system nothing"):
        start_system_run(phase=phase, organiser=organiser, name="nothing")


def test_only_organisers_see_the_systems_and_run_them(client: Client) -> None:
    phase = make_phase()
    address = f"/benchmarks/{phase.benchmark.slug}/phases/1"
    client.force_login(UserFactory())
    assert (
        "Systems of this site" not in client.get(f"{address}/board/").content.decode()
    )
    assert client.post(f"{address}/systems/", {"system": "plain"}).status_code == 403
    client.force_login(phase.benchmark.organisers.get())
    before = client.get(f"{address}/board/").content.decode()
    assert "Run on this phase" in before
    assert client.get(f"{address}/systems/").status_code == 405
    answer = client.post(f"{address}/systems/", {"system": "nothing"}, follow=True)
    assert "There is no system nothing here" in answer.content.decode()
    assert Job.objects.filter(kind="run_system").count() == 0
    client.post(f"{address}/systems/", {"system": "plain"})
    assert Job.objects.filter(kind="run_system").count() == 1
    row(phase)
    page = client.get(f"{address}/board/").content.decode()
    assert "on the board" in page
    buttons = "Run on this phase"
    assert page.count(buttons) == before.count(buttons) - 1
