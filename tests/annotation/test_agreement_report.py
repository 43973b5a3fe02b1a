"""The report on a project's agreement, from pairs whose figures are known."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from annotation.agreement_intervals import Measure
from annotation.agreement_report import (
    CHOSEN,
    NOT_CHOSEN,
    Kind,
    Part,
    RatedPair,
    Rating,
    Report,
    Wanted,
    build_report,
)
from tests.paths import SHARED

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANN, BEN, CAT = 1, 2, 3
Said = tuple[int, str, Iterable[int]]


def rated(pair: int, *said: Said, day: int = 0, **values: Any) -> RatedPair:
    """A pair; each pair has its own abstract, and the second judgement's day counts."""
    ratings = tuple(
        Rating(person, label, frozenset(sentences), MONDAY + timedelta(days=day))
        for person, label, sentences in said
    )
    about = {"document": pair, "origin": "cited", "n_sentences": 5, **values}
    return RatedPair(pair=pair, ratings=ratings, **about)


def report(
    first: Sequence[RatedPair], after: Sequence[RatedPair] = (), **options: Any
) -> Report:
    return build_report(
        iter(first), iter(after), n_labels=3, **{"resamples": 50, **options}
    )


def shared_pairs() -> list[RatedPair]:
    folder = SHARED / "metrics/agreement/two_annotators_labels_and_sentences"
    said: dict[tuple[int, int, int], list[Said]] = defaultdict(list)
    people = {"ann1": ANN, "ann2": BEN}
    for line in (folder / "annotations.jsonl").read_text().split("\n"):
        if line:
            row = json.loads(line)
            key = row["claim_id"], row["doc_id"], row["n_sentences"]
            person = people[row["annotator"]]
            said[key].append((person, row["label"], row["sentences"]))
    return [
        rated(claim, *ratings, document=document, n_sentences=n)
        for (claim, document, n), ratings in said.items()
    ]


def test_the_shared_case_has_the_values_of_the_reference_programs() -> None:
    folder = SHARED / "metrics/agreement/two_annotators_labels_and_sentences"
    expected = json.loads((folder / "expected.json").read_text())
    found = report(shared_pairs()).first

    def value(part: Part, measure: Measure) -> float | None:
        return found[part].by_measure[measure].coefficient.value

    for part, measure, key in (
        (Part.LABELS, Measure.COHEN, "label_cohen_kappa"),
        (Part.LABELS, Measure.PERCENT, "label_percent_agreement"),
        (Part.SENTENCES, Measure.COHEN, "sentence_cohen_kappa_all_pairs"),
        (Part.SENTENCES, Measure.PERCENT, "sentence_percent_agreement_all_pairs"),
        (Part.SENTENCES, Measure.ALPHA, "sentence_krippendorff_alpha_all_pairs"),
        (
            Part.EVIDENCE_SENTENCES,
            Measure.COHEN,
            "sentence_cohen_kappa_pairs_both_evidence",
        ),
    ):
        assert value(part, measure) == pytest.approx(expected[key], abs=1e-9), key
    assert found[Part.SENTENCES].n_items == expected["n_sentences_all_pairs"]
    assert (
        found[Part.EVIDENCE_SENTENCES].n_items
        == expected["n_sentences_pairs_both_evidence"]
    )


def test_every_sentence_of_a_pair_is_one_item() -> None:
    pair = rated(1, (ANN, "SUPPORT", [0, 2]), (BEN, "SUPPORT", [2, 3]))
    assert pair.sentence_tally() == {
        (CHOSEN, CHOSEN): 1,
        (CHOSEN, NOT_CHOSEN): 1,
        (NOT_CHOSEN, CHOSEN): 1,
        (NOT_CHOSEN, NOT_CHOSEN): 2,
    }


def test_the_second_reading_leaves_out_pairs_with_a_not_enough_info() -> None:
    pairs = [
        rated(1, (ANN, "SUPPORT", [0]), (BEN, "SUPPORT", [0])),
        rated(2, (ANN, "SUPPORT", [0]), (BEN, "NOT_ENOUGH_INFO", [])),
        rated(3, (ANN, "NOT_ENOUGH_INFO", []), (BEN, "NOT_ENOUGH_INFO", [])),
    ]
    found = report(pairs).first
    assert found[Part.SENTENCES].n_items == 15
    assert found[Part.EVIDENCE_SENTENCES].n_items == 5
    assert found[Part.EVIDENCE_SENTENCES].n_clusters == 1
    assert found[Part.SENTENCES].prevalence[CHOSEN] == pytest.approx(3 / 30)
    assert found[Part.LABELS].prevalence == {
        "SUPPORT": 0.5,
        "NOT_ENOUGH_INFO": 0.5,
    }


def test_a_project_without_rationales_has_labels_only() -> None:
    found = report([rated(1, (ANN, "S", []), (BEN, "S", []))], has_sentences=False)
    assert list(found.first) == [Part.LABELS]


def test_people_are_compared_on_the_pairs_that_both_judged() -> None:
    pairs = [
        rated(1, (BEN, "SUPPORT", []), (ANN, "CONTRADICT", [])),
        rated(2, (ANN, "SUPPORT", []), (BEN, "SUPPORT", []), (CAT, "SUPPORT", [])),
        rated(3, (CAT, "CONTRADICT", []), (ANN, "CONTRADICT", [])),
    ]
    people = {(two.first, two.second): two for two in report(pairs).people}
    assert {key: two.percent.n_items for key, two in people.items()} == {
        (ANN, BEN): 2,
        (ANN, CAT): 2,
        (BEN, CAT): 1,
    }
    # Ann says C and S, Ben S and S: agreement is a half, and a half by chance.
    assert people[ANN, BEN].percent.value == 0.5
    assert people[ANN, BEN].kappa.value == 0.0
    assert people[ANN, CAT].kappa.value == 1.0
    assert people[BEN, CAT].kappa.value is None


def test_the_confusion_matrix_has_the_first_two_in_the_order_of_submission() -> None:
    pairs = [
        rated(1, (BEN, "S", []), (ANN, "C", []), (CAT, "N", [])),
        rated(2, (ANN, "S", []), (BEN, "C", [])),
    ]
    assert report(pairs).confusion == {("S", "C"): 2}


def test_weeks_begin_on_monday_and_go_by_the_second_judgement() -> None:
    pairs = [
        rated(1, (ANN, "S", []), (BEN, "S", []), day=6),
        rated(2, (ANN, "C", []), (BEN, "C", []), day=2),
        rated(3, (ANN, "C", []), (BEN, "S", []), day=7),
    ]
    weeks = report(pairs).weeks
    assert [week.monday for week in weeks] == [date(2026, 3, 2), date(2026, 3, 9)]
    assert weeks[0].figure.coefficient.value == 1.0
    assert weeks[0].figure.coefficient.n_items == 2
    assert weeks[1].figure.coefficient.value == 0.0


def test_disagreeing_pairs_are_told_with_what_they_disagree_on() -> None:
    pairs = [
        rated(9, (ANN, "S", [1]), (BEN, "S", [2])),
        rated(4, (ANN, "S", [1]), (BEN, "C", [1])),
        rated(5, (ANN, "S", [1]), (BEN, "S", [1])),
    ]
    assert report(pairs).disagreeing == ((4, Kind.LABEL), (9, Kind.SENTENCES))


def test_after_review_is_a_column_of_its_own() -> None:
    before = [
        rated(1, (ANN, "SUPPORT", [0]), (BEN, "CONTRADICT", [0])),
        rated(2, (ANN, "CONTRADICT", [0]), (BEN, "CONTRADICT", [0])),
    ]
    after = [
        rated(1, (ANN, "SUPPORT", [0]), (BEN, "SUPPORT", [0])),
        rated(2, (ANN, "CONTRADICT", [0]), (BEN, "CONTRADICT", [0])),
    ]
    found = report(before, after)
    first = found.first[Part.LABELS].by_measure[Measure.PERCENT].coefficient
    later = found.after[Part.LABELS].by_measure[Measure.PERCENT].coefficient
    assert (first.value, later.value) == (0.5, 1.0)
    assert len(found.disagreeing) == 1


def test_nothing_judged_twice_is_no_error() -> None:
    found = report([])
    assert found.n_pairs == 0
    figure = found.first[Part.LABELS].by_measure[Measure.COHEN]
    assert figure.coefficient.value is None
    assert figure.interval.reason
    assert (found.people, found.weeks, found.disagreeing) == ((), (), ())


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        (Wanted(), True),
        (Wanted(since=date(2026, 3, 3)), True),
        (Wanted(since=date(2026, 3, 4)), False),
        (Wanted(until=date(2026, 3, 3)), True),
        (Wanted(until=date(2026, 3, 2)), False),
        (Wanted(annotator=BEN), True),
        (Wanted(annotator=CAT), False),
        (Wanted(origin="cited"), True),
        (Wanted(origin="pooled"), False),
    ],
)
def test_filters_go_by_the_pair(wanted: Wanted, taken: bool) -> None:
    assert wanted.takes(rated(1, (ANN, "S", []), (BEN, "S", []), day=1)) is taken
