"""Latin squares as MiniZinc data: spellings, the strict grammar, faults with their places, and MiniZinc itself."""

import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from f2csp.diagnostics import InvalidInput, Unsuitable
from f2csp.puzzles.files.formats import named_formats, written
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.text.terminals import parser
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, latin_squares

NAME = "latin:minizinc"
SAMPLE = Path(__file__).parents[3] / "samples" / "latin" / "6x6.dzn"
VALID = "N = 2;\nstart =\n[| 0, 1\n | 2, 0 |];\n"
SQUARE = LatinSquare(2, clues=(Clue(1, 2, 1), Clue(2, 1, 2)))
FORM_CODES = {"F001", "F002", "F604", "F606", "F607", "F615"}


@given(latin_squares())
def test_what_is_written_is_read_again(puzzle: LatinSquare) -> None:
    assert read(written(puzzle, NAME), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize("size", [33, 100, 256])
def test_what_is_written_is_read_again_at_large_sizes(size: int) -> None:
    puzzle = LatinSquare(size, clues=tuple(Clue(row, row, size - row + 1) for row in range(1, size + 1)))
    assert read(written(puzzle, NAME), NAME) == puzzle


@given(latin_squares())
def test_the_format_is_found_among_those_of_all_kinds(puzzle: LatinSquare) -> None:
    assert format_of(written(puzzle, NAME)) == format_of(written(puzzle, NAME), "latin") == NAME


def test_the_sample_is_found() -> None:
    text = SAMPLE.read_text()
    assert format_of(text) == NAME
    assert written(read(text, NAME), NAME) == text


def test_how_a_square_is_spelled() -> None:
    assert written(SQUARE, NAME) == VALID


SPELLINGS = [
    VALID.strip(),
    VALID.replace("\n", "\r\n"),
    "\ufeff" + VALID,
    VALID.replace("|];", "|]"),
    VALID.replace("|];", "\n|]\n;"),
    VALID.replace("|];", "| |];"),
    VALID.replace("|];", "|\n|]"),
    VALID.replace("|];", "| ];"),
    VALID.replace("|];", ", |];").replace("1\n", "1,\n"),
    VALID.replace(" ", "").replace("\n", ""),
    VALID.replace("start", "puzzle_2").replace("N", "_n"),
    "start=[|0,1|2,0|];\nN=2",
    "start=[|0,1|2,0|];N=02;",
    "% a comment; N = 9\n/* N = 4; /* */" + VALID.replace("0,", "0 % x |]\n,/* ; */").replace("N =", "N /* = */ %=\n="),
    VALID.replace("1", "/**/1/***/") + "% the end",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spellings_of_one_square(text: str) -> None:
    assert read(text, NAME) == read(text, "auto") == SQUARE


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("empty", "", [("F604", 1, 1, 1)]),
    ("only a comment", "% N = 2;\n", [("F604", 2, 1, 1)]),
    ("no size", "a=[|1|];", [("F604", 1, 9, 9)]),
    ("no rows", "N=2;\n", [("F615", 2, 1, 1)]),
    ("no value", "N= ;a=[|1|];", [("F604", 1, 3, 3)]),
    ("a word as the size", "N=two;a=[|1|];", [("F607", 1, 3, 6)]),
    ("a string as the size", 'N="2";a=[|1|];', [("F607", 1, 3, 6)]),
    ("a sum as the size", "N=1 + 1;a=[|1|];", [("F606", 1, 5, 8)]),
    ("a list as the size", "N=1, 1;a=[|1|];", [("F606", 1, 6, 7)]),
    ("two equals signs", "N==1;a=[|1|];", [("F607", 1, 3, 4), ("F606", 1, 4, 5)]),
    ("two sizes", "N=1;a=[|1|];M=2", [("F615", 1, 13, 14)]),
    ("two arrays", "N=1;a=[|1|];b=[|1|]", [("F615", 1, 13, 14)]),
    ("zero", "N=0;a=[||];", [("F601", 1, 3, 4)]),
    ("a negative size", "N=-1;a=[|1|];", [("F601", 1, 3, 5)]),
    ("beyond the limit", "N=257;a=[|1|];", [("F601", 1, 3, 6)]),
    ("5000 digits", f"N={'9' * 5000};a=[|1|];", [("F601", 1, 3, 5003)]),
    ("no semicolon", "N = 1 \na=[|1|];", [("F615", 1, 6, 6)]),
    ("text before", "int: N=1;a=[|1|];", [("F606", 1, 1, 5)]),
    ("text behind", "N=1;a=[|1|]; output", [("F606", 1, 14, 20)]),
    ("text behind the array", "N=1;a=[|1|] 7;", [("F606", 1, 13, 14)]),
    ("semicolons", "N=1;;a=[|1|];;", [("F606", 1, 5, 6), ("F606", 1, 14, 15)]),
    ("a comment without end", "N=1;a=[|1|]; /* b", [("F615", 1, 14, 18)]),
    ("a comment without end at the start", "/* N=1;a=[|1|];", [("F615", 1, 1, 16)]),
    ("a list in place of rows", "N=1;a=[1];", [("F615", 1, 7, 8)]),
    ("no array but bars", "N=1;a=|1|;", [("F615", 1, 7, 8)]),
    ("no end of the array", "N=2;a=[|1,2|2,1;", [("F615", 1, 16, 16)]),
    ("no end of the text", "N=2;a=[|1,2|2,1|", [("F615", 1, 17, 17)]),
    ("no bar at the end", "N=2;a=[|1,2|2,1];", [("F615", 1, 16, 17)]),
    ("no comma", "N=2;a=[|1 2|2,1|];", [("F615", 1, 11, 12)]),
    ("two commas", "N=2;a=[|1,,2|2,1|];", [("F604", 1, 11, 12)]),
    ("a comma first", "N=2;a=[|,1,2|2,1|];", [("F604", 1, 9, 10)]),
    ("brackets in a row", "N=2;a=[|1,2|[2,1|];", [("F615", 1, 13, 14)]),
    ("one row too few", "N=2;a=[|1,2|];", [("F609", 1, 13, 13)]),
    ("one row too many", "N=2;a=[|1,2|2,1|0, 0|];", [("F609", 1, 17, 21)]),
    ("one cell too few", "N=2;a=[|1,2|2|];", [("F609", 1, 14, 14)]),
    ("one cell too many", "N=2;a=[|1,2|2,1, 0|];", [("F609", 1, 18, 19)]),
    ("a row without cells", "N=2;a=[|1,2||2,1|];", [("F609", 1, 13, 13), ("F609", 1, 14, 17)]),
    ("the wrong size, once", "N=3;a=[|1,2|2,1|];", [("F609", 1, 3, 4)]),
    ("a value beyond the board", "N=2;a=[|1,3|-1,0|];", [("F603", 1, 11, 12), ("F603", 1, 13, 15)]),
    ("words as values", "N=2;a=[|1,_|2.0,é|];", [("F607", 1, 11, 12), ("F607", 1, 13, 16), ("F607", 1, 17, 18)]),
    ("columns count characters", "N=2;/*é*/a=[|1,é|ü,9|];", [("F607", 1, 16, 17), ("F607", 1, 18, 19),
                                                              ("F603", 1, 20, 21)]),
    ("several", "x;\nN=2\na=[|1 7|,x,1|0|]", [("F606", 1, 1, 3), ("F615", 2, 4, 4), ("F615", 3, 7, 8),
                                              ("F603", 3, 7, 8), ("F604", 3, 9, 10), ("F607", 3, 10, 11),
                                              ("F609", 3, 14, 15)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("N=2;", "the array of the rows is missing",
         "write the rows with a name and bars, such as start = [| 1, 0 | 0, 2 |];"),
        ("a=[|1|]", "the size of the board is missing", "write the size with a name, such as N = 9;"),
        ("N=é;a=[|1|]", "the size is 'é', not a number in digits", "write the size with a name, such as N = 9;"),
        ("N=1;a=[|é|]", "the value at row 1, column 1 is 'é', not a number in digits",
         "write values in digits, and 0 for a blank"),
        ("N=1;M=1;a=[|1|]", "'M' is a second number beside 'N'", "keep the size alone"),
        ("N=2;a=[|1,2|1|]", "row 2 has 1 cell, and a row of the board has 2",
         "add the cells that are missing, or remove those that are too many"),
    ],
)  # fmt: skip
def test_messages_name_the_thing_both_quantities_and_the_cure(text: str, message: str, hint: str) -> None:
    assert messages(text, NAME) == [(message, hint)]


@pytest.mark.parametrize("text", [VALID.replace("2,", "2;"), VALID.replace("N", "N:"), VALID.replace("|]", "]")])
def test_a_mistake_is_told_if_the_format_is_not_said(text: str) -> None:
    assert faults(text, "latin") == faults(text, NAME)


PIECES = [
    "N=2;",
    "a=",
    "[|1,0|0,2|]",
    "[",
    "|",
    "]",
    ";",
    ",",
    "1",
    "1,2",
    "=",
    "x",
    "é",
    "/*",
    "*/",
    "% ;\n",
    "\n",
    " ",
]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@cache
def language() -> Lark:
    return parser("minizinc_data.lark", start="start")


def is_in_the_language(text: str) -> bool:
    try:
        language().parse(text.encode().decode("latin-1"))
    except UnexpectedInput:
        return False
    return True


def codes(text: str | bytes) -> set[str]:
    """The codes of all faults; none if there is a square."""
    try:
        read(text, NAME)
    except InvalidInput as error:
        return {d.code for d in error.diagnostics if d.severity == "error"}
    return set()


@settings(max_examples=300)
@given(texts)
@example(VALID)
@example("N=1;a=[|1|")
def test_the_strict_grammar_is_the_language(text: str) -> None:
    assert is_in_the_language(text) == codes(text).isdisjoint(FORM_CODES)


@pytest.mark.parametrize("text", [spelling.removeprefix("\ufeff") for spelling in SPELLINGS])
def test_spellings_are_in_the_language(text: str) -> None:
    assert is_in_the_language(text)


@given(st.data())
def test_mutations(data: st.DataObject) -> None:
    text = VALID
    for _ in range(data.draw(st.integers(1, 3))):
        start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
        text = text[:start] + data.draw(st.sampled_from(["", *PIECES])) + text[end:]
    assert is_in_the_language(text) == codes(text).isdisjoint(FORM_CODES)


@given(st.binary(max_size=60))
def test_random_bytes(data: bytes) -> None:
    with suppress(InvalidInput):
        assert read(data, NAME).KIND == "latin"


@pytest.mark.parametrize(
    "text", ["/*" * 10**4, "a/*" * 10**4, "1,2 x " * 10**4, "[|" * 10**4, "a= " * 10**4, "% " * 10**4]
)
def test_long_nonsense_has_faults_like_short_nonsense(text: str) -> None:
    assert codes(text) <= {"F604", "F606", "F607", "F615"}
    assert codes(text)


def test_other_puzzles_cannot_be_written() -> None:
    with pytest.raises(Unsuitable, match="for the kind latin, and the puzzle is a Futoshiki 4x4"):
        named_formats(NAME)[0].load().write(Futoshiki(4))


MODEL = """
int: N;
array[1..N, 1..N] of int: start;
array[1..N, 1..N] of var 1..N: x;
constraint forall(i, j in 1..N where start[i, j] > 0)(x[i, j] = start[i, j]);
constraint forall(i, j, k in 1..N where j < k)(x[i, j] != x[i, k] /\\\\ x[j, i] != x[k, i]);
output ["\\\\(x[i, j]) " | i, j in 1..N];
"""


@pytest.mark.skipif(shutil.which("minizinc") is None, reason="needs MiniZinc, the Debian package minizinc")
def test_minizinc_reads_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "latin.mzn").write_text(MODEL.replace("\\\\", "\\"))
    puzzle = read(SAMPLE.read_text(), NAME)
    (tmp_path / "square.dzn").write_text(written(puzzle, NAME))
    command = ["minizinc", "--solver", "gecode", "-a", "latin.mzn", "square.dzn"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    solution, rest = done.stdout.split("----------", 1)
    cells = [int(word) for word in solution.split()]
    assert rest.split() == ["=========="]
    assert len(cells) == 36
    assert all(cells[6 * (row - 1) + column - 1] == value for row, column, value in puzzle.clues)
