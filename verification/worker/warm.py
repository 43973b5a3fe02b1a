"""Models and corpora that a worker keeps in memory from one request to the next.

One process holds one of these (``WARM``); the pool is solo, so nobody shares it. A
system whose ``system.json`` has changed is loaded anew, and so is a corpus of another
version. A model whose file is missing or altered is refused in words, whoever asks.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from corpus.exceptions import DomainError
from corpus.models import Corpus
from corpus.records import Document
from verification.installed_systems import InstalledSystem
from verification.pipeline.retrieval.index import corpus_digest, drop_earlier
from verification.pipeline.stages import ModelFileError, Pipeline
from verification.pipeline.systems import System
from verification.selectors.searched import newest_date, searched_records

logger = logging.getLogger(__name__)

# The corpora that were asked for last stay in memory.
MAX_CORPORA = 3
MAX_SYSTEMS = 3


@dataclass(slots=True)
class WarmCorpus:
    """One version of a corpus, and the pipelines over it by their system's digest."""

    version: int
    documents: Mapping[str, Document]
    newest: str
    digest: str
    indexes: Path
    pipelines: dict[str, Pipeline] = field(default_factory=dict)

    @classmethod
    def load(cls, corpus: Corpus) -> WarmCorpus:
        """Read the abstracts that can hold evidence."""
        documents = {record.id.text: record for record in searched_records(corpus)}
        return cls(
            corpus.version,
            documents,
            newest_date(corpus),
            corpus_digest(documents.values()),
            index_root(corpus),
        )

    def pipeline(self, system: System, digest: str) -> Pipeline:
        """Return a system's pipeline; its indexes are built if need be."""
        if digest not in self.pipelines:
            self.pipelines[digest] = system.pipeline(self.documents, self.indexes)
            # Only now: the new index takes vectors over from the one before.
            drop_earlier(self.indexes, self.digest)
        return self.pipelines[digest]


def index_root(corpus: Corpus) -> Path:
    """Return the folder of a corpus's indexes."""
    return Path(settings.DATA_DIR) / "indexes" / f"corpus-{corpus.pk}"


@dataclass(slots=True)
class Warm:
    """What is loaded, the last used last."""

    systems: OrderedDict[str, tuple[str, System]] = field(default_factory=OrderedDict)
    corpora: OrderedDict[int, WarmCorpus] = field(default_factory=OrderedDict)

    def system(self, installed: InstalledSystem) -> System:
        """Return a system with its models, loaded at most once for each digest."""
        digest, system = self.systems.get(installed.name, ("", None))
        if system is None or digest != installed.digest:
            system = _load(installed)
            self.systems[installed.name] = (installed.digest, system)
        self.systems.move_to_end(installed.name)
        self._drop_systems()
        return system

    def corpus(self, corpus: Corpus) -> WarmCorpus:
        """Return a corpus in the version that its row names."""
        warm = self.corpora.get(corpus.pk)
        if warm is None or warm.version != corpus.version:
            self.corpora.pop(corpus.pk, None)
            warm = self.corpora[corpus.pk] = WarmCorpus.load(corpus)
        self.corpora.move_to_end(corpus.pk)
        while len(self.corpora) > MAX_CORPORA:
            self.corpora.popitem(last=False)
        return warm

    def has(self, corpus: Corpus, installed: InstalledSystem) -> bool:
        """Whether the pipeline of a system over this version of a corpus is loaded."""
        warm = self.corpora.get(corpus.pk)
        if warm is None or warm.version != corpus.version:
            return False
        return installed.digest in warm.pipelines

    def pipeline(self, corpus: Corpus, installed: InstalledSystem) -> Pipeline:
        """Return a system's pipeline over a corpus."""
        system = self.system(installed)
        with refused_in_words(installed):
            return self.corpus(corpus).pipeline(system, installed.digest)

    def _drop_systems(self) -> None:
        """Drop the systems used longest ago, with their pipelines."""
        while len(self.systems) > MAX_SYSTEMS:
            self.systems.popitem(last=False)
        kept = {digest for digest, _ in self.systems.values()}
        for corpus in self.corpora.values():
            for digest in corpus.pipelines.keys() - kept:
                del corpus.pipelines[digest]


def _load(installed: InstalledSystem) -> System:
    with refused_in_words(installed):
        system = System.load(str(installed.folder))
        # Both are loaded when they are first asked for.
        _ = system.selector, system.predictor
        return system


@contextmanager
def refused_in_words(installed: InstalledSystem) -> Iterator[None]:
    """Tell the world without paths what the log tells with them."""
    try:
        yield
    except ModelFileError as error:
        logger.error("the system %s cannot be used: %s", installed.name, error)
        raise DomainError(
            f"The system {installed.name} cannot be used: files of its models are "
            "missing or were altered. Whoever runs this site finds the details in the "
            "log of the worker. Choose another system."
        ) from error


WARM = Warm()
