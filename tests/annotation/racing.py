"""One competitor of a race, run as a process of its own.

``python -m tests.annotation.racing STARTING_LINE ACTION PK USER_PK``: gets ready,
says so by a file beside STARTING_LINE, waits for STARTING_LINE to appear, acts, and
prints ``won``, ``won: what`` or ``lost: reason``. Several people, joined by commas, are
processes that this one forks, which spares them the time to load Django.
"""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from annotation.access import ProjectAccess

LIMIT_SECONDS = 240.0


def _approve_claim(pk: int, user_pk: int) -> None:
    from annotation.models import Claim
    from annotation.services.claim_reviews import approve_claim
    from corpus.models import User

    approve_claim(
        claim=Claim.objects.get(pk=pk),
        reviewer=User.objects.get(pk=user_pk),
        expected_version=1,
    )


def _approve_judgement(pk: int, user_pk: int) -> None:
    from annotation.models import Judgement
    from annotation.services.judgement_reviews import approve_judgement
    from corpus.models import User

    approve_judgement(
        judgement=Judgement.objects.get(pk=pk),
        reviewer=User.objects.get(pk=user_pk),
        expected_version=1,
    )


def _judge_pair(pk: int, user_pk: int) -> None:
    from annotation.models import Pair
    from annotation.services.judgements import Answer, submit_judgement
    from corpus.models import User
    from corpus.records import Label

    submit_judgement(
        pair=Pair.objects.get(pk=pk),
        annotator=User.objects.get(pk=user_pk),
        answer=Answer(Label.NOT_ENOUGH_INFO),
        submission_key=uuid.uuid4(),
    )


def _negate_claim(pk: int, user_pk: int) -> None:
    from annotation.models import Claim
    from annotation.services.negations import negate_claim
    from corpus.models import User

    negate_claim(
        original=Claim.objects.get(pk=pk),
        author=User.objects.get(pk=user_pk),
        text=f"Nettle tea worsens knee pain in {user_pk} places.",
        submission_key=uuid.uuid4(),
    )


def _take_pair(project_pk: int, user_pk: int) -> str:
    """Ask for a pair to verify; the item and its slot, or nothing."""
    from annotation.models import Stage
    from annotation.services.leases import take_next

    lease = take_next(access=_access(project_pk, user_pk), stage=Stage.VERIFY)
    return f"{lease.item_id} {lease.slot}" if lease else "nothing"


def _access(project_pk: int, user_pk: int) -> ProjectAccess:
    from annotation.access import get_project
    from annotation.models import Project
    from corpus.models import User

    slug = Project.objects.get(pk=project_pk).slug
    return get_project(User.objects.get(pk=user_pk), slug)


def _verify_all(project_pk: int, user_pk: int) -> str:
    """Take and judge pairs until there is none; how many."""
    from annotation.models import Stage
    from annotation.services.leases import take_next

    access, done = _access(project_pk, user_pk), 0
    while lease := take_next(access=access, stage=Stage.VERIFY):
        _judge_pair(lease.item_id, user_pk)
        done += 1
    return str(done)


def _open_judgement(pk: int, user_pk: int) -> None:
    """Open a judgement in order to review it."""
    from annotation.models import Judgement, Stage
    from annotation.services.leases import take_item

    project_pk = Judgement.objects.get(pk=pk).pair.project_id
    access = _access(project_pk, user_pk)
    take_item(access=access, stage=Stage.REVIEW, item_id=pk)


def _demote(membership_pk: int, user_pk: int) -> None:
    from annotation.models import Membership
    from annotation.services.members import change_stages
    from corpus.models import User

    change_stages(
        membership=Membership.objects.get(pk=membership_pk),
        stages=["write"],
        actor=User.objects.get(pk=user_pk),
    )


def _merge_sentences(pk: int, user_pk: int) -> None:
    from annotation.services.boundaries import merge_sentences
    from corpus.models import Document, User

    document = Document.objects.get(pk=pk)
    merge_sentences(
        document=document,
        sentence=1,
        seen_hash=document.content_hash,
        actor=User.objects.get(pk=user_pk),
    )


def _write_claim(pk: int, user_pk: int) -> None:
    from annotation.models import Source
    from annotation.services.claims import Draft, write_claims
    from corpus.models import User
    from corpus.records import ClaimKind

    write_claims(
        source=Source.objects.get(pk=pk),
        author=User.objects.get(pk=user_pk),
        drafts=[Draft(f"Person {user_pk} wrote this.", ClaimKind.COMPOSED)],
        submission_key=uuid.uuid4(),
    )


def _record_time(project_pk: int, user_pk: int) -> str:
    from annotation.models import Project
    from annotation.services.work_time import record_time
    from corpus.models import User

    opened = record_time(
        project=Project.objects.get(pk=project_pk),
        person=User.objects.get(pk=user_pk),
        stage="verify",
        item_id=1,
    )
    return "went on" if opened is None else "opened"


def _undo_many(bulk_pk: int, user_pk: int) -> None:
    from annotation.access import get_project
    from annotation.models import BulkAction
    from annotation.services.bulk import undo_many
    from corpus.models import User

    bulk = BulkAction.objects.get(pk=bulk_pk)
    access = get_project(User.objects.get(pk=user_pk), bulk.project.slug)
    undo_many(access=access, bulk=bulk)


def _upload_predictions(phase_pk: int, user_pk: int) -> None:
    """Send a file by the API, to be checked and scored in one go."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    from corpus.exceptions import DomainError
    from corpus.models import User
    from corpus.tokens import create_token
    from verification.models import Phase

    phase, user = Phase.objects.get(pk=phase_pk), User.objects.get(pk=user_pk)
    _, key = create_token(user=user, name="race", scopes=["submit"])
    team = user.teams.first()
    form = {"submit": "true", "system": "Moss", **({"team": team.pk} if team else {})}
    response = Client(HTTP_HOST="localhost").post(
        f"/api/v1/benchmarks/{phase.benchmark.slug}/phases/{phase.number}/submissions",
        {"file": SimpleUploadedFile("p.jsonl", b"{}\n"), **form},
        headers={"Authorization": f"Bearer {key}"},
    )
    if response.status_code != 202:
        raise DomainError(f"{response.status_code} {response.json()['message']}")


def _submit_upload(phase_pk: int, user_pk: int) -> None:
    """Submit one's own checked upload."""
    from verification.models import Submission
    from verification.services.submissions import Metadata, submit

    upload = Submission.objects.get(phase=phase_pk, submitter=user_pk)
    submit(submission=upload, actor=upload.submitter, metadata=Metadata(system="Moss"))


ACTIONS: dict[str, Callable[[int, int], str | None]] = {
    "approve_claim": _approve_claim,
    "approve_judgement": _approve_judgement,
    "demote": _demote,
    "judge_pair": _judge_pair,
    "negate_claim": _negate_claim,
    "merge_sentences": _merge_sentences,
    "open_judgement": _open_judgement,
    "record_time": _record_time,
    "submit_upload": _submit_upload,
    "take_pair": _take_pair,
    "undo_many": _undo_many,
    "upload_predictions": _upload_predictions,
    "verify_all": _verify_all,
    "write_claim": _write_claim,
}


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while not path.exists():
        if time.monotonic() > deadline:
            raise SystemExit("the race never started")
        time.sleep(0.001)


def main(starting_line: str, action: str, pk: str, user_pks: str) -> None:
    """Let everybody get ready, wait, act, and say how it went."""
    django.setup()
    # What an action imports late would spread the competitors out in time.
    import_module("config.urls")
    first, *others = user_pks.split(",")
    children = []
    for user_pk in others:
        if child := os.fork():
            children.append(child)
            continue
        _compete(starting_line, action, int(pk), int(user_pk))
        return
    _compete(starting_line, action, int(pk), int(first))
    if any(os.waitpid(child, 0)[1] for child in children):
        raise SystemExit("somebody failed")


def _compete(starting_line: str, action: str, pk: int, user_pk: int) -> None:
    from django.core.exceptions import PermissionDenied
    from django.db import connection

    from corpus.exceptions import DomainError

    connection.ensure_connection()
    line = Path(starting_line)
    line.with_name(f"ready-{os.getpid()}").touch()
    _wait_for(line)
    try:
        what = ACTIONS[action](pk, user_pk)
    except (DomainError, PermissionDenied) as error:
        sys.stdout.write(f"lost: {error}\n")
    else:
        sys.stdout.write("won\n" if what is None else f"won: {what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
