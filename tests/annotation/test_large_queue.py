"""A queue of 100,000 items: the next one comes from the front of an index.

What is checked is the plan of the database, since times say little on a shared
machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from annotation.access import get_project
from annotation.models import (
    Claim,
    ClaimVersion,
    Judgement,
    Lease,
    Pair,
    Source,
    Stage,
)
from annotation.selectors.queue import WINDOWS, left_for
from annotation.services.leases import take_next
from corpus.models import Citance
from tests.annotation.work import approved, judged
from tests.factories import Team, UserFactory, make_team

SIZE, FIRST = 100_000, 1_000_000
UUID = {
    "sqlite": "printf('%032x', n)",
    "postgresql": "lpad(to_hex(n), 32, '0')::uuid",
}

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def copy(row: Model, **values: str) -> None:
    """Make 100,000 copies of a row by one statement; ``n`` counts from 1."""
    fields = [f for f in row._meta.concrete_fields if not f.primary_key]
    columns = [f'"{field.column}"' for field in fields]
    chosen = {column: column for column in columns}
    chosen |= {f'"{column}"': value for column, value in values.items()}
    table = row._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO {table} (id, {", ".join(columns)})
            WITH RECURSIVE numbers(n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {SIZE}
            )
            SELECT {FIRST} + n, {", ".join(chosen[column] for column in columns)}
            FROM numbers, {table} WHERE id = {row.pk}
            """  # noqa: S608
        )


@pytest.fixture
def team(db: None) -> Team:
    """Work of every kind: 100,000 sources, claims, pairs and judgements wait."""
    team = make_team(citances=4)
    keep = {**team.project.settings, "judgements_per_pair": 2}
    team.project.settings = keep
    team.project.save(update_fields=["settings"])
    pair = approved(team).pairs.get()
    claim = Claim.objects.get()
    judgement = judged(pair, UserFactory())
    citance = Citance.objects.latest("pk")
    number = f"{FIRST} + n"
    copy(citance, external_id="'copy-' || n")
    copy(Source.objects.latest("position"), position=number, citance_id=number)
    copy(
        claim,
        position=number,
        external_id="'copy-' || n",
        family=UUID[connection.vendor],
        author_id=str(team.read_only.pk),
        # Every third waits for proofreading, the others for negation.
        state="CASE n % 3 WHEN 0 THEN 'submitted' ELSE 'approved' END",
    )
    copy(pair, claim_id=number)
    copy(judgement, pair_id=number, slot="1")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return team


BIG = "annotation_(?:pair|claim|judgement|source)|corpus_citance"


def is_bad(sql: str, plan: str) -> bool:
    """Whether a question reads a big table row by row, or sorts the whole queue."""
    if connection.vendor == "postgresql":
        scans = re.search(rf"Seq Scan on (?:{BIG})\b", plan)
        sorted_rows = re.findall(r"\bSort  \(.*? rows=(\d+) ", plan)
        return bool(scans) or any(int(rows) > WINDOWS[-1] for rows in sorted_rows)
    # Only where rows are picked by their keys may some few be sorted.
    picks = " IN (" in sql or '"id" = ' in sql
    scans = re.search(rf"SCAN (?:{BIG})\b", plan)
    return bool(scans or (not picks and "TEMP B-TREE FOR ORDER BY" in plan))


def bad_plans(work: Callable[[], object], at_least: int = 5) -> list[str]:
    """The questions that the work asks in a way that costs more in a longer queue."""
    with CaptureQueriesContext(connection) as asked:
        work()
    reads = [q["sql"] for q in asked.captured_queries if q["sql"][:6] == "SELECT"]
    assert len(reads) >= at_least
    return [f"{sql}\n{plan}" for sql in reads if is_bad(sql, plan := explain(sql))]


def explain(sql: str) -> str:
    prefix = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{prefix} {sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


CASES: list[tuple[str, Stage]] = [
    ("annotator", Stage.WRITE),
    ("annotator", Stage.NEGATE),
    ("annotator", Stage.VERIFY),
    ("other_annotator", Stage.VERIFY),
    ("reviewer", Stage.PROOFREAD),
    ("admin", Stage.WRITE),
    ("reviewer", Stage.REVIEW),
]


@pytest.mark.parametrize("is_second", [False, True], ids=["first", "second"])
def test_the_next_item_comes_from_the_front_of_an_index(
    team: Team, is_second: bool
) -> None:
    """The second time people have something in hand, and the last item behind them."""
    if is_second:
        _begin(team)
    bad = []
    for role, stage in CASES:
        access = get_project(getattr(team, role), team.project.slug)
        taken: list[Lease | None] = []
        bad += bad_plans(lambda: taken.append(take_next(access=access, stage=stage)))  # noqa: B023
        assert taken[0] is not None, (role, stage)
    assert bad == [], "\n\n".join(bad)
    assert Judgement.objects.count() > SIZE
    assert Pair.objects.count() > SIZE


def test_what_is_left_is_counted_at_the_front_of_an_index(team: Team) -> None:
    bad, counted = [], []
    for role, stage in CASES:
        access = get_project(getattr(team, role), team.project.slug)
        count = partial(left_for, access, stage)
        bad += bad_plans(count, at_least=2)
        with CaptureQueriesContext(connection) as asked:
            counted.append(count())
        assert len(asked) <= 2 * len(WINDOWS), (role, stage)
    assert bad == [], "\n\n".join(bad)
    assert all(left.is_more for left in counted)


def _begin(team: Team) -> None:
    """Let everybody do one item, and take another one."""
    for role in ("annotator", "other_annotator"):
        person = getattr(team, role)
        access = get_project(person, team.project.slug)
        lease = take_next(access=access, stage=Stage.VERIFY)
        assert lease is not None
        pair = Pair.objects.get(pk=lease.item_id)
        ClaimVersion.objects.get_or_create(
            claim=pair.claim, number=pair.claim.version, defaults={"text": "Tea."}
        )
        judged(pair, person)
        take_next(access=access, stage=Stage.VERIFY)


def test_the_check_would_see_a_sort_and_a_scan(team: Team) -> None:
    for rows in (
        team.project.pairs.order_by("origin"),
        Pair.objects.filter(given_sentence=7),
    ):
        sql = str(rows.query)
        assert is_bad(sql, explain(sql)), explain(sql)


def test_many_that_are_not_for_a_person_are_passed_over(team: Team) -> None:
    """All but the last 2,000 pairs are the person's own: windows grow until the end."""
    last = FIRST + SIZE - 2000
    Claim.objects.filter(pk__lt=last).update(author=team.annotator)
    access = get_project(team.annotator, team.project.slug)
    lease = take_next(access=access, stage=Stage.VERIFY)
    assert lease is not None
    assert lease.item_id == last
