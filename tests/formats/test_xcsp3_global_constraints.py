"""XCSP3: each global constraint has the solutions that its definition gives, whether it becomes a table or a chain."""

import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.xcsp3 import lowering, read
from f2csp.instances import read as read_file
from f2csp.model import Problem
from f2csp.model.words import is_auxiliary
from f2csp.solving.counts import count
from f2csp.structure import FunctionalClosure, recover, with_sums
from tests.formats.drawn_cases import cases, drawn

INSTANCES = Path(__file__).parents[3] / "shared" / "instances" / "xcsp3"


def instance(variables: str, constraint: str, **options: int) -> Problem:
    text = f"<instance><variables>{variables}</variables><constraints>{constraint}</constraints></instance>"
    return read(Source("x.xml", text.encode()), **options)


def loaded(constraint: str, max_tuples: int = 1000) -> Problem:
    return instance('<array id="v" size="[5]"> 0..3 </array>', constraint, max_tuples=max_tuples)


def solutions(problem: Problem) -> list[dict[str, int]]:
    """All solutions, by joining the tables one after the other."""
    found: list[dict[str, int]] = [{}]
    pending = [(c.scope, c.kind == "Accept", {tuple(map(int, row)) for row in c.tuples}) for c in problem.constraints]
    domains = {variable.name: list(map(int, variable.domain.words)) for variable in problem.variables}
    for name in problem.variable_names:
        found = [{**one, name: value} for one in found for value in domains[name]]
        known = {*found[0]} if found else set()
        ready = [c for c in pending if known.issuperset(c[0])]
        pending = [c for c in pending if not known.issuperset(c[0])]
        for scope, accepts, rows in ready:
            found = [one for one in found if (tuple(one[variable] for variable in scope) in rows) == accepts]
    return found


@pytest.mark.parametrize("size", ["small", "medium", "large", "huge"])
@pytest.mark.parametrize(
    "case", cases("global_constraints.txt"), ids=lambda case: re.findall(r"<(\w+|{\w+}\w+)", case)[0]
)
def test_a_constraint_has_the_solutions_of_its_definition(
    case: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("_MAX_ROWS", "_MAX_TRIED", "_MAX_VIEW", "_N_FEW", "_MAX_WORDS")  # what seems too large for one table
    for name in {"small": (), "medium": names[:-1]}.get(size, names):
        monkeypatch.setattr(lowering, name, 1)
    if size == "huge":  # sums become columns of digits
        monkeypatch.setattr(lowering, "_BASE", 2)
        monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    for text, expected in dict(drawn(case, seed, (range(4),) * 5) for seed in range(10)).items():
        problem = loaded(text, max_tuples=1024 if size == "small" else 1000)
        found = [tuple(one[f"v[{i}]"] for i in range(5)) for one in solutions(problem)]
        assert set(found) == expected, text
        assert len(found) == len(expected), text  # auxiliary variables follow from the others
        own = [i for i, name in enumerate(problem.variable_names) if not is_auxiliary(name)]
        assert len(own) == 5
        assert len(FunctionalClosure(problem, own).found) == problem.n_variables, text


def test_digits_of_summands_between_two_powers_of_two_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_N_FEW", "_MAX_TRIED", "_MAX_WORDS"):
        monkeypatch.setattr(lowering, name, 0)
    monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    problem = a_sum_of("0..11", 2, "900000000000000001 1", 900000000000000004)  # 11 times the first is above 2 ** 63
    assert [(one["v[0]"], one["v[1]"]) for one in solutions(problem)] == [(1, 3)]


FAULTY = {
    "channel><value> v[0] </value>": "expected one list and a value, or one or two lists",
    "channel><list> v[] </list><list> v[] </list><list> v[] </list>": "expected one list and a value",
    "allDifferent><list> v[0] </list><list> v[1] </list><except> (0,0) </except>": "expected 1 entries in each tuple",
    "noOverlap><origins> (v[0],1)(v[1],2) </origins><lengths> 1 2 </lengths>": "expected 2 entries in each tuple",
    "cumulative><origins/><lengths/><heights/><condition> (le,2) </condition>": "expected variables in <origins>",
    "lex><list/><list/><operator> le </operator>": "expected variables in <list>",
    "nValues><list> v[] </list><except> v[0] </except><condition> (eq,1) </condition>": "expected an integer, found v",
    'minimumArg rank="best"><list> v[] </list><condition> (eq,1) </condition>': "expected a rank, found 'best'",
    "knapsack><list> v[0] </list><weights> 1 </weights><profits> 1 </profits>": "one for profits",
    'slide circular="true"><list collect="99999999"> v[] </list><clause> %... </clause>': "words in lists",
}


@pytest.mark.parametrize("text", FAULTY)
def test_parts_that_do_not_fit_are_faults(text: str) -> None:
    with pytest.raises(InvalidInput, match=FAULTY[text]):
        loaded(f"<{text}</{re.split('[ >]', text)[0]}>")


@pytest.mark.parametrize(("factor", "fits"), [(10**17, True), (10**18 - 1, False)])
def test_partial_sums_have_64_bits(factor: int, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(InvalidInput, match="more than 64 bits"):
        a_sum_of("0 1", 60, f"{factor}x30 -{factor}x30", 0)


def test_a_sum_of_large_domains_is_read() -> None:
    assert count(a_sum_of("0..999", 4, "1000000000 1000000 1000 1", 123456789012)) == 1


def a_sum_of(domain: str, n: int, factors: str, total: int) -> Problem:
    variables = f'<array id="v" size="[{n}]"> {domain} </array>'
    parts = f"<list> v[] </list><coeffs> {factors} </coeffs><condition> (eq,{total}) </condition>"
    return instance(variables, f"<sum>{parts}</sum>")


def test_what_compares_too_many_pairs_is_refused() -> None:
    words = "v[0] " * 2000
    parts = f"<values> {'1 ' * 2000} </values><condition> (le,3) </condition>"
    for text in (f"<count><list> {words} </list>{parts}</count>", f"<channel> {words} </channel>"):
        with pytest.raises(InvalidInput, match="4,000,000 pairs of terms"):
            loaded(text, 1000)


def test_an_automaton_may_read_a_variable_three_times() -> None:
    parts = "<transitions> (a,0,a)(a,1,b)(b,1,b) </transitions><start> a </start><final> b </final>"
    problem = loaded(f"<regular><list> v[0] v[0] v[0] v[1] </list>{parts}</regular>", 1000)
    assert {(one["v[0]"], one["v[1]"]) for one in solutions(problem)} == {(0, 1), (1, 1)}


def ordered_lists(n: int) -> Problem:
    variables = f'<array id="v" size="[2][{n}]"> 0 1 </array>'
    return instance(variables, "<lex><list> v[0][] </list><list> v[1][] </list><operator> lt </operator></lex>")


@pytest.mark.parametrize("n", [60, 61, 70])
def test_long_lists_have_a_lexicographic_order(n: int) -> None:
    assert count(ordered_lists(n)) == (4**n - 2**n) // 2


def test_columns_of_digits_with_weights_of_60_bits_are_no_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    assert with_sums(recover(ordered_lists(60)), range(120)).sums == ()


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("Bibd-sum-03-03-01", 1),
        ("DeBruijnSequence-02-04", 16),
        ("Element", 4),
        ("Knights-008-05", 0),
        ("LangfordBin-05", 0),
        ("MagicSequence-003-co", 0),
        ("MagicSequence-004-ca", 2),
        ("MagicSequence-10", 1),
        ("MagicSquare-3-mdd", 8),
        ("Nonogram-021-regular", 1),
        ("Queens-view-8", 92),
        ("SchurrLemma-023-3", 18),
        ("TestSumView", 21),
        ("latinSquare-4x4", 576),
    ],
)
def test_an_instance_of_the_literature_has_its_number_of_solutions(file: str, expected: int) -> None:
    if not (path := INSTANCES / f"{file}.xml").exists():
        pytest.skip("puzzle data not present")
    assert count(read_file(path), seconds=60) == expected
