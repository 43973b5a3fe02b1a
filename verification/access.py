"""The only door to benchmarks and submissions: what a user may see and do.

What somebody may not know of is 404; what they may see but not do is 403.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import Http404
from django.utils import timezone

from corpus.models import Corpus, User
from corpus.models.library import Visibility
from verification.disclosure import Detail, detail_of
from verification.models import (
    UNKEPT_FOR,
    Benchmark,
    ClaimBatch,
    FactCheck,
    Phase,
    Submission,
    Team,
)
from verification.organiser_links import benchmark_of

AnyUser = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class BenchmarkAccess:
    """What one user may do with one benchmark."""

    benchmark: Benchmark
    user: AnyUser
    is_organiser: bool

    @property
    def account(self) -> User:
        """The signed-in user; 403 for anybody else."""
        if not isinstance(self.user, User):
            raise PermissionDenied("Sign in first.")
        return self.user

    def require_organiser(self) -> User:
        """Return the organiser; 403 for anybody else."""
        if not self.is_organiser:
            raise PermissionDenied("Only the organisers of a benchmark may do this.")
        return self.account

    def phases(self) -> QuerySet[Phase]:
        """The phases in their order, with their gold sets."""
        return self.benchmark.phases.select_related("gold_set").order_by("number")

    def phase(self, number: int) -> Phase:
        """Return one phase, else 404."""
        phase = self.phases().filter(number=number).first()
        if phase is None:
            raise Http404("There is no such phase.")
        phase.benchmark = self.benchmark
        return phase

    def detail(self, phase: Phase, now: datetime | None = None) -> Detail:
        """How much of the phase's scores the user may learn now."""
        return detail_of(
            phase, now=now or timezone.now(), is_organiser=self.is_organiser
        )

    def own_submissions(self) -> QuerySet[Submission]:
        """The submissions of the user and of their teams."""
        return own_submissions(self.user).filter(phase__benchmark=self.benchmark)

    def all_submissions(self) -> QuerySet[Submission]:
        """Every submission, for organisers."""
        self.require_organiser()
        return Submission.objects.filter(phase__benchmark=self.benchmark)

    def entries(self, phase: Phase) -> QuerySet[Submission]:
        """What stands on a phase's board: published entries and tombstones."""
        standing = [s for s in Submission.Standing if s != Submission.Standing.PRIVATE]
        return phase.submissions.filter(standing__in=standing)


def visible_benchmarks(user: AnyUser) -> QuerySet[Benchmark]:
    """The benchmarks that a user may open: public, of the instance, or organised."""
    allowed: Q | Combinable = Q(visibility=Visibility.PUBLIC)
    if user.is_authenticated:
        mine = Benchmark.organisers.through.objects.filter(
            benchmark=OuterRef("pk"), user=user
        )
        allowed |= Q(visibility=Visibility.INSTANCE) | Exists(mine)
    return Benchmark.objects.filter(allowed)


def get_benchmark(user: AnyUser, slug: str) -> BenchmarkAccess:
    """Return the user's access to a benchmark; 404 if they may not know of it."""
    benchmark = visible_benchmarks(user).filter(slug=slug).first()
    if benchmark is None:
        raise Http404("There is no such benchmark, or it is not shared with you.")
    return BenchmarkAccess(benchmark, user, _organises(user, benchmark))


def _organises(user: AnyUser, benchmark: Benchmark) -> bool:
    return user.is_authenticated and benchmark.organisers.filter(pk=user.pk).exists()


def own_submissions(user: AnyUser) -> QuerySet[Submission]:
    """The submissions of a user and of the teams that they are in."""
    if not isinstance(user, User):
        return Submission.objects.none()
    team = Team.members.through.objects.filter(team=OuterRef("team"), user=user)
    return Submission.objects.filter(Q(submitter=user) | Exists(team))


@dataclass(frozen=True, slots=True)
class SubmissionAccess:
    """What one user may do with one submission, in its benchmark."""

    submission: Submission
    benchmark: BenchmarkAccess
    is_own: bool

    @property
    def detail(self) -> Detail:
        """How much of its score the user may learn now."""
        return self.benchmark.detail(self.submission.phase)

    @property
    def is_insider(self) -> bool:
        """Whether files, findings and failures are for the user."""
        return self.is_own or self.benchmark.is_organiser

    @property
    def is_shown(self) -> bool:
        """Whether scores and descriptions are; of a tombstone others read neither."""
        is_published = self.submission.standing == Submission.Standing.PUBLISHED
        return self.is_insider or is_published

    @property
    def is_named(self) -> bool:
        """Whether names are, and the addresses, which tell who it is."""
        is_nameless = self.submission.is_anonymous
        return self.is_insider or (self.is_shown and not is_nameless)

    def require_own(self) -> User:
        """Return the submitter or a member of the team; 403 for anybody else."""
        if not self.is_own:
            raise PermissionDenied("Only whoever submitted this may do that.")
        return self.benchmark.account


def get_submission(user: AnyUser, token: str) -> SubmissionAccess:
    """Return a submission: an own one, any for organisers, else a published one.

    Everything else is 404. A tombstone can be opened by its link, as the entry
    could before.
    """
    submission = (
        Submission.objects.filter(token=token)
        .select_related("phase__benchmark", "phase__gold_set", "team", "file", "job")
        .first()
    )
    if submission is None:
        raise _no_submission()
    is_own = own_submissions(user).filter(pk=submission.pk).exists()
    benchmark = submission.phase.benchmark
    is_organiser = _organises(user, benchmark)
    is_listed = (
        submission.standing != Submission.Standing.PRIVATE
        and visible_benchmarks(user).filter(pk=benchmark.pk).exists()
    )
    if not (is_own or is_organiser or is_listed):
        raise _no_submission()
    return SubmissionAccess(
        submission, BenchmarkAccess(benchmark, user, is_organiser), is_own
    )


def get_benchmark_by_link(token: str) -> Benchmark:
    """Return the benchmark that an organisers' link leads to, else 404."""
    benchmark = benchmark_of(token)
    if benchmark is None:
        raise Http404(
            "This link does not work any more: it was used, it is too old, or the "
            "organisers have changed. Ask for a new one."
        )
    return benchmark


def _no_submission() -> Http404:
    return Http404("There is no such submission, or it is not public.")


def own_teams(user: AnyUser) -> QuerySet[Team]:
    """The teams of a user, in the order in which they were made."""
    if not isinstance(user, User):
        return Team.objects.none()
    return user.teams.order_by("pk")


def get_team(user: AnyUser, pk: int) -> Team:
    """Return one of the user's teams, else 404."""
    team = own_teams(user).filter(pk=pk).first()
    if team is None:
        raise Http404("There is no such team, or you are not a member of it.")
    return team


def get_team_by_link(token: str) -> Team:
    """Return the team whose link has this token, else 404."""
    team = Team.objects.filter(token=token.replace("\0", "")).first()
    if team is None:
        raise Http404("This link does not work any more. Ask the team for a new one.")
    return team


def searched_corpora() -> QuerySet[Corpus]:
    """The corpora in which evidence is looked for, whoever asks: the public ones."""
    return Corpus.objects.filter(visibility=Visibility.PUBLIC)


def get_check(token: str) -> FactCheck:
    """Return a check by its address, which is all that is needed to open it; else 404.

    Its texts can be read only as long as everybody may read its corpus.
    """
    check = (
        FactCheck.objects.select_related("corpus", "batch")
        .filter(token=token.replace("\0", ""))
        .first()
    )
    if check is None or _is_over(check):
        raise Http404(
            "There is no such answer. Answers that nobody keeps are removed an hour "
            "after the claim was asked: ask it again."
        )
    _require_public(check.corpus)
    return check


def _is_over(check: FactCheck) -> bool:
    return check.kept_at is None and timezone.now() - check.asked_at >= UNKEPT_FOR


def _require_public(corpus: Corpus) -> None:
    if corpus.visibility != Visibility.PUBLIC:
        raise Http404("The corpus of this answer is no longer public.")


def own_batches(user: AnyUser) -> QuerySet[ClaimBatch]:
    """The batches of claims that a user had checked."""
    if not isinstance(user, User):
        return ClaimBatch.objects.none()
    return ClaimBatch.objects.filter(owner=user)


def get_batch(token: str) -> ClaimBatch:
    """Return a batch by its address, for whoever is signed in; else 404."""
    batch = (
        ClaimBatch.objects.select_related("corpus", "owner")
        .filter(token=token.replace("\0", ""))
        .first()
    )
    if batch is None:
        raise Http404("There is no such batch of claims.")
    _require_public(batch.corpus)
    return batch
