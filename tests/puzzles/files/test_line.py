"""Sudokus on a line each: alphabets, what may stand beside a puzzle, and every fault with its place."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import F2cspError, InvalidInput, Source
from f2csp.puzzles.files.characters import VALUES
from f2csp.puzzles.files.formats import Likeness, PuzzleFile, named_formats, read_puzzle, read_puzzles, written
from f2csp.puzzles.files.line import looks_like, parts
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.sudoku import Box, Sudoku
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, sudokus

NAME = "sudoku:line"
DATA = Path(__file__).parents[4] / "shared" / "puzzles"

PUZZLE = "..6...15.89...4.........9..3..46......1..38..54......3...25...71..3...6...96..5.."
SOLUTION = "476932158938514276215876934328465791961723845547198623684259317152387469739641582"
BOARD = Sudoku(
    9, 3, 3, clues=tuple(Clue(i // 9 + 1, i % 9 + 1, int(cell)) for i, cell in enumerate(PUZZLE) if cell != ".")
)
FULL_16 = "".join(VALUES[(4 * row + row // 4 + column) % 16] for row in range(16) for column in range(16))


def read_with(text: str, box: Box) -> Puzzle:
    return read_puzzle(Source("", text.encode()), named_formats(NAME), Wish(box)).puzzle


def likeness(text: str) -> Likeness:
    return looks_like(Text.whole(Source("", text.encode())))


# ---- Alphabets -----------------------------------------------------------------------------------------------------


@given(sudokus(boxes=((2, 2), (3, 3))), st.data())
def test_signs_for_blanks_may_be_mixed(puzzle: Sudoku, data: st.DataObject) -> None:
    text = written(puzzle, NAME)
    signs = data.draw(st.lists(st.sampled_from(".0-*_"), min_size=text.count("."), max_size=text.count(".")))
    for sign in signs:
        text = text.replace(".", sign, 1) if sign != "." else text.replace(".", "\0", 1)
    assert read(text.replace("\0", "."), NAME) == in_row_order(puzzle)


@given(sudokus(max_size=25, boxes=((4, 4), (5, 5))), st.sampled_from(".-*_"))
def test_letters_may_be_small(puzzle: Sudoku, blank: str) -> None:
    text = written(puzzle, NAME).lower().replace(".", blank)
    assert read(text, NAME) == in_row_order(puzzle)


@given(sudokus(max_size=25, boxes=((4, 4), (5, 5))), st.sampled_from(".-*_"), st.booleans())
def test_values_may_count_from_zero(puzzle: Sudoku, blank: str, is_small: bool) -> None:
    lowest = [clue for clue in puzzle.clues if clue.value == 1][: puzzle.size - 1]
    others = [clue for clue in puzzle.clues if clue.value > 1]
    corners = [(1, 1), (puzzle.size, puzzle.size)]  # the lowest value and a blank
    clues = [Clue(1, 1, 1), *(clue for clue in lowest + others if clue[:2] not in corners)]
    puzzle = replace(puzzle, clues=tuple(clues))
    text = written(puzzle, NAME).translate(dict(zip(map(ord, VALUES), "0" + VALUES, strict=False)))
    assert read((text.lower() if is_small else text).replace(".", blank), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize("size", range(1, 10))
def test_zero_is_a_blank_on_small_boards_whatever_is_there(size: int) -> None:
    text = "0." + "1" * (size**2 - 2) if size > 1 else "0"
    found = read_with(text, (1, size))
    assert min(found.clues, default=Clue(1, 1, 1)).value == 1
    assert len(found.clues) == max(0, size**2 - 2)


def values_in(text: str) -> list[int]:
    return [VALUES.index(character) + 1 for character in text]


def sixteen(**cells: str) -> str:
    """A 16x16 board with these characters so many times, and points else; a name begins with an underscore."""
    text = "".join(character[1:] * int(n) for character, n in cells.items())
    return text + "." * (256 - len(text))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (sixteen(_0="1", _F="1"), [1, 16]),
        (sixteen(_0="1", _9="1"), [1, 10]),
        (sixteen(_F="1"), [15]),
        (sixteen(_G="1"), [16]),
        (sixteen(_0="1", _G="1"), [16]),
        (sixteen(_0="1", _g="1"), [16]),
        (sixteen(_0="17", _F="1"), [15]),
        (sixteen(_0="16", _F="1"), [1] * 16 + [16]),
        (sixteen(_F="1").replace(".", "0"), [15]),
        (FULL_16.replace("G", "0").replace("1", "0", 1), values_in(FULL_16.replace("G", "").replace("1", "", 1))),
        (FULL_16.replace("G", "0").replace("0", "1", 1), values_in(FULL_16.replace("G", "1", 1).replace("G", ""))),
    ],
)  # fmt: skip
def test_what_zero_means_on_a_large_board(text: str, values: list[int]) -> None:
    assert [clue.value for clue in read(text, NAME).clues] == values


def test_a_full_board_without_its_highest_value_could_count_from_zero() -> None:
    text = FULL_16.replace("G", "0")
    first = text.index("0") + 1
    assert faults(text, NAME) == [("F610", 1, first, first + 1)]
    assert messages(text, NAME) == [
        ("0 can be a blank of a board with 1-G, or a value of one with 0-F", "write . for a blank, or values from 1 on")
    ]


@pytest.mark.parametrize(("size", "box"), [(1, (1, 1)), (2, (1, 2)), (6, (2, 3)), (12, (3, 4)), (35, (5, 7))])
def test_sizes_and_boxes(size: int, box: Box) -> None:
    values = VALUES[:size]
    text = values + "." * (size**2 - size)
    assert read_with(text, box) == Sudoku(
        size, *box, clues=tuple(Clue(1, column, column) for column in range(1, size + 1))
    )


# ---- Lines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        PUZZLE,
        f" \t{PUZZLE} ",
        PUZZLE.replace(".", "0"),
        f"{PUZZLE}:1:{SOLUTION}",
        f"{PUZZLE}:1:",
        f"{PUZZLE}:1",
        f"{PUZZLE}:",
        f"{PUZZLE};7.2;1.5;2",
        f"{PUZZLE},{SOLUTION}",
        f"{PUZZLE} {SOLUTION} 25",
        f"006da9639bde {PUZZLE}  7.2",
        f"006da9639bde {PUZZLE.replace('.', '0')}  7.2",
        f"{'0' * 32}\t{PUZZLE.replace('.', '0')}",
        f"12: {PUZZLE}",
        f"7,{PUZZLE},{SOLUTION}",
        f"{PUZZLE} # found by chance",
        f"{PUZZLE} 7.2 #hard",
    ],
)
def test_what_may_stand_beside_a_puzzle(line: str) -> None:
    assert read(line, NAME) == BOARD
    assert format_of(line) == NAME


def test_remarks_and_blank_lines_are_no_puzzles() -> None:
    text = f"\ufeff# hard ones\r\n\r\n{PUZZLE}\r\n  # harder\r\n \t\r\n{SOLUTION}\r\n{PUZZLE}"
    found = list(read_puzzles(Source("", text.encode()), named_formats(NAME)))
    assert all(isinstance(file, PuzzleFile) and file.n_puzzles == 3 for file in found)
    assert [len(file.puzzle.clues) for file in found if isinstance(file, PuzzleFile)] == [25, 81, 25]


def test_any_puzzle_can_be_taken() -> None:
    source = Source("puzzles.sdm", f"# two\n{PUZZLE}\n{SOLUTION}\n".encode())
    assert len(read_puzzle(source, named_formats(NAME), index=2).puzzle.clues) == 81
    with pytest.raises(F2cspError, match=r"puzzles\.sdm has 2 puzzles, no number 3"):
        read_puzzle(source, named_formats(NAME), index=3)


def test_a_faulty_puzzle_hides_no_other() -> None:
    text = f"{PUZZLE}\n{PUZZLE[:-1]}\n{PUZZLE}\n"
    found = list(read_puzzles(Source("", text.encode()), named_formats("auto")))
    assert [isinstance(file, InvalidInput) for file in found] == [False, True, False]
    assert isinstance(found[1], InvalidInput)
    assert [(d.code, d.span.line) for d in found[1].diagnostics] == [("F609", 2)]


def test_parts_are_the_lines_with_puzzles() -> None:
    text = Text.whole(Source("", f"#\n{PUZZLE}\n\n a b \nc\r\n".encode()))
    found = parts(text)
    assert [part.data.decode() for part in found] == [PUZZLE, "a b ", "c"]
    assert [part.data for part in found[1:]] == [b"a b ", b"c"]
    assert found[-1].data == b"c"
    with pytest.raises(IndexError):
        found[3]


# ---- Faults --------------------------------------------------------------------------------------------------------

FAULTS: list[tuple[str, str, list[Place]]] = [
    # Length
    ("a cell too few", PUZZLE[:-1], [("F609", 1, 1, 81)]),
    ("a cell too much", f"{PUZZLE}.", [("F609", 1, 1, 83)]),
    ("a row of a box too few", PUZZLE[:72], [("F609", 1, 1, 73)]),
    ("no square box", PUZZLE[:36].replace("8", "6").replace("9", "6"), [("F601", 1, 1, 37)]),
    ("too large", "." * 36**2, [("F601", 1, 1, 1297)]),
    ("huge", "1" * 10**5, [("F601", 1, 1, 10**5 + 1)]),
    ("a cell too few beside its solution", f"{PUZZLE[:-1]} {SOLUTION}", [("F606", 1, 82, 163), ("F609", 1, 1, 81)]),
    # Characters
    ("a letter", PUZZLE.replace("8", "H", 1), [("F610", 1, 10, 11)]),
    ("a sign", PUZZLE.replace("8", "?", 1), [("F610", 1, 10, 11)]),
    ("a sign of two bytes", f"#\n{PUZZLE.replace('8', '·', 1)}", [("F610", 2, 10, 11)]),
    ("a sign often is one fault", PUZZLE.replace(".", "·"), [("F610", 1, 1, 2)]),
    ("different signs", PUZZLE.replace("8", "x").replace("9", "y"), [("F610", 1, 10, 11), ("F610", 1, 11, 12)]),
    ("a sign too much", PUZZLE.replace("8", "8!", 1), [("F610", 1, 11, 12)]),
    ("a sign too much and a cell too few", PUZZLE.replace("89.", "!", 1), [("F609", 1, 1, 80), ("F610", 1, 10, 11)]),
    ("a digit that a small board has not", "1..25..........3", [("F603", 1, 5, 6)]),
    ("a letter that a large board has not", sixteen(_H="1", _h="1", _G="1"), [("F610", 1, 1, 2), ("F610", 1, 2, 3)]),
    ("beside zero as a value", sixteen(_0="1", _Z="1"), [("F610", 1, 2, 3)]),
    # What stands beside
    ("a word", f"{PUZZLE} easy", [("F606", 1, 83, 87)]),
    ("words", f"{PUZZLE} 7 easy 5 one", [("F606", 1, 85, 95)]),
    ("two solutions", f"{PUZZLE}:{SOLUTION}:{SOLUTION}", [("F606", 1, 165, 246)]),
    ("the rest of a puzzle", f"{'.' * 16} {PUZZLE[16:]}", [("F606", 1, 18, 83)]),
    ("a word and a fault", f"{PUZZLE[:-1]} easy", [("F609", 1, 1, 81), ("F606", 1, 82, 86)]),
    ("separators alone", " :;, ", [("F615", 1, 2, 2)]),
    ("remarks alone", "# one\n\n# two\n", [("F615", 1, 1, 1)]),
    ("a number alone", "006000963900", [("F609", 1, 1, 13)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert sorted(faults(text, NAME)) == sorted(places)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (PUZZLE[:-1], "the puzzle has 80 cells, and a 9x9 board has 81", "add what is missing"),
        (f"{PUZZLE}1", "the puzzle has 82 cells, and a 9x9 board has 81", "remove what is too much"),
        (PUZZLE[:17], "the puzzle has 17 cells, and a 4x4 board has 16", "remove what is too much"),
        ("." * 1296,
         "the puzzle has 1,296 cells, and a board with a character for each cell has at most 1,225, 35 rows of 35",
         "write it as a matrix of numbers"),
        (PUZZLE.replace("8", "x"), "'x' is no value of a 9x9 board, and is there 2 times",
         "write 1-9, or . for a blank"),
        (f"{PUZZLE} easy", "'easy' stands beside the puzzle",
         "write one puzzle to a line; numbers, its solution, and a remark after # may follow"),
    ],
)  # fmt: skip
def test_messages_name_both_quantities_and_the_cure(text: str, message: str, hint: str) -> None:
    assert (message, hint) in messages(text, NAME)


def test_a_wished_box_tells_how_many_cells_are_due() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_with("." * 35, (2, 3))
    assert caught.value.diagnostics[0].message == "the puzzle has 35 cells, and a 6x6 board has 36"


@pytest.mark.parametrize("box", [(100, 100), (10**9, 10**9), (7, 7)])
def test_a_wished_box_of_any_size_is_no_trap(box: Box) -> None:
    for text in (PUZZLE, PUZZLE[:-1]):
        with pytest.raises(InvalidInput) as caught:
            read_with(text, box)
        assert [d.code for d in caught.value.diagnostics] == ["F601" if text == PUZZLE else "F609"]


def test_givens_that_break_a_rule_are_warned_of_at_their_places() -> None:
    text = f"#\n ab12cd {PUZZLE.replace('8', '6', 1)} 1\n"
    found = read_puzzle(Source("", text.encode()), named_formats(NAME))
    (warning,) = found.warnings
    assert (warning.code, warning.span.line, warning.span.column, warning.span.end_column) == ("F608", 2, 18, 19)
    assert [(mark.span.line, mark.span.column) for mark in warning.related] == [(2, 11)]


# ---- Detection -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PUZZLE, Likeness.SOUND),
        (PUZZLE[:-1], Likeness.SOUND),
        (PUZZLE.replace("8", "?", 1), Likeness.SOUND),
        (f"{PUZZLE}\nwhat is this\n{PUZZLE}\n{PUZZLE}\n", Likeness.SOUND),
        (f"# remark\n{PUZZLE}\n", Likeness.SOUND),
        ("1..24..........3", Likeness.SOUND),
        ("." * 81, Likeness.FAINT),
        (("01" * 8 + "\n") * 16, Likeness.FAINT),
        (f"puzzle,solution\n{PUZZLE},{SOLUTION}\n", Likeness.NONE),
        ("\n".join(PUZZLE[i : i + 9] for i in range(0, 81, 9)), Likeness.NONE),
        ("\n".join(FULL_16[i : i + 16] for i in range(0, 256, 16)), Likeness.FAINT),
        ("9\n2\n1 1 5\n3 7 2\n", Likeness.NONE),
        ("3x3:a5b6b8d8b3", Likeness.NONE),
        ("#\n#\n", Likeness.NONE),
        ("a word", Likeness.NONE),
        ("", Likeness.NONE),
    ],
)
def test_likeness(text: str, expected: Likeness) -> None:
    assert likeness(text) == expected


# ---- What people have ----------------------------------------------------------------------------------------------


def records(name: str) -> list[dict[str, str]]:
    if not (DATA / name).exists():
        pytest.skip("puzzle data not present")
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["sudoku_exchange.jsonl", "sudoku_gecode.jsonl"])
def test_puzzles_of_collections(name: str) -> None:
    known = records(name)
    text = "\n".join(record["puzzle"] for record in known)
    found = list(read_puzzles(Source(name, text.encode()), named_formats("auto")))
    assert len(found) == len(known)
    for file, record in zip(found, known, strict=True):
        assert isinstance(file, PuzzleFile)
        rows = [[int(value) for value in row.split()] for row in record["givens"].split("\n")]
        expected = [
            Clue(row, column, value)
            for row, values in enumerate(rows, 1)
            for column, value in enumerate(values, 1)
            if value
        ]
        assert (list(file.puzzle.clues), file.warnings) == (expected, ())
