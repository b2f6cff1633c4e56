"""Mending: only what is certain changes, and a valid text keeps its meaning."""

from pathlib import Path

import pytest

from f2csp.diagnostics import Source
from f2csp.diagnostics.render import not_listed
from f2csp.files import read_source
from f2csp.text.load import apply_fixes, load, loads, report_on

CORPUS = Path(__file__).parents[1] / "corpus"
TEXT = """Two cells
Domains:
1
D1: 1 2 Red
Variables:
2
V1: D1
V2: D1
Constraints:
2
C1
Vars:
2
V1 V2
Reject:
2
1 1
2 Red
C2
Vars:
1
V1
Accept:
1
Red
Goal:
Satisfy
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Domains:\n1", "Domains:"),
        ("Variables:\n2", "Variables:\n02"),
        ("Constraints:\n2", "Constraints:\n1"),
        ("Vars:\n2", "Vars: 3"),
        ("Vars:\n2", "Vars:"),
        ("Reject:\n2", "Reject:"),
        ("Accept:\n1\nRed", "Accept:\nRed"),
        ("\n2 Red\n", "\n2 Red\n1 1\n"),
        ("\n2 Red\n", "\n(2, Red) (2, Red)\n"),
        ("\n2 Red\n", "\n02 red\n"),
        ("\n2 Red\n", "\n2, Red,\n"),
        ("\n2 Red\n", "\n'2' [Red];\n"),
        ("1 2 Red\n", "1, 2, Red,\n"),
        ("V2: D1", "V2: D1,"),
        ("V1 V2\n", "V1, V2,\n"),
        ("Satisfy", "Satisfied"),
        ("Goal:\nSatisfy\n", ""),
        ("Two cells", "\ufeff\ufeffTwo cells"),
        ("Vars:\n2", "Vars:\n+2"),
        ("Vars:\n2", "Vars:\n2.0"),
        ("Vars:\n2\nV1 V2", "Vars:\nV1 V2\n2"),
        ("Vars:\n2\nV1 V2", "Vars: V1 V2"),
        ("1 1\n2 Red\n", "1 1 2 Red\n"),
        ("1 1\n2 Red\n", "1 1; 2 Red\n"),
        ("1 1\n2 Red\n", "(1, 1\n(2, Red)\n"),
        ("D1: 1 2 Red", "1 2 Red"),
        ("V2: D1", "V2 = D1"),
        ("V2: D1", "V2 D1"),
        ("V1: D1\nV2: D1", "V1 V2: D1"),
        ("V1: D1\nV2: D1", "- V1: D1\n- V2: D1"),
        ("C2\n", ""),
        ("C2\nVars:", "C2 Vars:"),
        ("V1 V2\nReject:", "V1 V2 Reject:"),
        ("Domains:", "## Domains:"),
        ("Variables:\n2", "2 Variables:"),
        ("Goal:", "Goal::"),
    ],
)
def test_what_is_certain_is_fixed(old, new):
    damaged = TEXT.replace(old, new, 1)
    fixed = apply_fixes(Source("a", damaged.encode()))
    assert fixed.n_fixes
    assert fixed.report.require() == loads(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Domains:\n1", "Domains:\n7"),
        ("Variables:\n2", "Variables:\n3"),
        ("Constraints:\n2", "Constraints:\n5"),
        ("Reject:\n2", "Reject:\n9"),
        ("Accept:\n1", "Accept: 2"),
    ],
)
def test_what_may_be_a_loss_is_fixed_on_request(old, new):
    damaged = Source("a", TEXT.replace(old, new, 1).encode())
    (diagnostic,) = report_on(damaged).diagnostics
    assert diagnostic.fix is not None
    assert not diagnostic.fix.is_safe
    assert apply_fixes(damaged).source == damaged
    assert apply_fixes(damaged, unsafe=True).report.require() == loads(TEXT)


def test_a_repeated_tuple_that_the_count_includes_is_removed_on_request():
    damaged = Source("a", TEXT.replace("2\n1 1\n2 Red", "3\n1 1\n2 Red\n1 1").encode())
    assert not apply_fixes(damaged).report.is_valid
    assert apply_fixes(damaged, unsafe=True).report.require() == loads(TEXT)


def test_a_misspelt_word_is_fixed_everywhere():
    constraint = "Vars:\n2\nV1 V2\nReject:\n1\n1 1\n"
    head = TEXT[: TEXT.index("Constraints:")]
    text = head + "Constraints:\n40\n" + "".join(f"C{i}\n{constraint}" for i in range(1, 41)) + "Goal:\nSatisfy\n"
    assert apply_fixes(Source("a", text.replace("Vars:", "Varz:").encode())).report.require() == loads(text)


def test_several_faults_are_fixed_at_once():
    damaged = TEXT
    for word in ("Domains:\n1", "Variables:\n2", "Constraints:\n2", "Reject:\n2", "Vars:\n2", "Vars:\n1", "Accept:\n1"):
        damaged = damaged.replace(word, word.split("\n")[0])
    assert apply_fixes(Source("a", damaged.encode())).report.require() == loads(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Variables:\n2\nV1: D1\n", "Variables:\n2\n"),  # a variable that is used has been lost
        ("1 2 Red", "1 2 2"),  # the last may have been meant otherwise
        ("\n2 Red\n", "\n2 Redd\n"),
        ("1 2 Red\n", "1 2 Red RED\n2 red\n"),
        ("Accept:\n1\nRed", "Accept:\n2\n1"),  # a wrong count, or two tuples without one
        ("Reject:\n2\n1 1\n2 Red\n", "Reject:\n2\n"),
        ("Goal:\nSatisfy", "Goal:\nMaximise"),
        ("Goal:\nSatisfy", "Satisfy"),
    ],
)
def test_what_is_not_certain_stays(old, new):
    damaged = TEXT.replace(old, new, 1).encode()
    fixed = apply_fixes(Source("a", damaged))
    assert (fixed.source.data, fixed.n_fixes, fixed.report.is_valid) == (damaged, 0, False)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("valid/*/*.csp")), ids=lambda path: path.name)
def test_a_valid_text_keeps_its_meaning(path):
    assert apply_fixes(read_source(path)).report.require() == load(path)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("invalid/F[!0]*/*.csp")), ids=lambda path: path.name)
def test_nothing_that_can_be_fixed_is_left(path):
    fixed = apply_fixes(Source("a", path.read_bytes()))
    assert not any(d.fix and d.fix.is_safe for d in fixed.report.diagnostics)
    assert apply_fixes(fixed.source).source == fixed.source
    assert not any(d.fix for d in apply_fixes(fixed.source, unsafe=True).report.diagnostics)


def test_a_fix_says_its_place_in_lines_and_in_bytes():
    data = TEXT.replace("Two cells", "Zwei Fächer").replace("Reject:\n2", "Reject: 5").encode()
    (diagnostic,) = report_on(Source("a", data)).diagnostics
    assert diagnostic.fix is not None
    assert diagnostic.fix.span == diagnostic.span
    assert data[diagnostic.fix.start : diagnostic.fix.end] == b"5"
    assert diagnostic.fix.text == "2"


def test_a_fix_says_what_it_does():
    text = TEXT.replace("Reject:\n2", "Reject:\n1", 1).replace("Variables:\n2\n", "Variables:\n", 1)
    fixes = [diagnostic.fix for diagnostic in report_on(Source("a", text.encode())).diagnostics]
    assert [fix.title for fix in fixes if fix] == ["insert 2", "write 2"]


def test_of_very_many_errors_not_all_are_looked_for():
    head = TEXT.split("C1\n")[0]
    report = report_on(Source("a", head.encode() + b"Vars:\nReject:\n" * 20_000))
    assert 9_900 < report.n_hidden < 11_000
    assert not_listed(report.n_hidden).startswith("at least 9")
    assert not_listed(7) == "7 more not listed"
