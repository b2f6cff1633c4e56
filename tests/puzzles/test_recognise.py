"""From a problem back to its puzzle, whatever order and tables it is written in, and what is no puzzle."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import Unsuitable
from f2csp.model import Problem
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.recognise import recognise
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem, to_stream
from tests.conftest import Expected
from tests.puzzles.drafts import Draft
from tests.puzzles.strategies import cage, in_row_order, labels, puzzles, variants
from tests.sat import Sat
from tests.strategies import examples


def as_recognised(puzzle: Puzzle) -> Puzzle:
    """The puzzle of its problem: some boxes are lines, and one cell has no lines that could be equal."""
    if isinstance(puzzle, Sudoku) and puzzle.box_columns == 1:
        return replace(puzzle, box_rows=1, box_columns=puzzle.size)
    if isinstance(puzzle, Takuzu) and puzzle.rows == puzzle.columns == 1:
        return replace(puzzle, has_distinct_lines=True)
    return puzzle


# ---- Puzzle -> problem -> puzzle -------------------------------------------------------------------------------------


@examples(150)
@given(puzzles() | variants())
@example(Takuzu(32, 33, clues=(Clue(1, 1, 0), Clue(32, 33, 1))))
def test_a_puzzle_comes_back_from_its_problem_which_is_sound(puzzle: Puzzle) -> None:
    problem = to_problem(puzzle)
    assert to_stream(puzzle).collect() == problem
    assert f2csp.loads(f2csp.dumps(problem)) == problem
    assert recognise(problem) == as_recognised(puzzle)
    assert_sound(problem)


def assert_sound(problem: Problem) -> None:
    """Types, shapes, distinct relations in the order of their first use."""
    for array in (problem.scopes, problem.variable_domains, problem.constraint_relations, *problem.domain_values):
        assert array.dtype == np.int32
    assert problem.scope_offsets.dtype == np.int64
    assert problem.scope_offsets[-1] == len(problem.scopes)
    arities = [problem.relations[r].arity for r in problem.constraint_relations]
    assert np.diff(problem.scope_offsets).tolist() == arities
    assert list(dict.fromkeys(problem.constraint_relations.tolist())) == list(range(len(problem.relations)))
    assert len({relation.key for relation in problem.relations}) == len(problem.relations)


@given((puzzles() | variants()).filter(lambda puzzle: puzzle.n_rows * puzzle.n_columns <= 49), st.integers(0, 1 << 16))
@example(Sudoku(9, 3, 3, clues=(Clue(9, 9, 1), Clue(1, 1, 2))), 1)
@example(Killer(9, 3, 3, (Cage(25, tuple(Cell(7, i) for i in range(2, 8))),)), 2)
def test_a_puzzle_comes_back_from_what_another_program_might_write(puzzle: Puzzle, seed: int) -> None:
    shuffled = Draft.of(to_problem(puzzle)).shuffled(Random(seed)).build()
    assert in_row_order(recognise(shuffled)) == in_row_order(as_recognised(puzzle))


L_SHAPES = labels("111111111 222222222 344444444 333355554 366356555 336666665 777777777 888888888 999999999")


CAGES = (cage(45, *((1, c) for c in range(1, 10))), cage(17, (2, 1), (9, 9)), cage(6, (5, 5), (5, 6), (6, 5)))
SURE: list[Puzzle] = [  # whatever the title
    *(Sudoku(4, 2, 2), Futoshiki(4, (Sign(Cell(1, 1), Cell(1, 2)),)), Takuzu(4, 4)),
    *(Diagonal(6, 2, 3), Diagonal(12, 3, 4), Killer(9, 3, 3, CAGES)),
    Jigsaw(4, labels("1112 1322 3324 3444"), clues=(Clue(1, 1, 2),)),
]
SQUARES = Jigsaw(4, labels("1122 1122 3344 3344"))
TITLES: list[tuple[str, Puzzle, Puzzle]] = [
    *((title, LatinSquare(2), Sudoku(2, 1, 2)) for title in ("Sudoku 2x2", "SUDOKU\nof mine")),
    *((title, LatinSquare(2), Futoshiki(2)) for title in ("«Futoshiki» 2x2", "futoshikis")),
    *((title, LatinSquare(2), LatinSquare(2)) for title in ("Latin square 2x2", "A Sudoku", "", "Takuzu 2x2")),
    ("Sudoku 9x9", LatinSquare(9), Sudoku(9, 1, 9)),
    *((SQUARES.title, SQUARES, SQUARES), ("", SQUARES, Sudoku(4, 2, 2))),
    *((title, one, one) for title in ("Latin square 4x4", "Futoshiki 4x4", "Takuzu", "Sudoku 3x3", "") for one in SURE),
]


@pytest.mark.parametrize(("title", "made", "found"), TITLES)
def test_the_title_decides_a_tie(title: str, made: Puzzle, found: Puzzle) -> None:
    assert recognise(replace(to_problem(made), title=title)) == found


# ---- Auxiliary variables ---------------------------------------------------------------------------------------------


def takuzu_draft(n_rows: int, n_columns: int, distinct: bool = False) -> Draft:
    return Draft.of(to_problem(Takuzu(n_rows, n_columns, distinct)))


def test_auxiliary_variables_may_exchange_their_names() -> None:
    draft = takuzu_draft(4, 4, True)
    names = [name for name in draft.variables if not name.startswith("V")]
    new = dict(zip(names, reversed(names), strict=True))
    draft.variables = {new.get(name, name): domain for name, domain in draft.variables.items()}
    for part in draft.parts:
        part.scope = [new.get(name, name) for name in part.scope]
    assert recognise(draft.build()) == Takuzu(4, 4)


# ---- Problems that are nearly puzzles --------------------------------------------------------------------------------

SIGNS = (Sign(Cell(1, 1), Cell(1, 2)), Sign(Cell(3, 2), Cell(2, 2)))
SMALL = [
    *(Takuzu(2, 2), Takuzu(2, 3), Takuzu(3, 3, clues=(Clue(1, 1, 0),)), Takuzu(1, 4), Takuzu(3, 3, False)),
    *(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 1))), LatinSquare(3, clues=(Clue(3, 3, 2),))),
    *(Futoshiki(3, SIGNS), Futoshiki(3, SIGNS[:1], clues=(Clue(2, 2, 2),))),
]


@pytest.mark.parametrize("puzzle", SMALL, ids=lambda puzzle: puzzle.title)
@examples(60)
@given(data=st.data())
def test_what_is_taken_for_a_puzzle_has_its_solutions(puzzle: Puzzle, data: st.DataObject) -> None:
    """Change one or two constraints: it is another puzzle then, or none, or what changed makes no difference."""
    draft = Draft.of(to_problem(puzzle))
    for _ in range(data.draw(st.integers(1, 2))):
        change(draft, data)
    problem = draft.build()
    try:
        found = recognise(problem)
    except Unsuitable:
        return
    assert cell_solutions(problem) == cell_solutions(to_problem(found))


def change(draft: Draft, data: st.DataObject) -> None:
    """Do something to one of the constraints."""
    part = data.draw(st.sampled_from(draft.parts))
    match data.draw(st.sampled_from(["drop", "less", "more", "other kind", "other variable", "twice"])):
        case "drop":
            draft.parts.remove(part)
        case "less" if part.rows:
            part.rows.remove(data.draw(st.sampled_from(part.rows)))
        case "more":
            values = [draft.domains[draft.variables[name]] for name in part.scope]
            row = tuple(data.draw(st.sampled_from(words)) for words in values)
            part.rows += [row] if row not in part.rows else []
        case "other kind":
            part.kind = "Accept" if part.kind == "Reject" else "Reject"
        case "other variable":
            alike = [n for n, domain in draft.variables.items() if domain == draft.variables[part.scope[0]]]
            name = data.draw(st.sampled_from(alike))
            part.scope[0] = name if name not in part.scope else part.scope[0]
        case "twice":
            draft.parts.append(part)


def cell_solutions(problem: Problem) -> set[tuple[str, ...]]:
    cells = [name for name in problem.variable_names if name.startswith("V")]
    return {tuple(solution[name] for name in cells) for solution in Sat(problem).solutions(cells)}


# ---- What is no puzzle -----------------------------------------------------------------------------------------------


def refusal(draft: Draft) -> str:
    """Why the text of a problem holds no puzzle, without the words that all such messages begin with."""
    with pytest.raises(Unsuitable) as error:
        recognise(f2csp.loads(f2csp.dumps(draft.build())))
    beginning, _, reason = str(error.value).partition(": ")
    assert beginning == "no puzzle is recognised in this problem"
    return reason


SOURCES = {
    **{f"latin {size}": LatinSquare(size) for size in (2, 3)},
    **{f"sudoku {h * w}x{h * w} of {h}x{w}": Sudoku(h * w, h, w) for h, w in ((2, 2), (2, 3), (3, 2))},
    **{f"takuzu {size}x{size}": Takuzu(size, size) for size in (3, 4)},
    **{f"takuzu {h}x{w} with equal lines": Takuzu(h, w, False) for h, w in ((2, 2), (3, 4), (4, 3))},
}


def edited(lines: list[str]) -> Draft:
    """The problem of a puzzle, or cells with their values, and changes of it."""
    draft = Draft("", {}, {}, [])
    for line in lines:
        command, _, rest = line.partition(" ")
        names, _, values = (part.strip() for part in rest.partition(":"))
        match command:
            case "cells":
                draft = board(names, *values.split())
            case "domain":
                draft.domains[names] = values.split()
            case "variable":
                draft.variables[names] = values
            case "accept" | "reject":
                getattr(draft, command)(names, *filter(None, values.split(",")))
            case "row":
                draft.part(*names.split()).rows.append(tuple(values.split()))
            case "drop":
                draft.drop(*names.split())
            case "move":
                draft.parts.insert(int(names) - 1, draft.parts.pop())
            case _ if command != "#":
                draft = Draft.of(to_problem(SOURCES[line]))
    return draft


def test_what_is_no_puzzle(expected: Expected) -> None:
    """Each paragraph of the file is a problem and, behind the last ``>``, why it is no puzzle."""
    text = (Path(__file__).parent / "expected" / "refusals.txt").read_text(encoding="utf-8")
    cases = [[line for line in case.split("\n") if line[0] != ">"] for case in text.rstrip("\n").split("\n\n")]
    found = "\n\n".join("\n".join([*case, f"> {refusal(edited(case))}"]) for case in cases)
    expected("refusals.txt", f"{found}\n")


def board(values: str, *cells: str) -> Draft:
    """Variables of one domain."""
    return Draft("", {"D1": values.split()}, dict.fromkeys(cells, "D1"), [])


def test_symbols_are_no_puzzle_but_no_error_either() -> None:
    draft = takuzu_draft(2, 2)
    draft.domains["D1"] = ["0", "x"]
    for part in draft.parts:
        part.rows = [tuple("x" if value == "1" else value for value in row) for row in part.rows]
    draft.domains = {
        name: ["x" if value == "1" else value for value in values] for name, values in draft.domains.items()
    }
    assert refusal(draft) == "no puzzle has 2x2 cells with the values 0 x"
    draft = latin(2)
    draft.domains["letters"] = ["a", "b"]
    draft.variables["new"] = "letters"
    draft.accept("V1-1 new", "1 a", "2 b")
    assert refusal(draft) == "expected 0 auxiliary variables for a Latin square 2x2, found 1"


def test_many_different_tables_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(recognise.__globals__, "_MAX_ROWS", 50_000)
    names = [f"V{row}-{column}" for row in range(1, 7) for column in range(1, 7)]
    draft = board(" ".join(map(str, range(1, 61))), *names)
    for i in range(1, 60):
        draft.reject("V1-1 V1-2", f"{i} {i}")
    assert refusal(draft) == "its 59 tables are not those of a puzzle"


def latin(size: int = 3) -> Draft:
    return Draft.of(to_problem(LatinSquare(size)))


def test_without_a_text_there_is_no_line() -> None:
    draft = latin()
    draft.accept("V1-1", "1", "2")
    draft.parts[-1].label = "odd"
    for i, part in enumerate(draft.parts[:-1]):
        part.label = f"part{i}"
    with pytest.raises(Unsuitable, match="a Latin square 3x3 does not have the constraint odd on V1-1"):
        recognise(draft.build())


# ---- From a solution to the board ------------------------------------------------------------------------------------
