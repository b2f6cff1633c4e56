"""What solvers print, in the forms in which they do, comes back in names and values; anything else has its place."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.foreign import answer_reader, fitting, readings
from tests.conftest import Expected
from tests.fault_cases import check_faults
from tests.small import problem_of
from tests.strategies import mutations

PROBLEMS = {
    "dimacs": problem_of({"colour: A": ["red", "green", "7"], "number: n": [5, 6]}),
    "minizinc": problem_of(
        {"colour: A B": ["red", "green"], "age: n-1": [3, 1, 2]},
        ("reject A B", [("red", "red"), ("green", "green")]),
        title="Map\nof two countries",
    ),
    "wcsp": problem_of({"numbers: x": [3, 1, 2], "words: 1-1": ["a", "#a", "1"], "other: z#": [3, 1, 2]}),
    "xcsp3": problem_of({"D-1: a-1 b": ["red", "green"]}, ("reject a-1 b", [("red", "red")])),
}

MAP = "A = red\nB = green\nn-1 = 2\n----------\n"
OTHER_MAP = "A = green\nB = red\nn-1 = 3\n----------\n"
TOULBAR2 = """\
c /usr/bin/toulbar2  version : 1.1.1, copyright (c) 2006-2020, toulbar2 team
loading wcsp file: f.wcsp
Read 3 variables, with 3 values at most, and 6 cost functions, with maximum arity 2.
Initial lower and upper bounds: [0, 1] 100.000%
{}Optimum: 0 in 0 backtracks and 1 nodes ( 0 removals by DEE) and 0.000 seconds.
end.
"""
ACE = """c a line of talk
s SATISFIABLE
v  <instantiation id='sol1' type='solution'> <list> a_1 b </list> <values> 0 1 </values> </instantiation>
v  <instantiation id='sol2' type='solution'> <list> b a_1 </list> <values> 1x2 </values> </instantiation>
"""
CHOCO = """v <instantiation id='sol1' type='solution' >
v \t<list>a_1 b </list>
c between
v \t<values>0 * </values>
v </instantiation>
"""
BARE = "<instantiation> <list> a_1 b </list> <values> 1 0 </values> </instantiation>"

LINES = ["0 2 2", "x0=v0 x1=v2 x2=v2", " 0\t2 2 \r", "v0 v2 v2", "x2=v2 x0=v0 x1=v2"]

ANSWERS: list[tuple[str, str, list[tuple[object, ...]]]] = [
    ("dimacs", "c x\ns SATISFIABLE\nv -1 2 -3\nv -4 5 -6 0\n", [("green", 6)]),
    ("dimacs", "SAT\n-1 2 -3 -4 5 0\n", [("green", 6)]),
    ("dimacs", "v 5 2 0", [("green", 6)]),
    ("dimacs", "s SATISFIABLE\r\nv 2 5\r\nv 0\r\n", [("green", 6)]),
    (
        "dimacs",
        "c Answer: 1\nv 1 -2 -3 4 -5 0\nc Answer: 2\nv -1 -2 3 4 -5 0\ns SATISFIABLE\n",
        [("red", 5), ("7", 5)],
    ),
    (
        "minizinc",
        f"% time elapsed: 0.1 s\n{MAP}{OTHER_MAP}==========\n%%%mzn-stat: solutions=2\n",
        [("red", "green", 2), ("green", "red", 3)],
    ),
    (
        "minizinc",
        f'Warning: included file "count.mzn" is old.\n\n{MAP}x of 3 done\n{OTHER_MAP}==========\n% end\nbye\n',
        [("red", "green", 2), ("green", "red", 3)],
    ),
    *(("wcsp", f"{line}\n\n1 1 0\n", [(3, "1", 2), (1, "#a", 3)]) for line in LINES),
    (
        "wcsp",
        TOULBAR2.format("1 solution(0):  0 2 2\n2 solution(0): x0=v1 x1=v1 x2=v0\n"),
        [(3, "1", 2), (1, "#a", 3)],
    ),
    (
        "wcsp",
        TOULBAR2.format("New solution: 0 (0 backtracks, 1 nodes, depth 3)\n 0 2 2\n"),
        [(3, "1", 2)],
    ),
    ("xcsp3", ACE, [("red", "green"), ("green", "green")]),
    ("xcsp3", CHOCO, [("red", "red")]),
    ("xcsp3", BARE, [("green", "red")]),
    ("xcsp3", "c x\nv 0 1 \nv 1 * \ns SATISFIABLE\n", [("red", "green"), ("green", "red")]),
]


def answers(name: str, text: str | bytes) -> list[tuple[object, ...]]:
    """The values of each solution, in the order of the variables."""
    problem = PROBLEMS[name]
    data = text if isinstance(text, bytes) else text.encode()
    found = answer_reader(name).answers(Source("log", data), problem)
    assert all(one.keys() == {*problem.variable_names} for one in found)
    return [tuple(one[variable] for variable in problem.variable_names) for one in found]


@pytest.mark.parametrize(("name", "text", "expected"), ANSWERS)
def test_answers_come_back_in_names_and_values(name: str, text: str, expected: list[tuple[object, ...]]) -> None:
    assert answers(name, text) == expected


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_no_answer_has_its_place(name: str, expected: Expected) -> None:
    check_faults(f"{name}-answers", lambda source: answers(name, source.data), expected)


@given(case=st.sampled_from(ANSWERS), data=st.data())
def test_an_answer_gone_wrong_is_read_or_has_faults(case: tuple[str, str, object], data: st.DataObject) -> None:
    name, text, _ = case
    with suppress(InvalidInput):
        answers(name, data.draw(mutations(text.encode())))


# ---- Texts that several formats have ---------------------------------------------------------------------------------

SQUARE = problem_of(
    {"D: V1-1 V1-2 V2-1 V2-2": [1, 2]},
    *((f"reject {pair}", [(1, 1), (2, 2)]) for pair in ("V1-1 V1-2", "V2-1 V2-2", "V1-1 V2-1", "V1-2 V2-2")),
)
FIRST, SECOND = [(1, 2, 2, 1)], [(2, 1, 1, 2)]


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("1 2 2 1", "f2csp", FIRST),  # positions from 0 are 0 and 1
        ("0 1 1 0", "wcsp", FIRST),  # not a board with two blanks
        ("1 0 0 1", "wcsp", SECOND),
        ("1 0 0 0", "f2csp", [(1,)]),  # as positions it breaks constraints
        ("1 0\n0 0", "f2csp", [(1,)]),
        ("0 1 1 0\n1 0 0 1\n", "wcsp", FIRST + SECOND),
        ("v 1 2 2 1", "xcsp3", FIRST),
        ("v -1 2 3 -4 5 -6 -7 8 0", "dimacs", SECOND),
        ("v 2 3 5 8 0", "dimacs", SECOND),
        ("\x1b[92ms SATISFIABLE\x1b[0m\nv 1 2 2 1", "xcsp3", FIRST),
        ("V1-1 = 1\nV1-2 = 2\nV2-1 = 2\nV2-2 = 1\n----------\n", "minizinc", FIRST),
        ("1 2\n2 1\n----------\n==========\n", "f2csp", FIRST),  # what a model of someone else prints
    ],
)
def test_the_reading_that_keeps_the_constraints_is_taken(
    text: str, form: str, expected: list[tuple[object, ...]]
) -> None:
    found = readings(Source("log", text.encode()), SQUARE, optional=SQUARE.variable_names)
    reading = fitting(found, SQUARE)
    assert reading
    assert (reading.form, [tuple(values.values()) for values in reading.solutions]) == (form, expected)


def test_where_no_reading_keeps_the_constraints_there_are_all() -> None:
    found = readings(Source("log", b"1 1 1 0"), SQUARE, optional=SQUARE.variable_names)
    assert [reading.form for reading in found] == ["f2csp", "wcsp"]
    assert fitting(found, SQUARE) is None


def test_a_named_format_decides_alone() -> None:
    for text, form in (("0 1 1 0", "f2csp"), ("1 0 0 0", "wcsp")):
        (reading,) = readings(Source("log", text.encode()), SQUARE, form, optional=SQUARE.variable_names)
        assert reading.form == form
