"""Where a sentence ends: rules for scientific abstracts, and nupunkt behind them.

The rules judge a place in order, from the most certain to the least; where none
applies, nupunkt decides from the two words around it. nupunkt only ever sees two
words at a time, so the work is linear in the length of the text whatever the text
is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from corpus.abbreviations import (
    BEFORE_NUMBER,
    HEADINGS,
    LETTER_NAMES,
    MAYBE_FINAL,
    NEVER_FINAL,
    STARTERS,
    UNITS,
)
from corpus.brackets import Brackets
from corpus.punkt import ends_sentence, is_abbreviation

_STOPS = ".!?…؟۔।॥"
_WIDE_STOPS = "。！？｡"
_CLOSERS = "\"'”’»›)]}」』）】》"
_OPENERS = "\"'“‘«‹([{「『（【《„¿¡*"
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_ENDS = frozenset(_STOPS + _WIDE_STOPS + _CLOSERS + _SUPERSCRIPTS + "0123456789")

# How far the rules look around a place, in code points.
_WINDOW = 120
# Beyond so many places a text is no abstract; the rest is judged by a short rule.
_MOST_PLACES = 100_000

_PLACE = re.compile(
    r"\s+"
    # behind a full stop of East Asian text, which no space follows
    rf"|(?<![{_WIDE_STOPS}])[{_WIDE_STOPS}]++[{re.escape(_CLOSERS)}]*+(?=\S)"
    # two words glued by a full stop: "in patients.Treatment was"
    r"|(?:(?<=[a-z]{3})|(?<=[)\]%]))\.(?=[A-Z][a-z]{2})"
)
_CITATION = re.compile(r"(?<=[.!?])\[\d[\d,;–-]{0,20}\]$")
_GLUED_CITATION = re.compile(r"(?<=[^\W\d_]{3}\.)\d{1,3}(?:[,–-]\d{1,3}){0,6}$")
_WORD_BREAK = re.compile(r"[\s()\[\]{}\"'“”‘’,;=<>≤≥~≈+—–]|(?<!\d)[:/]")
# “B and” of “groups A, B and C”
_LETTERS = re.compile(r"[A-Z],? (?:and|or)")
_ADDRESS = re.compile(r"\w+://|www\.|doi:|10\.\d{4}|[\w-]+\.\w+/|\w@\w")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_ENUMERATOR = re.compile(
    r"[(\[]?(?:\d{1,3}(?:\.\d{1,2})*|[A-Za-z]|[ivxIVX]{1,4})[)\]]?\.?[)\]]?"
)
_LIST_ITEM = re.compile(r"(?:[•‣▪●◦*–-]\s|[(\[]?\d{1,2}[.)\]]\s)")
_LINE_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_URL_PARTS = frozenset("/@\\")


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged place: white space from ``start`` to ``end``, possibly none."""

    start: int
    end: int
    cut: bool
    reason: str


# --- one place -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """What the rules may look at.

    ``word`` is the last word before the stop, casefolded, ``spelling`` the same
    as written; ``earlier`` are the two words before it, ``previous`` the last of
    them. ``after`` is the next word without the quotes and brackets that ``opens``
    tells of. ``said`` is the sentence so far if it is
    short, else ``""``.
    """

    spelling: str
    word: str
    earlier: str
    previous: str
    stop: str
    closers: str
    after: str
    said: str
    opens: bool
    in_address: bool
    in_bracket: bool
    in_dots: bool
    glued: bool


_Verdict = tuple[bool, str]
_KEEP: _Verdict = (False, "")
_CUT: _Verdict = (True, "")


def judge_places(text: str, start: int, end: int) -> Iterator[Judged]:
    """Judge every place of ``text[start:end]`` where a sentence may end."""
    brackets = Brackets(text)
    seen = 0
    for match in _PLACE.finditer(text, start, end):
        glued = not match[0].isspace()
        a, b = (match.end(), match.end()) if glued else match.span()
        if text[a - 1] not in _ENDS and not _LINE_BREAK.search(text, a, b):
            continue
        if continues_character(text, b):
            continue
        seen += 1
        if seen > _MOST_PLACES:
            cut, reason = _short_rule(text, a, b), ""
        else:
            verdict = _judge_place(text, start, a, b, brackets)
            if verdict is None:
                continue
            cut, reason = verdict
        if cut:
            start = b
        if cut or reason:
            yield Judged(a, b, cut, reason)


def _short_rule(text: str, a: int, b: int) -> bool:
    return text[a - 1] in _STOPS + _WIDE_STOPS and text[b].isupper()


def _judge_place(
    text: str, start: int, a: int, b: int, brackets: Brackets
) -> _Verdict | None:
    """Judge the white space ``text[a:b]`` in a sentence that began at ``start``."""
    line_breaks = len(_LINE_BREAK.findall(text[a : min(b, a + _WINDOW)]))
    said = text[start:a] if a - start <= _WINDOW else ""
    if line_breaks and (verdict := _at_line_break(text, a, b, said, line_breaks)):
        return verdict
    place = _look(text, start, a, b, said, brackets)
    if place is None:
        return None
    for rule in _RULES:
        verdict = rule(place)
        if verdict is not None:
            return verdict
    return _ask_nupunkt(place)


def _at_line_break(
    text: str, a: int, b: int, said: str, line_breaks: int
) -> _Verdict | None:
    """A blank line ends a sentence, and so does a stop before a list item."""
    if _is_heading(said):
        return _KEEP
    if line_breaks > 1 or "\u2029" in text[a:b]:
        return _CUT
    if text[a - 1] in ".!?:;" and _LIST_ITEM.match(text, b):
        return _KEEP if _ENUMERATOR.fullmatch(said) else _CUT
    return None


def _look(
    text: str, start: int, a: int, b: int, said: str, brackets: Brackets
) -> _Place | None:
    """Gather what the rules need; ``None`` if no stop stands in front."""
    before = text[max(start, a - _WINDOW) : a]
    core, glued = _without_citation(before)
    glued = glued or a == b
    bare = core.rstrip(_STOPS + _WIDE_STOPS)
    if bare == core:
        return None
    words = bare.rsplit(None, 3)
    spelling = _WORD_BREAK.split(words[-1])[-1] if words else ""
    after = text[b : b + _WINDOW].split(None, 1)[0]
    earlier = [word.strip(_OPENERS + _CLOSERS) for word in words[-3:-1]]
    spaced = bare[-1:].isspace() and bare.rstrip().endswith(tuple(_STOPS))
    return _Place(
        spelling=spelling,
        word=spelling.casefold(),
        earlier=" ".join(earlier),
        previous=earlier[-1] if earlier else "",
        stop=core[len(bare) :],
        closers=before[len(core) :],
        after=after.lstrip(_OPENERS) or after,
        said=said,
        opens=after[0] in _OPENERS,
        in_address=bool(words and _ADDRESS.search(words[-1])),
        in_bracket=brackets.is_inside(start, a - len(before) + len(core)),
        in_dots=not words or spaced or not after.strip(_STOPS),
        glued=glued,
    )


def _without_citation(before: str) -> tuple[str, bool]:
    """Drop closing marks and reference numbers behind the stop.

    The second value tells whether a number was glued to the stop: “sprout.12”.
    """
    pattern = _GLUED_CITATION if before[-1].isdigit() else _CITATION
    citation = pattern.search(before, max(0, len(before) - 32))
    if citation:
        return before[: citation.start()], pattern is _GLUED_CITATION
    return before.rstrip(_CLOSERS + _SUPERSCRIPTS), False


# --- the rules, in order; each decides or passes ------------------------------


def _heading_or_enumerator(place: _Place) -> _Verdict | None:
    """A heading or a list number stays with the sentence behind it."""
    if place.said and (_is_heading(place.said) or _ENUMERATOR.fullmatch(place.said)):
        return _KEEP
    return None


def _is_heading(said: str) -> bool:
    words = said.strip("*_:. ").casefold()
    return re.sub(r"^\d+(?:\.\d+)*[.)]?\s+", "", words) in HEADINGS


def _row_of_dots(place: _Place) -> _Verdict | None:
    """Dots with spaces, as in “. . .” or a table of contents."""
    return _KEEP if place.in_dots else None


def _inside_bracket(place: _Place) -> _Verdict | None:
    if not place.in_bracket:
        return None
    if _starts_sentence(place.after) and place.word not in NEVER_FINAL:
        return (False, "A sentence may end here, but the bracket is still open.")
    return _KEEP


def _wide_stop(place: _Place) -> _Verdict | None:
    return _CUT if place.stop[-1] in _WIDE_STOPS else None


def _ellipsis(place: _Place) -> _Verdict | None:
    if "…" not in place.stop and not place.stop.endswith(".."):
        return None
    if not place.after[0].isupper():
        return _KEEP
    return (True, "The dots may be an omission inside one sentence.")


def _asks_or_exclaims(place: _Place) -> _Verdict | None:
    if place.stop[-1] == ".":
        return None
    if not _is_plain_lower(place.after):
        return _CUT
    if place.closers:
        return _KEEP
    return (False, f"“{place.stop[-1]}” stands here, but a small letter follows.")


def _glued_words(place: _Place) -> _Verdict | None:
    """A missing space, or a reference number set as plain text behind the stop."""
    if not place.glued or not _URL_PARTS.isdisjoint(place.after):
        return _KEEP if place.glued else None
    if place.word in NEVER_FINAL | BEFORE_NUMBER:
        return _KEEP
    return (True, "There is no space behind the full stop.")


def _address(place: _Place) -> _Verdict | None:
    """What a link ends with is no abbreviation."""
    return _CUT if place.in_address and not _is_plain_lower(place.after) else None


def _never_final(place: _Place) -> _Verdict | None:
    return _KEEP if place.word in NEVER_FINAL and not place.closers else None


def _before_number(place: _Place) -> _Verdict | None:
    is_initial = len(place.spelling) == 1 and place.spelling.isupper()
    if place.word not in BEFORE_NUMBER or place.closers or is_initial:
        return None
    if re.match(r"[#±~\d]|[A-Z][a-z]{0,2}\d", place.after):
        return _KEEP
    if _is_plain_lower(place.after):
        return _KEEP
    ends = _starts_sentence(place.after) or place.spelling in {"no", "art", "app"}
    if not ends and place.after.casefold().rstrip(".s") in {"fig", "table", "tab"}:
        return _KEEP
    return (ends, f"“{place.spelling}.” may be an abbreviation.")


def _unit(place: _Place) -> _Verdict | None:
    """“5 mg. Patients” ends a sentence, “5 mg. daily” does not."""
    number = place.previous[-1:].isdigit() or place.spelling[:1].isdigit()
    word = place.word.lstrip("0123456789.")
    if not number or word not in UNITS or place.spelling == "L":
        return None
    if _is_plain_lower(place.after):
        return _KEEP
    if place.after[0].isdigit() and place.opens:
        return _KEEP
    if place.after[0].isdigit():
        return (True, f"“{place.spelling}.” may be an abbreviation of a unit.")
    return _CUT


def _maybe_final(place: _Place) -> _Verdict | None:
    dotted = _DOTTED.fullmatch(place.spelling)
    if place.word not in MAYBE_FINAL and not dotted:
        return None
    if not place.after[0].isupper() or place.closers:
        return None if place.closers else _KEEP
    may_name = place.word in {"al", "sp"} or (dotted and place.spelling[0].isupper())
    cut = _starts_sentence(place.after) or not may_name
    if place.word == "sp" and place.after[1:2].islower():
        cut = True
    return (cut, f"“{place.spelling}.” may be an abbreviation inside the sentence.")


def _initial(place: _Place) -> _Verdict | None:
    """“E. coli”, “J. K. Smith”, but “vitamin D. The”."""
    if len(place.spelling) != 1 or not place.spelling.isupper() or place.closers:
        return None
    is_name = place.previous.casefold() in LETTER_NAMES or _LETTERS.fullmatch(
        place.earlier
    )
    if is_name and not _is_plain_lower(place.after):
        return _CUT
    if _is_plain_lower(place.after) or re.match(r"[A-Z]\.", place.after):
        return _KEEP
    if _starts_sentence(place.after):
        return (True, f"“{place.spelling}.” may be the initial of a name.")
    if re.fullmatch(r"(?:[A-Z]\.)+|[A-Z][a-z]+", place.previous):
        return _KEEP
    return (False, f"“{place.spelling}.” was taken for the initial of a name.")


def _acronym(place: _Place) -> _Verdict | None:
    """Capitals without stops between them, as in “treated for AD. Patients”."""
    is_acronym = len(place.spelling) > 1 and place.spelling.isupper()
    if is_acronym and place.spelling.isalpha() and place.after[0].isupper():
        return _CUT
    return None


def _number(place: _Place) -> _Verdict | None:
    """“0. 05” is one number; “aims: 1. to measure” is a list."""
    if not place.spelling.isdecimal() or place.closers:
        return None
    if place.previous.endswith((":", ";")) and len(place.spelling) < 3:
        return _KEEP
    if not place.after[0].isdigit() or len(place.spelling) > 2:
        return None
    if place.spelling == "0" or re.search(r"[=<>≤≥]$", place.previous):
        return _KEEP
    return (False, "This may be one number with a space, or two sentences.")


def _small_letter(place: _Place) -> _Verdict | None:
    if not _is_plain_lower(place.after):
        return None
    if place.closers or re.fullmatch(r"[A-Z][a-z]{1,2}", place.spelling):
        return _KEEP  # the genus of a species: “An. gambiae”
    if len(place.word) > 5 and place.word.isalpha():
        return (True, "The next sentence begins with a small letter.")
    return (False, f"“{place.spelling}.” stands before a small letter.")


_RULES: tuple[Callable[[_Place], _Verdict | None], ...] = (
    _heading_or_enumerator,
    _inside_bracket,
    _wide_stop,
    _row_of_dots,
    _ellipsis,
    _asks_or_exclaims,
    _glued_words,
    _address,
    _never_final,
    _unit,
    _before_number,
    _initial,
    _acronym,
    _maybe_final,
    _number,
    _small_letter,
)


def _starts_sentence(word: str) -> bool:
    bare = re.split(r"[^\w]", word, maxsplit=1)[0]
    return bare[:1].isupper() and bare.casefold() in STARTERS


def _is_plain_lower(word: str) -> bool:
    """Tell an ordinary small word from a name such as p53, mTOR or α-synuclein."""
    if re.match(r"[a-z]{1,4}\)", word):
        return False  # the number of a list: “(a) More”
    head = word.rstrip(".,;:!?")
    if not head[:1].islower() or "GREEK" in unicodedata.name(head[0], ""):
        return False
    first = re.split(r"[-–/]", head, maxsplit=1)[0]
    if len(first) == 1 and first != head:
        return False
    return not any(c.isupper() or c.isdigit() for c in head)


def continues_character(text: str, position: int) -> bool:
    """Tell whether the character at ``position`` belongs to the one before it."""
    if not 0 < position < len(text):
        return False
    character = text[position]
    return (
        unicodedata.category(character).startswith("M")
        or character == "\u200d"
        or text[position - 1] == "\u200d"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _ask_nupunkt(place: _Place) -> _Verdict:
    cut = ends_sentence(f"{place.spelling}{place.stop}", place.after)
    if cut and not is_abbreviation(place.word):
        return _CUT
    return (cut, f"“{place.spelling}.” may be an abbreviation.")
