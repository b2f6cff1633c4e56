"""Slips of people who write by hand: what is mended, what is left alone, and what the hints say."""

from io import BytesIO

import pytest

from f2csp import dumps, validate
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


@pytest.mark.parametrize(
    ("domain", "hint"),
    [
        ("1-3", "did you mean 1..3?"),
        ("1 .. 3", "did you mean 1..3?"),
        ("{1, ..., 9}", "did you mean 1..9?"),
        ("0-17 18-64", "did you mean 0..17?"),
        ("red, ...", "write all values"),
        ("1..3", None),
        ("1-1 1-2 2-1", None),
        ("1-2 2-3", None),
        ("1-3 red", None),
        ("a-c", None),
        ("3 2 - 1", None),
        ("to 1 2", None),
        (".. .X X.", None),
        ("... ..X .X.", None),
        ("1.. ..3 a..b 01..3 1...3", None),
    ],
)
def test_symbols_like_a_range_are_warned_about_where_nothing_else_can_be_meant(domain, hint):
    text = f"Symbols\nDomains: 1\nn: {domain}\nVariables: 1\nx: n\nConstraints: 0\nGoal: Satisfy\n"
    found = [finding for finding in findings(text) if finding[2] == "F409"]
    assert [(line, hint) for line, _, _, hint in found] == ([(3, hint)] if hint else [])


def test_a_name_with_a_blank_is_one_fault_where_it_is_declared():
    (finding,) = findings(COLOURS.replace("WA", "Western Australia"))
    assert finding == (7, 1, "F012", "write Western_Australia")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("red", "Goals"),
        ("red", "1-3"),
        ("red", "'red'"),
        ("red", "#"),
        ("red", "[red]"),
        ("C1", "Var"),
        ("WA", "Variable"),
        ("Map", "Domain: 3"),
    ],
)
def test_names_and_values_like_slips_are_left_alone(old, new):
    text = COLOURS.replace(old, new)
    assert not findings(text)
    assert [finding[2] for finding in findings(text.replace("Satisfy", "Maximise"))] == ["F008"]


@pytest.mark.parametrize(("new", "code"), [(b"C1Vars:", "F003"), (b"Va\xffrs:", "F001")])
def test_a_header_that_is_damaged_otherwise_is_not_called_misspelt(new, code):
    report = validate(BytesIO(COLOURS.encode().replace(b"C1\nVars:" if code == "F003" else b"Vars:", new)))
    assert report.diagnostics[0].code == code
    assert "F016" not in {finding.code for finding in report.diagnostics}


def test_a_value_is_reported_once_for_its_domain():
    report = validate(BytesIO(COLOURS.replace("red red\ngreen green", "pink pink\npink green").encode()))
    (finding,) = report.diagnostics
    assert (finding.span.line, finding.span.column, finding.code) == (17, 1, "F304")
    assert finding.notes == ("pink is used 3 times for domain colour",)


def test_the_place_of_a_slip_is_in_the_text_as_it_was_written():
    text = COLOURS.replace("Domains", "Domain").replace("green green", "green gren")
    assert [finding[:3] for finding in findings(text)] == [(2, 1, "F016"), (18, 7, "F304")]


def test_old_line_ends_are_one_fault():
    assert [finding[2] for finding in findings(COLOURS.replace("\n", "\r"))] == ["F002"]


def test_a_good_text_needs_none_of_this():
    report = validate(BytesIO(COLOURS.encode()))
    assert report.problem is not None
    assert dumps(report.problem) == COLOURS
