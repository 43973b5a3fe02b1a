"""The demo is loaded through the services, put back by reset, and alone in that."""

from __future__ import annotations

import pytest

from annotation.agreement_intervals import Measure
from annotation.agreement_report import Kind, Part, Wanted
from annotation.models import Claim, Judgement, Pair, Project, Source
from annotation.selectors.agreement import agreement_of
from annotation.services.demo import demo_accounts, load_demo, remove_demo
from annotation.services.projects import create_project
from corpus.exceptions import DomainError
from corpus.models import Citance, Corpus, Document
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def _demo(db: None) -> None:
    load_demo()


@pytest.mark.usefixtures("_demo")
def test_the_demo_has_enough_of_everything_and_leaves_work_to_do() -> None:
    assert Document.objects.count() >= 60
    assert Citance.objects.count() >= 40
    protocols = Project.objects.values_list("protocol", flat=True)
    assert sorted(protocols) == ["check-covid", "core", "scifact"]
    assert len(demo_accounts()) == 5
    for project in Project.objects.all():
        assert project.guidelines.exists()
        assert project.consent_texts.exists()
        assert project.sources.filter(state=Source.State.OPEN).exists()
        assert project.pairs.filter(state=Pair.State.OPEN).exists()


@pytest.mark.usefixtures("_demo")
def test_the_demo_shows_every_state_of_work() -> None:
    claims = set(Claim.objects.values_list("state", flat=True))
    gone = {Claim.State.RETIRED, Claim.State.WITHDRAWN}
    assert claims == set(Claim.State.values) - gone
    pairs = set(Pair.objects.values_list("state", flat=True))
    assert pairs == set(Pair.State.values) - {Pair.State.RETIRED}
    judgements = set(Judgement.objects.values_list("state", flat=True))
    unseen = {
        Judgement.State.REJECTED,
        Judgement.State.WITHDRAWN,
        Judgement.State.UNREVIEWED,
        Judgement.State.ADJUDICATED,
    }
    assert judgements == set(Judgement.State.values) - unseen
    assert set(Source.objects.values_list("state", flat=True)) == set(
        Source.State.values
    )


@pytest.mark.usefixtures("_demo")
def test_the_demo_has_pairs_on_which_people_agree_and_disagree() -> None:
    project = Project.objects.get(protocol="scifact")
    report = agreement_of(project, Wanted())
    assert report.n_pairs == 16
    kappa = report.first[Part.LABELS].by_measure[Measure.COHEN]
    # 14 of 16 are equal. First: 13 SUPPORT, 3 NOT ENOUGH INFO; second: 11, 4 and one
    # CONTRADICT. By chance (13 * 11 + 3 * 4) / 256.
    assert kappa.coefficient.value == pytest.approx((14 * 16 - 155) / (256 - 155))
    assert kappa.interval.low is not None
    assert {kind for _, kind in report.disagreeing} == set(Kind)
    assert project.rules.judgements_per_pair == 1


@pytest.mark.usefixtures("_demo")
def test_every_demo_abstract_is_marked_as_invented() -> None:
    licences = set(Document.objects.values_list("licence", flat=True))
    assert licences == {"Invented for demonstration"}


@pytest.mark.usefixtures("_demo")
def test_the_events_of_the_demo_rebuild_its_tables() -> None:
    assert_events_rebuild_the_tables()


@pytest.mark.usefixtures("_demo")
def test_reset_refuses_to_take_a_corpus_from_somebodys_project() -> None:
    corpus = Corpus.objects.filter(is_demo=True)[0]
    person = UserFactory()
    create_project(name="Mine", protocol="scifact", corpus=corpus, actor=person)
    with pytest.raises(DomainError, match="is used by Mine"):
        remove_demo()
