"""XCSP3: exported files and files of others are read; faults, and constraints that are not supported, have places."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import Source, Unsuitable
from f2csp.door import problem_format
from f2csp.formats.foreign import ExportOptions, export, foreign_format, import_
from f2csp.formats.xcsp3 import chunks, read
from f2csp.model import Problem
from tests.conftest import Expected
from tests.fault_cases import check_faults
from tests.small import solutions as all_solutions
from tests.strategies import problems

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.csp"))
TABLES = ExportOptions()


def exported(problem: Problem, options: ExportOptions = TABLES) -> str:
    return b"".join(chunks(problem, options)).decode()


def instance(variables: str, constraints: str) -> str:
    """An instance whose variables stand on line 3, and whose constraints begin on line 6."""
    head = '<instance format="XCSP3" type="CSP">\n<variables>\n'
    return f"{head}{variables}\n</variables>\n<constraints>\n{constraints}\n</constraints>\n</instance>\n"


def read_text(text: str) -> Problem:
    return read(Source("x.xml", text.encode()))


def loaded(variables: str, constraints: str) -> Problem:
    return read_text(instance(variables, constraints))


def solutions(problem: Problem) -> set[tuple[str, ...]]:
    return {tuple(map(str, one.values())) for one in all_solutions(problem)}


def numbers(problem: Problem) -> set[tuple[int, ...]]:
    return {tuple(map(int, words)) for words in solutions(problem)}


# ---- There and back ------------------------------------------------------------------------------------------------


@given(problems(), st.booleans())
def test_export_then_import_keeps_names_and_solutions(problem: Problem, use_structure: bool) -> None:
    try:
        text = exported(problem, ExportOptions(use_structure))
    except Unsuitable:  # a noncharacter, which XML cannot hold
        reject()
    source = Source("x.xml", text.encode())
    assert problem_format(source) is foreign_format("xcsp3")
    back = read(source)
    assert (back.title, back.words, back.variable_names) == (problem.title, problem.words, problem.variable_names)
    assert list(back.domains) == list(problem.domains)
    assert solutions(back) == solutions(problem)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_comes_back_the_same(path: Path, tmp_path: Path) -> None:
    problem = f2csp.load(path)
    export(problem, tmp_path / "x.xml.gz", "xcsp3")
    assert import_(tmp_path / "x.xml.gz", "xcsp3") == problem


# ---- What others write ---------------------------------------------------------------------------------------------

XY = '<var id="x"> 0..3 </var><var id="y"> 0..3 </var>'


@pytest.mark.parametrize("case", Path(__file__).with_name("meanings.txt").read_text(encoding="utf-8").split("\n\n"))
def test_what_a_constraint_means(case: str) -> None:
    constraint, holds = case.splitlines()
    expected = {(x, y) for x in range(4) for y in range(4) if eval(holds, {"x": x, "y": y})}
    assert numbers(loaded(XY, constraint).with_holes()) == expected


# ---- Variables in no constraint --------------------------------------------------------------------------------------

HOLES = '<array id="x" size="[2][3]"> 0..3 </array> <var id="y"> 0 1 </var>'
LISTS = "<list> x[0][0] x[0][2] x[1][0..2] </list> <coeffs> 1 2 3 1 2 </coeffs>"
CHAIN = f"<sum> {LISTS} <condition> (eq,9) </condition> </sum>"


def test_variables_in_no_constraint_are_left_out_and_come_back() -> None:
    problem = loaded(HOLES, CHAIN)
    assert [hole.name for hole in problem.holes] == ["x[0][1]", "y"]
    n = f2csp.count(problem, seconds=60)
    assert n == len(numbers(problem)) == f2csp.count(read_text(exported(problem)), seconds=60) > 1
    whole = problem.with_holes()
    assert whole.variable_names[:7] == ("x[0][0]", "x[0][1]", "x[0][2]", "x[1][0]", "x[1][1]", "x[1][2]", "y")
    assert f2csp.count(whole, seconds=60) == 8 * n
    assert f2csp.solve(whole, engine="cpsat", solutions=None, project=problem.variable_names).n_solutions == n
    assert [hole.name for hole in problem.restricted({"x[0][0]": 1}).holes] == ["x[0][1]", "y"]
    assert f2csp.check(problem, f2csp.solve(whole))


def test_sums_are_those_of_the_same_variables_without_and_with_the_others() -> None:
    cells = "x[1] x[3] x[5..11]"
    total = f"<sum> <list> {cells} </list> <condition> (eq,3) </condition> </sum>"
    problem = loaded('<array id="x" size="[12]"> 0..9 </array>', f"{total} <intension> lt(x[3],x[9]) </intension>")
    n = f2csp.count(problem, seconds=60, method="merge")
    for form in (problem, problem.with_holes()):
        (known,) = form.sums
        assert [form.variable_names[i] for i in known.variables] == [f"x[{i}]" for i in (1, 3, 5, 6, 7, 8, 9, 10, 11)]
        found = f2csp.solve(form, engine="cpsat", solutions=None, project=[f"x[{i}]" for i in (1, 3, *range(5, 12))])
        assert found.n_solutions == n > 1


def test_a_hole_that_is_declared_again_is_none() -> None:
    builder = loaded(HOLES, CHAIN).to_builder()
    builder.variable("y", "D2")
    assert [hole.name for hole in builder.build().holes] == ["x[0][1]"]


@pytest.mark.parametrize(
    "constraint",
    [
        "<allDifferent> x </allDifferent>",
        "<clause> x not(x) </clause>",
        "<sum> <list> x y </list> <coeffs> 0 1 </coeffs> <condition> (ge,0) </condition> </sum>",
        "<group> <intension> le(%0,9) </intension> <args> x </args> </group>",
        "<intension> eq(1,2) </intension>",
    ],
)
def test_a_variable_in_a_constraint_without_effect_is_one(constraint: str) -> None:
    problem = loaded('<var id="x"> 0 1 </var> <var id="y"> 0 1 </var>', constraint)
    assert "x" in problem.variable_names


# ---- Faults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text_of"),
    [
        ("xcsp3-variables", lambda part: instance(part, "")),
        ("xcsp3-constraints", lambda part: instance(XY, part)),
    ],
)
def test_every_fault_has_its_place(name: str, text_of: Callable[[str], str], expected: Expected) -> None:
    check_faults(name, read, expected, text_of=text_of)
