"""JSON with places: the span of each value and key is where the value or the key is written."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import Collector, Source
from f2csp.json_text import JsonLayout, kind_of, members, parse_json, repeated_keys, unquoted, value_start

TEXTS = st.text(st.sampled_from('a"\\[]{},: é\n😀'), max_size=4)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=20,
)
FORMS = st.fixed_dictionaries({"indent": st.sampled_from([None, 0, 2]), "ensure_ascii": st.booleans()})


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(inner, (*path, step))


@given(VALUES, FORMS, st.sampled_from(["", "\ufeff", " \n"]))
def test_each_value_and_each_key_has_its_span(value: Any, form: dict[str, Any], before: str) -> None:
    source = Source("text", (before + json.dumps(value, **form) + " ").encode())
    layout = JsonLayout(source)
    for path, inner in paths(value):
        start, end = layout.span(*path)
        assert json.loads(source.data[start:end]) == inner
        if path and isinstance(path[-1], str):
            assert unquoted(source.data, layout.key(*path)) == path[-1]
        if isinstance(inner, list):
            assert len(list(layout.spans_in((start, end)))) == len(inner)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{"a": 1, "b": 2}', []),
        ('{"a": 1, "\\u0061": [{"b": 1, "b": {}}]}', ['"\\u0061"', '"b"']),
        ('[1, "a", {"a": "a"}, {"a": {"a": 1, "a": 2, "a": 3}}]', ['"a"', '"a"']),
        ('{"a": {"b": {"c": {"d": 1, "d": 1}}}}', []),  # deeper than is looked for
    ],
)
def test_repeated_keys_are_found(text: str, keys: list[str]) -> None:
    data = text.encode()
    assert [data[slice(*span)].decode() for span in repeated_keys(data, 0, 2)] == keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, 2", ("F507", 5, 5)),
        ("[1, 2\n\n", ("F507", 5, 5)),
        ("", ("F507", 0, 0)),
        ("[1 é]", ("F501", 3, 5)),
        ("[1] 2", ("F501", 4, 5)),
        (100_000 * "[", ("F501", 3, 4)),
    ],
)
def test_what_is_not_json_has_its_place(text: str, expected: tuple[str, int, int]) -> None:
    source = Source("text", text.encode())
    collector = Collector(source)
    assert parse_json(source, collector, ("F501", "F507"), 3) is None
    (fault,) = collector.diagnostics()
    start, end = (len(text.encode()[:offset].decode()) + 1 for offset in expected[1:])
    assert (fault.code, fault.span.column, fault.span.end_column) == (expected[0], start, end)


def test_a_number_of_any_length_is_read() -> None:
    source = Source("text", ("[" + "1" * 5000 + "]").encode())
    assert parse_json(source, Collector(source), ("F501", "F507"), 3) == [float("inf")]


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("1", "a number"),
        ("-0", "a number"),
        ("1.0", "a number that is no integer"),
        ("NaN", "a number that is no integer"),
        ('"1"', "a string"),
        ("true", "a boolean"),
        ("null", "null"),
        ("[]", "a list"),
        ("{}", "an object"),
    ],
)
def test_kinds(token: str, kind: str) -> None:
    assert kind_of(token.encode()) == kind


def test_a_value_that_is_no_list_and_no_object_has_no_members() -> None:
    assert list(members(b' "[1]"', value_start(b' "[1]"', 0))) == []
