"""What holds for any gold and any prediction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.verification.scoring.files import claim, prediction, request, scored
from verification.scoring.service import validate
from verification.scoring.tasks import LEADERBOARD, PROFILES

PIPELINE = "scifact_pipeline"
LABELS = st.sampled_from(["SUPPORT", "CONTRADICT"])
DOCUMENTS = st.sampled_from(["d1", "d2", "d3"])
INDICES = st.lists(st.integers(0, 5), max_size=5)


@st.composite
def gold_documents(draw: Any) -> dict[str, list[tuple[list[int], str]]]:
    """Return disjoint, non-empty rationales of one label for some documents."""
    documents: dict[str, list[tuple[list[int], str]]] = {}
    for name in draw(st.lists(DOCUMENTS, unique=True, max_size=3)):
        sentences = draw(st.permutations(range(6)))
        ends = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=3)))
        label = draw(LABELS)
        starts = [0, *ends[:-1]]
        documents[name] = [
            (list(sentences[start:end]), label)
            for start, end in zip(starts, ends, strict=True)
        ]
    return documents


PREDICTED = st.dictionaries(DOCUMENTS, st.tuples(INDICES, LABELS), max_size=3)
FILES = st.lists(st.tuples(gold_documents(), PREDICTED), min_size=1, max_size=5)
PROFILE = st.sampled_from(PROFILES)


def files_of(pairs: Any) -> tuple[list[Any], list[Any]]:
    gold = [claim(n, **truth) for n, (truth, _) in enumerate(pairs)]
    return gold, [prediction(n, **found) for n, (_, found) in enumerate(pairs)]


def metrics_of(
    gold: list[Any], predicted: list[Any], profile: str = LEADERBOARD
) -> dict[str, float]:
    wanted = request(gold, predicted, profile=profile)
    metrics: dict[str, float] = scored(PIPELINE, wanted)["metrics"]
    return metrics


@given(FILES, PROFILE)
def test_scores_lie_between_zero_and_one(pairs: Any, profile: str) -> None:
    assert all(0 <= v <= 1 for v in metrics_of(*files_of(pairs), profile).values())


@given(FILES, PROFILE, st.randoms(use_true_random=False))
def test_the_order_of_lines_is_irrelevant(
    pairs: Any, profile: str, random: Any
) -> None:
    gold, predicted = files_of(pairs)
    expected = metrics_of(gold, predicted, profile)
    random.shuffle(gold)
    random.shuffle(predicted)
    assert metrics_of(gold, predicted, profile) == expected


@given(FILES, PROFILE)
def test_a_wrong_document_never_raises_precision(pairs: Any, profile: str) -> None:
    gold, predicted = files_of(pairs)
    before = metrics_of(gold, predicted, profile)
    predicted[0]["evidence"]["99"] = {"sentences": [0], "label": "SUPPORT"}
    after = metrics_of(gold, predicted, profile)
    for name, value in after.items():
        if name.endswith("precision"):
            assert value <= before[name]


@given(FILES, PROFILE)
def test_emptying_a_claim_never_raises_recall(pairs: Any, profile: str) -> None:
    gold, predicted = files_of(pairs)
    before = metrics_of(gold, predicted, profile)
    predicted[0]["evidence"] = {}
    after = metrics_of(gold, predicted, profile)
    for name, value in after.items():
        if name.endswith("recall"):
            assert value <= before[name]


def itself(documents: dict[str, list[tuple[list[int], str]]]) -> dict[str, Any]:
    """Return gold as a prediction, the shortest rationale first."""
    return {
        name: (
            [s for sentences, _ in sorted(rationales, key=_length) for s in sentences],
            rationales[0][1],
        )
        for name, rationales in documents.items()
    }


def _length(rationale: tuple[list[int], str]) -> int:
    return len(rationale[0])


@given(st.lists(gold_documents(), min_size=1, max_size=5))
def test_gold_against_itself_is_one_where_there_is_evidence(golds: Any) -> None:
    gold, predicted = files_of([(truth, itself(truth)) for truth in golds])
    expected = 1.0 if any(golds) else 0.0
    assert set(metrics_of(gold, predicted).values()) == {expected}


@given(FILES)
def test_verisci_never_credits_more_than_the_leaderboard(pairs: Any) -> None:
    gold, predicted = files_of(pairs)
    leaderboard = metrics_of(gold, predicted)
    for name, value in metrics_of(gold, predicted, "verisci").items():
        assert value <= leaderboard[name]


def module_lines(pairs: Any) -> tuple[list[Any], list[Any]]:
    selected, labelled = [], []
    for n, (_, found) in enumerate(pairs):
        names = {name: name.removeprefix("d") for name in found}
        evidence = {names[d]: sentences for d, (sentences, _) in found.items()}
        labels = {names[d]: {"label": label} for d, (_, label) in found.items()}
        selected.append({"claim_id": n, "evidence": evidence})
        labelled.append({"claim_id": n, "labels": labels})
    return selected, labelled


@given(FILES, PROFILE)
def test_merging_two_files_scores_as_the_merged_file(pairs: Any, profile: str) -> None:
    gold, predicted = files_of(pairs)
    selected, labels = module_lines(pairs)
    merged = scored(
        "scifact_merge", request(gold, selected, labels=labels, profile=profile)
    )
    whole = scored(PIPELINE, request(gold, predicted, profile=profile))
    assert merged["metrics"] == whole["metrics"]
    assert merged["counts"] == whole["counts"]


@given(FILES, st.randoms(use_true_random=False))
def test_the_modules_do_not_look_at_the_order_of_lines(pairs: Any, random: Any) -> None:
    gold, _ = files_of(pairs)
    selected, labels = module_lines(pairs)
    tasks = {
        "scifact_rationale_selection": selected,
        "scifact_label_prediction": labels,
    }
    for task, lines in tasks.items():
        expected = scored(task, request(gold, lines))["metrics"]
        shuffled = list(lines)
        random.shuffle(shuffled)
        assert scored(task, request(gold[::-1], shuffled))["metrics"] == expected


# The official loops, written down from their description and nothing else: every
# sentence and document is looked at one by one.


def official_counts(
    gold: Any, found: Any, cap_of: Callable[[list[list[int]]], int]
) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for rationales in gold["evidence"].values():
        counts["abstract_relevant"] += 1
        for rationale in rationales:
            counts["sentence_relevant"] += len(rationale["sentences"])
    for document, entry in found["evidence"].items():
        counts["abstract_retrieved"] += 1
        counts["sentence_retrieved"] += len(entry["sentences"])
        rationales = [r["sentences"] for r in gold["evidence"].get(document, [])]
        if not rationales:
            continue
        is_right = gold["evidence"][document][0]["label"] == entry["label"]
        first = entry["sentences"][: cap_of(rationales)]
        counts["abstract_correct_label_only"] += is_right
        if is_right and any(all(s in first for s in r) for r in rationales):
            counts["abstract_correct_rationalized"] += 1
        for sentence in set(entry["sentences"]):
            whole = any(
                sentence in r and all(s in entry["sentences"] for s in r)
                for r in rationales
            )
            counts["sentence_correct_selection"] += whole
            counts["sentence_correct_label"] += whole and is_right
    return counts


@given(FILES)
def test_counts_are_those_of_the_official_loops(pairs: Any) -> None:
    caps = {
        "leaderboard": lambda rationales: max(3, min(map(len, rationales))),
        "verisci": lambda rationales: 3,
    }
    gold, predicted = files_of(pairs)
    for profile, cap_of in caps.items():
        expected: Counter[str] = Counter()
        for truth, found in zip(gold, predicted, strict=True):
            expected.update(official_counts(truth, found, cap_of))
        counts = scored(PIPELINE, request(gold, predicted, profile=profile))["counts"]
        assert {k: n for k, n in counts.items() if n} == {
            k: n for k, n in expected.items() if n
        }


COVID_LABELS = st.sampled_from(["SUPPORT", "REFUTE", "NOTENOUGHINFO"])
COVID_GOLD = st.lists(
    st.tuples(COVID_LABELS, st.lists(st.integers(0, 9), min_size=1, unique=True)),
    min_size=1,
    max_size=6,
)


def covid_gold(claims: list[tuple[str, list[int]]]) -> list[Any]:
    return [
        {
            "id": f"c_{n}",
            "cord_id": "ab",
            "label": label,
            "evidence_set": [{"sent_index": s} for s in sentences],
        }
        for n, (label, sentences) in enumerate(claims)
    ]


@given(COVID_GOLD)
def test_check_covid_gold_against_itself_is_one_where_defined(claims: Any) -> None:
    gold = covid_gold(claims)
    selected = [
        {"claim_id": f"c_{n}", "evidence": {"ab": sentences}}
        for n, (_, sentences) in enumerate(claims)
    ]
    labelled = [
        {"claim_id": f"c_{n}", "labels": {"ab": {"label": label}}}
        for n, (label, _) in enumerate(claims)
    ]
    found = scored("checkcovid_rationale_selection", request(gold, selected))
    is_judged = any(label != "NOTENOUGHINFO" for label, _ in claims)
    for measures in found["metrics"].values():
        assert measures["f1"] == (1.0 if is_judged else 0.0)
        if "accuracy" in measures:
            assert measures["accuracy"] == (1.0 if is_judged else None)
    metrics = scored("checkcovid_label_prediction", request(gold, labelled))["metrics"]
    assert metrics["accuracy"] == metrics["macro_f1"] == 1.0


@given(COVID_GOLD, st.lists(st.lists(st.integers(0, 9)), min_size=6, max_size=6))
def test_check_covid_scores_of_one_document_lie_between_zero_and_one(
    claims: Any, selections: list[list[int]]
) -> None:
    gold = covid_gold(claims)
    lines = [
        {"claim_id": f"c_{n}", "evidence": {"ab": list(dict.fromkeys(selections[n]))}}
        for n in range(len(claims))
    ]
    found = scored("checkcovid_rationale_selection", request(gold, lines))["metrics"]
    for measures in found.values():
        names = ("precision", "recall", "f1", "accuracy")
        values = [measures[name] for name in names if name in measures]
        assert all(value is None or 0 <= value <= 1 for value in values)


FEVER_SENTENCES = st.tuples(st.sampled_from("AB"), st.integers(0, 3))
FEVER_CLAIMS = st.lists(
    st.tuples(
        st.sampled_from(["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]),
        st.lists(
            st.lists(FEVER_SENTENCES, min_size=1, max_size=3), min_size=1, max_size=3
        ),
    ),
    min_size=1,
    max_size=5,
)


@given(FEVER_CLAIMS)
def test_fever_gold_against_itself_is_strictly_right(claims: Any) -> None:
    gold = [
        {
            "id": n,
            "label": label,
            "evidence": [[[0, 0, *s] for s in group] for group in groups],
        }
        for n, (label, groups) in enumerate(claims)
    ]
    lines = [
        {
            "id": n,
            "predicted_label": label,
            "predicted_evidence": [list(s) for s in groups[0]],
        }
        for n, (label, groups) in enumerate(claims)
    ]
    metrics = scored("fever", request(gold, lines))["metrics"]["max_evidence_5"]
    assert metrics["strict_fever_score"] == metrics["label_accuracy"] == 1.0
    if any(label != "NOT ENOUGH INFO" for label, _ in claims):
        assert metrics["evidence_f1"] == 1.0


CORE_LABELS = st.sampled_from(["ENTAIL", "CONTRADICT", "INCONCLUSIVE"])
ANSWERS = CORE_LABELS | st.sampled_from(["", "NULL", "yes?"])


def table(labels: list[str]) -> bytes:
    rows = "".join(f"{n},{label}\n" for n, label in enumerate(labels))
    return f"idx,label\n{rows}".encode()


@given(st.lists(st.tuples(CORE_LABELS, ANSWERS), min_size=1, max_size=12))
def test_core_scores_lie_between_zero_and_one(rows: list[tuple[str, str]]) -> None:
    gold, answers = (table([row[n] for row in rows]) for n in (0, 1))
    found = scored("core", request(gold, answers))
    metrics = found["metrics"]
    values = [*metrics.pop("per_class_f1").values(), *metrics.values()]
    assert all(0 <= value <= 1 for value in values)
    answered = found["metrics_answered_only"]
    right = sum(truth == answer for truth, answer in rows)
    assert metrics["accuracy"] == right / len(rows)
    if answered["accuracy"] is not None:
        assert answered["accuracy"] >= metrics["accuracy"]


@given(st.lists(CORE_LABELS, min_size=1, max_size=12))
def test_core_gold_against_itself_is_accurate(labels: list[str]) -> None:
    metrics = scored("core", request(table(labels), table(labels)))["metrics"]
    assert metrics["accuracy"] == 1.0
    assert metrics["macro_f1"] * 3 == len(set(labels))


ENTRY_LABELS: st.SearchStrategy[Any] = st.sampled_from(
    ["SUPPORT", "CONTRADICT", "REFUTES", 1, None, []]
)
ENTRY_INDICES: st.SearchStrategy[Any] = st.one_of(
    st.lists(st.one_of(st.integers(-1, 30), st.booleans(), st.floats(0, 3))),
    st.lists(st.integers(0, 3), max_size=3, unique=True),
    st.just("0"),
)
ENTRIES: st.SearchStrategy[Any] = st.one_of(
    st.fixed_dictionaries({}, optional={"label": LABELS, "sentences": INDICES}),
    st.fixed_dictionaries({"label": ENTRY_LABELS, "sentences": ENTRY_INDICES}),
    st.just("SUPPORT"),
)
CORPUS = [{"doc_id": name, "abstract": ["."] * 5} for name in ("d1", "d2")]


@given(
    st.dictionaries(DOCUMENTS, ENTRIES),
    st.sampled_from([None, CORPUS]),
    st.sampled_from(["scifact_pipeline", "checkcovid_pipeline_py"]),
)
def test_documents_are_judged_alike_alone_and_together(
    evidence: dict[str, Any], corpus: Any, task: str
) -> None:
    def findings(documents: dict[str, Any]) -> list[tuple[str, bool]]:
        lines = [{"id": 1, "evidence": documents}]
        corpora = [line | {"cord_id": line["doc_id"]} for line in corpus or []] or None
        outcome = validate(task, request([{"id": 1}], lines, corpus=corpora))
        return [
            (finding.message, is_error)
            for found, is_error in ((outcome.errors, True), (outcome.warnings, False))
            for finding in found
            if finding.line is not None
        ]

    alone = [findings({name: entry}) for name, entry in evidence.items()]
    # What is doubtful in one document makes the others be looked at one by one.
    doubtful = {"d9": {"label": "SUPPORT", "sentences": [0, 0]}}
    expected = Counter(chain.from_iterable([*alone, findings(doubtful)]))
    assert Counter(findings(evidence | doubtful)) == expected
    assert Counter(findings(evidence)) == Counter(chain.from_iterable(alone))
