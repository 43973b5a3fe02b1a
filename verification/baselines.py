"""The baselines that organisers can put on a board, in plain words. Pure."""

from __future__ import annotations

from dataclasses import dataclass

PIPELINES = frozenset({"scifact_pipeline", "checkcovid_pipeline_py"})


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline: its code, its name on the board, what it does and what it needs.

    ``counts_labels`` says that it gives the most frequent label, ``needs_training``
    that it learns from the public gold of another phase.
    """

    code: str
    name: str
    what: str
    counts_labels: bool = True
    needs_corpus: bool = False
    needs_training: bool = False


MAJORITY = Baseline(
    "majority",
    "Majority label",
    "Gives every claim or abstract the most frequent label.",
)
CLAIM_ONLY_LABELS = Baseline(
    "claim-only",
    "Claim only",
    "Predicts the label from the words of the claim alone: a logistic regression that "
    "was trained on the public claims of another phase.",
    counts_labels=False,
    needs_training=True,
)
MAJORITY_PIPELINE = Baseline(
    "majority",
    "Majority label on cited abstracts",
    "Is told the cited abstracts, takes the sentence most like the claim, and always "
    "gives the most frequent label.",
    needs_corpus=True,
)
ORACLE_RATIONALE = Baseline(
    "oracle-rationale",
    "Oracle rationale and majority label",
    "Is told the cited abstracts and the gold sentences, and always gives the most "
    "frequent label. It reads the gold: no system can do so.",
    needs_corpus=True,
)
FIRST_SENTENCE = Baseline(
    "first-sentence",
    "First sentence",
    "Finds three abstracts by TF-IDF, takes the first sentence of each, and always "
    "gives the most frequent label.",
    needs_corpus=True,
)
TFIDF = Baseline(
    "tfidf-majority",
    "VeriSci-style TF-IDF and majority label",
    "Finds three abstracts by TF-IDF as VeriSci does, takes the sentence most like the "
    "claim, and always gives the most frequent label. It has no trained weights, "
    "unlike VeriSci.",
    needs_corpus=True,
)
CLAIM_ONLY = Baseline(
    "claim-only",
    "Claim only",
    "Finds three abstracts and a sentence of each by TF-IDF, but predicts the label "
    "from the words of the claim alone: a logistic regression that was trained on "
    "the public claims of another phase.",
    counts_labels=False,
    needs_corpus=True,
    needs_training=True,
)
CITED_FIRST = Baseline(
    "cited-first",
    "First sentence of cited abstracts",
    "Is told the cited abstracts, and takes the first sentence of each.",
    counts_labels=False,
)
CITED_SIMILAR = Baseline(
    "cited-similar",
    "Most similar sentence of cited abstracts",
    "Is told the cited abstracts, and takes the sentence of each that is most like the "
    "claim by TF-IDF.",
    counts_labels=False,
    needs_corpus=True,
)
FOUND_TFIDF = Baseline(
    "found-tfidf",
    "VeriSci-style TF-IDF",
    "Finds three abstracts by TF-IDF, as VeriSci does.",
    counts_labels=False,
    needs_corpus=True,
)
FOUND_BM25 = Baseline(
    "found-bm25",
    "BM25",
    "Finds three abstracts by BM25.",
    counts_labels=False,
    needs_corpus=True,
)
RANKED = Baseline(
    "tfidf-majority",
    "TF-IDF and majority label",
    "Finds three abstracts by TF-IDF, ranks all pairs by their similarity, and always "
    "gives the most frequent label.",
    needs_corpus=True,
)
RANKED_CLAIM_ONLY = Baseline(
    "claim-only",
    "Claim only",
    "Finds three abstracts by TF-IDF, but predicts the label from the words of the "
    "claim alone, and ranks all pairs by its probability: a logistic regression that "
    "was trained on the public claims of another phase.",
    counts_labels=False,
    needs_corpus=True,
    needs_training=True,
)

_LABELS = (MAJORITY, CLAIM_ONLY_LABELS)
_PIPELINE = (MAJORITY_PIPELINE, ORACLE_RATIONALE, FIRST_SENTENCE, TFIDF, CLAIM_ONLY)
_SELECTION = (CITED_FIRST, CITED_SIMILAR)
OF_TASK = {
    "scifact_pipeline": _PIPELINE,
    "scifact_rationale_selection": _SELECTION,
    "scifact_label_prediction": _LABELS,
    "scifact_label_accuracy_gold_inputs": _LABELS,
    "scifact_abstract_retrieval": (FOUND_TFIDF, FOUND_BM25),
    "scifact_open": (RANKED, RANKED_CLAIM_ONLY),
    "checkcovid_rationale_selection": _SELECTION,
    "checkcovid_label_prediction": _LABELS,
    "checkcovid_pipeline_py": _PIPELINE,
    "fever": _LABELS,
    "core": _LABELS,
}
"""The baselines that make sense for each task."""


def offered(task: str, *, has_corpus: bool, has_training: bool) -> list[Baseline]:
    """Return the baselines that can be made for a task with these files.

    ``has_training`` says that another phase has gold of this task that is public.
    """
    return [
        baseline
        for baseline in OF_TASK[task]
        if (has_corpus or not baseline.needs_corpus)
        and (has_training or not baseline.needs_training)
    ]


def described(baseline: Baseline, *, has_training: bool) -> str:
    """Return what a baseline does, and where its most frequent label comes from."""
    if not baseline.counts_labels:
        return baseline.what
    whose = "the public gold of another phase" if has_training else "this phase's gold"
    return f"{baseline.what} That label was counted in {whose}."
