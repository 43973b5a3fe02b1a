"""The dashboard, the wizard, a project's home and its settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.access import get_project
from annotation.models import Claim, Membership, Project, Source
from annotation.selectors.dashboard import count_states, path_of_a_data_point
from annotation.services.members import add_member
from annotation.services.projects import create_project
from corpus.models import Corpus, Event, User
from tests.factories import (
    ClaimFactory,
    CorpusFactory,
    JudgementFactory,
    PairFactory,
    Team,
    UserFactory,
    make_team,
)

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def url(name: str, *args: object) -> str:
    return reverse(f"annotation:{name}", args=args)


def fill(team: Team) -> None:
    """Put one row of each kind where it waits for somebody."""
    ClaimFactory(
        project=team.project, state=Claim.State.SUBMITTED, author=team.annotator
    )
    pair = PairFactory(claim=ClaimFactory(project=team.project))
    JudgementFactory(pair=pair, annotator=team.annotator)


def test_a_stranger_sees_what_the_site_is(client: Client) -> None:
    response = client.get("/")

    assert response.status_code == 200
    assert "scientific claim verification" in response.content.decode()


def test_the_dashboard_names_what_waits_for_whom() -> None:
    team = make_team(citances=2)
    fill(team)

    reviewer = signed_in(team.reviewer).get("/").content.decode()
    assert "Claims to proofread" in reviewer
    assert "Judgements to review: " in reviewer
    assert "Sources to write from" not in reviewer

    annotator = signed_in(team.annotator).get("/").content.decode()
    assert "Sources to write from" in annotator
    assert "Claims to proofread" not in annotator


def test_own_work_does_not_wait_for_its_author() -> None:
    team = make_team()
    ClaimFactory(project=team.project, state=Claim.State.SUBMITTED, author=team.admin)

    assert "Claims to proofread" not in signed_in(team.admin).get("/").content.decode()
    assert "Claims to proofread" in signed_in(team.reviewer).get("/").content.decode()


@pytest.mark.parametrize(
    ("verifier", "writer", "other"),
    [
        # Who wrote the claim, who may see its pair as waiting, and who may not.
        ("not_family", False, True),
        ("writer", True, False),
        ("anyone", True, True),
    ],
)
def test_pairs_wait_for_those_who_may_judge_them(
    verifier: str, writer: bool, other: bool, team: Team
) -> None:
    team.project.settings = {**team.project.settings, "verifier": verifier}
    team.project.save()
    PairFactory(claim=ClaimFactory(project=team.project, author=team.annotator))

    for user, waits in ((team.annotator, writer), (team.other_annotator, other)):
        for address in ("/", url("project", team.project.slug)):
            page = signed_in(user).get(address).content.decode()
            assert ("Pairs to verify" in page) is waits


def test_the_dashboard_asks_as_often_for_twenty_projects_as_for_one(
    django_assert_num_queries: Any,
) -> None:
    owner = UserFactory()
    client = signed_in(owner)
    for number in range(20):
        project = create_project(
            name=f"Project {number}",
            protocol="scifact",
            corpus=CorpusFactory(owner=owner),
            actor=owner,
        )
        ClaimFactory(project=project, external_id="1", state=Claim.State.SUBMITTED)
        if number in {0, 19}:
            # Session, user, memberships; four counts of states; six of work;
            # what is new; disagreements with this person, of two kinds.
            with django_assert_num_queries(19):
                assert f"Project {number}" in client.get("/").content.decode()


def test_a_suspended_member_and_an_archived_project_are_not_on_the_dashboard(
    team: Team,
) -> None:
    assert team.project.name not in signed_in(team.suspended).get("/").content.decode()

    signed_in(team.admin).post(url("archive_project", team.project.slug))
    assert team.project.name not in signed_in(team.admin).get("/").content.decode()


@pytest.mark.parametrize("protocol", ["scifact", "check-covid", "core"])
def test_the_wizard_leads_from_a_choice_to_a_project(protocol: str) -> None:
    client = signed_in(UserFactory())
    choices = client.get(url("new_project")).content.decode()
    second = url("create_project", protocol)
    assert f'href="{second}"' in choices
    assert client.get(second).status_code == 200

    response = client.post(
        second, {"name": "Teas", "corpus": "new", "visibility": "private"}, follow=True
    )

    project = Project.objects.get(name="Teas")
    assert response.redirect_chain == [(url("project", project.slug), 302)]
    assert project.protocol == protocol
    assert project.corpus.name == "Teas"
    assert "To do before people can start" in response.content.decode()


def test_the_wizard_offers_only_corpora_that_one_may_change() -> None:
    owner, stranger = UserFactory(), UserFactory()
    mine = CorpusFactory(owner=owner)
    theirs = CorpusFactory(owner=stranger, visibility="public")
    client = signed_in(owner)
    page = client.get(url("create_project", "scifact")).content.decode()
    assert mine.name in page
    assert theirs.name not in page

    response = client.post(
        url("create_project", "scifact"),
        {"name": "Teas", "corpus": theirs.pk, "visibility": "private"},
    )

    assert response.status_code == 200
    assert not Project.objects.exists()


def test_the_wizard_sent_twice_leads_to_one_project() -> None:
    client = signed_in(UserFactory())
    data = {"name": "Teas", "corpus": "new", "visibility": "private"}

    places = {
        client.post(url("create_project", "core"), data)["Location"] for _ in "ab"
    }

    assert places == {url("project", Project.objects.get().slug)}
    assert Corpus.objects.count() == 1


def test_a_taken_name_is_said_on_the_page(team: Team) -> None:
    response = signed_in(team.outsider).post(
        url("create_project", "core"),
        {"name": team.project.name, "corpus": "new", "visibility": "private"},
    )

    assert "already a project with the name" in response.content.decode()


def test_the_wizard_keeps_line_ends_as_lf_and_refuses_nul() -> None:
    client = signed_in(UserFactory())
    data = {"name": "Teas", "corpus": "new", "visibility": "private"}

    refused = client.post(
        url("create_project", "core"), {**data, "description": "a\x00b"}
    )
    assert "Character 2 is a NUL character" in refused.content.decode()

    client.post(url("create_project", "core"), {**data, "description": "a\r\nb\rc"})
    assert Project.objects.get().description == "a\nb\nc"


@pytest.mark.parametrize("name", ["new_project", "create_project"])
def test_the_wizard_is_for_people_with_an_account(name: str, client: Client) -> None:
    args = ["core"] if name == "create_project" else []

    assert client.get(url(name, *args))["Location"].startswith("/accounts/login/")


def test_an_unknown_protocol_is_not_found() -> None:
    assert (
        signed_in(UserFactory()).get(url("create_project", "fever")).status_code == 404
    )


def test_members_see_their_own_work() -> None:
    team = make_team()
    fill(team)

    page = signed_in(team.annotator).get(url("project", team.project.slug))
    assert "What I wrote and judged" in page.content.decode()


def test_only_admins_see_what_is_to_do(team: Team) -> None:
    address = url("project", team.project.slug)

    assert (
        "Add abstracts to the corpus"
        in signed_in(team.admin).get(address).content.decode()
    )
    for user in (team.annotator, team.reviewer):
        assert "Add abstracts to" not in signed_in(user).get(address).content.decode()


def test_a_newcomer_is_told_to_accept_the_texts_first(team: Team) -> None:
    page = signed_in(team.newcomer).get(url("project", team.project.slug))

    assert "read and accept the consent text and the guideline" in " ".join(
        page.content.decode().split()
    )


def test_the_home_of_a_public_project_names_nobody(client: Client) -> None:
    team = make_team(visibility="public")
    fill(team)

    page = client.get(url("project", team.project.slug)).content.decode()

    assert "pairs waiting" in page
    for person in User.objects.all():
        assert person.username not in page
        assert person.email not in page


def test_names_with_markup_are_shown_as_text() -> None:
    team = make_team(name="</script><img src=x onerror=alert(1)>")

    for address in ("/", url("projects"), url("project", team.project.slug)):
        page = signed_in(team.admin).get(address).content.decode()
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page


def test_the_list_has_public_projects_and_ones_own(client: Client) -> None:
    mine, public = make_team(), make_team(name="Open teas", visibility="public")

    assert mine.project.name not in client.get(url("projects")).content.decode()
    page = signed_in(mine.annotator).get(url("projects")).content.decode()
    assert mine.project.name in page
    assert public.project.name in page


# Settings


def settings_data(team: Team, **changes: object) -> dict[str, Any]:
    """What the browser sends when nothing was touched, and then some changes."""
    page = signed_in(team.admin).get(url("project_settings", team.project.slug))
    form = page.context["form"]
    data = {name: form[name].value() for name in form.fields}
    return {
        k: v for k, v in {**data, **changes}.items() if v is not None and v is not False
    }


def save_settings(team: Team, **changes: object) -> Any:
    return signed_in(team.admin).post(
        url("project_settings", team.project.slug), settings_data(team, **changes)
    )


@pytest.mark.parametrize("protocol", ["scifact", "check-covid", "core"])
def test_saving_untouched_settings_changes_nothing(protocol: str) -> None:
    team = make_team(protocol=protocol)
    before = Event.objects.count()

    response = save_settings(team)

    assert response.status_code == 302
    assert Event.objects.count() == before


NEW_RULES: dict[str, Any] = {
    "source": "candidates",
    "writer_sees_cited_abstract": True,
    "claims_per_source": 5,
    "negation": "none",
    "rationales": "one",
    "sentence_roles": True,
    "generates_not_enough_info": True,
    "verifier": "anyone",
    "split_unit": "abstract",
    "max_rationales": 4,
    "max_rationale_sentences": 5,
    "max_claim_words": 30,
    "judgements_per_pair": 2,
    "reannotation_share": 0.25,
    "is_blind": False,
    "hides_author_in_review": True,
    "has_peer_review": False,
    "has_assigned_reviewer": True,
    "has_final_proofreading": True,
    "quiz_questions": 0,
    "daily_quota": 50,
    "lease_minutes": 60,
    "null_result_rule": "No effect contradicts.",
    "suggestion_policy": "on_demand",
    "suggestion_control_share": 0.5,
    "suggestion_system": "trained-here",
}


def test_every_line_of_the_protocol_can_be_changed(team: Team) -> None:
    rules = team.project.rules
    assert {*NEW_RULES, "split_shares"} == rules.to_json().keys()
    assert all(rules.to_json()[name] != value for name, value in NEW_RULES.items())

    response = save_settings(
        team,
        **NEW_RULES | {"reannotation_share": "25", "suggestion_control_share": "50"},
        train_share="70",
        dev_share="10",
        test_share="20",
    )

    assert response.status_code == 302
    saved = Project.objects.get(pk=team.project.pk).rules
    assert saved == replace(rules, **NEW_RULES, split_shares=(0.7, 0.1, 0.2))


def test_names_words_and_visibility_can_be_changed(team: Team) -> None:
    save_settings(
        team,
        name="Teas",
        description="a\r\nb",
        visibility="public",
        word_SUPPORT="YES",
        word_MIXED="BOTH",
        word_NOT_ENOUGH_INFO="",
    )

    project = Project.objects.get(pk=team.project.pk)
    assert (project.name, project.description) == ("Teas", "a\nb")
    assert project.visibility == "public"
    assert [(c.label, c.word) for c in project.labels] == [
        ("SUPPORT", "YES"),
        ("CONTRADICT", "REFUTES"),
        ("MIXED", "BOTH"),
    ]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "required"),
        ("claims_per_source", "0", "greater than or equal to 1"),
        ("claims_per_source", "two", "whole number"),
        ("max_claim_words", "4", "greater than or equal to 5"),
        ("reannotation_share", "101", "less than or equal to 100"),
        ("reannotation_share", "nan", "number"),
        ("test_share", "30", "add up to 1"),
        ("verifier", "nobody", "valid choice"),
        ("word_SUPPORT", "REFUTES", "same word"),
        ("lease_minutes", "9" * 30, "less than or equal to"),
    ],
)
def test_a_bad_value_is_said_at_its_field(
    field: str, value: str, message: str, team: Team
) -> None:
    response = save_settings(team, **{field: value})

    assert response.status_code == 200
    assert message in " ".join(response.context["form"].errors[field])
    assert Project.objects.get(pk=team.project.pk).rules == team.project.rules


def test_two_labels_at_least_need_a_word(team: Team) -> None:
    response = save_settings(team, word_SUPPORT="", word_CONTRADICT="")

    assert "At least two labels" in response.content.decode()


def test_settings_of_two_tabs_do_not_overwrite_each_other(team: Team) -> None:
    stale = settings_data(team, name="From the first tab")
    save_settings(team, description="From the second tab")

    response = signed_in(team.admin).post(
        url("project_settings", team.project.slug), stale
    )

    assert "Somebody else has changed these settings" in response.content.decode()
    assert Project.objects.get(pk=team.project.pk).name == team.project.name


def test_archiving_and_restoring(team: Team) -> None:
    client = signed_in(team.admin)

    client.post(url("archive_project", team.project.slug))
    page = client.get(url("project_settings", team.project.slug)).content.decode()
    assert "Restore the project" in page

    client.post(url("restore_project", team.project.slug))
    assert Project.objects.get(pk=team.project.pk).archived_at is None


# Permissions: everything that only admins do, and what others get.

ADMIN_PAGES = [
    ("GET", "project_settings"),
    ("POST", "project_settings"),
    ("POST", "archive_project"),
    ("POST", "restore_project"),
]


@pytest.mark.parametrize(("method", "name"), ADMIN_PAGES)
@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("reviewer", 403),
        ("annotator", 403),
        ("read_only", 403),
        ("suspended", 404),
        ("outsider", 404),
    ],
)
def test_only_admins_change_a_project(
    method: str, name: str, role: str, status: int, team: Team
) -> None:
    client = signed_in(getattr(team, role))

    response = client.generic(method, url(name, team.project.slug))

    assert response.status_code == status


@pytest.mark.parametrize(("method", "name"), ADMIN_PAGES)
def test_a_stranger_is_asked_to_sign_in(
    method: str, name: str, team: Team, client: Client
) -> None:
    response = client.generic(method, url(name, team.project.slug))

    assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("POST", "dashboard"),
        ("POST", "projects"),
        ("POST", "new_project"),
        ("PUT", "create_project"),
        ("POST", "project"),
        ("DELETE", "project_settings"),
        ("GET", "archive_project"),
        ("GET", "restore_project"),
    ],
)
def test_a_wrong_method_is_refused(method: str, name: str, team: Team) -> None:
    args: dict[str, list[object]] = {
        "dashboard": [],
        "projects": [],
        "new_project": [],
        "create_project": ["core"],
    }
    address = url(name, *args.get(name, [team.project.slug]))

    assert signed_in(team.admin).generic(method, address).status_code == 405


def test_a_private_project_does_not_exist_for_an_outsider(team: Team) -> None:
    for user in (team.outsider, team.suspended):
        page = signed_in(user).get(url("project", team.project.slug))
        assert page.status_code == 404


def test_the_first_admin_of_a_project_is_its_creator(team: Team) -> None:
    assert add_member(
        project=team.project, user=UserFactory(), stages=["admin"], actor=team.admin
    ).allows("admin")
    assert Membership.objects.get(project=team.project, user=team.admin).allows("admin")
    assert not Source.objects.exists()


def test_the_dashboard_says_what_is_the_whole_project_and_what_is_mine() -> None:
    team = make_team(citances=2)
    fill(team)
    page = " ".join(signed_in(team.annotator).get("/").content.decode().split())

    assert '<th scope="colgroup" colspan="2">For you</th>' in page
    groups = page.index("In the whole project, for everybody")
    assert groups < page.index("Continue with") < page.index("Pairs open")
    # One <col> group for each head, in which its columns stand.
    assert '<colgroup span="2"></colgroup> <colgroup span="4"></colgroup>' in page


@pytest.mark.parametrize(
    ("protocol", "stages"),
    [
        (
            "scifact",
            ["Write", "Proofread", "Negate", "Verify", "Review", "Adjudicate"],
        ),
        ("check-covid", ["Write", "Proofread", "Verify", "Review", "Adjudicate"]),
        ("core", ["Write", "Proofread", "Verify", "Review", "Adjudicate"]),
    ],
)
def test_negating_is_on_the_path_where_it_is_a_step(
    protocol: str, stages: list[str]
) -> None:
    team = make_team(protocol=protocol)
    response = signed_in(team.annotator).get(url("project", team.project.slug))

    assert [stage.label for stage in response.context["path"]] == stages


def test_the_path_counts_claims_to_negate_and_negations_that_stand(
    team: Team, django_assert_num_queries: Any
) -> None:
    approved = Claim.State.APPROVED
    original, _ = (ClaimFactory(project=team.project, state=approved) for _ in "ab")
    ClaimFactory(project=team.project, state=Claim.State.SUBMITTED)
    ClaimFactory(project=team.project, state=approved, negates=original)
    fallen = ClaimFactory(project=team.project, state=approved)
    ClaimFactory(project=team.project, state=Claim.State.REJECTED, negates=fallen)
    page = signed_in(team.annotator).get(url("project", team.project.slug))

    stage = page.context["path"][2]
    # The second original, and the one whose negation was rejected.
    assert (stage.waiting, stage.waits_for) == (2, "claims without a negation")
    assert (stage.passed, stage.passed_as) == (1, "negations")
    assert stage.page == "annotation:negate_claims"
    counts = count_states([team.project.pk])[team.project.pk]
    access = get_project(team.admin, team.project.slug)
    with django_assert_num_queries(2):
        path_of_a_data_point(access, counts)
