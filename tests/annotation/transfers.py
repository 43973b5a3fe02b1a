"""Running the import and export commands in the test's own process."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import CommandError, call_command


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did: its exit code, its counts, and its lines of stderr."""

    code: int
    counts: dict[str, Any]
    errors: list[str]
    message: str = ""


def run(command: str, *arguments: str | Path) -> Outcome:
    """Run a command and return what a caller of ``manage.py`` would see."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(command, *map(str, arguments), stdout=out, stderr=err)
    except CommandError as error:
        lines = err.getvalue().splitlines()
        return Outcome(error.returncode, {}, lines, str(error))
    last = out.getvalue().splitlines()[-1]
    return Outcome(0, json.loads(last), err.getvalue().splitlines())


def import_corpus(file: Path, fmt: str = "scifact", corpus: str = "Library") -> Outcome:
    """Import abstracts."""
    return run("import_corpus", "--format", fmt, "--corpus", corpus, file)


def import_claims(file: Path, *more: str, fmt: str = "scifact") -> Outcome:
    """Import claims into the project ``Claims`` on the corpus ``Library``."""
    names = ("--corpus", "Library", "--project", "Claims", "--create")
    return run("import_claims", "--format", fmt, *names, *more, file)


def export_corpus(file: Path, fmt: str = "scifact", corpus: str = "Library") -> Outcome:
    """Export abstracts."""
    arguments = ("--format", fmt, "--corpus", corpus, "--output", file)
    return run("export_corpus", *arguments)


def export_claims(file: Path, *more: str, fmt: str = "scifact") -> Outcome:
    """Export the claims of the project ``Claims``."""
    names = ("--format", fmt, "--project", "Claims")
    return run("export_claims", *names, "--output", file, *more)


def row_counts() -> dict[str, int]:
    """Return how many rows each table of ours has."""
    models = [
        model
        for label in ("corpus", "annotation")
        for model in apps.get_app_config(label).get_models()
    ]
    return {model.__name__: model._default_manager.count() for model in models}


def write_lines(path: Path, *lines: object) -> Path:
    """Write values as JSON Lines and return the path."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def document(number: int | str, *sentences: str, **more: Any) -> dict[str, Any]:
    """Return one line of a SciFact corpus."""
    return {
        "doc_id": number,
        "title": f"Invented trial {number}",
        "abstract": list(sentences) or ["Bees like clover.", "They avoid tar."],
        "structured": False,
        **more,
    }


def claim(
    number: int | str,
    text: str,
    evidence: dict[str, Any] | None = None,
    cited: list[Any] | None = None,
) -> dict[str, Any]:
    """Return one line of a SciFact claims file."""
    return {
        "id": number,
        "claim": text,
        "evidence": evidence or {},
        "cited_doc_ids": cited if cited is not None else [],
    }


def entry(*sentences: int, label: str = "SUPPORT") -> dict[str, Any]:
    """Return one rationale of a SciFact claim."""
    return {"sentences": list(sentences), "label": label}
