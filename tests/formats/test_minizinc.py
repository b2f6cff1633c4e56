"""Models for MiniZinc as text, and what MiniZinc prints read back; tests/foreign has them solved."""

from hypothesis import given

from f2csp.formats.foreign import ExportOptions
from f2csp.formats.minizinc import chunks
from f2csp.model import Problem, ProblemBuilder
from tests.conftest import Expected
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


@given(problem=problems())
def test_any_problem_can_be_written(problem: Problem) -> None:
    for use_structure in (False, True):
        text = written(problem, use_structure=use_structure)
        assert text.count("\nvar ") == problem.n_variables
        assert text.endswith("];\n")
