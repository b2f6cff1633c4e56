"""Slips of people who write by hand: what is mended, what is left alone, and what the hints say."""

from io import BytesIO
from pathlib import Path

import pytest

from f2csp import validate
from f2csp.diagnostics import BOM, Source
from f2csp.text.load import report_on
from tests.fault_cases import check_faults

CORPUS = Path(__file__).parents[1] / "corpus"
COLOURS = """Map
Domains:
1
colour: red green blue
Variables:
2
WA: colour
NT: colour
Constraints:
1
C1
Vars:
2
WA NT
Reject:
3
red red
green green
blue blue
Goal:
Satisfy
"""


def findings(text):
    return [(d.span.line, d.span.column, d.code, d.hint) for d in validate(BytesIO(text.encode())).diagnostics]


def test_slips_are_reported_where_they_are_with_what_is_meant(expected):
    check_faults("slips", lambda source: report_on(source).require(), expected, COLOURS)


@pytest.mark.parametrize("title", ["goal\nVars: x\n", "[scope]\nAccept 3\n", "1. Vars: 2 a b\n# note\n"])
def test_a_title_hides_no_error_of_the_contents(title):
    n_tested = 0
    for path in (CORPUS / "invalid").rglob("*.csp"):
        text = path.read_bytes()
        places = [(d.code, d.start) for d in report_on(Source("t.csp", text)).diagnostics if d.code != "F401"]
        if places and min(places)[0] > "F1" and not text.startswith(BOM):
            n_tested += 1
            again = report_on(Source("t.csp", title.encode() + text)).diagnostics
            assert [(d.code, d.start - len(title)) for d in again if d.code != "F401"] == places, path
    assert n_tested > 100
