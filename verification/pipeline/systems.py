"""Systems: a folder with ``system.json`` says which models and settings to use.

``starter`` is the system of the repository. Models are loaded when a pipeline is
made, and torch only if one of them needs it::

    {"name": "starter",
     "retrieval": {"parts": ["bm25", "dense"], "rerank": 10},
     "rationale": {"kind": "transformer", "model": "rationale.safetensors",
                   "sha256": "...", "combination": {"weights": [...], "bias": 0.1}},
     "label": {"kind": "transformer", "model": "label.safetensors", "sha256": "...",
               "temperature": 1.2, "abstain_below": 0.8},
     "settings": {"k": 3, "threshold": 0.5, "at_least_one": false}}

A model without ``sha256`` is any Hugging Face sequence classifier, by id or folder;
``selected`` (rationale) or ``label_map`` (label) then say what its labels mean.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.records import Document, Label
from verification.pipeline.label import (
    OWN_LABELS,
    MajorityPredictor,
    OraclePredictor,
    TransformerPredictor,
)
from verification.pipeline.rationale import (
    Combination,
    DenseSelector,
    OracleSelector,
    PairLogits,
    PlaceSelector,
    TfidfSelector,
    TransformerSelector,
)
from verification.pipeline.retrieval.empty import EmptyRetriever, has_words
from verification.pipeline.retrieval.oracle import OracleRetriever
from verification.pipeline.stages import (
    LabelPredictor,
    ModelFileError,
    Pipeline,
    RationaleSelector,
    Retriever,
    Setting,
    Settings,
)

if TYPE_CHECKING:
    from verification.pipeline.encoders.base import Runtime
    from verification.pipeline.encoders.vectors import Embedder

STARTER = Path(__file__).parent.parent / "starter"
Values = Mapping[str, Any]


@dataclass(slots=True)
class System:
    """A system as its file describes it; the models are loaded once and kept."""

    name: str
    folder: Path
    values: Values
    device: str = "auto"
    precision: str = "auto"
    _selector: RationaleSelector | None = None
    _predictor: LabelPredictor | None = None
    _embedder: Embedder | None = None
    _runtime: Runtime | None = None
    _models: list[PairLogits] = field(default_factory=list)

    @classmethod
    def load(
        cls, name: str, *, device: str = "auto", precision: str = "auto"
    ) -> System:
        """Return the system of a folder, or ``starter``."""
        folder = STARTER if name == "starter" else Path(name)
        path = folder / "system.json"
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            found = str(values["name"])
        except OSError as error:
            raise ModelFileError(
                f"{path}: {error.strerror}. A system is a folder with system.json; "
                "docs/models.md says what stands in it."
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise ModelFileError(f"{path} does not describe a system.") from error
        return cls(found, folder, values, device, precision)

    @property
    def settings(self) -> Settings:
        """The settings that the system was tuned with."""
        return Settings(**self.values.get("settings", {}))

    @property
    def abstain_below(self) -> float:
        """Labels with less confidence are not shown."""
        return float(self._part("label").get("abstain_below", 0.0))

    @property
    def runtime(self) -> Runtime:
        """Where the models run."""
        if self._runtime is None:
            from verification.pipeline.encoders.base import Runtime

            self._runtime = Runtime.choose(self.device, self.precision)
        return self._runtime

    def pipeline(
        self,
        documents: Mapping[str, Document],
        indexes: Path,
        *,
        setting: Setting = Setting.OPEN,
    ) -> Pipeline:
        """Return the system's pipeline over a corpus.

        ``documents`` is the corpus by id; ``indexes`` is where its indexes lie.
        """
        selector: RationaleSelector = OracleSelector()
        if setting is not Setting.ORACLE_RATIONALE:
            selector = self.selector
        retriever: Retriever = OracleRetriever(documents)
        if setting is Setting.OPEN:
            retriever = self.retriever(list(documents.values()), indexes)
        return Pipeline(
            retriever,
            selector,
            self.predictor,
            replace(self.settings, setting=setting),
        )

    def retriever(self, documents: Sequence[Document], indexes: Path) -> Retriever:
        """Return the system's retriever; its indexes are built if need be.

        A corpus without a word has none, and nothing is found in it.
        """
        if not any(has_words(document) for document in documents):
            return EmptyRetriever()
        from verification.pipeline.retrieval.hybrid import (
            HybridRetriever,
            RerankedRetriever,
        )

        values = self._part("retrieval")
        parts = [self._ranking(name, documents, indexes) for name in values["parts"]]
        found = parts[0] if len(parts) == 1 else HybridRetriever(parts)
        if values.get("rerank"):
            return RerankedRetriever(found, self.selector, int(values["rerank"]))
        return found

    def _ranking(
        self, name: str, documents: Sequence[Document], indexes: Path
    ) -> Retriever:
        from verification.pipeline.retrieval.bm25 import Bm25Retriever
        from verification.pipeline.retrieval.dense import DenseRetriever
        from verification.pipeline.retrieval.tfidf import TfidfRetriever

        if name == "tfidf":
            return TfidfRetriever(documents, indexes)
        if name == "bm25":
            return Bm25Retriever(documents, indexes)
        if name == "dense":
            return DenseRetriever(documents, indexes, self.embedder)
        raise ModelFileError(f"{self.folder}: there is no retriever {name}.")

    @property
    def embedder(self) -> Embedder:
        """The encoder of dense vectors."""
        if self._embedder is None:
            from verification.pipeline.encoders.vectors import Embedder

            self._embedder = Embedder.load(self.runtime)
        return self._embedder

    @property
    def selector(self) -> RationaleSelector:
        """The rationale selector."""
        if self._selector is None:
            self._selector = self._make_selector(self._part("rationale"))
        return self._selector

    def _make_selector(self, values: Values) -> RationaleSelector:
        kind = values.get("kind")
        if kind == "transformer":
            combination = values.get("combination")
            return TransformerSelector(
                self._model(values),
                str(values.get("selected", "1")),
                Combination(tuple(combination["weights"]), combination["bias"])
                if combination
                else Combination(),
            )
        if kind == "dense":
            return DenseSelector(self.embedder)
        plain: dict[Any, RationaleSelector] = {
            "tfidf": TfidfSelector(),
            "first": PlaceSelector(0),
            "last": PlaceSelector(-1),
            "oracle": OracleSelector(),
        }
        if kind not in plain:
            raise ModelFileError(
                f"{self.folder}: there is no rationale selector {kind}."
            )
        return plain[kind]

    @property
    def predictor(self) -> LabelPredictor:
        """The label predictor."""
        if self._predictor is None:
            self._predictor = self._make_predictor(self._part("label"))
        return self._predictor

    def _make_predictor(self, values: Values) -> LabelPredictor:
        kind = values.get("kind")
        if kind == "transformer":
            words = values.get("label_map")
            return TransformerPredictor(
                self._model(values),
                {w: Label(label) for w, label in words.items()}
                if words
                else OWN_LABELS,
                float(values.get("temperature", 1.0)),
                bool(values.get("text_first", False)),
            )
        if kind == "majority":
            return MajorityPredictor(Label(values.get("label", "SUPPORT")))
        if kind == "oracle":
            return OraclePredictor()
        raise ModelFileError(f"{self.folder}: there is no label predictor {kind}.")

    def _model(self, values: Values) -> PairLogits:
        from verification.pipeline.encoders import models

        name = str(values["model"])
        local = self.folder / name
        model: PairLogits
        if "sha256" in values:
            model = models.load_adapted(local, str(values["sha256"]), self.runtime)
        else:
            name = str(local) if local.is_dir() else name
            model = models.load_sequence_classifier(name, self.runtime)
        self._models.append(model)
        return model

    def forget(self) -> None:
        """Let the next claim's result depend on that claim alone, to the last bit."""
        for model in self._models:
            model.forget()

    def _part(self, name: str) -> Values:
        part = self.values.get(name)
        if not isinstance(part, dict):
            raise ModelFileError(f"{self.folder}: system.json has no part {name}.")
        return part
