"""Plain records that travel between files, the database and the pure modules.

Nothing here knows Django. A record holds what a data set *says*, verbatim:
text is never stripped, ids keep their spelling and type, and order and repeats
are kept, so that a file can be written back byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Label(StrEnum):
    """The relation of one abstract to one claim; the only spelling used inside.

    Other spellings exist only in ``corpus.formats``. ``MIXED`` is an abstract
    that addresses the claim with mixed findings (CoRe's INCONCLUSIVE,
    Climate-FEVER's DISPUTED); it is never the same as ``NOT_ENOUGH_INFO``.
    """

    SUPPORT = "SUPPORT"
    CONTRADICT = "CONTRADICT"
    NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"
    MIXED = "MIXED"


class SentenceRole(StrEnum):
    """What a sentence does in a rationale (Check-COVID)."""

    PRIMARY = "PRIMARY"
    SUPPLEMENTARY = "SUPPLEMENTARY"


class ClaimKind(StrEnum):
    """Where the wording of a claim comes from."""

    COMPOSED = "composed"
    EXTRACTED = "extracted"
    HYPOTHESIS = "hypothesis"


class PairOrigin(StrEnum):
    """Why a claim and an abstract were put together."""

    CITED = "cited"
    GENERATED = "generated"
    POOLED = "pooled"
    IMPORTED = "imported"


class CitationRole(StrEnum):
    """How an abstract entered the corpus (SciFact 3.1)."""

    SEED = "seed"
    CO_CITED = "co-cited"


@dataclass(frozen=True, slots=True)
class ExternalId:
    """An id as its file spells it, and whether the file wrote it as a number.

    ``ExternalId("7", True)`` is the JSON number 7 and ``ExternalId("7")`` the
    string ``"7"``. Both name the same object: uniqueness is on ``text``.
    """

    text: str
    is_int: bool = False

    @classmethod
    def from_json(cls, value: Json) -> ExternalId:
        """Make an id of a JSON value.

        Raises ``ValueError`` unless the value is an integer or a non-empty
        string; ``7.0``, ``true`` and ``null`` are not ids.
        """
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError("expected an integer or a string")
        if value == "":
            raise ValueError("expected an id, found an empty string")
        return cls(str(value), isinstance(value, int))

    def to_json(self) -> int | str:
        """Return the value that the file had."""
        return int(self.text) if self.is_int else self.text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Document:
    """One abstract.

    Exactly one of ``sentences`` and ``text`` is authoritative. A source that
    ships sentences fills ``sentences`` and leaves ``text`` at ``None``; they are
    never split again, since sentence indices are the labels. A source that ships
    one string fills ``text`` and leaves ``sentences`` empty until the import
    splits it. A document without an abstract has neither: ``sentences=()`` and
    ``text=None`` or ``""``.

    ``structured`` is ``None`` where the source does not say. ``extra`` keeps the
    source's further fields in their order.
    """

    id: ExternalId
    title: str
    sentences: tuple[str, ...] = ()
    text: str | None = None
    structured: bool | None = None
    doi: str = ""
    pmid: str = ""
    url: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: str = ""
    type: str = ""
    licence: str = ""
    extra: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rationale:
    """A set of sentences that together justify a label.

    ``sentences`` are 0-based indices, in the file's order and with its repeats.
    ``roles`` is empty, or has one role for each entry of ``sentences``.
    """

    sentences: tuple[int, ...]
    roles: tuple[SentenceRole, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The judgement of one claim-abstract pair.

    A ``NOT_ENOUGH_INFO`` entry may carry a rationale: Check-COVID's deliberately
    insufficient sentence. ``extra`` keeps what belongs to the pair and to neither
    the claim nor the abstract (votes, entropy, model ranks, study reference).
    """

    document: ExternalId
    label: Label
    rationales: tuple[Rationale, ...] = ()
    origin: PairOrigin = PairOrigin.IMPORTED
    extra: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A research question of a collaborative review (CoRe)."""

    review: str
    text: str
    chapter: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim with the evidence that its file gives.

    ``cited`` keeps the order and the repeats of the file; ``None`` means that the
    file does not say which abstracts are cited. A cited abstract without an
    evidence entry is NOT ENOUGH INFO **if** ``is_labelled``; an unlabelled claim
    (a test set) says nothing about its abstracts.

    ``documents`` holds the abstracts that a format without a corpus file ships
    inside its claims file; it is empty for the others.
    """

    id: ExternalId
    text: str
    kind: ClaimKind = ClaimKind.COMPOSED
    is_labelled: bool = True
    evidence: tuple[Evidence, ...] = ()
    cited: tuple[ExternalId, ...] | None = None
    question: Question | None = None
    negates: ExternalId | None = None
    documents: tuple[Document, ...] = ()
    extra: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """One reference of a citance: the id of the cited abstract and its role."""

    document: ExternalId
    role: CitationRole = CitationRole.SEED


@dataclass(frozen=True, slots=True)
class Citance:
    """A citing sentence: the code points ``start:end`` of its paragraph."""

    id: ExternalId
    start: int
    end: int
    cited: tuple[CitedDocument, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph of an article with the citances (or candidates) in it."""

    text: str
    citances: tuple[Citance, ...] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """A citing paper or news article."""

    id: ExternalId
    title: str
    kind: str = "paper"
    abstract: str = ""
    url: str = ""
    doi: str = ""
    journal: str = ""
    published: str = ""
    licence: str = ""
    passages: tuple[Passage, ...] = ()
    extra: Mapping[str, Json] = field(default_factory=dict)
