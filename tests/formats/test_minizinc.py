"""Models for MiniZinc as text, and what MiniZinc prints read back; tests/foreign has them solved."""

from hypothesis import given

from f2csp.formats.foreign import ExportOptions
from f2csp.formats.minizinc import chunks
from f2csp.model import Problem, ProblemBuilder
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.puzzle import Cell
from f2csp.puzzles.to_problem import to_problem
from tests.conftest import Expected
from tests.small import problem_of
from tests.strategies import problems


def written(problem: Problem, *, use_structure: bool = False) -> str:
    return b"".join(chunks(problem, ExportOptions(use_structure))).decode()


def neighbours() -> ProblemBuilder:
    builder = ProblemBuilder("Map\nof two countries")
    builder.domain("colour", ["red", "green"])
    builder.domain("age", [3, 1, 2])
    builder.variable("A", "colour")
    builder.variable("B", "colour")
    builder.variable("n-1", "age")
    builder.reject(["A", "B"], [("red", "red"), ("green", "green")])
    return builder


def test_a_model_can_be_read(expected: Expected) -> None:
    builder = neighbours()
    builder.accept(["n-1"], [(1,), (3,)])
    builder.accept(["B", "n-1"], [("red", 1), ("green", 2)])
    expected("model.mzn", written(builder.build()))


def constraints(text: str) -> list[str]:
    return [line.removesuffix(";") for line in text.split("\n") if line.startswith("constraint ")]


def test_with_structure_a_model_says_what_is_meant() -> None:
    puzzle = Futoshiki(3, signs=(Sign(Cell(1, 1), Cell(1, 2)),))
    text = written(to_problem(puzzle), use_structure=True)
    lines = [[f"V{i}_{j}" for j in (1, 2, 3)] for i in (1, 2, 3)]
    expected = [f"constraint alldifferent([{', '.join(names)}])" for names in [*lines, *zip(*lines, strict=True)]]
    assert sorted(constraints(text)) == sorted([*expected, "constraint V1_1 < V1_2"])
    assert "table" not in text
    assert "rejects" not in text


def test_constraints_have_their_names_where_they_have_some() -> None:
    builder = neighbours()
    builder.accept(["A"], [("red",)], label='"first"\\')
    assert constraints(written(builder.build()))[1] == 'constraint :: "\\"first\\"\\\\" A = red'


def test_true_and_false_have_their_names_in_comments() -> None:
    builder = neighbours()
    builder.accept(["A", "n-1"], [], label="never")
    builder.reject(["B"], [], label="always")
    assert constraints(written(builder.build()))[1:] == [
        "constraint false; % never of A, n_1",
        "constraint true; % always of B",
    ]
    assert "constraint false; % never" in constraints(written(builder.build(), use_structure=True))


def test_names_of_variables_are_plain_and_differ() -> None:
    builder = ProblemBuilder("names")
    builder.domain("D-1", [1])
    for name in "a-b a\u00a0b 9 \u6570 \u5b57 var table_1 mzn_x rejects '".split(" "):
        builder.variable(name, "D-1")
    lines = [line for line in written(builder.build()).split("\n") if line.startswith("var ")]
    assert lines == [
        f"var 'D-1': {name};"
        for name in ("a_b", "a_b_2", "v9", "v_", "v__2", "var_", "its_table_1", "its_mzn_x", "rejects_2", "v__3")
    ]


def test_numbers_too_large_for_solvers_are_constants_and_not_compared() -> None:
    large = 10**12
    tables = ("accept x y", [(1, large)]), ("accept y z", [(1, 1), (large, large)])
    text = written(problem_of({"D: x y z": [1, large]}, *tables), use_structure=True)
    assert "int: '1000000000000' = 2;" in text
    assert sorted(constraints(text)) == ["constraint table([x, y], table_1)", "constraint y = z"]


@given(problem=problems())
def test_any_problem_can_be_written(problem: Problem) -> None:
    for use_structure in (False, True):
        text = written(problem, use_structure=use_structure)
        assert text.count("\nvar ") == problem.n_variables
        assert text.endswith("];\n")
