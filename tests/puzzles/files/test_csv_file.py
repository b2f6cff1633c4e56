"""Sudokus in a table: which column and which field is meant, and every fault with its place."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source
from f2csp.puzzles.files.csv_file import looks_like, parts
from f2csp.puzzles.files.formats import Likeness, PuzzleFile, named_formats, read_puzzle, read_puzzles, written
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, sudokus

NAME = "sudoku:csv"

PUZZLE = "..6...15.89...4.........9..3..46......1..38..54......3...25...71..3...6...96..5.."
SOLUTION = "476932158938514276215876934328465791961723845547198623684259317152387469739641582"
BOARD = Sudoku(
    9, 3, 3, clues=tuple(Clue(i // 9 + 1, i % 9 + 1, int(cell)) for i, cell in enumerate(PUZZLE) if cell != ".")
)


@pytest.mark.parametrize(
    "text",
    [
        f"quizzes,solutions\n{PUZZLE},{SOLUTION}\n",
        f"quiz,solution\n{PUZZLE},{SOLUTION}\n",
        f"puzzle\n{PUZZLE}\n",
        f"puzzles\r\n{PUZZLE}\r\n",
        f"Puzzle,Solution\n{PUZZLE},{SOLUTION}",
        f"id,puzzle,solution,givens\n1,{PUZZLE},{SOLUTION},25\n",
        f"solution,puzzle\n{SOLUTION},{PUZZLE}\n",
        f"id\tpuzzle\tsolution\n\t{PUZZLE}\t{SOLUTION}\n",
        f"id;puzzle\n1,5;{PUZZLE}\n",
        f'"id","puzzle"\n"1","{PUZZLE}"\n',
        f'"a ""name"", or two",puzzle\n"1,""2"",3",{PUZZLE}\n',
        f'a,b,puzzle\n"1"2,"3,{PUZZLE}\n',
        f"id , puzzle \n1 , {PUZZLE} \n",
        f'id,puzzle\n1, "{PUZZLE}" ,\n',
        f"\ufeffpuzzle,solution\n{PUZZLE},\n",
        f"\n  \npuzzle,solution\n\n{PUZZLE},{SOLUTION}\n\n",
        f"puzzle\n{PUZZLE},more,than,columns\n",
    ],
)
def test_spellings_of_one_table(text: str) -> None:
    found = list(read_puzzles(Source("", text.encode()), named_formats(NAME)))
    assert [file.puzzle for file in found if isinstance(file, PuzzleFile)] == [BOARD]
    assert format_of(text) == NAME


a_field = st.text(st.sampled_from("ab1\",;'. é\t"), max_size=5)


@given(
    st.lists(sudokus(max_size=9, boxes=((2, 2), (3, 3))), max_size=4),
    st.lists(a_field, max_size=3),
    st.integers(0, 3),
    st.sampled_from(",;\t"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.data(),
)
def test_every_table_that_a_program_writes(
    puzzles: list[Sudoku], names: list[str], column: int, delimiter: str, quoting: int, data: st.DataObject
) -> None:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
    column = min(column, len(names))
    writer.writerow([*names[:column], "puzzle", *names[column:]])
    for puzzle in puzzles:
        fields = data.draw(st.lists(a_field, min_size=len(names), max_size=len(names)))
        writer.writerow([*fields[:column], written(puzzle, "sudoku:line").strip(), *fields[column:]])
    source = Source("", file.getvalue().encode())
    found = list(read_puzzles(source, named_formats(NAME)))
    if puzzles:
        read_ones = [file.puzzle for file in found if isinstance(file, PuzzleFile)]
        assert read_ones == list(map(in_row_order, puzzles))
    else:
        assert [type(file) for file in found] == [InvalidInput]


def test_any_puzzle_can_be_taken() -> None:
    text = f"id,puzzle\n1,{PUZZLE}\n2,{SOLUTION}\n3\n"
    source = Source("", text.encode())
    assert len(read_puzzle(source, named_formats("auto"), index=2).puzzle.clues) == 81
    found = list(read_puzzles(source, named_formats("auto")))
    assert [isinstance(file, InvalidInput) for file in found] == [False, False, True]


def test_parts_are_the_fields() -> None:
    text = Text.whole(Source("", b'a,puzzle,b\n1,22,3\n\n1\n1,,\r\n1," 4,4",5\n1,2'))
    assert [part.data for part in parts(text)] == [b"22", b"", b"", b'" 4,4"', b"2"]


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("a cell too few", f"id,puzzle\n1,{PUZZLE[:-1]},x\n", [("F609", 2, 3, 83)]),
    ("a cell too much in quotes", f'id,puzzle\n1,"{PUZZLE}1",x\n', [("F609", 2, 4, 86)]),
    ("a letter", f"puzzle\n{PUZZLE.replace('8', 'x', 1)}\n", [("F610", 2, 10, 11)]),
    ("a letter behind characters of two bytes", f"é,puzzle\nää,x{PUZZLE[1:]}\n", [("F610", 2, 4, 5)]),
    ("no square box", f"puzzle\n{'.' * 36}\n", [("F601", 2, 1, 37)]),
    ("a row that is too short", f"id,puzzle\n1\n2,{PUZZLE}\n", [("F615", 2, 2, 2)]),
    ("an empty field", "id,puzzle\n1,\n", [("F615", 2, 3, 3)]),
    ("an empty field in quotes", 'id,puzzle\n1,""\n', [("F615", 2, 3, 3)]),
    ("a field of blanks", "id,puzzle\n1,  ,2\n", [("F615", 2, 3, 3)]),
    ("a quotation mark that is not closed", f'id,puzzle\n1,"{PUZZLE}\n', [("F615", 2, 3, 85)]),
    ("a quotation mark alone", 'id,puzzle\n1,"\n', [("F615", 2, 3, 4)]),
    ("no row", "id,puzzle", [("F615", 1, 10, 10)]),
    ("no row but a blank line", "id,puzzle\n\n", [("F615", 1, 10, 10)]),
    ("other names", f"id,sudoku\n1,{PUZZLE}\n", [("F615", 1, 1, 10)]),
    ("no names", f"foo,{PUZZLE}\n", [("F615", 1, 1, 86)]),
    ("names of another separator", f"id|puzzle\n1|{PUZZLE}\n", [("F615", 1, 1, 10)]),
    ("a name of 200,000 characters", f"{'x' * 200_000},puzzle\n", [("F615", 1, 1, 200_008)]),
]


@pytest.mark.parametrize(("text", "places"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (f"a,b\n1,{PUZZLE}", "no column is called puzzle, puzzles, quiz or quizzes",
         "begin with a line that names the columns, such as puzzle,solution"),
        ("id,puzzle\n1\n", "there is no puzzle", "write the cells in the column that is called so"),
        ('id,puzzle\n1,"2\n', "the quotation mark is not closed", "close it on the same line"),
    ],
)  # fmt: skip
def test_messages_say_the_cure(text: str, message: str, hint: str) -> None:
    assert messages(text, NAME) == [(message, hint)]


def test_givens_that_break_a_rule_are_warned_of_at_their_places() -> None:
    text = f"é,puzzle\nä,{PUZZLE.replace('8', '6', 1)}\n"
    (warning,) = read_puzzle(Source("", text.encode()), named_formats(NAME)).warnings
    assert (warning.code, warning.span.line, warning.span.column, warning.span.end_column) == ("F608", 2, 12, 13)


def test_what_is_written() -> None:
    assert written(BOARD, NAME) == f"puzzle\n{PUZZLE}\n"
    assert read(written(BOARD, NAME), NAME) == BOARD


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"quizzes,solutions\n{PUZZLE},{SOLUTION}\n", Likeness.SOUND),
        ("puzzle", Likeness.SOUND),
        (f"a,b\n1,{PUZZLE}\n", Likeness.SOUND),
        (f"{PUZZLE},{SOLUTION}\n", Likeness.SOUND),
        (f"{PUZZLE}\n", Likeness.NONE),
        (f"{PUZZLE}:1:{SOLUTION}\n", Likeness.NONE),
        ("a,b\n1,2\n", Likeness.NONE),
        ("1,2,3\n2,3,1\n3,1,2\n", Likeness.NONE),
        ("", Likeness.NONE),
    ],
)
def test_likeness(text: str, expected: Likeness) -> None:
    assert looks_like(Text.whole(Source("", text.encode()))) == expected


def test_a_table_without_names_is_read_as_lines() -> None:
    assert format_of(f"{PUZZLE},{SOLUTION}\n{PUZZLE},{SOLUTION}\n") == "sudoku:line"
