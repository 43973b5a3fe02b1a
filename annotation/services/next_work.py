"""What a person does next: their own returned work first, then the queue."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.access import ProjectAccess
from annotation.models import Claim, Judgement, Lease, Stage
from annotation.selectors import queue, work
from annotation.services.leases import take_next


@dataclass(frozen=True, slots=True)
class NextWork:
    """Returned work, or an item that is now the person's; else why there is none.

    ``notice`` is empty where the queue simply has nothing.
    """

    returned: Claim | Judgement | None = None
    lease: Lease | None = None
    notice: str = ""


def next_work(access: ProjectAccess, stage: Stage) -> NextWork:
    """Return what the person should do next in a stage, and hand it out."""
    access.require(stage)
    if returned := _returned(access, stage):
        return NextWork(returned=returned)
    lease = take_next(access=access, stage=stage)
    notice = "" if lease else queue.why_nothing(access, stage)
    return NextWork(lease=lease, notice=notice)


def _returned(access: ProjectAccess, stage: Stage) -> Claim | Judgement | None:
    """Claims go back to their writers, and judgements to those who verify."""
    if stage is Stage.WRITE:
        return work.returned_claims(access).first()
    if stage is Stage.VERIFY:
        return work.returned_judgements(access).first()
    return None
