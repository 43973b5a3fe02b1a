"""The demo as a whole: loaded once, put back by reset, and alone in that."""

from __future__ import annotations

from collections import Counter

import pytest
from django.apps import apps
from django.core.management import call_command

from annotation.models import Claim, Project
from annotation.services.projects import create_corpus, create_project
from corpus.models import Event, StoredFile
from tests.factories import UserFactory
from tests.verification.board import checked, make_phase, scored, upload
from verification.models import Phase, Submission

pytestmark = pytest.mark.django_db


def test_loading_again_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demo")
    before = _counts()
    call_command("load_demo")
    assert "admin@claimdesk.test" in capsys.readouterr().out
    assert _counts() == before


def test_reset_puts_the_demo_back_and_touches_nothing_else() -> None:
    call_command("load_demo")
    person = UserFactory()
    corpus = create_corpus(name="Mine", owner=person)
    create_project(name="Mine", protocol="scifact", corpus=corpus, actor=person)
    mine = scored(upload(make_phase(), person))
    before = _counts()
    Claim.objects.filter(state="submitted")[0].versions.create(number=2, text="Mess")
    dev = Phase.objects.get(benchmark__is_demo=True, kind="dev")
    theirs = checked(upload(dev, UserFactory()))
    stored = theirs.file.file
    call_command("load_demo", "--reset")
    after = _counts()
    # The person who tried the demo stays.
    assert after.pop("corpus.User") - before.pop("corpus.User") == 1
    assert {k: v for k, v in after.items() if before[k] != v} == {
        "account.EmailAddress": before["account.EmailAddress"] + 1
    }
    assert Project.objects.filter(name="Mine").exists()
    assert Submission.objects.filter(pk=mine.pk).exists()
    assert not Submission.objects.filter(pk=theirs.pk).exists()
    assert not StoredFile.objects.filter(pk=theirs.file_id).exists()
    assert stored.storage.exists(str(stored.name))  # until the transaction ends


def _counts() -> dict[str, int]:
    """How many rows each table has, and how many events each kind."""
    models = [m for m in apps.get_models() if m._meta.app_label != "sessions"]
    rows = {m._meta.label: m._default_manager.count() for m in models}
    events = Counter(Event.objects.values_list("noun", "verb"))
    return rows | {f"{noun} {verb}": n for (noun, verb), n in events.items()}
