"""The baselines that organisers can put on a board, in plain words. Pure."""

from __future__ import annotations

from dataclasses import dataclass

PIPELINES = frozenset({"scifact_pipeline", "checkcovid_pipeline_py"})
LABEL_TASKS = frozenset({"scifact_label_prediction", "checkcovid_label_prediction"})
MAJORITY_TASKS = PIPELINES | LABEL_TASKS | {"core", "fever"}


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline: its code, its name on the board, and what it does."""

    code: str
    name: str
    what: str


MAJORITY = Baseline(
    "majority",
    "Majority label",
    "Gives every claim or abstract the most frequent label.",
)
MAJORITY_PIPELINE = Baseline(
    "majority",
    "Majority label on cited abstracts",
    "Is told the cited abstracts, takes the sentence most like the claim, and always "
    "gives the most frequent label.",
)
ORACLE_RATIONALE = Baseline(
    "oracle-rationale",
    "Oracle rationale and majority label",
    "Is told the cited abstracts and the gold sentences, and always gives the most "
    "frequent label. It reads the gold: no system can do so.",
)
FIRST_SENTENCE = Baseline(
    "first-sentence",
    "First sentence",
    "Finds three abstracts by TF-IDF, takes the first sentence of each, and always "
    "gives the most frequent label.",
)
TFIDF = Baseline(
    "tfidf-majority",
    "VeriSci-style TF-IDF and majority label",
    "Finds three abstracts by TF-IDF as VeriSci does, takes the sentence most like the "
    "claim, and always gives the most frequent label. It has no trained weights, "
    "unlike VeriSci.",
)
CLAIM_ONLY = Baseline(
    "claim-only",
    "Claim only",
    "Finds three abstracts and a sentence of each by TF-IDF, but predicts the label "
    "from the words of the claim alone: a logistic regression that was trained on "
    "the public claims of another phase.",
)
ALL = (MAJORITY_PIPELINE, ORACLE_RATIONALE, FIRST_SENTENCE, TFIDF, CLAIM_ONLY)


def offered(task: str, *, has_corpus: bool, has_training: bool) -> list[Baseline]:
    """Return the baselines that can be made for a task with these files.

    ``has_training`` says that another phase has gold of this task that is public.
    """
    if task in PIPELINES:
        if not has_corpus:
            return []
        return [b for b in ALL if has_training or b is not CLAIM_ONLY]
    return [MAJORITY] if task in MAJORITY_TASKS else []


def described(baseline: Baseline, *, has_training: bool) -> str:
    """Return what a baseline does, and where its most frequent label comes from."""
    if baseline is CLAIM_ONLY:
        return baseline.what
    whose = "the public gold of another phase" if has_training else "this phase's gold"
    return f"{baseline.what} That label was counted in {whose}."
