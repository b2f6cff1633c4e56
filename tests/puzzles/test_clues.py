"""Clue files: what is read, and every fault with its place."""

import pytest

from f2csp.diagnostics import InvalidInput, Source, Unsuitable
from f2csp.puzzles.files.formats import PuzzleFile, named_formats, read_puzzle
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.sudoku import Box, Sudoku

VALID = b"9\n2\n1 1 5\n3 7 2\n"
BOARD = Sudoku(9, 3, 3, clues=(Clue(1, 1, 5), Clue(3, 7, 2)))
CLUES = named_formats("sudoku:clues")

Place = tuple[str, int, int, int]  # code, line, column, end column


def read(data: bytes, box: Box | None = None) -> PuzzleFile:
    return read_puzzle(Source("clues.txt", data), CLUES, Wish(box))


def faults(data: bytes, box: Box | None = None) -> list[Place]:
    with pytest.raises(InvalidInput) as caught:
        read(data, box)
    spans = [(d.code, d.span) for d in caught.value.diagnostics]
    assert all(span.line == span.end_line for _, span in spans)
    return [(code, span.line, span.column, span.end_column) for code, span in spans]


@pytest.mark.parametrize(
    "data",
    [
        VALID,
        VALID.rstrip(b"\n"),
        VALID.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + VALID,
        b"\xef\xbb\xbf\r\n" + VALID,
        VALID.replace(b" ", b"\t"),
        VALID.replace(b" ", b" \t  "),
        VALID.replace(b"\n", b" \t\n"),
        b"  " + VALID.replace(b"\n", b"\n \t"),
        b"\n\n \n" + VALID.replace(b"\n", b"\n\n\t\n \r\n"),
        b"09\n002\n01 1 5\n3 0000000000007 2\n",
    ],
)
def test_spellings_of_one_board(data: bytes) -> None:
    assert read(data).puzzle == BOARD


def test_clues_keep_the_order_of_the_file() -> None:
    data = b"\xef\xbb\xbf9\r\n2\r\n 3\t7 2 \r\n1 1 5\r\n"
    assert read(data).puzzle.clues == (Clue(3, 7, 2), Clue(1, 1, 5))


@pytest.mark.parametrize("data", [VALID, b"1\n0\n", b"1\n1\n1 1 1", b"16\n1\n16 16 16\n"])
def test_the_format_is_found(data: bytes) -> None:
    assert read_puzzle(Source("x", data), named_formats("sudoku")) == read(data)


def test_a_latin_square_may_have_any_size() -> None:
    found = read_puzzle(Source("x", b"7\n1\n1 7 5\n"), named_formats("auto", "latin"))
    assert found.puzzle == LatinSquare(7, clues=(Clue(1, 7, 5),))


@pytest.mark.parametrize("puzzle", [BOARD, Sudoku(9, 3, 3), LatinSquare(2, clues=(Clue(2, 2, 1), Clue(1, 1, 1)))])
def test_what_is_written_reads_back(puzzle: Puzzle) -> None:
    text = CLUES[0].load().write(puzzle)
    assert read_puzzle(Source("x", text.encode()), named_formats(f"{puzzle.KIND}:clues")).puzzle == puzzle


@pytest.mark.parametrize(
    ("data", "box", "board"),
    [
        (b"1\n0\n", None, Sudoku(1, 1, 1)),
        (b"1\n1\n1 1 1", None, Sudoku(1, 1, 1, clues=(Clue(1, 1, 1),))),
        (b"6\n0\n", (2, 3), Sudoku(6, 2, 3)),
        (b"6\n0\n", (3, 2), Sudoku(6, 3, 2)),
        (b"7\n0\n", (1, 7), Sudoku(7, 1, 7)),
        (b"9\n0\n", (1, 9), Sudoku(9, 1, 9)),
        (b"256\n0\n", None, Sudoku(256, 16, 16)),
    ],
)
def test_sizes_and_boxes(data: bytes, box: Box | None, board: Sudoku) -> None:
    assert read(data, box).puzzle == board


FAULTS: list[tuple[str, bytes, Box | None, list[Place]]] = [
    # The size of the board
    ("no square", b"6\n0\n", None, [("F601", 1, 1, 2)]),
    ("no square, of one row of boxes", b"  7\n0\n", None, [("F601", 1, 3, 4)]),
    ("other boxes", b"9\n0\n", (2, 3), [("F601", 1, 1, 2)]),
    ("zero", b"0\n0\n", None, [("F601", 1, 1, 2)]),
    ("zero with boxes", b"000\n1\n1 1 1\n", (2, 3), [("F601", 1, 1, 4)]),
    ("beyond the limit", b"289\n0\n", None, [("F601", 1, 1, 4)]),
    ("beyond the limit with boxes", b"289\n0\n", (17, 17), [("F601", 1, 1, 4)]),
    ("a million", b"1000000\n1\n1 1 1\n", None, [("F601", 1, 1, 8)]),
    ("a million digits", b"1" * 10**6 + b"\n0\n", None, [("F601", 1, 1, 10**6 + 1)]),
    ("negative", b"-9\n0\n", None, [("F607", 1, 1, 3)]),
    ("signed", b"+9\n0\n", None, [("F607", 1, 1, 3)]),
    ("with a point", b"9.0\n0\n", None, [("F607", 1, 1, 4)]),
    ("digits of another script", "٩\n0\n".encode(), None, [("F607", 1, 1, 2)]),
    ("a word", b"nine\n1\n1 1 1\n", None, [("F607", 1, 1, 5)]),
    ("a second byte-order mark", b"\xef\xbb\xbf\xef\xbb\xbf9\n0\n", None, [("F607", 1, 1, 3)]),
    ("clues of a board that cannot be", b"6\n2\n1 1 6\n1 7 1\n", None, [("F601", 1, 1, 2), ("F603", 4, 3, 4)]),
    # The number of clues
    ("one too few", b"9\n30\n1 1 5\n3 7 2\n", None, [("F602", 2, 1, 3)]),
    ("one too much", b"9\n1\n1 1 5\n3 7 2\n", None, [("F602", 2, 1, 2)]),
    ("none", b"9\n 2", None, [("F602", 2, 2, 3)]),
    ("10^18", b"9\n1000000000000000000\n1 1 5\n", None, [("F602", 2, 1, 20)]),
    ("5000 digits", b"9\n" + b"7" * 5000 + b"\n1 1 5\n", None, [("F602", 2, 1, 5001)]),
    ("a word as the count", b"9\ntwo\n1 1 5\n3 7 2\n", None, [("F607", 2, 1, 4)]),
    ("a negative count", b"9\n-2\n1 1 5\n3 7 2\n", None, [("F607", 2, 1, 3)]),
    ("no count", b"9\n1 1 5\n3 7 2\n", None, [("F604", 2, 1, 6)]),
    ("no size and no count", b"1 1 5\n3 7 2\n", None, [("F604", 1, 1, 6)]),
    # A file that ends early: the place just after its last character
    ("empty", b"", None, [("F604", 1, 1, 1)]),
    ("only a byte-order mark", b"\xef\xbb\xbf", None, [("F604", 1, 1, 1)]),
    ("only blanks", b"\n \n  ", None, [("F604", 3, 3, 3)]),
    ("only the size", b"9", None, [("F604", 1, 2, 2)]),
    ("only the size and a line end", b"9\r\n", None, [("F604", 2, 1, 1)]),
    # Rows, columns, values
    ("row 0", b"9\n1\n0 1 5\n", None, [("F603", 3, 1, 2)]),
    ("row 10", b"9\n1\n10 1 5\n", None, [("F603", 3, 1, 3)]),
    ("column 10", b"9\n1\n1  10 5\n", None, [("F603", 3, 4, 6)]),
    ("value 0", b"9\n1\n1 1 0\n", None, [("F603", 3, 5, 6)]),
    ("value 10", b"9\n1\n1\t1\t10", None, [("F603", 3, 5, 7)]),
    ("5000 digits as a row", b"9\n1\n" + b"1" * 5000 + b" 1 1", None, [("F603", 3, 1, 5001)]),
    ("row 0 of no board", b"x\n1\n0 1 5\n", None, [("F607", 1, 1, 2), ("F603", 3, 1, 2)]),
    ("all three", b"4\n1\n5 0 9\n", None, [("F603", 3, 1, 2), ("F603", 3, 3, 4), ("F603", 3, 5, 6)]),
    ("a value in letters", b"16\n1\n1 1 A\n", None, [("F607", 3, 5, 6)]),
    ("a negative row", b"9\n1\n-1 1 1\n", None, [("F607", 3, 1, 3)]),
    ("no value", b"9\n2\n1 1\n3 7 2\n", None, [("F604", 3, 4, 4)]),
    ("no value, blanks after", b"9\n2\n1 1 \t\r\n3 7 2\n", None, [("F604", 3, 4, 4)]),
    ("no value, at the end of the file", b"9\n2\n3 7 2\n1 1", None, [("F604", 4, 4, 4)]),
    ("no column and no value", b"9\n2\n1\n3 7 2\n", None, [("F604", 3, 2, 2)]),
    ("no number and no value", b"9\n1\n1 x\n", None, [("F607", 3, 3, 4), ("F604", 3, 4, 4)]),
    ("one clue on two lines", b"9\n1\n1 1\n5\n", None, [("F604", 3, 4, 4), ("F604", 4, 2, 2)]),
    ("a cell twice", b"9\n2\n1 1 5\n1 1 6\n", None, [("F605", 4, 1, 6)]),
    ("a cell twice, once without value", b"9\n2\n1 1\n1 1 6\n", None, [("F604", 3, 4, 4), ("F605", 4, 1, 6)]),
    ("a cell three times", b"9\n3\n1 1 5\n1 1 6\n01 1 5\n", None, [("F605", 4, 1, 6), ("F605", 5, 1, 7)]),
    ("a cell twice on no board", b"7\n2\n1 1 5\n1 1 6\n", None, [("F601", 1, 1, 2), ("F605", 4, 1, 6)]),
    ("huge cells are not the same", b"x\n2\n99999999991 1 5\n99999999992 1 6\n", None,
     [("F607", 1, 1, 2), ("F603", 3, 1, 12), ("F603", 4, 1, 12)]),
    # What is no clue
    ("a remark at the end", VALID + b"the end\n", None, [("F606", 5, 1, 8)]),
    ("a word at the end", VALID + "Schlußwort \n".encode(), None, [("F606", 5, 1, 11)]),
    ("a remark with a number", VALID + b"# 30 clues", None, [("F606", 5, 1, 11)]),
    ("a remark first", b"# my puzzle\n" + VALID, None, [("F606", 1, 1, 12)]),
    ("a heading between", b"9\nnumber of clues:\n2\n1 1 5\n3 7 2\n", None, [("F606", 2, 1, 17)]),
    ("a heading and nothing else", b"my puzzle", None, [("F606", 1, 1, 10), ("F604", 1, 10, 10)]),
    ("beside a clue", b"9\n2\n1 1 5  # five \n3 7 2\n", None, [("F606", 3, 8, 14)]),
    ("a digit beside a clue", b"9\n2\n1 1 5 9\n3 7 2\n", None, [("F606", 3, 7, 8)]),
    ("two clues on a line", b"9\n2\n1 1 5 3 7 2\n", None, [("F606", 3, 7, 12)]),
    ("beside the size", b"9 x\n2\n1 1 5\n3 7 2\n", None, [("F606", 1, 3, 4)]),
    ("beside the count", b"9\n2 clues\n1 1 5\n3 7 2\n", None, [("F606", 2, 3, 8)]),
    ("size and count on a line", b"9 2\n1 1 5\n3 7 2\n", None, [("F606", 1, 3, 4)]),
    ("commas", b"9\n2\n1,1,5\n3, 7, 2\n", None, [("F606", 3, 1, 6), ("F606", 4, 1, 8)]),
    ("a no-break space", "9\n1\n1\u00a01 5\n".encode(), None, [("F606", 3, 1, 6)]),
    ("a next-line character", "9\n1\n1 1 5\u0085\n".encode(), None, [("F607", 3, 5, 7)]),
    # Characters
    ("not UTF-8", b"9\n2\n1 1 \xff\n3 7 2\n", None, [("F001", 3, 5, 6)]),
    ("not UTF-8 in a remark", VALID + b"\xe9t\xe9 1\n", None, [("F001", 5, 1, 2)]),
    ("NUL", b"9\n2\n1 \x00 5\n3 7 2\n", None, [("F002", 3, 3, 4)]),
    ("NUL in the size", b"9\x00\n2\n1 1 5\n3 7 2\n", None, [("F002", 1, 2, 3)]),
    ("a carriage return in a line", b"9\n2\n1 1 5\r3 7 2\n", None, [("F002", 3, 6, 7)]),
    ("a carriage return at the end", b"9\n1\n1 1 5\r", None, [("F002", 3, 6, 7)]),
    ("UTF-16", VALID.decode().encode("utf-16"), None, [("F001", 1, 1, 3)]),
    # Several at once, in the order of the text
    ("many", b"9\n6\n1 1 1 1\n0 x 1\n2 2\nfoo bar\n3 3 3\n3 3 3\n10 10 10\n", None,
     [("F606", 3, 7, 8), ("F603", 4, 1, 2), ("F607", 4, 3, 4), ("F604", 5, 4, 4), ("F606", 6, 1, 8), ("F605", 8, 1, 6),
      ("F603", 9, 1, 3), ("F603", 9, 4, 6), ("F603", 9, 7, 9)]),
    ("a count that faults do not explain", b"9\n5\n1 1 x\n2 2 2\n", None, [("F602", 2, 1, 2), ("F607", 3, 5, 6)]),
]  # fmt: skip


@pytest.mark.parametrize(("data", "box", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(data: bytes, box: Box | None, places: list[Place]) -> None:
    assert faults(data, box) == places


@pytest.mark.parametrize(
    ("data", "box", "message", "hint"),
    [
        (b"6\n0", None, "the size of the board is 6, which is not a perfect square, so it has no square boxes",
         "write a perfect square, such as 4 or 9, or give the boxes: --box 2x3"),
        (b"7\n0", None, "the size of the board is 7, which is not a perfect square, so it has no square boxes",
         "write a perfect square, such as 4 or 9"),
        (b"9\n0", (2, 3), "the size of the board is 9, and boxes of 2x3 make a board of size 6",
         "correct the size, or --box"),
        (b"0289\n0", None, "the size of the board is 0289, and sizes from 1 to 256 are converted", None),
        (b"9\n030\n1 1 5", None, "declared 30 clues, found 1",
         "correct the number, or look for the clue that is missing or too much"),
        (b"9\n1", None, "declared 1 clue, found 0",
         "correct the number, or look for the clue that is missing or too much"),
        (b"9\n1\n1 12 5", None, "the column is 12, and a 9x9 board has columns 1 to 9", None),
        (b"9\n1\n4", None, "the clue '4' has no column and no value", None),
        (b"9\n1\n1 1 -5", None, "the value is '-5', not a number in digits", "write values in digits, counted from 1"),
        (b"9\n2\n1 1 5\n1 1 6", None, "the cell at row 1, column 1 is given twice, as 5 and as 6",
         "keep one of the two clues"),
        (b"9\n1\n1 1 5 " + b"x" * 99, None, f"'{'x' * 30}...' stands beside the clue '1 1 5'",
         "write one clue to a line, and nothing beside it"),
        (b"9\n0\n" + "é".encode() * 40, None, f"'{'é' * 30}...' is no clue",
         "remove the line, or write row, column and value, separated by blanks"),
        (b"9\n" + b"1" * 40, None, f"declared {'1' * 30}... (40 digits) clues, found 0",
         "correct the number, or look for the clue that is missing or too much"),
    ],
)  # fmt: skip
def test_messages_name_the_thing_both_quantities_and_the_cure(
    data: bytes, box: Box | None, message: str, hint: str | None
) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(data, box)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.message, diagnostic.hint) == (message, hint)


def test_a_cell_given_twice_shows_both_places() -> None:
    with pytest.raises(InvalidInput) as caught:
        read(b"9\n3\n1 1 5\n2 2 2\n1 1 6\n")
    (diagnostic,) = caught.value.diagnostics
    (first,) = diagnostic.related
    assert (diagnostic.span.line, diagnostic.excerpt.label) == (5, "given again")
    assert (first.span.line, first.span.column, first.span.end_column, first.label) == (3, 1, 6, "given here first")


def test_givens_that_break_a_rule_are_a_warning() -> None:
    found = read(b"4\n4\n1 1 2\n1 4 2\n4 1 2\n2 2 2\n")
    assert len(found.puzzle.clues) == 4
    assert [(d.code, d.severity, d.message) for d in found.warnings] == [
        ("F608", "warning", "2 is given at row 1, column 1 and at row 1, column 4, both in row 1"),
        ("F608", "warning", "2 is given at row 1, column 1 and at row 4, column 1, both in column 1"),
        ("F608", "warning", "2 is given at row 1, column 1 and at row 2, column 2, both in box 1"),
    ]
    assert [(d.span.line, d.span.column, d.span.end_column) for d in found.warnings] == [
        (4, 1, 6),
        (5, 1, 6),
        (6, 1, 6),
    ]
    assert all([e.span.line for e in d.related] == [3] for d in found.warnings)


def test_two_givens_that_share_two_units_are_one_warning() -> None:
    (warning,) = read(b"4\n2\n1 1 2\n1 2 2\n").warnings
    assert warning.message == "2 is given at row 1, column 1 and at row 1, column 2, both in row 1 and box 1"


def test_warnings_beyond_the_limit_are_counted() -> None:
    cells = "".join(f"{row} {column} 1\n" for row in range(1, 17) for column in range(1, 17))
    found = read(f"16\n256\n{cells}".encode())
    assert len(found.warnings) == 100
    # For each clue, the one before it in its row, in its column, and in its box if that is another one.
    assert found.n_hidden == 2 * 16 * 15 + 16 * 3 - 100


def test_faults_beyond_the_limit_are_counted() -> None:
    with pytest.raises(InvalidInput) as caught:
        read(b"9\n0\n" + b"x\n" * 250)
    assert (len(caught.value.diagnostics), caught.value.n_hidden) == (100, 150)


def test_boxes_that_a_reader_would_not_take_are_not_written() -> None:
    with pytest.raises(Unsuitable, match="cannot say that the boxes are 2x8"):
        CLUES[0].load().write(Sudoku(16, 2, 8))
    assert CLUES[0].load().write(Sudoku(6, 2, 3)) == "6\n0\n"
