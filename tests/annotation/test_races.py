"""Several processes at once: the database decides who wins, and the others hear why."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import Claim, Judgement, Pair, Review, Source, Verdict
from annotation.services.documents import add_document
from corpus import records
from corpus.models import Corpus, User
from corpus.records import ExternalId
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.running import crowd
from tests.annotation.work import approved, judged, written
from tests.factories import Team, UserFactory, make_team

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def team(transactional_db: None) -> Team:
    return make_team(citances=1)


def _race(folder: Path, action: str, pk: int, people: list[User]) -> list[str]:
    """Let everybody do the same at one moment; return what each process printed."""
    return crowd(folder, action, pk, people)


def _crowd(size: int) -> list[User]:
    return [UserFactory() for _ in range(size)]


def _outcome(results: list[str], winners: int, reason: str) -> None:
    assert results.count("won") == winners
    losers = [result for result in results if result != "won"]
    assert all(reason in result for result in losers), losers


def test_one_of_many_writers_gets_a_source(team: Team, tmp_path: Path) -> None:
    source = team.sources[0]
    results = _race(tmp_path, "write_claim", source.pk, _crowd(4))
    _outcome(results, 1, "changed in the meantime")
    assert Claim.objects.count() == 1
    assert Source.objects.get().state == Source.State.DONE
    assert_events_rebuild_the_tables()


def test_one_of_many_proofreaders_decides_a_claim(team: Team, tmp_path: Path) -> None:
    claim = written(team)
    results = _race(tmp_path, "approve_claim", claim.pk, _crowd(4))
    _outcome(results, 1, "changed in the meantime")
    assert (Review.objects.count(), Pair.objects.count()) == (1, 1)
    assert_events_rebuild_the_tables()


def test_a_claim_gets_one_negation(team: Team, tmp_path: Path) -> None:
    original = approved(team, "Nettle tea eases knee pain.")
    results = _race(tmp_path, "negate_claim", original.pk, _crowd(4))
    _outcome(results, 1, "has written the negation of this claim in the meantime")
    assert original.negations.count() == 1
    assert_events_rebuild_the_tables()


def test_a_pair_gets_no_more_judgements_than_it_needs(
    team: Team, tmp_path: Path
) -> None:
    team.project.settings = {**team.project.settings, "judgements_per_pair": 2}
    team.project.save()
    pair = approved(team).pairs.get()
    results = _race(tmp_path, "judge_pair", pair.pk, _crowd(4))
    _outcome(results, 2, "in the meantime")
    slots = Judgement.objects.order_by("slot").values_list("slot", flat=True)
    assert list(slots) == [0, 1]
    assert Pair.objects.get().state == Pair.State.JUDGED


def test_one_of_many_reviewers_decides_a_judgement(team: Team, tmp_path: Path) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    results = _race(tmp_path, "approve_judgement", judgement.pk, _crowd(4))
    _outcome(results, 1, "in the meantime")
    assert Verdict.objects.count() == 1
    assert_events_rebuild_the_tables()


def test_merges_of_one_abstract_come_one_after_the_other(
    team: Team, tmp_path: Path
) -> None:
    record = records.Document(ExternalId("a"), "Tea", text="One. Two. Three. Four.")
    document = add_document(corpus=team.corpus, record=record, actor=team.admin)
    results = _race(tmp_path, "merge_sentences", document.pk, _crowd(4))
    # Whoever read the abstract before another merge is told so; none is lost.
    merged = results.count("won")
    _outcome(results, merged, "in the meantime")
    document.refresh_from_db()
    assert 1 <= merged <= 3
    assert len(document.sentences) == 4 - merged
    assert document.text == "One. Two. Three. Four."
    assert Corpus.objects.get(pk=team.corpus.pk).version == 1 + merged
