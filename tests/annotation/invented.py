"""Invented texts for a simulated day, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from annotation.models import Project
from annotation.services.import_articles import import_articles
from annotation.services.import_documents import import_documents
from annotation.services.importing import Incoming
from corpus import records
from corpus.formats.base import Read, Record
from corpus.records import ExternalId

WHO = ("gardeners", "night nurses", "cyclists", "bakers", "choir singers", "divers")
WHAT = ("nettle tea", "a warm bed", "cold baths", "garlic", "loud music", "lemon peel")
EFFECT = ("shortens", "lengthens", "improves", "worsens", "steadies")
MEASURE = ("sleep", "grip strength", "knee pain", "reaction time", "appetite", "mood")


def read_records(rows: list[Record]) -> Incoming[Record]:
    """Return invented records as an import takes them from a file."""

    def read() -> Iterator[Read[Record]]:
        return (Read(number, row) for number, row in enumerate(rows, start=1))

    return Incoming("invented", len(rows), "0" * 64, read)


def import_texts(project: Project, rng: random.Random, citances: int) -> None:
    """Bring invented abstracts and articles into a project's corpus."""
    documents = [_document(rng, number) for number in range(citances // 2)]
    import_documents(source=read_records(documents), corpus=project.corpus, actor=None)
    articles = [
        _article(rng, number, len(documents)) for number in range(citances // 10)
    ]
    import_articles(source=read_records(articles), corpus=project.corpus, actor=None)


def _document(rng: random.Random, number: int) -> records.Document:
    sentences = [
        f"We followed {rng.randrange(20, 400)} {rng.choice(WHO)} for a year.",
        *(f"{finding(rng, number).capitalize()}." for _ in range(rng.randrange(2, 9))),
    ]
    return records.Document(
        ExternalId(str(9000 + number), True), f"Trial {number}", tuple(sentences)
    )


def finding(rng: random.Random, number: int) -> str:
    """An invented finding, unlike any other by its number."""
    who, what = rng.choice(WHO), rng.choice(WHAT)
    return (
        f"{what} {rng.choice(EFFECT)} the {rng.choice(MEASURE)} of {who} "
        f"in group {number}"
    )


def _article(rng: random.Random, number: int, documents: int) -> records.Article:
    """An article of five paragraphs with two citances each."""
    return records.Article(
        ExternalId(f"article-{number}"),
        f"Review {number}",
        passages=tuple(
            _passage(rng, number * 10 + place * 2, documents) for place in range(5)
        ),
    )


def _passage(rng: random.Random, first: int, documents: int) -> records.Passage:
    text, citances = "Much has been tried.", []
    for number in (first, first + 1):
        sentence = f"{finding(rng, number).capitalize()} [{number}]."
        start = len(text) + 1
        text = f"{text} {sentence}"
        cited = tuple(
            records.CitedDocument(ExternalId(str(9000 + pick), True))
            for pick in rng.sample(range(documents), rng.choice((1, 1, 1, 2)))
        )
        citances.append(
            records.Citance(ExternalId(f"c{number}"), start, len(text), cited)
        )
    return records.Passage(text, tuple(citances))
