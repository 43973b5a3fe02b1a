"""Environment variables are read strictly: nonsense stops the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("true", True), ("TRUE", True), ("1", True), ("false", False), ("0", False)],
)
def test_a_switch_is_on_or_off(
    monkeypatch: pytest.MonkeyPatch, raw: str, expected: bool
) -> None:
    monkeypatch.setenv("SWITCH", raw)
    assert env.env_bool("SWITCH", not expected) is expected


@pytest.mark.parametrize("raw", ["", "  "])
def test_an_empty_variable_means_the_default(
    monkeypatch: pytest.MonkeyPatch, raw: str
) -> None:
    monkeypatch.setenv("EMPTY", raw)
    assert env.env_bool("EMPTY", True) is True
    assert env.env_int("EMPTY", 7) == 7
    assert env.env_list("EMPTY") == []


@pytest.mark.parametrize("raw", ["yes", "on", "2", "treu"])
def test_a_switch_takes_nothing_else(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("SWITCH", raw)
    with pytest.raises(ImproperlyConfigured, match="SWITCH must be true or false"):
        env.env_bool("SWITCH", False)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("many", "whole number"),
        ("1.5", "whole number"),
        ("0", "at least 1"),
        ("-3", "at least 1"),
        ("11", "at most 10"),
    ],
)
def test_a_number_outside_its_bounds_is_refused(
    monkeypatch: pytest.MonkeyPatch, raw: str, message: str
) -> None:
    monkeypatch.setenv("COUNT", raw)
    with pytest.raises(ImproperlyConfigured, match=f"COUNT must be .*{message}"):
        env.env_int("COUNT", 5, minimum=1, maximum=10)


def test_a_word_must_be_one_of_the_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORD", "xml")
    with pytest.raises(ImproperlyConfigured, match="one of console, json, not 'xml'"):
        env.env_choice("WORD", "json", {"console", "json"})


def test_a_list_leaves_blanks_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTS", " a.org, ,b.org,")
    assert env.env_list("HOSTS") == ["a.org", "b.org"]


def test_a_secret_can_come_from_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "key").write_text("s3cret\n", encoding="utf-8")
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "key"))
    assert env.env_str("KEY") == "s3cret"


def test_a_missing_secret_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_FILE", "/nowhere/key")
    with pytest.raises(ImproperlyConfigured, match="KEY_FILE cannot be read: /nowhere"):
        env.env_str("KEY")


def test_the_environment_wins_over_the_env_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text(
        "# comment\nFIRST=from-file\nSECOND='two words'\n", encoding="utf-8"
    )
    monkeypatch.setenv("CLAIMDESK_ENV_FILE", str(tmp_path / ".env"))
    monkeypatch.setenv("FIRST", "from-environment")
    # Set and taken away again, so that monkeypatch removes what the file brings.
    monkeypatch.setenv("SECOND", "")
    monkeypatch.delenv("SECOND")
    env.read_env_file()
    assert env.env_str("FIRST") == "from-environment"
    assert env.env_str("SECOND") == "two words"
