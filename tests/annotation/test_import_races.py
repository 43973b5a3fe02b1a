"""People work while a file comes in: what they did in the meantime stays.

The work is done from a second connection at the worst moment: after the import has
looked at a row, and before it writes it. SQLite never lets that happen, since one
transaction at a time may write.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from annotation.models import Claim, Pair, Project
from annotation.services.boundaries import merge_sentences
from annotation.services.claim_reviews import approve_claim
from annotation.services.documents import add_document
from annotation.services.import_claims import ClaimTarget, import_claims
from annotation.services.import_documents import import_documents
from annotation.services.importing import ImportReport, incoming
from annotation.services.projects import create_corpus, create_project
from annotation.services.retiring import retire_claim
from corpus import records
from corpus.formats import scifact
from corpus.formats.registry import get_format
from corpus.models import Document
from corpus.records import ExternalId
from tests.annotation import transfers
from tests.annotation.meanwhile import right_after
from tests.annotation.transfers import claim, document, entry, write_lines
from tests.annotation.work import written
from tests.factories import UserFactory, make_team

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" in settings.DATABASES["default"]["ENGINE"],
        reason="SQLite lets one transaction write at a time",
    ),
]


def test_an_abstract_that_gets_its_pair_during_an_import_is_kept(
    tmp_path: Path,
) -> None:
    team = make_team(citances=1)
    waiting = written(team)
    (row,) = Document.objects.all()
    changed = write_lines(tmp_path / "c.jsonl", document(int(row.external_id), "New."))

    def approve() -> None:
        approve_claim(claim=waiting, reviewer=team.reviewer, expected_version=1)

    with right_after('AS "is_used"', approve) as faults, changed.open("rb") as file:
        report = import_documents(
            source=incoming(file, scifact.read_documents, name="c.jsonl"),
            corpus=team.corpus,
            actor=None,
        )

    assert faults == []
    assert Pair.objects.get().document == row
    assert Document.objects.get().sentences == row.sentences
    assert (report.counts["kept"], report.counts["changed"]) == (1, 0)
    assert report.kept == [row.external_id]


def test_a_claim_that_is_retired_during_an_import_stays_retired(
    tmp_path: Path,
) -> None:
    transfers.import_corpus(write_lines(tmp_path / "corpus.jsonl", document(1)))
    before = claim(11, "Bees like clover.", {"1": [entry(0)]}, [1])
    transfers.import_claims(write_lines(tmp_path / "claims.jsonl", before))
    after = claim(11, "Bees love clover.", {"1": [entry(1)]}, [1])
    file = write_lines(tmp_path / "claims.jsonl", after)

    def retire() -> None:
        retire_claim(claim=Claim.objects.get(), actor=UserFactory(), reason="Wrong")

    with right_after('"annotation_claim"."external_id" IN', retire) as faults:
        report = _import(file)

    assert faults == []
    assert (report.counts["retired"], report.counts["changed"]) == (1, 0)
    kept = Claim.objects.get()
    assert (kept.state, kept.text) == ("retired", "Bees like clover.")
    assert Pair.objects.get().state == "retired"


def test_sentences_do_not_move_between_their_check_and_their_pair(
    tmp_path: Path,
) -> None:
    text = records.Document(
        id=ExternalId("1"), title="Bees", text="They hum. They fly. They rest."
    )
    editor = UserFactory()
    corpus = create_corpus(name="Library", owner=editor)
    row = add_document(corpus=corpus, record=text, actor=editor)
    file = write_lines(
        tmp_path / "claims.jsonl", claim(11, "Bees.", {"1": [entry(2)]}, [1])
    )
    create_project(name="Claims", protocol="scifact", corpus=corpus, actor=editor)

    def merge() -> None:
        merge_sentences(
            document=row, sentence=1, seen_hash=row.content_hash, actor=editor
        )

    with right_after('"corpus_document"."external_id" IN', merge) as faults:
        report = _import(file)

    assert report.counts["new"] == 1
    assert len(faults) == 1
    assert "has been paired" in faults[0]
    assert len(Document.objects.get().sentences) == 3


def _import(path: Path) -> ImportReport:
    scifact_format = get_format("scifact")
    with path.open("rb") as file:
        return import_claims(
            source=incoming(file, scifact.read_claims, name=path.name),
            target=ClaimTarget(Project.objects.get(name="Claims"), scifact_format),
            actor=None,
        )
