"""Checks with answers, as a worker leaves them; all texts are invented."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils import timezone

from corpus.models import Corpus
from corpus.models.library import Visibility
from tests.factories import CorpusFactory
from verification.evidence import Answer, FoundAbstract
from verification.models import FactCheck

CLAIM = "Nettle tea eases knee pain."
SUPPORTING = FoundAbstract(
    document="11",
    title="Nettle tea and knees",
    sentences=("We asked gardeners.", "Nettle tea eased knee pain.", "More is needed."),
    retrieval_score=7.5,
    journal="Invented Journal of Teas",
    published="2019-11",
    doi="10.5555/nettle.11",
    authors=("Moss, A.", "Fern, B."),
    chosen=(1,),
    scores=(0.1, 0.9, 0.2),
    label="SUPPORT",
    probabilities=(0.05, 0.08, 0.87),
)
CONTRADICTING = replace(
    SUPPORTING,
    document="12",
    title="No effect of tea on knees",
    sentences=("Tea was drunk.", "Pain was the same in both groups."),
    doi="",
    pmid="1234567",
    label="CONTRADICT",
    scores=(0.1, 0.8),
    probabilities=(0.7, 0.2, 0.1),
)
UNCLEAR = replace(
    SUPPORTING,
    document="13",
    title="Tea in gardens",
    doi="",
    chosen=(),
    label="NOT_ENOUGH_INFO",
    probabilities=(),
)
SHY = replace(
    SUPPORTING,
    document="14",
    title="Tea and rain",
    doi="",
    label="",
    probabilities=(0.3, 0.2, 0.5),
    is_abstaining=True,
)
RETRACTED = replace(
    SUPPORTING,
    document="15",
    title="Miracles of nettle",
    doi="",
    retraction="Retracted in 2020: invented data.",
)
ANSWER = Answer(
    5183, "2019-11", False, (SUPPORTING, RETRACTED, CONTRADICTING, UNCLEAR, SHY)
)


def public_corpus(**values: Any) -> Corpus:
    """A corpus that everybody may read, without abstracts."""
    corpus: Corpus = CorpusFactory(visibility=Visibility.PUBLIC, **values)
    return corpus


def make_check(
    corpus: Corpus | None = None, answer: Answer | None = ANSWER, **values: Any
) -> FactCheck:
    """A check with an answer; without one, a check that waits."""
    if answer is not None:
        values = {
            "state": FactCheck.State.DONE,
            "result": answer.to_json(),
            "answered_at": timezone.now(),
            "corpus_version": 3,
            "system_digest": "ab" * 32,
            **values,
        }
    return FactCheck.objects.create(
        claim=CLAIM, corpus=corpus or public_corpus(), system="plain", **values
    )


def kept_check(**values: Any) -> FactCheck:
    """A check with a permalink."""
    return make_check(kept_at=timezone.now(), **values)
