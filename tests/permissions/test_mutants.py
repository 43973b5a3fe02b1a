"""The walk fails when any one guard is taken away."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import pytest

from tests.permissions.mutants import Mutant, without_guard
from tests.permissions.walker import check, endpoints, lines
from tests.permissions.world import ROLES, World

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# The guard, and a cell in which the walk must see that it is gone.
CHOSEN = [
    (
        Mutant("annotation:review_judgement", "    access.require(Stage.REVIEW)\n"),
        "POST annotation:review_judgement slug=A judgement_id=A.judgement as othr",
    ),
    (
        Mutant(
            "ProjectAccess.claims",
            "self.project.claims.all()",
            "Claim.objects.all()",
        ),
        "GET annotation:claim slug=A claim_id=B.submitted as admn",
    ),
    (
        Mutant("ProjectAccess.claims", "claims.filter(author=self.account)", "claims"),
        "GET annotation:claim slug=A claim_id=A.submitted as othr",
    ),
    (
        Mutant(
            "ProjectAccess.sources",
            "self.project.sources.all()",
            "Source.objects.all()",
        ),
        "POST annotation:write_source slug=A source_id=B.source as anno",
    ),
    (
        Mutant(
            "ProjectAccess.pairs_to_verify",
            "filter(rule, project=self.project)",
            "filter(project=self.project)",
        ),
        "POST annotation:verify_pair slug=A pair_id=A.pair as anno",
    ),
    (
        Mutant("annotation:consent_text", "@login_required\n"),
        "GET annotation:consent_text slug=A as anon",
    ),
    (
        Mutant("annotation:write_source", "@require_accepted_texts\n"),
        "POST annotation:write_source slug=A source_id=A.source as newc",
    ),
    (
        Mutant(
            "access.visible_projects", "user=user, state__in=ACTIVE_STATES", "user=user"
        ),
        "GET annotation:project slug=A as susp",
    ),
    (
        Mutant(
            "corpus:download_file",
            "visible_files(request.user)",
            "StoredFile.objects.all()",
        ),
        "GET corpus:download_file token=A.file as othr",
    ),
    (
        Mutant(
            "corpus:cancel_job", "jobs.visible_jobs(request.user)", "Job.objects.all()"
        ),
        "POST corpus:cancel_job token=A.job as othr",
    ),
]


@pytest.mark.parametrize(("mutant", "cell"), CHOSEN, ids=str)
def test_the_walk_notices(world: World, mutant: Mutant, cell: str) -> None:
    name = cell.split()[1]
    with without_guard(mutant):
        problems = [
            check(world, line, role)
            for line in lines()
            for role in ROLES
            if line.name == name
        ]
    seen = [problem for problem in problems if problem]
    assert any(problem.startswith(f"{cell}:") for problem in seen), seen


GUARD = re.compile(
    r"^@(?:login_required|require_accepted_texts|superuser_required)\n"
    r"|^    access\.require\w*\(.*\)\n",
    re.M,
)

# Guards that only repeat what another one enforces, and which one that is.
REPEATED = {
    "annotation:check_negation without access.require(Stage.NEGATE)": (
        "sendable_originals"
    ),
    "annotation:negate_claim without access.require(Stage.NEGATE)": (
        "sendable_originals"
    ),
    "annotation:skip_negation without access.require(Stage.NEGATE)": (
        "sendable_originals"
    ),
    "annotation:negate_claims without access.require(Stage.NEGATE)": "claims_to_negate",
    "annotation:next_pair without access.require(Stage.VERIFY)": "pairs_to_verify",
    "annotation:proofread_next without access.require(Stage.PROOFREAD)": (
        "claims_to_proofread"
    ),
    "annotation:review_next without access.require(Stage.REVIEW)": (
        "judgements_to_review"
    ),
    "annotation:verify_pairs without access.require(Stage.VERIFY)": "pairs_to_verify",
    "annotation:write_claims without access.require(Stage.WRITE)": "sources_to_write",
}


def _guards() -> Iterator[Mutant]:
    for name, endpoint in sorted(endpoints().items()):
        if endpoint.pattern.callback is not None:
            source = inspect.getsource(inspect.unwrap(endpoint.pattern.callback))
            for guard in GUARD.findall(source):
                yield Mutant(name, guard)


@pytest.mark.parametrize("mutant", list(_guards()), ids=str)
def test_every_guard_of_every_view_is_missed(world: World, mutant: Mutant) -> None:
    with without_guard(mutant):
        is_missed = any(
            check(world, line, role)
            for line in lines()
            for role in ROLES
            if line.name == mutant.where
        )
    assert is_missed == (str(mutant) not in REPEATED)
