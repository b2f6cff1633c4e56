"""What holds for all formats: cases of the corpus, writing and reading is the identity, and nothing breaks a reader.

``tests/corpus/puzzles/<format>`` has the cases, one to a line, with the expected puzzles and faults beside them; a new
case is a new line, and ``pytest --update`` writes what is expected.
"""

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import PuzzleBuilder, Unreadable
from f2csp.boards.reading import Reading
from f2csp.diagnostics import Collector, F2cspError, Inexpressible, InvalidInput
from f2csp.file_formats import FormatInfo, named_formats, puzzle_formats
from f2csp.instances import _written
from f2csp.puzzles import KINDS
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.kakuro import Kakuro, Sums
from f2csp.puzzles.kenken import KenKen
from f2csp.puzzles.killer import MAX_KILLER_SIZE, Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.nonogram import Nonogram
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle, puzzle_class, puzzle_kind
from f2csp.puzzles.skyscrapers import Skyscrapers
from f2csp.puzzles.sudoku import Sudoku, square_box
from f2csp.puzzles.takuzu import Takuzu
from tests.boards.puzzle_texts import faults, files, format_of, read, read_all, source_of, written
from tests.conftest import Expected
from tests.fault_cases import line_of
from tests.puzzles.strategies import BY_KIND, futoshikis, in_row_order

SAMPLES = Path(__file__).parents[2] / "samples"
CORPUS = Path(__file__).parents[1] / "corpus" / "puzzles"
CASES = sorted(CORPUS.glob("*/*.jsonl"))
FORMATS = puzzle_formats()
WRITTEN = [form for form in FORMATS if form.is_written]
NAMES = [form.name for form in FORMATS]
a_format = st.sampled_from(WRITTEN)
EXAMPLES = [
    form.name for form in {form.codec: form for form in reversed(FORMATS)}.values() if form.codec[:5] != "solo."
]
each_format = pytest.mark.parametrize("name", NAMES)


@st.composite
def written_puzzles(draw: st.DrawFn) -> tuple[FormatInfo, Puzzle, str]:
    """A format, a puzzle that it can express, and the text."""
    form = draw(a_format)
    puzzle = in_row_order(draw(BY_KIND[form.kind].filter(lambda puzzle: is_expressible(form.name, puzzle))))
    return form, puzzle, written(puzzle, form.name)


def is_expressible(name: str, puzzle: Puzzle) -> bool:
    """Whether a format can express all of the puzzle, or asks for the rest."""
    if isinstance(puzzle, Sudoku):
        has_usual_boxes = puzzle.has_square_boxes or square_box(puzzle.size) is None
        if name == "sudoku:opensudoku":
            return puzzle.size == 9 and puzzle.has_square_boxes
        if name == "sudoku:grid":
            return has_usual_boxes or 1 not in (puzzle.box_rows, puzzle.box_columns)
        if name == "killer:arrows" and puzzle.clues:
            return False
        return has_usual_boxes or name.endswith((":matrix", ":tatham"))
    if isinstance(puzzle, Takuzu):
        is_square = puzzle.rows == puzzle.columns
        return name == "takuzu:tatham" or (puzzle.has_distinct_lines and (is_square or name == "takuzu:grid"))
    if isinstance(puzzle, KenKen):
        return not puzzle.clues and sum(len(cage.cells) for cage in puzzle.cages) == puzzle.size**2
    return name == "nonogram:tatham" or not isinstance(puzzle, Nonogram) or not puzzle.clues


def options_for(puzzle: Puzzle) -> dict[str, Any]:
    """The box of a Sudoku that has no square one."""
    is_odd = isinstance(puzzle, Sudoku) and square_box(puzzle.size) is None
    return {"box": (puzzle.box_rows, puzzle.box_columns)} if is_odd else {}  # type: ignore[attr-defined]


# ---- The corpus ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_corpus(path: Path, expected: Expected) -> None:
    is_valid = path.stem == "valid"
    name = path.parent.name.replace("-", ":", 1)
    blocks = []
    for case in map(json.loads, path.read_text(encoding="utf-8").rstrip("\n").split("\n")):
        options = case.get("options", {})
        results = list(files(case["text"], name, **options))
        assert all(isinstance(result, Reading) for result in results) == is_valid, case["case"]
        kind = name.partition(":")[0]
        found = f"of {kind}: {_format(case['text'], kind, options)}; of all: {_format(case['text'], 'auto', options)}"
        blocks.append(
            "\n".join([f"# {case['case']} ({found})", *(line for result in results for line in _lines(result))])
        )
    expected(path.with_suffix(".board" if is_valid else ".diag"), "\n\n".join(blocks) + "\n")


def _format(text: str, name: str, options: dict[str, Any]) -> str:
    """The name of the format that is found, or the code of the first fault."""
    try:
        return format_of(text, name, **options)
    except InvalidInput as error:
        return error.diagnostics[0].code


def _lines(result: Reading | InvalidInput) -> Iterator[str]:
    """A puzzle and its warnings, or faults."""
    if isinstance(result, Reading):
        puzzle = result.require()
        parts = {
            field.name: getattr(puzzle, field.name) for field in fields(puzzle) if field.name not in ("clues", "signs")
        }
        rows = [["."] * puzzle.n_columns for _ in range(puzzle.n_rows)]
        for row, column, value in puzzle.clues:
            rows[row - 1][column - 1] = str(value)
        yield f"{puzzle.title} {parts}: {' / '.join(map(' '.join, rows))}"
        for (row, column), (other_row, other_column) in getattr(puzzle, "signs", ()):
            yield f"{row},{column} < {other_row},{other_column}"
    for d in result.diagnostics:
        related = "".join(f" [{mark.span.line}:{mark.span.column} {mark.label}]" for mark in d.related)
        yield f"{line_of(d)}{related}"
        if d.hint:
            yield f"    hint: {d.hint}"


def test_every_format_has_cases() -> None:
    assert {path.parent.name for path in CASES if path.stem == "valid"} == {name.replace(":", "-") for name in NAMES}
    stray = [path for path in CORPUS.glob("*/*") if path.suffix != ".jsonl" and not path.with_suffix(".jsonl").exists()]
    assert stray == []


# ---- Writing and reading -------------------------------------------------------------------------------------------


def dense(kind: str, size: int, *box: int) -> Puzzle:
    """A board with a given in most cells, of every value and without conflict in rows and columns."""
    numbers = range(1, size + 1)
    clues = tuple(Clue(row, column, (row + column) % size + 1) for row in numbers for column in numbers if row % 4)
    if kind == "sudoku":
        return Sudoku(size, *(box or square_box(size) or (1, size)), clues=clues)
    if kind == "latin":
        return LatinSquare(size, clues=clues)
    if kind == "jigsaw":
        return Jigsaw(size, tuple((row,) * size for row in numbers), clues=clues)
    if kind == "diagonal":
        return Diagonal(size, *(square_box(size) or (1, size)), clues=clues)
    if kind == "killer":
        cages = tuple(Cage(2 * size - 1, (Cell(r, c), Cell(r, c + 1))) for r in numbers for c in range(1, size, 2))
        last = tuple(Cage(size, (Cell(row, size),)) for row in numbers) if size % 2 else ()
        return Killer(size, *(square_box(size) or (1, size)), cages + last)
    if kind == "takuzu":
        ones = tuple(Clue(row, column, (row + column // 2) % 2) for row in numbers for column in numbers if row % 4)
        return Takuzu(size, size, clues=ones)
    if kind == "skyscrapers":
        return Skyscrapers(size, (tuple(range(size)), (0,) * size) * 2, clues=clues)
    if kind == "kenken":
        pairs = tuple(Cage(1, (Cell(r, c), Cell(r, c + 1)), "-") for r in numbers for c in range(1, size, 2))
        return KenKen(size, pairs + tuple(Cage(size, (Cell(row, size),), "") for row in numbers if size % 2))
    if kind == "nonogram":
        return Nonogram(((1,) * ((size + 1) // 2), (size,), (), *[(1,)] * size)[:size], ((size,),) * size)
    if kind == "kakuro":
        cells = [Cell(row, column) for row in numbers for column in numbers]
        white = Kakuro(size, size, tuple(Sums(cell) for cell in cells if sum(cell) % 5 == 0))
        total = {(run.start, run.is_across): len(run.cells) * 5 for run in white.runs()}
        black = (Sums(cell, total.get((cell, False)), total.get((cell, True))) for cell in white.blocks)
        given = tuple(Clue(*cell, sum(cell) % 9 + 1) for cell in white.cells if cell.row % 4)
        return Kakuro(size, size, tuple(black), clues=given)
    if kind != "futoshiki":
        return puzzle_class(kind)(size, clues=clues)  # type: ignore[call-arg]
    across = [Sign(Cell(row, column), Cell(row, column + 1)) for row in numbers for column in range(1, size, 2)]
    down = [Sign(Cell(r + 1, column), Cell(r, column)) for r in range(1, size) for column in range(1, size + 1, 3)]
    return Futoshiki(size, (*across, *down), clues=clues)


@pytest.mark.parametrize("name", [form.name for form in WRITTEN])
@pytest.mark.parametrize("size", [1, 4, 9, 16, 36, 100])
def test_every_size_is_read_again_or_refused(name: str, size: int) -> None:
    if size > {"killer": MAX_KILLER_SIZE, "skyscrapers": 25, "kenken": 25}.get(name.partition(":")[0], size):
        pytest.skip("there is no such board")
    puzzle = dense(name.partition(":")[0], size)
    has_characters = name.endswith((":line", ":csv", ":org", ":andoku"))
    if (name, size) == ("futoshiki:pairs", 1):
        pytest.skip("any puzzle of one cell is as good")
    if (has_characters and size > 35) or (name == "sudoku:opensudoku" and size != 9):
        with pytest.raises(Inexpressible, match=r"boards of up to|expected 81 cells"):
            _written([puzzle], name)
    else:
        assert read(_written([puzzle], name), name) == puzzle


@pytest.mark.parametrize("form", [form for form in WRITTEN if form.load().has_several], ids=lambda form: form.name)
def test_several_puzzles_of_a_file_are_read_again(form: FormatInfo) -> None:
    puzzles = [dense(form.kind, size) for size in ((9, 9) if form.short_name == "opensudoku" else (9, 4, 16))]
    assert read_all(_written(puzzles, form.name), form.name) == puzzles


@pytest.mark.parametrize("name", ["sudoku:grid", "sudoku:matrix", "sudoku:tatham"])
@pytest.mark.parametrize("box", [(2, 8), (8, 2), (3, 12), (10, 20)])
def test_boxes_that_are_no_squares_on_boards_that_could_have_such(name: str, box: tuple[int, int]) -> None:
    puzzle = dense("sudoku", box[0] * box[1], *box)
    assert read(written(puzzle, name), name) == puzzle


def test_a_cage_has_cells() -> None:
    assert faults("4\n10 r1c1 r1c2 r1c3 r1c4\n5\n", "killer:cages") == [("F604", 3, 2, 2)]


# ---- Recognition ---------------------------------------------------------------------------------------------------


@given(written_puzzles())
def test_the_format_is_found(case: tuple[FormatInfo, Puzzle, str]) -> None:
    form, puzzle, text = case
    if form.kind in ("sudoku", "latin") and not any(clue.value > 1 for clue in puzzle.clues):
        return  # it can be a Takuzu, or lines of several
    if isinstance(puzzle, Futoshiki) and not (puzzle.size > 2 and puzzle.signs):
        return  # it can be a Latin square
    if puzzle.n_rows < 3 or (isinstance(puzzle, Takuzu) and puzzle.n_columns < 3):
        return
    found = _format(text, form.kind, options_for(puzzle))
    is_full = len(puzzle.clues) == puzzle.n_rows * puzzle.n_columns
    if found == "F613" and is_full and next(puzzle.conflicts(), None):
        return  # it can be a map of regions
    assert found == "F614" or read(text, form.kind, **options_for(puzzle)) == puzzle
    if form.kind == "futoshiki":
        assert format_of(text) == format_of(text, "futoshiki") == form.name


@given(futoshikis(min_size=3, min_signs=1), st.sampled_from(["token", "picture", "org", "pairs", "tables"]), st.data())
def test_a_futoshiki_with_one_wrong_character_is_never_another_puzzle(
    puzzle: Futoshiki, name: str, data: st.DataObject
) -> None:
    text = written(puzzle, f"futoshiki:{name}")
    at = data.draw(st.sampled_from([i for i, character in enumerate(text) if character not in " \n"]))
    for file in files(f"{text[:at]}§{text[at + 1 :]}"):
        assert isinstance(file, InvalidInput) or replace(file.require(), clues=()) == replace(puzzle, clues=())


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_samples_are_recognised(path: Path) -> None:
    kind = path.parent.name
    if kind not in KINDS:
        pytest.skip("no puzzle")
    box = re.search(r"box-(\d+)x(\d+)", path.name)
    options = {"box": (int(box[1]), int(box[2]))} if box else {}
    found = list(files(path.read_bytes(), kind, **options))
    stem = re.split(r"[-.]", path.name)[0]
    endings = {form.short_name for form in FORMATS if path.suffix in form.endings}
    form = format_of(path.read_bytes(), kind, **options).partition(":")[2]
    for file in found:
        assert isinstance(file, Reading)
        if stem in {form.short_name for form in FORMATS} or endings:
            assert form in {stem, *endings}
        if "no-solution" not in path.name and path.name != "4x4.txt":
            assert file.diagnostics == ()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_in_the_docstring_of_a_reader_is_one(name: str) -> None:
    (form,) = named_formats(name)
    _, *lines = inspect.cleandoc(form.load().read.__doc__ or "").split("\n")
    example = "\n".join(takewhile(lambda line: not line or line.startswith(" "), lines)).strip("\n")
    for file in files(textwrap.dedent(example), name):
        assert isinstance(file, Reading)
        assert not file.diagnostics


def test_the_ending_of_a_name_belongs_to_one_format_of_a_kind() -> None:
    endings = [(ending, form.kind) for form in FORMATS for ending in form.endings]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize(
    ("name", "size", "cell"),
    [("sudoku", "3x3:", "a"), ("jigsaw", "9j:a,", "z"), ("futoshiki", "30:", "9,"), ("takuzu", "8x8:", "a")],
)
def test_a_line_that_is_far_too_long_is_refused_in_linear_time(name: str, size: str, cell: str) -> None:
    def n_calls(n: int) -> int:
        calls = [0]
        sys.setprofile(lambda *_: calls.__setitem__(0, calls[0] + 1))
        try:
            with pytest.raises(InvalidInput):
                read(size + cell * n + "\n", f"{name}:tatham")
        finally:
            sys.setprofile(None)
        return calls[0]

    assert n_calls(20_000) < 2.5 * n_calls(10_000)


def test_a_name_means_formats() -> None:
    records = sorted(map(puzzle_kind, KINDS), key=lambda record: record.puzzle.IS_GENERAL)
    kinds = [record.puzzle.KIND for record in records if "tatham" in record.formats.split()]
    assert [form.name for form in named_formats("tatham")] == [f"{kind}:tatham" for kind in kinds]
    assert {form.kind for form in named_formats("latin")} == {"latin"}
    assert named_formats("Sudoku:Tatham") == named_formats("sudoku:tatham")
    for name, kind, message in (
        ("x", None, "there is no format 'x' (f2csp formats lists all)"),
        ("sudoko:tatham", None, "there is no format 'sudoko:tatham'; did you mean sudoku:tatham?"),
        ("matrx", "latin", "there is no format 'matrx'; did you mean matrix?"),
        ("latin:clues", "sudoku", "latin:clues is not a format of sudoku files; the formats are clues, "),
    ):
        with pytest.raises(F2cspError, match=f"^{re.escape(message)}"):
            named_formats(name, kind)


# ---- Spellings and changes -----------------------------------------------------------------------------------------


@given(written_puzzles(), st.data())
def test_spellings_of_one_puzzle(case: tuple[FormatInfo, Puzzle, str], data: st.DataObject) -> None:
    form, puzzle, text = case
    changes = data.draw(st.sets(st.sampled_from(["CRLF", "mark", "end", "blanks", "first"])))
    if "end" in changes:
        text = text.removesuffix("\n")
    if "blanks" in changes:
        text = re.sub("$", " " * data.draw(st.integers(0, 3)), text, flags=re.MULTILINE)
    if "first" in changes and form.short_name != "opensudoku":  # XML begins with its declaration
        text = f"\n \n{text}\n \n"
    if "CRLF" in changes:
        text = text.replace("\n", "\r\n")
    if "mark" in changes:
        text = f"\ufeff{text}"
    assert read(text, form.name, **options_for(puzzle)) == puzzle


PIECES = "0159AGZaxz.-*_|+=#[]<>\"'&:;, \t\n┃─é?∧∨^v\\nURDL()/"
a_change = st.tuples(st.integers(0, 2**16), st.integers(0, 3), st.text(PIECES, max_size=4))


@given(written_puzzles(), st.lists(a_change, max_size=4))
def test_any_change_gives_a_puzzle_or_faults_that_point_into_the_text(
    case: tuple[FormatInfo, Puzzle, str], changes: list[tuple[int, int, str]]
) -> None:
    form, _, text = case
    for place, n_deleted, inserted in changes:
        at = place % (len(text) + 1)
        text = text[:at] + inserted + text[at + n_deleted :]
    read_in_every_way(text, form)


@given(st.text(PIECES + "puzzle\n\n", max_size=300) | st.binary(max_size=40), a_format)
def test_any_text_gives_a_puzzle_or_faults_that_point_into_it(text: str | bytes, form: FormatInfo) -> None:
    read_in_every_way(text, form)


def read_in_every_way(text: str | bytes, form: FormatInfo) -> None:
    lines = (text if isinstance(text, str) else text.decode("utf-8", "replace")).split("\n")
    for name, options in ((form.name, {}), (form.name, {"box": (2, 3)}), (form.kind, {})):
        for found in files(text, name, **options):  # type: ignore[arg-type]
            if isinstance(found, Reading):
                values = found.require().values
                assert all(clue.value in values for clue in found.require().clues)
                continue
            assert any(d.severity == "error" for d in found.diagnostics)
            for span in (d.span for d in found.diagnostics):
                assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
                assert span.end_line <= len(lines)
                assert isinstance(text, bytes) or span.column <= len(lines[span.line - 1]) + 1


@each_format
@pytest.mark.parametrize("text", ["", "\n", "\n  \n \n", "\r\n", "\ufeff"])
def test_nothing_at_all(name: str, text: str) -> None:
    ((code, line, *_),) = faults(text, name)
    assert code in ("F604", "F609", "F615")
    assert line in (1, text.count("\n") + 1)


_LENGTH = 20_000
HOSTILE = {
    "blank lines": "\n" * _LENGTH,
    "blanks": " " * _LENGTH,
    "a digit": "1" * _LENGTH,
    "digits in two bytes": "é1" * (_LENGTH // 2),
    "digits between blanks": "1 " * (_LENGTH // 2),
    "words in two bytes": "é " * (_LENGTH // 2),
    "bars": "|" * _LENGTH,
    "cells in bars": "│1" * (_LENGTH // 2),
    "dashes": "-" * _LENGTH,
    "an open section": "[" + " " * _LENGTH,
    "sections": "[a]\n" * (_LENGTH // 4),
    "remarks": "#\n" * (_LENGTH // 2),
    "separators": ":;," * (_LENGTH // 2),
    "quotation marks": "puzzle,a\n" + '"' * _LENGTH,
    "quoted fields": '"a",' * 30 + "puzzle\n" + '"a",' * 30 + '\n"a","' * (_LENGTH // 16),
    "columns": "a," * (_LENGTH // 4) + "puzzle\n" + "1," * (_LENGTH // 4),
    "rows of a table": "a,puzzle\n" + "1\n" * (_LENGTH // 16),
    "a row for each character": "1\n" * (_LENGTH // 16),
    "rows": ("1" * 9 + "\n") * (_LENGTH // 16),
    "a header": "9" * _LENGTH + "\n1",
    "a header of two": "9" * (_LENGTH // 2) + " " + "9" * (_LENGTH // 2) + "\n1",
    "elements in each other": "<game>" * (_LENGTH // 2),
    "an attribute": f'<opensudoku><game data="{"1" * _LENGTH}"/></opensudoku>',
    "attributes": "<game" + "".join(f' a{i}="1"' for i in range(_LENGTH // 16)) + "/>",
    "an open tag": "<game " + " " * _LENGTH,
    "entities": "<!DOCTYPE a ["
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 9}">' for i in range(99))
    + "]><a>&a98;</a>",
    "arrows": "∧   " * (_LENGTH // 4) + "\n" + "0   " * 9,
    "words": "9\n" + "é - " * (_LENGTH // 2),
    "one line": "4\\n" + "é - x\\n" * (_LENGTH // 4),
    "pairs": "2\n-1 -1\n-1 -1\n1\n" + "0>1 é\n" * (_LENGTH // 8),
    "commas": "4\n" + ",é" * (_LENGTH // 2),
    "headings": "4\n" + "# hor\n# ver\n" * (_LENGTH // 4),
    "characters": "._é" * (_LENGTH // 2),
    "open comments": "/*" * (_LENGTH // 4),
    "names and comments": "a/*" * (_LENGTH // 4),
    "words and commas": "1,2 x " * (_LENGTH // 4),
    "arrays": "[|" * (_LENGTH // 4),
    "names": "a= " * (_LENGTH // 4),
    "an identifier": "3x3:" + "é1_" * (_LENGTH // 4),
    "sizes": "9:" * (_LENGTH // 4),
    "clues": "9\n1\n" + "1 1 1\n" * (_LENGTH // 2),
}


@pytest.mark.slow
@each_format
def test_hostile_texts_are_refused_in_linear_time(name: str) -> None:
    """With a step for each pair of characters, one of these would take a minute."""
    (form,) = named_formats(name)
    for text in HOSTILE.values():
        source = source_of(text)
        codec, whole = form.load(), Text.whole(source)
        for part in codec.parts(whole)[:3]:
            collector = Collector(source)
            try:
                codec.read(part, PuzzleBuilder(form.kind, collector))
            except Unreadable:
                assert collector.n_errors > 0
            else:
                assert collector.n_errors == 0
