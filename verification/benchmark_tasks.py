"""The tasks of benchmarks in plain words, with the measures of each. Pure."""

from __future__ import annotations

from dataclasses import dataclass

OPEN = "open"
ORACLE_ABSTRACT = "oracle-abstract"
ORACLE_RATIONALE = "oracle-rationale"

PROFILE_WORDS = {
    "leaderboard": "as the public SciFact leaderboard (allenai/scifact-evaluator)",
    "verisci": "as the evaluator that came with the SciFact paper (allenai/scifact)",
    "verisci-module": "as the module evaluators of allenai/scifact",
    "check-covid": "as the evaluators of the Check-COVID repository",
    "fever-scorer": "as sheffieldnlp/fever-scorer",
    "scifact-open": "as run_eval.py of dwadden/scifact-open",
    "core-paper": "as section 6 of the CoRe paper",
}

_PIPELINE = tuple(
    f"{level}_{measure}"
    for level in (
        "abstract_label_only",
        "abstract_rationalized",
        "sentence_selection",
        "sentence_label",
    )
    for measure in ("precision", "recall", "f1")
)
_FEVER = tuple(
    f"max_evidence_{cap}.{measure}"
    for cap in ("5", "3", "None")
    for measure in (
        "strict_fever_score",
        "label_accuracy",
        "evidence_macro_precision",
        "evidence_macro_recall",
        "evidence_f1",
    )
)
_CHECK_COVID_MODES = {
    "sentence_standard": ("precision", "recall", "f1"),
    "sentence_global_recall_focused": ("precision", "recall", "f1"),
    "rationale_strict": ("precision", "recall", "f1", "accuracy"),
    "rationale_intersection": ("precision", "recall", "f1", "accuracy"),
}
_CHECK_COVID_RATIONALES = tuple(
    f"{mode}.{measure}"
    for mode, measures in _CHECK_COVID_MODES.items()
    for measure in measures
)
_LABELS = ("macro_f1", "macro_f1_without_nei", "accuracy")


@dataclass(frozen=True, slots=True)
class TaskWords:
    """A task as organisers choose it.

    ``asks`` says what a system has to do, ``gold`` what the gold file is. The usual
    measure comes first of ``measures``, the usual setting first of ``settings``.
    """

    title: str
    asks: str
    gold: str
    measures: tuple[str, ...]
    settings: tuple[str, ...] = (OPEN,)


def _usual_first(usual: str, measures: tuple[str, ...]) -> tuple[str, ...]:
    return (usual, *(name for name in measures if name != usual))


_SCIFACT = "Claims with evidence in SciFact's format (JSON Lines)."
_CHECK_COVID = "Claims with evidence in Check-COVID's format (JSON Lines)."

TASKS = {
    "scifact_pipeline": TaskWords(
        "Whole pipeline, SciFact",
        "Find the abstracts that support or contradict each claim, and the sentences "
        "that show it.",
        _SCIFACT,
        _usual_first("abstract_rationalized_f1", _PIPELINE),
        (OPEN, ORACLE_ABSTRACT, ORACLE_RATIONALE),
    ),
    "scifact_rationale_selection": TaskWords(
        "Rationale sentences, SciFact",
        "Choose the sentences of the abstracts that are evidence for or against each "
        "claim.",
        _SCIFACT,
        _usual_first("f1", ("precision", "recall", "f1")),
        (ORACLE_ABSTRACT, OPEN),
    ),
    "scifact_label_prediction": TaskWords(
        "Labels, SciFact",
        "Say of each claim and abstract whether it supports or contradicts, or "
        "whether there is not enough information.",
        _SCIFACT,
        _LABELS,
        (ORACLE_ABSTRACT, ORACLE_RATIONALE, OPEN),
    ),
    "scifact_label_accuracy_gold_inputs": TaskWords(
        "Labels of gold evidence, SciFact",
        "Say whether the evidence that is given supports or contradicts each claim.",
        _SCIFACT,
        ("accuracy",),
        (ORACLE_RATIONALE, ORACLE_ABSTRACT),
    ),
    "scifact_abstract_retrieval": TaskWords(
        "Abstract retrieval, SciFact",
        "Find the abstracts with evidence for each claim.",
        _SCIFACT,
        ("hit_one", "hit_all"),
    ),
    "scifact_open": TaskWords(
        "Large corpus, SciFact-Open",
        "Rank pairs of claim and abstract in a large corpus, with a label for each.",
        "Claims with judged abstracts in SciFact-Open's format (JSON Lines).",
        _usual_first("F1", ("P", "R", "F1", "avg_precision")),
    ),
    "checkcovid_rationale_selection": TaskWords(
        "Rationale sentences, Check-COVID",
        "Choose the sentences of the given abstract that are evidence for or against "
        "each claim.",
        _CHECK_COVID,
        _usual_first("sentence_standard.f1", _CHECK_COVID_RATIONALES),
        (ORACLE_ABSTRACT, OPEN),
    ),
    "checkcovid_label_prediction": TaskWords(
        "Labels, Check-COVID",
        "Say whether the given abstract supports or refutes each claim, or whether "
        "there is not enough information.",
        _CHECK_COVID,
        _LABELS,
        (ORACLE_ABSTRACT, OPEN),
    ),
    "checkcovid_pipeline_py": TaskWords(
        "Whole pipeline, Check-COVID",
        "Find the abstracts that support or refute each claim, and the sentences that "
        "show it.",
        _CHECK_COVID,
        _usual_first("abstract_rationalized_f1", _PIPELINE),
    ),
    "fever": TaskWords(
        "Fact extraction and verification, FEVER",
        "Say of each claim whether it is supported or refuted, and name the sentences "
        "that show it.",
        "Claims with evidence in FEVER's format (JSON Lines).",
        _FEVER,
    ),
    "core": TaskWords(
        "Hypotheses, CoRe",
        "Say whether the abstract of each row entails or contradicts the hypothesis, "
        "or is inconclusive.",
        "A CSV file with the columns idx, label and, where idx repeats, file.",
        _usual_first(
            "macro_f1",
            (
                "accuracy",
                "macro_f1",
                "macro_precision",
                "macro_recall",
                "per_class_f1.ENTAIL",
                "per_class_f1.CONTRADICT",
                "per_class_f1.INCONCLUSIVE",
            ),
        ),
        (ORACLE_ABSTRACT,),
    ),
}
