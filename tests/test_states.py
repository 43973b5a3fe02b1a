"""docs/states.md names every state that the database knows."""

from __future__ import annotations

import re

import pytest

from annotation.models import (
    Claim,
    Disagreement,
    EarlyAnswer,
    Judgement,
    Membership,
    Pair,
    Source,
)
from corpus.models import Job
from tests.paths import REPO
from verification.models import FactCheck, Submission

SECTIONS = re.split(
    r"^## ", (REPO / "docs" / "states.md").read_text(encoding="utf-8"), flags=re.M
)[1:]
TEXTS = {text.partition("\n")[0]: text for text in SECTIONS}


@pytest.mark.parametrize(
    "model",
    [
        Claim,
        Disagreement,
        EarlyAnswer,
        FactCheck,
        Job,
        Judgement,
        Membership,
        Pair,
        Source,
        Submission,
    ],
    ids=lambda m: m.__name__,
)
def test_every_state_is_documented(model: type[Claim]) -> None:
    text = TEXTS[model.__name__]
    missing = [s for s in model.State.values if not re.search(rf"\b{s}\b", text)]
    assert missing == []
