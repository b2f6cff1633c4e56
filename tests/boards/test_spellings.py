"""What single formats allow besides the form that they are written in, with random puzzles."""

import csv
import io
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.boards.cell_runs import VALUES
from f2csp.boards.pieces import Text
from f2csp.diagnostics import InvalidInput
from f2csp.file_formats import named_formats
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from tests.boards.puzzle_texts import (
    diagnostics,
    faults,
    files,
    format_of,
    read,
    read_all,
    source_of,
    written,
)
from tests.puzzles.strategies import futoshikis, in_row_order, latin_squares, sudokus

SAMPLES = Path(__file__).parents[2] / "samples"

# ---- Clue lists ----------------------------------------------------------------------------------------------------


def test_after_a_hundred_faults_others_are_only_counted() -> None:
    faulty = {"1 1 5": 10, "0 x 1": 20, "1 1": 20, "1 2 3 4": 19, "x": 10, "": 0}  # the cell is new in one of them
    for line, n_faults in faulty.items():
        with pytest.raises(InvalidInput) as caught:
            read("9\n120\n1 1 5\n" + "x\n" * 150 + f"{line}\n" * 10, "sudoku:clues")
        assert caught.value.n_hidden == 50 + n_faults


# ---- Rows and runs of cells ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sudoku", "latin"])
@given(data=st.data(), head=st.sampled_from(["", "{0}\n", "{0} {0}\n", " {0}\t \n", "{0},{0}\r\n"]))
def test_the_first_line_of_a_matrix_may_be_its_size(kind: str, data: st.DataObject, head: str) -> None:
    squares = sudokus(boxes=((2, 2), (3, 3), (4, 4))) if kind == "sudoku" else latin_squares()
    puzzle = data.draw(squares)
    text = head.format(puzzle.size) + written(puzzle, f"{kind}:matrix")
    assert read(text, f"{kind}:matrix") == in_row_order(puzzle)


@given(sudokus())
def test_the_first_line_of_a_matrix_may_be_its_box(puzzle: Sudoku) -> None:
    rows = written(puzzle, "sudoku:matrix").split("\n")[-puzzle.size - 1 :]
    text = "\n".join([f"{puzzle.box_rows} {puzzle.box_columns}", *rows])
    assert read(text, "sudoku:matrix") == in_row_order(puzzle)


@given(sudokus(boxes=((2, 2), (3, 3))), st.data())
def test_signs_for_blanks_may_be_mixed(puzzle: Sudoku, data: st.DataObject) -> None:
    text = written(puzzle, "sudoku:line")
    blanks = data.draw(st.lists(st.sampled_from(".0-*_"), min_size=text.count("."), max_size=text.count(".")))
    mixed = "".join(blanks.pop() if character == "." else character for character in text)
    assert read(mixed, "sudoku:line") == in_row_order(puzzle)


@given(sudokus(max_size=25, boxes=((4, 4), (5, 5))), st.sampled_from(".-*_"), st.booleans())
def test_values_may_count_from_zero_and_letters_be_small(puzzle: Sudoku, blank: str, is_small: bool) -> None:
    assert read(written(puzzle, "sudoku:line").lower().replace(".", blank), "sudoku:line") == in_row_order(puzzle)
    lowest = [clue for clue in puzzle.clues if clue.value == 1][: puzzle.size - 1]
    others = [clue for clue in puzzle.clues if clue.value > 1]
    corners = [(1, 1), (puzzle.size, puzzle.size)]  # the lowest value and a blank
    puzzle = replace(puzzle, clues=(Clue(1, 1, 1), *(clue for clue in lowest + others if clue[:2] not in corners)))
    text = written(puzzle, "sudoku:line").translate(dict(zip(map(ord, VALUES), "0" + VALUES, strict=False)))
    assert read((text.lower() if is_small else text).replace(".", blank), "sudoku:line") == in_row_order(puzzle)


@pytest.mark.parametrize("size", range(1, 10))
def test_zero_is_a_blank_on_small_boards(size: int) -> None:
    text = "0." + "1" * (size**2 - 2) if size > 1 else "0"
    found = read(text, "sudoku:line", box=(1, size))
    assert len(found.clues) == max(0, size**2 - 2)


def with_frame(puzzle: Sudoku, bar: str, rule: str, separator: str, is_closed: bool) -> str:
    """The puzzle as a picture that others would draw: any frame, with or without blanks between characters."""
    cells = {(row, column): value for row, column, value in puzzle.clues}
    lines = []
    for row in range(1, puzzle.size + 1):
        if row % puzzle.box_rows == 1 and (row > 1 or is_closed):
            lines.append(rule)
        parts = []
        for first in range(1, puzzle.size + 1, puzzle.box_columns):
            given = [cells.get((row, column)) for column in range(first, first + puzzle.box_columns)]
            parts.append(separator.join("." if value is None else VALUES[value - 1] for value in given))
        lines.append(bar.join(["", *parts, ""] if is_closed else parts))
    return "\n".join([*lines, rule] if is_closed else lines)


@given(
    sudokus(max_size=25, boxes=((2, 2), (3, 3), (5, 5), (2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (4, 3))),
    st.sampled_from([("|", "+-+-+"), ("│", "├─┼─┤"), ("|", "-------|-------"), ("║", "═════")]),
    st.sampled_from(["", " "]),
    st.booleans(),
)
def test_frames_show_the_boxes(puzzle: Sudoku, frame: tuple[str, str], separator: str, is_closed: bool) -> None:
    assert read(with_frame(puzzle, *frame, separator, is_closed), "sudoku:grid") == in_row_order(puzzle)


# ---- Many puzzles in a file ----------------------------------------------------------------------------------------

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
        row = data.draw(st.lists(a_field, min_size=len(names), max_size=len(names)))
        writer.writerow([*row[:column], written(puzzle, "sudoku:line").strip(), *row[column:]])
    if puzzles:
        assert read_all(file.getvalue(), "sudoku:csv") == list(map(in_row_order, puzzles))
    else:
        assert [type(found) for found in files(file.getvalue(), "sudoku:csv")] == [InvalidInput]


GAME = '<game data="006000150890004000000000900300460000001003800540000003000250007100300060009600500" />'


@given(st.lists(st.sampled_from([GAME, "<x>", "</x>", "<y/>", "a", "é", "\n", "<!---->", "&lt;"]), max_size=8))
def test_games_are_found_in_all_elements(pieces: list[str]) -> None:
    text = f'<?xml version="1.0"?>\n<opensudoku>{"".join(pieces)}</opensudoku>'
    depth = 0
    for piece in pieces:
        depth += (piece == "<x>") - (piece == "</x>")
        if depth < 0:
            break
    if depth != 0:
        assert [code for code, *_ in faults(text, "sudoku:opensudoku")] == ["F615"]
    elif GAME in pieces:
        (form,) = named_formats("sudoku:opensudoku")
        assert [part.data.decode() for part in form.load().parts(Text.whole(source_of(text)))] == [GAME] * pieces.count(
            GAME
        )
    else:
        assert [d.message for d in diagnostics(text, "sudoku:opensudoku")] == ["the document has no element game"]


@given(latin_squares(), st.data())
def test_letters_of_unequal_are_runs_of_blanks(puzzle: LatinSquare, data: st.DataObject) -> None:
    given = {(row, column): value for row, column, value in puzzle.clues}
    text, run = f"{puzzle.size}:", 0
    for cell in [(row, column) for row in range(1, puzzle.size + 1) for column in range(1, puzzle.size + 1)]:
        if cell not in given and run < 26:
            run += 1
            continue
        text += (chr(96 + run) + data.draw(st.sampled_from(["", ","]))) * bool(run)
        text, run = (f"{text}{given[cell]},", 0) if cell in given else (text, 1)
    text += chr(96 + run) * bool(run)
    assert read(text, "latin:tatham") == in_row_order(puzzle)


# ---- Futoshikis ----------------------------------------------------------------------------------------------------


@given(futoshikis(min_size=2), st.data())
def test_lines_of_signs_may_have_any_width_and_a_sign_either_place_of_its_column(
    puzzle: Futoshiki, data: st.DataObject
) -> None:
    lines = written(puzzle, "futoshiki:token").splitlines()
    for i in range(2, len(lines), 2):
        pairs = [[sign, "-"] if data.draw(st.booleans()) else ["-", sign] for sign in lines[i].split()[::2]]
        tokens = [token for pair in pairs for token in pair]
        while tokens and tokens[-1] == "-" and data.draw(st.booleans()):
            tokens.pop()
        extra = ["-"] * data.draw(st.integers(0, 3)) if len(tokens) == 2 * puzzle.size else []
        lines[i] = " ".join(tokens + extra)
    assert read("\n".join(lines), "futoshiki:token") == in_row_order(puzzle)


@given(futoshikis(max_size=5))
def test_tokens_on_one_line_with_backslashes(puzzle: Futoshiki) -> None:
    line = written(puzzle, "futoshiki:token").replace("\n", "\\n")
    for text in (line, line.removesuffix("\\n"), f"{line}\n", f"\\n {line}"):
        assert read(text, "futoshiki:token") == in_row_order(puzzle)


@given(futoshikis(max_size=12).filter(lambda puzzle: puzzle.signs))
def test_every_cell_and_sign_of_a_picture_has_its_place(puzzle: Futoshiki) -> None:
    lines = written(puzzle, "futoshiki:picture").split("\n")
    last = len(str(puzzle.size)) - 1  # the place of a cell's last character
    distance = last + 4
    for row, column, value in puzzle.clues:
        assert lines[2 * row - 2][: distance * (column - 1) + last + 1].endswith(str(value))
    for sign in puzzle.signs:
        (row, column), _ = sign.cells
        place, is_less = distance * (column - 1) + last, sign.smaller < sign.greater
        if sign.is_horizontal:
            assert lines[2 * row - 2][place + 2] == ("<" if is_less else ">")
        else:
            assert lines[2 * row - 1][place] == ("∧" if is_less else "∨")
    n_digits = sum(len(str(clue.value)) - 1 for clue in puzzle.clues)
    assert len("".join(lines).replace(" ", "")) == puzzle.size**2 + n_digits + len(puzzle.signs)


@given(futoshikis(), st.integers(0, 9), st.booleans(), st.booleans(), st.sampled_from(["∧∨", "^v", "^V"]))
def test_spellings_of_one_picture(
    puzzle: Futoshiki, indentation: int, are_padded: bool, are_spaced: bool, arrows: str
) -> None:
    text = written(puzzle, "futoshiki:picture").translate(str.maketrans("∧∨", arrows))
    lines = [line for line in text.splitlines() if are_spaced or line]
    lines = [" " * indentation + line + "   " * are_padded if line else line for line in lines]
    assert read("\n".join(lines), "futoshiki:picture") == in_row_order(puzzle)


@given(futoshikis(), st.data())
def test_pairs_in_any_order_and_spelling(puzzle: Futoshiki, data: st.DataObject) -> None:
    lines = written(puzzle, "futoshiki:pairs").splitlines()
    n_others = len(lines) - len(puzzle.signs)
    blank = st.sampled_from(["", " ", "\t", "  "])
    pairs = []
    for line in data.draw(st.permutations(lines[n_others:])):
        greater, smaller = line.split(">")
        cells = [greater, ">", smaller] if data.draw(st.booleans()) else [smaller, "<", greater]
        pairs.append("".join(data.draw(blank) + part for part in (*cells, "")))
    assert read("\n".join(lines[:n_others] + pairs), "futoshiki:pairs") == in_row_order(puzzle)


@given(futoshikis(min_size=2), st.data())
def test_tables_may_have_surplus_zeros_or_no_headings(puzzle: Futoshiki, data: st.DataObject) -> None:
    headings = ("# Horizontal constraints\n", "# Vertical constraints\n")
    text = written(puzzle, "futoshiki:tables")
    bare = text.replace(headings[0], "").replace(headings[1], "")
    assert read(bare, "futoshiki:tables") == in_row_order(puzzle)
    assert format_of(bare, "futoshiki") == "futoshiki:tables"
    cells, rest = text.split(headings[0])
    widened = f"{cells}{headings[0]}"
    for table, heading in zip(rest.split(headings[1]), (headings[1], ""), strict=True):
        rows = [row + ", 0" * data.draw(st.integers(0, 2)) for row in table.splitlines()]
        more = ["0, 0"] * data.draw(st.integers(0, 2)) if rows else []
        widened += "".join(f"{row}\n" for row in rows + more) + heading
    assert read(widened, "futoshiki:tables") == in_row_order(puzzle)


@given(st.lists(futoshikis(min_size=1, max_size=5), min_size=1, max_size=5))
def test_puzzles_of_futoshiki_org_are_on_a_line_each(puzzles: list[Futoshiki]) -> None:
    text = "\r\n \r\n".join(f" {written(puzzle, 'futoshiki:org').rstrip()} " for puzzle in puzzles)
    assert read_all(text, "futoshiki:org") == list(map(in_row_order, puzzles))


# ---- A foreign program ---------------------------------------------------------------------------------------------

MODEL = """
int: N;
array[1..N, 1..N] of int: start;
array[1..N, 1..N] of var 1..N: x;
constraint forall(i, j in 1..N where start[i, j] > 0)(x[i, j] = start[i, j]);
constraint forall(i, j, k in 1..N where j < k)(x[i, j] != x[i, k] /\\ x[j, i] != x[k, i]);
output ["\\(x[i, j]) " | i, j in 1..N];
"""


@pytest.mark.skipif(shutil.which("minizinc") is None, reason="needs MiniZinc, the Debian package minizinc")
def test_minizinc_reads_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "latin.mzn").write_text(MODEL)
    puzzle = read((SAMPLES / "latin" / "6x6.dzn").read_text(), "latin:minizinc")
    (tmp_path / "square.dzn").write_text(written(puzzle, "latin:minizinc"))
    command = ["minizinc", "--solver", "gecode", "-a", "latin.mzn", "square.dzn"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    solution, rest = done.stdout.split("----------", 1)
    cells = [int(word) for word in solution.split()]
    assert rest.split() == ["=========="]
    assert all(cells[puzzle.n_rows * (row - 1) + column - 1] == value for row, column, value in puzzle.clues)
