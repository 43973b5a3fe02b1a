"""Loading the invented demo projects, as the application itself would make them."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from allauth.account.models import EmailAddress
from django.db import transaction

from annotation.access import get_project
from annotation.models import (
    Claim,
    Guideline,
    Judgement,
    Project,
    Question,
    Source,
    Stage,
    TaskTime,
)
from annotation.services import (
    claim_reviews,
    claims,
    guidelines,
    judgement_reviews,
    judgements,
)
from annotation.services.claims import Draft
from annotation.services.generated import add_generated_claim
from annotation.services.import_articles import import_articles
from annotation.services.import_claims import ClaimTarget, import_claims
from annotation.services.import_documents import import_documents
from annotation.services.importing import incoming
from annotation.services.judgements import Answer, Seconds
from annotation.services.leases import skip_item
from annotation.services.members import add_member
from annotation.services.negations import negate_claim
from annotation.services.projects import (
    change_project,
    create_corpus,
    create_project,
    settings_key,
)
from annotation.services.purge import purge_corpus, purge_project
from annotation.services.questions import StudyInput, add_question
from annotation.services.sources import skip_source
from corpus import records
from corpus.formats import articles, scifact
from corpus.formats.base import Read
from corpus.models import Corpus, Document, User
from corpus.models.library import Visibility
from corpus.records import ClaimKind, Label, Rationale, SentenceRole

FOLDER = Path(__file__).resolve().parent.parent / "demo"
PASSWORD = "claimdesk-demo"  # noqa: S105  # printed at the start, for the demo only
# Our own columns that SciFact's corpus format does not name.
COLUMNS = ("doi", "pmid", "url", "journal", "published", "type", "licence")

Row = dict[str, Any]


def is_demo_loaded() -> bool:
    """Whether the demo projects are there."""
    return Project.objects.filter(is_demo=True).exists()


@transaction.atomic
def load_demo() -> None:
    """Create the demo accounts, corpora and projects with their work."""
    people = demo_people()
    for about in _json("projects.json"):
        _DemoProject(about, people).load()


def demo_people() -> dict[str, User]:
    """Return the demo accounts by their part, made where they are missing."""
    return {row["key"]: _person(row) for row in _json("people.json")}


@transaction.atomic
def remove_demo() -> None:
    """Delete the demo projects and corpora; nothing else is touched.

    A demo corpus that somebody's own project uses is refused in words.
    """
    for project in Project.objects.filter(is_demo=True):
        purge_project(project=project, typed_name=project.name)
    for corpus in Corpus.objects.filter(is_demo=True):
        purge_corpus(corpus=corpus, typed_name=corpus.name)


def demo_accounts() -> list[tuple[str, str]]:
    """The sign-in addresses of the demo with the part that each plays."""
    return [
        (row["email"], row["key"].replace("_", " ")) for row in _json("people.json")
    ]


def _json(name: str) -> list[Row]:
    rows: list[Row] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return rows


def _lines(name: str) -> list[Row]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def _person(row: Row) -> User:
    first, _, last = row["name"].partition(" ")
    user, is_new = User.objects.get_or_create(
        email=row["email"],
        defaults={
            "username": row["email"].partition("@")[0],
            "first_name": first,
            "last_name": last,
        },
    )
    if is_new:
        user.set_password(PASSWORD)
        user.save()
        EmailAddress.objects.create(
            user=user, email=user.email, verified=True, primary=True
        )
    return user


def _documents(stream: BinaryIO) -> Iterator[Read[records.Document]]:
    """Read SciFact's shape, with our own columns taken out of the further fields."""
    for read in scifact.read_documents(stream):
        if read.record is None:
            yield read
            continue
        extra = dict(read.record.extra)
        columns: Row = {name: str(extra.pop(name, "")) for name in COLUMNS}
        authors = tuple(map(str, extra.pop("authors", [])))  # type: ignore[arg-type]
        yield replace(
            read,
            record=replace(read.record, extra=extra, authors=authors, **columns),
        )


@dataclass(slots=True)
class _DemoProject:
    """One project of ``projects.json`` on its way into the database."""

    about: Row
    people: dict[str, User]

    def load(self) -> None:
        """Create the corpus and the project, and do its work."""
        admin = self.people["admin"]
        corpus = create_corpus(
            name=self.about["corpus"],
            owner=admin,
            description="Invented for demonstration. Nothing here is evidence.",
            visibility=Visibility.PUBLIC,
            is_demo=True,
        )
        self._import(corpus, "documents", _documents, import_documents)
        if "articles" in self.about:
            self._import(corpus, "articles", articles.read_articles, import_articles)
        project = create_project(
            name=self.about["name"],
            protocol=self.about["protocol"],
            corpus=corpus,
            actor=admin,
            description=self.about["description"],
            visibility=Visibility.INSTANCE,
            is_demo=True,
        )
        self._invite(project)
        self._import_claims(project)
        _Work(project, self.people, self.about).do()

    def _import(self, corpus: Corpus, part: str, reader: Any, service: Any) -> None:
        path = FOLDER / self.about[part]
        with path.open("rb") as file:
            service(
                source=incoming(file, reader, name=path.name),
                corpus=corpus,
                actor=self.people["admin"],
            )

    def _import_claims(self, project: Project) -> None:
        for part in self.about["imports"]:
            with (FOLDER / part["file"]).open("rb") as file:
                import_claims(
                    source=incoming(file, scifact.read_claims, name=part["file"]),
                    target=ClaimTarget(project, scifact.FORMAT, part["split"]),
                    actor=self.people["admin"],
                )

    def _invite(self, project: Project) -> None:
        admin = self.people["admin"]
        text = (FOLDER / self.about["guideline"]).read_text(encoding="utf-8")
        guidelines.publish_guideline(project=project, text=text, actor=admin)
        text = (FOLDER / self.about["consent"]).read_text(encoding="utf-8")
        guidelines.publish_consent_text(project=project, text=text, actor=admin)
        for row in _json("people.json"):
            user = self.people[row["key"]]
            for part in row["memberships"]:
                if part["project"] == self.about["key"]:
                    self._join(project, user, part)

    def _join(self, project: Project, user: User, part: Row) -> None:
        admin = self.people["admin"]
        if user != admin:
            add_member(
                project=project,
                user=user,
                stages=part["stages"],
                actor=admin,
                state=part["state"],
            )
        for text in guidelines.pending_texts(project, user):
            if isinstance(text, Guideline):
                guidelines.accept_guideline(guideline=text, user=user)
            else:
                guidelines.accept_consent_text(consent_text=text, user=user)


@dataclass(slots=True)
class _Work:
    """The hand-made work of one demo project, done through the services."""

    project: Project
    people: dict[str, User]
    about: Row

    def do(self) -> None:
        """Write, proofread, judge and review what the files say."""
        if "claims" in self.about:
            rows = _lines(self.about["claims"])
            self._write_from_citances(rows)
            self._skip_negations({row["claim_id"]: row["text"] for row in rows})
        if "questions" in self.about:
            *answered, waiting = _lines(self.about["questions"])
            for row in answered:
                self._answer_question(row)
            self._ask(waiting)  # visitors find a hypothesis to write
        for row in _lines("skips.jsonl"):
            if row["project"] == self.about["key"]:
                skip_source(
                    source=self._source(row["citance_id"]),
                    actor=self.people[row["by"]],
                    reason=row["reason"],
                )

    def _skip_negations(self, texts: dict[Any, str]) -> None:
        for row in _lines("negation_skips.jsonl"):
            if row["project"] != self.about["key"]:
                continue
            claim = self.project.claims.get(
                text=texts[row["claim_id"]], state=Claim.State.APPROVED, negates=None
            )
            skip_item(
                access=get_project(self.people[row["by"]], self.project.slug),
                stage=Stage.NEGATE,
                item_id=claim.pk,
                reason=row["reason"],
            )

    def _source(self, citance_id: str) -> Source:
        return self.project.sources.get(citance__external_id=citance_id)

    def _write_from_citances(self, rows: list[Row]) -> None:
        """Originals of one citance and writer are one submission."""
        rows = [row for row in rows if row["state"] != "draft"]
        forms: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            if not row["negates"] and not row.get("generated_from"):
                forms[row["citance_id"]][row["author"]].append(row)
        written: dict[str, Claim] = {}
        for citance_id, by_author in forms.items():
            for author, originals in by_author.items():
                made = self._write(citance_id, author, originals)
                ids = [row["claim_id"] for row in originals]
                written |= dict(zip(ids, made, strict=True))
        twice = self._second_judgements()
        for row in rows:
            self._finish_claim(row, written, twice)
        self._judge_twice(rows, written, twice)

    def _second_judgements(self) -> dict[tuple[Any, Any], Row]:
        """Return the pairs that two people judge, each with its second judgement."""
        if "second_judgements" not in self.about:
            return {}
        rows = _lines(self.about["second_judgements"])
        return {(row["claim_id"], row["doc_id"]): row for row in rows}

    def _judge_twice(
        self,
        rows: list[Row],
        written: dict[str, Claim],
        twice: dict[tuple[Any, Any], Row],
    ) -> None:
        """Judge these pairs while the project asks for two judgements of each pair."""
        if not twice:
            return
        self._ask_for_judgements(2)
        for row in rows:
            for first in row["judgements"]:
                second = twice.get((row["claim_id"], first["doc_id"]))
                if second is not None:
                    self._judge(written[row["claim_id"]], first)
                    self._judge(written[row["claim_id"]], second)
        self._ask_for_judgements(1)

    def _ask_for_judgements(self, count: int) -> None:
        self.project.refresh_from_db()
        change_project(
            project=self.project,
            actor=self.people["admin"],
            seen=settings_key(self.project),
            name=self.project.name,
            description=self.project.description,
            visibility=self.project.visibility,
            rules=replace(self.project.rules, judgements_per_pair=count),
            labels=self.project.labels,
        )

    def _write(self, citance_id: str, author: str, rows: list[Row]) -> list[Claim]:
        """A second writer finds the source closed: an admin adds those claims."""
        source = self._source(citance_id)
        drafts = [Draft(row["text"], ClaimKind(row["kind"])) for row in rows]
        values: Row = {"source": source, "author": self.people[author]}
        if source.state == Source.State.OPEN:
            return claims.write_claims(
                **values, drafts=drafts, submission_key=uuid.uuid4()
            )
        return [
            claims.create_claim(
                **values, project=self.project, draft=draft, submission_key=None
            )
            for draft in drafts
        ]

    def _finish_claim(
        self,
        row: Row,
        written: dict[str, Claim],
        twice: dict[tuple[Any, Any], Row],
    ) -> None:
        if row.get("generated_from"):
            add_generated_claim(
                pair=written[row["generated_from"]].pairs.get(
                    document__external_id=row["doc_id"]
                ),
                given_sentence=row["given_sentence"],
                actor=self.people["admin"],
            )
            return
        if row["negates"]:
            written[row["claim_id"]] = negate_claim(
                original=written[row["negates"]],
                author=self.people[row["author"]],
                text=row["text"],
                submission_key=uuid.uuid4(),
                trigger_reason=row["trigger_reason"],
            )
        claim = written[row["claim_id"]]
        self._proofread(claim, row["review"])
        for judgement in row["judgements"]:
            if (row["claim_id"], judgement["doc_id"]) not in twice:
                self._judge(claim, judgement)

    def _proofread(self, claim: Claim, review: Row | None) -> None:
        if review is None:
            return
        values: Row = {
            "claim": claim,
            "reviewer": self.people[review["by"]],
            "expected_version": claim.version,
        }
        if review["decision"] == "approve":
            claim_reviews.approve_claim(**values)
            return
        refuse = {
            "request_changes": claim_reviews.request_claim_changes,
            "reject": claim_reviews.reject_claim,
        }[review["decision"]]
        refuse(**values, reason_code=review["reason_code"], note=review["note"])

    def _judge(self, claim: Claim, row: Row) -> None:
        roles = row.get("roles") or [[] for _ in row["rationales"]]
        rationales = tuple(
            Rationale(tuple(sentences), tuple(SentenceRole(x) for x in named))
            for sentences, named in zip(row["rationales"], roles, strict=True)
        )
        judgement = judgements.submit_judgement(
            pair=claim.pairs.get(document__external_id=str(row["doc_id"])),
            annotator=self.people[row["by"]],
            answer=Answer(Label(row["label"]), rationales),
            submission_key=uuid.uuid4(),
            seconds=Seconds(row["active_seconds"], row["active_seconds"] + 9),
        )
        # Only the seconds: nobody of the demo sits at work while it is loaded.
        TaskTime.objects.create(
            project=judgement.pair.project,
            person=self.people[row["by"]],
            stage=TaskTime.Kind.VERIFY,
            item_id=judgement.pair_id,
            active_seconds=judgement.active_seconds,
            elapsed_seconds=judgement.elapsed_seconds,
            at=judgement.submitted_at,
        )
        self._review(judgement, row["review"])

    def _review(self, judgement: Judgement, review: Row | None) -> None:
        if review is None:
            return
        values: Row = {
            "judgement": judgement,
            "reviewer": self.people[review["by"]],
            "expected_version": judgement.version,
        }
        if review["decision"] == "approve":
            judgement_reviews.approve_judgement(**values)
            return
        judgement_reviews.request_judgement_changes(
            **values, reason_code=review["reason_code"], note=review["note"]
        )

    def _answer_question(self, row: Row) -> None:
        """The hypothesis is written and approved; labelled studies are judged."""
        (claim,) = claims.write_claims(
            source=self._ask(row),
            author=self.people["annotator_1"],
            drafts=[Draft(row["hypothesis"], ClaimKind.HYPOTHESIS)],
            submission_key=uuid.uuid4(),
        )
        approval = {"by": "reviewer", "decision": "approve"}
        self._proofread(claim, approval)
        for study in row["studies"]:
            if study["label"]:
                judgement = {"by": "annotator_2", "rationales": [], "review": approval}
                self._judge(claim, {**judgement, **study, "active_seconds": 40})

    def _ask(self, row: Row) -> Source:
        return add_question(
            project=self.project,
            question=Question(
                review=row["review"],
                chapter=row["chapter"],
                text=row["question"],
                null_result_rule=row["null_result_rule"],
            ),
            studies=[self._study(study) for study in row["studies"]],
            actor=self.people["admin"],
        )

    def _study(self, row: Row) -> StudyInput:
        document = Document.objects.get(
            corpus=self.project.corpus, external_id=row["doc_id"]
        )
        label = Label(row["label"]) if row["label"] else None
        return StudyInput(document, row["finding"], label)
