"""Training on a tiny encoder: it learns, survives a kill, and keeps folds apart."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from corpus.records import Label
from scripts.train_starter import RECIPE
from tests.paths import shared_file
from tests.verification.pipeline.worlds import (
    CLAIM_LINES,
    corpus_file,
    tiny_encoder,
    written,
)
from verification.pipeline import training
from verification.pipeline.__main__ import main
from verification.pipeline.curves import learning_curve
from verification.pipeline.encoders.base import Runtime
from verification.pipeline.training import Plan, Trainer
from verification.pipeline.training_data import (
    Example,
    Source,
    examples,
    split_folds,
    statement,
    untokenised,
)

GOOD, BAD = "Tea shortened their sleep.", "Smoke calmed the bees."
EXAMPLES = [
    Example(str(n), "Tea sleep", text, target)
    for n in range(24)
    for text, target in ((GOOD, "1"), (BAD, "0"))
]
PLAN = Plan("rationale", (3,), rank=4, rate=5e-3, batch=4, folds=3, save_every=3)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder")


def varied() -> list[Example]:
    """Texts that differ, so that the held-out ones are not those learned from."""
    return [
        Example(e.group, f"{e.claim} {'tea ' * int(e.group)}", e.text, e.target)
        for e in EXAMPLES
    ]


def trained(base: Path, out: Path) -> tuple[bytes, dict[str, object]]:
    trainer = Trainer(PLAN, [varied()], out, Runtime(), base)
    path = trainer.run()
    metrics = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    return path.read_bytes(), metrics["progress"]


def test_it_learns_to_tell_sentences_apart(base: Path, tmp_path: Path) -> None:
    _, progress = trained(base, tmp_path / "run")
    assert progress["best"] == 1.0
    assert not (tmp_path / "run" / "checkpoint.pt").exists()


def test_a_killed_run_ends_with_the_same_weights(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = trained(base, tmp_path / "whole")
    steps = 0
    real = Trainer._step

    def dies(self: Trainer, rows: object, weights: object) -> float:
        nonlocal steps
        steps += 1
        if steps == 14:
            raise KeyboardInterrupt
        return real(self, rows, weights)  # type: ignore[arg-type]

    monkeypatch.setattr(Trainer, "_step", dies)
    with pytest.raises(KeyboardInterrupt):
        trained(base, tmp_path / "killed")
    assert trained(base, tmp_path / "killed")[0] == whole


def test_a_checkpoint_of_other_settings_is_refused(base: Path, tmp_path: Path) -> None:
    trainer = Trainer(PLAN, [varied()], tmp_path, Runtime(), base)
    trainer._save()
    other = Plan("rationale", (1,), rank=4)
    with pytest.raises(ValueError, match="other settings"):
        Trainer(other, [varied()], tmp_path, Runtime(), base).run()


def test_nothing_held_out_is_learned_from(base: Path, tmp_path: Path) -> None:
    # The earlier stage holds every example: those of the held-out fold are dropped.
    plan = Plan("rationale", (1, 1), rank=4, folds=3)
    trainer = Trainer(plan, [varied(), varied()], tmp_path, Runtime(), base)
    held = {(e.claim, e.text) for e in trainer.held}
    assert held
    for stage in trainer.stages:
        assert not held & {(e.claim, e.text) for e in stage}


def test_folds_keep_groups_together_and_are_the_same_everywhere() -> None:
    kept, held = split_folds(EXAMPLES, 1, 4)
    assert not {e.group for e in kept} & {e.group for e in held}
    assert len(kept) + len(held) == len(EXAMPLES)
    assert [Example(g, "", "", "").fold(5) for g in ("31", "x", "é")] == [3, 1, 3]


def test_negatives_are_drawn_anew_each_epoch(base: Path, tmp_path: Path) -> None:
    many = [
        *varied(),
        *(Example(f"n{n}", f"{'tea ' * n}", BAD, "0") for n in range(99)),
    ]
    trainer = Trainer(PLAN, [many], tmp_path, Runtime(), base)
    data = trainer._encoded(trainer.stages[0])
    positives = sum(target for _, target in data)
    drawn = []
    for epoch in (0, 1, 0):
        trainer.progress.epoch = epoch
        batches = list(trainer._batches(data))
        drawn.append(sorted(n for batch in batches for n in batch))
    assert len(drawn[0]) == min(len(data), positives * 4)
    assert drawn[0] == drawn[2]


def test_the_command_leaves_weights_figures_curve_and_card(
    base: Path, tmp_path: Path
) -> None:
    data = tmp_path / "scifact"
    data.mkdir()
    corpus_file(data)
    written(data / "claims_train.jsonl", CLAIM_LINES)
    out = tmp_path / "run"
    paths = ["--data", f"scifact:{data}", "--base", str(base), "--out", str(out)]
    settings = ["--epochs", "1", "--precision", "fp32", "--rank", "2"]
    code = main(["train", "label", *paths, *settings])
    assert code == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "README.md",
        "adapter.safetensors",
        "curve.svg",
        "metrics.json",
    ]
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "SciFact (train), CC BY 4.0" in card
    metrics = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["sha256"] in card
    assert metrics["plan"]["seed"] == 0


def test_wrong_sources_are_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path)]
    assert main(["train", "label", "--data", "nothing:/x", *out]) == 2
    assert "expected kind:path" in capsys.readouterr().err
    assert main(["train", "label", "--data", f"snli:{tmp_path}/none", *out]) == 2
    assert "there is no" in capsys.readouterr().err


def test_scifact_claims_become_examples(tmp_path: Path) -> None:
    corpus_file(tmp_path)
    written(tmp_path / "claims_train.jsonl", CLAIM_LINES)
    source = Source.parse(f"scifact:{tmp_path}")
    found = {(e.group, e.text, e.target) for e in examples(source, "rationale", 0)}
    assert ("1", "Tea shortened their sleep.", "1") in found
    assert ("1", "Tea was given to adults.", "0") in found
    assert ("3", "Smoke calmed the bees.", "0") in found  # cited, without evidence
    labels = {(e.group, e.target) for e in examples(source, "label", 0)}
    assert ("2", str(Label.CONTRADICT)) in labels
    assert ("4", str(Label.NOT_ENOUGH_INFO)) in labels
    limited = Source.parse(f"scifact:{tmp_path}:2")
    assert len(examples(limited, "label", 0)) == 2


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("healthver", "healthver/healthver_dev.csv"),
        ("covidfact", "covidfact/COVIDFACT_dataset.jsonl"),
        ("climate-fever", "climate-fever/climate-fever.jsonl"),
    ],
)
def test_claims_that_bring_their_evidence_become_examples(kind: str, path: str) -> None:
    source = Source.parse(f"{kind}:{shared_file('data/other')}/{path}")
    found = examples(source, "label", 0)
    assert {e.target for e in found} <= set(training.TARGETS["label"])
    assert all(e.claim and e.text for e in found)
    assert len(found) > 1000
    with pytest.raises(ValueError, match="no abstracts"):
        examples(source, "rationale", 0)


def test_prompts_with_evidence_in_their_abstract_become_sentences(
    tmp_path: Path,
) -> None:
    prompt = {
        "pmcid": "7",
        "label": "significantly increased",
        "intervention": "Warm milk",
        "outcome": "hours of sleep",
        "comparator": "water",
        "evidence": ["drank warm milk slept 40 minutes longer", "Table 2: 40 (P=0.01)"],
        "evidence_in_abstract": [True, False],
    }
    outside = prompt | {"pmcid": "8", "evidence_in_abstract": [False, False]}
    abstract = (
        "TITLE:\nMilk at night\n\nWe asked 80 nurses to keep a diary. "
        "Those who drank warm milk slept 40 minutes longer. Nobody fell ill."
    )
    texts = [{"pmcid": name, "abstract": abstract} for name in ("7", "8")]
    for name, rows in (("prompts", [prompt, outside]), ("abstracts", texts)):
        with gzip.open(tmp_path / f"{name}_v2.jsonl.gz", "wt", encoding="utf-8") as f:
            f.writelines(json.dumps(row) + "\n" for row in rows)
    source = Source("evidence-inference", tmp_path)
    found = examples(source, "rationale", 0)
    assert {e.group for e in found} == {"7"}
    assert [e.text for e in found if e.target == "1"] == [
        "Those who drank warm milk slept 40 minutes longer."
    ]
    assert "Nobody fell ill." in {e.text for e in found if e.target == "0"}
    assert all("hours of sleep compared with water" in e.claim for e in found)


def test_shipped_weights_learn_from_sets_that_allow_it() -> None:
    used = {kind for stages in RECIPE.values() for _, names in stages for kind in names}
    assert not used & {"healthver", "covidfact", "climate-fever"}
    for stages in RECIPE.values():
        for _, names in stages:
            assert not any(
                "nc-" in path or "unclear-" in path for path in names.values()
            )


def test_tokenised_texts_are_written_out() -> None:
    assert untokenised("It 's `` big '' -LRB- so -RRB- .") == 'It\'s " big " (so).'
    assert statement("Is salt bad?") == "Salt bad."


def test_the_curve_names_both_lines() -> None:
    history = [{"loss": 1.2, "held_out": 0.4}, {"loss": 0.8, "held_out": 0.5}]
    svg = learning_curve(history, "A <title>")
    assert svg.count("<polyline") == 2
    assert "A &lt;title&gt;" in svg
    assert "training loss" in learning_curve(history[:1], "")


def test_targets_and_labels_agree() -> None:
    assert training.TARGETS["label"] == ("CONTRADICT", "NOT_ENOUGH_INFO", "SUPPORT")
    assert np.array(training.TARGETS["rationale"]).tolist() == ["0", "1"]
