"""Formats are found by name, without a list to maintain."""

from __future__ import annotations

import pytest

from corpus.formats.registry import all_formats, get_format


def test_every_format_is_found() -> None:
    assert list(all_formats()) == [
        "citances",
        "check-covid",
        "climate-fever",
        "core",
        "covidfact",
        "fever",
        "healthver",
        "scifact",
        "scifact-open",
    ]


def test_a_format_has_at_least_one_reader_and_names_an_extension() -> None:
    for fmt in all_formats().values():
        assert fmt.read_documents or fmt.read_claims or fmt.read_articles
        assert all(extension.startswith(".") for extension in fmt.extensions)
        assert fmt.protocol in ("scifact", "check-covid", "core")


@pytest.mark.parametrize(
    ("name", "writers"),
    [
        ("scifact", "documents claims"),
        ("check-covid", "documents claims"),
        ("core", "claims"),
        ("citances", "articles"),
        ("fever", ""),
        ("scifact-open", ""),
    ],
)
def test_writers(name: str, writers: str) -> None:
    fmt = get_format(name)
    offered = [
        kind
        for kind in ("documents", "claims", "articles")
        if getattr(fmt, f"write_{kind}")
    ]
    assert " ".join(offered) == writers


def test_formats_that_ship_their_abstracts_have_no_corpus_file() -> None:
    shipping = [f.name for f in all_formats().values() if f.ships_documents]
    assert shipping == ["climate-fever", "core", "covidfact", "healthver"]
    assert not any(get_format(name).read_documents for name in shipping)


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'scifct'.*check-covid, .*scifact-open"):
        get_format("scifct")
