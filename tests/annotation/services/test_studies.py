"""Changing questions and studies, adding studies, and taking over labels."""

from __future__ import annotations

import pytest

from annotation.models import Claim, Judgement, Pair, Source, Verdict
from annotation.services.import_claims import ClaimTarget, import_claims
from annotation.services.importing import incoming
from annotation.services.questions import StudyInput
from annotation.services.studies import (
    StudyChange,
    add_studies,
    change_question,
    change_studies,
    labels_to_take_over,
    take_over_labels,
)
from corpus.exceptions import DomainError, StaleStateError
from corpus.formats.registry import get_format
from corpus.models import Event
from corpus.records import Label
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.reviews import ENTAIL, Review, make_review
from tests.annotation.work import judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def review() -> Review:
    return make_review()


def test_rule_findings_and_labels_change_together(review: Review) -> None:
    study = review.study(1)
    changed = change_question(
        question=review.sleep,
        rule=" Null results\r\nare inconclusive. ",
        changes=[StudyChange(study, "12 min less", "MIXED")],
        actor=review.team.admin,
    )
    assert changed
    review.sleep.refresh_from_db()
    assert review.sleep.null_result_rule == "Null results\nare inconclusive."
    again = review.study(1)
    assert (again.finding, again.label) == ("12 min less", "MIXED")
    event = Event.objects.get(noun="study", verb="change")
    assert event.payload["was"] == {"finding": "=no effect", "label": ""}
    assert_events_rebuild_the_tables()


def test_the_same_values_change_nothing(review: Review) -> None:
    before = Event.objects.count()
    study = review.study(0)
    assert not change_question(
        question=review.sleep,
        rule="No effect contradicts.",
        changes=[StudyChange(study, study.finding, study.label)],
        actor=review.team.admin,
    )
    assert Event.objects.count() == before


def test_a_study_that_somebody_else_changed_is_not_overwritten(review: Review) -> None:
    mine, other = review.study(1), review.study(2)
    change_studies(
        changes=[StudyChange(review.study(1), "theirs", "")], actor=review.team.admin
    )
    with pytest.raises(StaleStateError):
        change_studies(
            changes=[StudyChange(other, "x", ""), StudyChange(mine, "mine", "")],
            actor=review.team.admin,
        )
    assert review.study(1).finding == "theirs"
    assert review.study(2).finding == ""


def test_a_label_of_another_scheme_is_refused(review: Review) -> None:
    change = StudyChange(review.study(1), "", "NOT_ENOUGH_INFO")
    with pytest.raises(DomainError, match="does not use that label"):
        change_studies(changes=[change], actor=review.team.admin)


def test_a_later_study_is_in_the_queue_of_an_approved_hypothesis(
    review: Review,
) -> None:
    claim = review.hypothesis()
    new = [StudyInput(review.documents[3], "no data", Label.MIXED)]
    (study,) = add_studies(question=review.sleep, studies=new, actor=review.team.admin)
    assert study.ordinal == 3
    pair = claim.pairs.get(document=review.documents[3])
    assert (pair.state, pair.ordinal) == (Pair.State.OPEN, 3)
    assert [c.document_id for c in claim.citations.order_by("ordinal")] == [
        document.pk for document in review.documents
    ]
    assert_events_rebuild_the_tables()


def test_a_study_is_added_once(review: Review) -> None:
    again = [StudyInput(review.documents[0])]
    with pytest.raises(DomainError, match="only once"):
        add_studies(question=review.sleep, studies=again, actor=review.team.admin)


def test_labels_of_experts_become_verdicts(review: Review) -> None:
    review.hypothesis()
    assert labels_to_take_over(review.team.project).count() == 1
    assert take_over_labels(project=review.team.project, actor=review.team.admin) == 1
    pair = review.pair(0)
    verdict = Verdict.objects.get(pair=pair)
    assert pair.state == Pair.State.IMPORTED
    assert verdict.provenance == Verdict.Provenance.IMPORTED
    assert verdict.judgement.origin == Judgement.Origin.IMPORT
    assert verdict.judgement.label == "SUPPORT"
    assert verdict.judgement.versions.get().label == "SUPPORT"
    assert review.pair(1).state == Pair.State.OPEN
    assert take_over_labels(project=review.team.project, actor=review.team.admin) == 0
    assert_events_rebuild_the_tables()


def test_a_label_never_replaces_what_somebody_judged(review: Review) -> None:
    review.hypothesis()
    judged(review.pair(0), review.team.other_annotator, ENTAIL)
    assert take_over_labels(project=review.team.project, actor=review.team.admin) == 0


def test_a_label_that_was_taken_over_stays(review: Review) -> None:
    review.hypothesis()
    take_over_labels(project=review.team.project, actor=review.team.admin)
    change = StudyChange(review.study(0), "20 min less sleep", "CONTRADICT")
    with pytest.raises(DomainError, match="taken over"):
        change_studies(changes=[change], actor=review.team.admin)
    finding = StudyChange(review.study(0), "21 min less sleep", "SUPPORT")
    assert change_studies(changes=[finding], actor=review.team.admin) == 1


def test_a_published_table_brings_its_studies(review: Review, tmp_path: object) -> None:
    """Each abstract is a study of its question once; the first label counts."""
    header = (
        "idx,hypothesis,declarative,label,ref_id,url,ref_txt,doi,title,"
        "abstract_collected,file\n"
    )
    rows = [
        f"{n},DOES TEA HELP?,TEA HELPS,{label},r,u,t,https://doi.org/10.1/{doi},T,"
        f"Abstract {doi}. It is short.,Tea"
        for n, label, doi in ((1, "ENTAIL", "a"), (2, "CONTRADICT", "b"))
    ]
    path = tmp_path / "core.csv"  # type: ignore[operator]
    path.write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    fmt = get_format("core")
    assert fmt.read_claims is not None
    with path.open("rb") as file:
        import_claims(
            source=incoming(file, fmt.read_claims, name="core.csv"),
            target=ClaimTarget(review.team.project, fmt),
            actor=review.team.admin,
        )
    source = Source.objects.get(question__text="DOES TEA HELP?")
    assert source.question is not None
    found = source.question.studies.order_by("ordinal").values_list("label", flat=True)
    assert list(found) == ["SUPPORT", "CONTRADICT"]
    assert Claim.objects.filter(source=source).count() == 2
    assert_events_rebuild_the_tables()
