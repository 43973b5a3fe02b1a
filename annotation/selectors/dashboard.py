"""Counts per state and what waits for a person, over any number of projects.

The number of queries does not depend on the number of projects.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet, TextChoices
from django.db.models.expressions import Combinable

from annotation.access import (
    ACTIVE_STATES,
    ProjectAccess,
    queued_pairs,
    verifier_condition,
)
from annotation.models import (
    Claim,
    ClaimVersion,
    Judgement,
    Membership,
    Pair,
    Project,
    Source,
    Stage,
)
from annotation.protocols import NegationStep, SourceKind, Verifier
from annotation.selectors.adjudicating import disputed_by_others
from annotation.selectors.second_opinions import held_back
from annotation.selectors.work import negatable_claims
from annotation.services.negations import FALLEN
from corpus.models import User

StateCounts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """How many rows of a project are in which state."""

    sources: StateCounts
    claims: StateCounts
    pairs: StateCounts
    judgements: StateCounts


@dataclass(frozen=True, slots=True)
class Waiting:
    """One kind of work that somebody could do now: where, what, how much."""

    page: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class DashboardRow:
    """One project of a person."""

    membership: Membership
    counts: ProjectCounts
    waiting: tuple[Waiting, ...]

    @property
    def project(self) -> Project:
        """The project of the membership."""
        return self.membership.project


def dashboard(user: User) -> list[DashboardRow]:
    """Return a person's projects by name: archived ones are left out."""
    memberships = list(
        Membership.objects.filter(
            user=user, state__in=ACTIVE_STATES, project__archived_at=None
        )
        .select_related("project")
        .order_by("project__name")
    )
    projects = [membership.project for membership in memberships]
    counts = count_states([project.pk for project in projects])
    waiting = count_waiting(user, memberships)
    return [
        DashboardRow(
            membership=membership,
            counts=counts[membership.project_id],
            waiting=_allowed(membership, waiting[membership.project_id]),
        )
        for membership in memberships
    ]


def count_states(projects: Iterable[int]) -> dict[int, ProjectCounts]:
    """Return the counts per state of each project, in four queries."""
    ids = list(projects)
    sources = _per_state(Source.objects.filter(project__in=ids), "project")
    claims = _per_state(Claim.objects.filter(project__in=ids), "project")
    pairs = _per_state(Pair.objects.filter(project__in=ids), "project")
    judgements = _per_state(
        Judgement.objects.filter(pair__project__in=ids), "pair__project"
    )
    return {
        pk: ProjectCounts(sources[pk], claims[pk], pairs[pk], judgements[pk])
        for pk in ids
    }


def _per_state(rows: QuerySet[Any], project: str) -> dict[int, dict[str, int]]:
    counts: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for pk, state, number in (
        rows.order_by().values_list(project, "state").annotate(Count("pk"))
    ):
        counts[pk][state] = number
    return counts


# What a member with a stage may do next; the counts are those of ``count_waiting``.
WORK: tuple[tuple[str, Stage, str, str], ...] = (
    ("returned_claims", Stage.WRITE, "write_claims", "Claims that came back"),
    (
        "returned_negations",
        Stage.NEGATE,
        "negate_claims",
        "Negations that came back",
    ),
    (
        "returned_judgements",
        Stage.VERIFY,
        "verify_pairs",
        "Judgements that came back",
    ),
    ("sources", Stage.WRITE, "write_claims", "Sources to write from"),
    ("claims", Stage.PROOFREAD, "proofread_claims", "Claims to proofread"),
    ("negations", Stage.NEGATE, "negate_claims", "Claims to negate"),
    ("pairs", Stage.VERIFY, "verify_pairs", "Pairs to verify"),
    ("judgements", Stage.REVIEW, "review_judgements", "Judgements to review"),
    (
        "disputes",
        Stage.ADJUDICATE,
        "adjudicate_pairs",
        "Pairs to adjudicate",
    ),
)


def count_waiting(
    user: User, memberships: Sequence[Membership]
) -> dict[int, dict[str, int]]:
    """Return for each project how much of each kind of work waits, in eight queries.

    A person's own claims and judgements never wait for that person, nor do pairs
    that the project's rule about verifiers keeps from them, nor judgements of pairs
    that they may still judge themselves.
    """
    projects = [membership.project for membership in memberships]
    ids = [project.pk for project in projects]
    negating = [
        project.pk
        for project in projects
        if project.rules.negation is NegationStep.SEPARATE
    ]
    returned = _returned(Claim, "project", ids).filter(author=user)
    apart = Q(project__in=negating, negates__isnull=False)
    kinds = {
        "returned_claims": returned.exclude(apart),
        "returned_negations": returned.filter(apart),
        "returned_judgements": _returned(Judgement, "pair__project", ids).filter(
            annotator=user
        ),
        "sources": Source.objects.filter(project__in=ids, state=Source.State.OPEN),
        "claims": _claims_of_others(user, ids).exclude(
            pk__in=held_back(user, ids, Stage.PROOFREAD)
        ),
        "negations": negatable_claims().filter(project__in=negating),
        "pairs": _pairs_to_verify(user, projects),
        "judgements": Judgement.objects.filter(
            pair__project__in=ids, state=Judgement.State.SUBMITTED
        )
        .exclude(annotator=user)
        .exclude(pair__in=_pairs_to_verify(user, _blind_in(memberships)))
        .exclude(pk__in=held_back(user, ids, Stage.REVIEW)),
        "disputes": disputed_by_others(user).filter(project__in=ids),
    }
    counts: dict[int, dict[str, int]] = {pk: {} for pk in ids}
    for kind, rows in kinds.items():
        project = "pair__project" if rows.model is Judgement else "project"
        for pk, number in (
            rows.order_by().values_list(project).annotate(Count("pk", distinct=True))
        ):
            counts[pk][kind] = number
    return counts


def _blind_in(memberships: Iterable[Membership]) -> list[Project]:
    """The projects in which the member may judge pairs without knowing of others."""
    return [
        member.project
        for member in memberships
        if member.project.rules.is_blind
        and member.allows(Stage.VERIFY)
        and not member.allows(Stage.ADMIN)
    ]


def _returned(model: type[Model], project: str, ids: list[int]) -> QuerySet[Any]:
    return model._default_manager.filter(
        **{f"{project}__in": ids, "state": "changes_requested"}
    )


def _claims_of_others(user: User, ids: list[int]) -> QuerySet[Claim]:
    mine = ClaimVersion.objects.filter(claim=OuterRef("pk"), author=user)
    return Claim.objects.filter(
        ~Exists(mine), project__in=ids, state=Claim.State.SUBMITTED
    ).exclude(author=user)


def _pairs_to_verify(user: User, projects: Iterable[Project]) -> QuerySet[Pair]:
    """Every project has its own rule about verifiers: one condition for each rule."""
    by_rule: dict[Verifier, list[int]] = defaultdict(list)
    for project in projects:
        by_rule[project.rules.verifier].append(project.pk)
    allowed: Q | Combinable = Q(pk__in=[])
    for rule, ids in by_rule.items():
        allowed |= Q(project__in=ids) & verifier_condition(rule, user)
    return queued_pairs(user).filter(allowed)


def _allowed(membership: Membership, counts: Mapping[str, int]) -> tuple[Waiting, ...]:
    """Return the work that the member's permissions allow and that exists."""
    return tuple(
        Waiting(f"annotation:{url_name}", label, counts[kind])
        for kind, stage, url_name, label in WORK
        if membership.allows(stage) and counts.get(kind)
    )


def waiting_for(access: ProjectAccess) -> tuple[Waiting, ...]:
    """Return the work in one project that the user could do now."""
    if access.membership is None or access.project.archived_at is not None:
        return ()
    counts = count_waiting(access.account, [access.membership])
    return _allowed(access.membership, counts[access.project.pk])


def waiting_elsewhere(access: ProjectAccess, page: str) -> tuple[Waiting, ...]:
    """Return the work in one project that waits on other pages than this one."""
    here = f"annotation:{page}"
    return tuple(work for work in waiting_for(access) if work.page != here)


@dataclass(frozen=True, slots=True)
class PathStage:
    """One stage on the path of a data point: what waits there, what has passed."""

    label: str
    waiting: int
    waits_for: str
    passed: int
    passed_as: str
    page: str


# Label, permission, page; then the noun with the state that waits and the words for
# it, and the states that are through with the words for them.
PATH: tuple[tuple[str, Stage, str, str, str, str, tuple[str, ...], str], ...] = (
    (
        "Write",
        Stage.WRITE,
        "write_claims",
        "sources",
        "open",
        "sources waiting",
        ("done",),
        "written",
    ),
    (
        "Proofread",
        Stage.PROOFREAD,
        "proofread_claims",
        "claims",
        "submitted",
        "claims waiting",
        ("approved", "imported"),
        "approved or imported",
    ),
    (
        "Verify",
        Stage.VERIFY,
        "verify_pairs",
        "pairs",
        "open",
        "pairs waiting",
        ("judged", "changes_requested", "disputed", "approved", "imported"),
        "judged or imported",
    ),
    (
        "Review",
        Stage.REVIEW,
        "review_judgements",
        "judgements",
        "submitted",
        "judgements waiting",
        ("approved", "imported"),
        "approved or imported",
    ),
    (
        "Adjudicate",
        Stage.ADJUDICATE,
        "adjudicate_pairs",
        "pairs",
        "disputed",
        "pairs in dispute",
        ("approved", "imported"),
        "decided or imported",
    ),
)


def path_of_a_data_point(
    access: ProjectAccess, counts: ProjectCounts
) -> list[PathStage]:
    """Return the stages with their counts; a page where the user may work.

    Negating is one of them where it is a step of its own: it starts from claims that
    were proofread.
    """
    stages = _stages_of_states(access, counts)
    if access.project.rules.negation is NegationStep.SEPARATE:
        stages.insert(2, _negating(access))
    return stages


def _negating(access: ProjectAccess) -> PathStage:
    """Claims that may be negated, and negations that stand: two queries."""
    project = access.project
    standing = project.claims.filter(negates__isnull=False).exclude(state__in=FALLEN)
    return PathStage(
        label="Negate",
        waiting=negatable_claims().filter(project=project).count(),
        waits_for="claims without a negation",
        passed=standing.count(),
        passed_as="negations",
        page="annotation:negate_claims" if access.can_now(Stage.NEGATE) else "",
    )


def _stages_of_states(access: ProjectAccess, counts: ProjectCounts) -> list[PathStage]:
    stages = []
    for label, stage, url_name, noun, state, waits_for, passed, passed_as in PATH:
        states: StateCounts = getattr(counts, noun)
        stages.append(
            PathStage(
                label=label,
                waiting=states.get(state, 0),
                waits_for=waits_for,
                passed=sum(states.get(state, 0) for state in passed),
                passed_as=passed_as,
                page=f"annotation:{url_name}" if access.can_now(stage) else "",
            )
        )
    return stages


NOUN_STATES: tuple[tuple[str, type[TextChoices]], ...] = (
    ("sources", Source.State),
    ("claims", Claim.State),
    ("pairs", Pair.State),
    ("judgements", Judgement.State),
)


def rows_per_state(counts: ProjectCounts) -> list[tuple[str, str, str, int]]:
    """Return noun, state, its words and its count, for every state that occurs."""
    return [
        (noun, state, words, getattr(counts, noun)[state])
        for noun, states in NOUN_STATES
        for state, words in states.choices
        if getattr(counts, noun).get(state)
    ]


def own_work(access: ProjectAccess) -> list[tuple[str, str, str, int]]:
    """Return the same rows for what the user wrote and judged."""
    mine = {
        "claims": access.project.claims.filter(author=access.account),
        "judgements": Judgement.objects.filter(
            pair__project=access.project, annotator=access.account
        ),
    }
    counts: dict[str, dict[str, int]] = {
        noun: dict(rows.order_by().values_list("state").annotate(Count("pk")))
        for noun, rows in mine.items()
    }
    judged: Counter[str] = Counter()
    for state, n in counts["judgements"].items():
        judged[Judgement.State(state).told.value] += n
    return rows_per_state(ProjectCounts({}, counts["claims"], {}, judged))


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do before a project can work; ``slug`` is what ``page`` takes."""

    text: str
    page: str
    slug: str
    is_done: bool


def checklist(access: ProjectAccess, counts: ProjectCounts) -> list[Step]:
    """Return what an admin still has to do; empty when everything is done."""
    project, corpus = access.project, access.project.corpus
    steps = [
        Step(
            "Add abstracts to the corpus",
            "annotation:corpus",
            corpus.slug,
            corpus.documents.exists(),
        ),
        _first_texts(project, is_done=bool(counts.sources or counts.claims)),
        Step(
            "Publish a guideline",
            "annotation:publish_guideline",
            project.slug,
            project.guidelines.exists(),
        ),
        Step(
            "Publish a consent text",
            "annotation:publish_consent_text",
            project.slug,
            project.consent_texts.exists(),
        ),
        Step(
            "Invite people",
            "annotation:members",
            project.slug,
            project.memberships.count() > 1,
        ),
    ]
    return [] if all(step.is_done for step in steps) else steps


def _first_texts(project: Project, *, is_done: bool) -> Step:
    if project.rules.source == SourceKind.QUESTION:
        words, page = "Import research questions or claims", "annotation:import_claims"
        return Step(words, page, project.slug, is_done)
    words, page = "Add citances, or import claims", "annotation:new_citances"
    return Step(words, page, project.corpus.slug, is_done)
