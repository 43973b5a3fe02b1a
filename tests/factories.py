"""Rows for tests, made as the application makes them.

Projects, members and texts come from the services, so that their events exist too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import factory
from allauth.account.models import EmailAddress
from django.utils import timezone
from django.utils.text import slugify
from factory.django import DjangoModelFactory

from annotation.models import (
    Claim,
    Guideline,
    Judgement,
    Membership,
    Pair,
    Project,
    Source,
    Stage,
)
from annotation.models.labels import LabelCode
from annotation.services.guidelines import (
    accept_consent_text,
    accept_guideline,
    pending_texts,
    publish_consent_text,
    publish_guideline,
)
from annotation.services.members import add_member
from annotation.services.projects import create_project
from annotation.services.sources import add_sources
from corpus.models import Article, Citance, Citation, Corpus, Document, Passage, User
from corpus.models.library import Visibility

PASSWORD = "correct horse battery staple"
ROLE_STAGES: dict[str, tuple[Stage, ...]] = {
    "admin": tuple(Stage),
    "reviewer": (Stage.PROOFREAD, Stage.REVIEW, Stage.ADJUDICATE),
    "annotator": (Stage.WRITE, Stage.NEGATE, Stage.VERIFY),
    "other_annotator": (Stage.WRITE, Stage.NEGATE, Stage.VERIFY),
    "read_only": (),
}


Row = TypeVar("Row")


class RowFactory(DjangoModelFactory[Row]):
    """A factory whose call is known to the type checker to return the row."""

    class Meta:
        abstract = True

    if TYPE_CHECKING:

        def __new__(cls, **values: Any) -> Any:
            """Calling the class creates a row: factory_boy's metaclass does it."""


class UserFactory(RowFactory[User]):
    """Somebody with a verified address and the password ``PASSWORD``."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"person{n}")
    email = factory.LazyAttribute(lambda o: f"{o.username}@example.org")
    password = factory.django.Password(PASSWORD)

    @factory.post_generation
    def verified(self: User, create: bool, extracted: bool | None, **_: Any) -> None:
        """Let allauth know the address, unless ``verified=False``."""
        if create and extracted is not False:
            EmailAddress.objects.create(
                user=self, email=self.email, verified=True, primary=True
            )


class CorpusFactory(RowFactory[Corpus]):
    """An empty corpus."""

    class Meta:
        model = Corpus

    name = factory.Sequence(lambda n: f"Corpus {n}")
    slug = factory.LazyAttribute(lambda o: slugify(o.name))


class DocumentFactory(RowFactory[Document]):
    """An abstract of three sentences."""

    class Meta:
        model = Document

    corpus = factory.SubFactory(CorpusFactory)
    external_id = factory.Sequence(lambda n: str(1000 + n))
    external_id_is_int = True
    position = factory.Sequence(int)
    title = factory.Sequence(lambda n: f"Invented trial number {n}")
    sentences = factory.Sequence(
        lambda n: [
            f"We followed {n + 20} gardeners for a year.",
            "Half of them drank nettle tea daily.",
            "Knee pain did not differ between the halves.",
        ]
    )
    content_hash = factory.Sequence(lambda n: f"content{n}")
    text_key = factory.Sequence(lambda n: f"text{n}")


class ArticleFactory(RowFactory[Article]):
    """A citing paper."""

    class Meta:
        model = Article

    corpus = factory.SubFactory(CorpusFactory)
    external_id = factory.Sequence(lambda n: f"article-{n}")
    position = factory.Sequence(int)
    title = factory.Sequence(lambda n: f"Invented review number {n}")
    content_hash = factory.Sequence(lambda n: f"article{n}")


class PassageFactory(RowFactory[Passage]):
    """A paragraph of two sentences; the second one cites."""

    class Meta:
        model = Passage

    article = factory.SubFactory(ArticleFactory)
    ordinal = 0
    text = "Herbal teas are popular. Nettle tea did not ease knee pain [1]."


class CitanceFactory(RowFactory[Citance]):
    """The second sentence of a paragraph, citing ``documents`` in their order."""

    class Meta:
        model = Citance
        skip_postgeneration_save = True

    class Params:
        in_corpus = factory.SubFactory(CorpusFactory)

    corpus = factory.SelfAttribute("in_corpus")
    passage = factory.SubFactory(
        PassageFactory, article__corpus=factory.SelfAttribute("...corpus")
    )
    external_id = factory.Sequence(lambda n: f"citance-{n}")
    start = 25
    end = 63

    @factory.post_generation
    def documents(
        self: Citance, create: bool, extracted: Iterable[Document] | None, **_: Any
    ) -> None:
        """Cite these abstracts; one new abstract if nothing is said."""
        if not create:
            return
        cited = (
            [DocumentFactory(corpus=self.corpus)] if extracted is None else extracted
        )
        for ordinal, document in enumerate(cited):
            Citation.objects.create(citance=self, document=document, ordinal=ordinal)


class ClaimFactory(RowFactory[Claim]):
    """An approved claim with its first version."""

    class Meta:
        model = Claim
        skip_postgeneration_save = True

    external_id = factory.Sequence(lambda n: str(n + 1))
    external_id_is_int = True
    position = factory.Sequence(lambda n: n + 1)
    kind = Claim.Kind.COMPOSED
    state = Claim.State.APPROVED
    text = factory.Sequence(lambda n: f"Nettle tea does not ease knee pain {n}.")
    text_key = factory.Sequence(lambda n: f"claim{n}")

    @factory.post_generation
    def first_version(self: Claim, create: bool, extracted: Any, **_: Any) -> None:
        """Keep the wording."""
        if create:
            self.versions.create(number=1, text=self.text, author=self.author)


class PairFactory(RowFactory[Pair]):
    """An open pair of a claim and one abstract of the project's corpus."""

    class Meta:
        model = Pair

    project = factory.SelfAttribute("claim.project")
    document = factory.SubFactory(
        DocumentFactory, corpus=factory.SelfAttribute("..claim.project.corpus")
    )
    origin = Pair.Origin.CITED
    ordinal = factory.Sequence(int)


class JudgementFactory(RowFactory[Judgement]):
    """A submitted SUPPORT by ``annotator``, who must be given.

    The pair keeps its state: the services move it.
    """

    class Meta:
        model = Judgement
        skip_postgeneration_save = True

    pair = factory.SubFactory(PairFactory)
    origin = Judgement.Origin.ANNOTATOR
    state = Judgement.State.SUBMITTED
    label = LabelCode.SUPPORT
    claim_version = factory.LazyAttribute(
        lambda o: o.pair.claim.versions.latest("number")
    )
    document_hash = factory.LazyAttribute(lambda o: o.pair.document.content_hash)
    submitted_at = factory.LazyFunction(timezone.now)

    @factory.post_generation
    def first_version(self: Judgement, create: bool, extracted: Any, **_: Any) -> None:
        """Keep the answer."""
        if create:
            self.versions.create(number=1, label=self.label, author=self.annotator)


@dataclass(slots=True)
class Team:
    """A project with one member in each role, and an outsider.

    ``read_only`` is a member without any permission; ``suspended`` was an
    annotator. Everybody has accepted the texts in force, except ``newcomer``.
    """

    project: Project
    admin: User
    reviewer: User
    annotator: User
    other_annotator: User
    read_only: User
    newcomer: User
    suspended: User
    outsider: User
    guideline: Guideline
    sources: list[Source] = field(default_factory=list)

    @property
    def corpus(self) -> Corpus:
        """The corpus of the project."""
        return self.project.corpus

    def membership(self, user: User) -> Membership:
        """The membership of one of them."""
        return Membership.objects.get(project=self.project, user=user)


def make_team(
    *,
    protocol: str = "scifact",
    name: str = "Herbal medicine",
    visibility: str = Visibility.PRIVATE,
    citances: int = 0,
) -> Team:
    """Make a project with members in every role; its citances cite one abstract."""
    admin = UserFactory()
    corpus = CorpusFactory(owner=admin)
    project = create_project(
        name=name,
        protocol=protocol,
        corpus=corpus,
        actor=admin,
        visibility=visibility,
    )
    for _ in range(citances):
        CitanceFactory(in_corpus=corpus)
    add_sources(project=project, actor=admin)
    publish_consent_text(project=project, text="My work may be published.", actor=admin)
    guideline = publish_guideline(
        project=project, text="Read the **whole** abstract.", actor=admin
    )
    people = {
        role: _join(project, admin, stages)
        for role, stages in ROLE_STAGES.items()
        if role != "admin"
    }
    for person in (admin, *people.values()):
        accept_texts(project, person)
    return Team(
        project=project,
        admin=admin,
        newcomer=_join(project, admin, ROLE_STAGES["annotator"]),
        suspended=_join(
            project, admin, ROLE_STAGES["annotator"], Membership.State.SUSPENDED
        ),
        outsider=UserFactory(),
        guideline=guideline,
        sources=list(project.sources.order_by("position")),
        **people,
    )


def _join(
    project: Project,
    admin: User,
    stages: tuple[Stage, ...],
    state: str = Membership.State.TRUSTED,
) -> User:
    user: User = UserFactory()
    add_member(project=project, user=user, stages=stages, actor=admin, state=state)
    return user


def accept_texts(project: Project, user: User) -> None:
    """Let a person accept the guideline and the consent text in force."""
    for text in pending_texts(project, user):
        if isinstance(text, Guideline):
            accept_guideline(guideline=text, user=user)
        else:
            accept_consent_text(consent_text=text, user=user)
