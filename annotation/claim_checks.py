"""What is unusual about the wording of a claim. Pure.

A claim is one atomic, verifiable finding that stands on its own. Each check warns
of one way in which a text is not that. Warnings never block: the checks look at
words, not at meaning, and prefer to be silent over crying wolf (``docs/annotating.md``
has their rates on published claims).

Positions count code points from 0, as Python does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from annotation.claim_reasons import REASONS
from annotation.claim_words import (
    ANY_FINDING,
    BASE_VERBS,
    COPULAS,
    EXPANSIONS,
    GERUNDS,
    KNOWN_ACRONYMS,
    NAME_AFTER,
    NAME_BEFORE,
    NOT_UNITS,
    NOUN_LIKE_VERBS,
    PAST_VERBS,
    THIRD_PERSON_VERBS,
)


@dataclass(frozen=True, slots=True)
class ClaimWarning:
    """One warning: which check, why, and where in the text."""

    code: str
    message: str
    start: int
    end: int
    example_bad: str
    example_good: str


Span = tuple[int, int, str]
"""Where a check warns, and words of its own to put before the advice."""


def check_claim(
    text: str,
    *,
    source_text: str = "",
    max_words: int,
    known_acronyms: frozenset[str] = KNOWN_ACRONYMS,
) -> tuple[ClaimWarning, ...]:
    """Return what is unusual about a claim, at most one warning for each check.

    ``source_text`` is what the claim is written from: it is searched for copied
    words and for what an abbreviation stands for. Leave it empty for a claim that
    is meant to be taken word for word.
    """
    checks: dict[str, Callable[[], Iterator[Span]]] = {
        "not_atomic": lambda: _not_atomic(text),
        "dangling": lambda: _dangling(text),
        "acronym": lambda: _acronyms(text, source_text, known_acronyms),
        "hedge": lambda: _hedges(text),
        "opinion": lambda: _first_match(_OPINION, text),
        "number_without_unit": lambda: _numbers(text),
        "copied": lambda: _copied(text, source_text),
        "too_long": lambda: _too_long(text, max_words),
    }
    found = []
    for code, check in checks.items():
        span = next(check(), None)
        if span is not None:
            found.append(_warning(code, span))
    return tuple(found)


def warnings_as_json(
    text: str, warnings: tuple[ClaimWarning, ...]
) -> list[dict[str, Any]]:
    """Return warnings as plain values, each with its title and the words meant."""
    return [
        {
            **asdict(warning),
            "title": REASONS[warning.code].title,
            "excerpt": text[warning.start : warning.end],
        }
        for warning in warnings
    ]


def _warning(code: str, span: Span) -> ClaimWarning:
    start, end, lead = span
    reason = REASONS[code]
    message = f"{lead} {reason.advice}" if lead else reason.advice
    return ClaimWarning(
        code, message, start, end, reason.example_bad, reason.example_good
    )


def _first_match(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    for match in pattern.finditer(text):
        yield match.start(), match.end(), f"“{match.group().strip()}”:"


def _hedges(text: str) -> Iterator[Span]:
    """Hedges of the finding itself, not of what somebody doubts or quotes."""
    for start, end, lead in _first_match(_HEDGE, text):
        before = text[:start]
        if not (
            _IS_ABOUT_DOUBT.search(before) or before.count("“") > before.count("”")
        ):
            yield start, end, lead


# --- One finding ---------------------------------------------------------------

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_ADVERB = r"(?:also|thus|thereby|therefore|then|consequently|significantly|even)"
_JOINED = re.compile(rf"\s(?:and|but)\s+(?:{_ADVERB}\s+)?(\w+)\b(?:\s+(\w+))?", re.I)
_SECOND_SENTENCE = re.compile(r"[a-z0-9)][.!?]\s+(?=[A-Z][a-z]+\s+\w+\s+\w+)")
_ABBREVIATED = re.compile(
    r"\b(?:vs|cf|e\.g|i\.e|approx|Dr|St|Mr|Mrs|Prof|sp|spp|al|no)$"
)
_SEMICOLON = re.compile(r";\s+\w+(?:\s+\w+){2,}")
_SUBJECT = r"(?:[\w-]+\s+){1,5}?"
_CONTRAST = re.compile(
    rf"(?:,\s+(?:and|but)|\bwhile|\bwhereas)\s+({_SUBJECT})([\w-]+)\b", re.I
)
_SECOND_EFFECT = re.compile(
    r"\b(?:while|as\s+well\s+as)\s+(?:also\s+)?(\w+ing)\b", re.I
)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|because|if|when)\b", re.I)


def _not_atomic(text: str) -> Iterator[Span]:
    for match in _SEMICOLON.finditer(text):
        yield match.start(), match.start() + 1, ""
    for match in _SECOND_SENTENCE.finditer(text):
        if not _ABBREVIATED.search(text[: match.start() + 1]):
            yield match.start() + 1, match.start() + 2, ""
    yield from _joined_findings(text)


def _joined_findings(text: str) -> Iterator[Span]:
    for match in _JOINED.finditer(text):
        if _joins(text[: match.start()], match.group(1), match.group(2) or ""):
            start, end = match.start() + 1, match.end(1)
            yield start, end, f"“{text[start:end]} …”:"
    for match in _CONTRAST.finditer(text):
        if _joins(text[: match.start()], match.group(2), "it"):
            start = match.start() + (2 if text[match.start()] == "," else 0)
            yield start, match.end(), f"“{text[start : match.end()]} …”:"
    for match in _SECOND_EFFECT.finditer(text):
        before = text[: match.start()]
        if match.group(1).lower() in GERUNDS and _has_finding(before, ANY_FINDING):
            yield match.start(), match.end(), f"“{match.group()} …”:"


def _joins(before: str, verb: str, after: str) -> bool:
    """Whether a verb that follows "and" states a second finding of the same form."""
    verb, after = verb.lower(), after.lower()
    if verb in NOUN_LIKE_VERBS and after in {"in", "of", "to", "and", "or", ""}:
        return False
    if verb in COPULAS:
        return not _RELATIVE.search(before) and _has_finding(
            before, COPULAS | ANY_FINDING
        )
    forms = (THIRD_PERSON_VERBS, PAST_VERBS, BASE_VERBS)
    return any(verb in form and _has_finding(before, form | COPULAS) for form in forms)


def _has_finding(before: str, forms: frozenset[str]) -> bool:
    """Whether an earlier verb of these forms has a subject and an object."""
    words = [word.lower() for word in _WORD.findall(before)]
    return any(
        word in forms and 0 < place < len(words) - 1 for place, word in enumerate(words)
    )


# --- Stands on its own ---------------------------------------------------------

_STUDY = (
    r"(?:stud(?:y|ies)|trials?|papers?|articles?|works?|reports?|authors?|"
    r"results?|findings?|data|experiments?|analys[ei]s|investigations?)"
)
# Who says something, with nothing before that "it" could mean.
_SAYERS = r"""
    (?:(?:an?|the|one|two|three|several|many|most|some|new|recent|earlier|previous|other
      |large|small|clinical|health|medical)\s+){0,3}
    (?:experts|scientists|researchers|doctors|physicians|authors|research|evidence
      |stud(?:y|ies)|trials?|reports?|papers?|articles?|reviews?)\s+
    (?:(?:has|have)\s+)?
    (?:found|finds?|show(?:s|ed|n)?|says?|said|suggest(?:s|ed)?|report(?:s|ed)?
      |indicate[sd]?|conclude[sd]?|proves?|proved|proven|demonstrate[sd]?)\s+
"""
# "It" stands for nothing before these: "it is possible that …".
_EMPTY_IT = r"""
    (?:is|was|has\s+been|remains|seems|appears|can\s+be|takes|took|became)\b
"""
_DANGLING = re.compile(
    rf"""
    \b(?:this|these|our|the\s+present|the\s+current|that\s+same)\s+{_STUDY}\b
    | \b(?:we|our|us|ours)\b
    | \bthe\s+authors?\b
    | ^\W*the\s+(?:study|trial|paper|article|results?|findings?|data)\b
      (?!\s+(?:of|on|from|in|for|by)\b)
    | ^\W*(?:they|he|she|them|his|her|their|its|theirs)\b
    | ^\W*(?:this|these|those|that|such)\s+
      (?:is|are|was|were|has|have|had|does|do|did|can|may|will|shows?|means?|effects?
        |drugs?|patients?|proteins?|genes?|cells?|treatments?|virus|diseases?|levels?
        |mice|changes?|people|children|compounds?|pathways?|increases?|reductions?
        |causes?|leads?|increases|decreases|associations?|risks?|interventions?)\b
    | ^\W*it\s+(?!{_EMPTY_IT})\w+
    | ^\W*{_SAYERS}(?:that\s+)?it\s+(?!{_EMPTY_IT})\w+
    | ^\W*it\s+(?:is|was|has\s+been)\s+(?:associated|caused|linked|reduced|increased
      |effective|ineffective|safe|harmful|expressed|activated|inhibited|regulated
      |produced|required)\b(?!\s+(?:that|to)\b)
    | \b(?:the\s+former|the\s+latter|the\s+aforementioned|as\s+mentioned\s+above)\b
    """,
    re.I | re.X,
)


def _dangling(text: str) -> Iterator[Span]:
    for match in _DANGLING.finditer(text):
        if match.group() in {"US", "Us"}:
            continue
        yield match.start(), match.end(), f"“{match.group().strip()}”:"


# --- Abbreviations -------------------------------------------------------------

_ACRONYM = re.compile(r"(?<![\w/.\-–@])([A-Z][A-Z0-9]{1,5})(s?)(?![\w/\-–+]|\.\w)")
_HAS_LOWER = re.compile(r"[a-z]{3}")


def _acronyms(text: str, source: str, known: frozenset[str]) -> Iterator[Span]:
    if not _HAS_LOWER.search(text):  # a text in capitals throughout
        return
    for match in _ACRONYM.finditer(text):
        acronym = match.group(1)
        meaning = _meaning(acronym, source) or EXPANSIONS.get(acronym, "")
        if _is_written_out(text, match) or not _is_doubtful(
            text, match, known, bool(meaning)
        ):
            continue
        lead = f"“{match.group()}”"
        lead += f" (perhaps “{meaning}”):" if meaning else ":"
        yield match.start(), match.end(), lead


def _is_written_out(text: str, match: re.Match[str]) -> bool:
    """Whether the claim has "long form (ABC)" or "ABC (long form)"."""
    acronym = re.escape(match.group(1))
    return bool(
        re.search(rf"\(\s*{acronym}s?\b[^)]*\)", text)
        or re.search(rf"\b{acronym}s?\s*\(\s*\w+[\s-]\w+", text)
        or re.search(rf"\b{acronym}s?\s*,\s+(?:or|that\s+is)\s+\w", text)
    )


def _is_doubtful(
    text: str, match: re.Match[str], known: frozenset[str], has_meaning: bool
) -> bool:
    acronym = match.group(1)
    if acronym in EXPANSIONS and acronym not in known:
        return True
    if acronym in known or any(c.isdigit() for c in acronym):
        return False
    if _is_name(text, match):
        return False
    return has_meaning or len(acronym) >= 3


def _is_name(text: str, match: re.Match[str]) -> bool:
    before = _WORD.findall(text[: match.start()])
    after = _WORD.match(text, match.end() + 1)
    last = before[-1].lower() if before else ""
    following = after.group().lower() if after else ""
    return last in NAME_BEFORE or following in NAME_AFTER


def _meaning(acronym: str, source: str) -> str:
    """Return the words before "(ABC)" in the source whose initials it has."""
    place = source.find(f"({acronym}")
    if place < 0:
        return ""
    words = source[:place].replace("-", " ").split()[-len(acronym) :]
    if [word[0].upper() for word in words] == list(acronym):
        return " ".join(words)
    return ""


# --- Plain statement -----------------------------------------------------------

_HEDGE = re.compile(
    r"""
    \b(?:might|possibly|perhaps|maybe|presumably|conceivably|arguably|seemingly
      |apparently|supposedly|purportedly|reportedly|allegedly|probably)\b
    | \b(?:(?-i:may|could)(?!(?<=could)\s+(?:not|have)\b))\s+[a-z]{2,}
    | \b(?:seems?|appears?|appeared|seemed)\s+(?:to|that|likely)\b
    | \b(?:is|are|was|were)\s+(?:thought|believed|hypothesi[sz]ed|suspected|speculated
      |presumed|assumed|suggested)\s+to\b
    | \b(?:we|researchers|scientists|authors|experts|some)\s+(?:suspect|speculate
      |hypothesi[sz]e|presume|assume)\b
    | \b(?:it\s+is|it's)\s+(?:possible|conceivable|plausible|likely|probable)\s+that\b
    | \bthere\s+(?:is|are)\s+some\s+(?:evidence|indications?)\b
    """,
    re.I | re.X,
)

_IS_ABOUT_DOUBT = re.compile(
    r"\b(?:impossible|unclear|unknown|doubt\w*|concern\w*|fears?|whether)\b"
    r"|\b(?:that|which|who)\s*$",
    re.I,
)

_OPINION = re.compile(
    r"""
    \b(?:should|ought\s+to|must)\s+(?!(?:have|be)\s+(?:caused|due)\b)[a-z]+
    | \b(?:I|we|you)\s+(?:think|believe|feel|argue|recommend|hope|suggest)\b
    | \bin\s+(?:my|our)\s+(?:opinion|view|experience)\b
    | \b(?:surprisingly|interestingly|unfortunately|fortunately|remarkably|strikingly
      |importantly|notably|sadly|luckily|alarmingly|obviously|clearly|undoubtedly
      |hopefully|ideally|curiously|regrettably)\b
    | \b(?:interesting|fascinating|amazing|remarkable|exciting|promising|disappointing
      |terrible|wonderful|horrible|shocking|impressive|outrageous|unacceptable|worrying
      |unfair|unethical)\b
    | \b(?:it\s+is|it's)\s+(?:\w+\s+)?(?:important|essential|crucial|vital|imperative
      |advisable|desirable|necessary|worth\w*|wrong|right|best|better|advised
      |recommended)\s+(?:to|that|for|not)\b
    | \b(?:is|are)\s+(?:a\s+)?(?:good|bad|great|poor|stupid|wise|foolish)\s+ideas?\b
    | \b(?:deserves?|needs?)\s+(?:more|further|greater)\s+(?:attention|research|study
      |investigation|support)\b
    | \bthe\s+(?:best|worst|most\s+(?:important|exciting|beautiful))\s+(?:way|thing
      |approach|idea|reason)\b
    """,
    re.I | re.X,
)


# --- Numbers -------------------------------------------------------------------

_BARE_NUMBER = re.compile(
    r"""
    \b(?P<before>by|of|to|than|at|above|below|over|under|exceeds?|exceeding|dose
      |doses|weighing|lasting|within|every|after|least|most|about|around
      |approximately|reached|reaches|was|is|were|are|from)\s+
    (?P<number>(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s?(?:-|–|to)\s?\d[\d,]*(?:\.\d+)?)?)
    (?![\w%‰°$€£/:×^+\-–−'’]|\.\d|,\d|\s?(?:%|°|±|×|µ|μ|‰|\$|€|/|:|-|–|\())
    (?:\s*(?:[.,;!?)]|$)|\s+(?P<after>[a-z]+)\b(?!\s+\d))
    """,
    re.I | re.X,
)
_NOT_COUNTED = THIRD_PERSON_VERBS | COPULAS | NOT_UNITS
_NEEDS_NO_UNIT = re.compile(
    r"""
    \b(?:ages?|aged|older|younger|elderly|adults?|scores?|scored|index|ratios?|pH
      |odds|hazard|coefficient|correlation|number|numbers|R0|reproducti(?:on|ve)|r
      |p|n|beta|OR|HR|RR|CI|factor|rank|ranked|rating|scale|grade|stage|level|type
      |phase|class|group|category|day|week|month|year|page|chapter|table|figure|step
      |people|children|men|women|patients|those|chromosomes?|exons?|codon|residues?|position|positions|serine|lysine|tyrosine
      |threonine|omega|interleukin|between|one|out|count|counts|total|average|BMI
      |IQ|quotient|efficiency|sensitivity|specificity|sample|January|February|March
      |April|May|June|July|August|September|October|November|December|size|trial)\b
    """,
    re.I | re.X,
)
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d(?:\s?(?:-|–|to)\s?(?:1[6-9]|20)?\d\d)?")


def _numbers(text: str) -> Iterator[Span]:
    for match in _BARE_NUMBER.finditer(text):
        number = match.group("number")
        before = " ".join(text[: match.start("number")].split()[-7:])
        after = (match.group("after") or "in").lower()
        if after not in _NOT_COUNTED:
            continue
        if _YEAR.fullmatch(number) or _NEEDS_NO_UNIT.search(before):
            continue
        yield match.start("number"), match.end("number"), f"“{number}”:"


# --- Against the source --------------------------------------------------------

COPIED_WORDS = 8
COPIED_SHARE = 0.9


def _copied(text: str, source: str) -> Iterator[Span]:
    """Warn if nearly the whole claim is one run of the source's words."""
    words = list(_WORD.finditer(text))
    if not source or len(words) < COPIED_WORDS:
        return
    claim = [word.group().lower() for word in words]
    haystack = f" {' '.join(word.lower() for word in _WORD.findall(source))} "
    least = max(COPIED_WORDS, -int(-COPIED_SHARE * len(claim) // 1))
    for length in range(len(claim), least - 1, -1):
        for first in range(len(claim) - length + 1):
            if f" {' '.join(claim[first : first + length])} " in haystack:
                yield words[first].start(), words[first + length - 1].end(), ""
                return


def _too_long(text: str, max_words: int) -> Iterator[Span]:
    words = list(re.finditer(r"\S+", text))
    if len(words) > max_words:
        yield (
            words[max_words].start(),
            words[-1].end(),
            f"{len(words)} words; more than {max_words} is rare here.",
        )
