"""``manage.py export_claims``: the claims of a project as a file."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.transfer import (
    TransferCommand,
    format_named,
    formats_with,
    output_path,
    project_named,
    refuse,
    refused_exports,
)
from annotation.services.exports import (
    DEFAULT_STATES,
    ClaimSelection,
    export_claims,
    unknown_states,
)
from corpus.formats.base import WriteOptions
from corpus.records import Label


class Command(TransferCommand):
    """Writes a claims file and its manifest."""

    help = "Export the claims of a project with what stands for their pairs."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        known = formats_with("write_claims")
        parser.add_argument("--format", required=True, help=known)
        parser.add_argument("--project", required=True, help="the name of the project")
        parser.add_argument(
            "--states",
            default=",".join(DEFAULT_STATES),
            help="states of claims, parted by commas (default: approved,imported)",
        )
        parser.add_argument("--split", default="", help="only claims of this split")
        parser.add_argument(
            "--repair",
            action="store_true",
            help="mend gold that the format's evaluator cannot score, and say so",
        )
        parser.add_argument(
            "--label-map",
            action="append",
            default=[],
            metavar="FROM=TO",
            help="write a label that the format lacks as another one; repeatable",
        )
        parser.add_argument("--output", required=True, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        fmt = format_named(options["format"])
        selection = _selection(options)
        write_options = WriteOptions(
            label_map=_label_map(options["label_map"]), repair=options["repair"]
        )
        output = output_path(options["output"])
        with refused_exports(self, options["output"]):
            report = export_claims(
                selection=selection,
                fmt=fmt,
                options=write_options,
                output=output,
                progress=self.progress,
            )
        self.finish(report.totals())


def _selection(options: dict[str, Any]) -> ClaimSelection:
    project = project_named(options["project"])
    states = tuple(state.strip() for state in options["states"].split(","))
    unknown = unknown_states(states)
    if unknown:
        raise refuse(f"Unknown states of claims: {', '.join(unknown)}.")
    split = options["split"]
    if split and not project.splits.filter(name=split).exists():
        raise refuse(f"The project has no split “{split}”.")
    return ClaimSelection(project, states, split)


def _label_map(entries: list[str]) -> dict[Label, Label]:
    found = {}
    for entry in entries:
        source, _, target = entry.partition("=")
        try:
            found[Label(source.strip())] = Label(target.strip())
        except ValueError:
            known = ", ".join(label.value for label in Label)
            raise refuse(
                f"--label-map {entry}: write FROM=TO with two of {known}."
            ) from None
    return found
