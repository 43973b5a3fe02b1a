"""Repeated keys are found on lines of few and of many objects alike."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.problems import Problems
from corpus.formats.strict_json import StrictDecoder

# A value with each object as a list of pairs, in which a key may occur twice.
KEYS = st.sampled_from(["a", "b", "a:b", '"', "{", "é"])
LEAVES = st.one_of(st.integers(), st.sampled_from(["", ":", '":', "{}", "x:{"]))
PAIRED = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(st.tuples(KEYS, inner), max_size=4).map(tuple),
    ),
    max_leaves=40,
)


def written(value: Any) -> str:
    """Return JSON of a value whose objects are tuples of pairs."""
    if isinstance(value, tuple):
        fields = (f"{json.dumps(k)} : {written(v)}" for k, v in value)
        return "{" + ",".join(fields) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def has_repeated_key(value: Any) -> bool:
    if isinstance(value, tuple):
        keys = [key for key, _ in value]
        inner = [v for _, v in value]
        return len(set(keys)) < len(keys) or any(map(has_repeated_key, inner))
    return isinstance(value, list) and any(map(has_repeated_key, value))


@given(st.lists(st.tuples(st.integers(), PAIRED), min_size=8, max_size=20))
def test_a_repeated_key_is_found_wherever_it_stands(fields: Any) -> None:
    value = tuple((str(key), (("e", inner),)) for key, inner in fields)
    problems = Problems(1)
    found = StrictDecoder().decode(written(value), problems)
    if has_repeated_key(value):
        assert found is None
        assert all("occurs twice" in p.message for p in problems.found())
    else:
        assert not problems.has_errors
        assert found == json.loads(written(value))


def line(*, last: str = '{"k": 1}') -> str:
    objects = [f'"{n}": {{"k": {n}}}' for n in range(20)]
    return "{" + ", ".join([*objects, f'"last": {last}']) + "}"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (line(), []),
        (line(last='{"k": 1, "k": 2}'), ["The key k occurs twice in one object."]),
        (line(last='[{"k": 1, "k": 2}]'), ["The key k occurs twice in one object."]),
        # One colon less than keys, and one more: neither hides the other.
        (
            line(last='{"k": ":", "k": 2}'),
            ["The key k occurs twice in one object."],
        ),
        (line(last='{"k": NaN}'), ["NaN is not a JSON number."]),
        (line(last='{"k": 1e999}'), ["The number 1e999 is too large."]),
        (
            line(last='{"k": 1, "k": 2')[:-1],
            ["The line is not valid JSON"],
        ),
        (
            line(last='{"k": 1, "k": 2}')[:-1],
            ["The line is not valid JSON", "The key k occurs twice in one object."],
        ),
        (line(last='{"k":' * 70 + "1" + "}" * 70), ["nested more than 64 deep"]),
    ],
)
def test_a_line_of_many_objects_has_the_same_errors(
    text: str, messages: list[str]
) -> None:
    problems = Problems(1)
    found = StrictDecoder().decode(text, problems)
    told = [problem.message for problem in problems.found()]
    assert len(told) == len(messages)
    assert all(part in whole for part, whole in zip(messages, told, strict=True))
    assert (found is None) == bool(messages)


def test_a_text_with_colons_does_not_hide_a_key_on_a_later_line() -> None:
    decoder = StrictDecoder()
    for text, is_good in [
        (line(last='{"k": "a: b"}'), True),
        (line(last='{"k": 1, "k": 2}'), False),
        (line(), True),
    ]:
        assert (decoder.decode(text, Problems(1)) is not None) == is_good
