"""Clauses out and in again: the same solutions, faults in their places, and the answers of solvers."""

import bz2
import gzip
import lzma
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import f2csp
from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.dimacs import chunks, read
from f2csp.formats.foreign import ExportOptions
from f2csp.model import Problem, ProblemBuilder
from tests.sat import Sat
from tests.small import problem_of, small_problems, solutions
from tests.strategies import mutations, problems

WAYS = [
    ExportOptions(use_structure, encoding)
    for encoding in ("direct", "support", "order")
    for use_structure in (False, True)
]


def written(problem: Problem, options: ExportOptions = WAYS[0]) -> bytes:
    return b"".join(chunks(problem, options))


def in_order(found: list[dict[str, str]]) -> list[list[tuple[str, str]]]:
    return sorted(sorted(one.items()) for one in found)


def all_solutions(problem: Problem) -> list[dict[str, str]]:
    """All solutions over all variables, by a solver."""
    return (
        list(Sat(problem).solutions(problem.variable_names))
        if problem.n_variables
        else [{} for _ in solutions(problem)]
    )


@pytest.mark.parametrize("options", WAYS, ids=str)
@given(problem=small_problems())
def test_what_comes_back_has_the_same_solutions(options: ExportOptions, problem: Problem) -> None:
    back = read(Source("file", written(problem, options)))
    assert back.variable_names[: problem.n_variables] == problem.variable_names
    assert [v.domain for v in back.variables][: problem.n_variables] == [v.domain for v in problem.variables]
    found = [{name: one[name] for name in problem.variable_names} for one in all_solutions(back)]
    expected = [{name: str(value) for name, value in one.items()} for one in solutions(problem)]
    assert in_order(found) == in_order(expected)


@given(problem=problems())
def test_names_values_and_title_come_back(problem: Problem) -> None:
    for options in WAYS:
        back = read(Source("file", written(problem, options)))
        if problem.n_variables:
            n_domains = problem.n_domains
            assert back.title == problem.title
            assert list(back.domains)[:n_domains] == list(problem.domains)
            assert list(back.variables)[: problem.n_variables] == list(problem.variables)


def many_values() -> Problem:
    """So many that auxiliary literals say that each variable has at most one, and others that of those."""
    tables = ("reject x y", [(3, 4), (5, 6)]), ("reject z y", [(899, 0), (5, 6)]), ("reject y", [(7,)])
    return problem_of({"D: x": range(2000), "E: y z": range(900)}, *tables, title="many values")


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_clauses_come_back_as_they_were(options: ExportOptions) -> None:
    text = b"p cnf 4 4\n1 -2 0\n-1 3 4 0\n2 -3 0\n-4 0\n"
    problem = read(Source("file", text))
    again = written(problem, options)
    assert b"p cnf 4 " in again
    assert b"\nc " not in again
    assert {tuple(one.items()) for one in solutions(read(Source("file", again)))} == {
        tuple(one.items()) for one in solutions(problem)
    }
    if not options.use_structure:
        assert sorted(again.splitlines()) == sorted(text.splitlines())


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_a_variable_over_0_and_1_has_one_literal_beside_others(options: ExportOptions) -> None:
    builder = ProblemBuilder("mixed")
    builder.domain("colour", ["red", "green", "blue"])
    builder.domain("bit", [1, 0])
    builder.domain("one", [1])
    for name, domain in (("A", "colour"), ("b", "bit"), ("c", "one"), ("d", "bit"), ("e", "bit")):
        builder.variable(name, domain)
    builder.reject(["A", "b"], [("red", 0), ("blue", 1)])
    builder.accept(["b", "A", "d"], [(0, "green", 1), (1, "red", 0), (1, "green", 1)])
    builder.reject(["b", "d"], [(0, 0), (1, 1)])
    problem = builder.build()
    text = written(problem, options)
    for line in (b"A: colour, literals 1 to 3", b"b: bit, literal 4", b"c: one, literals 5 to 5", b"e: bit, literal 7"):
        assert b"c variable " + line in text
    back = read(Source("file", text))
    assert (back.title, list(back.domains)[:3], list(back.variables)[:5]) == (
        problem.title,
        list(problem.domains),
        list(problem.variables),
    )
    projected = {tuple(one[name] for name in problem.variable_names) for one in solutions(back)}
    assert projected == {tuple(one.values()) for one in solutions(problem)}


# ---- Files of others ------------------------------------------------------------------------------------------------


@st.composite
def formulas(draw: DrawFn) -> tuple[int, list[list[int]]]:
    """How many variables, and clauses: some with a literal twice, some that always hold, some empty."""
    n = draw(st.integers(0, 6))
    literals = st.sampled_from([i for i in range(-n, n + 1) if i] or [1])
    return n, draw(st.lists(st.lists(literals, max_size=5 if n else 0), max_size=8))


def spelled(n: int, clauses: list[list[int]], seed: int) -> bytes:
    """A text of these clauses, with any blanks, line ends and comments."""
    random = Random(seed)
    end = random.choice(["\n", "\r\n"])
    words = [str(literal) for clause in clauses for literal in [*clause, 0]]
    text = f"c a comment{end}{end}" * random.randrange(2) + f"p  cnf\t{n} {len(clauses)} {end}"
    for word in words:
        text += random.choice(["", "", " ", "\t"]) + word + random.choice([" ", end, f"{end}{end}", f"{end}c 1 0{end}"])
    if random.randrange(2):
        text += random.choice([f"{end}%{end}0{end}", f"{end}%{end}0{end}{end}", f"{end}%"])
    return text.encode()


@given(formula=formulas(), seed=st.integers(0, 1 << 16))
def test_any_clauses_are_read_as_what_they_say(formula: tuple[int, list[list[int]]], seed: int) -> None:
    n, clauses = formula
    problem = read(Source("file", spelled(n, clauses, seed)))
    assert problem.variable_names[:n] == tuple(f"x{i}" for i in range(1, n + 1))
    found = {tuple(str(one[f"x{i}"]) for i in range(1, n + 1)) for one in solutions(problem)}
    expected = {
        bits
        for bits in product("01", repeat=n)
        if all(any((bits[abs(literal) - 1] == "1") == (literal > 0) for literal in clause) for clause in clauses)
    }
    assert found == expected
    tautologies = [clause for clause in clauses if any(-literal in clause for literal in clause)]
    assert problem.n_constraints == len(clauses) - len(tautologies)
    for constraint in problem.constraints:
        assert (constraint.kind, len(constraint.tuples)) in (("Reject", 1), ("Accept", 0))


IN_THE_WILD = {
    "comments after the line p": "p cnf 2 2\nc x\n1 -2 0\nc y 0\n2 0\n",
    "no line p": "c x\n1 -2 0\n\n2\n0\n",
    "a tail": "p cnf 2 2\n1 -2 0\n2 0\n%\n0\n\n",
    "carriage returns": "\r\np  cnf  2 2 \r\n1 -2 0\r\n2 0\r\n",
    "clauses on one line, or on two": "p cnf 2 2\n1\n-2 0 2 0",
}


@pytest.mark.parametrize("text", IN_THE_WILD.values(), ids=IN_THE_WILD)
@pytest.mark.parametrize("ending", [".cnf", ".dimacs", ".cnf.gz", ".dimacs.bz2", ".cnf.xz"])
def test_clauses_as_they_are_found_in_the_wild(text: str, ending: str, tmp_path: Path) -> None:
    opener = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}.get(Path(ending).suffix, open)
    with opener(tmp_path / f"file{ending}", "wb") as file:
        file.write(text.encode())
    problem = f2csp.read(tmp_path / f"file{ending}")
    assert [(c.scope, c.tuples) for c in problem.constraints] == [(("x1", "x2"), ((0, 1),)), (("x2",), ((0,),))]


@given(formula=formulas(), seed=st.integers(0, 1 << 16), data=st.data())
def test_clauses_gone_wrong_give_problems_or_faults(
    formula: tuple[int, list[list[int]]], seed: int, data: st.DataObject
) -> None:
    text = data.draw(mutations(spelled(*formula, seed)))
    with suppress(InvalidInput):
        problem = read(Source("file", text))
        assert f2csp.loads(f2csp.dumps(problem)) == problem
