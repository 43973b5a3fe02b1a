"""From a claim to an answer, in the worker's process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from corpus.models import Corpus
from corpus.models.library import Visibility
from corpus.records import Claim, ExternalId
from tests.factories import DocumentFactory
from tests.verification.systems import install_system
from verification.evidence import Answer
from verification.models import FactCheck
from verification.services.check_leases import save_stage
from verification.services.evidence import ask_for_evidence
from verification.worker.serving import serve_waiting_checks, with_checks_between

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("system")]

ANSWERING = "verification.worker.answering"
TEA = "Tea makes sleep shorter."


def ask(corpus: Corpus, claim: str = TEA, system: str = "plain") -> FactCheck:
    return ask_for_evidence(claim=claim, corpus=corpus, system=system)


def answered(check: FactCheck) -> tuple[FactCheck, Answer]:
    check.refresh_from_db()
    return check, Answer.from_json(check.result)


def test_a_claim_is_answered_by_the_message_that_asking_sends(
    corpus: Corpus, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        asked = ask(corpus)
    check, answer = answered(asked)
    assert check.state == "done"
    assert check.answered_at
    assert (check.corpus_version, len(check.system_digest)) == (1, 64)
    assert (answer.searched, answer.newest, answer.is_demo) == (4, "2004-05", False)
    first = answer.abstracts[0]
    assert (first.document, first.journal) == ("1", "Journal of Invented Trials")
    assert first.sentences[first.chosen[0]] == "Tea shortened their sleep."
    assert first.scores == (0.0, 1.0)
    assert (first.label, first.confidence, first.is_evidence) == ("SUPPORT", 1.0, True)


def test_each_stage_is_there_before_the_next_begins(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, bool, str]] = []

    def save_and_look(**values: Any) -> None:
        save_stage(**values)
        check, answer = answered(asked)
        first = answer.abstracts[0]
        seen.append((check.state, bool(first.chosen), first.label))

    monkeypatch.setattr(f"{ANSWERING}.save_stage", save_and_look)
    asked = ask(corpus)
    serve_waiting_checks()
    assert seen == [
        ("retrieved", False, ""),
        ("selected", True, ""),
        ("done", True, "SUPPORT"),
    ]


def test_claims_are_answered_between_the_chunks_of_a_long_job(corpus: Corpus) -> None:
    done = []
    for chunk in with_checks_between([1, 2, 3]):
        done.append(FactCheck.objects.filter(state="done").count())
        if chunk < 3:
            ask(corpus)
    assert done == [0, 1, 2]


def test_a_system_may_abstain(corpus: Corpus) -> None:
    install_system("shy", label={"kind": "majority", "abstain_below": 1.1})
    asked = ask(corpus, system="shy")
    serve_waiting_checks()
    first = answered(asked)[1].abstracts[0]
    assert (first.label, first.is_abstaining, first.confidence) == ("", True, 1.0)


def test_not_enough_information_is_said_and_is_no_abstention(corpus: Corpus) -> None:
    install_system("shy", label={"kind": "majority", "label": "NOT_ENOUGH_INFO"})
    asked = ask(corpus, system="shy")
    serve_waiting_checks()
    first = answered(asked)[1].abstracts[0]
    assert (first.label, first.is_abstaining) == ("NOT_ENOUGH_INFO", False)


def test_retracted_work_is_marked_as_it_stands_now_and_is_no_evidence(
    corpus: Corpus,
) -> None:
    serve_waiting_checks()
    ask(corpus)
    serve_waiting_checks()
    corpus.documents.filter(external_id="1").update(retraction="retracted in 2010")
    asked = ask(corpus)
    serve_waiting_checks()
    first = answered(asked)[1].abstracts[0]
    assert (first.retraction, first.is_evidence) == ("retracted in 2010", False)


def test_a_changed_corpus_is_searched_anew_and_its_old_index_goes(
    corpus: Corpus, tmp_path: Path
) -> None:
    ask(corpus)
    serve_waiting_checks()
    before = {path.name for path in (tmp_path / "indexes").rglob("tfidf-*")}
    DocumentFactory(corpus=corpus, external_id="9", sentences=["Tea is shorter sleep."])
    corpus.documents.filter(external_id="1").update(retired_at="2020-01-01T00:00Z")
    Corpus.objects.filter(pk=corpus.pk).update(version=2)
    asked = ask(corpus)
    serve_waiting_checks()
    check, answer = answered(asked)
    assert (check.corpus_version, answer.searched) == (2, 4)
    assert answer.abstracts[0].document == "9"
    after = {path.name for path in (tmp_path / "indexes").rglob("tfidf-*")}
    assert len(before) == len(after) == 1
    assert before != after


def test_a_corpus_that_is_no_longer_public_is_not_read(corpus: Corpus) -> None:
    asked = ask(corpus)
    Corpus.objects.filter(pk=corpus.pk).update(visibility=Visibility.INSTANCE)
    serve_waiting_checks()
    check, answer = answered(asked)
    assert (check.state, answer.abstracts) == ("failed", ())
    assert "not public" in check.error


@pytest.mark.parametrize("fault", ["missing", "altered"])
def test_a_system_whose_models_are_not_what_they_were_is_refused(
    corpus: Corpus, fault: str
) -> None:
    part = {"kind": "transformer", "model": "r.safetensors", "sha256": "0" * 64}
    folder = install_system("models", rationale=part)
    (folder / "r.safetensors").write_bytes(b"other weights")
    asked = ask(corpus, system="models")
    if fault == "missing":
        (folder / "r.safetensors").unlink()
    serve_waiting_checks()
    check, _ = answered(asked)
    assert check.state == "failed"
    words = "missing" if fault == "missing" else "altered"
    assert words in check.error
    assert str(folder) not in check.error


def test_a_claim_that_breaks_the_work_fails_alone(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choke(identity: ExternalId, text: str, **values: Any) -> Claim:
        if "choke" in text:
            raise ZeroDivisionError
        return Claim(identity, text, **values)

    monkeypatch.setattr(f"{ANSWERING}.Claim", choke)
    asked = [ask(corpus, text) for text in (TEA, "Let it choke.", "Bees like iron.")]
    serve_waiting_checks()
    states = [answered(check)[0].state for check in asked]
    assert states == ["done", "failed", "done"]
    assert "our fault" in answered(asked[1])[0].error
