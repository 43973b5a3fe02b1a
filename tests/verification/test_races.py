"""Many processes and one place in the quota: the database gives it to one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from corpus.models import StoredFile, User
from tests.annotation.running import crowd
from tests.factories import UserFactory
from tests.verification.board import make_phase, submit_now, upload
from verification.models import Phase, QuotaSlot, Submission, Team

pytestmark = [
    pytest.mark.processes,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

CROWD = 10


def _won(results: list[str]) -> int:
    """Return how many won, if all others were told that no place is left."""
    losers = [result for result in results if result != "won"]
    assert all("no submission left" in loser for loser in losers), losers
    assert len(results) == CROWD
    return len(results) - len(losers)


def _files_on_disk() -> int:
    return sum(path.is_file() for path in (Path(settings.MEDIA_ROOT)).rglob("*"))


def _submitted(phase: Phase, person: User, team: Team | None = None) -> None:
    submit_now(upload(phase, person, team=team))


def _places(phase: Phase, holder: str) -> list[int]:
    slots = QuotaSlot.objects.filter(phase=phase, holder=holder)
    return sorted(slots.values_list("number", flat=True))


def test_of_ten_uploads_of_one_person_one_gets_the_last_place(tmp_path: Path) -> None:
    phase, person = make_phase(daily_per_person=3), UserFactory()
    for _ in range(2):
        _submitted(phase, person)
    files, on_disk = StoredFile.objects.count(), _files_on_disk()
    results = crowd(tmp_path, "upload_predictions", phase.pk, [person] * CROWD)
    assert _won(results) == 1
    assert all(r.startswith(("won", "lost: 429")) for r in results)
    assert _places(phase, f"person:{person.pk}") == [0, 1, 2]
    assert Submission.objects.count() == 3
    assert StoredFile.objects.count() == files + 1, "refused uploads are not kept"
    assert _files_on_disk() == on_disk + 1


def test_of_ten_uploads_for_a_team_one_gets_the_phase_s_last_place(
    tmp_path: Path,
) -> None:
    phase = make_phase(total_per_team=2)
    people = [UserFactory() for _ in range(CROWD)]
    team = Team.objects.create(name="Mossy")
    team.members.add(*people)
    _submitted(phase, people[0], team)
    results = crowd(tmp_path, "upload_predictions", phase.pk, people)
    assert _won(results) == 1
    assert all(r.startswith(("won", "lost: 409")) for r in results)
    alls = QuotaSlot.objects.filter(holder=f"team:{team.pk}", period="all")
    assert sorted(alls.values_list("number", flat=True)) == [0, 1]
    own = QuotaSlot.objects.filter(holder__startswith="person:").count()
    assert own == 2, "who was refused keeps their own places"


def test_of_ten_checked_uploads_that_are_submitted_one_gets_the_last_place(
    tmp_path: Path,
) -> None:
    phase = make_phase(daily_per_team=1)
    people = [UserFactory() for _ in range(CROWD)]
    team = Team.objects.create(name="Mossy")
    team.members.add(*people)
    for person in people:
        upload(phase, person, team=team)
    results = crowd(tmp_path, "submit_upload", phase.pk, people)
    assert _won(results) == 1
    assert _places(phase, f"team:{team.pk}") == [0]
    states = Submission.objects.values_list("state", flat=True)
    assert sorted(states) == ["queued"] + ["received"] * (CROWD - 1)
