"""Slips of people who write by hand: what is mended, what is left alone, and what the hints say."""

from io import BytesIO

from f2csp import validate
from f2csp.text.load import report_on
from tests.fault_cases import check_faults

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
