"""The command: ``python -m verification.pipeline predict`` and ``train``.

Exit 0: done. Exit 2: errors in the files or in the arguments. Exit 1 is a fault of
our own.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from verification.pipeline.files import InputError
from verification.pipeline.predict import Job
from verification.pipeline.predict import run as run_prediction
from verification.pipeline.stages import ModelFileError, Setting, UnlabelledError

EXIT_INVALID = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (InputError, ModelFileError, UnlabelledError, ValueError) as error:
        sys.stderr.write(f"{parser.prog}: {error}\n")
        return EXIT_INVALID
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="verification.pipeline",
        description="Verify claims against a corpus, and train the models for it.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    _add_predict(commands.add_parser("predict", help="predict a file of claims"))
    _add_train(commands.add_parser("train", help="train a model"))
    return parser


def _add_predict(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", type=Path, required=True, help="corpus.jsonl")
    parser.add_argument("--claims", type=Path, required=True, help="claims.jsonl")
    parser.add_argument("--output", type=Path, required=True, help="where lines go")
    parser.add_argument(
        "--system", default="starter", help="starter, or a folder with system.json"
    )
    parser.add_argument("--setting", choices=[*map(str, Setting)], default="open")
    parser.add_argument(
        "--format", choices=("scifact", "check-covid"), default="scifact"
    )
    parser.add_argument(
        "--indexes", type=Path, default=_indexes(), help="where indexes are kept"
    )
    _add_runtime(parser, "fp32")
    parser.set_defaults(run=_predict)


def _add_runtime(parser: argparse.ArgumentParser, precision: str) -> None:
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument(
        "--precision", choices=("auto", "fp32", "bf16"), default=precision
    )


def _indexes() -> Path:
    return Path(os.environ.get("CLAIMDESK_DATA", "data")) / "indexes"


def _predict(options: argparse.Namespace) -> None:
    run_prediction(
        Job(
            corpus=options.corpus,
            claims=options.claims,
            output=options.output,
            system=options.system,
            setting=Setting(options.setting),
            device=options.device,
            precision=options.precision,
            indexes=options.indexes,
            format=options.format,
        )
    )


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", choices=("rationale", "label"))
    parser.add_argument(
        "--data",
        nargs="+",
        action="append",
        required=True,
        metavar="KIND:PATH[:LIMIT]",
        help="the sources of one stage; repeat the option for further stages",
    )
    parser.add_argument(
        "--base", default="minilm-l6", help="minilm-l6 (packaged), or a folder"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument(
        "--epochs", type=int, nargs="+", help="of each stage; 1, and 4 for the last"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rank", type=int, default=32, help="of the corrections")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--max-tokens", type=int, default=160)
    _add_runtime(parser, "auto")
    parser.set_defaults(run=_train)


def _train(options: argparse.Namespace) -> None:
    from verification.pipeline.training_run import train

    train(options)


if __name__ == "__main__":
    sys.exit(main())
