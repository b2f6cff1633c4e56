"""SMT-LIB: Z3 finds the solutions of the problem in what is written."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

import f2csp
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.smtlib import chunks
from f2csp.model import Problem
from tests.small import solutions as all_solutions
from tests.strategies import examples, problems

z3 = pytest.importorskip("z3")
get_vars = pytest.importorskip("z3.z3util").get_vars


def exported(problem: Problem, *, use_structure: bool = False) -> str:
    return b"".join(chunks(problem, ExportOptions(use_structure))).decode()


def models(text: str) -> Iterator[tuple[int, ...]]:
    """The values of the symbols in all models; Z3 spells names that are not ASCII in its own way."""
    solver = z3.Solver()
    solver.from_string(text.partition("(check-sat)")[0])
    symbols: list[Any] = sorted({one for part in solver.assertions() for one in get_vars(part)}, key=str)
    while solver.check() == z3.sat:
        values = [solver.model().eval(symbol, model_completion=True) for symbol in symbols]
        yield tuple(value.as_long() for value in values)
        solver.add(z3.Or([symbol != value for symbol, value in zip(symbols, values, strict=True)]))


def written_names(text: str) -> list[str]:
    return [line.split("|")[1] for line in text.splitlines() if line.startswith("(declare-const")]


@examples(60)
@given(problems())
def test_models_are_the_solutions(problem: Problem) -> None:
    expected = len(all_solutions(problem))
    for use_structure in (False, True):
        text = exported(problem, use_structure=use_structure)
        assert len(set(models(text))) == expected


def test_names_and_values() -> None:
    b = f2csp.ProblemBuilder("Names\nof all sorts")
    b.domain("D", ["and", "a|b", "-5", "x"])
    for name in ("and", "a|b", "a_b", "x"):
        b.variable(name, "D")
    b.all_different(["and", "a|b", "a_b", "x"])
    text = exported(b.build(), use_structure=True)
    names = written_names(text)
    assert len(set(names)) == 4
    assert names[3] == "x"
    assert not {"and", "a|b"} & {*names}
    assert len(set(models(text))) == 24


def test_sums_have_no_state_variables() -> None:
    text = exported(f2csp.generate("magic", size=3), use_structure=True)
    names = written_names(text)
    assert len(names) == 9
    assert all(sum(values[:3]) == 15 for values in models(text))
    assert len(set(models(text))) == 8
