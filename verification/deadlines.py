"""Deadlines: entered on the clock of any zone or AoE, and said in words. Pure.

AoE, "anywhere on Earth", is UTC-12: a day has not ended there before it has ended
everywhere.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

AOE = "AoE"
ANYWHERE_ON_EARTH = timezone(timedelta(hours=-12), AOE)

_MINUTE, _HOUR, _DAY = 60, 60 * 60, 24 * 60 * 60


class ClockTimeError(ValueError):
    """A time that the clock of a zone never shows, or shows twice."""


def zone_named(name: str) -> tzinfo:
    """Return AoE or a zone of the time zone database; ``ValueError`` otherwise."""
    if name == AOE:
        return ANYWHERE_ON_EARTH
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"There is no time zone “{name}”.") from error


def moment_of(clock_time: datetime, zone_name: str) -> datetime:
    """Return the moment, in UTC, at which a zone's clock shows a time.

    ``clock_time`` has no zone. ``ClockTimeError`` if the clock is put over that time
    and never shows it, or back and shows it twice.
    """
    zone = zone_named(zone_name)
    first, second = (
        clock_time.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)
    )
    shown = f"{clock_time:%Y-%m-%d %H:%M}"
    if first.astimezone(zone).replace(tzinfo=None) != clock_time:
        raise ClockTimeError(
            f"The clocks of {zone_name} are put forward over {shown}: there is no such "
            "time. Choose another, or give it in UTC."
        )
    if first != second:
        raise ClockTimeError(
            f"The clocks of {zone_name} are put back and show {shown} twice. Choose "
            "another time, or give it in UTC."
        )
    return first


def clock_time(moment: datetime, zone: tzinfo, zone_name: str) -> str:
    """Return what a zone's clock shows: ``2026-12-01 23:59 AoE``."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M} {zone_name}"


def time_left(moment: datetime, now: datetime) -> str:
    """Return how long it is until a moment, rounded down; empty once it has passed.

    The largest unit and the next smaller one: ``3 days 4 h``, ``4 h 05 min``,
    ``5 min 09 s``, ``9 s``.
    """
    seconds = int((moment - now).total_seconds())
    if seconds <= 0:
        return ""
    if seconds >= 2 * _DAY:
        return f"{seconds // _DAY} days {seconds % _DAY // _HOUR} h"
    if seconds >= _HOUR:
        return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE:02} min"
    if seconds >= _MINUTE:
        return f"{seconds // _MINUTE} min {seconds % _MINUTE:02} s"
    return f"{seconds} s"
