"""The nupunkt model, asked about two words at a time."""

from __future__ import annotations

from functools import cache, lru_cache

from nupunkt import PunktSentenceTokenizer
from nupunkt.models import load_default_model

from corpus.abbreviations import MAYBE_FINAL, NEVER_FINAL, ORDINARY


@lru_cache(maxsize=65_536)
def ends_sentence(word: str, next_word: str) -> bool:
    """Tell whether a sentence ends behind ``word``, which carries its stop.

    ``next_word`` loses its own stop, which nupunkt would judge as well.
    """
    return _tokenizer().text_contains_sentbreak(f"{word} {next_word.rstrip('.!?…')}")


def is_abbreviation(word: str) -> bool:
    """Tell whether the casefolded ``word`` is one of nupunkt's abbreviations."""
    return word in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    return _tokenizer().abbreviations


@cache
def _tokenizer() -> PunktSentenceTokenizer:
    """Return nupunkt's model without the ordinary words in its abbreviations.

    The model learnt from legal text, where “mass.” and “cal.” are abbreviations.
    """
    tokenizer = load_default_model()
    for word in tokenizer.abbreviations:
        if word in ORDINARY or (word.isalpha() and len(word) > 3):
            tokenizer.remove_abbreviation(word)
    tokenizer.add_abbreviations(sorted(NEVER_FINAL | MAYBE_FINAL))
    return tokenizer
