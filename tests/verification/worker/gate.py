"""Holds a worker after each stage, until the file of that stage is there.

Loaded by workers of tests only: a kill then meets them where the test wants it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.processes import wait_until
from verification.services.check_leases import save_stage
from verification.worker import answering

FOLDER = "CLAIMDESK_TEST_GATES"


def save_and_wait(**values: Any) -> None:
    """Write the stage, say so, and wait."""
    save_stage(**values)
    gate = Path(os.environ[FOLDER]) / str(values["state"])
    gate.with_suffix(".reached").touch()
    wait_until(gate.exists, f"the gate {gate.name}")


vars(answering).update(save_stage=save_and_wait)
