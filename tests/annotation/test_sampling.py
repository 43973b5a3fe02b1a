"""Stratified samples: hand-computed cases, and what holds for all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.sampling import allocate, draw, size_of_share

SIZES = st.dictionaries(
    st.tuples(st.sampled_from("abcdefgh")), st.integers(0, 60), min_size=1, max_size=8
)


@pytest.mark.parametrize(
    ("sizes", "size", "expected"),
    [
        # Quotas 5, 3 and 2 are whole.
        ({"a": 50, "b": 30, "c": 20}, 10, {"a": 5, "b": 3, "c": 2}),
        # Quotas 1.5, 0.9, 0.6: whole parts 1, 0, 0; the two left go to 0.9 and 0.6.
        ({"a": 50, "b": 30, "c": 20}, 3, {"a": 1, "b": 1, "c": 1}),
        # Quotas 2/3 each: equal remainders go in the order of the names.
        ({"b": 4, "a": 4, "c": 4}, 2, {"a": 1, "b": 1, "c": 0}),
        ({"a": 3, "b": 0}, 3, {"a": 3, "b": 0}),
        ({"a": 0}, 0, {"a": 0}),
    ],
)
def test_a_sample_is_divided_by_largest_remainders(
    sizes: dict[str, int], size: int, expected: dict[str, int]
) -> None:
    counts = allocate({(name,): n for name, n in sizes.items()}, size)
    assert counts == {(name,): n for name, n in expected.items()}


@given(sizes=SIZES, data=st.data())
def test_the_parts_add_up_and_keep_their_quota(
    sizes: dict[tuple[str, ...], int], data: st.DataObject
) -> None:
    total = sum(sizes.values())
    size = data.draw(st.integers(0, total))
    counts = allocate(sizes, size)
    assert sum(counts.values()) == size
    for stratum, n in counts.items():
        assert 0 <= n <= sizes[stratum]
        assert abs(n * total - size * sizes[stratum]) < max(total, 1)


@given(sizes=SIZES, seed=st.integers(0, 2**31 - 1), data=st.data())
def test_a_draw_depends_on_the_rows_and_the_seed_alone(
    sizes: dict[tuple[str, ...], int], seed: int, data: st.DataObject
) -> None:
    strata, start = {}, 1
    for stratum, n in sizes.items():
        strata[stratum] = list(range(start, start + n))
        start += n
    size = data.draw(st.integers(0, start - 1))
    drawn = draw(strata, size, seed)
    counts = allocate(sizes, size)
    assert len(set(drawn)) == len(drawn) == size
    for stratum, keys in strata.items():
        assert len(set(keys) & set(drawn)) == counts[stratum]
    shuffled = {
        stratum: data.draw(st.permutations(keys))
        for stratum, keys in reversed(strata.items())
    }
    assert draw(shuffled, size, seed) == drawn


def test_seeds_draw_different_pairs_with_equal_chances() -> None:
    """Of 10 keys 5 are drawn: over 400 seeds each comes about 200 times.

    The standard deviation is 10; five of them are allowed.
    """
    strata: dict[tuple[str, ...], range] = {("a",): range(10)}
    times = [0] * 10
    for seed in range(400):
        for key in draw(strata, 5, seed):
            times[key] += 1
    assert all(150 < n < 250 for n in times)


def test_more_than_there_is_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="3 cannot be drawn from 2"):
        allocate({("a",): 2}, 3)


def test_a_share_is_rounded_to_the_nearest_number() -> None:
    assert [size_of_share(n, 0.25) for n in (0, 1, 2, 8, 10)] == [0, 0, 1, 2, 3]
