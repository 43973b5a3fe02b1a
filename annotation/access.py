"""The only door to a project's rows: every lookup is scoped to what a user may see.

Views, API and services that act for a user load through here. No access is 404,
so that nothing tells whether an object exists; access without the permission for
a stage is 403.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import Http404

from annotation.models import (
    Adjudication,
    Claim,
    Judgement,
    Membership,
    Pair,
    Project,
    Review,
    Source,
    Stage,
)
from annotation.protocols import Verifier
from corpus.models import Citation, Corpus, Document, User
from corpus.models.library import Visibility

AnyUser = User | AnonymousUser
ACTIVE_STATES = (Membership.State.PROBATION, Membership.State.TRUSTED)
OVERSIGHT = frozenset({Stage.PROOFREAD, Stage.REVIEW, Stage.ADJUDICATE, Stage.ADMIN})


@dataclass(frozen=True, slots=True)
class ProjectAccess:
    """What one user may do in one project, and the rows that they may see."""

    project: Project
    user: AnyUser
    membership: Membership | None

    def can(self, stage: Stage) -> bool:
        """Whether the user may do the work of a stage."""
        return self.membership is not None and self.membership.allows(stage)

    def can_now(self, stage: Stage) -> bool:
        """Whether the work of a stage is open to the user at present.

        An archived project is read, and administered, but not worked in.
        """
        is_open = self.project.archived_at is None or stage is Stage.ADMIN
        return is_open and self.can(stage)

    def require(self, *stages: Stage) -> None:
        """Raise 403 unless the user may do one of the stages now."""
        if not any(self.can(stage) for stage in stages):
            raise PermissionDenied("You do not have the permission for this step.")
        if not any(self.can_now(stage) for stage in stages):
            raise PermissionDenied("This project is archived: it can only be read.")

    def require_member(self) -> None:
        """Raise 403 unless the user is an active member."""
        if self.membership is None or not self.membership.is_active:
            raise PermissionDenied("Only members of this project may do this.")

    def require_worker(self) -> None:
        """Raise 403 unless the user may do some work in the project now."""
        self.require(*Stage)

    @property
    def is_admin(self) -> bool:
        """Whether the user administers the project."""
        return self.can(Stage.ADMIN)

    @property
    def has_oversight(self) -> bool:
        """Whether the user may read everybody's work."""
        return any(self.can(stage) for stage in OVERSIGHT)

    @property
    def shows_authors(self) -> bool:
        """Whether names stand beside the work of others."""
        return self.is_admin or not self.project.rules.hides_author_in_review

    @property
    def account(self) -> User:
        """The signed-in user; 403 for anybody else."""
        if not isinstance(self.user, User):
            raise PermissionDenied("Sign in first.")
        return self.user

    def sources(self) -> QuerySet[Source]:
        """The sources that the user may see: members only."""
        self.require_member()
        return self.project.sources.all()

    def claims(self) -> QuerySet[Claim]:
        """All claims for reviewers and admins; for others their own."""
        self.require_member()
        claims = self.project.claims.all()
        if self.has_oversight:
            return claims
        return claims.filter(author=self.account)

    def pairs(self) -> QuerySet[Pair]:
        """All pairs for reviewers and admins; for others those that they judged."""
        self.require_member()
        pairs = self.project.pairs.all()
        if self.has_oversight:
            return pairs
        mine = Judgement.objects.filter(pair=OuterRef("pk"), annotator=self.account)
        return pairs.filter(Exists(mine))

    def pairs_to_verify(self) -> QuerySet[Pair]:
        """The open pairs that the user may judge now.

        Returned work is not here. Never a claim family that the user wrote,
        proofread or negated (unless the project allows it).
        """
        self.require(Stage.VERIFY)
        rule = verifier_condition(self.project.rules.verifier, self.account)
        return queued_pairs(self.account).filter(rule, project=self.project)

    def judgements(self) -> QuerySet[Judgement]:
        """All judgements for reviewers and admins; for others their own.

        Where annotators are blind, a reviewer who may still judge a pair does not see
        what others said of it. Admins see everything.
        """
        self.require_member()
        judgements = Judgement.objects.filter(pair__project=self.project)
        own = Q(annotator=self.account)
        if not self.has_oversight:
            return judgements.filter(own)
        if not self._is_blind_reviewer():
            return judgements
        ahead = self.pairs_to_verify().filter(pk=OuterRef("pair"))
        return judgements.filter(own | ~Exists(ahead))

    def _is_blind_reviewer(self) -> bool:
        """Whether this user reads the work of others, and judges pairs as well."""
        is_blind = self.project.rules.is_blind and not self.is_admin
        return is_blind and self.can_now(Stage.VERIFY)


def queued_pairs(user: User) -> QuerySet[Pair]:
    """The open pairs that a user has not judged; the rule on verifiers comes on top.

    Never a generated pair, nor one whose abstract is still missing. What a sample has
    drawn goes to nobody who reviewed it before, and nothing to who has decided about
    it: they know an earlier answer.
    """
    mine = standing_judgements(user).filter(pair=OuterRef("pk"))
    known = Review.objects.filter(
        reviewer=user, judgement_version__judgement__pair=OuterRef("pk")
    )
    decided = Adjudication.objects.filter(adjudicator=user, pair=OuterRef("pk"))
    return Pair.objects.filter(
        ~Exists(mine),
        ~Exists(decided),
        Q(judgements_wanted=0) | ~Exists(known),
        state=Pair.State.OPEN,
        document__has_abstract=True,
    ).exclude(origin=Pair.Origin.GENERATED)


def standing_judgements(user: User) -> QuerySet[Judgement]:
    """The judgements of a user, but for those that they have taken back."""
    return Judgement.objects.filter(annotator=user).exclude(
        state=Judgement.State.WITHDRAWN
    )


def judged_by(user: User) -> QuerySet[Judgement]:
    """What a user judged as an annotator, rejected or not; nothing they took back."""
    return standing_judgements(user).filter(origin=Judgement.Origin.ANNOTATOR)


def verifier_condition(rule: Verifier, user: User) -> Q | Combinable:
    """The pairs that a project's rule about verifiers leaves to a user.

    Where writers judge their own claims, a re-annotation is for the others.
    """
    if rule == Verifier.ANYONE:
        return Q()
    if rule == Verifier.WRITER:
        return Q(claim__author=user) | Q(judgements_wanted__gt=0)
    family = Claim.objects.filter(
        project=OuterRef("project"), family=OuterRef("claim__family")
    )
    decided = Adjudication.objects.filter(
        adjudicator=user,
        pair__claim__family=OuterRef("claim__family"),
        pair__document=OuterRef("document"),
    )
    touched = Q(author=user) | Q(versions__author=user)
    reviewed = Q(versions__reviews__reviewer=user)
    judged = standing_judgements(user).filter(
        pair__claim__family=OuterRef("claim__family"),
        pair__document=OuterRef("document"),
    )
    read = Review.objects.filter(
        reviewer=user,
        judgement_version__judgement__pair__claim__family=OuterRef("claim__family"),
        judgement_version__judgement__pair__document=OuterRef("document"),
    )
    wrote = family.filter(touched | reviewed)
    return ~Exists(wrote) & ~Exists(judged) & ~Exists(read) & ~Exists(decided)


def visible_projects(user: AnyUser) -> QuerySet[Project]:
    """The projects that a user may open."""
    allowed: Q | Combinable = Q(visibility=Visibility.PUBLIC)
    if user.is_authenticated:
        mine = Membership.objects.filter(
            project=OuterRef("pk"), user=user, state__in=ACTIVE_STATES
        )
        allowed |= Q(visibility=Visibility.INSTANCE) | Exists(mine)
    return Project.objects.filter(allowed)


def get_project(user: AnyUser, slug: str) -> ProjectAccess:
    """Return the user's access to a project; 404 if they may not know of it."""
    project = visible_projects(user).select_related("corpus").filter(slug=slug).first()
    if project is None:
        raise Http404("There is no such project, or you are not a member of it.")
    membership = None
    if user.is_authenticated:
        membership = project.memberships.filter(
            user=user, state__in=ACTIVE_STATES
        ).first()
    return ProjectAccess(project, user, membership)


def visible_corpora(user: AnyUser) -> QuerySet[Corpus]:
    """The corpora that a user may read: public, own, or of one of their projects."""
    allowed: Q | Combinable = Q(visibility=Visibility.PUBLIC)
    if user.is_authenticated:
        member = Membership.objects.filter(
            project__corpus=OuterRef("pk"), user=user, state__in=ACTIVE_STATES
        )
        allowed |= Q(visibility=Visibility.INSTANCE) | Q(owner=user) | Exists(member)
    return Corpus.objects.filter(allowed)


def get_corpus(user: AnyUser, slug: str) -> Corpus:
    """Return a corpus that the user may read, else 404."""
    corpus = visible_corpora(user).filter(slug=slug).first()
    if corpus is None:
        raise Http404("There is no such corpus, or it is not shared with you.")
    return corpus


def editable_corpora(user: User) -> QuerySet[Corpus]:
    """The corpora that a user may change, and so may build a project on."""
    memberships = Membership.objects.filter(
        user=user, state__in=ACTIVE_STATES
    ).select_related("project")
    administered = [
        membership.project.corpus_id
        for membership in memberships
        if membership.allows(Stage.ADMIN)
    ]
    return Corpus.objects.filter(Q(owner=user) | Q(pk__in=administered))


def can_edit_corpus(user: AnyUser, corpus: Corpus) -> bool:
    """Whether a user may import: the owner, or an admin of one of its projects."""
    if not user.is_authenticated:
        return False
    if corpus.owner_id == user.pk:
        return True
    memberships = Membership.objects.filter(
        project__corpus=corpus, user=user, state__in=ACTIVE_STATES
    )
    return any(m.allows(Stage.ADMIN) for m in memberships)


def get_editable_corpus(user: AnyUser, slug: str) -> Corpus:
    """Return a corpus that the user may change: 404 unseen, 403 read-only."""
    corpus = get_corpus(user, slug)
    if not can_edit_corpus(user, corpus):
        raise PermissionDenied("You may read this corpus, but not change it.")
    return corpus


def visible_documents(user: AnyUser, corpus: Corpus) -> QuerySet[Document]:
    """The abstracts of a readable corpus that the user may see now.

    A writer never sees an abstract that one of their open citances cites, as long
    as their project hides cited abstracts from writers. Everybody who lists,
    searches or opens documents goes through here.
    """
    memberships = Membership.objects.filter(project__corpus=corpus)
    return _without_hidden(user, corpus.documents.all(), memberships)


def countable_documents(user: AnyUser) -> QuerySet[Document]:
    """The abstracts of all corpora that the user may see now, for figures.

    Even a count or the newest date must not tell about a hidden abstract. The
    caller limits these to corpora that the user may read.
    """
    return _without_hidden(user, Document.objects.all(), Membership.objects.all())


def _without_hidden(
    user: AnyUser, documents: QuerySet[Document], memberships: QuerySet[Membership]
) -> QuerySet[Document]:
    documents = documents.filter(retired_at=None)
    if not user.is_authenticated:
        return documents
    mine = memberships.filter(user=user, state__in=ACTIVE_STATES)
    writing = [
        membership.project_id
        for membership in mine.select_related("project")
        if _is_blind_writer(membership)
    ]
    if not writing:
        return documents
    hidden = Citation.objects.filter(
        document=OuterRef("pk"),
        citance__sources__project__in=writing,
        citance__sources__state=Source.State.OPEN,
    )
    return documents.filter(~Exists(hidden))


def _is_blind_writer(membership: Membership) -> bool:
    """Whether this member writes claims and does not oversee the project."""
    if not membership.allows(Stage.WRITE):
        return False
    if any(membership.allows(stage) for stage in OVERSIGHT):
        return False
    return not membership.project.rules.writer_sees_cited_abstract


def get_document(user: AnyUser, corpus: Corpus, pk: int) -> Document:
    """Return one visible abstract, else 404."""
    document = visible_documents(user, corpus).filter(pk=pk).first()
    if document is None:
        raise Http404("There is no such abstract, or you may not see it now.")
    return document
