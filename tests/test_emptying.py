"""A test that commits leaves no row behind, and what the migrations made stays."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.test import TransactionTestCase

from annotation.models import Claim, Project
from corpus.models import Corpus
from tests.annotation.work import approved
from tests.emptying import tables_to_empty, tables_with_rows
from tests.factories import CorpusFactory, make_team

pytestmark = pytest.mark.django_db(transaction=True)


def end_of_a_test() -> None:
    """What pytest-django runs after a test that commits."""
    TransactionTestCase("__init__")._fixture_teardown()  # type: ignore[attr-defined]


def test_every_table_is_empty_afterwards() -> None:
    approved(make_team(citances=2))
    assert Claim.objects.exists()
    assert len(tables_with_rows(tables_to_empty())) > 10
    end_of_a_test()
    assert tables_with_rows(tables_to_empty()) == []
    assert not Project.objects.exists()
    connection.check_constraints()


def test_content_types_and_permissions_stay() -> None:
    before = set(ContentType.objects.values_list("pk", "app_label", "model"))
    permissions = set(Permission.objects.values_list("pk", "codename"))
    make_team()
    end_of_a_test()
    after = set(ContentType.objects.values_list("pk", "app_label", "model"))
    assert after == before
    # The cache of content types is still true.
    assert (ContentType.objects.get_for_model(Claim).pk, "annotation", "claim") in after
    assert set(Permission.objects.values_list("pk", "codename")) == permissions
    assert permissions


def test_whoever_still_writes_is_waited_for() -> None:
    has_written, may_end = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                CorpusFactory()
                has_written.set()
                may_end.wait(10)
        finally:
            connection.close()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert has_written.wait(10)
    threading.Timer(0.3, may_end.set).start()
    end_of_a_test()
    writer.join()
    assert not Corpus.objects.exists()
