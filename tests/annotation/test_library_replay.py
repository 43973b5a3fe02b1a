"""Events of texts and imports are complete, whatever format they come from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Claim, Project, Split
from annotation.services.boundaries import (
    confirm_boundaries,
    merge_sentences,
    split_sentence,
    undo_boundary_change,
)
from annotation.services.citances import PastedArticle, PastedCitance, add_paragraph
from annotation.services.corpora import change_corpus, remember_columns
from annotation.services.documents import add_document, fill_abstract
from annotation.services.generated import add_generated_claim
from annotation.services.import_articles import import_articles
from annotation.services.importing import incoming
from annotation.services.projects import create_corpus, create_project
from annotation.services.purge import purge_corpus
from annotation.services.retiring import retire_claim
from corpus import records
from corpus.formats import articles
from corpus.models import Corpus, Document, Event
from corpus.records import ExternalId
from tests.annotation import transfers
from tests.annotation.replaying import LIBRARY, assert_events_rebuild_the_tables
from tests.annotation.transfers import claim, document, entry, write_lines
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

BEES = ["Bees like clover.", "They avoid tar."]
CORE_HEADER = (
    "idx,hypothesis,declarative,label,ref_id,url,ref_txt,doi,title,"
    "abstract_collected,file\n"
)


def _climate(label: str) -> str:
    evidences = [
        {
            "evidence_id": f"Bees:{n}",
            "evidence_label": label if n == 0 else "NOT_ENOUGH_INFO",
            "article": "Bees",
            "evidence": f"Bees sentence {n}.",
            "entropy": 0.5,
            "votes": [label, label, None, None, None],
        }
        for n in range(5)
    ]
    value = {"claim_id": "7", "claim": "Bees like clover.", "claim_label": label}
    return json.dumps({**value, "evidences": evidences}) + "\n"


def _check_covid(label: str) -> str:
    value = {
        "id": "5f95eabc04ded09dac378bce_1",
        "claim": "Bees like clover.",
        "cord_id": "abcd1234",
        "label": label,
        "evidence_set": [{"sent_index": 0, "type": "PRIMARY"}],
        "is_auth": False,
    }
    return json.dumps(value) + "\n"


def _open(label: str) -> str:
    found = {
        "provenance": "pooling",
        "label": label,
        "sentences": [1],
        "model_ranks": {"bm25": 3},
    }
    return json.dumps({"id": 7, "claim": "Bees.", "evidence": {"1": found}}) + "\n"


def _scifact(label: str) -> str:
    gold = {"1": [entry(0, label=label)]}
    return json.dumps(claim(7, "Bees like clover.", gold, [1, 2, 1])) + "\n"


def _core(label: str) -> str:
    row = f"3,DO BEES?,BEES DO,{label},r,u,t,d,Bees,Bees do. They did.,Review\n"
    return CORE_HEADER + row


def _covidfact(label: str) -> str:
    value = {"claim": "Bees like clover.", "label": label, "evidence": BEES}
    return json.dumps({**value, "gold_source": "https://a.example", "flair": "x"}) + (
        "\n"
    )


def _healthver(label: str) -> str:
    header = "id,evidence,claim,label,topic_ip,question\n"
    return f"{header}1,Bees like clover.,Bees do,{label},4,Do bees?\n"


def _fever(label: str) -> str:
    evidence = [[[1, 2, "Bees", 0]]]
    value = {"id": 7, "verifiable": "VERIFIABLE", "label": label}
    return json.dumps({**value, "claim": "Bees.", "evidence": evidence}) + "\n"


SCIFACT_CORPUS = [document(1, *BEES), document(2, *BEES)]
COVID_CORPUS = [{"cord_id": "abcd1234", "title": "Bees", "abstract": BEES}]
PAGES = [{"id": "Bees", "text": "Bees.", "lines": "0\tBees like clover.\t\n1\t"}]


@pytest.mark.parametrize(
    ("fmt", "corpus", "claims", "labels"),
    [
        ("scifact", SCIFACT_CORPUS, _scifact, ("SUPPORT", "CONTRADICT")),
        ("scifact-open", SCIFACT_CORPUS, _open, ("SUPPORT", "CONTRADICT")),
        ("check-covid", COVID_CORPUS, _check_covid, ("NOTENOUGHINFO", "REFUTE")),
        ("core", [], _core, ("ENTAIL", "INCONCLUSIVE")),
        ("covidfact", [], _covidfact, ("SUPPORTED", "REFUTED")),
        ("healthver", [], _healthver, ("Supports", "Neutral")),
        ("climate-fever", [], _climate, ("SUPPORTS", "REFUTES")),
        ("fever", PAGES, _fever, ("SUPPORTS", "REFUTES")),
    ],
)
def test_an_import_and_its_correction_are_rebuilt(
    fmt: str,
    corpus: list[dict[str, Any]],
    claims: Callable[[str], str],
    labels: tuple[str, str],
    tmp_path: Path,
) -> None:
    """The first file, the same again, and one with another label."""
    if corpus:
        file = write_lines(tmp_path / "corpus.jsonl", *corpus)
        assert transfers.import_corpus(file, fmt=fmt).code == 0
    path = tmp_path / "claims"
    counts = []
    for label in (labels[0], labels[0], labels[1]):
        path.write_text(claims(label))
        outcome = transfers.import_claims(path, "--split", "a", fmt=fmt)
        assert outcome.code == 0, outcome.errors
        counts.append(outcome.counts)
        assert_events_rebuild_the_tables(*LIBRARY)
    assert [c["new"] for c in counts] == [1, 0, 0]
    assert [c["identical"] for c in counts] == [0, 1, 0]
    assert [c["changed"] for c in counts] == [0, 0, 1]


def test_a_changed_corpus_is_rebuilt(tmp_path: Path) -> None:
    for last in ("They avoid tar.", "They love tar."):
        file = write_lines(tmp_path / "c.jsonl", document(1, "Bees.", last))
        transfers.import_corpus(file)
    assert Document.objects.get().sentences == ["Bees.", "They love tar."]
    assert_events_rebuild_the_tables(*LIBRARY)


def test_a_split_none_of_whose_claims_may_change_has_its_event(tmp_path: Path) -> None:
    transfers.import_corpus(write_lines(tmp_path / "c.jsonl", *SCIFACT_CORPUS))
    path = tmp_path / "claims.jsonl"
    path.write_text(_scifact("SUPPORT"))
    transfers.import_claims(path)
    retire_claim(claim=Claim.objects.get(), actor=UserFactory(), reason="Wrong")
    transfers.import_claims(path, "--split", "dev")
    assert Split.objects.get().name == "dev"
    assert_events_rebuild_the_tables(*LIBRARY)


def _import_article(corpus: Corpus, tmp_path: Path, text: str) -> None:
    citance = {"citance_id": "c1", "start": 0, "end": 5}
    cited = [{"doc_id": "1", "role": "seed"}]
    passage = {"text": text, "citances": [{**citance, "cited": cited}]}
    value = {"article_id": "a1", "title": "On bees", "passages": [passage]}
    path = write_lines(tmp_path / "articles.jsonl", value)
    with path.open("rb") as file:
        report = import_articles(
            source=incoming(file, articles.read_articles, name=path.name),
            corpus=corpus,
            actor=None,
        )
    assert report.counts["new"] + report.counts["changed"] == 1


def test_articles_imported_corrected_and_pasted_are_rebuilt(tmp_path: Path) -> None:
    editor = UserFactory()
    corpus = create_corpus(name="Library", owner=editor)
    transfers.import_corpus(write_lines(tmp_path / "c.jsonl", document("1", *BEES)))
    _import_article(corpus, tmp_path, "Bees like clover [1].")
    _import_article(corpus, tmp_path, "Bees love clover [1].")
    create_project(name="Bees", protocol="scifact", corpus=corpus, actor=editor)
    add_paragraph(
        corpus=corpus,
        article=PastedArticle(title="On tar"),
        text="Bees avoid tar [1]. So do we.",
        citances=[PastedCitance(0, 19, ((Document.objects.get(), "seed"),))],
        actor=editor,
    )
    assert Project.objects.get().sources.count() == 2
    assert_events_rebuild_the_tables(*LIBRARY)


def test_a_purged_corpus_leaves_no_event_behind(tmp_path: Path) -> None:
    corpus = create_corpus(name="Library", owner=UserFactory())
    transfers.import_corpus(write_lines(tmp_path / "c.jsonl", document("1", *BEES)))
    _import_article(corpus, tmp_path, "Bees like clover [1].")
    _import_article(corpus, tmp_path, "Bees love clover [1].")
    corpus.refresh_from_db()
    purge_corpus(corpus=corpus, typed_name="Library")
    assert list(Event.objects.values_list("noun", "verb")) == []


def test_texts_by_hand_and_corrected_boundaries_are_rebuilt() -> None:
    editor = UserFactory()
    corpus = create_corpus(name="Library", owner=editor)
    empty = records.Document(id=ExternalId("b"), title="Tar")
    row = add_document(corpus=corpus, record=empty, actor=editor)
    text = "Bees like clover. They avoid tar. Nobody knows why."
    row = fill_abstract(document=row, text=text, actor=editor)
    row = merge_sentences(
        document=row, sentence=1, seen_hash=row.content_hash, actor=editor
    )
    row = split_sentence(
        document=row, sentence=0, offset=5, seen_hash=row.content_hash, actor=editor
    )
    row = undo_boundary_change(document=row, actor=editor)
    confirm_boundaries(document=row, seen_hash=row.content_hash, actor=editor)
    remember_columns(corpus=corpus, mapping={"title": "Titel"}, actor=editor)
    change_corpus(
        corpus=corpus, actor=editor, name="Bees", description="x", visibility="public"
    )
    assert_events_rebuild_the_tables(*LIBRARY)


def test_a_generated_claim_is_rebuilt(tmp_path: Path) -> None:
    transfers.import_corpus(write_lines(tmp_path / "c.jsonl", *SCIFACT_CORPUS))
    path = tmp_path / "claims.jsonl"
    path.write_text(_scifact("SUPPORT"))
    transfers.import_claims(path)
    pair = Claim.objects.get().pairs.order_by("ordinal")[0]
    add_generated_claim(pair=pair, given_sentence=1, actor=None)
    assert_events_rebuild_the_tables(*LIBRARY)
