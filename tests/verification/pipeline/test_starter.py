"""The shipped starter: real weights on invented abstracts."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from corpus.records import Claim, Document, ExternalId, Label
from scripts.train_starter import LIMIT_BYTES
from verification.pipeline.stages import Judged
from verification.pipeline.systems import STARTER, System

TRIAL = Document(
    ExternalId("1"),
    "Drops of barley oil and the pressure of the eye",
    (
        "High pressure in the eye harms the optic nerve.",
        "We gave drops of barley oil or of saline to 240 adults for twelve weeks.",
        "Pressure in the eye fell by 4 mm Hg with barley oil and did not change with "
        "saline.",
        "Two people in each group had red eyes.",
    ),
)
OTHERS = tuple(
    Document(ExternalId(str(n)), title, sentences)
    for n, (title, sentences) in enumerate(
        (
            (
                "Night buses and the sleep of drivers",
                (
                    "Drivers of night buses were asked to keep a diary.",
                    "They slept 70 minutes less than their colleagues by day.",
                ),
            ),
            (
                "Moss on roofs cools schools",
                (
                    "Roofs of 14 schools were planted with moss.",
                    "Rooms below were two degrees cooler in July.",
                ),
            ),
        ),
        2,
    )
)


@pytest.fixture(scope="module")
def starter() -> System:
    return System.load("starter", device="cpu", precision="fp32")


def judged(system: System, indexes: Path, text: str) -> list[Judged]:
    documents = {d.id.text: d for d in (TRIAL, *OTHERS)}
    claim = Claim(ExternalId("9"), text, is_labelled=False)
    return system.pipeline(documents, indexes).judge(claim)


@pytest.mark.parametrize(
    ("claim", "document", "sentence", "label"),
    [
        ("Moss on roofs makes rooms cooler.", "3", 1, Label.SUPPORT),
        ("Barley oil drops raise pressure in the eye.", "1", 2, Label.CONTRADICT),
    ],
)
def test_it_reads_what_a_study_found(
    starter: System,
    tmp_path: Path,
    claim: str,
    document: str,
    sentence: int,
    label: Label,
) -> None:
    best = judged(starter, tmp_path, claim)[0]
    assert best.document.id.text == document
    assert best.sentences == (sentence,)
    assert best.label is label


def test_what_no_abstract_says_is_not_enough_information(
    starter: System, tmp_path: Path
) -> None:
    found = judged(starter, tmp_path, "Barley oil drops cure hay fever.")
    assert {entry.label for entry in found} == {Label.NOT_ENOUGH_INFO}


def test_its_files_are_small_and_those_that_it_names() -> None:
    values = json.loads((STARTER / "system.json").read_text(encoding="utf-8"))
    card = (STARTER / "README.md").read_text(encoding="utf-8")
    for part in ("rationale", "label"):
        data = (STARTER / values[part]["model"]).read_bytes()
        assert sha256(data).hexdigest() == values[part]["sha256"]
        assert values[part]["sha256"] in card
    assert sum(path.stat().st_size for path in STARTER.iterdir()) <= LIMIT_BYTES
