"""Problems and puzzles in any format: found from the text, read, and written by the extension."""

import io
from pathlib import Path
from typing import Any

import pytest

import f2csp
from f2csp.diagnostics import F2cspError, InvalidInput, Source, Unsuitable
from f2csp.file_formats import formats
from f2csp.instances import Instance, instances, puzzle, puzzles, read, write
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue, puzzle_class
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem

CLUES = "4\n3\n1 1 1\n2 3 4\n4 4 3\n"
SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
LINES = "1.....4........3\n" + 16 * "." + "\n" + 15 * "." + "x2\n"


def found(text: str, *args: str, name: str = "-", **options: object) -> list[Instance]:
    return list(instances(Source(name, text.encode()), *args, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("form", [form.name for form in formats() if form.is_read and form.is_written])
def test_what_is_written_is_found_from_its_text(form: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    problem = to_problem(SUDOKU)
    try:
        write(SUDOKU, path, form)
    except Unsuitable:
        assert not form.startswith("sudoku") or form == "sudoku:opensudoku"
        return
    (instance,) = found(path.read_text())
    assert instance.format in (form, "sudoku:grid")  # rows of a matrix are a grid as well
    back = instance.problem
    assert back.n_variables == problem.n_variables or form == "dimacs"
    if not form.startswith(("dimacs", "xcsp3", "wcsp")):
        assert instance.puzzle == SUDOKU


@pytest.mark.parametrize("form", ["diagonal:line", "diagonal:matrix", "latin:matrix"])
@pytest.mark.parametrize("size", [4, 9])
def test_a_board_that_looks_like_a_sudoku_is_read_as_the_puzzle_that_was_written(form: str, size: int) -> None:
    numbers = range(1, size + 1)
    clues = tuple(Clue(row, 1 + 2 * row % size, 1 + 3 * row % size) for row in numbers if row % 3)
    puzzle = puzzle_class(form.partition(":")[0])
    board = puzzle(size, *([int(size**0.5)] * 2 if issubclass(puzzle, Sudoku) else []), clues=clues)
    text = io.StringIO()
    write(board, text, form)
    assert [instance.content for instance in found(text.getvalue())] == [board]


def test_a_clue_file_is_a_sudoku_with_a_warning() -> None:
    (instance,) = found(CLUES)
    assert (instance.content, instance.format) == (SUDOKU, "sudoku:clues")
    assert [diagnostic.code for diagnostic in instance.diagnostics] == ["F617"]
    (named,) = found(CLUES, "LATIN:clues")
    assert (named.content, named.diagnostics) == (LatinSquare(4, clues=SUDOKU.clues), ())


def test_a_clue_file_without_square_boxes_is_a_latin_square_with_a_warning() -> None:
    (instance,) = found("6\n1\n1 2 3\n")
    assert (instance.content, instance.format) == (LatinSquare(6, clues=(Clue(1, 2, 3),)), "latin:clues")
    (warning,) = instance.diagnostics
    assert warning.message == "the file was read as latin:clues, and can also be read as a Sudoku with --box 2x3"
    (sudoku,) = found("6\n1\n1 2 3\n", options={"box": (2, 3)})
    assert (sudoku.format, sudoku.diagnostics) == ("sudoku:clues", ())
    (prime,) = found("5\n1\n1 2 3\n")
    assert (prime.format, prime.diagnostics) == ("latin:clues", ())


def test_a_problem_in_place_of_a_puzzle_file_is_named() -> None:
    for form, title in (("f2csp", "F2CSP"), ("xcsp3", "XCSP3")):
        text = io.StringIO()
        write(SUDOKU, text, form)
        with pytest.raises(
            Unsuitable, match=f"expected a file of the kind sudoku, found {title}; f2csp convert reads -"
        ):
            found(text.getvalue(), kind="sudoku")
        with pytest.raises(Unsuitable, match=f"expected a file of the kind sudoku:line, found {title}"):
            found(text.getvalue(), "sudoku:line")


@pytest.mark.parametrize("text", ["4\n3\n1 1 1\n2 3\n4 4 3\n", "4\n1\n1 1 a\n2 2 2\n"])
def test_a_faulty_list_of_clues_is_still_one(text: str) -> None:
    (instance,) = found(text)
    assert instance.format == "sudoku:clues"
    assert instance.diagnostics[0].code != "F614"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('<instance format="XCSP3" type="CSP">\n</instance>\n', "XCSP3"),
        ("c names\np cnf 1 1\n1 0\n", "DIMACS CNF"),
        ('{"title": ""}', "JSON"),
        (CLUES, "a puzzle"),
    ],
)
def test_load_names_another_format_and_the_function_that_reads_it(text: str, form: str) -> None:
    with pytest.raises(InvalidInput) as error:
        f2csp.loads(text)
    (fault,) = error.value.diagnostics
    assert fault.code == "F007"
    assert fault.hint == f"the text looks like {form}; f2csp.read and the commands of f2csp read other formats"


def test_all_puzzles_of_a_file_the_faulty_ones_with_their_faults() -> None:
    first, second, third = found(LINES)
    assert (first.content, second.content, third.content) == (SUDOKU, Sudoku(4, 2, 2), None)
    assert [instance.name for instance in (first, second, third)] == ["-:1", "-:2", "-:3"]
    with pytest.raises(InvalidInput):
        third.problem  # noqa: B018 - it raises
    assert [instance.index for instance in found(LINES, indices=[range(2, 4), range(1, 2)])] == [2, 3, 1]
    with pytest.raises(F2cspError, match="- has problems 1 to 3, and no number 4"):
        found(LINES, indices=[range(2, 5)])


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("", "x.csp", "F007"),
        ("", "x.csp.gz", "F007"),
        ("no format at all\n", "-", "F007"),
        ("no format at all\n", "notes.txt", "F614"),
    ],
)
def test_a_text_of_no_format(text: str, name: str, code: str) -> None:
    try:
        (instance,) = found(text, name=name)
        diagnostics = instance.diagnostics
    except InvalidInput as error:
        diagnostics = error.diagnostics
    assert diagnostics[0].code == code


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nonsense"], "there is no format 'nonsense' (f2csp formats lists all)"),
        (["sudoku:lien"], "there is no format 'sudoku:lien'; did you mean sudoku:line?"),
        (["mzn"], "MiniZinc can be written, but not read"),
    ],
)
def test_formats_that_cannot_be_read(args: list[str], message: str) -> None:
    with pytest.raises(F2cspError) as raised:
        found(CLUES, *args)
    assert message in str(raised.value)


def test_options_of_puzzles_are_for_puzzle_files() -> None:
    (instance,) = found("6\n0\n", "sudoku:clues", options={"box": (2, 3)})
    assert instance.content == Sudoku(6, 2, 3)
    with pytest.raises(F2cspError, match="is no puzzle file: --box has no effect"):
        found(f2csp.dumps(to_problem(SUDOKU)), options={"box": (2, 2)})


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        ((), {"box": "2x"}, "box: expected ROWSxCOLUMNS such as 2x3, found '2x'"),
        ((), {"box": 6}, "box: expected ROWSxCOLUMNS such as 2x3, found '6'"),
        ((), {"boxes": (2, 3)}, "there is no option 'boxes'; those of - are: box, distinct_lines"),
        (("xcsp3",), {"colour": 1}, "there is no option 'colour'; those of - are: ignore_objective, max_tuples"),
        (("json",), {"colour": 1}, "there is no option 'colour'; those of - are: none"),
    ],
)
def test_an_option_that_cannot_be_meant_is_refused(args: tuple[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(F2cspError) as raised:
        found("6\n0\n", *args, options=options)
    assert str(raised.value) == message


def test_a_box_can_be_a_text() -> None:
    assert puzzle(io.StringIO("6\n0\n"), "sudoku:clues", box="2x3") == Sudoku(6, 2, 3)


@pytest.mark.parametrize("name", ["p.cnf", "p.dimacs.gz", "p.wcsp"])
def test_what_nothing_recognises_is_of_the_format_that_its_name_says(name: str) -> None:
    (instance,) = found("faulty 1 2\n", name=name)
    assert instance.format in ("dimacs", "wcsp")
    assert instance.diagnostics[0].code.startswith("F5")


def test_read_and_write(tmp_path: Path) -> None:
    problem = to_problem(SUDOKU)
    for name in ("p.csp", "p.xml", "p.json.gz", "p.sdm"):
        write(problem, tmp_path / name)
        assert read(tmp_path / name).n_variables == 16
        assert puzzle(tmp_path / name) == SUDOKU
    with pytest.raises(F2cspError, match="cannot infer the format from the name"):
        write(problem, tmp_path / "p.unknown")
    assert puzzle(io.StringIO(LINES), index=2) == Sudoku(4, 2, 2)
    for index in (0, -1):
        with pytest.raises(F2cspError, match=f"expected at least 1 as index, found {index}"):
            puzzle(io.StringIO(LINES), index=index)
    with pytest.raises(F2cspError, match="there is no encoding 'other'; the encodings are"):
        write(problem, tmp_path / "p.cnf", encoding="other")
    with pytest.raises(TypeError, match="expected a path or an open file, found None"):
        read(None)  # type: ignore[arg-type]
    some = puzzles(io.StringIO(LINES))
    assert [next(some), next(some)] == [SUDOKU, Sudoku(4, 2, 2)]
    with pytest.raises(InvalidInput):
        next(some)
    with pytest.raises(Unsuitable, match="no puzzle is recognised"):
        puzzle(Path(__file__).parent.parent / "samples" / "map.csp")
