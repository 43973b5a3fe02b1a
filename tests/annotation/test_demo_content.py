"""The demo's texts keep the rules that their README states."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pytest

from annotation.protocols import Protocol
from corpus.formats import articles as article_format
from corpus.formats import scifact
from corpus.formats.base import Read
from corpus.records import Label
from tests.annotation.demo_files import (
    BOUNDARY,
    CORPORA,
    DEMO,
    Row,
    Sentence,
    accounts,
    articles,
    citances,
    demo_texts,
    documents,
    hand_made,
    projects,
    questions,
    rows,
    sentences,
    strings,
)
from tests.paths import shared_file

WORD = re.compile(r"\w+(?:[.,'’\-−–]\w+)*")
SHINGLE = 8


class Overlap(NamedTuple):
    """The share of the smaller word set that two sentences have in common."""

    share: float
    first: Sentence
    second: Sentence


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text, numbers included."""
    return [word.lower() for word in WORD.findall(text)]


def largest_overlaps(items: Iterable[Sentence]) -> list[Overlap]:
    """Return all pairs that share a word, the most alike first.

    An index from words to sentences means that only sentences with something in
    common are ever compared.
    """
    seen: list[tuple[Sentence, frozenset[str]]] = []
    index: dict[str, list[int]] = defaultdict(list)
    found = []
    for item in items:
        bag = frozenset(words(item.text))
        for other, common in Counter(i for w in bag for i in index[w]).items():
            sentence, other_bag = seen[other]
            share = common / min(len(bag), len(other_bag))
            found.append(Overlap(share, sentence, item))
        for word in bag:
            index[word].append(len(seen))
        seen.append((item, bag))
    return sorted(found, key=lambda overlap: -overlap.share)


def shingles(text: str) -> Iterator[tuple[str, ...]]:
    """Yield every run of eight words of a text."""
    tokens = words(text)
    return zip(*(tokens[i:] for i in range(SHINGLE)), strict=False)


# Files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", sorted(p for p in DEMO.rglob("*") if p.is_file()), ids=lambda p: p.name
)
def test_files_are_utf8_with_lf_and_a_final_newline(path: Path) -> None:
    data = path.read_bytes()
    text = data.decode("utf-8")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    assert "\ufeff" not in text
    assert "\ufffd" not in text


@pytest.mark.parametrize("path", sorted(DEMO.glob("*.json*")), ids=lambda p: p.name)
def test_json_has_no_repeated_keys_and_no_nan(path: Path) -> None:
    def unique(pairs: list[tuple[str, Any]]) -> Row:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")[:-1] if path.suffix == ".jsonl" else [text]
    for line in lines:
        json.loads(line, object_pairs_hook=unique, parse_constant=refuse)


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        ("documents_*.jsonl", scifact.read_documents),
        ("articles_*.jsonl", article_format.read_articles),
        ("import_scifact_claims.jsonl", scifact.read_claims),
    ],
)
def test_our_readers_take_the_files_without_a_remark(
    pattern: str, read: Callable[[BinaryIO], Iterator[Read[Any]]]
) -> None:
    for path in DEMO.glob(pattern):
        with path.open("rb") as file:
            results = list(read(file))
        assert [p for result in results for p in result.problems] == []
        assert len(results) == len(rows(path.name)) > 0


def test_there_is_enough_of_everything() -> None:
    studies = [s for q in questions() for s in q["studies"]]
    all_articles = [*articles("biomedicine"), *articles("covid")]
    counts = {
        "abstracts": (sum(len(documents(c)) for c in CORPORA), 66),
        "articles": (len(all_articles), 16),
        "citances": (len(citances("biomedicine")) + len(citances("covid")), 44),
        "questions": (len(questions()), 8),
        "studies": (len(studies), 20),
        "SciFact claims": (len(rows("claims_scifact.jsonl")), 36),
        "Check-COVID claims": (len(hand_made("claims_check_covid.jsonl")), 24),
        "imported claims": (len(rows("import_scifact_claims.jsonl")), 10),
        "accounts": (len(accounts()), 5),
    }
    assert {name: n for name, (n, least) in counts.items() if n < least} == {}


# Abstracts ------------------------------------------------------------------------


@pytest.mark.parametrize("corpus", CORPORA)
def test_every_document_is_marked_as_invented(corpus: str) -> None:
    for row in documents(corpus).values():
        assert row["invented"] is True
        assert row["licence"] == "Invented for demonstration"
        assert row["doi"] == f"10.5555/claimdesk.{row['doc_id']}"
        assert row["url"].startswith("https://demo.claimdesk.test/")
        assert row["pmid"] == ""


def test_document_ids_are_unique_over_all_corpora() -> None:
    ids = [row["doc_id"] for c in CORPORA for row in rows(f"documents_{c}.jsonl")]
    assert len(ids) == len(set(ids))


def test_abstracts_vary_in_length_and_script() -> None:
    abstracts = [row["abstract"] for c in CORPORA for row in documents(c).values()]
    lengths = Counter(map(len, abstracts))
    text = "".join(chain.from_iterable(abstracts))
    assert lengths[0] == 1
    assert lengths[21] == lengths[41] == 1
    assert len(lengths) >= 8
    assert any(ord(c) > 0xFFFF for c in text), "an astral character"
    assert re.search("[α-ω]", text)
    assert re.search("[\u0600-\u06ff]", text), "a right-to-left script"
    assert "<" in text
    assert "&" in text
    assert all(s == s.strip() and s for a in abstracts for s in a)


def test_structured_abstracts_start_with_a_heading() -> None:
    for row in chain.from_iterable(documents(c).values() for c in CORPORA):
        starts_with_heading = bool(
            row["abstract"] and re.match("[A-Z]{4,} ", row["abstract"][0])
        )
        assert row["structured"] == starts_with_heading, row["doc_id"]


def test_no_two_sentences_share_more_than_half_of_their_words() -> None:
    worst = largest_overlaps(sentences())[0]
    assert worst.share <= 0.5, f"the worst pair is {worst}"


def test_the_overlap_is_the_share_of_the_smaller_set_of_words() -> None:
    long = Sentence("a", "Salt raised blood pressure in mice, and in men.")
    short = Sentence("b", "Salt raised nothing in mice.")
    apart = Sentence("c", "Elsewhere, silence.")
    assert largest_overlaps([long, short, apart]) == [Overlap(4 / 5, long, short)]


# Articles and citances ------------------------------------------------------------


@pytest.mark.parametrize(
    ("corpus", "kind"), [("biomedicine", "paper"), ("covid", "news")]
)
def test_articles_are_of_the_kind_that_the_protocol_reads(
    corpus: str, kind: str
) -> None:
    assert {article["kind"] for article in articles(corpus)} == {kind}
    assert len({a["article_id"] for a in articles(corpus)}) == len(articles(corpus))


@pytest.mark.parametrize("corpus", ["biomedicine", "covid"])
def test_a_citance_is_one_whole_sentence(corpus: str) -> None:
    for article in articles(corpus):
        for passage in article["passages"]:
            whole = BOUNDARY.split(passage["text"])
            for citance in passage["citances"]:
                text = passage["text"][citance["start"] : citance["end"]]
                assert text in whole


@pytest.mark.parametrize("corpus", ["biomedicine", "covid"])
def test_a_citance_cites_one_seed_and_then_co_cited_abstracts(corpus: str) -> None:
    all_citances = citances(corpus)
    for citance in all_citances.values():
        roles = [cited["role"] for cited in citance["cited"]]
        ids = [cited["doc_id"] for cited in citance["cited"]]
        assert roles == ["seed"] + ["co-cited"] * (len(roles) - 1)
        assert len(set(ids)) == len(ids)
        assert set(ids) <= documents(corpus).keys()
    assert sum(len(c["cited"]) > 1 for c in all_citances.values()) >= 3
    in_articles = sum(
        len(p["citances"]) for a in articles(corpus) for p in a["passages"]
    )
    assert in_articles == len(all_citances), "citance ids are unique"


# Questions ------------------------------------------------------------------------


def test_questions_have_studies_of_their_corpus_and_labels_of_the_scheme() -> None:
    labels = {Label.SUPPORT, Label.CONTRADICT, Label.MIXED, None}
    for question in questions():
        ids = [study["doc_id"] for study in question["studies"]]
        assert ids
        assert len(set(ids)) == len(ids)
        assert set(ids) <= documents("social_science").keys()
        assert all(study["label"] in labels for study in question["studies"])
        assert all(study["finding"].endswith(".") for study in question["studies"])
        assert question["question"].endswith("?")
        assert question["hypothesis"].endswith(".")
        assert question["null_result_rule"]


def test_questions_belong_to_two_reviews_and_show_every_label() -> None:
    keys = {(q["review"], q["chapter"], q["question"]) for q in questions()}
    assert len(keys) == len(questions())
    assert len({q["review"] for q in questions()}) == 2
    labels = {study["label"] for q in questions() for study in q["studies"]}
    assert labels == {"SUPPORT", "CONTRADICT", "MIXED", None}


# Projects and people --------------------------------------------------------------


def files(project: Row) -> list[str]:
    """Return the files that a project names."""
    keys = ["documents", "articles", "claims", "questions", "guideline", "consent"]
    named = [project[key] for key in keys if key in project]
    return named + [entry["file"] for entry in project["imports"]]


def test_there_is_a_project_for_each_protocol_with_its_files() -> None:
    assert {p["protocol"] for p in projects()} == set(Protocol)
    assert all((DEMO / name).is_file() for p in projects() for name in files(p))
    assert all(p["name"].endswith("(demo)") for p in projects())


def test_people_have_test_addresses_and_no_passwords() -> None:
    for person in accounts().values():
        assert person["email"].endswith("@claimdesk.test")
        assert set(person) == {"key", "name", "email", "memberships"}
    assert [*accounts()] == [
        "admin",
        "reviewer",
        "annotator_1",
        "annotator_2",
        "researcher",
    ]


# Nothing real ---------------------------------------------------------------------


def real_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a public data set."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as lines:
            yield from chain.from_iterable(csv.reader(lines))
        return
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield from strings(json.loads(line))


@pytest.mark.parametrize(
    "relative",
    [
        "data/scifact/corpus.jsonl",
        "data/scifact/claims_train.jsonl",
        "data/scifact/claims_dev.jsonl",
        "data/scifact/claims_test.jsonl",
        "data/check-covid/corpus.json",
        "data/check-covid/Check-COVID_all.json",
        "data/core/train_mapped.csv",
        "data/core/test_mapped.csv",
    ],
)
def test_nothing_stands_in_a_real_data_set(relative: str) -> None:
    path = shared_file(relative)
    runs = {run for text in demo_texts() for run in shingles(text)}
    whole = {" ".join(words(s.text)) for s in sentences()}
    found = [
        text
        for text in real_texts(path)
        if " ".join(words(text)) in whole or not runs.isdisjoint(shingles(text))
    ]
    assert found == []
