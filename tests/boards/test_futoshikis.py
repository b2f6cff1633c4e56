"""Futoshikis in the layouts that others write: every layout gives the puzzle again, and none loses a sign."""

import re
from itertools import chain

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput
from f2csp.puzzles.futoshiki import Futoshiki
from tests.boards.puzzle_texts import faults, format_of, read, read_all, written
from tests.puzzles.strategies import futoshikis, in_row_order

WORDS = {  # the words for a blank cell, smaller, greater and no sign, and what is between words
    "csv": (("", "<", ">", ""), ","),
    "chars": ((" ", "<", ">", " "), ""),
    "matrix": (("0", "1", "-1", "0"), " "),
}


def words_of(puzzle: Futoshiki, blank: str, less: str, greater: str, none: str) -> list[list[str]]:
    """The lines of the picture, with a word for each place."""
    words = {"x": blank, "<": less, ">": greater, "-": none}
    lines = written(puzzle, "futoshiki:token").splitlines()[1:]
    return [[words.get(word, word) for word in line.split()] for line in lines]


@given(futoshikis(min_size=2, min_signs=1, max_size=9), st.sampled_from([*WORDS]))
def test_pictures_with_a_word_for_each_place(puzzle: Futoshiki, name: str) -> None:
    words, between = WORDS[name]
    lines = [str(puzzle.size)] * (name == "matrix") + [between.join(line) for line in words_of(puzzle, *words)]
    assert read("\n".join([*lines, ""]), f"futoshiki:{name}") == in_row_order(puzzle)


@st.composite
def drawings(draw: st.DrawFn, puzzle: Futoshiki) -> str:
    """A picture of any width, perhaps in a frame, below a title or a size."""
    blank, arrows = draw(st.sampled_from("._*?0□-")), draw(st.sampled_from(["^v", "∧∨", "ΛV"]))
    width, gap = len(str(puzzle.size)), draw(st.sampled_from([1, 3, 5]))
    lines = words_of(puzzle, blank, "<", ">", " ")
    rows = ["".join(w.center(gap) if j % 2 else w.rjust(width) for j, w in enumerate(line)) for line in lines[::2]]
    signs = [
        (" " * gap).join(word.rjust(width) for word in line[::2]).replace("<", arrows[0]).replace(">", arrows[1])
        for line in lines[1::2]
    ]
    picture = [*chain.from_iterable(zip(rows, signs, strict=False)), rows[-1]]
    if draw(st.booleans()):
        picture = [f"| {line} |" for line in picture]
        picture = ["+---+", *picture, "+---+"]
    elif draw(st.booleans()):
        picture = [line for line in picture if line.strip()]
    head = draw(st.sampled_from([[], ["Puzzle 12 (easy)"], [str(puzzle.size)], [f"{puzzle.size} x {puzzle.size}", ""]]))
    return "\n".join([*head, *picture, ""])


@given(futoshikis(min_size=2, min_signs=1, max_size=12), st.data())
def test_drawn_pictures(puzzle: Futoshiki, data: st.DataObject) -> None:
    assert read(data.draw(drawings(puzzle)), "futoshiki:drawn") == in_row_order(puzzle)


@given(futoshikis(min_size=3, min_signs=1, max_size=9), st.data())
def test_no_sign_of_a_drawn_picture_is_lost(puzzle: Futoshiki, data: st.DataObject) -> None:
    text = data.draw(drawings(puzzle))
    at = data.draw(st.integers(0, len(text) - 1))
    inserted, n_removed = data.draw(st.sampled_from(["", *" <>^v∨x-.01|\n"])), data.draw(st.integers(0, 1))
    changed = text[:at] + inserted + text[at + n_removed :]
    try:
        found = read(changed, "futoshiki:drawn")
    except InvalidInput:
        return
    assert isinstance(found, Futoshiki)
    n_signs = len(re.findall(r"[<>^∧∨Λ]|\b[vV]\b", changed))
    assert n_signs - 1 <= len(found.signs) <= n_signs  # two equal signs can be nearly below one cell


@given(futoshikis(min_size=3, min_signs=1, max_size=9), st.data())
def test_a_drawn_picture_in_a_mail(puzzle: Futoshiki, data: st.DataObject) -> None:
    quoted = "".join(f"> {line}\n" for line in data.draw(drawings(puzzle)).splitlines())
    assert read(quoted, "futoshiki:drawn") == in_row_order(puzzle)


def test_a_sign_at_the_begin_of_a_line_is_no_quote() -> None:
    text = "3\nx < x - x\n- - - - -\nx - x - x\n> - - - -\nx - x - x\n"
    assert faults(text, "futoshiki:drawn") == [("F611", 5, 1, 2)]
    assert format_of(text) == "futoshiki:token"


@given(futoshikis(max_size=9), st.data())
def test_relations_in_any_order_and_spelling(puzzle: Futoshiki, data: st.DataObject) -> None:
    rows = [";".join(str(value or 0) for value in row) for row in puzzle.grid()]
    names = [["ABCDEFGHI"[cell.row - 1] + str(cell.column) for cell in sign] for sign in puzzle.signs]
    between = st.sampled_from([";", " ; ", "; "])
    signs = [data.draw(between).join(pair) for pair in data.draw(st.permutations(names))]
    text = "\n".join([str(puzzle.size), "START:", *rows, "REL:", *signs])
    assert read(text.lower() if data.draw(st.booleans()) else text, "futoshiki:rel") == in_row_order(puzzle)


@given(st.lists(futoshikis(max_size=6), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_lists_of_several_puzzles(puzzles: list[Futoshiki], has_number: bool, are_signs_first: bool) -> None:
    assume(not any(puzzle.size == 4 and any(puzzle.conflicts()) for puzzle in puzzles))  # such rows can be signs
    lines = [str(len(puzzles))] * has_number
    for puzzle in puzzles:
        rows = [" ".join(str(value or 0) for value in row) for row in puzzle.grid()]
        signs = [" ".join(map(str, chain(*sign))) for sign in puzzle.signs]
        parts = [signs, rows] if are_signs_first else [rows, signs]
        lines += [f"{puzzle.size} {len(signs)}", *chain(*parts), ""]
    text = "\n".join(lines)
    assert read_all(text, "futoshiki:lists") == [in_row_order(puzzle) for puzzle in puzzles]


@given(futoshikis(max_size=9))
def test_triples(puzzle: Futoshiki) -> None:
    givens = [" ".join(map(str, clue)) for clue in puzzle.clues]
    signs = [" ".join(map(str, chain(sign.greater, sign.smaller))) for sign in puzzle.signs]
    text = "\n".join([str(puzzle.size), str(len(givens)), *givens, str(len(signs)), *signs])
    assert read(text, "futoshiki:triples") == puzzle


@pytest.mark.parametrize("name", ["token", "drawn", "csv", "chars", "matrix", "pairs", "tables", "lists"])
def test_a_number_alone_is_no_puzzle(name: str) -> None:
    assert faults("1\n", f"futoshiki:{name}")
