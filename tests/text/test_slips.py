"""Slips of people who write by hand: what is mended, what is left alone, and what the hints say."""

from io import BytesIO

import pytest

from f2csp import dumps, validate

GOOD = """Map
Domains:
1
colour: {domain}
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
{a} {a}
{b} {b}
{c} {c}
Goal:
Satisfy
"""
COLOURS = GOOD.format(domain="red green blue", a="red", b="green", c="blue")
NUMBERS = GOOD.format(domain="DOMAIN", a="1", b="2", c="3")


def findings(text):
    return [(d.span.line, d.span.column, d.code, d.hint) for d in validate(BytesIO(text.encode())).diagnostics]


@pytest.mark.parametrize(
    ("wrong", "right", "place"),
    [
        ("Domain:", "Domains:", (2, 1)),
        ("Doamins:", "Domains:", (2, 1)),
        ("Varaibles:", "Variables:", (5, 1)),
        ("Variable", "Variables:", (5, 1)),
        ("Constraint:", "Constraints:", (9, 1)),
        ("Cons:", "Constraints:", (9, 1)),
        ("Var:", "Vars:", (12, 1)),
        ("Vars", "Vars:", (12, 1)),
        ("Scope:", "Vars:", (12, 1)),
        ("Rejects:", "Reject:", (15, 1)),
        ("reject", "Reject:", (15, 1)),
        ("Forbidden:", "Reject:", (15, 1)),
        ("Goals:", "Goal:", (20, 1)),
        ("Goal", "Goal:", (20, 1)),
    ],
)
def test_a_misspelt_section_word_is_one_fault_and_what_follows_is_read(wrong, right, place):
    text = COLOURS.replace(f"\n{right}\n", f"\n{wrong}\n")
    ((line, column, code, hint),) = findings(text)
    assert (line, column) == place
    assert code == "F016"
    assert right in hint
    assert sorted(finding[2] for finding in findings(text.replace("blue blue", "blue gray"))) == ["F016", "F304"]


@pytest.mark.parametrize(
    ("domain", "meant"),
    [
        ("1-3", "1..3"),
        ("1...3", "1..3"),
        ("1 .. 3", "1..3"),
        ("1.. 3", "1..3"),
        ("1 - 3", "1..3"),
        ("1 to 3", "1..3"),
        ("1–3", "1..3"),
        ("1, ..., 3", "1..3"),
        ("[1, 2, 3]", "1, 2, 3"),
        ("'1' '2' '3'", "1"),
        ("1; 2; 3", "1"),
        ("1|2|3", "1 2 3"),
    ],
)
def test_a_domain_in_another_spelling_is_one_fault_with_the_spelling_that_is_meant(domain, meant):
    ((line, column, code, hint),) = findings(NUMBERS.replace("DOMAIN", domain))
    assert (line, column, code, hint) == (4, 9, "F309", f"write {meant}")


def test_hints_are_what_is_meant():
    text = COLOURS.replace("red red\ngreen green\nblue blue", "[red, red]; [green, green]; [blue, blue]")
    assert [finding[3] for finding in findings(text)][:2] == ["write (red, red)", "remove it"]


@pytest.mark.parametrize("marker", ["#", "//", "%", "--"])
@pytest.mark.parametrize(
    "before", ["WA: colour", "colour: red green blue", "red red", "C1", "WA NT", "Goal:", "Satisfy"]
)
def test_comments_are_one_fault_wherever_they_are(before, marker):
    text = COLOURS.replace(f"\n{before}\n", f"\n{marker} one\n{before} {marker} two words\n")
    found = [finding for finding in findings(text) if finding[2] != "F402"]
    assert [finding[3] for finding in found] == ["F2CSP has no comments: put remarks in the title"]


@pytest.mark.parametrize(
    ("right", "wrong", "hint"),
    [
        ("red red", "[red, red]", "write red, red"),
        ("red red", '"red" "red"', "write red"),
        ("red red", "red; red", "write red"),
        ("red red", "red -> red", "remove it"),
        ("red red", "red\xa0red", "write a space"),
        ("WA NT", "WA – NT", "remove it"),
        ("WA: colour", "WA： colour", "write :"),
        ("red red", "red *", "F2CSP has no wildcards: write a tuple for each value of NT"),
        ("red red", "WA = NT", "F2CSP has tables only: list the tuples under Reject: or Accept:"),
    ],
)
def test_the_hint_names_what_is_meant(right, wrong, hint):
    assert [finding[3] for finding in findings(COLOURS.replace(f"\n{right}\n", f"\n{wrong}\n"))] == [hint]


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
