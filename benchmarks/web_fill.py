"""A project for ``benchmarks.web``: verifiers with sessions, and a queue of pairs.

``python -m benchmarks.web_fill ITEMS PEOPLE SESSIONS`` fills the configured database
and writes the sessions of the people to the file SESSIONS.
"""

from __future__ import annotations

import json
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from annotation.models import Claim
    from corpus.models import Document, User
    from tests.factories import Team

SENTENCES = 9
PAIRS_PER_ABSTRACT = 2
BATCH = 2000


def main(items: str, people: str, sessions: str) -> None:
    """Fill the database."""
    django.setup()
    from django.db import connection, transaction
    from django.test import Client

    from tests.factories import accept_texts, make_team

    with transaction.atomic():
        team = make_team(name="Benchmark", citances=0)
        team.project.settings = {
            **team.project.settings,
            "judgements_per_pair": max(2, int(people)),
        }
        team.project.save(update_fields=["settings"])
        crowd = _people(team, int(people))
        for person in crowd:
            accept_texts(team.project, person)
        _pairs(team, int(items))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    keys = []
    for person in crowd:
        client = Client()
        client.force_login(person)
        keys.append(client.cookies["sessionid"].value)
    known = {"start": f"/projects/{team.project.slug}/verify/", "sessions": keys}
    Path(sessions).write_text(json.dumps(known), encoding="utf-8")


def _people(team: Team, size: int) -> list[User]:
    from annotation.models import Stage
    from annotation.services.members import add_member
    from tests.factories import UserFactory

    people = [UserFactory() for _ in range(size)]
    for person in people:
        add_member(
            project=team.project,
            user=person,
            stages=[Stage.VERIFY],
            actor=team.admin,
            state="trusted",
        )
    return people


def _pairs(team: Team, items: int) -> None:
    """Make claims of different families, two on each abstract."""
    from annotation.models import Pair

    abstracts = (items + 1) // PAIRS_PER_ABSTRACT
    documents = _documents(team, abstracts)
    Pair.objects.bulk_create(
        (
            Pair(
                project=team.project,
                claim=claim,
                document=documents[index // PAIRS_PER_ABSTRACT],
                origin=Pair.Origin.CITED,
                ordinal=0,
            )
            for index, claim in enumerate(_claims(team, items))
        ),
        batch_size=BATCH,
    )


def _documents(team: Team, size: int) -> list[Document]:
    """Make abstracts of ``SENTENCES`` sentences."""
    from corpus.models import Document

    return Document.objects.bulk_create(
        (
            Document(
                corpus=team.corpus,
                external_id=f"abstract-{n}",
                position=n,
                title=f"Invented trial number {n}",
                sentences=[
                    f"In year {s} of trial {n}, gardeners drank nettle tea daily."
                    for s in range(SENTENCES)
                ],
                content_hash=f"content-{n}",
                text_key=f"text-{n}",
            )
            for n in range(size)
        ),
        batch_size=BATCH,
    )


def _claims(team: Team, size: int) -> list[Claim]:
    """Make approved claims of one version, each of a family of its own."""
    from annotation.models import Claim, ClaimVersion

    claims = Claim.objects.bulk_create(
        (
            Claim(
                project=team.project,
                external_id=str(n),
                external_id_is_int=True,
                position=n,
                kind=Claim.Kind.COMPOSED,
                family=uuid.uuid4(),
                author=team.admin,
                state=Claim.State.APPROVED,
                text=f"Nettle tea number {n} does not ease knee pain.",
                text_key=f"claim-{n}",
            )
            for n in range(1, size + 1)
        ),
        batch_size=BATCH,
    )
    ClaimVersion.objects.bulk_create(
        (
            ClaimVersion(claim=claim, number=1, text=claim.text, author=team.admin)
            for claim in claims
        ),
        batch_size=BATCH,
    )
    return claims


if __name__ == "__main__":
    main(*sys.argv[1:])
