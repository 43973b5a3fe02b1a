"""Drawing a stratified sample that anybody can draw again. Pure.

A sample is fixed by its size, its seed, and the keys in each stratum. Nothing depends
on the order of rows, on the platform, or on the version of Python.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TypeAlias

Stratum: TypeAlias = tuple[str, ...]


def allocate(sizes: Mapping[Stratum, int], size: int) -> dict[Stratum, int]:
    """Return how many to draw from each stratum: proportional, largest remainders.

    Of ``N`` items, stratum ``h`` has ``N_h``, and its quota is ``size * N_h / N``. Each
    gets the whole part of its quota; what is left of ``size`` goes, one each, to the
    largest remainders, among equal ones to the stratum that sorts first. No stratum
    gets more than it has, or is off its quota by one or more.

    ``ValueError`` if ``size`` is negative or more than there is.
    """
    total = sum(sizes.values())
    if not 0 <= size <= total:
        raise ValueError(f"{size} cannot be drawn from {total}.")
    if not total:
        return dict.fromkeys(sizes, 0)
    counts = {stratum: size * n // total for stratum, n in sizes.items()}
    left = size - sum(counts.values())
    by_remainder = sorted(sizes, key=lambda h: (-(size * sizes[h] % total), h))
    for stratum in by_remainder[:left]:
        counts[stratum] += 1
    return counts


def draw(strata: Mapping[Stratum, Iterable[int]], size: int, seed: int) -> list[int]:
    """Return ``size`` keys in ascending order, as ``allocate`` divides them.

    Within a stratum those come first whose SHA-256 of ``seed:key`` is smallest.
    """
    pools = {stratum: list(keys) for stratum, keys in strata.items()}
    counts = allocate({stratum: len(keys) for stratum, keys in pools.items()}, size)
    drawn: list[int] = []
    for stratum, keys in pools.items():
        drawn += sorted(keys, key=lambda key: _rank(seed, key))[: counts[stratum]]
    return sorted(drawn)


def _rank(seed: int, key: int) -> bytes:
    return hashlib.sha256(f"{seed}:{key}".encode()).digest()


def size_of_share(total: int, share: float) -> int:
    """Return a share of a number of items, rounded to the nearest; halves go up."""
    return int(total * share + 0.5)
