"""``manage.py train``: what it learns from, what it leaves, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from pytest_django import Settings

from annotation.models import Claim
from tests.annotation import transfers
from tests.annotation.transfers import Outcome, claim, document, entry, write_lines
from tests.factories import UserFactory
from tests.verification.board import make_gold_set
from tests.verification.pipeline.worlds import model_system
from verification.installed_systems import installed_system, systems_folder
from verification.pipeline import training
from verification.pipeline.further import TooLittleError, require_enough
from verification.pipeline.systems import System
from verification.pipeline.trained_on import FILE, TrainedOn, read_trained_on
from verification.pipeline.training import Plan
from verification.pipeline.training_data import Example

pytestmark = pytest.mark.django_db

N = 36
TEXTS = [f"Tea number {n} shortens sleep." for n in range(N)]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Path:
    """An installed system with random weights that has learned from one claim."""
    settings.DATA_DIR = tmp_path
    made = model_system(tmp_path, monkeypatch)
    monkeypatch.setattr(training, "checked_base", lambda: tmp_path / "encoder")
    folder = systems_folder() / "base"
    folder.parent.mkdir()
    made.rename(folder)
    TrainedOn.of(["An old claim."], ["old"]).write(folder)
    return folder


@pytest.fixture
def work(tmp_path: Path) -> None:
    """Claims on abstracts of their own, half of which each label has."""
    documents = [document(n, "Tea.", "Rice.") for n in range(1, N + 1)]
    transfers.import_corpus(write_lines(tmp_path / "corpus.jsonl", *documents))
    lines = [
        claim(
            n,
            text,
            {str(n + 1): [entry(n % 2, label=("SUPPORT", "CONTRADICT")[n % 2])]},
            [n + 1],
        )
        for n, text in enumerate(TEXTS)
    ]
    transfers.import_claims(write_lines(tmp_path / "claims.jsonl", *lines))


def train(task: str, *more: str, name: str = "mine") -> Outcome:
    names = ("--project", "Claims", "--name", name, "--base", "base")
    usual = ("--epochs", "1", "--device", "cpu", "--precision", "fp32")
    return transfers.run("train", task, *names, *usual, *more)


def test_a_new_label_part_comes_with_the_rest_of_its_base(
    base: Path, work: None
) -> None:
    outcome = train("label")
    assert outcome.code == 0, outcome.message
    counts = outcome.counts
    assert (counts["system"], counts["claims"]) == ("mine", N)
    assert counts["left_out_as_hidden_gold"] == 0
    assert 0 < counts["held_out"] < counts["examples"]
    folder = installed_system("mine").folder
    before, after = (
        json.loads((path / "system.json").read_text()) for path in (base, folder)
    )
    assert after["rationale"]["sha256"] == before["rationale"]["sha256"]
    assert after["label"]["sha256"] != before["label"]["sha256"]
    assert (after["retrieval"], after["settings"]) == (
        before["retrieval"],
        before["settings"],
    )
    assert not list(systems_folder().glob(".*"))  # no draft is left
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "approved claims of the project Claims" in card
    assert "manage.py train label" in card
    system = System.load(str(folder), device="cpu", precision="fp32")
    assert system.predictor  # the files are what their checksums say
    assert system.selector


def test_a_new_rationale_part_has_its_own_threshold(base: Path, work: None) -> None:
    assert train("rationale", "--from-scratch").code == 0
    values = json.loads((installed_system("mine").folder / "system.json").read_text())
    assert "combination" not in values["rationale"]
    assert values["settings"]["threshold"] != 0.4
    assert values["settings"]["k"] == 3


def test_hidden_gold_is_left_out_and_not_named_as_learned(work: None) -> None:
    hidden = [
        {"id": n, "claim": TEXTS[n].upper(), "evidence": {}, "cited_doc_ids": [1]}
        for n in range(5)
    ]
    owner = UserFactory()
    make_gold_set(owner, lines=hidden)
    open_to_all = [hidden[0] | {"claim": TEXTS[7]}]
    make_gold_set(owner, is_hidden=False, lines=open_to_all)
    counts = train("label").counts
    assert (counts["claims"], counts["left_out_as_hidden_gold"]) == (N - 5, 5)
    folder = installed_system("mine").folder
    known = read_trained_on(folder, json.loads((folder / "system.json").read_text()))
    assert known is not None
    assert known.count(TEXTS) == N - 5
    assert known.count(["An old claim."]) == 1
    assert {"old", str(N)} <= known.documents
    assert "Tea" not in (folder / FILE).read_text(encoding="utf-8")


def test_only_approved_claims_teach(work: None) -> None:
    waiting = Claim.objects.filter(external_id__in=["0", "1", "2"])
    waiting.update(state=Claim.State.SUBMITTED)
    assert train("label").counts["claims"] == N - 3


def test_too_little_work_says_how_much_is_needed(work: None) -> None:
    Claim.objects.filter(position__gt=7).update(state=Claim.State.SUBMITTED)
    outcome = train("label")
    assert outcome.code == 2
    assert "at least 20 are needed" in outcome.message
    assert not (systems_folder() / "mine").exists()


def test_work_with_one_answer_teaches_nothing() -> None:
    found = [Example(str(n), text, "Tea.", "SUPPORT") for n, text in enumerate(TEXTS)]
    with pytest.raises(TooLittleError, match="to learn from has one answer only"):
        require_enough(found, Plan("label", (1,)))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--name", "../x"), "use a-z"),
        (("--name", "base"), "a system base already"),
        (("--name", "starter"), "a system starter already"),
        (("--base", "none"), "no system none"),
        (("--project", "Nothing"), "no project"),
        (("--epochs", "0"), "1 or more"),
    ],
)
def test_wrong_arguments_are_explained(
    work: None, more: tuple[str, str], words: str
) -> None:
    outcome = train("label", *more)
    assert (outcome.code, words in outcome.message) == (2, True)
