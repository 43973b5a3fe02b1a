"""Links that make whoever opens one an organiser of a benchmark, once.

A link is signed and names the organisers there are and the last change of them, so that
it ends with the next one: nothing has to be kept, and nobody learns who has an account
here.
"""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.db.models import Max

from corpus.models import Event
from verification.models import Benchmark

DAYS = 14
"""So long a link works."""
_SALT = "verification.organisers"


def token_of(benchmark: Benchmark) -> str:
    """Return the token of a link to a benchmark's organisers as they are now."""
    return signing.dumps([benchmark.pk, *_organisers_now(benchmark)], salt=_SALT)


def benchmark_of(token: str) -> Benchmark | None:
    """Return the benchmark that a token leads to, or ``None`` if it leads nowhere."""
    try:
        pk, *organisers = signing.loads(token, salt=_SALT, max_age=timedelta(days=DAYS))
    except signing.BadSignature:
        return None
    benchmark = Benchmark.objects.filter(pk=pk).first()
    if benchmark is None or _organisers_now(benchmark) != organisers:
        return None
    return benchmark


def _organisers_now(benchmark: Benchmark) -> list[object]:
    """Return who organises, and the event since which they do.

    The organisers alone would bring an old link back when somebody joins and leaves.
    """
    changes = Event.objects.filter(
        noun="benchmark",
        object_id=benchmark.pk,
        verb__in=("add_organiser", "remove_organiser"),
    )
    return [organiser_keys(benchmark), changes.aggregate(last=Max("pk"))["last"]]


def organiser_keys(benchmark: Benchmark) -> list[int]:
    """Return the keys of the organisers in their order."""
    return list(benchmark.organisers.order_by("pk").values_list("pk", flat=True))
