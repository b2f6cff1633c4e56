"""XCSP3: each global constraint has the solutions that its definition gives, whether it becomes a table or a chain."""

import operator
import random
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import pytest

from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.xcsp3 import lowering, read
from f2csp.instances import read as read_file
from f2csp.model import Problem
from f2csp.model.words import is_auxiliary
from f2csp.solving.counts import count
from f2csp.structure import FunctionalClosure, recover, with_sums

INSTANCES = Path(__file__).parents[3] / "shared" / "instances" / "xcsp3"
CASES = Path(__file__).with_name("global_constraints.txt").read_text(encoding="utf-8").rstrip("\n").split("\n\n")
"""Three lines each: what is drawn at random; the text of a constraint on v[0] to v[4], each 0 to 3, a format with what
was drawn; and a Python expression that says when the row ``v`` satisfies it."""

Row = Sequence[int]

ORDERS = {name: getattr(operator, name) for name in ("lt", "le", "ge", "gt", "eq", "ne")}


@cache
def drawn(case: str, seed: int) -> tuple[str, set[tuple[int, ...]]]:
    """The text of a constraint, and the rows that satisfy it."""
    draws, text, holds = case.splitlines()
    names = names_for(random.Random(seed))
    exec(draws, names)
    names |= {name: Items(value) for name, value in names.items() if isinstance(value, list)}
    code = compile(holds, "holds", "eval")
    return text.format(**names), {
        row for row in product(range(4), repeat=5) if eval(code, names.update(v=row) or names)
    }


class Condition(NamedTuple):
    """A condition as text, which can be called with a value and a row."""

    text: str
    holds: Callable[[int, Row], bool]

    def __str__(self) -> str:
        return self.text

    def __call__(self, value: int, row: Row) -> bool:
        return self.holds(value, row)


class Items(list[Any]):
    """A list, formatted with blanks, or as tuples where the format is ()."""

    def __format__(self, spec: str) -> str:
        return "".join(f"({','.join(map(str, row))})" for row in self) if spec else " ".join(map(str, self))


def names_for(draws: random.Random) -> dict[str, Any]:
    """What the lines of a case can use."""

    def condition(limit: int) -> Condition:
        """A condition with a number, a variable, an expression, a range or a set."""
        n, m, i = draws.randint(-1, limit), draws.randint(0, 3), draws.randrange(4)
        name = draws.choice(list(ORDERS))
        forms = [
            Condition(f"({name},{n})", lambda a, _: ORDERS[name](a, n)),
            Condition(f"({name},v[{i}])", lambda a, v: ORDERS[name](a, v[i])),
            Condition(f"({name},sub(v[{i}],v[4]))", lambda a, v: ORDERS[name](a, v[i] - v[4])),
            Condition(f"(in,{n}..{n + m})", lambda a, _: n <= a <= n + m),
            Condition(f"(notin,{{{n},{n + m}}})", lambda a, _: a not in (n, n + m)),
        ]
        return draws.choice(forms)

    def loop(after: Row) -> int:
        """The length of the only loop of successors, 0 if there is none or another one."""
        if not all(0 <= one < len(after) for one in after) or len({*after}) < len(after):
            return 0
        moved = [i for i, one in enumerate(after) if one != i]
        found = moved[:1]
        while found and after[found[-1]] != found[0]:
            found.append(after[found[-1]])
        return len(found) if len(found) == len(moved) else 0

    def reached(states: set[str], moves: Sequence[tuple[str, int, str]], row: Row) -> set[str]:
        for value in row:
            states = {after for before, n, after in moves if before in states and n == value}
        return states

    functions = [draws.choice, draws.choices, draws.randint, draws.sample, combinations, pairwise, product]
    return {function.__name__: function for function in [*functions, condition, loop, reached]} | {
        "ints": lambda n, least, most: [draws.randint(least, most) for _ in range(n)],
        "orders": ORDERS,
        "dot": lambda a, v: sum(map(operator.mul, a, v)),
        "firsts": lambda a, v: [v.index(n) if n in v else 9 for n in a],
        "named": lambda word, v: (
            {"v[0]": {v[0]}, "v[3]": {v[3]}, "v[4]": {v[4]}}.get(word) or range(int(word[0]), int(word[-1]) + 1)
        ),
        "apart": lambda tasks: all(a + n <= b or b + m <= a for (a, n), (b, m) in combinations(tasks, 2)),
    }


# ---- The constraints ------------------------------------------------------------------------------------------------


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
@pytest.mark.parametrize("case", CASES, ids=lambda case: re.findall(r"<(\w+|{\w+}\w+)", case)[0])
def test_a_constraint_has_the_solutions_of_its_definition(
    case: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("_MAX_ROWS", "_MAX_TRIED", "_MAX_VIEW", "_N_FEW", "_MAX_WORDS")  # what seems too large for one table
    for name in {"small": (), "medium": names[:-1]}.get(size, names):
        monkeypatch.setattr(lowering, name, 1)
    if size == "huge":  # sums become columns of digits
        monkeypatch.setattr(lowering, "_BASE", 2)
        monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    for text, expected in dict(drawn(case, seed) for seed in range(10)).items():
        problem = loaded(text, max_tuples=1024 if size == "small" else 1000).with_holes()
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


@pytest.mark.parametrize(("factor", "fits"), [(10**17, True), (10**18 - 1, False)])
def test_partial_sums_have_64_bits(factor: int, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(InvalidInput, match="more than 64 bits"):
        a_sum_of("0 1", 60, f"{factor}x30 -{factor}x30", 0)


def a_sum_of(domain: str, n: int, factors: str, total: int) -> Problem:
    variables = f'<array id="v" size="[{n}]"> {domain} </array>'
    parts = f"<list> v[] </list><coeffs> {factors} </coeffs><condition> (eq,{total}) </condition>"
    return instance(variables, f"<sum>{parts}</sum>")


def ordered_lists(n: int) -> Problem:
    variables = f'<array id="v" size="[2][{n}]"> 0 1 </array>'
    return instance(variables, "<lex><list> v[0][] </list><list> v[1][] </list><operator> lt </operator></lex>")


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


LARGE = {
    "allDifferent": (500_000, "0 1", "<list> x[] </list>"),
    "binPacking": (300, "0..299", f"<list> x[] </list><sizes> {'3 ' * 300}</sizes><condition> (le,9) </condition>"),
    "cardinality": (300, "0..299", f"<list> x[] </list><values> 0..299 </values><occurs> {'1 ' * 300}</occurs>"),
    "cumulative": (
        20,
        "0..900",
        "<origins> x[] </origins><lengths> 7x20 </lengths><heights> 3x20 </heights><condition> (le,7) </condition>",
    ),
    "element": (1000, "0..999", "<list> x[] </list><index> x[0] </index><value> x[1] </value>"),
    "maximumArg": (200, "0..199", "<list> x[] </list><condition> (eq,x[0]) </condition>"),
    "nValues": (300, "0..999", "<list> x[] </list><condition> (eq,20) </condition>"),
    "slide": (30000, "0 1", "<list> x[] </list><sum><list> {} </list><condition> (le,3) </condition></sum>"),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_work_for_minutes_is_refused_before_it_is_done(name: str) -> None:
    n, domain, parts = LARGE[name]
    parts = parts.format(" ".join(f"%{i}" for i in range(300)))
    if name == "cardinality":
        parts = parts.replace("0..299", " ".join(map(str, range(300))))
    start = process_time()
    with pytest.raises(InvalidInput, match="and the limit is"):
        instance(f'<array id="x" size="[{n}]"> {domain} </array>', f"<{name}>{parts}</{name}>")
    assert process_time() - start < 20.0
