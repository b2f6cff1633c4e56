"""Texts with one mistake each, as people, scripts, editors and spreadsheets make them: ``hand_written.jsonl``.

The first lines of the file are sound texts. A case changes one of them, or is a whole text; it has the codes and lines
that are right for its one fault, and cures: changes that give texts that may have been meant. A case that is sure must
be mended to a cure; another one is left, or mended to a cure. A case is open as long as it fails: ``pytest --update``
closes those that no longer do, and opens none.
"""

import json
from io import BytesIO
from pathlib import Path

import pytest

from f2csp import dumps, loads, validate
from f2csp.diagnostics import Source
from f2csp.text.load import apply_fixes

DATA = Path(__file__).with_name("hand_written.jsonl")
RECORDS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
SOUND = {record["name"]: record["sound"] for record in RECORDS if "sound" in record}
CASES = [record for record in RECORDS if "sound" not in record]


def changed(text, changes):
    for old, new in changes:
        assert text.count(old) == 1, (old, new)
        text = text.replace(old, new)
    return text


def shortcomings(case):
    """What is wrong with the diagnostics and the cure of a case."""
    text = case["text"] if "text" in case else changed(SOUND[case["of"]], case["changes"])
    data = text.encode("utf-8", "surrogateescape")
    errors = [d for d in validate(BytesIO(data)).diagnostics if d.severity == "error"]
    places = [f"{d.code} in line {d.span.line}" for d in errors]
    if len(errors) != 1 or errors[0].code not in case["codes"] or errors[0].span.line not in case["lines"]:
        yield f"expected {' or '.join(case['codes'])} in line {case['lines']}, found {places}"
    mended = apply_fixes(Source("text", data)).report.problem
    cures = [dumps(loads(changed(SOUND[case["of"]], changes))) for changes in case["cures"]]
    if (dumps(mended) if mended else None) not in (cures if case["is_sure"] else [None, *cures]):
        yield "mended to another problem" if mended else "not mended"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.xfail(strict=True) if case["is_open"] else (), id=case["name"])
        for case in CASES
    ],
)
def test_a_mistake_is_one_fault_at_its_place(case):
    assert not list(shortcomings(case))


def test_the_open_cases_are_marked(expected):
    marked = [case | {"is_open": case["is_open"] and any(shortcomings(case))} for case in CASES]
    expected(DATA, "".join(f"{json.dumps(record)}\n" for record in [*RECORDS[: len(SOUND)], *marked]))
