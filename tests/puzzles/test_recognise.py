"""From a problem back to its puzzle, whatever order and tables it is written in, and what is no puzzle."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import ProblemError, Unsuitable
from f2csp.model import Problem
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.recognise import recognise
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.drafts import Draft
from tests.puzzles.records import LINES, NONE, REASON, Record, matrix, read
from tests.puzzles.strategies import in_row_order, puzzles
from tests.sat import Sat


def as_recognised(puzzle: Puzzle) -> Puzzle:
    """The puzzle of its problem: some boxes are lines, and one cell has no lines that could be equal."""
    if isinstance(puzzle, Sudoku) and puzzle.box_columns == 1:
        return replace(puzzle, box_rows=1, box_columns=puzzle.size)
    if isinstance(puzzle, Takuzu) and puzzle.rows == puzzle.columns == 1:
        return replace(puzzle, has_distinct_lines=True)
    return puzzle


# ---- Puzzle -> problem -> puzzle -------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=100)
@given(puzzles())
def test_a_puzzle_comes_back_from_its_problem(puzzle: Puzzle) -> None:
    assert recognise(to_problem(puzzle)) == as_recognised(puzzle)


@settings(deadline=None, max_examples=100)
@given(puzzles())
def test_a_puzzle_comes_back_from_the_text_of_its_problem(puzzle: Puzzle) -> None:
    assert recognise(f2csp.loads(f2csp.dumps(to_problem(puzzle)))) == as_recognised(puzzle)


@settings(deadline=None, max_examples=60)
@given(puzzles().filter(lambda puzzle: puzzle.n_rows * puzzle.n_columns <= 81), st.integers(0, 1 << 16))
def test_a_puzzle_comes_back_from_what_another_program_might_write(puzzle: Puzzle, seed: int) -> None:
    shuffled = Draft.of(to_problem(puzzle)).shuffled(Random(seed)).build()
    assert in_row_order(recognise(shuffled)) == in_row_order(as_recognised(puzzle))


@pytest.mark.parametrize(
    "puzzle",
    [
        *(Sudoku(25, 5, 5), Sudoku(36, 6, 6), Sudoku(64, 8, 8), Sudoku(24, 4, 6), Sudoku(24, 6, 4), Sudoku(24, 2, 12)),
        *(
            LatinSquare(40),
            Futoshiki(30, (Sign(Cell(30, 30), Cell(30, 29)),)),
            LatinSquare(31, clues=(Clue(31, 1, 31),)),
        ),
        *(Takuzu(31, 31), Takuzu(20, 30), Takuzu(1, 40), Takuzu(40, 1, False), Takuzu(2, 2), Takuzu(64, 64, False)),
    ],
    ids=lambda puzzle: puzzle.title,
)
def test_large_and_odd_boards(puzzle: Puzzle) -> None:
    assert recognise(to_problem(puzzle)) == puzzle


@pytest.mark.parametrize(
    ("title", "puzzle"),
    [
        ("Sudoku 2x2", Sudoku(2, 1, 2)),
        ("  SUDOKU\nof mine".strip(), Sudoku(2, 1, 2)),
        ("«Futoshiki» 2x2", Futoshiki(2)),
        ("futoshikis", Futoshiki(2)),
        ("Latin square 2x2", LatinSquare(2)),
        ("A Sudoku", LatinSquare(2)),
        ("", LatinSquare(2)),
        ("Takuzu 2x2", LatinSquare(2)),
    ],
)
def test_the_title_decides_a_tie(title: str, puzzle: Puzzle) -> None:
    assert recognise(replace(to_problem(LatinSquare(2)), title=title)) == puzzle


@pytest.mark.parametrize("title", ["Latin square 4x4", "Futoshiki 4x4", "Takuzu", ""])
def test_the_title_decides_nothing_else(title: str) -> None:
    for puzzle in (Sudoku(4, 2, 2), Futoshiki(4, (Sign(Cell(1, 1), Cell(1, 2)),)), Takuzu(4, 4)):
        assert recognise(replace(to_problem(puzzle), title=title)) == puzzle


def test_a_sudoku_without_boxes_has_its_rows_for_boxes() -> None:
    assert recognise(replace(to_problem(LatinSquare(9)), title="Sudoku 9x9")) == Sudoku(9, 1, 9)


def test_a_board_with_signs_is_a_futoshiki_whatever_its_title() -> None:
    puzzle = Futoshiki(3, (Sign(Cell(1, 1), Cell(1, 2)),))
    assert recognise(replace(to_problem(puzzle), title="Sudoku 3x3")) == puzzle


@pytest.mark.skipif(not LINES, reason=REASON)
@pytest.mark.parametrize("record", LINES[::15] or [NONE], ids=lambda record: record["id"])
def test_real_puzzles_come_back_and_their_solutions_are_boards(record: Record) -> None:
    puzzle = read(record["puzzle"], record["kind"])
    assert recognise(to_problem(puzzle)) == puzzle
    values = enumerate(matrix(record["solution"]), 1)
    solution = {f"V{row}-{column}": value for row, line in values for column, value in enumerate(line, 1)}
    assert puzzle.grid_of(solution) == matrix(record["solution"])


def test_one_cell() -> None:
    for clues in ((), (Clue(1, 1, 1),)):
        for puzzle in (Sudoku(1, 1, 1, clues=clues), LatinSquare(1, clues=clues), Futoshiki(1, clues=clues)):
            assert recognise(to_problem(puzzle)) == puzzle
        assert recognise(to_problem(Takuzu(1, 1, clues=clues))) == Takuzu(1, 1, clues=clues)


def test_givens_may_be_unary_tables_of_any_kind_and_repeated() -> None:
    draft = Draft.of(to_problem(LatinSquare(3)))
    draft.reject("V2-2", "1", "3")
    draft.accept("V1-3", "3")
    draft.accept("V2-2", "2")
    assert recognise(draft.build()) == LatinSquare(3, clues=(Clue(2, 2, 2), Clue(1, 3, 3)))


def test_tables_on_the_same_variables_count_as_one() -> None:
    draft = Draft.of(to_problem(Sudoku(4, 2, 2, clues=(Clue(1, 1, 3),))))
    for part in list(draft.parts):
        draft.parts.remove(part)
        rows = part.rows if part.kind == "Reject" else [(value,) for value in "124"]
        for row in rows:
            draft.reject(" ".join(part.scope), " ".join(row))
    assert recognise(draft.build()) == Sudoku(4, 2, 2, clues=(Clue(1, 1, 3),))


def test_constraints_that_always_hold_change_nothing() -> None:
    draft = Draft.of(to_problem(LatinSquare(3)))
    draft.reject("V1-1 V2-2 V3-3")
    draft.reject("V1-1 V3-3")
    draft.accept("V1-1", "1", "2", "3")
    assert recognise(draft.build()) == LatinSquare(3)
    draft = Draft.of(to_problem(Takuzu(3, 3)))
    draft.reject("V1-1 V2-2 V3-3 V1-2")
    draft.reject("R1-ones-2 V3-3 V1-2")
    draft.accept("V1-1", "1", "0")
    assert recognise(draft.build()) == Takuzu(3, 3)


def test_a_sign_may_stand_for_the_pair_and_a_weak_sign_beside_it() -> None:
    puzzle = Futoshiki(3, (Sign(Cell(1, 2), Cell(1, 1)), Sign(Cell(1, 3), Cell(2, 3))))
    draft = Draft.of(to_problem(puzzle))
    draft.drop("V1-1", "V1-2")
    draft.parts[-1] = replace(
        draft.parts[-1], scope=["V2-3", "V1-3"], kind="Reject", rows=[("1", "2"), ("1", "3"), ("2", "3")]
    )
    assert recognise(draft.build()) == puzzle


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


def test_an_auxiliary_variable_that_no_table_defines() -> None:
    draft = takuzu_draft(3, 3)
    draft.variables = {name.replace("R1-ones", "x"): domain for name, domain in draft.variables.items()}
    draft.parts = [part for part in draft.parts if not any(name.startswith("R1-ones") for name in part.scope)]
    assert refusal(draft) == "the auxiliary variable x-2 is not one of a Takuzu 3x3"


# ---- Problems that are nearly puzzles --------------------------------------------------------------------------------

SIGNS = (Sign(Cell(1, 1), Cell(1, 2)), Sign(Cell(3, 2), Cell(2, 2)))
SMALL = [
    *(Takuzu(2, 2), Takuzu(2, 3), Takuzu(3, 3, clues=(Clue(1, 1, 0),)), Takuzu(1, 4), Takuzu(3, 3, False)),
    *(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 1))), LatinSquare(3, clues=(Clue(3, 3, 2),))),
    *(Futoshiki(3, SIGNS), Futoshiki(3, SIGNS[:1], clues=(Clue(2, 2, 2),))),
]


@pytest.mark.parametrize("puzzle", SMALL, ids=lambda puzzle: puzzle.title)
@settings(deadline=None, max_examples=60)
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


def named(draft: Draft, number: int) -> str:
    """What a message calls a constraint."""
    line = f2csp.dumps(draft.build()).splitlines().index(f"C{number}") + 1
    return f"constraint C{number} (line {line})"


def board(values: str, *cells: str) -> Draft:
    """Variables of one domain."""
    return Draft("", {"D1": values.split()}, dict.fromkeys(cells, "D1"), [])


NO_CELL = "no variable is a cell V<row>-<column>"


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (Draft("", {}, {}, []), NO_CELL),
        (board("red green", "France", "Spain"), NO_CELL),
        *((board("1", name), NO_CELL) for name in ("V1_1", "V01-1", "V1-0", "V٢-1", "v1-1", "V" + "9" * 50 + "-1")),
        (board("1", "x", "V1-1"), "expected 0 auxiliary variables for a Latin square 1x1, found 1"),
        (board("1 2", "V1-1", "V2-2", "V2-1"), "cells reach to row 2 and to column 2, and there is no cell V1-2"),
        (
            board("1", "V1-1", "V1-999999999", "V999999999-1"),
            "cells reach to row 999999999 and to column 999999999, and there is no cell V1-2",
        ),
        (board("1 2", "V1-1", "V1-2"), "no puzzle has 1x2 cells with the values 1 2"),
        (
            board("0 1 2", *(f"V{r}-{c}" for r in (1, 2, 3) for c in (1, 2, 3))),
            "no puzzle has 3x3 cells with the values 0 1 2",
        ),
        (board("01", "V1-1"), "no puzzle has 1x1 cells with the values 01"),
        (
            board("0 1", *(f"V{r}-1" for r in range(1, 130))),
            "a board of 129x1 does not have 1 to 128 rows and columns",
        ),
    ],
)
def test_variables_that_are_no_board(draft: Draft, reason: str) -> None:
    assert refusal(draft) == reason


def test_a_board_that_is_too_large() -> None:
    side = range(1, 258)
    draft = board(" ".join(map(str, side)), *(f"V{r}-{c}" for r in side for c in side))
    assert refusal(draft) == "a board of size 257 is not between 1 and 256"


def test_cells_that_take_different_values() -> None:
    draft = board("1 2", "V1-1", "V1-2", "V2-1", "V2-2")
    draft.domains |= {"D2": ["2", "1"], "D3": ["1"]}
    draft.variables |= {"V1-2": "D2", "V2-1": "D3"}
    assert refusal(draft) == "the values of V1-1 are 1 2, and those of V2-1 are 1"


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
    monkeypatch.setattr("f2csp.puzzles.recognise._MAX_ROWS", 50_000)
    names = [f"V{row}-{column}" for row in range(1, 7) for column in range(1, 7)]
    draft = board(" ".join(map(str, range(1, 61))), *names)
    for i in range(1, 60):
        draft.reject("V1-1 V1-2", f"{i} {i}")
    assert refusal(draft) == "its 59 tables are not those of a puzzle"


def latin(size: int = 3) -> Draft:
    return Draft.of(to_problem(LatinSquare(size)))


@pytest.mark.parametrize(
    ("scope", "rows", "names"),
    [
        ("V1-1", ["1", "2"], "V1-1"),
        ("V1-1", [], "V1-1"),
        ("V1-1 V1-2", [], "V1-1 V1-2"),
        ("V2-2 V1-1", ["1 1", "2 2", "3 3"], "V1-1 V2-2"),
        ("V1-1 V1-2", ["1 2"], "V1-1 V1-2"),
        ("V1-1 V1-2 V1-3", ["1 2 3"], "V1-1 V1-2 V1-3"),
        (" ".join(f"V{r}-{c}" for r in (3, 1) for c in (1, 2, 3)), ["1 1 1 1 1 1"], "V1-1 V1-2 V1-3 V3-1 V3-2 V3-3"),
    ],
)
def test_a_constraint_of_no_square_is_named_with_its_line(scope: str, rows: list[str], names: str) -> None:
    draft = latin()
    draft.accept(scope, *rows)
    draft.parts.insert(4, draft.parts.pop())
    assert refusal(draft) == f"a Latin square 3x3 does not have the {named(draft, 5)} on {names}"


def test_without_a_text_there_is_no_line() -> None:
    draft = latin()
    draft.accept("V1-1", "1", "2")
    draft.parts[-1].label = "odd"
    for i, part in enumerate(draft.parts[:-1]):
        part.label = f"part{i}"
    with pytest.raises(Unsuitable, match="a Latin square 3x3 does not have the constraint odd on V1-1"):
        recognise(draft.build())


@pytest.mark.parametrize("pair", [("V1-1", "V2-2"), ("V1-3", "V2-1"), ("V1-1", "V1-3")])
def test_a_sign_between_cells_that_do_not_touch(pair: tuple[str, str]) -> None:
    draft = latin()
    draft.accept(" ".join(pair), "1 2", "1 3", "2 3")
    assert refusal(draft) == f"a Latin square 3x3 does not have the {named(draft, 19)} on {' '.join(pair)}"


def test_givens_that_contradict() -> None:
    draft = latin(2)
    draft.accept("V1-2", "1")
    draft.accept("V1-1", "2")
    draft.reject("V1-2", "1")
    assert refusal(draft) == f"a Latin square 2x2 does not have the {named(draft, 7)} on V1-2"


@pytest.mark.parametrize("other", ["2 1", "1 1|2 1|2 2"])
def test_signs_that_contradict(other: str) -> None:
    draft = latin(2)
    draft.accept("V1-1 V2-1", "1 2")
    draft.accept("V1-1 V2-1", *other.split("|"))
    assert refusal(draft) == f"a Latin square 2x2 does not have the {named(draft, 6)} on V1-1 V2-1"


@pytest.mark.parametrize("pair", [("V1-1", "V1-2"), ("V2-3", "V3-3")])
def test_a_pair_of_a_row_or_a_column_that_may_be_equal(pair: tuple[str, str]) -> None:
    draft = latin()
    draft.drop(*pair)
    assert refusal(draft) == f"a Latin square 3x3 has a constraint on {' '.join(pair)} that is missing"


def test_a_weak_sign_alone_does_not_make_cells_differ() -> None:
    draft = latin(2)
    draft.drop("V1-1", "V1-2")
    draft.accept("V1-1 V1-2", "1 1", "1 2", "2 2")
    assert refusal(draft) == f"a Latin square 2x2 does not have the {named(draft, 4)} on V1-1 V1-2"


def test_a_pair_of_a_box_that_may_be_equal() -> None:
    draft = Draft.of(to_problem(Sudoku(6, 2, 3)))
    draft.drop("V3-4", "V4-5")
    assert refusal(draft) == "a Sudoku 6x6 has a constraint on V3-4 V4-5 that is missing"


def test_cells_that_differ_and_are_in_no_common_line_or_box() -> None:
    draft = Draft.of(to_problem(Sudoku(6, 3, 2)))
    draft.reject("V2-3 V1-1", *(f"{value} {value}" for value in range(1, 7)))
    assert refusal(draft) == f"a Sudoku 6x6 does not have the {named(draft, len(draft.parts))} on V1-1 V2-3"


def test_boxes_and_signs() -> None:
    draft = Draft.of(to_problem(Sudoku(4, 2, 2)))
    draft.accept("V1-2 V1-1", "2 1", "3 1", "3 2", "4 1", "4 2", "4 3")
    assert refusal(draft) == f"a Sudoku 4x4 does not have the {named(draft, len(draft.parts))} on V1-1 V1-2"


@pytest.mark.parametrize(
    ("scope", "rows", "names"),
    [
        ("V1-1", [], "V1-1"),
        ("V1-1 V1-2", ["0 1", "1 0"], "V1-1 V1-2"),
        ("V1-1 V1-2 V1-3 V1-4", ["0 1 0 1"], "V1-1 V1-2 V1-3 V1-4"),
        ("V1-1 V1-2 V1-3", ["0 0 1"], "V1-1 V1-2 V1-3"),
        ("V1-1 V1-3 V1-4", ["0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0"], "V1-1 V1-3 V1-4"),
        ("R1-R2-same-1 R1-R2-same-2", ["0 0", "0 1", "1 0"], "R1-R2-same-1 R1-R2-same-2"),
        ("R1-R2-same-1", ["0"], "R1-R2-same-1"),
        ("V1-3 V2-3 R1-R2-same-1", ["0 0 1", "0 1 0", "1 0 0", "1 1 1"], "V1-3 V2-3 R1-R2-same-1"),
        ("V1-3 R1-ones-2 R2-ones-2", ["0 0 0"], "V1-3 R1-ones-2 R2-ones-2"),
    ],
)
def test_a_constraint_of_no_takuzu_is_named_with_its_line(scope: str, rows: list[str], names: str) -> None:
    draft = takuzu_draft(4, 4, True)
    draft.accept(scope, *rows)
    assert refusal(draft) == f"a Takuzu 4x4 does not have the {named(draft, len(draft.parts))} on {names}"


@pytest.mark.parametrize(
    "scope", [("V2-2", "V3-2", "V4-2"), ("V2-1", "V2-2", "R2-ones-2"), ("R1-ones-2", "V1-3", "R1-ones-3")]
)
def test_a_constraint_of_a_takuzu_that_is_missing(scope: tuple[str, ...]) -> None:
    draft = takuzu_draft(4, 3)
    draft.drop(*scope)
    names = sorted(scope, key=lambda name: not name.startswith("V"))
    assert refusal(draft) == f"a Takuzu 4x3 has a constraint on {' '.join(names)} that is missing"


def test_counters_that_allow_too_much_or_too_little() -> None:
    draft = takuzu_draft(3, 4)
    part = draft.part("R1-ones-3", "V1-4", "R1-ones-4")
    part.rows.append(("1", "0", "2"))
    number = draft.parts.index(part) + 1
    assert refusal(draft) == f"a Takuzu 3x4 does not have the {named(draft, number)} on V1-4 R1-ones-3 R1-ones-4"
    draft = takuzu_draft(3, 4)
    draft.reject("R1-ones-3", "1")
    assert refusal(draft) == f"a Takuzu 3x4 does not have the {named(draft, len(draft.parts))} on R1-ones-3"


def test_variables_of_no_takuzu() -> None:
    draft = takuzu_draft(2, 2)
    draft.variables["new"] = "D1"
    assert refusal(draft) == "expected 8 auxiliary variables for a Takuzu 2x2, found 5"


def test_some_lines_that_may_be_equal() -> None:
    draft = takuzu_draft(3, 3, True)
    draft.drop(*(f"C1-C3-same-{i}" for i in (1, 2, 3)))
    assert refusal(draft) == "a Takuzu 3x3 has a constraint on C1-C3-same-1 C1-C3-same-2 C1-C3-same-3 that is missing"


# ---- From a solution to the board ------------------------------------------------------------------------------------


def test_a_solution_becomes_rows() -> None:
    solution = {"V1-1": 1, "V1-2": "2", "V2-2": 1, "other": 7}
    assert LatinSquare(2).grid_of(solution) == [[1, 2], [None, 1]]
    assert Takuzu(1, 3).grid_of({"V1-3": 0, "V1-1": "1"}) == [[1, None, 0]]
    assert Takuzu(3, 1).grid_of({}) == [[None], [None], [None]]


@pytest.mark.parametrize("value", [0, 3, "x", "01", -1])
def test_a_value_that_no_cell_can_have(value: int | str) -> None:
    with pytest.raises(ProblemError, match=f"{value} is no value of the cell V2-1"):
        LatinSquare(2).grid_of({"V2-1": value})
