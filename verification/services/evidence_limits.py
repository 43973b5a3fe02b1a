"""Asking for evidence within the limits: how many claims in an hour, from whom.

Visitors are told apart by a hash of their address. Its key changes every day (UTC), so
that what is kept for a day cannot be joined with another day's.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from ipaddress import IPv4Address, ip_address

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from corpus.exceptions import DomainError
from corpus.models import Corpus, User
from verification.models import FactCheck
from verification.services.evidence import ask_for_evidence

HOUR = timedelta(hours=1)
VISITOR_CLAIMS = 60
MEMBER_CLAIMS = 300
VISITOR_PERMALINKS = 30
MEMBER_PERMALINKS = 300


class TooManyClaimsError(DomainError):
    """The limit is reached; ``free_at`` says from when on there is room again."""

    def __init__(self, message: str, free_at: datetime) -> None:
        super().__init__(message)
        self.free_at = free_at

    def seconds_left(self, now: datetime) -> int:
        """Return how long to wait, as ``Retry-After`` says it."""
        return max(1, math.ceil((self.free_at - now).total_seconds()))


def client_key(address: str, at: datetime) -> str:
    """Return what stands for an address on the day of ``at``."""
    salt = f"evidence-{at.date().isoformat()}"
    return salted_hmac(salt, _household(address), algorithm="sha256").hexdigest()


def _household(address: str) -> str:
    """Return what one household has: an IPv4 address, or 64 bits of an IPv6 one."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv4Address) or ip.ipv4_mapped:
        return address
    return f"{int(ip) >> 64:x}"


@transaction.atomic
def ask_within_limits(
    *, claim: str, corpus: Corpus, system: str, asked_by: User | None, address: str
) -> FactCheck:
    """Ask for evidence, unless whoever asks has asked too much in the last hour."""
    now = timezone.now()
    asked = _asked_by(asked_by, address, now).filter(asked_at__gt=now - HOUR)
    most = MEMBER_CLAIMS if asked_by else VISITOR_CLAIMS
    _require_room(asked, most, now)
    return ask_for_evidence(
        claim=claim,
        corpus=corpus,
        system=system,
        asked_by=asked_by,
        client="" if asked_by else client_key(address, now),
    )


def has_permalinks_left(check: FactCheck, now: datetime) -> bool:
    """Whether whoever asked may have another answer kept today."""
    same = FactCheck.objects.filter(batch=None, kept_at__gt=now - timedelta(days=1))
    if check.asked_by_id:
        return same.filter(asked_by=check.asked_by_id).count() < MEMBER_PERMALINKS
    return same.filter(client=check.client).count() < VISITOR_PERMALINKS


def _asked_by(person: User | None, address: str, now: datetime) -> QuerySet[FactCheck]:
    single = FactCheck.objects.filter(batch=None)
    if person is not None:
        return single.filter(asked_by=person)
    keys = {client_key(address, at) for at in (now, now - HOUR)}
    return single.filter(client__in=keys)


def _require_room(asked: QuerySet[FactCheck], most: int, now: datetime) -> None:
    times = asked.order_by("-asked_at").values_list("asked_at", flat=True)
    last = list(times[most - 1 : most])
    if not last:
        return
    free_at = last[0] + HOUR
    minutes = max(1, -int((now - free_at).total_seconds() // 60))
    noun = "minute" if minutes == 1 else "minutes"
    raise TooManyClaimsError(
        f"You have asked {most} claims within an hour, which is the limit. Ask again "
        f"in {minutes} {noun}; what you typed is still here.",
        free_at,
    )
