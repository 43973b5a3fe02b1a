"""The worked example of the documentation is what the command prints."""

from __future__ import annotations

import re

from tests.paths import REPO
from tests.verification.scoring.files import request
from verification.scoring.registry import TASK_NAMES
from verification.scoring.service import score
from verification.scoring.table import as_text

GUIDE = (REPO / "docs" / "scoring.md").read_text(encoding="utf-8")


def test_the_worked_example_scores_as_printed() -> None:
    example = GUIDE.split("## A worked example")[1]
    gold, predictions = re.findall(r"```json\n(.*?)```", example, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", example, re.DOTALL)
    asked = request(gold.encode(), predictions.encode())
    assert as_text(score("scifact_pipeline", asked)).startswith(printed)


def test_every_task_is_described_and_has_its_files() -> None:
    for heading in ("## Tasks", "## Files"):
        section = GUIDE.split(f"\n{heading}\n")[1].split("\n## ")[0]
        assert [n for n in TASK_NAMES if f"`{n}`" not in section] == []
