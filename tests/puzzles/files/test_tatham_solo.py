"""Identifiers of Solo: numbers and runs of blanks, the shape of the boxes, and variants that are refused by name."""

import pytest
from hypothesis import given

from f2csp.diagnostics import Source, Unsuitable
from f2csp.puzzles.files.formats import named_formats, read_puzzle, written
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, sudokus

NAME = "sudoku:tatham"


@given(sudokus())
def test_what_is_written_is_read_again(puzzle: Sudoku) -> None:
    assert read(written(puzzle, NAME), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 9), (9, 1), (6, 6), (10, 10), (4, 25), (16, 16)])
def test_what_is_written_is_read_again_at_every_size(rows: int, columns: int) -> None:
    size = rows * columns
    clues = tuple(Clue(row, row, (row * 7) % size + 1) for row in range(1, size + 1))
    puzzle = Sudoku(size, rows, columns, clues=clues)
    assert read(written(puzzle, NAME), NAME) == puzzle


@given(sudokus())
def test_the_format_is_found(puzzle: Sudoku) -> None:
    assert format_of(written(puzzle, NAME), "sudoku") == NAME
    assert format_of(written(puzzle, NAME)) == NAME


@pytest.mark.parametrize(
    ("clues", "text"),
    [
        ((), "2x2:p"),
        ((Clue(1, 1, 1),), "2x2:1o"),
        ((Clue(1, 1, 1), Clue(1, 2, 2)), "2x2:1_2n"),
        ((Clue(1, 2, 4), Clue(4, 4, 3)), "2x2:a4m3"),
        ((Clue(4, 3, 2), Clue(4, 4, 1)), "2x2:n2_1"),
    ],
)
def test_how_an_identifier_is_spelled(clues: tuple[Clue, ...], text: str) -> None:
    puzzle = Sudoku(4, 2, 2, clues=clues)
    assert written(puzzle, NAME) == f"{text}\n"
    assert read(text, NAME) == puzzle


def test_runs_of_more_than_26_blanks() -> None:
    puzzle = Sudoku(9, 3, 3, clues=(Clue(1, 1, 9), Clue(7, 1, 8)))
    assert read("3x3:9zza8z", NAME) == puzzle
    assert written(puzzle, NAME) == "3x3:9zza8z\n"


def test_the_first_number_is_the_height_of_a_box_and_the_second_its_width() -> None:
    puzzle = read("2x3:5_6b4_2f1_2b6_3_3_4b2_1f4_1b5_6", NAME)
    assert isinstance(puzzle, Sudoku)
    assert (puzzle.size, puzzle.box_rows, puzzle.box_columns) == (6, 2, 3)


def test_one_number_counts_for_both() -> None:
    assert read("3:zzzc", NAME) == read("3x3:zzzc", NAME) == Sudoku(9, 3, 3)


@pytest.mark.parametrize("parameters", ["db", "r2", "m4dt", "md4de", "a", "ada", "m8du", "md2", "r4di"])
def test_parameters_of_the_program_say_nothing_of_the_puzzle(parameters: str) -> None:
    assert read(f"2x2{parameters}:a4b1b2_4b1b2a", NAME) == read("2x2:a4b1b2_4b1b2a", NAME)


@pytest.mark.parametrize("text", ["2x2:_a4__b1b2___4b1b2a_", "02x002:a04b1b2_4b1b00002a"])
def test_separators_and_leading_zeros_are_harmless(text: str) -> None:
    assert read(text, NAME) == read("2x2:a4b1b2_4b1b2a", NAME)


def test_the_box_that_the_user_names_comes_first() -> None:
    source = Source("id", b"2x3:zj")
    puzzle = read_puzzle(source, named_formats(NAME), Wish(box=(3, 2))).puzzle
    assert puzzle == Sudoku(6, 3, 2)


VARIANTS: list[tuple[str, str, tuple[int, int]]] = [
    ("9j:a2,b_c", "a jigsaw Sudoku", (2, 3)),
    ("3x3x:a6", "a Sudoku with diagonals", (4, 5)),
    ("3x3kdt:zzzc,_a,12_9", "a killer Sudoku", (4, 5)),
    ("9jx:7a", "a jigsaw Sudoku and a Sudoku with diagonals", (2, 4)),
    ("3x3dbxk:7a", "a Sudoku with diagonals and a killer Sudoku", (6, 8)),
    ("9jxk#123", "a jigsaw Sudoku and a Sudoku with diagonals and a killer Sudoku", (2, 5)),
    ("3xj:zzzc", "a Sudoku with diagonals and a jigsaw Sudoku", (2, 4)),
]


@pytest.mark.parametrize(("text", "variant", "columns"), VARIANTS)
def test_variants_are_refused_by_name(text: str, variant: str, columns: tuple[int, int]) -> None:
    assert faults(text, NAME) == [("F613", 1, *columns)]
    assert faults(text, "sudoku") == [("F613", 1, *columns)]
    assert faults(text, "auto") == [("F613", 1, *columns)]
    ((message, _),) = messages(text, NAME)
    assert message == f"this is {variant}, which is another puzzle than a Sudoku with boxes alone"


def test_a_random_seed_is_refused() -> None:
    assert faults("3x3db#123456789012345", "sudoku") == [("F613", 1, 6, 22)]
    ((message, hint),) = messages("3x3db#123", "auto")
    assert message == "'#123' is the random seed from which Solo makes a puzzle"
    assert hint == "let the program give the identifier with the cells"


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("shapes without their parameter", "3x3:a5,b_c", [("F613", 1, 7, 11)]),
    ("no cells", "2x2:", [("F609", 1, 5, 5)]),
    ("one too few", "2x2:o", [("F609", 1, 6, 6)]),
    ("one too few, blanks after it", " 2x2:o \t", [("F609", 1, 7, 7)]),
    ("one too many, in a run", "2x2:a4b1b2_4b1b2b", [("F609", 1, 17, 18)]),
    ("one too many, a number", "2x2:p4", [("F609", 1, 6, 7)]),
    ("many too many", "2x2:n1_2_3_4a", [("F609", 1, 10, 14)]),
    ("zero", "2x2:0o", [("F603", 1, 5, 6)]),
    ("a value beyond the board", "2x2:a5_17m", [("F603", 1, 6, 7), ("F603", 1, 8, 10)]),
    ("5000 digits", f"2x2:{'7' * 5000}o", [("F603", 1, 5, 5005)]),
    ("values beyond the board are not told twice", "2x2:p9_9", [("F609", 1, 6, 9)]),
    ("a capital", "2x2:Ao1", [("F610", 1, 5, 6)]),
    ("a full stop for a blank", "2x2:1..n", [("F610", 1, 6, 8)]),
    ("two unknown symbols and a value", "2x2:é9-n", [("F610", 1, 5, 6), ("F603", 1, 6, 7), ("F610", 1, 7, 8)]),
    ("no board", "0x4:zz", [("F601", 1, 1, 4)]),
    ("a board beyond the limit", "17x17:z", [("F601", 1, 1, 6)]),
    ("a board beyond everything", f"{'9' * 40}x{'9' * 40}db:z", [("F601", 1, 1, 82)]),
    ("an unknown symbol on no board", "0x4:z?", [("F601", 1, 1, 4), ("F610", 1, 6, 7)]),
    ("three numbers", "2x2x2:p", [("F613", 1, 4, 5)]),
    ("a second number is missing", "2x:p", [("F613", 1, 2, 3)]),
    ("several", "2x2q:p. x", [("F615", 1, 4, 5), ("F610", 1, 7, 8), ("F606", 1, 8, 10)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("2x2:o", "the identifier has 15 cells, and a 4x4 board has 16", None),
        ("2x2:q", "the identifier has 17 cells, and a 4x4 board has 16", None),
        ("4x4:1", "the identifier has 1 cell, and a 16x16 board has 256", None),
        ("2x2:5o", "the value at row 1, column 1 is 5, and a 4x4 board has values 1 to 4", None),
        ("2x2:Ö", "'Ö' is neither a number nor a run of blanks",
         "a cell is a number; the letters a to z are runs of 1 to 26 blanks"),
        ("2x2q:p", "'q' is no parameter of Solo", "an identifier of Solo begins like 3x3:a4_3a5b1d9"),
        ("2x2", "the identifier has no colon and no cells", "an identifier of Solo begins like 3x3:a4_3a5b1d9"),
    ],
)  # fmt: skip
def test_messages_name_the_thing_both_quantities_and_the_cure(text: str, message: str, hint: str | None) -> None:
    ((found_message, found_hint),) = messages(text, NAME)
    assert found_message == message
    assert hint is None or found_hint == hint


def test_givens_that_break_a_rule_are_a_warning() -> None:
    found = read_puzzle(Source("id", b"2x2:1_1n"), named_formats(NAME))
    assert [(d.code, d.span.column, d.span.end_column) for d in found.warnings] == [("F608", 7, 8)]


def test_other_puzzles_cannot_be_written() -> None:
    module = named_formats(NAME)[0].load()
    with pytest.raises(Unsuitable, match="the format is for the kind sudoku, and the puzzle is a Latin square 4x4"):
        module.write(LatinSquare(4))
