"""Steps along the path of a data point, taken through the services."""

from __future__ import annotations

import uuid

from annotation.models import Claim, Judgement, Pair
from annotation.services.claim_reviews import approve_claim
from annotation.services.claims import Draft, write_claims
from annotation.services.judgements import Answer, submit_judgement
from corpus.models import User
from corpus.records import ClaimKind, Label, Rationale
from tests.factories import Team

SUPPORT = Answer(Label.SUPPORT, (Rationale((2,)),))
CONTRADICT = Answer(Label.CONTRADICT, (Rationale((0, 2)),))
NOT_ENOUGH_INFO = Answer(Label.NOT_ENOUGH_INFO)


def written(team: Team, text: str = "Nettle tea does not ease knee pain.") -> Claim:
    """A submitted claim of the annotator, from the team's first open source."""
    source = team.project.sources.filter(state="open").order_by("position")[0]
    (claim,) = write_claims(
        source=source,
        author=team.annotator,
        drafts=[Draft(text, ClaimKind.COMPOSED)],
        submission_key=uuid.uuid4(),
    )
    return claim


def approved(team: Team, text: str = "Nettle tea does not ease knee pain.") -> Claim:
    """The same, approved by the reviewer."""
    return approve_claim(
        claim=written(team, text), reviewer=team.reviewer, expected_version=1
    )


def judged(pair: Pair, annotator: User, answer: Answer = SUPPORT) -> Judgement:
    """A submitted judgement."""
    return submit_judgement(
        pair=pair, annotator=annotator, answer=answer, submission_key=uuid.uuid4()
    )
