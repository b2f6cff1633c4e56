"""What toulbar2 answers, in the forms in which it does."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.foreign import foreign_format
from f2csp.model import Problem
from f2csp.solutions import Solution
from tests.conftest import Expected
from tests.fault_cases import check_faults
from tests.small import problem_of
from tests.strategies import mutate


def small() -> Problem:
    return problem_of({"numbers: x": [3, 1, 2], "words: 1-1": ["a", "#a", "1"], "other: z#": [3, 1, 2]})


def answers(text: str, name: str = "toulbar2") -> list[Solution]:
    return foreign_format(name).answer_reader().answers(Source("sol", text.encode()), small())


ONE: Solution = {"x": 3, "1-1": "1", "z#": 2}
OTHER: Solution = {"x": 1, "1-1": "#a", "z#": 3}

LOG = """\
c /usr/bin/toulbar2  version : 1.1.1, copyright (c) 2006-2020, toulbar2 team
loading cfn file: f.cfn
Read 3 variables, with 3 values at most, and 6 cost functions, with maximum arity 2.
Initial lower and upper bounds: [0, 1] 100.000%
{solutions}Optimum: 0 in 0 backtracks and 1 nodes ( 0 removals by DEE) and 0.000 seconds.
end.
"""


@pytest.mark.parametrize("name", ["cfn", "wcsp", "toulbar2"])
@pytest.mark.parametrize(
    "line",
    ["0 2 2", "_3 _1 _2", "x=_3 _1-1=_1 z_=_2", "x0=v0 x1=v2 x2=v2", " 0\t2 2 \r", "v0 v2 v2", "z_=_2 x=_3 _1-1=_1"],
)
def test_a_line_is_a_solution(name: str, line: str) -> None:
    if line.startswith("x0"):
        assert answers(line + "\n", name) == [ONE]
    else:
        assert answers(f"{line}\n\n1 1 0\n", name) == [ONE, OTHER]


def test_what_is_printed_for_all_solutions() -> None:
    printed = "1 solution(0):  0 2 2\n2 solution(0): x=_1 _1-1=_a z_=_3\n"
    assert answers(LOG.format(solutions=printed)) == [ONE, OTHER]


def test_what_is_printed_for_one_solution() -> None:
    printed = "New solution: 0 (0 backtracks, 1 nodes, depth 3)\n 0 2 2\n"
    assert answers(LOG.format(solutions=printed)) == [ONE]


def test_what_is_no_answer_has_its_place(expected: Expected) -> None:
    reader = foreign_format("wcsp").answer_reader()
    check_faults("toulbar2-answers", lambda source: reader.answers(source, small()), expected)


def test_a_problem_without_variables_has_one_solution() -> None:
    empty = f2csp.ProblemBuilder().build()
    assert foreign_format("cfn").answer_reader().answers(Source("sol", b"\n"), empty) == [{}]


@given(
    st.sampled_from([LOG.format(solutions="1 solution(0): 0 2 2\n"), "x=_3 _1-1=_1 z_=_2\n0 2 2\n"]),
    st.integers(0, 1 << 16),
)
def test_an_answer_gone_wrong_is_read_or_told(text: str, seed: int) -> None:
    with suppress(InvalidInput):
        found = foreign_format("cfn").answer_reader().answers(Source("sol", mutate(text.encode(), seed)), small())
        assert all(solution.keys() == ONE.keys() for solution in found)
