"""The three protocols as settings that an admin can change. Pure.

A project starts from ``default_settings(protocol)``. Settings are kept as JSON;
``ProjectSettings.from_json`` reads them back and refuses nonsense field by field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any

from corpus.records import Label


class Protocol(StrEnum):
    """The published procedures that a project can start from."""

    SCIFACT = "scifact"
    CHECK_COVID = "check-covid"
    CORE = "core"


class SourceKind(StrEnum):
    """What a claim is written from."""

    CITANCE = "citance"
    CANDIDATES = "candidates"
    QUESTION = "question"


class NegationStep(StrEnum):
    """When a claim is negated."""

    SEPARATE = "separate"
    AT_ONCE = "at_once"
    NONE = "none"


class RationaleRule(StrEnum):
    """How many rationales a judgement has."""

    ALL = "all"
    ONE = "one"
    NONE = "none"


class Verifier(StrEnum):
    """Who may judge a pair."""

    NOT_FAMILY = "not_family"
    ANYONE = "anyone"
    WRITER = "writer"


class SuggestionPolicy(StrEnum):
    """When an annotator is shown what a model suggests for a pair."""

    OFF = "off"
    ON_DEMAND = "on_demand"
    AFTER_FIRST_CHOICE = "after_first_choice"
    ALWAYS = "always"


class SplitUnit(StrEnum):
    """What is never divided between two splits."""

    CLAIM = "claim"
    ABSTRACT = "abstract"


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """A label as a project shows it: our code and the project's word."""

    label: Label
    word: str


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """Every line of the protocol table.

    Counts are at least 1 where they name work to do; shares lie in [0, 1].
    ``max_*`` values warn and never block.
    """

    source: SourceKind
    writer_sees_cited_abstract: bool
    claims_per_source: int
    negation: NegationStep
    rationales: RationaleRule
    sentence_roles: bool
    generates_not_enough_info: bool
    verifier: Verifier
    split_unit: SplitUnit
    split_shares: tuple[float, float, float]
    max_rationales: int = 3
    max_rationale_sentences: int = 3
    max_claim_words: int = 40
    judgements_per_pair: int = 1
    reannotation_share: float = 0.0
    is_blind: bool = True
    hides_author_in_review: bool = False
    has_peer_review: bool = True
    has_assigned_reviewer: bool = False
    has_final_proofreading: bool = False
    quiz_questions: int = 10
    daily_quota: int = 0
    lease_minutes: int = 30
    null_result_rule: str = ""
    suggestion_policy: SuggestionPolicy = SuggestionPolicy.AFTER_FIRST_CHOICE
    suggestion_control_share: float = 0.1
    suggestion_system: str = "starter"

    @property
    def has_rationales(self) -> bool:
        """Whether a judgement names sentences at all."""
        return self.rationales is not RationaleRule.NONE

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ProjectSettings:
        """Read settings back.

        Raises ``SettingsError`` that names every field with a bad value; unknown
        fields are errors too, so that a misspelt setting is never ignored.
        """
        unknown = data.keys() - {f.name for f in fields(cls)}
        problems = dict.fromkeys(unknown, "This setting does not exist.")
        values: dict[str, Any] = {}
        for f in fields(cls):
            if f.name not in data:
                if f.default is MISSING:
                    problems[f.name] = "This setting is missing."
                continue
            try:
                values[f.name] = _read(f.name, data[f.name])
            except ValueError as error:
                problems[f.name] = str(error)
        if problems:
            raise SettingsError(problems)
        return cls(**values)


class SettingsError(ValueError):
    """Settings that cannot be used: a message for each field."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__("; ".join(f"{k}: {v}" for k, v in sorted(problems.items())))
        self.problems = problems


MAX_NAME = 80
_ENUMS: dict[str, type[StrEnum]] = {
    "source": SourceKind,
    "negation": NegationStep,
    "rationales": RationaleRule,
    "verifier": Verifier,
    "suggestion_policy": SuggestionPolicy,
    "split_unit": SplitUnit,
}
_MINIMUM = {
    "claims_per_source": 1,
    "max_rationales": 1,
    "max_rationale_sentences": 1,
    "max_claim_words": 5,
    "judgements_per_pair": 1,
    "quiz_questions": 0,
    "daily_quota": 0,
    "lease_minutes": 5,
}


def _read(name: str, value: Any) -> Any:
    if name in _ENUMS:
        return _ENUMS[name](value)
    if name in _MINIMUM:
        return _read_count(value, _MINIMUM[name])
    if name == "split_shares":
        return _read_shares(value)
    if name in {"reannotation_share", "suggestion_control_share"}:
        return _read_share(value)
    if name == "null_result_rule":
        return str(value)
    if name == "suggestion_system":
        return _read_name(value)
    if not isinstance(value, bool):
        raise ValueError("Must be true or false.")
    return value


def _read_name(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        raise ValueError(f"Must be a name of at most {MAX_NAME} characters.")
    return value


def _read_count(value: Any, minimum: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
        raise ValueError(f"Must be a whole number of at least {minimum}.")
    return value


def _read_share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("Must be a number between 0 and 1.")
    if not 0 <= value <= 1:
        raise ValueError("Must lie between 0 and 1.")
    return float(value)


def _read_shares(value: Any) -> tuple[float, float, float]:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise ValueError("Must be three numbers: train, dev and test.")
    train, dev, test = (_read_share(share) for share in value)
    if abs(train + dev + test - 1) > 1e-6:
        raise ValueError("The three shares must add up to 1.")
    return train, dev, test


_SCIFACT = ProjectSettings(
    source=SourceKind.CITANCE,
    writer_sees_cited_abstract=False,
    claims_per_source=3,
    negation=NegationStep.SEPARATE,
    rationales=RationaleRule.ALL,
    sentence_roles=False,
    generates_not_enough_info=False,
    verifier=Verifier.NOT_FAMILY,
    split_unit=SplitUnit.CLAIM,
    split_shares=(0.574, 0.213, 0.213),
)
_DEFAULTS = {
    Protocol.SCIFACT: _SCIFACT,
    Protocol.CHECK_COVID: replace(
        _SCIFACT,
        source=SourceKind.CANDIDATES,
        writer_sees_cited_abstract=True,
        claims_per_source=1,
        negation=NegationStep.AT_ONCE,
        rationales=RationaleRule.ONE,
        sentence_roles=True,
        generates_not_enough_info=True,
        verifier=Verifier.WRITER,
        split_unit=SplitUnit.ABSTRACT,
        split_shares=(0.7, 0.15, 0.15),
        has_assigned_reviewer=True,
        has_final_proofreading=True,
        quiz_questions=0,
    ),
    Protocol.CORE: replace(
        _SCIFACT,
        source=SourceKind.QUESTION,
        claims_per_source=1,
        negation=NegationStep.NONE,
        rationales=RationaleRule.NONE,
        verifier=Verifier.ANYONE,
        split_shares=(0.6, 0.2, 0.2),
        quiz_questions=0,
        null_result_rule=(
            "A study that found no significant effect in the direction of the "
            "hypothesis contradicts it."
        ),
    ),
}
_LABELS = {
    Protocol.SCIFACT: (
        LabelChoice(Label.SUPPORT, "SUPPORTS"),
        LabelChoice(Label.CONTRADICT, "REFUTES"),
        LabelChoice(Label.NOT_ENOUGH_INFO, "NOT ENOUGH INFO"),
    ),
    Protocol.CHECK_COVID: (
        LabelChoice(Label.SUPPORT, "SUPPORT"),
        LabelChoice(Label.CONTRADICT, "REFUTE"),
        LabelChoice(Label.NOT_ENOUGH_INFO, "NOT ENOUGH INFO"),
    ),
    Protocol.CORE: (
        LabelChoice(Label.SUPPORT, "ENTAIL"),
        LabelChoice(Label.CONTRADICT, "CONTRADICT"),
        LabelChoice(Label.MIXED, "INCONCLUSIVE"),
    ),
}


def default_settings(protocol: Protocol) -> ProjectSettings:
    """Return the settings that a new project of this protocol starts from."""
    return _DEFAULTS[protocol]


def default_labels(protocol: Protocol) -> tuple[LabelChoice, ...]:
    """Return the label scheme of a protocol, in the order of its buttons."""
    return _LABELS[protocol]


def labels_to_json(choices: tuple[LabelChoice, ...]) -> list[dict[str, str]]:
    """Return a label scheme as plain JSON values."""
    return [{"label": c.label.value, "word": c.word} for c in choices]


def labels_from_json(data: list[dict[str, str]]) -> tuple[LabelChoice, ...]:
    """Read a label scheme; ``SettingsError`` for unknown, repeated or blank entries."""
    choices = []
    for entry in data:
        try:
            label = Label(entry["label"])
        except (KeyError, ValueError):
            raise SettingsError({"labels": f"Unknown label in {entry!r}."}) from None
        word = entry.get("word", "").strip()
        if not word:
            raise SettingsError({"labels": f"{label.value} needs a word."})
        choices.append(LabelChoice(label, word))
    if len({c.label for c in choices}) != len(choices) or len(choices) < 2:
        raise SettingsError({"labels": "Two or more different labels are needed."})
    return tuple(choices)
