"""The oracle: the abstracts that the gold names."""

from __future__ import annotations

from collections.abc import Mapping

from corpus.records import Claim, Document, Label
from verification.pipeline.stages import Retrieved


class OracleRetriever:
    """Returns the cited abstracts of a claim, however many they are.

    Without ``include_nei`` only those with evidence are returned, as the measure of
    rationale selection wants it.
    """

    def __init__(
        self, documents: Mapping[str, Document], *, include_nei: bool = True
    ) -> None:
        self._documents, self._include_nei = documents, include_nei

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return the documents in the order of the file; ``k`` has no effect."""
        judged = [
            evidence.document.text
            for evidence in claim.evidence
            if self._include_nei or evidence.label is not Label.NOT_ENOUGH_INFO
        ]
        cited = [c.text for c in claim.cited or ()] if self._include_nei else []
        names = dict.fromkeys([*cited, *judged])
        return [
            Retrieved(self._documents[name], 1.0)
            for name in names
            if name in self._documents
        ]
