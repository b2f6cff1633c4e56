"""Report pages as text: what is on them, what stays text, their limits, and traces that are none."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from f2csp.diagnostics import F2cspError, Source
from f2csp.files import read_source
from f2csp.instances import Instance, instances
from f2csp.model import Problem, ProblemBuilder
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.report_page import report_page

pytest.importorskip("jinja2")

SAMPLES = Path(__file__).parents[2] / "samples"
SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
EVIL = "<script>document.title='<evil>'</script>"


def page_of(content: Problem | Sudoku | Takuzu, trace: str | None = None) -> str:
    source = None if trace is None else Source("trace.jsonl", trace.encode())
    return report_page(Instance("problem.csp", "f2csp", content), source)


def section(page: str, name: str) -> str:
    found = re.search(rf'<section aria-labelledby="{name}">(.*?)</section>', page, re.DOTALL)
    assert found is not None
    return re.sub(r"\s+", " ", found[1])


def steps_of(page: str) -> list[dict[str, object]]:
    found = re.search(r'<script type="application/json" id="steps">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    steps: list[dict[str, object]] = json.loads(found[1])["steps"]
    return steps


def test_a_problem_that_is_no_puzzle() -> None:
    page = report_page(next(instances(read_source(SAMPLES / "map.csp"))))
    assert "There are several solutions." in section(page, "problem")
    assert "x and y differ" in section(page, "relations")
    assert "6 of 9 tuples; constraint C1 (line 11) on France Spain" in section(page, "relations")
    assert "France = red: C2 (line 20) on France" in section(page, "structure")
    assert "None." in section(page, "warnings")
    words = [step["words"] for step in steps_of(page)]
    assert words[0] == "France loses green blue, because C2 (line 20) requires: France = red"
    assert words[-1] == "a solution"


def test_a_puzzle_without_a_solution() -> None:
    pytest.importorskip("pysat")
    page = report_page(next(instances(read_source(SAMPLES / "sudoku" / "9x9-no-solution.txt"))))
    assert "There is no solution." in section(page, "problem")
    assert "7 is given at row 7, column 3" in section(page, "explanation")
    assert section(page, "explanation").count('fill="#fcc"') == 2
    assert re.search(r"<td>22</td> <td><strong>F608 conflicting-givens</strong>", section(page, "warnings"))
    assert str(steps_of(page)[-1]["words"]).endswith("has no value left")


def test_names_and_values_stay_text() -> None:
    b = ProblemBuilder(EVIL)
    b.domain("D", ["<script>alert</script>", "</script>", "x"])
    b.variable("<b>one</b>", "D")
    b.variable("<!--two", "D")
    b.all_different(["<b>one</b>", "<!--two"])
    b.accept(["<b>one</b>", "<!--two"], lambda one, two: one == "x" or two != "x", "<i>")
    page = report_page(Instance(f"{EVIL}.csp", "f2csp", b.build()))
    assert page.count("<script") == page.count("</script>") == 2
    assert not re.search("<b>one|<i>|<!--", page)


def test_the_policy_allows_nothing_but_the_scripts_and_styles_of_the_page() -> None:
    page = page_of(SUDOKU)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{directive} &#39;sha256-{digest}&#39;" in policy[1] or f"{directive} 'sha256-{digest}'" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert not re.search(r'(?:src|href)="(?!data:|#)|url\(|@import|style="', page)


def test_an_empty_problem() -> None:
    page = page_of(ProblemBuilder("").build())
    assert "<h1>problem.csp</h1>" in page
    assert ">Title<" not in page
    unnamed = report_page(Instance("-", "f2csp", ProblemBuilder("").build()))
    assert "<h1>A problem without a title</h1>" in unnamed
    assert "There are no constraints." in section(page, "relations")


def test_sections_are_bounded_and_say_so() -> None:
    b = ProblemBuilder("Many variables and tables")
    for i in range(300):
        b.domain(f"D{i}", list(range(i, i + 3)))
        b.variable(f"x{i}", f"D{i}")
        b.accept([f"x{i}"], [i])
    page = page_of(b.build())
    assert "The first 200 of 300 variables are shown." in section(page, "problem")
    assert "The first 24 of 300 relations are shown." in section(page, "relations")
    assert "The first 20 of 300 constraints are shown." in section(page, "structure")
    assert section(page, "search").count("<tr data-variable") == 200


@pytest.mark.parametrize("puzzle", [SUDOKU, Takuzu(2, 4), Sudoku(25, 5, 5)])
def test_a_board_to_play_on_has_a_group_for_each_cell(puzzle: Sudoku | Takuzu) -> None:
    search = section(page_of(puzzle), "search")
    n = puzzle.n_rows * puzzle.n_columns - len(puzzle.clues)
    assert search.count("data-variable") == puzzle.n_rows * puzzle.n_columns
    assert search.count('class="large"') == n
    assert search.count('class="small"') == (0 if len(puzzle.values) > 16 else n * len(puzzle.values))


STEPS = [
    {"event": "assign", "node": 1, "parent": 0, "variable": "V1-2", "value": 2},
    {"event": "prune", "node": 1, "variable": "V1-3", "values": [2], "constraints": ["C2"]},
    {"event": "prune", "node": 0, "variable": "V1-2", "values": [2], "constraints": [], "failed": 1},
    {"event": "wipeout", "node": 1, "variable": "V1-3"},
    {"event": "backtrack", "node": 0, "variable": "V1-2"},
    {"event": "solution", "node": 0, "solution": {"V1-1": 1}},
]


def test_the_steps_of_a_trace_are_shown_in_words() -> None:
    page = page_of(SUDOKU, "".join(json.dumps(step) + "\n" for step in STEPS))
    assert "The steps of trace.jsonl." in section(page, "search")
    assert [step["words"] for step in steps_of(page)] == [
        "assign V1-2 = 2",
        "V1-3 loses 2, because C2 requires: V1-1 V1-3 all differ",
        "V1-2 loses 2, because the search with it failed",
        "V1-3 has no value left",
        "go back, as V1-2 has no further values",
        "a solution",
    ]
    long = page_of(SUDOKU, (json.dumps(STEPS[4]) + "\n") * 2_001)
    assert "The first 2000 of 2,001 steps are shown." in section(long, "search")


@pytest.mark.parametrize(
    "change",
    [
        {"event": "jump"},
        {"node": "1"},
        {"variable": "W1"},
        {"variable": ["V1-2"]},
        {"value": 9},
        {"value": [1]},
        {"parent": 7},
        {"event": "prune", "node": 7, "values": [1], "constraints": []},
        {"event": "prune", "values": 1, "node": 0, "constraints": []},
        {"event": "prune", "values": [1], "node": 0, "constraints": [1]},
        {"event": "prune", "values": [1], "node": 0, "constraints": ["C99"]},
        {"event": "solution", "node": 0, "solution": []},
    ],
)
def test_a_trace_of_another_problem_is_refused_with_its_line(change: dict[str, object]) -> None:
    with pytest.raises(F2cspError, match=r"trace.jsonl:2: expected a step of a search on this problem, found \{"):
        page_of(SUDOKU, f"{json.dumps(STEPS[0])}\n{json.dumps(STEPS[0] | change)}\n")


@pytest.mark.parametrize("line", ["", "[]", "null", "assign", '{"event": "assign"', "[" * 100_000, "\0"])
def test_what_is_no_step_is_refused(line: str) -> None:
    with pytest.raises(F2cspError, match=r"trace.jsonl:1: expected a step"):
        page_of(to_problem(SUDOKU), f"{line}\n")
