"""Identifiers of Unequal: cells with their signs, as Futoshikis and as Latin squares; Adjacent mode is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source, Unsuitable
from f2csp.puzzles.files.formats import named_formats, read_puzzle, written
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.sudoku import Sudoku
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import futoshikis, in_row_order, latin_squares

FUTOSHIKI = "futoshiki:tatham"
LATIN = "latin:tatham"


@given(futoshikis())
def test_what_is_written_is_read_again(puzzle: Futoshiki) -> None:
    assert read(written(puzzle, FUTOSHIKI), FUTOSHIKI) == in_row_order(puzzle)


@given(latin_squares())
def test_a_latin_square_that_is_written_is_read_again(puzzle: LatinSquare) -> None:
    assert read(written(puzzle, LATIN), LATIN) == in_row_order(puzzle)


@pytest.mark.parametrize("size", [26, 32, 100, 256])
def test_what_is_written_is_read_again_at_large_sizes(size: int) -> None:
    clues = tuple(Clue(row, row, size - row + 1) for row in range(1, size + 1))
    signs = tuple(Sign(Cell(1, column), Cell(1, column + 1)) for column in range(1, size))
    signs += tuple(Sign(Cell(row + 1, size), Cell(row, size)) for row in range(1, size))
    puzzle = Futoshiki(size, signs, clues=clues)
    assert read(written(puzzle, FUTOSHIKI), FUTOSHIKI) == puzzle
    square = LatinSquare(size, clues=clues)
    assert read(written(square, LATIN), LATIN) == square


@given(futoshikis(min_size=2, min_signs=1))
def test_the_format_is_found(puzzle: Futoshiki) -> None:
    assert format_of(written(puzzle, FUTOSHIKI), "futoshiki") == FUTOSHIKI
    assert format_of(written(puzzle, FUTOSHIKI)) == FUTOSHIKI


@given(latin_squares())
def test_the_format_of_a_latin_square_is_found(puzzle: LatinSquare) -> None:
    assert format_of(written(puzzle, LATIN), "latin") == LATIN


def test_without_a_sign_it_can_be_either() -> None:
    assert faults("2:0,0,1,0,", "auto") == [("F614", 1, 1, 11)]
    assert read("2:0,0,1,0,", FUTOSHIKI) == Futoshiki(2, clues=(Clue(2, 1, 1),))
    assert read("2:0,0,1,0,", LATIN) == LatinSquare(2, clues=(Clue(2, 1, 1),))


def test_a_cell_is_greater_than_the_neighbours_that_its_signs_name() -> None:
    puzzle = read("3:0,0,0,0,3URDL,0,0,0,0,", FUTOSHIKI)
    middle = Cell(2, 2)
    neighbours = [Cell(1, 2), Cell(2, 1), Cell(2, 3), Cell(3, 2)]
    assert puzzle == Futoshiki(3, tuple(Sign(cell, middle) for cell in neighbours), clues=(Clue(2, 2, 3),))
    assert written(puzzle, FUTOSHIKI) == "3:0,0,0,0,3URDL,0,0,0,0,\n"


@pytest.mark.parametrize(
    "text",
    [
        "3:0,3LD,0,0,0,0,2U,0,0",
        "3:0,3DL,0,0,0,0,2U,0,0,",
        "3:0,3DLDL,0,0,0,0,2UU,0,0",
        "3dt:0,3LD,0,0,0,0,2U,0,0",
        "3de:00,03LD,000,0,0,0,0002U,0,0",
        "03dx:a3LD,d2U,b",
        "3:a,3LD,ab,a,2U,b,",
        "3:a3LD,aaaa2U,aa",
        "3:0,3LD,c0,2U,a0",
    ],
)
def test_spellings_of_one_puzzle(text: str) -> None:
    assert read(text, FUTOSHIKI) == read("3:0,3DL,0,0,0,0,2U,0,0,", FUTOSHIKI)


@given(latin_squares(), st.data())
def test_letters_stand_for_runs_of_blanks(puzzle: LatinSquare, data: st.DataObject) -> None:
    given = {(row, column): value for row, column, value in puzzle.clues}
    text, run = f"{puzzle.size}:", 0
    for cell in [(row, column) for row in range(1, puzzle.size + 1) for column in range(1, puzzle.size + 1)]:
        if cell not in given and run < 26:
            run += 1
            continue
        text += (chr(96 + run) + data.draw(st.sampled_from(["", ","]))) * bool(run)
        text, run = (f"{text}{given[cell]},", 0) if cell in given else (text, 1)
    text += chr(96 + run) * bool(run)
    assert read(text, LATIN) == in_row_order(puzzle)


def test_adjacent_mode_is_refused_by_name() -> None:
    text = "5a:0R,0DL,0,0,0,0R,0UL"
    assert faults(text, FUTOSHIKI) == faults(text, LATIN) == faults(text, "auto") == [("F613", 1, 2, 3)]
    assert faults("5adk#77", "futoshiki") == [("F613", 1, 2, 3)]
    ((message, _),) = messages(text, FUTOSHIKI)
    assert message == "this is Unequal in its Adjacent mode, which is another puzzle than a Futoshiki"


def test_a_random_seed_is_refused() -> None:
    assert faults("5dt#123", "futoshiki") == faults("5dt#123", "latin") == [("F613", 1, 4, 8)]


def test_an_identifier_with_signs_is_no_latin_square() -> None:
    assert faults("2:0,0LU,0,0,", LATIN) == [("F613", 1, 6, 7)]
    assert messages("2:0,0LU,0,0,", LATIN) == [
        ("a sign makes this a Futoshiki, which is another puzzle than a Latin square", "convert it as a Futoshiki")
    ]


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("no cells", "2:", [("F609", 1, 3, 3)]),
    ("one too few", "2:0,0,0", [("F609", 1, 8, 8)]),
    ("one too few, with a comma", "2:0,0,0,", [("F609", 1, 9, 9)]),
    ("one too many", "2:0,0,0,0,1", [("F609", 1, 11, 12)]),
    ("one too many, in a run", "2:0,d", [("F609", 1, 5, 6)]),
    ("too many with signs off the board", "2:d0L,7D", [("F609", 1, 4, 9)]),
    ("a value beyond the board", "2:0,3,0,17", [("F603", 1, 5, 6), ("F603", 1, 9, 11)]),
    ("off the board, above", "2:0U,0,0,0", [("F611", 1, 4, 5)]),
    ("off the board, right", "2:0,0DR,0,0", [("F611", 1, 7, 8)]),
    ("off the board, below", "2:0,0,0D,0", [("F611", 1, 8, 9)]),
    ("off the board, left", "2:0,0,0RL,0", [("F611", 1, 9, 10)]),
    ("off the board, twice", "2:0LU,0,0,0", [("F611", 1, 4, 5), ("F611", 1, 5, 6)]),
    ("contradiction in a row", "2:0R,0L,0,0", [("F612", 1, 7, 8)]),
    ("contradiction in a column", "2:0,0D,0,0U", [("F612", 1, 11, 12)]),
    ("no comma between numbers with signs", "2:0R0,0,0", [("F615", 1, 5, 6)]),
    ("no comma before a run", "2:0b0", [("F615", 1, 4, 5)]),
    ("a sign in small letters", "2:0r,0,0,0", [("F615", 1, 4, 5)]),
    ("two signs, one small", "2:0Rd,0,0,0", [("F615", 1, 5, 6)]),
    ("a sign without a number", "2:R,0,0,0", [("F604", 1, 3, 4)]),
    ("a sign after a run", "2:aR,b", [("F604", 1, 4, 5)]),
    ("an empty cell", "2:0,,0,0", [("F604", 1, 5, 6)]),
    ("an empty first cell", "2:,0,0,0", [("F604", 1, 3, 4)]),
    ("two commas at the end", "2:0,0,0,0,,", [("F604", 1, 11, 12)]),
    ("unknown symbols", "2:0,?!,0<,é", [("F610", 1, 5, 7), ("F610", 1, 9, 10), ("F610", 1, 11, 12)]),
    ("a capital that is no sign", "2:0E,0,0,0", [("F610", 1, 4, 5)]),
    ("no board", "0:", [("F601", 1, 1, 2)]),
    ("a board beyond the limit", "257:z", [("F601", 1, 1, 4)]),
    ("5000 digits", f"{'9' * 5000}:0", [("F601", 1, 1, 5001)]),
    ("signs on no board", "0:0U,0,,", [("F601", 1, 1, 2), ("F604", 1, 8, 9)]),
    ("two numbers", "3x3:h0", [("F615", 1, 1, 4)]),
    ("several", "2dz:0U,3,0D,4", [("F615", 1, 2, 4), ("F611", 1, 6, 7), ("F603", 1, 8, 9), ("F611", 1, 11, 12),
                                  ("F603", 1, 13, 14)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, FUTOSHIKI) == places


@pytest.mark.parametrize("text", ["5:0U,0,0,3D,0", "4dt:0,0R0,0L,", "3:0,9R,,0,0,0"])
def test_faults_are_those_of_a_futoshiki_if_the_kind_is_not_told(text: str) -> None:
    assert faults(text, "auto") == faults(text, FUTOSHIKI)


def test_contradicting_signs_show_both_places() -> None:
    with pytest.raises(InvalidInput, match="the signs contradict") as caught:
        read("2:0R,0L,0,0", FUTOSHIKI)
    (diagnostic,) = caught.value.diagnostics
    (earlier,) = diagnostic.related
    assert (earlier.span.column, earlier.span.end_column, earlier.label) == (4, 5, "the earlier sign")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("2:0,0,0", "the identifier has 3 cells, and a 2x2 board has 4", None),
        ("2:0r,0,0,0", "a comma is due before 'r'", "write a comma after each cell, and signs in capitals"),
        ("2:0,,0,0", "a cell is due before this comma", "write 0 for a blank"),
        ("2:R,0,0,0", "'R' belongs to no cell", "write the number of the cell before its signs, 0 for a blank"),
        ("2:0,<é,0,0", "'<é' is neither a number nor a sign",
         "a cell is a number, 0 for a blank, and then any of U, R, D, L; a comma follows it"),
        ("3x4:l", "the size of the board is one number, and here it is 3x4",
         "an identifier of Unequal begins like 4:0R,0,3"),
    ],
)  # fmt: skip
def test_messages_name_the_thing_and_the_cure(text: str, message: str, hint: str | None) -> None:
    assert messages(text, FUTOSHIKI) == [(message, hint)]


def test_givens_that_break_a_rule_or_a_sign_are_warnings() -> None:
    found = read_puzzle(Source("id", b"2:1R,2,1,0"), named_formats(FUTOSHIKI))
    assert [(d.code, d.span.column) for d in found.warnings] == [("F608", 6), ("F608", 8)]


def test_other_puzzles_cannot_be_written() -> None:
    module = named_formats(FUTOSHIKI)[0].load()
    with pytest.raises(Unsuitable, match="for Futoshikis and Latin squares, and the puzzle is a Sudoku 4x4"):
        module.write(Sudoku(4, 2, 2))
