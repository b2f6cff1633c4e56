"""From a problem back to its puzzle, whatever order and tables it is written in, and what is no puzzle."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import ProblemError, Unsuitable
from f2csp.model import Problem
from f2csp.puzzles.encoding import to_problem
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.recovery import from_problem, from_solution
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from tests.puzzles.drafts import Draft
from tests.puzzles.records import LINES, NONE, REASON, Record, matrix, read
from tests.puzzles.strategies import in_row_order, puzzles
from tests.sat import Sat


def as_told(puzzle: Puzzle) -> Puzzle:
    """The puzzle that its problem tells: some boxes are lines, and one cell has no lines that could be equal."""
    if isinstance(puzzle, Sudoku) and puzzle.box_columns == 1:
        return replace(puzzle, box_rows=1, box_columns=puzzle.size)
    if isinstance(puzzle, Takuzu) and puzzle.rows == puzzle.columns == 1:
        return replace(puzzle, has_distinct_lines=True)
    return puzzle


# ---- Puzzle -> problem -> puzzle -------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=100)
@given(puzzles())
def test_a_puzzle_comes_back_from_its_problem(puzzle: Puzzle) -> None:
    assert from_problem(to_problem(puzzle)) == as_told(puzzle)


@settings(deadline=None, max_examples=100)
@given(puzzles())
def test_a_puzzle_comes_back_from_the_text_of_its_problem(puzzle: Puzzle) -> None:
    assert from_problem(f2csp.loads(f2csp.dumps(to_problem(puzzle)))) == as_told(puzzle)


@settings(deadline=None, max_examples=60)
@given(puzzles().filter(lambda puzzle: puzzle.n_rows * puzzle.n_columns <= 81), st.integers(0, 1 << 16))
def test_a_puzzle_comes_back_from_what_another_program_might_write(puzzle: Puzzle, seed: int) -> None:
    shuffled = Draft.of(to_problem(puzzle)).shuffled(Random(seed)).build()
    assert in_row_order(from_problem(shuffled)) == in_row_order(as_told(puzzle))


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
    assert from_problem(to_problem(puzzle)) == puzzle


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
    assert from_problem(replace(to_problem(LatinSquare(2)), title=title)) == puzzle


@pytest.mark.parametrize("title", ["Latin square 4x4", "Futoshiki 4x4", "Takuzu", ""])
def test_the_title_decides_nothing_else(title: str) -> None:
    for puzzle in (Sudoku(4, 2, 2), Futoshiki(4, (Sign(Cell(1, 1), Cell(1, 2)),)), Takuzu(4, 4)):
        assert from_problem(replace(to_problem(puzzle), title=title)) == puzzle


def test_a_sudoku_without_boxes_has_its_rows_for_boxes() -> None:
    assert from_problem(replace(to_problem(LatinSquare(9)), title="Sudoku 9x9")) == Sudoku(9, 1, 9)


def test_a_board_with_signs_is_a_futoshiki_whatever_its_title() -> None:
    puzzle = Futoshiki(3, (Sign(Cell(1, 1), Cell(1, 2)),))
    assert from_problem(replace(to_problem(puzzle), title="Sudoku 3x3")) == puzzle


@pytest.mark.skipif(not LINES, reason=REASON)
@pytest.mark.parametrize("record", LINES[::15] or [NONE], ids=lambda record: record["id"])
def test_real_puzzles_come_back_and_their_solutions_are_boards(record: Record) -> None:
    puzzle = read(record["puzzle"], record["kind"])
    assert from_problem(to_problem(puzzle)) == puzzle
    values = enumerate(matrix(record["solution"]), 1)
    solution = {f"V{row}-{column}": value for row, line in values for column, value in enumerate(line, 1)}
    assert from_solution(puzzle, solution) == matrix(record["solution"])


def test_one_cell() -> None:
    for clues in ((), (Clue(1, 1, 1),)):
        for puzzle in (Sudoku(1, 1, 1, clues=clues), LatinSquare(1, clues=clues), Futoshiki(1, clues=clues)):
            assert from_problem(to_problem(puzzle)) == puzzle
        assert from_problem(to_problem(Takuzu(1, 1, clues=clues))) == Takuzu(1, 1, clues=clues)


def test_givens_may_be_unary_tables_of_any_kind_and_repeated() -> None:
    draft = Draft.of(to_problem(LatinSquare(3)))
    draft.reject("V2-2", "1", "3")
    draft.accept("V1-3", "3")
    draft.accept("V2-2", "2")
    assert from_problem(draft.build()) == LatinSquare(3, clues=(Clue(2, 2, 2), Clue(1, 3, 3)))


def test_constraints_that_always_hold_change_nothing() -> None:
    draft = Draft.of(to_problem(LatinSquare(3)))
    draft.reject("V1-1 V2-2 V3-3")
    draft.reject("V1-1 V3-3")
    draft.accept("V1-1", "1", "2", "3")
    assert from_problem(draft.build()) == LatinSquare(3)
    draft = Draft.of(to_problem(Takuzu(3, 3)))
    draft.reject("V1-1 V2-2 V3-3 V1-2")
    draft.reject("R1-ones-2 V3-3 V1-2")
    draft.accept("V1-1", "1", "0")
    assert from_problem(draft.build()) == Takuzu(3, 3)


def test_a_sign_may_stand_for_the_pair_and_a_weak_sign_beside_it() -> None:
    puzzle = Futoshiki(3, (Sign(Cell(1, 2), Cell(1, 1)), Sign(Cell(1, 3), Cell(2, 3))))
    draft = Draft.of(to_problem(puzzle))
    draft.drop("V1-1", "V1-2")
    draft.parts[-1] = replace(
        draft.parts[-1], scope=["V2-3", "V1-3"], kind="Reject", rows=[("1", "2"), ("1", "3"), ("2", "3")]
    )
    assert from_problem(draft.build()) == puzzle


# ---- Other encodings of Takuzus --------------------------------------------------------------------------------------


def takuzu_draft(n_rows: int, n_columns: int, distinct: bool = False) -> Draft:
    return Draft.of(to_problem(Takuzu(n_rows, n_columns, distinct)))


def replace_counters(draft: Draft, line: str, cells: list[str], domains: list[str]) -> None:
    """Count the ones of a line from a state before its first cell on; ``domains`` are those of the states."""
    draft.parts = [part for part in draft.parts if not any(name.startswith(f"{line}-ones") for name in part.scope)]
    draft.variables = {n: d for n, d in draft.variables.items() if not n.startswith(f"{line}-ones")}
    for i, values in enumerate(domains):
        draft.domains[f"{line}-{i}"] = values.split()
        draft.variables[f"{line}-state-{i}"] = f"{line}-{i}"
    for i, cell in enumerate(cells):
        rows = [
            f"{after} {bit} {before}"
            for before in domains[i].split()
            for bit in "01"
            for after in domains[i + 1].split()
            if int(after) == int(before) + int(bit)
        ]
        draft.accept(f"{line}-state-{i + 1} {cell} {line}-state-{i}", *rows)


def test_counters_that_begin_before_the_first_cell_and_are_not_pruned() -> None:
    draft = takuzu_draft(4, 4)
    cells = [f"V1-{c}" for c in (3, 1, 4, 2)]
    replace_counters(draft, "R1", cells, ["0", "0 1", "0 1 2", "0 1 2 3", "0 1 2 3 4"])
    draft.accept("R1-state-4", "2")
    draft.reject("R1-state-4", "1")
    assert from_problem(draft.build()) == Takuzu(4, 4, False)


@pytest.mark.parametrize("states", [["7", "7 8", "7 8 9", "8 9", "9"], ["0", "0 1", "0 1 2", "1 2", "2"]])
def test_counters_with_other_values(states: list[str]) -> None:
    draft = takuzu_draft(4, 4)
    replace_counters(draft, "R1", ["V1-1", "V1-2", "V1-3", "V1-4"], states)
    assert from_problem(draft.build()) == Takuzu(4, 4, False)


def test_a_counter_may_follow_from_the_first_cell_alone() -> None:
    draft = takuzu_draft(2, 2)
    draft.parts = [part for part in draft.parts if part.scope[-1] != "C2-ones-2"]
    draft.domains["few"] = ["0", "1"]
    draft.variables["one"] = "few"
    draft.accept("one V2-2", "0 1", "1 0")
    draft.accept("one V1-2 C2-ones-2", "0 0 1", "1 1 1")
    assert from_problem(draft.build()) == Takuzu(2, 2, False)


def test_lines_compared_by_difference() -> None:
    draft = takuzu_draft(3, 3, True)
    for part in draft.parts:
        if "same" in part.scope[-1]:
            part.rows = [(*row[:-1], "01"[row[-1] == "0"]) for row in part.rows]
            if "same" in part.scope[0]:
                part.rows = [("0", "0", "0")]
    assert from_problem(draft.build()) == Takuzu(3, 3)


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
        found = from_problem(problem)
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
        from_problem(f2csp.loads(f2csp.dumps(draft.build())))
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


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (Draft("", {}, {}, []), "there is no cell V<row>-<column>"),
        (board("red green", "France", "Spain"), "the variable France is no cell V<row>-<column>"),
        (board("1", "V1_1"), "the variable V1_1 is no cell V<row>-<column>"),
        (board("1", "V01-1"), "the variable V01-1 is no cell V<row>-<column>"),
        (board("1", "V1-0"), "the variable V1-0 is no cell V<row>-<column>"),
        (board("1", "V٢-1"), "the variable V٢-1 is no cell V<row>-<column>"),
        (board("1", "v1-1"), "the variable v1-1 is no cell V<row>-<column>"),
        (board("1", "x", "V1-1"), "the variable x is no cell V<row>-<column>"),
        (
            board("1 2", "V1-1", "V2-2", "V2-1"),
            "there is no cell V1-2, although cells reach to row 2 and to column 2",
        ),
        (
            board("1", "V1-1", "V1-999999999", "V999999999-1"),
            "there is no cell V1-2, although cells reach to row 999999999 and to column 999999999",
        ),
        (board("1", "V" + "9" * 50 + "-1"), f"the variable V{'9' * 39}... is no cell V<row>-<column>"),
        (board("1 2", "V1-1", "V1-2"), "the board is 1x2, which is no square, and its cells take 1 2, not 0 and 1"),
        (
            board("0 1 2", *(f"V{r}-{c}" for r in (1, 2, 3) for c in (1, 2, 3))),
            "the cells take 0 1 2, and those of a 3x3 board take 1 2 3",
        ),
        (board("01", "V1-1"), "the cells take 01, and those of a 1x1 board take 1"),
        (
            board("0 1", *(f"V{r}-1" for r in range(1, 130))),
            "the board is 129x1, and no Takuzu is larger than 128x128",
        ),
    ],
)
def test_variables_that_are_no_board(draft: Draft, reason: str) -> None:
    assert refusal(draft) == reason


def test_a_board_that_is_too_large() -> None:
    side = range(1, 258)
    draft = board(" ".join(map(str, side)), *(f"V{r}-{c}" for r in side for c in side))
    assert refusal(draft) == "the board is 257x257, and no puzzle is larger than 256x256"


def test_cells_that_take_different_values() -> None:
    draft = board("1 2", "V1-1", "V1-2", "V2-1", "V2-2")
    draft.domains |= {"D2": ["2", "1"], "D3": ["1"]}
    draft.variables |= {"V1-2": "D2", "V2-1": "D3"}
    assert refusal(draft) == "V1-1 takes 1 2, and V2-1 takes 1"


def latin(size: int = 3) -> Draft:
    return Draft.of(to_problem(LatinSquare(size)))


SQUARES = "is none of a Sudoku's, a Latin square's or a Futoshiki's"


@pytest.mark.parametrize(
    ("scope", "rows", "what"),
    [
        ("V1-1", ["1", "2"], "it leaves V1-1 several values"),
        ("V1-1", [], "it leaves V1-1 no value"),
        ("V1-1 V1-2", [], "it leaves V1-1 and V1-2 no value"),
        ("V1-1 V2-2", ["1 1", "2 2", "3 3"], "its table neither makes V1-1 and V2-2 differ nor compares them"),
        ("V1-1 V1-2", ["1 2"], "its table neither makes V1-1 and V1-2 differ nor compares them"),
        ("V1-1 V2-2", ["1 2", "1 3", "2 3"], "it compares V1-1 and V2-2, which are no neighbours"),
        ("V1-3 V2-1", ["1 2", "1 3", "2 3"], "it compares V1-3 and V2-1, which are no neighbours"),
        ("V1-1 V1-3", ["2 1", "3 1", "3 2"], "it compares V1-1 and V1-3, which are no neighbours"),
        ("V1-1 V1-2 V1-3", ["1 2 3"], "it is on 3 cells, V1-1 and V1-2 and V1-3"),
        (
            " ".join(f"V{r}-{c}" for r in (3, 1) for c in (1, 2, 3)),
            ["1 1 1 1 1 1"],
            "it is on 6 cells, V3-1 and V3-2 and V3-3 and V1-1 and V1-2 ...",
        ),
    ],
)
def test_a_constraint_that_is_none_of_a_square_is_told_with_its_line(scope: str, rows: list[str], what: str) -> None:
    draft = latin()
    draft.accept(scope, *rows)
    draft.parts.insert(4, draft.parts.pop())
    assert refusal(draft) == f"{named(draft, 5)} {SQUARES}: {what}"


def test_without_a_text_there_is_no_line() -> None:
    draft = latin()
    draft.accept("V1-1", "1", "2")
    draft.parts[-1].label = "odd"
    for i, part in enumerate(draft.parts[:-1]):
        part.label = f"part{i}"
    with pytest.raises(Unsuitable, match=f"constraint odd {SQUARES}: it leaves V1-1 several values"):
        from_problem(draft.build())


def test_givens_that_contradict() -> None:
    draft = latin(2)
    draft.accept("V1-2", "1")
    draft.accept("V1-1", "2")
    draft.reject("V1-2", "1")
    assert refusal(draft) == f"V1-2 is given as 1 by {named(draft, 5)} and as 2 by {named(draft, 7)}"


@pytest.mark.parametrize("other", ["2 1", "1 1|2 1|2 2"])
def test_signs_that_contradict(other: str) -> None:
    draft = latin(2)
    draft.accept("V1-1 V2-1", "1 2")
    draft.accept("V1-1 V2-1", *other.split("|"))
    assert refusal(draft) == f"{named(draft, 5)} and {named(draft, 6)} contradict each other about V1-1 and V2-1"


def test_a_pair_of_a_row_or_a_column_that_may_be_equal() -> None:
    for pair in (("V1-1", "V1-2"), ("V2-3", "V3-3")):
        draft = latin()
        draft.drop(*pair)
        assert refusal(draft) == f"the pair {pair[0]} and {pair[1]} may be equal, in one row or column of a 3x3 board"


def test_a_weak_sign_alone_does_not_make_cells_differ() -> None:
    draft = latin(2)
    draft.drop("V1-1", "V1-2")
    draft.accept("V1-1 V1-2", "1 1", "1 2", "2 2")
    assert refusal(draft) == "the pair V1-1 and V1-2 may be equal, in one row or column of a 2x2 board"


def test_a_pair_of_a_box_that_may_be_equal() -> None:
    draft = Draft.of(to_problem(Sudoku(6, 2, 3)))
    draft.drop("V3-4", "V4-5")
    assert refusal(draft) == "the pair V3-4 and V4-5 may be equal, in one row, column or box of 2x3 of a 6x6 board"


def test_cells_that_differ_and_are_in_no_common_line_or_box() -> None:
    different = [f"{value} {value}" for value in range(1, 7)]
    draft = Draft.of(to_problem(Sudoku(6, 3, 2)))
    draft.reject("V2-3 V1-1", *different)
    assert refusal(draft) == "boxes: V1-1 and V2-3 differ, which are in no common row, column or box of 3x2"
    draft = latin(5)
    draft.reject("V1-1 V2-2", *different[:5])
    assert refusal(draft) == (
        "V1-1 and V2-2 differ, which are in no common row or column, and a 5x5 board has no boxes"
    )


def test_diagonals_are_no_boxes() -> None:
    draft = latin(4)
    for a in range(1, 5):
        for b in range(a + 1, 5):
            draft.reject(f"V{a}-{a} V{b}-{b}", "1 1", "2 2", "3 3", "4 4")
    assert refusal(draft) == "boxes: V1-1 and V3-3 differ, which are in no common row, column or box of 2x2"


def test_boxes_and_signs() -> None:
    draft = Draft.of(to_problem(Sudoku(4, 2, 2)))
    draft.accept("V1-2 V1-1", "2 1", "3 1", "3 2", "4 1", "4 2", "4 3")
    n = len(draft.parts)
    assert refusal(draft) == (
        f"{named(draft, n)} compares V1-1 and V1-2, as in a Futoshiki, but cells of boxes differ, as in a Sudoku"
    )


TAKUZU = "is none of a Takuzu's"
UNLIKE = "it does not say that two rows or two columns are unlike in some place"


@pytest.mark.parametrize(
    ("scope", "rows", "what"),
    [
        ("V1-1", [], "it leaves V1-1 no value"),
        ("V1-1 V1-2", ["0 1", "1 0"], "it is on 2 of the cells and on 0 other variables"),
        ("V1-1 V1-2 V1-3 V1-4", ["0 1 0 1"], "it is on 4 of the cells and on 0 other variables"),
        ("V1-1 V1-2 R1-ones-2 R1-ones-3", ["0 0 0 1"], "it is on 2 of the cells and on 2 other variables"),
        (
            "V1-1 V1-2 V1-3",
            ["0 0 1"],
            "its table does not say of V1-1 and V1-2 and V1-3 that they are not all equal, and no more",
        ),
        (
            "V1-1 V1-3 V1-4",
            ["0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0"],
            "V1-1 and V1-3 and V1-4 are no three neighbours",
        ),
        (
            "V1-3 V1-4 V2-1",
            ["0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0"],
            "V1-3 and V1-4 and V2-1 are no three neighbours",
        ),
        ("R1-R2-same-1 R1-R2-same-2", ["0 0", "0 1", "1 0"], UNLIKE),
        ("R1-R2-same-1 R1-R2-same-2 R1-R2-same-3 C1-C2-same-4", ["0 0 0 0"], UNLIKE),
        ("R1-R2-same-1", ["0"], UNLIKE),
        ("R1-R2-same-1 R1-ones-2", ["0 0"], UNLIKE),
        (
            "V1-2 V2-1 new",
            ["0 0 1", "0 1 0", "1 0 0", "1 1 1"],
            "it compares V1-2 and V2-1, which are in no common row or column",
        ),
        ("V1-3 V2-3 R1-R2-same-1", ["0 0 1", "0 1 0", "1 0 0", "1 1 1"], "R1-R2-same-1 compares other cells already"),
        ("V1-3 R1-R2-same-1 R1-ones-3", ["0 0 1"], "R1-R2-same-1 compares lines elsewhere"),
        ("V1-3 V1-4 R1-R2-same-1", ["0 0 0"], "R1-R2-same-1 compares lines elsewhere"),
        ("V1-3 R1-ones-2", ["0 0"], "R1-ones-2 counts other cells elsewhere"),
        ("V1-3 R1-ones-2 R2-ones-2", ["0 0 0"], "R1-ones-2 is in more than one chain"),
        ("V1-4 R1-ones-4 R1-ones-2", ["0 2 2"], "R1-ones-2 is in more than one chain"),
        ("R1-ones-2 R1-ones-3", ["0 1"], "R1-ones-2 is neither counting from cell to cell nor comparing lines"),
    ],
)
def test_a_constraint_that_is_none_of_a_takuzu_is_told_with_its_line(scope: str, rows: list[str], what: str) -> None:
    draft = takuzu_draft(4, 4, True)
    draft.variables["new"] = "D1"
    draft.accept(scope, *rows)
    assert refusal(draft) == f"{named(draft, len(draft.parts))} {TAKUZU}: {what}"


def test_neighbours_that_may_be_equal() -> None:
    draft = takuzu_draft(4, 3)
    draft.drop("V2-2", "V3-2", "V4-2")
    assert refusal(draft) == "the neighbours V2-2 and V3-2 and V4-2 may all be equal"


def test_lines_without_counters() -> None:
    draft = takuzu_draft(3, 2)
    draft.drop("V2-1", "V2-2", "R2-ones-2")
    assert refusal(draft) == "row 2 need not have as many zeros as ones"
    draft = takuzu_draft(3, 2)
    draft.parts = [part for part in draft.parts if not part.scope[-1].startswith("C2")]
    assert refusal(draft) == "column 2 need not have as many zeros as ones"


def test_counters_that_allow_too_much_or_too_little() -> None:
    told = "the chain of R1-ones-2 lets row 1 have other numbers of zeros and ones, or too few"
    draft = takuzu_draft(3, 4)
    draft.part("R1-ones-3", "V1-4", "R1-ones-4").rows.append(("1", "0", "2"))
    assert refusal(draft) == told
    draft = takuzu_draft(3, 4)
    draft.part("R1-ones-2", "V1-3", "R1-ones-3").rows.pop()
    assert refusal(draft) == told
    draft = takuzu_draft(3, 4)
    draft.reject("R1-ones-3", "1")
    assert refusal(draft) == told


def test_counters_that_stop_early_or_leave_the_line() -> None:
    draft = takuzu_draft(3, 4)
    draft.drop("R1-ones-3", "V1-4", "R1-ones-4")
    assert refusal(draft) == "the chain of R1-ones-2 reads 3 cells, which are no row and no column"
    draft = takuzu_draft(3, 4)
    draft.part("R1-ones-3", "V1-4", "R1-ones-4").scope[1] = "V2-4"
    assert refusal(draft) == "the chain of R1-ones-2 reads 4 cells, which are no row and no column"


def test_two_chains_that_meet() -> None:
    draft = takuzu_draft(4, 4)
    draft.accept("V1-4 R1-ones-4 R2-ones-4", "0 2 2")
    link = draft.parts.index(draft.part("R2-ones-2", "V2-3", "R2-ones-3")) + 1
    assert refusal(draft) == f"{named(draft, link)} {TAKUZU}: R2-ones-3 is in more than one chain"


@pytest.mark.parametrize("values", [[], ["0"]])
def test_a_variable_that_is_limited_and_counts_nothing(values: list[str]) -> None:
    draft = takuzu_draft(2, 2)
    draft.variables["new"] = "D1"
    assert from_problem(draft.build()) == Takuzu(2, 2, False)
    draft.accept("new", *values)
    assert refusal(draft) == "the values of new are limited, and it counts no cells"


def test_a_chain_without_an_end() -> None:
    draft = takuzu_draft(4, 4)
    for a, b, cell in (("a", "b", "V1-1"), ("b", "c", "V1-2"), ("c", "a", "V1-3")):
        draft.variables[a] = "D1"
        draft.accept(f"{a} {cell} {b}", "0 0 0", "0 1 1", "1 0 1")
    n = len(draft.parts)
    assert refusal(draft) == f"{named(draft, n - 2)} {TAKUZU}: a is in a chain without an end"


def test_a_table_that_is_too_large_to_be_looked_at() -> None:
    draft = takuzu_draft(2, 2)
    draft.domains["many"] = [str(i) for i in range(300)]
    draft.variables |= {"a": "many", "b": "many"}
    draft.reject("a V1-1 b", "0 0 0")
    n = len(draft.parts)
    assert refusal(draft) == f"{named(draft, n)} {TAKUZU}: b has too many values to count cells"


def test_some_lines_that_may_be_equal() -> None:
    draft = takuzu_draft(3, 3, True)
    draft.drop(*(f"C1-C3-same-{i}" for i in (1, 2, 3)))
    assert refusal(draft) == "rows 1 and 2 must differ, and columns 1 and 3 may be equal"


def test_lines_that_must_not_be_opposite_are_no_rule() -> None:
    draft = takuzu_draft(3, 3, True)
    part = draft.part(*(f"R1-R2-same-{i}" for i in (1, 2, 3)))
    part.rows = [("0", "0", "0")]
    assert refusal(draft) == f"{named(draft, draft.parts.index(part) + 1)} {TAKUZU}: {UNLIKE}"


# ---- From a solution to the board ------------------------------------------------------------------------------------


def test_a_solution_becomes_rows() -> None:
    solution = {"V1-1": 1, "V1-2": "2", "V2-2": 1, "other": 7}
    assert from_solution(LatinSquare(2), solution) == [[1, 2], [None, 1]]
    assert from_solution(Takuzu(1, 3), {"V1-3": 0, "V1-1": "1"}) == [[1, None, 0]]
    assert from_solution(Takuzu(3, 1), {}) == [[None], [None], [None]]


@pytest.mark.parametrize("value", [0, 3, "x", "01", -1])
def test_a_value_that_no_cell_can_have(value: int | str) -> None:
    with pytest.raises(ProblemError, match=f"{value} is no value of the cell V2-1"):
        from_solution(LatinSquare(2), {"V2-1": value})
