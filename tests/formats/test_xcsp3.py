"""XCSP3: exported files and files of others are read; faults, and constraints that are not supported, have places."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source, Unsuitable
from f2csp.door import problem_format
from f2csp.formats.foreign import ExportOptions, export, foreign_format, import_
from f2csp.formats.xcsp3 import chunks, read
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.conftest import Expected
from tests.fault_cases import check_faults, messages, places
from tests.small import problem_of
from tests.small import solutions as all_solutions
from tests.strategies import problems

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.csp"))
TABLES = ExportOptions()
STRUCTURE = ExportOptions(use_structure=True)


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


def test_a_sudoku_with_givens_comes_back_the_same() -> None:
    sudoku = Sudoku(clues=(Clue(1, 1, 3), Clue(1, 2, 1), Clue(4, 4, 2)), size=4, box_rows=2, box_columns=2)
    problem = to_problem(sudoku)
    assert read_text(exported(problem)) == problem


def test_names_and_values_come_back() -> None:
    problem = problem_of(
        {"D-1: 1-a 1_a add b free": ["red", "1", "7"]},
        ("reject 1-a 1_a", [("red", "red")]),
        ("accept b", ["7"]),
        ("reject add b", [("red", "red")]),
        title='Labels & <order>\nof "two" lines',
    )
    back = read_text(exported(problem))
    assert (back.title, back.words, back.variable_names) == (problem.title, problem.words, problem.variable_names)
    assert list(back.domains) == list(problem.domains)
    assert [c.scope for c in back.constraints] == [("1-a", "1_a"), ("add", "b"), ("b",)]
    assert solutions(back) == solutions(problem)


def test_a_constraint_of_a_free_variable_that_was_edited_is_kept() -> None:
    problem = problem_of({"D: x": [1, 2, 3]})
    text = exported(problem)
    assert read_text(text) == problem
    assert numbers(read_text(text.replace("<supports> 1..3 <", "<supports> 1 3 <"))) == {(1,), (3,)}


def test_a_note_that_does_not_fit_is_ignored() -> None:
    text = exported(problem_of({"D-1: x-1": [1, 2]}, ("accept x-1", [1])))
    problem = read_text(text.replace("> 1..2 <", "> 1..3 <").replace("> 1 2 <", "> 1 2 3 <"))
    assert problem.variable_names == ("x_1",)
    assert problem.domains[0].values == (1, 2, 3)


def test_recovered_structure_is_written() -> None:
    equal = [(i, i) for i in (1, 2, 3)]
    tables = [*((f"reject {pair}", equal) for pair in ("x y", "y z", "x z")), ("accept x y", [(1, 2), (1, 3), (2, 3)])]
    problem = problem_of({"D: x y z": [1, 2, 3]}, *tables)
    text = exported(problem, STRUCTURE)
    assert "<allDifferent> x y z </allDifferent>" in text
    assert "<intension> lt(x,y) </intension>" in text
    assert "<extension>" not in text


def test_symbols_are_not_compared_as_numbers() -> None:
    pair = (1 << 60), (1 << 60) + 1
    text = exported(problem_of({"D: x y": pair}, ("accept x y", [pair])), STRUCTURE)
    assert "lt(" not in text
    assert "<supports> (0,1) </supports>" in text


def test_nothing_is_written_that_solvers_fail_at() -> None:
    text = exported(problem_of({"D: x y free": [1, 2]}, ("accept x y", [])))
    assert "<conflicts> 1 2 </conflicts>" in text
    assert "<supports> 1 2 </supports>" in text  # of the free variable
    assert '<var id="none"' in exported(problem_of({}))


# ---- What others write ---------------------------------------------------------------------------------------------

XY = '<var id="x"> 0..3 </var><var id="y"> 0..3 </var>'
LIST = "<list> x y </list>"


@pytest.mark.parametrize("case", Path(__file__).with_name("meanings.txt").read_text(encoding="utf-8").split("\n\n"))
def test_what_a_constraint_means(case: str) -> None:
    constraint, holds = case.splitlines()
    expected = {(x, y) for x in range(4) for y in range(4) if eval(holds, {"x": x, "y": y})}
    assert numbers(loaded(XY, constraint)) == expected


def test_arrays_of_variables() -> None:
    problem = loaded(
        '<array id="x" size="[2][3]"><domain for="x[0][] x[1][0]"> 0 1 </domain>'
        '<domain for="others"> 5 </domain></array><var id="u" as="x[0][0]"/>',
        "<allDifferent> x[0][0..1] </allDifferent><allEqual> x[][0] </allEqual>",
    )
    assert problem.variable_names == ("x[0][0]", "x[0][1]", "x[0][2]", "x[1][0]", "x[1][1]", "x[1][2]", "u")
    assert [v.domain.values for v in problem.variables] == [(0, 1)] * 4 + [(5,)] * 2 + [(0, 1)]
    assert [c.scope for c in problem.constraints] == [("x[0][0]", "x[0][1]"), ("x[0][0]", "x[1][0]")]


def test_cells_without_domain_are_no_variables() -> None:
    problem = loaded(
        '<array id="x" size="[3]"><domain for="x[0] x[2]"> 0 1 </domain></array>', "<allDifferent> x[] </allDifferent>"
    )
    assert problem.variable_names == ("x[0]", "x[2]")
    assert problem.constraints[0].scope == ("x[0]", "x[2]")


def test_ids_of_constraints_are_labels() -> None:
    constraints = '<intension id="first"> eq(x,y) </intension><allDifferent id="all"> x y z </allDifferent>'
    problem = loaded(XY + '<var id="z"> 0..3 </var>', constraints)
    assert problem.labels == ("first", "all[0]", "all[1]", "all[2]")


def test_many_plain_tuples_are_read_as_one_by_one() -> None:
    rows = [(i, j) for i in range(30) for j in range(30) if (i * j) % 7 < 3]
    variables = '<var id="x"> 0..29 </var><var id="y"> 0..29 </var>'
    table = "".join(f"({i},{j})" for i, j in rows)
    fast, slow = (
        loaded(variables, f"<extension>{LIST}<supports>{text}</supports></extension>")
        for text in (table, table.replace(",", " , "))
    )
    assert fast == slow
    assert fast.constraints[0].tuples == tuple(rows)


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


def test_what_is_too_large_is_reported_and_not_made() -> None:
    variables = '<array id="x" size="[30]"> 0..9 </array>'
    coefficients = " ".join(str(10 ** (2 * i)) for i in range(8))
    condition = "<condition> (in,{0,404040404040404}) </condition>"
    text = f"<sum><list> x[0..7] </list><coeffs> {coefficients} </coeffs>{condition}</sum>"
    assert places(read, instance(variables, text)) == ["F510 6:1-6"]
    many = '<array id="x" size="[9999]"> 0..9 </array>'
    assert places(read, instance(many, "<allDifferent> x[] </allDifferent>")) == ["F510 6:1-15"]


def test_a_tuple_with_a_value_outside_a_domain_is_left_out() -> None:
    variables = '<array id="x" size="[2]"><domain for="x[0]"> 0 1 </domain><domain for="x[1]"> 0 </domain></array>'
    tables = "<conflicts> (1,1)(0,0) </conflicts>", "<supports> (*,0..9) (5,0) </supports>"
    problem = loaded(variables, "".join(f"<extension><list> x[] </list>{table}</extension>" for table in tables))
    assert [constraint.tuples for constraint in problem.constraints] == [((0, 0),), ((0, 0), (1, 0))]
    faulty = "<extension><list> x[] </list><supports> (7,0)(0,0)(0,0) </supports></extension>"
    assert places(read, instance(variables, faulty)) == ["F307 6:51-56"]


def test_all_different_takes_expressions() -> None:
    queens = "<allDifferent> q[] </allDifferent>" + "".join(
        f"<allDifferent> {' '.join(f'{sign}(q[{i}],{i})' for i in range(4))} </allDifferent>" for sign in ("add", "sub")
    )
    variables = '<array id="q" size="[4]"> 0..3 </array>'
    assert numbers(loaded(variables, queens)) == {(1, 3, 0, 2), (2, 0, 3, 1)}


def test_the_objective_can_be_ignored() -> None:
    text = instance('<var id="x"> 1..3 </var>', "<intension> lt(x,3) </intension>").replace('"CSP"', '"COP"')
    text = text.replace("</instance>", "<objectives> <minimize> x </minimize> </objectives> </instance>")
    assert messages(read, text) == [
        ("an instance of type COP is not supported", "read its constraints alone with --ignore-objective")
    ]
    assert numbers(read(Source("x.xml", text.encode()), ignore_objective=True)) == {(1,), (2,)}


def test_a_larger_table_can_be_asked_for() -> None:
    text = instance(
        '<array id="x" size="[8]"> 0..5 </array>', f"<intension> gt(pow({'mul(x[0],x[1])'},x[2]),x[3]) </intension>"
    )
    with pytest.raises(InvalidInput, match="F510"):
        read(Source("x.xml", text.encode()), max_tuples=100)
    assert read_text(text).n_constraints == 1


def test_symbols_are_words() -> None:
    variables = '<array id="x" size="[2]" type="symbolic"> red dark-blue </array><var id="n"> 0 1 </var>'
    text = """<allDifferent> x[] </allDifferent> <intension> iff(eq(x[0],red),eq(n,1)) </intension>
    <extension> <list> x[1] n </list> <supports> (red,*)(dark-blue,0) </supports> </extension>
    <count> <list> x[] </list> <values> red </values> <condition> (ge,1) </condition> </count>"""
    assert solutions(loaded(variables, text)) == {("dark-blue", "red", "0")}
    fixed = "<instantiation> <list> x[0] </list> <values> red </values> </instantiation>"
    assert solutions(loaded(variables, fixed)) == {("red", one, n) for one in ("red", "dark-blue") for n in "01"}


def test_a_carriage_return_ends_the_last_line() -> None:
    assert read_text(instance(XY, "") + "\r").n_variables == 2


@pytest.mark.parametrize(
    "text",
    [instance(XY, f"<intension> {'neg(' * 100_000}x{')' * 100_000} </intension>"), "<instance>" + "<a>" * 100_000],
    ids=["functions", "elements"],
)
def test_what_is_nested_too_deep(text: str) -> None:
    assert [fault.split()[0] for fault in places(read, text)] == ["F502"]
