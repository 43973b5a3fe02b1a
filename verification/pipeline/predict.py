"""The batch command: predictions of a system for a file of claims.

One line per claim, in the order of the claims, in SciFact's prediction format. The
file grows beside its place and is renamed when it is complete; a run that was
stopped goes on after the last whole line, if it is the same run. Each claim is
worked on by itself, so that the order of the claims and a rerun change no byte.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from corpus.records import Claim, Label
from verification.pipeline.files import InputError, read_claims, read_corpus
from verification.pipeline.stages import Judged, Setting
from verification.pipeline.systems import System


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be predicted, with what, and where it goes."""

    corpus: Path
    claims: Path
    output: Path
    system: str = "starter"
    setting: Setting = Setting.OPEN
    device: str = "auto"
    precision: str = "fp32"
    indexes: Path = Path("data/indexes")
    format: str = "scifact"


def prediction_line(claim: Claim, judged: Sequence[Judged]) -> str:
    """Return the line of one claim; what is not enough information is left out."""
    evidence = {
        entry.document.id.text: {
            "sentences": list(entry.sentences),
            "label": str(entry.label),
        }
        for entry in judged
        if entry.label is not Label.NOT_ENOUGH_INFO and entry.sentences
    }
    line = {"id": claim.id.to_json(), "evidence": evidence}
    return json.dumps(line, ensure_ascii=True) + "\n"


def run(job: Job, tell: Callable[[str], None] | None = None) -> None:
    """Predict every claim and write the file.

    Raises ``InputError`` for files that cannot be used and
    ``stages.UnlabelledError`` for an oracle without gold.
    """
    say = tell or _to_stderr
    documents = read_corpus(job.corpus, job.format)
    claims = read_claims(job.claims, job.format)
    if not documents:
        raise InputError(f"{job.corpus} holds no abstracts.")
    if job.setting is not Setting.OPEN:
        _check_labelled(claims)
    system = System.load(job.system, device=job.device, precision=job.precision)
    draft = Draft(job.output, _fingerprint(job, system))
    done = draft.resume([claim.id.to_json() for claim in claims])
    if done:
        say(f"going on after {done} of {len(claims)} claims\n")
    pipeline = system.pipeline(documents, job.indexes, setting=job.setting)

    def judged(claim: Claim) -> list[Judged]:
        system.forget()
        return pipeline.judge(claim)

    _write(judged, claims, done, draft, say)


def _write(
    judge: Callable[[Claim], list[Judged]],
    claims: Sequence[Claim],
    done: int,
    draft: Draft,
    say: Callable[[str], None],
) -> None:
    started = time.monotonic()
    with draft.path.open("a", encoding="ascii", newline="\n") as file:
        for number, claim in enumerate(claims[done:], done + 1):
            file.write(prediction_line(claim, judge(claim)))
            file.flush()
            if number % 10 == 0 or number == len(claims):
                rate = (number - done) / max(time.monotonic() - started, 1e-9)
                say(f"{number}/{len(claims)} claims, {rate:.1f} per second\n")
        os.fsync(file.fileno())
    draft.finish()


def _check_labelled(claims: Sequence[Claim]) -> None:
    unlabelled = [claim.id.text for claim in claims if not claim.is_labelled]
    if unlabelled:
        raise InputError(
            f"{len(unlabelled)} of the {len(claims)} claims have no labels (the first "
            f"is {unlabelled[0][:100]}); an oracle setting needs labelled claims. Use "
            "--setting open."
        )


def _fingerprint(job: Job, system: System) -> str:
    """Return a checksum of everything that the lines depend on but the claims."""
    digest = sha256()
    parts: list[str] = [job.setting, job.format, job.precision, job.device]
    parts.append(json.dumps(system.values, sort_keys=True))
    for part in parts:
        digest.update(f"{len(part)}:{part}".encode())
    for path in (job.corpus, job.claims):
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


@dataclass(slots=True)
class Draft:
    """The unfinished file beside its place; its name says which run it belongs to."""

    output: Path
    fingerprint: str

    @property
    def path(self) -> Path:
        """Where the lines go until the file is complete."""
        return self.output.with_name(f".{self.output.name}.{self.fingerprint}.part")

    def resume(self, ids: Sequence[int | str]) -> int:
        """Keep the whole lines that an earlier run wrote; return how many."""
        if not self.output.parent.is_dir():
            raise InputError(f"There is no folder {self.output.parent}.")
        if not self.path.is_file():
            return 0
        data = self.path.read_bytes()
        lines = data[: data.rfind(b"\n") + 1].split(b"\n")[:-1]
        done = 0
        for line, expected in zip(lines, ids, strict=False):
            try:
                if json.loads(line)["id"] != expected:
                    break
            except (ValueError, KeyError, TypeError):
                break
            done += 1
        kept = b"".join(line + b"\n" for line in lines[:done])
        if kept != data:
            self.path.write_bytes(kept)
        return done

    def finish(self) -> None:
        """Give the file its name."""
        os.replace(self.path, self.output)


def _to_stderr(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
