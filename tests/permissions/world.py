"""A small world that every walk over the site's addresses starts from.

``A`` is the private project that people of all roles act in, ``B`` a private project
of other people, ``P`` a public one, ``Z`` an archived one of A's admin, ``K`` one of
theirs about hypotheses. Everything is made by the services.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from django.utils import timezone

from annotation.access import get_project
from annotation.models import (
    Claim,
    Comment,
    Membership,
    Pair,
    Project,
    Question,
    ReannotationSample,
    Review,
    Skip,
    Source,
    Stage,
)
from annotation.services.adjudications import (
    Ruling,
    adjudicate_pair,
    seen_answers,
)
from annotation.services.bulk import act_on_many
from annotation.services.claim_reviews import approve_claim, request_claim_changes
from annotation.services.claims import Draft, write_claims
from annotation.services.flags import flag_pair
from annotation.services.judgement_reviews import (
    approve_judgement,
    request_judgement_changes,
)
from annotation.services.leases import skip_item, take_away, take_item
from annotation.services.members import add_member, create_invitation
from annotation.services.negations import negate_claim
from annotation.services.notices import notify
from annotation.services.projects import archive_project, create_project
from annotation.services.questions import StudyInput, add_question
from annotation.services.reassignments import hand_over_claim
from annotation.services.reviews import Remark
from annotation.services.saved_filters import save_filter
from annotation.services.settling import standing
from annotation.services.sources import skip_source
from annotation.services.work_sessions import (
    correct_session,
    pause_session,
    start_session,
    stop_session,
)
from corpus.models import ApiToken, Citation, Corpus, Job, StoredFile, User
from corpus.models.library import Visibility
from corpus.records import ClaimKind, Label
from corpus.tokens import create_token
from tests.annotation.work import CONTRADICT, judged
from tests.factories import (
    CorpusFactory,
    DocumentFactory,
    Team,
    UserFactory,
    make_team,
)
from tests.verification.board import (
    checked,
    make_benchmark,
    make_gold_set,
    make_phase,
    published,
    scored,
    upload,
)
from tests.verification.checks import kept_check, make_check
from tests.verification.entries import make_entry
from verification.models import ClaimBatch, Phase, Submission
from verification.organiser_links import token_of
from verification.services.benchmarks import add_organiser
from verification.services.evidence_keeping import mark_abstract
from verification.services.submissions import withdraw
from verification.services.teams import create_team

# The columns of the table, in their order.
ROLES = {
    "anon": "not signed in",
    "outs": "signed in, a member of nothing",
    "read": "member without any permission",
    "anno": "annotator: the author of A's claims",
    "othr": "another annotator: the author of A's judgements",
    "revi": "reviewer: proofreads, reviews, adjudicates",
    "admn": "admin, with every permission",
    "xadm": "admin of project B",
    "susp": "suspended annotator of A; in P a suspended admin",
    "newc": "annotator who has not accepted the texts yet",
    "supr": "superuser who is a member of nothing",
}

TABLE = b"Title,Abstract\nTea,Tea was drunk. Knees rested.\n"


@dataclass(slots=True)
class World:
    """The people by role, a signed-in session for each, and the objects by name."""

    people: dict[str, User | None]
    teams: dict[str, Team]
    objects: dict[str, str | int]
    sessions: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def find(self, name: str) -> str | int:
        """The key of an object; any other word is taken as it stands."""
        if "." in name:
            return self.objects[name]
        return self.objects.get(name, name)

    def client(self, role: str) -> Client:
        """A browser in which this role is signed in."""
        client = Client(raise_request_exception=False)
        person = self.people[role]
        if person is None:
            return client
        if role not in self.sessions:
            client.force_login(person)
            self.sessions[role] = client.cookies["sessionid"].value
        client.cookies.load({"sessionid": self.sessions[role]})
        return client


@contextmanager
def rolled_back() -> Iterator[None]:
    """Take back whatever the block writes."""
    block = transaction.atomic()
    # As Django's own TestCase does: code that must be outermost then takes this
    # block for the outside.
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        try:
            yield
        finally:
            transaction.set_rollback(True)


def make_world(*, board: Callable[..., Phase] = make_phase) -> World:
    """Make the world; call it inside ``rolled_back``.

    ``board`` adds a phase with hidden gold to a benchmark.
    """
    a = make_team(name="Herbal medicine", citances=11)
    b = make_team(name="Sleep", citances=11)
    p = make_team(name="Open data", citances=11, visibility=Visibility.PUBLIC)
    _suspend_in(p, a.suspended)
    Corpus.objects.filter(pk=p.corpus.pk).update(visibility=Visibility.PUBLIC)
    z = _archived(a)
    world = World(
        people={
            "anon": None,
            "outs": a.outsider,
            "read": a.read_only,
            "anno": a.annotator,
            "othr": a.other_annotator,
            "revi": a.reviewer,
            "admn": a.admin,
            "xadm": b.admin,
            "susp": a.suspended,
            "newc": a.newcomer,
            "supr": UserFactory(is_superuser=True, is_staff=True),
        },
        teams={"A": a, "B": b, "P": p},
        objects={
            "A": a.project.slug,
            "B": b.project.slug,
            "P": p.project.slug,
            "Z": z.slug,
            "K": _review(a).slug,
            "corpusA": a.corpus.slug,
            "corpusB": b.corpus.slug,
            "corpusP": p.corpus.slug,
            "P.article": p.corpus.articles.earliest("pk").pk,
            "P.document": p.corpus.documents.earliest("pk").pk,
            "Z.check": _table_job(a.admin, z.corpus, "check_documents").token,
            **_data_set_checks("Z", a.admin, z),
        },
    )
    _do_work(world, "P")
    for name in ("A", "B"):
        _do_work(world, name)
        _question(world, name)
        _own_files(world, name)
        _people(world, name)
        _library(world, name)
        _times(world, name)
        _queue(world, name)
        _oversight(world, name)
        _benchmark(world, name, board)
        _evidence(world, name)
    for role, person in world.people.items():
        world.client(role)
        if person is not None:
            _, world.keys[role] = create_token(
                user=person, name="walk", scopes=ApiToken.Scope.values
            )
    return world


def _benchmark(world: World, name: str, board: Callable[..., Phase]) -> None:
    """A benchmark of the project's admin: A's is private, B's is public."""
    team = world.teams[name]
    benchmark = make_benchmark(
        team.admin,
        name=f"Benchmark {name}",
        visibility=Visibility.PUBLIC if name == "B" else Visibility.PRIVATE,
    )
    phase = board(benchmark, shows=Phase.Shows.OVERALL)
    make_entry(phase, submitter=team.annotator, description="Invented.")
    make_entry(
        phase,
        submitter=team.read_only,
        standing="disqualified",
        reason="Copied.",
        score={"scorer_version": "0.9"},
    )
    second = UserFactory()
    add_organiser(token=token_of(benchmark), person=second)
    crew = create_team(
        name=f"Crew {name}", founder=team.annotator if name == "A" else team.admin
    )
    world.objects |= {
        f"{name}.crew": crew.pk,
        f"{name}.crew_link": crew.token,
        f"{name}.second_organiser": second.pk,
        f"{name}.organisers_link": token_of(benchmark),
        f"{name}.spare_gold": make_gold_set(team.admin, benchmark=benchmark).pk,
        f"{name}.benchmark": benchmark.slug,
        f"{name}.phase": phase.number,
        f"{name}.claims_file": phase.gold_set.claims.token,
        f"{name}.gold_file": phase.gold_set.gold.token,
        # The annotator's: checked, scored, and on the board.
        f"{name}.upload": checked(upload(phase, team.annotator)).token,
        f"{name}.scored": scored(upload(phase, team.annotator)).token,
        f"{name}.entry": published(upload(phase, team.annotator)).token,
        f"{name}.withdrawn": _withdrawn(published(upload(phase, team.annotator))),
    }


def _evidence(world: World, name: str) -> None:
    """Answers in P's corpus; those of B are in one that is no longer public."""
    team = world.teams[name]
    corpus = world.teams["P" if name == "A" else name].corpus
    batch = ClaimBatch.objects.create(
        name=f"Claims {name}", owner=team.annotator, corpus=corpus, system="plain"
    )
    member = kept_check(corpus=corpus, batch=batch, position=1, external_id="a")
    for rater in (team.annotator, team.other_annotator):
        mark_abstract(check=member, document="11", rater=rater, is_plausible=True)
    world.objects |= {
        f"{name}.saved": kept_check(corpus=corpus, asked_by=team.annotator).token,
        f"{name}.fresh_check": make_check(corpus, asked_by=team.annotator).token,
        f"{name}.batch": batch.token,
    }


def _withdrawn(entry: Submission) -> str:
    withdraw(submission=entry, actor=entry.submitter)
    return entry.token


def _suspend_in(team: Team, user: User) -> None:
    add_member(
        project=team.project,
        user=user,
        stages=list(Stage),
        actor=team.admin,
        state=Membership.State.SUSPENDED,
    )


def _review(team: Team) -> Project:
    """A project of hypotheses, in which an expert's label waits to be taken over."""
    project = create_project(
        name="Teas and knees",
        protocol="core",
        corpus=CorpusFactory(owner=team.admin),
        actor=team.admin,
    )
    add_member(
        project=project,
        user=team.annotator,
        stages=[Stage.WRITE, Stage.VERIFY],
        actor=team.admin,
        state=Membership.State.TRUSTED,
    )
    document = DocumentFactory(corpus=project.corpus)
    source = add_question(
        project=project,
        question=Question(review="Teas", text="Does mint tea ease knee pain?"),
        studies=[StudyInput(document, "Less pain", Label.SUPPORT)],
        actor=team.admin,
    )
    (claim,) = write_claims(
        source=source,
        author=team.annotator,
        drafts=[Draft("Mint tea eases knee pain.", ClaimKind.HYPOTHESIS)],
        submission_key=uuid.uuid4(),
    )
    approve_claim(claim=claim, reviewer=team.admin, expected_version=1)
    return project


def _archived(team: Team) -> Project:
    project = create_project(
        name="Old herbs",
        protocol="scifact",
        corpus=CorpusFactory(owner=team.admin),
        actor=team.admin,
    )
    add_member(
        project=project,
        user=team.annotator,
        stages=[Stage.WRITE, Stage.VERIFY],
        actor=team.admin,
        state=Membership.State.TRUSTED,
    )
    archive_project(project=project, actor=team.admin)
    return project


def _do_work(world: World, name: str) -> None:
    """Make one object in each state that a page cares about."""
    team = world.teams[name]
    annotator, other, reviewer = team.annotator, team.other_annotator, team.reviewer

    def write(author: User, text: str) -> Claim:
        source = team.project.sources.filter(state="open").order_by("position")[0]
        (claim,) = write_claims(
            source=source,
            author=author,
            drafts=[Draft(text, ClaimKind.COMPOSED)],
            submission_key=uuid.uuid4(),
        )
        return claim

    def pair(author: User, text: str) -> Pair:
        claim = write(author, text)
        approve_claim(claim=claim, reviewer=reviewer, expected_version=1)
        return claim.pairs.get()

    submitted = write(annotator, "Nettle tea is safe.")
    returned = request_claim_changes(
        claim=write(annotator, "It helps."),
        reviewer=reviewer,
        reason_code="no_context",
        note="What helps?",
        expected_version=1,
    )
    disputed = _disputed(team, pair(annotator, "Tea in the evening eases pain."))
    settled = _disputed(team, pair(annotator, "Tea in the morning eases pain."))
    judgements = list(standing(settled.judgements.all()))
    adjudication = adjudicate_pair(
        pair=settled,
        adjudicator=reviewer,
        ruling=Ruling(judgements[0], None, seen_answers(judgements)),
        submission_key=uuid.uuid4(),
    )
    returned_judgement = request_judgement_changes(
        judgement=judged(pair(annotator, "Nettle tea eases knee pain."), other),
        reviewer=reviewer,
        reason_code="missing_rationale",
        note="See the second sentence.",
        expected_version=1,
        remarks=[Remark(Comment.Part.SENTENCE, "This one.", 1)],
    )
    judgement = judged(pair(annotator, "Gardeners drink nettle tea."), other)
    others_pair = pair(other, "A year of tea changes nothing.")
    negation = negate_claim(
        original=judgement.pair.claim,
        author=annotator,
        text="Gardeners avoid nettle tea.",
        submission_key=uuid.uuid4(),
    )
    world.objects |= {
        # Approved and without a negation.
        f"{name}.negatable": others_pair.claim_id,
        f"{name}.negation": negation.pk,
        f"{name}.submitted": submitted.pk,
        f"{name}.returned": returned.pk,
        f"{name}.disputed": disputed.pk,
        f"{name}.adjudication": adjudication.pk,
        f"{name}.returned_judgement": returned_judgement.pk,
        f"{name}.judgement": judgement.pk,
        f"{name}.claim_review": _last_review(claim_version__claim=returned),
        f"{name}.judgement_review": _last_review(
            judgement_version__judgement=returned_judgement
        ),
        f"{name}.judged_pair": judgement.pair_id,
        # Open for the other annotator: the annotator wrote its claim.
        f"{name}.pair": pair(annotator, "Half of the gardeners drank tea.").pk,
        # Open for the annotator.
        f"{name}.others_pair": others_pair.pk,
        f"{name}.others_claim": write(other, "Tea is popular.").pk,
    }
    flag = flag_pair(user=other, pair=judgement.pair, note="Which tea?")
    world.objects[f"{name}.flag"] = flag.pk
    open_sources = team.project.sources.filter(state="open").order_by("position")
    closed = Source.objects.filter(claims=submitted).get()
    world.objects |= {
        f"{name}.source": open_sources[0].pk,
        f"{name}.closed_source": closed.pk,
        f"{name}.skipped_source": open_sources[1].pk,
    }
    skip_source(source=open_sources[1], actor=annotator, reason="No finding.")


def _disputed(team: Team, pair: Pair) -> Pair:
    """Two annotators disagree; the first one's answer is approved."""
    Pair.objects.filter(pk=pair.pk).update(judgements_wanted=2)
    first = judged(pair, team.other_annotator)
    judged(pair, team.newcomer, CONTRADICT)
    approve_judgement(judgement=first, reviewer=team.reviewer, expected_version=1)
    pair.refresh_from_db()
    return pair


def _question(world: World, name: str) -> None:
    """A research question with a study of its own, still without a hypothesis."""
    team = world.teams[name]
    source = add_question(
        project=team.project,
        question=Question(review="Teas", text="Does nettle tea ease knee pain?"),
        studies=[StudyInput(DocumentFactory(corpus=team.corpus), "No difference")],
        actor=team.admin,
    )
    assert source.question_id is not None
    world.objects[f"{name}.question"] = source.question_id


def _last_review(**about: object) -> int:
    return Review.objects.filter(**about).latest("pk").pk


def _people(world: World, name: str) -> None:
    """Members in each state, an invitation, and a token of the annotator."""
    team = world.teams[name]
    invitation, link = create_invitation(
        project=team.project,
        stages=[Stage.WRITE],
        max_uses=5,
        expires_at=timezone.now() + timedelta(days=7),
        note="The lab.",
        actor=team.admin,
    )
    on_probation = add_member(
        project=team.project, user=UserFactory(), stages=[], actor=team.admin
    )
    token, _ = create_token(
        user=team.annotator, name="lab server", scopes=["read"], expires_at=None
    )
    notices = notify(
        users=[team.annotator, team.other_annotator],
        project=team.project,
        kind="other",
        text="Something new.",
    )
    world.objects |= {
        f"{name}.notice": notices[0].pk,
        f"{name}.member": team.membership(team.read_only).pk,
        f"{name}.suspended_member": team.membership(team.suspended).pk,
        f"{name}.probation_member": on_probation.pk,
        f"{name}.invitation": invitation.pk,
        f"{name}.invitation_token": link,
        f"{name}.token": token.pk,
        f"{name}.person": on_probation.user_id,
    }


def _oversight(world: World, name: str) -> None:
    """A kept filter, and what can be undone: a change of many, a claim given away.

    The sample has no pairs: drawing one would change what the others may judge.
    """
    team = world.teams[name]
    given = Claim.objects.get(pk=world.objects[f"{name}.returned"])
    for person in (team.other_annotator, team.annotator):
        given = hand_over_claim(claim=given, person=person, actor=team.admin)
    access = get_project(team.admin, team.project.slug)
    claim = int(world.objects[f"{name}.others_claim"])
    bulk = act_on_many(
        access=access, noun="claim", item_ids=[claim], action="priority", priority=1
    )
    saved = save_filter(
        project=team.project,
        owner=team.admin,
        name="Waiting",
        query={"state": "submitted"},
        is_shared=True,
    )
    sample = ReannotationSample.objects.create(
        project=team.project,
        name="Re-annotation 1",
        seed=1,
        drawn_by=team.admin,
        drawn_at=timezone.now(),
    )
    world.objects |= {
        f"{name}.sample": sample.pk,
        f"{name}.bulk": bulk.pk,
        f"{name}.filter": saved.pk,
        f"{name}.given": given.pk,
    }


def _times(world: World, name: str) -> None:
    """A running session, one with a break, and one that was corrected."""
    team, now = world.teams[name], timezone.now()
    ended = stop_session(
        session=start_session(project=team.project, person=team.annotator)
    )
    correct_session(
        session=ended,
        started_at=now - timedelta(days=2, hours=3),
        ended_at=now - timedelta(days=2),
        break_length=timedelta(minutes=30),
        reason="I forgot to start the clock.",
    )
    running = start_session(project=team.project, person=team.annotator)
    paused = pause_session(
        session=start_session(project=team.project, person=team.other_annotator)
    )
    world.objects |= {
        f"{name}.ended_session": ended.pk,
        f"{name}.session": running.pk,
        f"{name}.paused_session": paused.pk,
        f"{name}.guideline": team.guideline.pk,
    }


def _queue(world: World, name: str) -> None:
    """A claim in the annotator's hands, one that was released, and a skip."""
    team = world.teams[name]
    claims = Claim.objects.filter(project=team.project, state=Claim.State.APPROVED)
    held = claims.get(text="Nettle tea eases knee pain.")
    freed = claims.get(text="Half of the gardeners drank tea.")
    lease = take_item(
        access=get_project(team.annotator, team.project.slug),
        stage=Stage.NEGATE,
        item_id=held.pk,
    )
    others = take_item(
        access=get_project(team.other_annotator, team.project.slug),
        stage=Stage.NEGATE,
        item_id=freed.pk,
    )
    release = take_away(lease=others, actor=team.admin)
    assert release is not None
    skip_item(
        access=get_project(team.reviewer, team.project.slug),
        stage=Stage.REVIEW,
        item_id=int(world.objects[f"{name}.judgement"]),
        reason="Too far from my field.",
    )
    world.objects |= {
        f"{name}.lease": lease.pk,
        f"{name}.release": release.pk,
        f"{name}.skip": Skip.objects.get(project=team.project).pk,
    }


def _library(world: World, name: str) -> None:
    """Abstracts that are seen, hidden and missing, and a spreadsheet of the admin."""
    team = world.teams[name]
    source = Source.objects.get(pk=world.objects[f"{name}.source"])
    empty = DocumentFactory(
        corpus=team.corpus,
        position=10_000,
        sentences=[],
        has_abstract=False,
        content_hash="empty",
    )
    pair = Pair.objects.get(pk=world.objects[f"{name}.judged_pair"])
    table = StoredFile.objects.create(
        name="own.csv",
        file=ContentFile(TABLE, name="own.csv"),
        sha256="0" * 64,
        size=len(TABLE),
        owner=team.admin,
    )
    world.objects |= {
        f"{name}.document": pair.document_id,
        f"{name}.hidden_document": Citation.objects.get(
            citance=source.citance
        ).document_id,
        f"{name}.empty_document": empty.pk,
        f"{name}.article": team.corpus.articles.earliest("pk").pk,
        f"{name}.table": table.token,
        f"{name}.check": _table_job(team.admin, team.corpus, "check_documents").token,
        f"{name}.import": _table_job(team.admin, team.corpus, "import_documents").token,
    }
    world.objects |= _data_set_checks(name, team.admin, team.project)


def _data_set_checks(name: str, owner: User, project: Project) -> dict[str, str]:
    """Finished dry runs of files of published formats."""
    formats = {
        "documents": "scifact",
        "articles": "citances",
        "claims": "scifact",
        "studies": "csv",
    }
    place = {"corpus": project.corpus_id, "project": project.pk}
    return {
        f"{name}.{noun}_check": _finished_job(
            owner, f"check_{noun}", {**place, "format": fmt}
        ).token
        for noun, fmt in formats.items()
    }


def _table_job(owner: User, corpus: Corpus, kind: str) -> Job:
    """A finished check or import of a spreadsheet."""
    payload = {"corpus": corpus.pk, "mapping": {"title": "Title"}, "sheet": None}
    return _finished_job(owner, kind, payload)


def _finished_job(owner: User, kind: str, payload: dict[str, object]) -> Job:
    stored = StoredFile.objects.create(
        name="own.csv",
        file=ContentFile(TABLE, name="own.csv"),
        sha256="0" * 64,
        size=len(TABLE),
        owner=owner,
    )
    report = dict.fromkeys(("identical", "changed", "kept", "retired", "errors"), 0)
    return Job.objects.create(
        kind=kind,
        owner=owner,
        state=Job.State.DONE,
        payload={**payload, "file": stored.pk},
        result={"report": {"new": 1, **report}, "counts": {"new": 1}},
    )


def _own_files(world: World, name: str) -> None:
    """A waiting job and a private file of the annotator."""
    team = world.teams[name]
    job = Job.objects.create(
        kind="import_claims", owner=team.annotator, project_id=team.project.pk
    )
    stored = StoredFile.objects.create(
        name="claims.jsonl",
        file=ContentFile(b"{}\n", name="claims.jsonl"),
        sha256="0" * 64,
        size=3,
        owner=team.annotator,
        project_id=team.project.pk,
    )
    world.objects |= {f"{name}.job": job.token, f"{name}.file": stored.token}
