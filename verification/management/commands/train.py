"""``manage.py train``: a system that has learned from a project's approved claims."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.transfer import TransferCommand, project_named, refuse
from annotation.models import Project
from corpus.exceptions import DomainError
from verification.installed_systems import (
    InstalledSystem,
    installed_system,
    systems_folder,
)
from verification.pipeline.encoders.base import Runtime
from verification.pipeline.further import Compared, Wanted, train_further
from verification.pipeline.stages import ModelFileError
from verification.services.approved_work import ApprovedWork, approved_work

FIGURES = {"label": "macro F1 of labels", "rationale": "F1 of sentences"}
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class Command(TransferCommand):
    """Trains one part of a system further and compares it with the current one."""

    help = "Train a part of a system further on the approved claims of a project."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("task", choices=sorted(FIGURES))
        parser.add_argument("--project", required=True, help="the name of the project")
        parser.add_argument(
            "--name", required=True, help="of the new system: a-z, 0-9 and hyphens"
        )
        parser.add_argument(
            "--base", default="starter", help="the installed system to go on from"
        )
        parser.add_argument(
            "--from-scratch",
            action="store_true",
            help="train the part anew on MiniLM-L6; the other part stays the base's",
        )
        parser.add_argument("--epochs", type=int, default=4)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
        parser.add_argument(
            "--precision", choices=("auto", "fp32", "bf16"), default="auto"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, install and compare."""
        try:
            folder = _new_folder(options["name"])
            project = project_named(options["project"])
            base = installed_system(options["base"])
            work = approved_work(project)
            compared = train_further(
                _wanted(options, project, base),
                work.examples(options["task"], options["seed"]),
                folder,
            )
        except (DomainError, ModelFileError, ValueError) as error:
            raise refuse(str(error)) from error
        self.stdout.write(_table(options["task"], base.name, folder.name, compared))
        self.finish(_counts(folder, work, compared))


def _new_folder(name: str) -> Path:
    if not NAME.fullmatch(name):
        raise refuse(f"--name {name}: use a-z, 0-9 and hyphens, 60 characters at most.")
    folder = systems_folder() / name
    if folder.exists() or name == "starter":
        raise refuse(f"There is a system {name} already. Choose another name.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


def _wanted(options: dict[str, Any], project: Project, base: InstalledSystem) -> Wanted:
    if options["epochs"] < 1:
        raise refuse("--epochs: 1 or more.")
    return Wanted(
        task=options["task"],
        name=options["name"],
        base=base.folder,
        values=json.loads((base.folder / "system.json").read_bytes()),
        source=f"approved claims of the project {project.name}",
        from_scratch=options["from_scratch"],
        epochs=options["epochs"],
        seed=options["seed"],
        runtime=Runtime.choose(options["device"], options["precision"]),
    )


def _table(task: str, base: str, new: str, compared: Compared) -> str:
    """Return both systems on the held-out fold."""
    current = "–" if compared.current is None else f"{compared.current:.3f}"
    n = compared.n_held_out
    return "\n".join(
        [
            f"| system | {FIGURES[task]}, held out | n |",
            "| --- | ---: | ---: |",
            f"| {base}, current | {current} | {n} |",
            f"| {new}, new | {compared.new:.3f} | {n} |",
        ]
    )


def _counts(folder: Path, work: ApprovedWork, compared: Compared) -> dict[str, Any]:
    return {
        "system": folder.name,
        "folder": str(folder),
        "claims": len(work.claims),
        "left_out_as_hidden_gold": work.n_hidden,
        "examples": compared.n_examples,
        "held_out": compared.n_held_out,
        "current": compared.current,
        "new": compared.new,
    }
