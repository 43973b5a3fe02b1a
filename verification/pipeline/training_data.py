"""Training examples from the files of public data sets and of our own releases.

A *source* is ``kind:path[:limit]``. An example is a claim, a text and what is to be
learned: for labels the relation of the text to the claim, for rationales whether
the sentence is part of one. Examples of one ``group`` (an abstract with all claims
about it) never lie in two folds.

Nothing here is a hidden split: test files are not among the kinds.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from corpus.records import Claim, Document, Evidence, Label
from corpus.sentences import split_sentences
from verification.pipeline.files import read_claims, read_corpus
from verification.pipeline.similarity import top_sentences

LABELS = (Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.SUPPORT)
SELECTED, LEFT = "1", "0"

_WORDS = {
    "entailment": Label.SUPPORT,
    "contradiction": Label.CONTRADICT,
    "neutral": Label.NOT_ENOUGH_INFO,
    "SUPPORTS": Label.SUPPORT,
    "SUPPORTED": Label.SUPPORT,
    "REFUTES": Label.CONTRADICT,
}
_SHARED_WITH_SCIFACT = frozenset(
    ["22972843", "23796131", "20606148", "18697684", "23532866", "17635944"]
)
"""Abstracts of CliniFact that are SciFact abstracts as well."""


@dataclass(frozen=True, slots=True)
class Example:
    """One thing to learn from."""

    group: str
    claim: str
    text: str
    target: str

    def fold(self, folds: int) -> int:
        """Return the fold of its group, the same on every machine."""
        digest = sha256(self.group.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:4], "big") % folds


@dataclass(frozen=True, slots=True)
class Source:
    """Where examples come from, and how many are taken at most."""

    kind: str
    path: Path
    limit: int | None = None

    @classmethod
    def parse(cls, text: str) -> Source:
        """Read ``kind:path[:limit]``."""
        kind, _, rest = text.partition(":")
        path, _, limit = rest.partition(":")
        if kind not in KINDS or not path or (limit and not limit.isdigit()):
            known = ", ".join(sorted(KINDS))
            raise ValueError(f"{text}: expected kind:path[:limit], kind one of {known}")
        if not Path(path).exists():
            raise ValueError(f"{text}: there is no {path}")
        return cls(kind, Path(path), int(limit) if limit else None)


def examples(source: Source, task: str, seed: int) -> list[Example]:
    """Return the examples of a source for a task (``label`` or ``rationale``)."""
    found = list(KINDS[source.kind](source.path, task, random.Random(seed)))  # noqa: S311
    if source.limit is not None and len(found) > source.limit:
        chosen = sorted(random.Random(seed).sample(range(len(found)), source.limit))  # noqa: S311
        found = [found[n] for n in chosen]
    return found


# Plain pairs -------------------------------------------------------------------

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":"}
_BEFORE = re.compile(r" +([.,;:!?%)\]]|'s\b|n't\b)")
_AFTER = re.compile(r"([(\[]) +")


def untokenised(text: str) -> str:
    """Return tokenised text (FEVER, SNLI) as one would write it."""
    for word, sign in _BRACKETS.items():
        text = text.replace(word, sign)
    text = text.replace("``", '"').replace("''", '"')
    return _AFTER.sub(r"\1", _BEFORE.sub(r"\1", text)).strip()


def _lines(path: Path) -> Iterator[Any]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", newline="\n") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def _table(path: Path, encoding: str = "utf-8-sig") -> Iterator[dict[str, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding=encoding, newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _pair(premise: str, claim: str, word: str) -> Iterator[Example]:
    if word in _WORDS:
        text = untokenised(premise)
        yield Example(text, untokenised(claim), text, _WORDS[word])


def _snli(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    for file in sorted(path.glob("*.jsonl.gz")):
        for row in _lines(file):
            yield from _pair(row["premise"], row["hypothesis"], row["label"])


def _counterfactual(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    for file in sorted(path.glob("*.tsv")):
        for row in _table(file):
            yield from _pair(row["sentence1"], row["sentence2"], row["gold_label"])


def _taxinli(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    for row in _lines(path / "taxinli10k.jsonl.gz"):
        if row["label"] == row["annotated_label"]:
            yield from _pair(row["premise"], row["hypothesis"], row["label"])


def _conjnli(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    for name in ("adversarial_train_15k.tsv.gz", "conj_dev.tsv"):
        for row in _table(path / name):
            yield from _pair(row["Premise"], row["Hypothesis"], row["Label"])


def _negation(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    # RTE.txt stays out: its source's licence is not known.
    for name, encoding in (("MNLI.txt", "cp1252"), ("SNLI.txt", "utf-8-sig")):
        for row in _table(path / name, encoding):
            yield from _pair(row["Text"], row["Hypothesis"], row["gold_label"])


def _breaking(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    with zipfile.ZipFile(path / "breaking_nli_dataset.zip") as archive:
        lines = io.TextIOWrapper(archive.open("data/dataset.jsonl"), encoding="utf-8")
        for row in map(json.loads, lines):
            yield from _pair(row["sentence1"], row["sentence2"], row["gold_label"])


def _fever(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    for row in _lines(path):
        yield from _pair(row["evidence"], row["claim"], row["label"])


def _symmetric(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    for name in ("dev", "test"):
        for row in _lines(path / "symmetric_v0.2" / f"fever_symmetric_{name}.jsonl"):
            word = row.get("gold_label") or row.get("label")
            yield from _pair(row["evidence"], row["claim"], word)


_SPAN = re.compile(r"</?span[^>]*>")
_PAGE = re.compile(r"\[\[(.*?)\]\]")


def _sufficient(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    for file in sorted(path.glob("*_sufficient_facts.jsonl.gz")):
        for row in _lines(file):
            claim = untokenised(row["claim"])
            left = " ".join(f"{page}: {text}" for page, text in row["evidence"])
            whole = _PAGE.sub(r"\1:", _SPAN.sub("", row["text_orig"]))
            before = _WORDS[row["label_before"]]
            enough = row["label_after"] == "ENOUGH"
            after = before if enough else Label.NOT_ENOUGH_INFO
            yield Example(claim, claim, untokenised(left), after)
            yield Example(claim, claim, untokenised(whole), before)


def _fm2(path: Path, task: str, chance: random.Random) -> Iterator[Example]:
    for file in sorted(path.glob("fm2_*.jsonl.gz")):
        for row in _lines(file):
            claim, group = row["hypothesis"], row["wikipedia_page"]
            if task == "label":
                yield Example(group, claim, row["premise"], _WORDS[row["label"]])
                continue
            for text in row["gold_evidence"]:
                yield Example(group, claim, text, SELECTED)
            others = row["retrieved_evidence"]
            for text in chance.sample(others, min(4, len(others))):
                yield Example(group, claim, text, LEFT)


# Biomedical pairs --------------------------------------------------------------


def _pubmedqa(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    with gzip.open(path / "ori_pqal.json.gz", "rt", encoding="utf-8") as file:
        rows = json.load(file)
    answers = {"yes": Label.SUPPORT, "no": Label.CONTRADICT}
    for pmid, row in rows.items():
        if row["final_decision"] in answers:
            label = answers[row["final_decision"]]
            yield Example(pmid, statement(row["QUESTION"]), row["LONG_ANSWER"], label)


_ASKING = re.compile(
    r"^(is|are|was|were|do|does|did|can|could|should|has|have)\b ", re.I
)


def statement(question: str) -> str:
    """Return a yes/no question without what makes it one, roughly."""
    text = _ASKING.sub("", question.strip().rstrip("?").strip())
    return f"{text[:1].upper()}{text[1:]}."


_DIRECTIONS = {
    "significantly increased": "significantly increased",
    "significantly decreased": "significantly decreased",
    "no significant difference": "made no significant difference to",
}


def _inference(path: Path, task: str, chance: random.Random) -> Iterator[Example]:
    abstracts = {row["pmcid"]: row["abstract"] for row in _inference_abstracts(path)}
    for row in _lines(path / "prompts_v2.jsonl.gz"):
        if row["label"] not in _DIRECTIONS:
            continue
        if task == "rationale":
            yield from _inference_sentences(row, abstracts[row["pmcid"]], chance)
            continue
        texts = [text for text in row["evidence"] if len(text.split()) > 6]
        if not texts:
            continue
        wrong = chance.choice([d for d in _DIRECTIONS if d != row["label"]])
        for direction in (row["label"], wrong):
            right = direction == row["label"]
            label = Label.SUPPORT if right else Label.CONTRADICT
            claim = _inference_claim(row, direction)
            yield Example(row["pmcid"], claim, chance.choice(texts), label)


def _inference_abstracts(path: Path) -> Iterator[Any]:
    return _lines(path / "abstracts_v2.jsonl.gz")


def _inference_claim(row: dict[str, Any], direction: str) -> str:
    return (
        f"{row['intervention']} {_DIRECTIONS[direction]} {row['outcome']} "
        f"compared with {row['comparator']}."
    )


def _inference_sentences(
    row: dict[str, Any], abstract: str, chance: random.Random
) -> Iterator[Example]:
    """Yield an abstract's sentences, if evidence of the prompt stands in it.

    True and false directions have the same rationale, so either may be the claim.
    """
    marked = zip(row["evidence"], row["evidence_in_abstract"], strict=True)
    evidence = [_one_line(text) for text, is_inside in marked if is_inside]
    sentences = [_one_line(text) for text in split_sentences(abstract).sentences]
    chosen = [s for s in sentences if any(_shares(s, text) for text in evidence)]
    if not chosen:
        return
    claim = _inference_claim(row, chance.choice(list(_DIRECTIONS)))
    others = [s for s in sentences if s not in chosen]
    for text in chosen:
        yield Example(row["pmcid"], claim, text, SELECTED)
    for text in chance.sample(others, min(4 * len(chosen), len(others))):
        yield Example(row["pmcid"], claim, text, LEFT)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shares(sentence: str, evidence: str) -> bool:
    """Whether one of both holds the other; spans seldom end where sentences do."""
    return evidence in sentence or (len(sentence) > 30 and sentence in evidence)


def _clinifact(path: Path, task: str, _: random.Random) -> Iterator[Example]:
    words = {"1": Label.SUPPORT, "0": Label.CONTRADICT, "2": Label.NOT_ENOUGH_INFO}
    for name in ("train", "validation"):
        for row in _lines(path / f"clinifact_{name}.jsonl.gz"):
            if _SHARED_WITH_SCIFACT & set(map(str, row.values())):
                continue
            tail = " ".join(row["premise"].split()[-90:])
            yield Example(tail, row["hypothesis"], tail, words[str(row["label"])])


# Claims with abstracts ---------------------------------------------------------


def _records(
    format_name: str, corpus: str, claims: str
) -> Callable[[Path, str, random.Random], Iterator[Example]]:
    def read(path: Path, task: str, chance: random.Random) -> Iterator[Example]:
        documents = read_corpus(path / corpus, format_name)
        for claim in read_claims(path / claims, format_name):
            yield from from_claim(claim, documents, task, chance)

    return read


def _inline(
    format_name: str,
) -> Callable[[Path, str, random.Random], Iterator[Example]]:
    """Read a format whose claims bring their own abstracts or evidence."""

    def read(path: Path, task: str, chance: random.Random) -> Iterator[Example]:
        if task != "label":
            raise ValueError(f"{format_name} has no abstracts to select sentences in.")
        for claim in read_claims(path, format_name):
            documents = {document.id.text: document for document in claim.documents}
            yield from from_claim(claim, documents, task, chance)

    return read


def from_claim(
    claim: Claim, documents: dict[str, Document], task: str, chance: random.Random
) -> Iterator[Example]:
    """Yield the examples of one labelled claim."""
    judged = {evidence.document.text: evidence for evidence in claim.evidence}
    cited = dict.fromkeys([*judged, *(c.text for c in claim.cited or ())])
    for name in cited:
        document = documents.get(name)
        if document is None or not document.sentences:
            continue
        make = _label_examples if task == "label" else _rationale_examples
        yield from make(claim, document, judged.get(name), chance)


def _label_examples(
    claim: Claim, document: Document, evidence: Evidence | None, chance: random.Random
) -> Iterator[Example]:
    def example(sentences: Iterable[int], label: Label) -> Example:
        return Example(document.id.text, claim.text, joined(document, sentences), label)

    if evidence is None:
        best = top_sentences(claim.text, document.sentences, 2)
        yield example(best, Label.NOT_ENOUGH_INFO)
        yield example(best[:1], Label.NOT_ENOUGH_INFO)
        return
    if evidence.label not in LABELS:
        return
    sets = [set(rationale.sentences) for rationale in evidence.rationales]
    if not sets:
        yield example(range(len(document.sentences)), evidence.label)
        return
    yield example(set().union(*sets), evidence.label)
    for sentences in sets if len(sets) > 1 else ():
        yield example(sentences, evidence.label)
    gold = set().union(*sets)
    others = [n for n in range(len(document.sentences)) if n not in gold]
    if others and chance.random() < OTHER_SHARE:
        yield example([chance.choice(others)], Label.NOT_ENOUGH_INFO)


OTHER_SHARE = 0.25
"""How often a sentence outside the rationales serves as insufficient."""


def joined(document: Document, sentences: Iterable[int]) -> str:
    """Return sentences of a document as one text, in the document's order."""
    size = len(document.sentences)
    return " ".join(document.sentences[n] for n in sorted(set(sentences)) if n < size)


NEGATIVES = 30
"""How many sentences outside the rationales are taken of an abstract."""


def _rationale_examples(
    claim: Claim, document: Document, evidence: Evidence | None, chance: random.Random
) -> Iterator[Example]:
    is_evidence = evidence is not None and evidence.label != Label.NOT_ENOUGH_INFO
    gold = {
        n
        for rationale in (evidence.rationales if evidence and is_evidence else ())
        for n in rationale.sentences
    }
    others = [n for n in range(len(document.sentences)) if n not in gold]
    kept = chance.sample(others, min(len(others), NEGATIVES if is_evidence else 4))
    for n in sorted([*gold, *kept]):
        if n < len(document.sentences):
            target = SELECTED if n in gold else LEFT
            yield Example(document.id.text, claim.text, document.sentences[n], target)


KINDS: dict[str, Callable[[Path, str, random.Random], Iterator[Example]]] = {
    "snli": _snli,
    "snli-counterfactual": _counterfactual,
    "mnli-taxinli": _taxinli,
    "conjnli": _conjnli,
    "negation-nli": _negation,
    "breaking-nli": _breaking,
    "fever": _fever,
    "fever-symmetric": _symmetric,
    "sufficient-facts": _sufficient,
    "fm2": _fm2,
    "pubmedqa": _pubmedqa,
    "evidence-inference": _inference,
    "clinifact": _clinifact,
    "scifact": _records("scifact", "corpus.jsonl", "claims_train.jsonl"),
    "check-covid": _records(
        "check-covid", "corpus.json", "train/covidCheck_train_composed+extracted.json"
    ),
    # For a user's own models; no weights of ours are trained on these three.
    "healthver": _inline("healthver"),
    "covidfact": _inline("covidfact"),
    "climate-fever": _inline("climate-fever"),
}


def split_folds(
    found: Sequence[Example], held_out: int, folds: int
) -> tuple[list[Example], list[Example]]:
    """Return the examples to learn from, and those of the fold that is held out."""
    held = [example for example in found if example.fold(folds) == held_out]
    return [e for e in found if e.fold(folds) != held_out], held
