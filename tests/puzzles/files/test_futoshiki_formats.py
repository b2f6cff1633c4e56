"""What all formats of a Futoshiki have in common: writing and reading is the identity, and nothing breaks a reader."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source, Unsuitable
from f2csp.puzzles.files.formats import named_formats, written
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.files.places import Place, faults, format_of, read
from tests.puzzles.strategies import futoshikis, in_row_order
from tests.sat import is_unique

SAMPLES = Path(__file__).parents[3] / "samples" / "futoshiki"
NAMES = ("token", "picture", "org", "pairs", "tables")
FORMATS = [f"futoshiki:{name}" for name in NAMES]

a_format = st.sampled_from(FORMATS)


def dense(size: int) -> Futoshiki:
    """A board with a sign at every other place and a given in most cells, of every value."""
    numbers = range(1, size + 1)
    clues = [Clue(row, column, (row + column) % size + 1) for row in numbers for column in numbers if row % 4]
    across = [Sign(Cell(row, column), Cell(row, column + 1)) for row in numbers for column in range(1, size, 2)]
    down = [
        Sign(Cell(row + 1, column), Cell(row, column)) for row in range(1, size) for column in range(1, size + 1, 3)
    ]
    return Futoshiki(size, (*across, *down), clues=tuple(clues))


@given(futoshikis(), a_format)
def test_what_is_written_is_read_again(puzzle: Futoshiki, name: str) -> None:
    assert read(written(puzzle, name), name) == in_row_order(puzzle)


@pytest.mark.parametrize("size", [1, 2, 9, 10, 16, 25, 35])
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_is_read_again_at_every_size(size: int, name: str) -> None:
    assert read(written(dense(size), name), name) == dense(size)


@pytest.mark.parametrize("size", [36, 99, 100, 256])
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "futoshiki:org"])
def test_what_is_written_is_read_again_at_large_sizes(size: int, name: str) -> None:
    last, above, left = Cell(size, size), Cell(size - 1, size), Cell(size, size - 1)
    corners = (Clue(1, 1, size), Clue(size, size, size - 1))
    puzzle = Futoshiki(size, (Sign(above, last), Sign(last, left)), clues=corners)
    assert read(written(puzzle, name), name) == puzzle


def test_a_value_that_no_character_stands_for_is_not_written() -> None:
    with pytest.raises(Unsuitable, match="up to Z, which is 35, too few for a Futoshiki 36x36"):
        written(Futoshiki(36), "futoshiki:org")


@given(futoshikis(min_size=2, min_signs=1), a_format)
def test_the_format_is_found_among_those_of_all_kinds(puzzle: Futoshiki, name: str) -> None:
    assert format_of(written(puzzle, name)) == name


@given(futoshikis(min_size=2), a_format)
def test_the_format_is_found_among_those_of_futoshikis(puzzle: Futoshiki, name: str) -> None:
    assert format_of(written(puzzle, name), "futoshiki") == name


@given(futoshikis(), a_format, st.data())
def test_spellings_of_one_puzzle(puzzle: Futoshiki, name: str, data: st.DataObject) -> None:
    text = written(puzzle, name)
    changes = data.draw(st.sets(st.sampled_from(["CRLF", "mark", "end", "blanks", "first"])))
    if "end" in changes:
        text = text.removesuffix("\n")
    if "blanks" in changes:
        text = re.sub("$", " " * data.draw(st.integers(0, 3)), text, flags=re.MULTILINE)
    if "first" in changes:
        text = f"\n \n{text}\n \n"
    if "CRLF" in changes:
        text = text.replace("\n", "\r\n")
    if "mark" in changes:
        text = f"\ufeff{text}"
    assert read(text, name) == in_row_order(puzzle)


@given(
    futoshikis(max_size=5),
    a_format,
    st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 3), st.text("0159-.x_<>()^v∧∨ \t\n\\n,#", max_size=4))),
)
def test_any_change_gives_a_puzzle_or_faults_that_point_into_the_text(
    puzzle: Futoshiki, name: str, changes: list[tuple[int, int, str]]
) -> None:
    text = written(puzzle, name)
    for place, n_deleted, inserted in changes:
        at = place % (len(text) + 1)
        text = text[:at] + inserted + text[at + n_deleted :]
    lines = text.split("\n")
    for wanted in (name, "futoshiki"):
        try:
            found = read(text, wanted)
        except InvalidInput as error:
            spans = [d.span for d in error.diagnostics]
            assert all(1 <= span.line <= len(lines) for span in spans)
            assert all(1 <= span.column <= span.end_column <= len(lines[span.line - 1]) + 1 for span in spans)
        else:
            assert isinstance(found, Futoshiki)
            assert read(written(found, name), name) == found


@given(futoshikis(min_size=3, min_signs=1), a_format, st.data())
def test_with_one_wrong_character_a_file_still_looks_most_like_its_format(
    puzzle: Futoshiki, name: str, data: st.DataObject
) -> None:
    text = written(puzzle, name)
    at = data.draw(st.sampled_from([i for i, character in enumerate(text) if character not in " \n"]))
    source = Source("puzzle.txt", f"{text[:at]}§{text[at + 1 :]}".encode())
    likeness = {form.full_name: form.load().looks_like(Text.whole(source)) for form in named_formats("futoshiki")}
    assert likeness[name] == max(likeness.values())


def test_every_format_has_a_sample_of_which_it_is_found() -> None:
    found = {path.stem.partition("-")[0]: format_of(path.read_text(encoding="utf-8")) for path in SAMPLES.iterdir()}
    assert {name: f"futoshiki:{name}" for name in NAMES}.items() <= found.items()


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.stem)
def test_samples_have_one_solution(path: Path) -> None:
    assert is_unique(to_problem(read(path.read_bytes(), "futoshiki")))


@pytest.mark.parametrize("name", FORMATS)
def test_another_puzzle_is_not_written(name: str) -> None:
    (form,) = named_formats(name)
    with pytest.raises(Unsuitable):
        form.load().write(LatinSquare(4))


@pytest.mark.parametrize("name", ["futoshiki:token", "futoshiki:pairs", "futoshiki:tables"])
@pytest.mark.parametrize(
    ("head", "place"),
    [
        ("0", ("F601", 1, 1, 2)),
        ("257", ("F601", 1, 1, 4)),
        ("1000000000000", ("F601", 1, 1, 14)),
        ("9" * 5000, ("F601", 1, 1, 5001)),
        ("-4", ("F607", 1, 1, 3)),
        ("x", ("F607", 1, 1, 2)),
        ("٤", ("F607", 1, 1, 2)),
    ],
)
def test_a_size_that_cannot_be_is_the_only_fault(name: str, head: str, place: Place) -> None:
    _, rest = written(dense(4), name).split("\n", 1)
    assert faults(f"{head}\n{rest}", name) == [place]


@pytest.mark.parametrize("name", ["futoshiki:token", "futoshiki:pairs", "futoshiki:tables"])
def test_something_beside_the_size(name: str) -> None:
    _, rest = written(dense(4), name).split("\n", 1)
    assert faults(f" 4\t4 x\n{rest}", name) == [("F606", 1, 4, 7)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("futoshiki:token", "F604"),
        ("futoshiki:picture", "F609"),
        ("futoshiki:org", "F609"),
        ("futoshiki:pairs", "F604"),
        ("futoshiki:tables", "F604"),
    ],
)
@pytest.mark.parametrize(("text", "line", "column"), [("", 1, 1), ("\n  \n \n", 4, 1)])
def test_nothing_at_all(name: str, code: str, text: str, line: int, column: int) -> None:
    assert faults(text, name) == [(code, line, column, column)]


@pytest.mark.parametrize("name", FORMATS)
def test_values_beyond_the_board_are_told_each_at_its_place(name: str) -> None:
    sound = Futoshiki(4, clues=(Clue(1, 1, 4), Clue(3, 2, 3)))
    text = written(sound, name)
    places = [text.index("4", 2 if text.startswith("4\n") else 0), text.index("3")]
    wrong = "".join("5" if i in places else character for i, character in enumerate(text))
    lines = [wrong[:place].count("\n") + 1 for place in places]
    columns = [place - wrong.rfind("\n", 0, place) for place in places]
    assert faults(wrong, name) == [("F603", line, at, at + 1) for line, at in zip(lines, columns, strict=True)]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("futoshiki:token", "2\nx - x\n< >\nx - x\n", ("F612", 3, 3, 4)),
        ("futoshiki:picture", "0   0\n∧\n∨\n0   0\n", ("F612", 3, 1, 2)),
        ("futoshiki:pairs", "2\n-1 -1\n-1 -1\n2\n0>1\n1>0\n", ("F612", 6, 1, 4)),
    ],
)
def test_signs_that_contradict(name: str, text: str, place: Place) -> None:
    assert faults(text, name) == [place]


@pytest.mark.parametrize("name", [*FORMATS, "futoshiki"])
@pytest.mark.parametrize(
    "text",
    [
        "∧   " * 40_000 + "\n" + "0   " * 9,
        "9\n" + "é - " * 20_000,
        "4\\n" + "é - x\\n" * 10_000,
        "2\n-1 -1\n-1 -1\n1\n" + "0>1 é\n" * 4_000,
        "4\n" + ",é" * 20_000,
        "4\n" + "# hor\n# ver\n" * 10_000,
        "._é" * 20_000,
    ],
    ids=["arrows", "words", "one line", "pairs", "commas", "headings", "characters"],
)
def test_awkward_texts_are_told_in_linear_time(name: str, text: str) -> None:
    """With a step for each pair of words or lines, one of these would take many minutes."""
    with pytest.raises(InvalidInput) as caught:
        read(text, name)
    assert len(caught.value.diagnostics) <= 100
