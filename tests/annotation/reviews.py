"""A project of research questions with studies, as its services make it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from annotation.models import Claim, Pair, Question, Study
from annotation.services.claim_reviews import approve_claim
from annotation.services.claims import Draft, write_claims
from annotation.services.judgements import Answer
from annotation.services.questions import StudyInput, add_question
from corpus.models import Document
from corpus.records import ClaimKind, Label
from tests.factories import DocumentFactory, Team, make_team

ENTAIL = Answer(Label.SUPPORT)
CONTRADICT = Answer(Label.CONTRADICT)


@dataclass(slots=True)
class Review:
    """A team whose project has two questions: one of three studies, one of none."""

    team: Team
    sleep: Question
    play: Question
    documents: list[Document]

    def study(self, place: int) -> Study:
        """A study of the first question, as the database has it."""
        return self.sleep.studies.get(ordinal=place)

    def hypothesis(self, text: str = "Late screens shorten sleep.") -> Claim:
        """The annotator's hypothesis for the first question, approved."""
        (claim,) = write_claims(
            source=self.sleep.source,
            author=self.team.annotator,
            drafts=[Draft(text, ClaimKind.HYPOTHESIS)],
            submission_key=uuid.uuid4(),
        )
        return approve_claim(
            claim=claim, reviewer=self.team.reviewer, expected_version=1
        )

    def pair(self, place: int) -> Pair:
        """The pair of the hypothesis and a study."""
        return Pair.objects.get(document=self.documents[place])


def make_review() -> Review:
    """Make it: a labelled study, one with a finding only, and one without."""
    team = make_team(protocol="core", name="Screens")
    documents = [
        DocumentFactory(corpus=team.corpus, title=f"Screens and sleep {n}")
        for n in range(4)
    ]
    sleep = Question(
        review="Screens at night",
        chapter="Sleep",
        text="Do late screens shorten sleep?",
        null_result_rule="No effect contradicts.",
    )
    studies = [
        StudyInput(documents[0], "20 min less sleep", Label.SUPPORT),
        StudyInput(documents[1], "=no effect", None),
        StudyInput(documents[2]),
    ]
    play = Question(review="Screens by day", text="Do games change play?")
    for question, found in ((sleep, studies), (play, [])):
        add_question(
            project=team.project, question=question, studies=found, actor=team.admin
        )
    return Review(team, sleep, play, documents)
