"""What is written of a puzzle is read as the same, or refused: for all kinds, sizes, options and formats."""

import re
import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import F2cspError, Inexpressible, InvalidInput, Unsuitable
from f2csp.file_formats import FormatInfo, puzzle_formats
from f2csp.generation.draws import Draws
from f2csp.generation.kinds import drawn, kind_named
from f2csp.instances import Instance, chunks, instances
from f2csp.puzzles import KINDS
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue, Puzzle, puzzle_kind
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from tests.boards.puzzle_texts import read_all, source_of, written
from tests.foreign.programs import run
from tests.puzzles.strategies import BY_KIND, in_row_order

WRITTEN = [form for form in puzzle_formats() if form.is_written]
SGT_PUZZLES = {
    "sgt-solo": "2x2 2x3dt 3x2 3x3 3x3x 2x3x 9j 6j 2x3kdt 3x3k",
    "sgt-unequal": "3de 4de 5 6dt",
    "sgt-unruly": "6x6dt 6x6udt 8x6",
    "sgt-towers": "4de 5",
    "sgt-keen": "4de 5",
    "sgt-pattern": "5x5 7x4",
}


def text_of(puzzles: list[Puzzle], name: str) -> str:
    return b"".join(chunks([Instance("", "", puzzle) for puzzle in puzzles], name)).decode()


def is_held(text: str, puzzles: list[Puzzle], form: FormatInfo) -> bool:
    """Whether a text is read as these puzzles by the name of its format, and without one as no others."""
    wanted = [in_row_order(puzzle) for puzzle in puzzles]
    try:
        if [in_row_order(puzzle) for puzzle in read_all(text, form.name)] != wanted:
            return False
    except AssertionError:  # it has faults
        return False
    try:
        found = [instance.require() for instance in instances(source_of(text))]
    except InvalidInput:
        return True
    return [in_row_order(puzzle) for puzzle in found if isinstance(puzzle, Puzzle)] == wanted


def outcome(puzzle: Puzzle, form: FormatInfo) -> str:
    try:
        text = text_of([puzzle], form.name)
    except Inexpressible as error:
        refusal = str(error)
    else:
        assert is_held(text, [puzzle], form)
        return "the same"
    assert refusal.startswith(f"{form.name} cannot express the {puzzle.title}: ")
    with suppress(Unsuitable):  # there is no text
        assert puzzle.n_rows > form.load().max_size or not is_held(written(puzzle, form.name), [puzzle], form)
    return "refused"


@given(st.sampled_from([*BY_KIND.values()]).flatmap(lambda strategy: strategy), st.sampled_from(WRITTEN))
def test_a_puzzle_is_the_same_again_or_refused(puzzle: Puzzle, form: FormatInfo) -> None:
    if form.kind == puzzle.KIND:
        outcome(puzzle, form)
    else:
        with pytest.raises(Inexpressible, match=r"^the format .* is not one for a "):
            text_of([puzzle], form.name)


def board(seed: int) -> Puzzle:
    """A board of any kind, size and options, whose givens may clash."""
    random = Random(seed)
    kind = random.choice([*KINDS])
    names = {parameter.name for parameter in puzzle_kind(kind).generator.parameters}
    options: dict[str, object] = {"fill": random.choice([0, 0.1, 0.3, 0.6, 1])}
    if "box" in names:
        options["box"] = random.choice([(2, 2), (2, 2), (3, 3), (2, 3), (3, 2), (2, 4), (1, 5), (3, 4), (2, 8)])
    elif "size" in names:
        options["size"] = random.choice([2, 4, 6, 8] if kind == "takuzu" else [2, 3, 4, 5, 6, 9])
    else:
        options |= {"rows": random.choice([3, 4, 5, 6]), "columns": random.choice([3, 4, 5, 6])}
    if "signs" in names:
        options["signs"] = random.choice([0, 0.1, 0.4, 1])
    try:
        puzzle = cast("Puzzle", drawn(kind_named(kind), Draws(seed), options))
    except F2cspError:  # there is no such board, such as a Kakuro of 3x3
        return board(seed + 1_000_000)
    if isinstance(puzzle, Takuzu) and random.random() < 0.5:
        puzzle = replace(puzzle, has_distinct_lines=False)
    if puzzle.clues and random.random() < 0.2:
        first, *rest = puzzle.clues
        puzzle = replace(puzzle, clues=(*rest, Clue(first.row, first.column, random.choice(puzzle.values))))
    return puzzle


def outcomes(seeds: range) -> Counter[str]:
    counts = Counter[str]()
    for seed in seeds:
        puzzle = board(seed)
        for form in WRITTEN:
            if form.kind == puzzle.KIND:
                counts[outcome(puzzle, form)] += 1
    return counts


def test_generated_boards_are_the_same_again_or_refused() -> None:
    assert outcomes(range(60)).keys() == {"the same", "refused"}


@pytest.mark.slow
def test_ten_thousand_boards_are_the_same_again_or_refused() -> None:
    counts = outcomes(range(100, 3_500))
    assert counts.total() > 10_000
    assert counts["refused"] < counts.total() / 3


@pytest.mark.parametrize(
    ("puzzle", "name", "reason"),
    [
        (Sudoku(6, 2, 3), "sudoku:line", "the size 6 is not a perfect square"),
        (Sudoku(6, 3, 2), "sudoku:csv", "the size 6 is not a perfect square"),
        (Sudoku(16, 2, 8), "sudoku:line", "it would be read with other box rows and box columns;"),
        (Sudoku(4, 2, 2), "sudoku:opensudoku", "the format has boards of up to|expected 81 cells"),
        (Diagonal(6, 2, 3), "diagonal:andoku", "the size 6 is not a perfect square"),
        (Takuzu(4, 6), "takuzu:ist", "expected"),
        (LatinSquare(36), "futoshiki:org", "is not one for a Latin square 36x36; it can be written as latin:clues, "),
        (Futoshiki(36), "futoshiki:org", "boards of up to 35x35; it can be written as futoshiki:token, "),
    ],
)
def test_what_a_format_has_no_place_for_is_refused(puzzle: Puzzle, name: str, reason: str) -> None:
    with pytest.raises(Inexpressible, match=reason):
        text_of([puzzle], name)


@pytest.mark.parametrize(
    ("puzzle", "name", "word"),
    [
        (Sudoku(6, 2, 3), "sudoku:clues", "6 2x3\n"),
        (Sudoku(9, 3, 3), "sudoku:clues", "9\n"),
        (Sudoku(4, 2, 2, clues=(Clue(1, 1, 3), Clue(2, 2, 3))), "sudoku:clues", "4 sudoku\n"),
        (LatinSquare(9), "latin:clues", "9 latin\n"),
        (LatinSquare(7), "latin:clues", "7\n"),
        (Diagonal(6, 2, 3), "diagonal:matrix", "# Diagonal Sudoku\n2 3\n"),
        (Takuzu(4, 4, False), "takuzu:ist", "# lines may be equal\n4\n"),
        (Takuzu(4, 6, False), "takuzu:grid", "# lines may be equal\n. "),
        (Futoshiki(4), "futoshiki:picture", "# Futoshiki\n. "),
        (LatinSquare(2), "latin:tatham", "2:0,0,0,0, # latin\n"),
    ],
)
def test_a_format_says_what_its_cells_do_not(puzzle: Puzzle, name: str, word: str) -> None:
    text = text_of([puzzle], name)
    assert text.startswith(word)
    assert read_all(text, name) == [puzzle]


def test_a_file_of_puzzles_is_read_whole() -> None:
    equal, distinct = Takuzu(4, 4, False, clues=(Clue(1, 1, 1),)), Takuzu(4, 4, clues=(Clue(2, 3, 1),))
    assert read_all(text_of([equal, equal], "takuzu:grid"), "takuzu:grid") == [equal, equal]
    with pytest.raises(Inexpressible, match="with other distinct lines"):
        text_of([equal, distinct], "takuzu:grid")


def test_a_solution_behind_its_puzzle_is_not_lost() -> None:
    rows = ["1234", "3412", "2143", "4321"]
    full = tuple(Clue(i, j, int(value)) for i, row in enumerate(rows, 1) for j, value in enumerate(row, 1))
    puzzles: list[Puzzle] = [Sudoku(4, 2, 2, clues=full[::2]), Sudoku(4, 2, 2, clues=full)]
    with pytest.raises(Inexpressible, match="2 puzzles would be read as another number"):
        text_of(puzzles, "sudoku:grid")
    assert read_all(text_of(puzzles, "sudoku:line"), "sudoku:line") == puzzles


@pytest.mark.parametrize("form", [form for form in puzzle_formats() if not form.is_written], ids=lambda form: form.name)
def test_a_format_that_is_only_read_says_so(form: FormatInfo) -> None:
    kind = form.kind
    with pytest.raises(Inexpressible, match=f"^{form.name} can be read, but not written; it can be written as {kind}:"):
        text_of([board_of(kind)], form.name)


def board_of(kind: str) -> Puzzle:
    return next(puzzle for seed in range(10_000) if kind == (puzzle := board(seed)).KIND)


@pytest.mark.slow
@pytest.mark.parametrize("program", SGT_PUZZLES)
def test_boards_of_a_foreign_generator_are_the_same_again_or_refused(program: str) -> None:
    path = shutil.which(program) or shutil.which(program, path="/usr/games")
    if path is None:
        pytest.skip(f"needs {program}, of the Debian package sgt-puzzles")
    for parameters in SGT_PUZZLES[program].split():
        for text in run(path, "--generate", "2", parameters).splitlines():
            (puzzle,) = read_all(text)
            assert re.match(rf"{puzzle.KIND}:tatham", next(instances(source_of(text))).format)
            for form in WRITTEN:
                if form.kind == puzzle.KIND:
                    outcome(puzzle, form)
