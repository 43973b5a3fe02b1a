"""The command: ``python -m verification.scoring score`` and ``validate``.

Exit 0: scored, or no error. Exit 2: errors in the files, or in the arguments.
Exit 1 is a fault of our own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from verification.scoring.reading import Source
from verification.scoring.registry import TASK_NAMES, get_task
from verification.scoring.service import Bootstrap, Outcome, as_json, score, validate
from verification.scoring.signature import VERSION
from verification.scoring.table import as_text
from verification.scoring.tasks import LEADERBOARD, PROFILES, Request

EXIT_INVALID = 2

_WITHOUT_GOLD = ("agreement", "core_majority_vote")
_MERGE = "scifact_merge"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "score":
        _check_score(parser, options)
    else:
        _check_validate(parser, options)
    try:
        outcome = _outcome(options)
    except OSError as error:  # a file that cannot be read or written
        parser.error(str(error))
    _print(outcome, as_one_object=options.json)
    return EXIT_INVALID if outcome.errors else 0


def run() -> None:
    """Run the command and leave; the entry of the single file."""
    sys.exit(main())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="verification.scoring",
        description="Score predictions as the published evaluators do.",
    )
    parser.add_argument("--version", action="version", version=f"scorer {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True)
    scoring = commands.add_parser("score", help="score predictions against gold")
    _add_common(scoring)
    scoring.add_argument("--gold", type=_source, help="gold claims")
    scoring.add_argument("--merged-output", type=Path, help="where the merge goes")
    scoring.add_argument("--bootstrap", type=_resamples, help="number of resamples")
    scoring.add_argument("--seed", type=_seed, default=0, help="of the resamples")
    checking = commands.add_parser("validate", help="check predictions without gold")
    _add_common(checking)
    checking.add_argument("--claims", type=_source, help="claims, labelled or not")
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", required=True, choices=TASK_NAMES, metavar="TASK")
    parser.add_argument("--profile", choices=PROFILES, default=LEADERBOARD)
    parser.add_argument("--predictions", type=_source, required=True)
    parser.add_argument("--label-predictions", type=_source)
    parser.add_argument("--corpus", type=_source)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _source(path: str) -> Source:
    if not Path(path).is_file():
        raise argparse.ArgumentTypeError(f"there is no file {path}")
    return Source.of_path(path)


def _resamples(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 resample is needed")
    return number


def _seed(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("a seed is 0 or more")
    return number


def _check_score(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    task = options.task
    is_own = task in _WITHOUT_GOLD
    if get_task(task).needs_gold and options.gold is None:
        parser.error(f"{task} needs --gold")
    if is_own and options.gold is not None:
        parser.error(f"{task} takes its file as --predictions and no --gold")
    if options.bootstrap and not _has_measures(options):
        parser.error(f"--bootstrap: {task} has nothing to resample here")
    if task == _MERGE and not (options.gold or options.merged_output):
        parser.error(f"{task} needs --gold, --merged-output or both")
    if task != _MERGE and options.merged_output:
        parser.error(f"--merged-output belongs to {_MERGE}")
    _check_labels(parser, options)


def _has_measures(options: argparse.Namespace) -> bool:
    """Return whether there are measures of claims: not of votes or a mere merge."""
    return options.task == "agreement" or options.gold is not None


def _check_validate(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> None:
    if get_task(options.task).needs_gold and options.claims is None:
        parser.error(f"{options.task} needs --claims")
    if options.task in _WITHOUT_GOLD and options.claims is not None:
        parser.error(f"{options.task} takes its file as --predictions alone")
    _check_labels(parser, options)


def _check_labels(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.task == _MERGE and options.label_predictions is None:
        parser.error(f"{_MERGE} needs --label-predictions")
    if options.task != _MERGE and options.label_predictions is not None:
        parser.error(f"--label-predictions belongs to {_MERGE}")


def _outcome(options: argparse.Namespace) -> Outcome:
    is_score = options.command == "score"
    request = Request(
        predictions=options.predictions,
        gold=options.gold if is_score else options.claims,
        label_predictions=options.label_predictions,
        corpus=options.corpus,
        profile=options.profile,
        merged_output=options.merged_output if is_score else None,
    )
    if not is_score:
        return validate(options.task, request)
    how = Bootstrap(options.bootstrap, options.seed) if options.bootstrap else None
    return score(options.task, request, bootstrap=how)


def _print(outcome: Outcome, *, as_one_object: bool) -> None:
    if as_one_object:
        text = json.dumps(as_json(outcome), allow_nan=False, indent=1) + "\n"
    else:
        text = as_text(outcome)
    sys.stdout.write(text.encode(errors="backslashreplace").decode())


if __name__ == "__main__":
    run()
