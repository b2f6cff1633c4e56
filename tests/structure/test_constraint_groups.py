"""Variables that follow from others, against all solutions."""

from hypothesis import given
from hypothesis import strategies as st

from f2csp import ProblemBuilder, count
from f2csp.model import Problem
from f2csp.structure import FunctionalClosure
from tests.small import small_problems, solutions


def wide_problem(arity: int) -> Problem:
    builder = ProblemBuilder("wide")
    builder.domain("D", (0, 1))
    names = [f"x{i}" for i in range(arity)]
    for name in names:
        builder.variable(name, "D")
    builder.accept(names, [[0] * arity, [1] * arity])
    return builder.build()


def following(problem: Problem, *known: str) -> set[str]:
    found = FunctionalClosure(problem, [problem.variable_names.index(name) for name in known]).found
    return {problem.variable_names[variable] for variable in found}


@given(st.data(), small_problems())
def test_solutions_that_agree_in_some_variables_agree_in_those_that_follow(
    data: st.DataObject, problem: Problem
) -> None:
    names = problem.variable_names
    known = data.draw(st.lists(st.sampled_from(names))) if names else []
    follow = following(problem, *known)
    assert follow >= set(known)
    values: dict[tuple[object, ...], list[object]] = {}
    for solution in solutions(problem):
        rest = [solution[name] for name in sorted(follow)]
        assert values.setdefault(tuple(solution[name] for name in known), rest) == rest


@given(st.data(), st.integers(1, 4))
def test_a_column_that_follows_is_one_by_which_no_two_tuples_differ_alone(data: st.DataObject, arity: int) -> None:
    rows = data.draw(st.lists(st.tuples(*[st.integers(0, 2)] * arity), min_size=1, unique=True))
    builder = ProblemBuilder("one table")
    builder.domain("D", (0, 1, 2))
    names = [f"x{i}" for i in range(arity)]
    for name in names:
        builder.variable(name, "D")
    builder.accept(names, rows)
    for position, name in enumerate(names):
        rests = {row[:position] + row[position + 1 :] for row in rows}
        assert (name in following(builder.build(), *set(names) - {name})) == (len(rests) == len(rows))


def test_a_wide_table_costs_as_much_as_its_text() -> None:
    problem = wide_problem(5500)
    assert len(following(problem, "x0")) == 1  # of two tuples that differ everywhere, none follows but from all others
    assert count(problem) == 2
