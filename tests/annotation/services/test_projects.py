"""Creating and changing projects."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pytest
from django.apps import apps

from annotation.models import Membership, Project, Stage
from annotation.protocols import LabelChoice, SourceKind, SuggestionPolicy
from annotation.services.projects import (
    archive_project,
    change_project,
    create_corpus,
    create_project,
    restore_project,
    settings_key,
    start_project,
)
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Corpus, Event, User
from corpus.records import Label
from tests.factories import (
    CitanceFactory,
    ClaimFactory,
    CorpusFactory,
    JudgementFactory,
    PairFactory,
    Team,
    UserFactory,
    make_team,
)

pytestmark = pytest.mark.django_db


def last_event(noun: str) -> Event:
    return Event.objects.filter(noun=noun).latest("id")


def change(team: Team, **values: object) -> bool:
    project = Project.objects.get(pk=team.project.pk)
    wanted = {
        "name": project.name,
        "description": project.description,
        "visibility": project.visibility,
        "rules": project.rules,
        "labels": project.labels,
        "seen": settings_key(project),
    }
    return change_project(project=project, actor=team.admin, **(wanted | values))  # type: ignore[arg-type]


def test_the_creator_is_a_trusted_admin_of_the_new_project() -> None:
    owner = UserFactory()

    project = create_project(
        name="Teas", protocol="scifact", corpus=CorpusFactory(), actor=owner
    )

    member = Membership.objects.get(project=project, user=owner)
    assert member.state == "trusted"
    assert member.stages == Stage.values


@pytest.mark.parametrize(
    ("protocol", "sources"),
    [
        ("scifact", 2),
        ("check-covid", 2),
        # A hypothesis is written from a question, not from a citance.
        ("core", 0),
    ],
)
def test_citances_wait_at_once_where_claims_are_written_from_them(
    protocol: str, sources: int
) -> None:
    corpus = CorpusFactory()
    CitanceFactory.create_batch(2, in_corpus=corpus)

    project = create_project(
        name="Teas", protocol=protocol, corpus=corpus, actor=UserFactory()
    )

    assert project.sources.count() == sources


def test_the_creation_event_can_rebuild_the_row() -> None:
    project = create_project(
        name="Teas", protocol="core", corpus=CorpusFactory(), actor=UserFactory()
    )

    written = last_event("project").payload["set"]
    stored = Project.objects.filter(pk=project.pk).values(*written).get()
    assert stored == written
    assert {"name", "settings", "corpus_id", "created_by_id"} <= written.keys()


def test_a_project_name_that_is_taken_is_refused(team: Team) -> None:
    with pytest.raises(DomainError, match="already a project"):
        create_project(
            name=f" {team.project.name} ",
            protocol="core",
            corpus=team.corpus,
            actor=team.admin,
        )


def test_a_corpus_name_that_is_taken_is_refused(team: Team) -> None:
    with pytest.raises(DomainError, match="already a corpus"):
        create_corpus(name=team.corpus.name, owner=team.admin)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("New", "new-2"),  # the wizard has that address
        ("健康", "project"),  # nothing of it can stand in an address
        ("Herbal medicine", "herbal-medicine-2"),  # the team's project has it
    ],
)
def test_addresses_stay_free_of_clashes(name: str, slug: str, team: Team) -> None:
    name = f"{name}!" if name == team.project.name else name
    project = create_project(
        name=name, protocol="core", corpus=team.corpus, actor=team.admin
    )

    assert project.slug == slug


def test_a_change_is_one_event_with_old_and_new_values(team: Team) -> None:
    rules = replace(team.project.rules, claims_per_source=2)

    assert change(team, name="Teas", rules=rules)

    event = last_event("project")
    assert event.verb == "change"
    assert event.payload["was"]["name"] == "Herbal medicine"
    assert event.payload["set"]["name"] == "Teas"
    assert event.payload["was"]["settings"]["claims_per_source"] == 3
    assert event.payload["set"]["settings"]["claims_per_source"] == 2
    assert "visibility" not in event.payload["set"]


def test_saving_without_a_change_writes_no_event(team: Team) -> None:
    before = Event.objects.count()

    assert not change(team)

    assert Event.objects.count() == before


def test_the_address_stays_when_the_name_changes(team: Team) -> None:
    change(team, name="Quite another name")

    assert Project.objects.get(slug="herbal-medicine").name == "Quite another name"


def test_what_somebody_else_changed_is_not_overwritten(team: Team) -> None:
    seen = settings_key(team.project)
    change(team, description="From another tab")

    with pytest.raises(StaleStateError, match="in the meantime"):
        change(team, name="Teas", seen=seen)

    assert Project.objects.get(pk=team.project.pk).name == "Herbal medicine"


def test_citances_wait_when_a_project_turns_to_them() -> None:
    team = make_team(protocol="core", citances=2)
    assert team.project.sources.count() == 0

    change(team, rules=replace(team.project.rules, source=SourceKind.CITANCE))

    assert team.project.sources.count() == 2


def test_a_label_that_judgements_have_cannot_be_taken_away(team: Team) -> None:
    pair = PairFactory(claim=ClaimFactory(project=team.project))
    JudgementFactory(pair=pair, annotator=team.annotator, label="CONTRADICT")
    labels = tuple(c for c in team.project.labels if c.label != Label.CONTRADICT)

    with pytest.raises(DomainError, match="CONTRADICT"):
        change(team, labels=labels)


def test_a_wizard_sent_twice_makes_one_project(db: None) -> None:
    owner = UserFactory()

    first, second = (
        start_project(
            name="Teas",
            protocol="scifact",
            actor=owner,
            corpus=None,
            new_corpus_name="Tea abstracts",
        )
        for _ in range(2)
    )

    assert first == second
    assert first.corpus.owner == owner


def test_a_refused_project_leaves_no_corpus_behind(team: Team) -> None:
    with pytest.raises(DomainError, match="already a project"):
        start_project(
            name=team.project.name,
            protocol="scifact",
            actor=team.outsider,
            corpus=None,
            new_corpus_name="Tea abstracts",
        )

    assert not Corpus.objects.filter(name="Tea abstracts").exists()


def test_labels_keep_the_words_of_the_project(team: Team) -> None:
    words = (LabelChoice(Label.SUPPORT, "YES"), LabelChoice(Label.CONTRADICT, "NO"))

    change(team, labels=words)

    assert Project.objects.get(pk=team.project.pk).labels == words


def test_archiving_twice_is_one_event_and_can_be_undone(team: Team) -> None:
    assert archive_project(project=team.project, actor=team.admin)
    assert not archive_project(project=team.project, actor=team.admin)
    assert Event.objects.filter(noun="project", verb="archive").count() == 1

    assert restore_project(project=team.project, actor=team.admin)
    assert Project.objects.get(pk=team.project.pk).archived_at is None


def test_a_corpus_can_be_nobodys(db: None) -> None:
    assert create_corpus(name="Shared", owner=None).owner is None
    assert last_event("corpus").actor is None
    assert User.objects.count() == 0


def test_projects_from_before_suggestions_go_on_without(db: None) -> None:
    old, new = make_team(name="Old").project, make_team(name="New").project
    for name in [name for name in old.settings if name.startswith("suggestion")]:
        del old.settings[name]
    old.save(update_fields=["settings"])
    old.refresh_from_db()
    before = dict(old.settings)
    migration = import_module(
        "annotation.migrations.0017_existing_projects_without_suggestions"
    )
    migration.withhold(apps, None)
    old.refresh_from_db()
    new.refresh_from_db()
    assert old.rules.suggestion_policy is SuggestionPolicy.OFF
    assert new.rules.suggestion_policy is SuggestionPolicy.AFTER_FIRST_CHOICE
    assert last_event("project").payload["set"] == {"settings": old.settings}
    migration.forget(apps, None)
    old.refresh_from_db()
    assert old.settings == before
