"""Report pages as text: what is on them, what stays text, their limits, and traces that are none."""

import json
import re

import pytest

from f2csp.diagnostics import F2cspError, Source
from f2csp.instances import Instance
from f2csp.model import Problem, ProblemBuilder
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.report_page import report_page

pytest.importorskip("jinja2")

SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))


def page_of(content: Problem | Sudoku, trace: str | None = None) -> str:
    source = None if trace is None else Source("trace.jsonl", trace.encode())
    return report_page(Instance("problem.csp", "f2csp", content), source)


def section(page: str, name: str) -> str:
    found = re.search(rf'<section [^>]*aria-labelledby="{name}"[^>]*>(.*?)</section>', page, re.DOTALL)
    assert found is not None
    return re.sub(r"\s+", " ", found[1])


def steps_of(page: str) -> list[str]:
    """The kinds of the steps of the first search; a test in a browser reads their words."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    return [data["texts"][step[0]][0] for step in data["searches"][0]]


def test_sections_are_bounded_and_say_so() -> None:
    b = ProblemBuilder("Many variables and tables")
    for i in range(300):
        b.domain(f"D{i}", list(range(i, i + 3)))
        b.variable(f"x{i}", f"D{i}")
        b.accept([f"x{i}"], [i])
    page = page_of(b.build())
    assert "The first 200 of 300 variables are shown." in section(page, "problem")
    assert "The first 200 of 300 variables are shown." in section(page, "known")
    assert "The first 24 of 300 relations are shown." in section(page, "relations")
    assert "The first 20 of 300 constraints are shown." in section(page, "structure")
    assert section(page, "search").count("<tr data-variable") == 200


def test_symmetries_are_a_fact_of_small_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    facts = section(page_of(Sudoku(4, 2, 2)), "known")
    assert "<li>Symmetry: any two of the values 1 to 4 can be swapped; rows 1 and 2, 3 and 4 can be permuted" in facts
    assert "Symmetry: 2 symmetries." in section(page_of(SUDOKU), "known")
    monkeypatch.setattr("f2csp.rendering.report_page._MAX_VERTICES", 10)
    assert "Symmetry" not in section(page_of(SUDOKU), "known")


@pytest.mark.parametrize("line", ["", "[]", "null", "assign", '{"event": "assign"', "[" * 100_000, "\0"])
def test_what_is_no_step_is_refused(line: str) -> None:
    with pytest.raises(F2cspError, match=r"trace.jsonl:1: expected a step"):
        page_of(to_problem(SUDOKU), f"{line}\n")
