"""Everything that is kept about one person, for that person."""

from __future__ import annotations

import csv
import json
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Count, Model, Q, QuerySet

from annotation.models import (
    Acceptance,
    Adjudication,
    Claim,
    ClaimVersion,
    Comment,
    Disagreement,
    Draft,
    EarlyAnswer,
    Flag,
    Invitation,
    Judgement,
    JudgementVersion,
    KeySettings,
    Lease,
    Membership,
    Notice,
    ReannotationSample,
    Review,
    SavedFilter,
    Skip,
    Source,
    SuggestionOffer,
    TaskTime,
    WorkSession,
)
from corpus.models import ApiToken, Corpus, Event, Job, StoredFile, User
from corpus.text import csv_safe

Rows = Callable[[User], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class ProjectPart:
    """What a person did in one project."""

    membership: Membership
    claims: int
    judgements: int
    reviews: int


def project_parts(user: User) -> list[ProjectPart]:
    """Return the person's part in each project, in four queries."""
    memberships = (
        Membership.objects.filter(user=user)
        .select_related("project")
        .order_by("project__name")
    )
    claims = _per_project(Claim.objects.filter(author=user), "project")
    judgements = _per_project(Judgement.objects.filter(annotator=user), "pair__project")
    reviews = _per_project(Review.objects.filter(reviewer=user), "project")
    return [
        ProjectPart(
            membership,
            claims.get(membership.project_id, 0),
            judgements.get(membership.project_id, 0),
            reviews.get(membership.project_id, 0),
        )
        for membership in memberships
    ]


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that is measured about people: why, who sees it, how much there is."""

    what: str
    why: str
    who: str
    count: int


ONLY_ADMINS = "You, and the admins of the project; no reviewer, no other annotator"


def measures(user: User) -> list[Measure]:
    """Return everything that is measured about a person; nothing else is."""
    return [
        Measure(
            "Work sessions: start, breaks, end, your corrections and their reasons",
            "Pay, and your own overview",
            ONLY_ADMINS,
            user.work_sessions.count(),
        ),
        Measure(
            "Active and elapsed seconds of each submit, and of reading the guideline",
            "Planning; shown to admins as median and 90th percentile for each person",
            ONLY_ADMINS,
            user.task_times.count(),
        ),
        Measure(
            "What you chose before a model's suggestion, and what you took over of it",
            "Measures what suggestions do to judgements",
            ONLY_ADMINS,
            user.suggestion_offers.count(),
        ),
        Measure(
            "When you last moved in a running work session",
            "Ends a session that you forgot",
            "Nobody looks at it; it is in your download",
            user.work_sessions.filter(ended_at=None).count(),
        ),
        Measure(
            "What you did: each change with its time, and what came back to you",
            "The history of the data set",
            "You; reviewers and admins of the project, beside the item",
            user.events.count(),
        ),
    ]


def _per_project(rows: QuerySet[Any], project: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(project).annotate(Count("pk")))


STATES = {"state", "from_state", "to_state"}
TOLD = {state.value: state.told.value for state in Judgement.State}


def values_of(model: type[Model], owner: str, *fields: str) -> Rows:
    """Return a function that reads these columns of the rows of a person.

    ``owner`` is the column, or the list of people, that makes a row theirs.
    """

    def rows(user: User) -> Iterable[Mapping[str, Any]]:
        found = model._default_manager.filter(**{owner: user.pk}).order_by("pk")
        return found.values(*fields).iterator()

    return rows


def as_told(rows: Rows) -> Rows:
    """Return rows whose states are what an annotator is told of their judgements."""

    def told(user: User) -> Iterable[Mapping[str, Any]]:
        for row in rows(user):
            yield {
                name: TOLD.get(value, value) if name in STATES else value
                for name, value in row.items()
            }

    return told


def own_events(user: User) -> Iterator[Mapping[str, Any]]:
    """What a person did; what followed by itself would tell what others judged."""
    fields = ("at", "noun", "object_id", "verb", "from_state", "to_state", "why")
    followed = Q(noun="pair", verb="settle") | Q(
        noun="verdict", verb__in=("decide", "count")
    )
    found = Event.objects.filter(actor=user).exclude(followed).order_by("pk")
    yield from found.values(*fields).iterator()


# Secrets (passwords, second factors, hashes of tokens) are never handed out.
SECTIONS: dict[str, Rows] = {
    "account": values_of(
        User,
        "pk",
        "id",
        "username",
        "first_name",
        "last_name",
        "email",
        "pseudonym",
        "time_zone",
        "wants_mail_digest",
        "date_joined",
        "last_login",
        "is_active",
        "is_superuser",
    ),
    "mail_addresses": values_of(EmailAddress, "user", "email", "verified", "primary"),
    "sign_in_providers": values_of(
        SocialAccount, "user", "provider", "uid", "extra_data", "date_joined"
    ),
    "second_factors": values_of(
        Authenticator, "user", "type", "created_at", "last_used_at"
    ),
    "api_tokens": values_of(
        ApiToken,
        "user",
        "name",
        "key_start",
        "scopes",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    ),
    "memberships": values_of(
        Membership, "user", "project__name", "state", "stages", "joined_at"
    ),
    "accepted_texts": values_of(
        Acceptance,
        "user",
        "guideline__project__name",
        "guideline__version",
        "consent_text__project__name",
        "consent_text__version",
        "at",
    ),
    "claim_versions": values_of(
        ClaimVersion,
        "author",
        "claim__project__name",
        "claim__external_id",
        "number",
        "text",
        "created_at",
    ),
    "early_answers": values_of(
        EarlyAnswer,
        "annotator",
        "claim_version__claim__project__name",
        "claim_version__claim__external_id",
        "claim_version__number",
        "document__external_id",
        "state",
        "label",
        "rationales",
        "given_at",
    ),
    # Not how chance had it with a suggestion: only first judgements have any.
    "judgements": as_told(
        values_of(
            Judgement,
            "annotator",
            "pair__project__name",
            "pair__claim__external_id",
            "pair__document__external_id",
            "state",
            "label",
            "version",
            "active_seconds",
            "elapsed_seconds",
            "submitted_at",
            "suggestion_shown",
            "suggestion_taken",
        )
    ),
    "first_choices": values_of(
        SuggestionOffer,
        "annotator",
        "pair__project__name",
        "pair__claim__external_id",
        "pair__document__external_id",
        "arm",
        "first_label",
        "first_rationales",
        "offered_at",
    ),
    "judgement_versions": values_of(
        JudgementVersion,
        "author",
        "judgement__pair__project__name",
        "judgement__pair__claim__external_id",
        "judgement__pair__document__external_id",
        "number",
        "label",
        "rationales",
        "created_at",
    ),
    "reviews": values_of(
        Review,
        "reviewer",
        "project__name",
        "claim_version__claim__external_id",
        "judgement_version__judgement__pair__claim__external_id",
        "decision",
        "reason_code",
        "note",
        "created_at",
        "undone_at",
    ),
    "adjudications": values_of(
        Adjudication,
        "adjudicator",
        "pair__project__name",
        "pair__claim__external_id",
        "pair__document__external_id",
        "decision",
        "note",
        "created_at",
        "undone_at",
    ),
    "comments": values_of(
        Comment,
        "review__reviewer",
        "review__project__name",
        "review__created_at",
        "part",
        "sentence",
        "text",
    ),
    "disagreements": values_of(
        Disagreement,
        "author",
        "project__name",
        "claim__external_id",
        "judgement__pair__claim__external_id",
        "text",
        "state",
        "created_at",
    ),
    "notices": values_of(
        Notice,
        "user",
        "project__name",
        "kind",
        "text",
        "created_at",
        "read_at",
        "mailed_at",
    ),
    "work_sessions": values_of(
        WorkSession,
        "person",
        "project__name",
        "state",
        "opened",
        "closed",
        "started_at",
        "ended_at",
        "last_activity_at",
        "pauses",
        "corrected_started_at",
        "corrected_ended_at",
        "corrected_pauses",
        "correction_reason",
        "corrected_at",
    ),
    "task_times": values_of(
        TaskTime,
        "person",
        "project__name",
        "stage",
        "item_id",
        "active_seconds",
        "elapsed_seconds",
        "at",
    ),
    "work_in_hand": values_of(
        Lease,
        "person",
        "project__name",
        "stage",
        "item_id",
        "taken_at",
        "active_at",
        "expires_at",
    ),
    "skips": values_of(
        Skip, "person", "project__name", "stage", "item_id", "reason", "at"
    ),
    "flags": values_of(
        Flag,
        "user",
        "project__name",
        "pair__claim__external_id",
        "pair__document__external_id",
        "note",
        "created_at",
        "resolved_at",
    ),
    "keys": values_of(KeySettings, "user", "is_on", "keys"),
    "drafts": values_of(
        Draft,
        "user",
        "project__name",
        "kind",
        "item_id",
        "content",
        "updated_at",
    ),
    "saved_filters": values_of(
        SavedFilter, "owner", "project__name", "name", "query", "is_shared"
    ),
    "reannotation_samples": values_of(
        ReannotationSample,
        "drawn_by",
        "project__name",
        "name",
        "seed",
        "strata",
        "drawn_at",
    ),
    "closed_sources": values_of(
        Source, "closed_by", "project__name", "position", "state"
    ),
    "invitations": values_of(
        Invitation,
        "created_by",
        "project__name",
        "note",
        "stages",
        "max_uses",
        "uses",
        "created_at",
        "expires_at",
        "revoked_at",
    ),
    "corpora": values_of(Corpus, "owner", "name", "visibility", "created_at"),
    "files": values_of(StoredFile, "owner", "name", "size", "sha256", "created_at"),
    "jobs": values_of(Job, "owner", "kind", "state", "created_at", "finished_at"),
    "events": as_told(own_events),
}


def sections() -> dict[str, Rows]:
    """Return all sections: ours, and those of the layers above, by the settings."""
    found = dict(SECTIONS)
    for module in map(pkgutil.resolve_name, settings.PERSONAL_DATA_MODULES):
        found |= module.SECTIONS
    return found


def further_counts(user: User) -> list[tuple[str, int]]:
    """Return how much the layers above keep, in words and numbers."""
    modules = map(pkgutil.resolve_name, settings.PERSONAL_DATA_MODULES)
    return [count for module in modules for count in module.counts(user)]


def personal_data_json(user: User) -> Iterator[str]:
    """Yield one JSON object, section by section and row by row."""
    encoder = DjangoJSONEncoder(ensure_ascii=False)
    yield "{"
    for number, (name, rows) in enumerate(sections().items()):
        yield f"{',' if number else ''}\n{json.dumps(name)}: ["
        for index, row in enumerate(rows(user)):
            yield f"{',' if index else ''}\n  {encoder.encode(dict(row))}"
        yield "]"
    yield "\n}\n"


WORK_COLUMNS = ("kind", "project", "at", "claim", "abstract", "version", "content")


def work_csv(user: User) -> Iterator[str]:
    """Yield what a person wrote, judged and reviewed as the lines of a table."""
    writer = csv.writer(_Echo())
    yield writer.writerow(WORK_COLUMNS)
    for row in _work_rows(user):
        yield writer.writerow(csv_safe(str(cell)) for cell in row)


class _Echo:
    """A file that hands back what is written, for ``csv.writer``."""

    def write(self, line: str) -> str:
        return line


def _work_rows(user: User) -> Iterator[tuple[object, ...]]:
    for row in SECTIONS["claim_versions"](user):
        project, claim, number, text, at = row.values()
        yield "claim", project, at.isoformat(), claim, "", number, text
    for row in SECTIONS["judgement_versions"](user):
        project, claim, abstract, number, label, rationales, at = row.values()
        content = f"{label} {json.dumps(rationales)}"
        yield "judgement", project, at.isoformat(), claim, abstract, number, content
    for row in SECTIONS["reviews"](user):
        project, claim, judged_claim, decision, reason, note, at, _ = row.values()
        content = " ".join(filter(None, (decision, reason, note)))
        yield "review", project, at.isoformat(), claim or judged_claim, "", "", content
