"""Models, with tiny random weights: batches, files, refusals, labels."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    PreTrainedTokenizerFast,
)

from tests.verification.pipeline.worlds import TEXTS, tiny_config, tiny_encoder
from verification.pipeline.encoders import base as encoder_files
from verification.pipeline.encoders import models
from verification.pipeline.encoders.adapted import (
    AdapterInfo,
    PairModel,
    adapter_bytes,
    read_adapter,
)
from verification.pipeline.encoders.base import (
    BASE_FINGERPRINT,
    Batcher,
    Runtime,
    by_length,
    fingerprint,
    load_encoder,
)
from verification.pipeline.encoders.models import (
    TorchClassifier,
    load_adapted,
    load_sequence_classifier,
)
from verification.pipeline.encoders.vectors import Embedder
from verification.pipeline.stages import ModelFileError

PAIRS = [
    ("Tea shortens sleep", sentence)
    for _, sentences in TEXTS.values()
    for sentence in sentences
]
LABELS = ("0", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder")


def pair_model(folder: Path) -> PairModel:
    torch.manual_seed(1)
    model = PairModel(load_encoder(folder), len(LABELS))
    model.adapt(rank=4)
    for name, parameter in model.named_parameters():
        if name.endswith(".up"):
            torch.nn.init.normal_(parameter, std=0.1)
    return model


def classifier(folder: Path, batch_tokens: int = 8192) -> TorchClassifier:
    batcher = Batcher.of_folder(folder, 32)
    model = pair_model(folder)
    return TorchClassifier(model, batcher, LABELS, batch_tokens=batch_tokens)


def test_batches_are_of_similar_length_and_bounded() -> None:
    lengths = [3, 9, 4, 9, 1]
    assert list(by_length(lengths, 18)) == [[1, 3], [2, 0, 4]]
    assert list(by_length([50], 8)) == [[0]]  # one text is never split
    assert list(by_length([], 8)) == []


def test_results_do_not_depend_on_batches_order_or_repeats(folder: Path) -> None:
    whole = classifier(folder).logits(PAIRS)
    single = classifier(folder, batch_tokens=1).logits(PAIRS)
    assert np.abs(whole - single).max() < 1e-5
    again = classifier(folder).logits([*PAIRS[::-1], PAIRS[0]])
    assert np.abs(again[:-1][::-1] - whole).max() < 1e-5
    assert np.array_equal(again[-1], again[-2])
    assert classifier(folder).logits([]).shape == (0, 2)


def test_known_pairs_are_not_encoded_again(folder: Path) -> None:
    model = classifier(folder)
    first = model.logits(PAIRS)
    model.module = torch.nn.Module()  # would fail if it were called
    assert np.array_equal(model.logits(PAIRS), first)


def test_a_full_gpu_halves_the_batch(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = classifier(folder).logits(PAIRS)
    model = classifier(folder)
    sizes: list[int] = []
    real = TorchClassifier._forward

    def small(self: TorchClassifier, rows: list[encoder_files.Encoded]) -> object:
        sizes.append(len(rows))
        if len(rows) > 2:
            raise torch.OutOfMemoryError
        return real(self, rows)

    monkeypatch.setattr(TorchClassifier, "_forward", small)
    assert np.abs(model.logits(PAIRS) - expected).max() < 1e-5
    assert sizes[0] == len(PAIRS)


def adapter(folder: Path, path: Path, base: str = BASE_FINGERPRINT) -> str:
    data = adapter_bytes(pair_model(folder), AdapterInfo(LABELS, base, 32, 4))
    path.write_bytes(data)
    return sha256(data).hexdigest()


def test_an_adapter_is_the_model_it_was_made_of(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "checked_base", lambda: folder)
    digest = adapter(folder, tmp_path / "a.safetensors")
    loaded = load_adapted(tmp_path / "a.safetensors", digest, Runtime())
    assert loaded.labels == LABELS
    difference = loaded.logits(PAIRS) - classifier(folder).logits(PAIRS)
    assert np.abs(difference).max() < 2e-3  # the file has 16 bits a number


def test_altered_missing_and_foreign_files_are_refused(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.safetensors"
    digest = adapter(folder, path)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match="altered or cut off"):
        load_adapted(path, digest, Runtime())
    with pytest.raises(ModelFileError, match="is missing"):
        load_adapted(tmp_path / "none", digest, Runtime())
    digest = adapter(folder, path, base="0" * 64)
    with pytest.raises(ModelFileError, match="another base"):
        load_adapted(path, digest, Runtime())
    path.write_bytes(b"no tensors")
    with pytest.raises(ModelFileError, match="no adapter"):
        read_adapter(path)


def test_vectors_have_length_one_and_keep_the_order(folder: Path) -> None:
    embedder = Embedder(load_encoder(folder), Batcher.of_folder(folder, 32))
    texts = [text for _, text in PAIRS]
    rows = embedder.vectors(texts)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)
    assert np.abs(embedder.vectors(texts[::-1])[::-1] - rows).max() < 1e-5
    assert embedder.vectors([]).shape == (0, 24)


def test_any_sequence_classifier_can_be_used(tmp_path: Path) -> None:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "sleep"]
    numbers = {word: n for n, word in enumerate(words)}
    inner = Tokenizer(WordLevel(numbers, unk_token="[UNK]"))
    inner.pre_tokenizer = Whitespace()
    tokenizer = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=inner, pad_token="[PAD]"
    )
    tokenizer.save_pretrained(tmp_path)
    names = {0: "entailment", 1: "neutral", 2: "contradiction"}
    torch.manual_seed(0)
    config = tiny_config(BertConfig, len(words), id2label=names)
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    model = load_sequence_classifier(str(tmp_path), Runtime())
    assert model.labels == ("entailment", "neutral", "contradiction")
    rows = model.logits([("tea", "sleep"), ("sleep", "tea")])
    assert rows.shape == (2, 3)
    assert not np.allclose(rows[0], rows[1])


def test_the_device_is_chosen_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert Runtime.choose().device == "cpu"
    with pytest.raises(ValueError, match="no CUDA device"):
        Runtime.choose("cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert Runtime.choose() == Runtime("cuda", "bf16")
    assert Runtime.choose("cpu", "fp32") == Runtime("cpu", "fp32")


def test_the_packaged_weights_are_the_ones_we_know() -> None:
    folder = encoder_files.checked_base()
    assert (folder / "tokenizer.json").is_file()
    encoder = load_encoder(folder)
    assert fingerprint(encoder) == BASE_FINGERPRINT
    assert fingerprint(encoder.half()) == BASE_FINGERPRINT
