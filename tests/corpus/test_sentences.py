"""Sentences of abstracts: hard boundaries, doubts, exact joins, and speed."""

from __future__ import annotations

import json
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

import nupunkt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus.sentences import (
    SPLITTER,
    Doubt,
    find_doubts,
    join_sentences,
    merge_boundary,
    split_boundary,
    split_sentences,
)
from tests.paths import REPO

DATA = Path(__file__).parent / "data"

# What the splitter reaches today; a change that loses one must say so here.
HARD_REACHED = 50


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / name).read_bytes())["cases"]
    return found


def test_the_splitter_names_the_version_of_nupunkt() -> None:
    assert f"nupunkt {nupunkt.__version__} + claimdesk 1" == SPLITTER


def test_hard_boundaries_come_out_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    hard = cases("hard_boundaries.json")
    misses = [
        f"{case['why']}: {found}"
        for case in hard
        if (found := list(split_sentences(case["text"]).sentences)) != case["sentences"]
    ]
    with capsys.disabled():
        print(f"\nhard boundaries: {len(hard) - len(misses)}/{len(hard)} exact")  # noqa: T201
    assert len(hard) == 50
    assert len(hard) - len(misses) >= HARD_REACHED, "\n".join(misses)


@pytest.mark.parametrize("case", cases("ordinary_abstracts.json"))
def test_an_ordinary_abstract_is_split_without_doubt(case: dict[str, Any]) -> None:
    split = split_sentences(case["text"])
    assert list(split.sentences) == case["sentences"]
    assert split.doubts == ()


@pytest.mark.parametrize(
    "text",
    [
        "We used rice, cf. Table 2 and Suppl. Fig. S3. ¦Results agreed.",
        "We formed groups A, B and C. ¦Group C improved most.",
        "The gene product binds factor V. ¦Leiden carriers bind less.",
        "The ratio was 1:3. ¦2 mM EDTA was added.",
        "Survival was 80% at 5 yr. (95% CI 70% to 90%). ¦It fell later.",
        "Code: git.example.org/x. ¦OK. ¦Ask low@example.org. ¦See www.example.org/q.",
        "Effects differ. ¦(a) More sun helps. ¦(b) More rain does not.",
        "It was small (p = 0.2).¦Another was not.¦Both were rare.",
        "They came from Washington, D.C. and Ohio. ¦Some left D.C. ¦Their scores rose.",
        "Results improved. ¦• More sleep. ¦\n• Less noise.",
        "First line.\n¦1. Sleep more.\n¦2. Eat less.",
        "One part\n\n¦another part without a stop\u2029¦a third",
        "Contents . . . . . . 3 Preface . . . . . 4",
        "The sign ( . . . ) marks gaps. ¦We kept them.",
        "他说：“好。”¦我们走了。¦结束",
        "क्या यह सही है? ¦हाँ। ¦नहीं।",
    ],
)
def test_further_boundaries(text: str) -> None:
    """Places that once came out wrong; “¦” marks the boundaries."""
    expected = [part.strip() for part in text.split("¦")]
    assert list(split_sentences(text.replace("¦", "")).sentences) == expected


def test_the_demo_abstracts_come_back_as_they_were() -> None:
    wrong = []
    abstracts = [
        json.loads(line)["abstract"]
        for path in sorted((REPO / "annotation/demo").glob("documents*.jsonl"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line
    ]
    for sentences in abstracts:
        found = list(split_sentences(" ".join(sentences)).sentences)
        wrong += [] if found == sentences else [found]
    assert len(abstracts) >= 60
    assert wrong == []


@pytest.mark.parametrize("text", ["", " ", "\n\r\n\t", "\u3000\u2028"])
def test_text_without_letters_has_no_sentence(text: str) -> None:
    split = split_sentences(text)
    assert (split.sentences, split.separators, split.doubts) == ((), (text,), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # made, and doubtful: after an abbreviation
        ("Grown in the U.S. The rest died.", [(1, None, "U.S.")]),
        # made, and doubtful: an initial before a common first word
        ("A letter by Mr Q. The end.", [(1, None, "initial")]),
        # made, and doubtful: a reference number looks like a decimal
        ("Seeds sprout.12 Cold kills.", [(1, None, "no space")]),
        ("Seeds sprouted.Cold kills.", [(1, None, "no space")]),
        ("They left… Later they came.", [(1, None, "omission")]),
        ("The bees returned. without food they died.", [(1, None, "small letter")]),
        # not made, and suspicious
        ("Food of the U.S. Army was bad.", [(0, 17, "U.S.")]),
        ("Look (the door. The wall) here.", [(0, 16, "bracket")]),
        ("We saw Q. Banana there.", [(0, 10, "initial")]),
        ("They found 12. 5 were red.", [(0, 15, "one number")]),
        ("It is kept at a temp. of 5 °C.", []),
        ("Two obsv. of it.", [(0, 10, "small letter")]),
        # nothing to ask about
        ("We grew E. coli and J. K. Low left (p < .05). p53 is lost.", []),
        ("As in Fig. 2, e.g. at 5 mg. The end.", []),
    ],
)
def test_doubtful_places_are_named(
    text: str, expected: list[tuple[int, int | None, str]]
) -> None:
    doubts = split_sentences(text).doubts
    assert [(d.sentence, d.offset) for d in doubts] == [e[:2] for e in expected]
    for doubt, (_, _, words) in zip(doubts, expected, strict=True):
        assert words in doubt.reason


def test_each_doubt_can_be_settled_with_one_edit() -> None:
    split = split_sentences("Food of the U.S. Army was bad. It came from the U.S. So?")
    missing, made = split.doubts
    assert (missing.offset, made.offset) == (17, None)
    cut = split_boundary(split.sentences, split.separators, missing.sentence, 17)
    assert cut[0][:2] == ("Food of the U.S.", "Army was bad.")
    merged = merge_boundary(split.sentences, split.separators, made.sentence)
    assert merged[0] == ("Food of the U.S. Army was bad.", "It came from the U.S. So?")


def test_doubts_follow_the_boundaries_of_a_person() -> None:
    split = split_sentences("Grown in the U.S. The rest died. All is well.")
    pieces = merge_boundary(split.sentences, split.separators, 1)
    (doubt,) = find_doubts(*pieces)
    assert (doubt.sentence, doubt.offset) == (0, 18)
    assert find_doubts(*split_boundary(*pieces, 0, 18)) == split.doubts


def test_a_merge_keeps_what_stood_between() -> None:
    assert merge_boundary(("A.", "B.", "C."), ("", "\r\n", " ", ""), 1) == (
        ("A.\r\nB.", "C."),
        ("", " ", ""),
    )


def test_a_cut_moves_white_space_into_the_separator() -> None:
    assert split_boundary(("One  two.", "C."), (" ", " ", ""), 0, 4) == (
        ("One", "two.", "C."),
        (" ", "  ", " ", ""),
    )


@pytest.mark.parametrize("index", [-1, 0, 2])
def test_a_boundary_that_does_not_exist_cannot_be_merged(index: int) -> None:
    with pytest.raises(ValueError, match="no boundary"):
        merge_boundary(("A.", "B."), ("", " ", ""), index)


@pytest.mark.parametrize(
    ("sentence", "index", "offset", "message"),
    [
        ("Two words.", 1, 3, "no sentence"),
        ("Two words.", -1, 3, "no sentence"),
        ("Two words.", 0, 0, "both sides"),
        ("Two words.", 0, 10, "both sides"),
        ("Two words.", 0, -3, "both sides"),
        ("Two words.", 0, 99, "both sides"),
        ("Cafe\u0301 au lait.", 0, 4, "accents"),
        ("Fire \U0001f469\u200d\U0001f692 crew.", 0, 6, "accents"),
        ("Thumb \U0001f44d\U0001f3fd up.", 0, 7, "accents"),
    ],
)
def test_an_impossible_cut_is_refused(
    sentence: str, index: int, offset: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        split_boundary((sentence,), ("", ""), index, offset)


def test_pieces_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="one separator more"):
        join_sentences(("A.",), ("",))


MARKS = list('.!?…。！;:()[]"“”’」\r\n\t\u2028\u3000\xa0\ufeff\0\ud800\x1c\x85<=-•')
JOINERS = list("\u0301\u200d\U0001f469\U0001f3fdα水")
WORDS = [
    *("e.g.", "i.e.", "al.", "U.S.", "vs.", "Fig.", "No.", "E.", "mg.", "abc.Def"),
    *("p53", "mTOR", "coli", "The", "we", "5", "0.", ".05", "[3]", "12", "1."),
    *("Methods", "RESULTS", "http://a.b/c."),
]
FRAGMENTS = st.sampled_from([*MARKS, *JOINERS, *WORDS, "\r\n", "\n\n", ". ", ". "])
HOSTILE = st.one_of(
    st.text(),
    st.lists(st.one_of(FRAGMENTS, st.just(" "), st.text(max_size=3))).map("".join),
)


# An accent after white space: a doubt about that place could not be settled.
@example("A\x867A. \u0300")
@example("7A. \u0300")
@given(HOSTILE)
@settings(max_examples=400, deadline=None)
def test_any_text_is_split_without_losing_a_character(text: str) -> None:
    split = split_sentences(text)
    assert join_sentences(split.sentences, split.separators) == text
    assert all(s and s == s.strip() for s in split.sentences)
    assert all(not s.strip() for s in split.separators)
    assert split == split_sentences(text)
    assert find_doubts(split.sentences, split.separators) == split.doubts
    for sentence in split.sentences[1:]:
        assert not unicodedata.category(sentence[0]).startswith("M")
    for doubt in split.doubts:
        settle(split.sentences, split.separators, doubt, text)


def settle(
    sentences: tuple[str, ...], separators: tuple[str, ...], doubt: Doubt, text: str
) -> None:
    """Undo or make the doubtful boundary, and see that the text is the same."""
    if doubt.offset is None:
        pieces = merge_boundary(sentences, separators, doubt.sentence)
    else:
        pieces = split_boundary(sentences, separators, doubt.sentence, doubt.offset)
    assert join_sentences(*pieces) == text


@given(HOSTILE, st.integers(0, 20), st.integers(-3, 60))
@settings(max_examples=200, deadline=None)
def test_any_edit_keeps_the_text(text: str, index: int, offset: int) -> None:
    split = split_sentences(text)
    with suppress(ValueError):
        merged = merge_boundary(split.sentences, split.separators, index)
        assert join_sentences(*merged) == text
    with suppress(ValueError):
        cut = split_boundary(split.sentences, split.separators, index, offset)
        assert join_sentences(*cut) == text
        assert "" not in cut[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "Of 45 patients (p < .05), E. coli killed two. It was as Low et al. had said. ",
        "a. ",
        "E. ",
        ". ",
        ".",
        "(",
        '."',
        "。」",
        "x\r\n",
        "abc.Def",
        "abc.[1] ",
        "e\u0301",
    ],
)
def test_a_long_text_of_one_kind_is_split_without_losing_a_character(
    unit: str,
) -> None:
    """How its time grows with its length is printed by ``benchmarks.sentences``."""
    text = unit * (200_000 // len(unit))
    split = split_sentences(text)
    assert join_sentences(split.sentences, split.separators) == text
