"""JSON with faults at paths; and texts that Python cannot read, which are faults."""

import json
import sys

import pytest

from f2csp.diagnostics import InvalidInput, Source
from f2csp.json_text import JsonCollector, digits, json_line, parse_json, parse_json_line


@pytest.mark.parametrize(
    ("text", "code", "start", "end"),
    [
        ("[1, 2", "F507", 5, 5),
        ("[1, 2\n\n", "F507", 5, 5),
        ("", "F507", 0, 0),
        ("[1 é]", "F501", 3, 4),
        ("[1] 2", "F501", 4, 5),
        ("\ufeff[1] 2", "F501", 4, 5),
        (100_000 * "[", "F501", 0, 0),
        (100_000 * '{"a":', "F501", 0, 0),
        (f"[1, {5000 * '1'}]", "F501", 4, 4),
        (f"[1, -{5000 * '1'}]", "F501", 5, 5),
    ],
)
def test_what_is_not_json_has_its_place(text: str, code: str, start: int, end: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_json(Source("text", text.encode()), "F501", "F507")
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.span.column - 1, fault.span.end_column - 1) == (code, start, end)


def test_an_object_keeps_a_key_that_is_there_twice() -> None:
    assert parse_json(Source("text", b'{"a": 1, "\\u0061": [{}]}'), "F501", "F507") == (("a", 1), ("a", [()]))


def test_a_finding_names_its_path_and_those_of_others() -> None:
    collector = JsonCollector(Source("text", b"\xef\xbb\xbf[]"))
    first = collector.place("a", 0, "b c")
    assert collector.place("a", 0, "b c") == first
    collector.add("F501", *collector.place("a", 1), "wrong", related=[(*first, "the first is here")])
    collector.add("F501", *collector.place(), "all wrong")
    one, other = collector.diagnostics()
    assert (one.message, one.notes) == ("a[1]: wrong", ("the first is here: a[0].b c",))
    assert (other.message, other.span.line, other.span.column) == ("all wrong", 1, 1)


def test_numbers_of_any_length_are_written_and_read_without_a_change_of_the_process() -> None:
    most = sys.get_int_max_str_digits()
    record = {"count": 3**20_000, "of": [{"n": -(7**9_000), "x": 0.5}, True, None, "é\udcff"]}
    line = json_line(record)
    assert parse_json_line(line.replace(b"\\", b"\\\\")) == {**record, "of": [*record["of"][:3], "é\\udcff"]}
    assert sys.get_int_max_str_digits() == most
    assert json_line({"a": [1, "é"]}) == json.dumps({"a": [1, "é"]}, ensure_ascii=False).encode() + b"\n"
    assert digits(10**5_000) == "1" + 5_000 * "0"
    assert digits(1_234_567, ",") == "1,234,567"
