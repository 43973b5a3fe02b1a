"""Reading the abstracts that claims are shown with."""

from __future__ import annotations

from tests.verification.scoring.files import source
from verification.claim_reading import read_abstracts


class TestAbstracts:
    def test_only_the_wanted_are_read(self) -> None:
        corpus = source(
            "corpus",
            [
                {
                    "doc_id": 1,
                    "title": "Moss",
                    "abstract": ["It is green.", "It drinks."],
                },
                {
                    "doc_id": 11,
                    "title": "Rain",
                    "abstract": ["Doc 1 says that it falls."],
                },
            ],
        )
        found = read_abstracts("scifact_pipeline", corpus, {"1"})
        assert list(found) == ["1"]
        assert found["1"].sentences == ("It is green.", "It drinks.")

    def test_a_page_of_fever_is_split_at_its_lines(self) -> None:
        corpus = source(
            "corpus", [{"id": "Moss", "lines": "0\tMoss is green.\tGreen\n1\t"}]
        )
        found = read_abstracts("fever", corpus, {"Moss"})
        assert found["Moss"].sentences == ("Moss is green.", "")
