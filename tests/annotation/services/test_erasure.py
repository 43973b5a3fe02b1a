"""After an erasure nothing in the database tells who it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.management import call_command
from django.db import connection
from django.test import Client

from annotation.models import Invitation, Review
from annotation.services.erasure import erase_identity
from annotation.services.members import (
    add_member,
    create_invitation,
    suspend_member,
)
from annotation.services.projects import create_project
from corpus.exceptions import DomainError
from corpus.models import Event, StoredFile, User
from corpus.tokens import create_token, verify_token
from tests.factories import (
    ClaimFactory,
    CorpusFactory,
    JudgementFactory,
    PairFactory,
    Team,
    UserFactory,
)

pytestmark = pytest.mark.django_db
FULL_NAME, ADDRESS, USERNAME = "Zdenka Quillfeather", "zq@lab.example", "zquill77"
OTHER_ADDRESS, PROVIDER_ID = "zdenka@home.example", "0000-0001-2345-6789"


def every_cell() -> Iterator[tuple[str, str]]:
    """Read every table of the database, whatever it is for, as text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            for row in cursor.fetchall():
                yield table, repr(row)


def where(word: str) -> list[str]:
    return [table for table, row in every_cell() if word.lower() in row.lower()]


@pytest.fixture
def person(team: Team) -> User:
    """A member who has left traces wherever an application can keep them."""
    user: User = UserFactory(
        username=USERNAME, email=ADDRESS, first_name="Zdenka", last_name="Quillfeather"
    )
    Client().force_login(user)
    EmailAddress.objects.create(user=user, email=OTHER_ADDRESS, verified=True)
    SocialAccount.objects.create(
        user=user, provider="orcid", uid=PROVIDER_ID, extra_data={"name": FULL_NAME}
    )
    Authenticator.objects.create(
        user=user, type="totp", data={"secret": "x", "name": FULL_NAME}
    )
    create_token(user=user, name=f"{FULL_NAME}'s laptop", scopes=["read"])
    StoredFile.objects.create(
        file="files/aa/aa.csv", name=f"{USERNAME}.csv", sha256="", size=0, owner=user
    )
    membership = add_member(
        project=team.project, user=user, stages=["write"], actor=team.admin
    )
    create_invitation(
        project=team.project,
        stages=["write"],
        actor=team.admin,
        note=f"For {FULL_NAME} ({ADDRESS.upper()})",
    )
    suspend_member(
        membership=membership, actor=team.admin, why=f"{FULL_NAME} is on leave"
    )
    claim = ClaimFactory(project=team.project, author=user, text="Tea is wet.")
    Review.objects.create(
        project=team.project,
        reviewer=team.reviewer,
        claim_version=claim.versions.get(),
        decision="approve",
        note=f"Thanks, {USERNAME}!",
    )
    return user


def test_no_table_holds_a_name_or_an_address_afterwards(
    person: User, team: Team
) -> None:
    words = (FULL_NAME, ADDRESS, OTHER_ADDRESS, USERNAME, PROVIDER_ID, "Quillfeather")
    assert all(where(word) for word in words)

    erase_identity(user=person, actor=person)

    assert {word: where(word) for word in words} == {word: [] for word in words}


def test_no_dump_holds_them_either(
    person: User, capsys: pytest.CaptureFixture[str]
) -> None:
    erase_identity(user=person, actor=person)

    call_command("dumpdata")

    dump = capsys.readouterr().out
    assert "Tea is wet." in dump
    for word in (FULL_NAME, ADDRESS, OTHER_ADDRESS, USERNAME, PROVIDER_ID):
        assert word not in dump


def test_work_stays_under_a_new_opaque_name(person: User, team: Team) -> None:
    before, pseudonym = person.claimversion_set.count(), person.pseudonym

    erase_identity(user=person, actor=person)

    person.refresh_from_db()
    assert person.claimversion_set.count() == before == 1
    assert str(person) == person.pseudonym != pseudonym
    assert str(person).startswith("person-")
    event = Event.objects.get(noun="user", verb="erase")
    assert (event.object_id, event.actor) == (person.pk, person)


def test_what_others_wrote_keeps_its_sense(person: User) -> None:
    erase_identity(user=person, actor=person)

    person.refresh_from_db()
    assert Review.objects.get().note == f"Thanks, {person.pseudonym}!"
    note = f"For {person.pseudonym} ({person.pseudonym})"
    assert Invitation.objects.get().note == note
    created = Event.objects.get(noun="invitation", verb="create")
    assert created.payload["set"]["note"] == note


def test_names_inside_other_words_and_other_peoples_stay(team: Team) -> None:
    user = UserFactory(username="anna", email="anna@lab.example", first_name="Anna")
    other = UserFactory(username="susanna", email="susanna@lab.example")
    create_invitation(
        project=team.project,
        stages=["write"],
        actor=team.admin,
        note="Susanna, Hosanna, anna2 and Anna",
    )

    erase_identity(user=user, actor=user)

    user.refresh_from_db()
    assert (
        Invitation.objects.get().note == f"Susanna, Hosanna, anna2 and {user.pseudonym}"
    )
    other.refresh_from_db()
    assert other.email == "susanna@lab.example"


@pytest.mark.parametrize("username", ["admin", "Reviewer", "tea"])
def test_an_account_name_that_is_an_everyday_word_spoils_no_note(
    username: str, team: Team
) -> None:
    user = UserFactory(username=username, email="someone@lab.example")
    note = "Ask the admin and the reviewer for tea"
    create_invitation(
        project=team.project, stages=["write"], actor=team.admin, note=note
    )

    erase_identity(user=user, actor=user)

    assert Invitation.objects.get().note == note


def test_every_way_in_is_closed(team: Team) -> None:
    client = Client()
    client.force_login(team.annotator)
    _, key = create_token(user=team.annotator, name="Laptop", scopes=["read"])
    other = Client()
    other.force_login(team.reviewer)

    erase_identity(user=team.annotator, actor=team.annotator)

    assert client.get("/me/").status_code == 302
    assert verify_token(key) is None
    team.annotator.refresh_from_db()
    assert not team.annotator.is_active
    assert not team.annotator.has_usable_password()
    assert other.get("/me/").status_code == 200


def test_erasing_twice_changes_nothing_more(team: Team) -> None:
    erase_identity(user=team.annotator, actor=team.annotator)
    pseudonym = User.objects.get(pk=team.annotator.pk).pseudonym

    erase_identity(user=team.annotator, actor=team.annotator)

    assert User.objects.get(pk=team.annotator.pk).pseudonym == pseudonym
    assert Event.objects.filter(verb="erase").count() == 1


def test_the_only_admin_of_others_stays_until_there_is_another(team: Team) -> None:
    with pytest.raises(DomainError, match="only admin of “Herbal medicine”"):
        erase_identity(user=team.admin, actor=team.admin)

    add_member(
        project=team.project, user=UserFactory(), stages=["admin"], actor=team.admin
    )
    assert erase_identity(user=team.admin, actor=team.admin).erased_at


def test_somebody_alone_in_a_project_may_go(db: None) -> None:
    user = UserFactory()
    create_project(name="Mine", protocol="core", corpus=CorpusFactory(), actor=user)

    assert erase_identity(user=user, actor=user).erased_at


def test_judgements_keep_their_annotator(team: Team) -> None:
    pair = PairFactory(claim=ClaimFactory(project=team.project))
    judgement = JudgementFactory(pair=pair, annotator=team.annotator)

    erase_identity(user=team.annotator, actor=team.annotator)

    judgement.refresh_from_db()
    assert judgement.annotator_id == team.annotator.pk
