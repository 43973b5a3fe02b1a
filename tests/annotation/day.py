"""A day of work in one project, invented and repeatable.

People take turns. Whoever's turn it is answers returned work or takes the next item,
and then submits it, skips it, gives it back, or walks away and comes back too late.
Beside the database a ledger keeps the state that each step must have left.
"""

from __future__ import annotations

import datetime as dt
import random
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import lxml.html
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.access import ProjectAccess, get_project
from annotation.models import (
    Claim,
    Disagreement,
    Judgement,
    Lease,
    Pair,
    Project,
    Review,
    Source,
    Stage,
)
from annotation.selectors import work
from annotation.services import claim_reviews, judgement_reviews
from annotation.services.claims import Draft, revise_claim, write_claims
from annotation.services.disagreements import (
    disagree_with_claim_review,
    disagree_with_judgement_review,
)
from annotation.services.judgement_withdrawals import withdraw_last
from annotation.services.judgements import Answer, revise_judgement, submit_judgement
from annotation.services.leases import (
    release_lease,
    renew_lease,
    skip_item,
    take_next,
)
from annotation.services.negations import negate_claim
from annotation.services.review_undo import undo_review
from annotation.services.withdrawals import withdraw_from_source, withdraw_negation
from corpus.exceptions import StaleStateError
from corpus.models import User
from corpus.records import ClaimKind, Label, Rationale
from tests.annotation.invented import finding

MORNING = dt.datetime(2026, 11, 30, 8, 0, tzinfo=dt.UTC)
LABELS = (Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO)
# In a hundred items: what becomes of one that somebody has in front of them.
FATES = {"submit": 83, "skip": 6, "give back": 3, "walk away": 3, "undo": 5}
# The pages on which a share of the items is submitted, and a field of their forms.
PAGES = {
    Stage.WRITE: ("write_source", "text_1"),
    Stage.PROOFREAD: ("proofread_claim", "text"),
    Stage.NEGATE: ("negate_claim", "text"),
    Stage.VERIFY: ("verify_pair", "label"),
}
BY_PAGE = 0.15
DECISIONS = {"approve": 78, "fix": 9, "return": 9, "reject": 4}


@dataclass(slots=True)
class Ledger:
    """The state of every item that somebody touched, and how often what was done."""

    sources: dict[int, str] = field(default_factory=dict)
    claims: dict[int, str] = field(default_factory=dict)
    judgements: dict[int, str] = field(default_factory=dict)
    steps: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Abandoned:
    """An item that somebody walked away from, and when they come back to it."""

    person: User
    stage: Stage
    item_id: int
    back_at: dt.datetime

    def is_away(self, person: User) -> bool:
        """Whether somebody is still away from it."""
        return self.person == person and self.back_at > timezone.now()


class Day:
    """The project, its people, the clock and the ledger."""

    def __init__(
        self,
        project: Project,
        people: dict[User, tuple[Stage, ...]],
        rng: random.Random,
        clock: time_machine.Traveller,
    ) -> None:
        self.project = project
        self.people = people
        self.rng = rng
        self.clock = clock
        self.ledger = Ledger()
        self._access = {user: get_project(user, project.slug) for user in people}
        self._clients = {user: Client() for user in people}
        for user, client in self._clients.items():
            client.force_login(user)
        self._abandoned: list[Abandoned] = []
        self._number = 0
        self._submit: dict[Stage, Callable[[User, int], None]] = {
            Stage.WRITE: self._write,
            Stage.PROOFREAD: self._proofread,
            Stage.NEGATE: self._negate,
            Stage.VERIFY: self._verify,
            Stage.REVIEW: self._review,
        }

    def turn(self, person: User) -> bool:
        """Let somebody do one thing; False if nothing waits for them."""
        self.clock.shift(dt.timedelta(seconds=self.rng.randrange(5, 40)))
        if any(left.is_away(person) for left in self._abandoned):
            return False
        access = self._access[person]
        if self._come_back(person) or self._answer(access):
            return True
        stages = list(self.people[person])
        self.rng.shuffle(stages)
        for stage in stages:
            lease = take_next(access=access, stage=stage)
            if lease is not None:
                self._meet(access, lease)
                return True
        return False

    def go_home(self) -> None:
        """Everybody gives back what they still have in front of them."""
        for lease in Lease.objects.filter(project=self.project).select_related():
            assert release_lease(
                user=lease.person, stage=Stage(lease.stage), item_id=lease.item_id
            )

    def _note(self, step: str) -> None:
        self.ledger.steps[step] += 1

    def _pick(self, shares: dict[str, int]) -> str:
        return self.rng.choices(list(shares), weights=list(shares.values()))[0]

    def _key(self) -> uuid.UUID:
        return uuid.UUID(int=self.rng.getrandbits(128), version=4)

    def _text(self) -> str:
        """A claim like no other."""
        self._number += 1
        return f"{finding(self.rng, self._number).capitalize()}."

    def _meet(self, access: ProjectAccess, lease: Lease) -> None:
        person, stage, item_id = lease.person, Stage(lease.stage), lease.item_id
        fate = self._pick(FATES)
        self._note(f"{stage}: {fate}")
        if fate == "walk away":
            away = timezone.now() + dt.timedelta(minutes=self.rng.choice((2, 35, 50)))
            self._abandoned.append(Abandoned(person, stage, item_id, away))
        elif fate == "give back":
            assert release_lease(user=person, stage=stage, item_id=item_id)
        elif fate == "skip":
            why = "Too far from my field."
            skip_item(access=access, stage=stage, item_id=item_id, reason=why)
            if stage is Stage.WRITE:
                self.ledger.sources[item_id] = Source.State.SKIPPED
        else:
            if not self._submit_by_page(person, stage, item_id):
                self._submit[stage](person, item_id)
            if fate == "undo":
                self._undo(person, stage, item_id)

    def _come_back(self, person: User) -> bool:
        """Finish what one walked away from, if nobody else has it by now."""
        now = timezone.now()
        for abandoned in self._abandoned:
            if abandoned.person == person and abandoned.back_at <= now:
                break
        else:
            return False
        self._abandoned.remove(abandoned)
        stage, item_id = abandoned.stage, abandoned.item_id
        try:
            renew_lease(user=person, stage=stage, item_id=item_id)
        except StaleStateError:
            self._note("came back, and had lost it")
        try:
            self._submit[stage](person, item_id)
        except StaleStateError:
            self._note("came back too late")
        else:
            self._note("came back and submitted")
        return True

    def _answer(self, access: ProjectAccess) -> bool:
        """Answer a reviewer first."""
        person = access.account
        claims = work.returned_claims(access) | work.returned_negations(access)
        for claim in claims[:1]:
            self._answer_about_claim(person, claim)
            return True
        for judgement in work.returned_judgements(access)[:1]:
            self._answer_about_judgement(person, judgement)
            return True
        return False

    def _disagrees(self, item: Claim | Judgement) -> bool:
        """One in three disagrees with the reviewer, which is possible once."""
        noun = "claim" if isinstance(item, Claim) else "judgement"
        before = Disagreement.objects.filter(**{noun: item})
        if self.rng.random() > 0.33 or before.exists():
            return False
        self._note(f"{noun} disagreed")
        return True

    def _answer_about_claim(self, person: User, claim: Claim) -> None:
        seen: dict[str, Any] = {
            "claim": claim,
            "author": person,
            "expected_version": claim.version,
            "submission_key": self._key(),
        }
        if self._disagrees(claim):
            disagree_with_claim_review(text="It says so in line 2.", **seen)
        else:
            revise_claim(text=self._text(), **seen)
            self._note("claim revised")
        self.ledger.claims[claim.pk] = Claim.State.SUBMITTED

    def _answer_about_judgement(self, person: User, judgement: Judgement) -> None:
        version, key = judgement.version, self._key()
        if self._disagrees(judgement):
            disagree_with_judgement_review(
                judgement=judgement,
                author=person,
                text="Sentence 2 says so.",
                expected_version=version,
                submission_key=key,
            )
        else:
            revise_judgement(
                judgement=judgement,
                annotator=person,
                answer=self._opinion(judgement.pair, person),
                expected_version=version,
                submission_key=key,
            )
            self._note("judgement revised")
        self.ledger.judgements[judgement.pk] = Judgement.State.SUBMITTED

    def _submit_by_page(self, person: User, stage: Stage, item_id: int) -> bool:
        """Now and then, fill in the form of the item's page as a browser would."""
        if stage not in PAGES or self.rng.random() > BY_PAGE:
            return False
        before = timezone.now()
        name, field = PAGES[stage]
        url = reverse(f"annotation:{name}", args=[self.project.slug, item_id])
        page = self._clients[person].get(url)
        forms = lxml.html.fromstring(page.content.decode()).forms
        (form,) = (form for form in forms if field in form.fields)
        self.clock.shift(dt.timedelta(seconds=30))
        values = {"active_seconds": "21", "elapsed_seconds": "30"}
        data = dict(form.form_values()) | values | self._filled(person, stage, item_id)
        answer = self._clients[person].post(form.get("action") or url, data)
        assert answer.status_code == 302, answer.content.decode()
        self._note(f"{stage}: by page")
        if stage is Stage.VERIFY:
            judgement = Judgement.objects.get(
                pair=item_id, annotator=person, submitted_at__gt=before
            )
            self.ledger.judgements[judgement.pk] = Judgement.State.SUBMITTED
        elif stage is Stage.PROOFREAD:
            self.ledger.claims[item_id] = Claim.State.APPROVED
        else:
            claim = Claim.objects.filter(created_at__gt=before).get(author=person)
            self.ledger.claims[claim.pk] = Claim.State.SUBMITTED
            if stage is Stage.WRITE:
                self.ledger.sources[item_id] = Source.State.DONE
        return True

    def _filled(self, person: User, stage: Stage, item_id: int) -> dict[str, str]:
        if stage is Stage.WRITE:
            return {"text_1": self._text()}
        if stage is Stage.NEGATE:
            return {"text": self._text()}
        if stage is Stage.PROOFREAD:
            return {"decision": "approve"}
        answer = self._opinion(Pair.objects.get(pk=item_id), person)
        return {"label": answer.label.value} | {
            f"sentence_{sentence}": "1"
            for rationale in answer.rationales
            for sentence in rationale.sentences
        }

    def _write(self, person: User, item_id: int) -> None:
        source = Source.objects.get(pk=item_id)
        drafts = [
            Draft(self._text(), ClaimKind.COMPOSED)
            for _ in range(self.rng.choice((1, 1, 1, 1, 2)))
        ]
        key = self._key()
        for _ in range(2 if self.rng.random() < 0.1 else 1):  # some press twice
            claims = write_claims(
                source=source, author=person, drafts=drafts, submission_key=key
            )
            source.refresh_from_db()
        assert len(claims) == len(drafts)
        self.ledger.sources[item_id] = Source.State.DONE
        for claim in claims:
            self.ledger.claims[claim.pk] = Claim.State.SUBMITTED

    def _negate(self, person: User, item_id: int) -> None:
        original = Claim.objects.get(pk=item_id)
        negation = negate_claim(
            original=original,
            author=person,
            text=self._text(),
            submission_key=self._key(),
        )
        self.ledger.claims[negation.pk] = Claim.State.SUBMITTED

    def _verify(self, person: User, item_id: int) -> None:
        pair = Pair.objects.get(pk=item_id)
        answer, key = self._opinion(pair, person), self._key()
        for _ in range(2 if self.rng.random() < 0.1 else 1):
            judgement = submit_judgement(
                pair=pair, annotator=person, answer=answer, submission_key=key
            )
        self.ledger.judgements[judgement.pk] = Judgement.State.SUBMITTED

    def _opinion(self, pair: Pair, person: User) -> Answer:
        """What most would say of a pair; one in eight sees it otherwise."""
        own = random.Random(f"{pair.claim_id} {pair.document_id}")
        if self.rng.random() < 0.12:
            own = self.rng
        label, count = own.choice(LABELS), len(pair.document.sentences)
        if label is Label.NOT_ENOUGH_INFO:
            return Answer(label)
        sentences = own.sample(range(count), min(count, own.choice((1, 1, 2))))
        return Answer(label, (Rationale(tuple(sorted(sentences))),))

    def _proofread(self, person: User, item_id: int) -> None:
        claim = Claim.objects.get(pk=item_id)
        decision = self._pick(DECISIONS)
        seen: dict[str, Any] = {
            "claim": claim,
            "reviewer": person,
            "expected_version": claim.version,
        }
        if decision == "approve":
            claim_reviews.approve_claim(**seen)
        elif decision == "fix":
            claim_reviews.fix_and_approve_claim(text=self._text(), **seen)
        else:
            refuse = {
                "return": claim_reviews.request_claim_changes,
                "reject": claim_reviews.reject_claim,
            }[decision]
            refuse(reason_code="wording", note="Which group?", **seen)
        self.ledger.claims[item_id] = _after(decision)
        self._note(f"proofread: {decision}")

    def _review(self, person: User, item_id: int) -> None:
        judgement = Judgement.objects.get(pk=item_id)
        decision = self._pick(DECISIONS)
        seen: dict[str, Any] = {
            "judgement": judgement,
            "reviewer": person,
            "expected_version": judgement.version,
        }
        if decision == "approve":
            judgement_reviews.approve_judgement(**seen)
        elif decision == "fix":
            answer = self._opinion(judgement.pair, person)
            judgement_reviews.fix_and_approve_judgement(answer=answer, **seen)
        else:
            refuse = {
                "return": judgement_reviews.request_judgement_changes,
                "reject": judgement_reviews.reject_judgement,
            }[decision]
            refuse(reason_code="wrong_label", note="See the last sentence.", **seen)
        self.ledger.judgements[item_id] = _after(decision)
        self._note(f"review: {decision}")

    def _undo(self, person: User, stage: Stage, item_id: int) -> None:
        """Take back what was sent this moment, where that can be taken back."""
        if stage is Stage.WRITE:
            source = Source.objects.get(pk=item_id)
            for claim in withdraw_from_source(source=source, author=person):
                self.ledger.claims[claim.pk] = Claim.State.WITHDRAWN
            self.ledger.sources[item_id] = Source.State.OPEN
        elif stage is Stage.NEGATE:
            negation = Claim.objects.filter(negates=item_id).latest("pk")
            withdraw_negation(negation=negation, author=person)
            self.ledger.claims[negation.pk] = Claim.State.WITHDRAWN
        elif stage is Stage.VERIFY:
            judgement = withdraw_last(project=self.project, annotator=person)
            self.ledger.judgements[judgement.pk] = Judgement.State.WITHDRAWN
        else:
            review = Review.objects.filter(reviewer=person).latest("pk")
            item = undo_review(review=review, reviewer=person)
            states = self.ledger.claims
            if isinstance(item, Judgement):
                states = self.ledger.judgements
            assert item.pk == item_id
            states[item_id] = "submitted"


def _after(decision: str) -> str:
    return {
        "approve": "approved",
        "fix": "approved",
        "return": "changes_requested",
        "reject": "rejected",
    }[decision]
