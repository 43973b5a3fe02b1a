"""Which systems can be chosen here."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from pytest_django import Settings

from corpus.exceptions import DomainError
from tests.verification.pipeline.worlds import system_folder
from tests.verification.systems import install_system
from verification import installed_systems as module
from verification.installed_systems import installed_system, installed_systems

WEIGHTS = {"kind": "transformer", "model": "r.safetensors", "sha256": "0" * 64}


@pytest.fixture(autouse=True)
def starter(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A starter whose weights have not come yet, and no other system."""
    settings.DATA_DIR = tmp_path / "data"
    folder = system_folder(tmp_path / "starter", name="starter", rationale=WEIGHTS)
    monkeypatch.setattr(module, "STARTER", folder)
    return folder


def names() -> list[str]:
    return [system.name for system in installed_systems()]


def test_the_starter_is_first_once_its_weights_are_there(starter: Path) -> None:
    assert names() == []
    install_system("beech")
    install_system("alder")
    assert names() == ["alder", "beech"]
    (starter / "r.safetensors").write_bytes(b"weights")
    assert names() == ["starter", "alder", "beech"]


def test_a_system_is_known_by_its_folder_and_a_checksum_of_its_file() -> None:
    folder = install_system("alder", title="Alder, second try")
    found = installed_system("alder")
    data = (folder / "system.json").read_bytes()
    assert (found.title, found.digest) == (
        "Alder, second try",
        sha256(data).hexdigest(),
    )
    install_system("alder", settings={"k": 5})
    assert installed_system("alder").title == "plain"
    assert installed_system("alder").digest != found.digest


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "x"}', '{"label": 1}'])
def test_a_broken_file_hides_its_system_and_no_other(text: str) -> None:
    (install_system("broken") / "system.json").write_text(text)
    install_system("whole")
    install_system(".on-its-way-in")
    assert names() == ["whole"]


def test_a_system_that_is_not_here_is_named() -> None:
    with pytest.raises(DomainError, match="no system alder here"):
        installed_system("alder")
