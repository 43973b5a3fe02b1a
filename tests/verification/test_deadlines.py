"""Deadlines by hand: AoE, zones, and clocks that are put forward or back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from verification.deadlines import (
    ANYWHERE_ON_EARTH,
    AOE,
    ClockTimeError,
    clock_time,
    moment_of,
    time_left,
    zone_named,
)


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("shown", "zone", "moment"),
    [
        # The last minute of the day anywhere on Earth is noon in UTC, next day.
        ("2026-12-01 23:59", AOE, "2026-12-02 11:59"),
        ("2026-12-01 23:59", "UTC", "2026-12-01 23:59"),
        # Berlin: UTC+1 in winter, UTC+2 in summer.
        ("2026-12-01 23:59", "Europe/Berlin", "2026-12-01 22:59"),
        ("2026-07-01 23:59", "Europe/Berlin", "2026-07-01 21:59"),
        # Half and three-quarter hours.
        ("2026-12-01 12:00", "Asia/Kolkata", "2026-12-01 06:30"),
        ("2026-12-01 12:00", "Asia/Kathmandu", "2026-12-01 06:15"),
        # The farthest ahead, UTC+14: the day before in UTC.
        ("2026-12-02 00:30", "Pacific/Kiritimati", "2026-12-01 10:30"),
        # The minute before the clocks go forward, and the one after.
        ("2026-03-29 01:59", "Europe/Berlin", "2026-03-29 00:59"),
        ("2026-03-29 03:00", "Europe/Berlin", "2026-03-29 01:00"),
        # Around the hour that comes twice.
        ("2026-10-25 01:59", "Europe/Berlin", "2026-10-24 23:59"),
        ("2026-10-25 03:00", "Europe/Berlin", "2026-10-25 02:00"),
    ],
)
def test_a_clock_time_is_a_moment(shown: str, zone: str, moment: str) -> None:
    assert moment_of(datetime.fromisoformat(shown), zone) == _utc(moment)


@pytest.mark.parametrize(
    ("shown", "zone", "words"),
    [
        ("2026-03-29 02:30", "Europe/Berlin", "put forward"),
        ("2026-03-08 02:00", "America/New_York", "put forward"),
        ("2026-10-25 02:30", "Europe/Berlin", "twice"),
        ("2026-11-01 01:00", "America/New_York", "twice"),
        # Samoa left out a whole day.
        ("2011-12-30 12:00", "Pacific/Apia", "put forward"),
    ],
)
def test_a_time_that_no_clock_shows_once_is_refused(
    shown: str, zone: str, words: str
) -> None:
    with pytest.raises(ClockTimeError, match=words):
        moment_of(datetime.fromisoformat(shown), zone)


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        zone_named(name)


def test_a_moment_is_shown_on_any_clock() -> None:
    moment = _utc("2026-12-02 11:59")
    assert clock_time(moment, ANYWHERE_ON_EARTH, AOE) == "2026-12-01 23:59 AoE"
    assert clock_time(moment, UTC, "UTC") == "2026-12-02 11:59 UTC"
    zone = zone_named("Asia/Tokyo")
    assert clock_time(moment, zone, "Asia/Tokyo") == "2026-12-02 20:59 Asia/Tokyo"


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=3, hours=4, minutes=59), "3 days 4 h"),
        (timedelta(days=2), "2 days 0 h"),
        (timedelta(days=2) - timedelta(seconds=1), "47 h 59 min"),
        (timedelta(hours=4, minutes=5), "4 h 05 min"),
        (timedelta(minutes=59, seconds=59), "59 min 59 s"),
        (timedelta(seconds=60), "1 min 00 s"),
        (timedelta(seconds=9.9), "9 s"),
        (timedelta(seconds=0.9), ""),
        (timedelta(), ""),
        (timedelta(days=-1), ""),
    ],
)
def test_the_time_left_is_rounded_down(left: timedelta, words: str) -> None:
    now = _utc("2026-12-01 00:00")
    assert time_left(now + left, now) == words
