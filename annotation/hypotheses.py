"""A declarative hypothesis proposed for a research question. Pure.

By rules on words, not by understanding: a proposal saves typing and a person corrects
it. What the rules are unsure of is said, so that the person looks there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from annotation.hypothesis_words import (
    ADVERBS,
    OFTEN_NOUNS,
    PAST,
    PLURALS,
    PREDICATES,
    PREPOSITIONS,
    SINGULARS,
    THIRD_PERSON,
    VERBS,
)

CHECK_VERB = "Check the verb: it could not be found for certain."
NAME_SUBJECT = "Name what the question asks for, in place of the dots."
REWRITE = "This question has no form that we know: write the hypothesis yourself."


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed hypothesis; ``hint`` says what to look at, empty if all is plain."""

    text: str
    hint: str = ""

    @property
    def is_sure(self) -> bool:
        """Whether every word came from a rule."""
        return not self.hint


def propose_hypothesis(question: str) -> Proposal:
    """Return the declarative form of a question, in its own capitals.

    A text that is no question is returned as it is.
    """
    text = " ".join(question.split()).rstrip(" ?")
    if not text:
        return Proposal("")
    words = text.split()
    proposal = _by_rules(words, is_question=question.rstrip().endswith("?"))
    return Proposal(_styled(proposal.text, text), proposal.hint)


def _by_rules(words: list[str], *, is_question: bool) -> Proposal:
    words = _without_frame(words)
    rule = _RULES.get(words[0].lower())
    if rule is not None and len(words) > 2:
        return rule(words)
    if is_question and words[0].lower() in _QUESTION_WORDS:
        return Proposal(" ".join(words), REWRITE)
    return Proposal(" ".join(words))


_QUESTION_WORDS = frozenset(
    ["what", "which", "who", "whose", "when", "where", "why", "how"]
)
# What only introduces the question proper.
_FRAMES = re.compile(
    r"""^(?:
    to\s+what\s+(?:extent|degree) | (?:in|under)\s+(?:what|which)\s+\w+ | why
    | how\s+(?:much|strongly|often|well|far|quickly)
    | how(?=\s+(?:do|does|did|is|are|was|were|can|could|has|have|will|would)\b)
    | (?:do|does|is|are)\s+(?:we|it|there|researchers|scientists)\s+(?:know|clear|true
      |possible|(?:any\s+|good\s+|strong\s+)?evidence)\s+(?:whether|that|if)
    | (?:does|do)\s+(?:the\s+)?(?:evidence|research|studies|data)\s+(?:show|suggest
      |support|indicate)s?\s+that
    | whether | if
    )\s+""",
    re.I | re.X,
)


def _without_frame(words: list[str]) -> list[str]:
    text = _FRAMES.sub("", " ".join(words), count=1)
    return text.split() or words


def _styled(text: str, question: str) -> str:
    """Give the hypothesis the question's capitals, a capital and a full stop."""
    if question.isupper():
        return text.upper()
    first = text.split(" ", 1)[0]
    if first.islower():
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!")) else f"{text}."


# --- Questions with "do", and with other auxiliaries ---------------------------


def _with_do(words: list[str]) -> Proposal:
    auxiliary, rest = words[0].lower(), words[1:]
    place = _verb_place(rest)
    if auxiliary == "do":
        return Proposal(_some(rest))
    if place is None:
        return Proposal(_some(rest), CHECK_VERB)
    verb = rest[place]
    inflect = past_tense if auxiliary == "did" else third_person
    if auxiliary == "does" and is_plural(rest[:place]):
        inflect = _as_it_is
    return Proposal(_some([*rest[:place], inflect(verb), *rest[place + 1 :]]))


def _with_auxiliary(words: list[str]) -> Proposal:
    """Move "can", "will", "has", … behind the subject."""
    auxiliary, rest = words[0], words[1:]
    find = _participle_place if auxiliary.lower() in _HAVE else _verb_place
    place = find(rest)
    if place is None:
        return Proposal(_some(rest), CHECK_VERB)
    place = _before_adverbs(rest, place)
    return Proposal(_some([*rest[:place], auxiliary.lower(), *rest[place:]]))


_HAVE = frozenset(["has", "have", "had"])


def _verb_place(words: list[str]) -> int | None:
    """Return where the verb of a subject is.

    Words that are more often nouns ("use", "work") only count if there is no other.
    """
    places = [place for place in range(1, len(words)) if _can_be_verb(words, place)]
    surely = [place for place in places if _bare(words[place]) not in OFTEN_NOUNS]
    return next(iter(surely or places), None)


def _can_be_verb(words: list[str], place: int) -> bool:
    """Whether a word is a verb, and not a noun by what stands around it."""
    verb, before = _bare(words[place]), _bare(words[place - 1])
    if verb not in VERBS or before in _ARTICLES | PREPOSITIONS:
        return False
    following = _bare(words[place + 1]) if place + 1 < len(words) else ""
    if following in {"of", "among", "from"}:
        return False
    if following in {"in", "on"}:
        later = {_bare(word) for word in words[place + 2 :]}
        return not later & (VERBS - OFTEN_NOUNS)
    return True


def _participle_place(words: list[str]) -> int | None:
    for place, word in enumerate(words):
        bare = _bare(word)
        if place and (bare in PAST or (bare.endswith("ed") and len(bare) > 4)):
            return place
    return None


def _before_adverbs(words: list[str], place: int) -> int:
    while place > 1 and _is_adverb(words[place - 1]):
        place -= 1
    return place


def _is_adverb(word: str) -> bool:
    bare = _bare(word)
    return bare in ADVERBS or (bare.endswith("ly") and len(bare) > 4)


_ARTICLES = frozenset(
    ["a", "an", "the", "any", "some", "this", "that", "their", "its", "more", "no"]
)


def _bare(word: str) -> str:
    return word.lower().strip(".,;:()\"'“”")


# --- Questions with "is" -------------------------------------------------------


def _with_be(words: list[str]) -> Proposal:
    copula, rest = words[0], words[1:]
    if _bare(rest[0]) in {"there", "ther"}:
        return Proposal(_some(["There", copula.lower(), *rest[1:]]))
    place = _predicate_place(rest)
    if place is None:
        place = 2 if _bare(rest[0]) in _ARTICLES and len(rest) > 2 else 1
        said = [*rest[:place], copula.lower(), *rest[place:]]
        return Proposal(_some(said), CHECK_VERB)
    return Proposal(_some([*rest[:place], copula.lower(), *rest[place:]]))


def _predicate_place(words: list[str]) -> int | None:
    """Return where the predicate begins: its participle, adjective or article."""
    for place, word in enumerate(words):
        following = _bare(words[place + 1]) if place + 1 < len(words) else ""
        is_at_risk = _bare(word) == "at" and following in _DEGREES
        if place and (is_at_risk or _is_predicate(word, words[place - 1])):
            return _before_adverbs(words, place)
    return 1 if len(words) == 2 else None


_DEGREES = frozenset(["higher", "lower", "greater", "increased", "elevated", "risk"])


def _is_predicate(word: str, before: str) -> bool:
    bare = _bare(word)
    if _bare(before) in _ARTICLES | PREPOSITIONS | {"and", "or"}:
        return False
    return bare in PREDICATES or (bare in {"a", "an", "the"})


# --- Questions with "what" and "how" -------------------------------------------

_EFFECT = re.compile(
    r"""^what\s+(?:is|are|was|were)\s+(?:the\s+|any\s+)?(?P<adjective>(?:[\w-]+\s+){0,2})
    (?P<noun>effects?|impacts?|influences?|consequences?|roles?)\s+of\s+
    (?P<cause>.+?)\s+(?P<link>on|upon|for|in)\s+(?P<outcome>.+)$""",
    re.I | re.X,
)
_HAVE_EFFECT = re.compile(
    r"""^what\s+(?:kind\s+of\s+|sort\s+of\s+)?(?P<noun>effects?|impacts?|influences?|role)
    \s+(?:does|do|did)\s+(?P<cause>.+?)\s+(?:have|play)\s+(?:on|upon|in|for)\s+
    (?P<outcome>.+)$""",
    re.I | re.X,
)
_BETWEEN = re.compile(
    r"""^what\s+(?:is|are)\s+the\s+(?P<noun>(?:[\w-]+\s+){0,2}?(?:relationship|relation
    |association|correlation|link|connection|difference|interaction)s?)\s+between\s+
    (?P<rest>.+)$""",
    re.I | re.X,
)
_HOW_ADJECTIVE = re.compile(
    r"^how\s+(?P<adjective>[\w-]+)\s+(?P<copula>is|are|was|were)\s+(?P<subject>.+)$",
    re.I,
)
_OPEN_SUBJECT = re.compile(
    r"^(?:what|which|who)\s+(?:[\w-]+\s+){0,2}?(?P<verb>[\w-]+)\s+(?P<rest>.+)$", re.I
)


def _with_what(words: list[str]) -> Proposal:
    text = " ".join(words)
    for pattern in (_EFFECT, _HAVE_EFFECT):
        if match := pattern.match(text):
            return Proposal(_effect(match))
    if match := _BETWEEN.match(text):
        noun = match["noun"].lower()
        start = "There are" if noun.endswith("s") else f"There is {_article(noun)}"
        return Proposal(f"{start} {noun} between {match['rest']}")
    return _with_open_subject(words)


def _effect(match: re.Match[str]) -> str:
    cause, outcome = match["cause"], match["outcome"]
    has = "have" if is_plural(cause.split()) else "has"
    if match["noun"].lower().startswith("role"):
        plays = "play" if has == "have" else "plays"
        return f"{cause} {plays} a role in {outcome}"
    adjective = match.groupdict().get("adjective") or ""
    noun = match["noun"].lower()
    if noun.endswith("s"):
        return f"{cause} {has} {adjective}{noun} on {outcome}"
    phrase = f"{adjective}{noun}"
    return f"{cause} {has} {_article(phrase)} {phrase} on {outcome}"


def _with_open_subject(words: list[str]) -> Proposal:
    """Answer "What increases Y?" with dots where the answer's subject belongs."""
    for place, word in enumerate(words[1:4], start=1):
        if _bare(word) in _VERB_FORMS and place + 1 < len(words):
            rest = " ".join(words[place:])
            return Proposal(f"… {rest}", NAME_SUBJECT)
    return Proposal(" ".join(words), REWRITE)


def _with_how(words: list[str]) -> Proposal:
    """Answer "How effective is X in Y?"."""
    match = _HOW_ADJECTIVE.match(" ".join(words))
    if match is None or match["adjective"].lower() in {"many", "long", "old"}:
        return Proposal(" ".join(words), REWRITE)
    subject, rest = _cut_at_preposition(match["subject"].split())
    said = [*subject, match["copula"].lower(), match["adjective"].lower(), *rest]
    return Proposal(" ".join(said))


def _cut_at_preposition(words: list[str]) -> tuple[list[str], list[str]]:
    for place, word in enumerate(words):
        if place and _bare(word) in {"in", "at", "for", "against", "among", "as", "to"}:
            return words[:place], words[place:]
    return words, []


# --- Grammar -------------------------------------------------------------------


def _some(words: list[str]) -> str:
    """Join words, with "a" for the "any" of a question."""
    text = " ".join(words)

    def article(match: re.Match[str]) -> str:
        following = match[1]
        if is_plural([following]):
            return following
        return f"{_article(following)} {following}"

    return re.sub(r"\bany\s+([\w-]+)", article, text, flags=re.I)


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"


def is_plural(words: list[str]) -> bool:
    """Whether a noun phrase takes a plural verb; "media" does not."""
    head: list[str] = []
    for word in words:
        bare = _bare(word)
        if head and (bare in PREPOSITIONS or bare in {"that", "who", "which"}):
            break
        head.append(bare)
    if "and" in head[1:-1]:
        return True
    noun = next((w for w in reversed(head) if not _is_adverb(w)), "")
    if noun in PLURALS or noun in SINGULARS:
        return noun in PLURALS
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "ics"))


def third_person(verb: str) -> str:
    """Return a base verb as "it" takes it; other forms unchanged."""
    lower = verb.lower()
    if lower in THIRD_PERSON:
        return THIRD_PERSON[lower]
    if lower not in VERBS or lower in THIRD_PERSON.values():
        return verb
    return _with_s(verb)


def _with_s(verb: str) -> str:
    lower = verb.lower()
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        return f"{verb}es"
    if lower.endswith("y") and lower[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def past_tense(verb: str) -> str:
    """Return a base verb in its past tense."""
    lower = verb.lower()
    if lower in PAST.values():
        return next(past for past, base in PAST.items() if base == lower)
    if lower.endswith("e"):
        return f"{verb}d"
    if lower.endswith("y") and lower[-2] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


def _as_it_is(verb: str) -> str:
    return verb


_VERB_FORMS = VERBS | {third_person(verb) for verb in VERBS}
_RULES: dict[str, Callable[[list[str]], Proposal]] = {
    **dict.fromkeys(["do", "does", "did"], _with_do),
    **dict.fromkeys(["is", "are", "was", "were"], _with_be),
    **dict.fromkeys(
        ["can", "could", "will", "would", "may", "might", "should", "must", *_HAVE],
        _with_auxiliary,
    ),
    **dict.fromkeys(["what", "which", "who"], _with_what),
    "how": _with_how,
}
