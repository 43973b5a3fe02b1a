"""What a judgement must look like, as a table with the reason for each row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.judgement_rules import check_judgement
from annotation.protocols import (
    Protocol,
    RationaleRule,
    default_labels,
    default_settings,
)
from corpus.records import Label, Rationale, SentenceRole

PRIMARY, SUPPLEMENTARY = SentenceRole.PRIMARY, SentenceRole.SUPPLEMENTARY


def _check(
    protocol: Protocol, label: Label, *rationales: Rationale
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = check_judgement(
        label,
        rationales,
        sentence_count=5,
        rules=default_settings(protocol),
        labels=default_labels(protocol),
    )
    return found.errors, found.warnings


@pytest.mark.parametrize(
    ("protocol", "label", "rationales"),
    [
        ("scifact", "SUPPORT", [(0,)]),
        ("scifact", "CONTRADICT", [(0, 4), (2,)]),  # non-contiguous, two of them
        ("scifact", "NOT_ENOUGH_INFO", []),
        ("core", "MIXED", []),
        ("core", "SUPPORT", []),  # CoRe has no rationales
    ],
)
def test_sound_judgements_have_no_errors(
    protocol: str, label: str, rationales: list[tuple[int, ...]]
) -> None:
    given = [Rationale(r) for r in rationales]
    assert _check(Protocol(protocol), Label(label), *given) == ((), ())


@pytest.mark.parametrize(
    ("protocol", "label", "rationales", "part"),
    [
        ("scifact", "MIXED", [], "does not use MIXED"),
        ("scifact", "SUPPORT", [], "Choose the sentences"),
        ("scifact", "NOT_ENOUGH_INFO", [(1,)], "has no rationale"),
        ("scifact", "SUPPORT", [(5,)], "Sentence 6 does not exist"),
        ("scifact", "SUPPORT", [(-1,)], "Sentence 0 does not exist"),
        ("scifact", "SUPPORT", [(1, 2), (2,)], "Sentence 3 is used twice"),
        ("scifact", "SUPPORT", [(1, 1)], "Sentence 2 is used twice"),
        ("scifact", "SUPPORT", [(1,), ()], "has no sentence"),
        ("core", "SUPPORT", [(1,)], "has no rationales"),
        ("check-covid", "SUPPORT", [(1,)], "either PRIMARY or SUPPLEMENTARY"),
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_reason(
    protocol: str, label: str, rationales: list[tuple[int, ...]], part: str
) -> None:
    given = [Rationale(r) for r in rationales]
    errors, _ = _check(Protocol(protocol), Label(label), *given)
    assert len(errors) == 1
    assert part in errors[0]


def test_roles_need_a_primary_sentence_and_one_role_each() -> None:
    sound = Rationale((0, 1), (PRIMARY, SUPPLEMENTARY))
    assert _check(Protocol.CHECK_COVID, Label.SUPPORT, sound) == ((), ())
    only_supplementary = Rationale((0,), (SUPPLEMENTARY,))
    errors, _ = _check(Protocol.CHECK_COVID, Label.SUPPORT, only_supplementary)
    assert errors == ("At least one sentence must be PRIMARY.",)
    errors, _ = _check(Protocol.SCIFACT, Label.SUPPORT, sound)
    assert errors == ("This project does not use PRIMARY and SUPPLEMENTARY.",)


def test_a_project_with_one_rationale_takes_no_second() -> None:
    rules = replace(default_settings(Protocol.SCIFACT), rationales=RationaleRule.ONE)
    found = check_judgement(
        Label.SUPPORT,
        [Rationale((0,)), Rationale((1,))],
        sentence_count=5,
        rules=rules,
        labels=default_labels(Protocol.SCIFACT),
    )
    assert "one rationale for a pair" in found.errors[0]


def test_limits_of_the_papers_warn_and_never_block() -> None:
    four = [Rationale((i,)) for i in range(4)]
    errors, warnings = _check(Protocol.SCIFACT, Label.SUPPORT, *four)
    assert errors == ()
    assert warnings == ("4 rationales; more than 3 is rare.",)
    errors, warnings = _check(Protocol.SCIFACT, Label.SUPPORT, Rationale((0, 1, 2, 3)))
    assert errors == ()
    assert "A rationale of 4 sentences" in warnings[0]
