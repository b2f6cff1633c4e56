"""Each technique on positions that show it: those of HoDoKu's library where they are at hand, and ratings of others."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

import f2csp
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.reasoning.hint_model import model_of_blank
from f2csp.reasoning.hints import rating_by_steps, steps_of
from f2csp.reasoning.ladder import LADDER
from f2csp.reasoning.marks import Marks
from tests.conftest import Expected
from tests.puzzles.records import DATA, REASON

GENERATED: list[tuple[str, dict[str, object], int]] = [
    ("sudoku", {"box": 3}, 0),
    *[("diagonal", {"box": 3}, seed) for seed in (0, 1, 3)],
    *[("jigsaw", {"size": 9}, seed) for seed in (0, 2, 3)],
    *[("killer", {"box": (2, 3)}, seed) for seed in (0, 6)],
    *[("futoshiki", {"size": 5}, seed) for seed in (0, 2)],
    *[("takuzu", {"size": 8}, seed) for seed in (0, 4)],
    ("latin", {"size": 8}, 7),
]
LIBRARY, RATED = DATA / "hodoku_reglib-1.3.txt", DATA / "sudoku_rated.txt"
NAMES = """
0000 full house, 0002 hidden single, 0003 naked single, 0100 locked candidates, 0101 locked candidates, 0200 naked pair
0201 naked triple, 0202 naked quad, 0210 hidden pair, 0211 hidden triple, 0212 hidden quad, 0300 X-wing, 0301 swordfish
0302 jellyfish, 0400 turbot fish, 0401 turbot fish, 0403 turbot fish, 0500 simple colouring, 0501 simple colouring
0603 unique rectangle, 0604 unique rectangle, 0610 bivalue universal grave, 0702 XY-chain, 0800 XY-wing, 0801 XYZ-wing
0803 W-wing
"""
GROUPED = "grouped alternating inference chain"
CODES = dict(re.findall(r"(\d{4}) ([^,\n]+)", NAMES))
CODES |= dict.fromkeys(["0310", "0320", "0331", "0340", "0402"], GROUPED)  # such as finned fish and empty rectangles
PARTLY = {
    "0600": "unique rectangle",
    "0601": "unique rectangle",
    "0605": "hidden rectangle",
    "0606": "hidden rectangle",
}
COVERED = {"0703": "XY-chain", "0706": "alternating inference chain", "0707": "alternating inference chain"}
COVERED |= {"0404": "turbot fish", "0708": "alternating inference chain"}
COVERED |= dict.fromkeys(["0311", "0322", "0405", "0709", "0710", "0711"], GROUPED)
WITH_OTHERS = {("0709", "2"), ("0710", "3"), ("0710", "4"), ("0711", "3"), ("0711", "4")}  # almost locked sets, too


def sudoku(text: str) -> Sudoku:
    values = [(place, int(sign)) for place, sign in enumerate(text) if sign not in ".0"]
    return Sudoku(9, 3, 3, clues=tuple(Clue(place // 9 + 1, place % 9 + 1, value) for place, value in values))


def literals(words: str) -> int:
    """A set of literals from words such as 436: value, row, column."""
    found = re.findall(r"([1-9])([1-9])([1-9])", words)
    return sum({1 << (int(row) * 9 + int(column) - 10) * 9 + int(value) - 1 for value, row, column in found})


def positions(code: str) -> Iterator[tuple[str, Marks, int, int]]:
    """The variant of each position of a code, its marks, and what its step removes and places."""
    text = LIBRARY.read_text(encoding="utf-8") if LIBRARY.exists() else ""
    for variant, values, deleted, removed, placed in re.findall(
        rf"^:{code}-?(.*?):[^:]*:([^:]*):([^:]*):([^:]*):([^:]*):", text, re.MULTILINE
    ):
        model = model_of_blank(Sudoku(9, 3, 3))
        clues = sudoku(values.replace("+", "")).clues
        marks = Marks.of(model, [model.number(f"V{c.row}-{c.column}", c.value) for c in clues])
        yield variant, marks.after(literals(deleted)), literals(removed), literals(placed)


def results(marks: Marks, name: str) -> list[tuple[int, int]]:
    """What each step of a technique removes, and what it places."""
    (technique,) = [technique for technique in LADDER if technique.name == name]
    steps = technique.find(marks)
    return [(step.removed & marks.left, sum(1 << literal for literal in step.placed)) for step in steps]


@pytest.mark.skipif(not LIBRARY.exists(), reason=REASON)
@pytest.mark.parametrize("code", CODES | PARTLY)
def test_a_technique_is_found_where_it_is(code: str):
    found = total = 0
    for variant, marks, removed, placed in positions(code):
        steps = results(marks, (CODES | PARTLY)[code])
        if variant == "x":
            assert steps == []
        elif code == "0610":
            ((_, grave),) = steps
            cell = next(cell for cell in marks.model.cells if cell & grave)
            assert cell & marks.left & ~grave == removed
        else:
            total += 1
            found += (removed, placed) in steps
    assert found == total if code in CODES else found > 0.75 * total


@pytest.mark.skipif(not LIBRARY.exists(), reason=REASON)
@pytest.mark.parametrize("code", COVERED)
def test_the_removals_of_a_chain_are_found(code: str):
    found = [position for position in positions(code) if (code, position[0]) not in WITH_OTHERS]
    for _, marks, removed, _ in found:
        union = 0
        for step, _ in results(marks, COVERED[code]):
            union |= step
        assert removed & ~union == 0


@pytest.mark.skipif(not RATED.exists(), reason=REASON)
def test_ratings_are_those_of_the_published_table():
    lines = [line.split() for line in RATED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    pairs = [(float(published), rating_by_steps(sudoku(text))) for text, published, *_ in lines[::3]]
    assert all(rating for _, rating in pairs)
    published, own = np.array([(number, rating.difficulty) for number, rating in pairs]).T
    ranks = [np.searchsorted(np.sort(x), x, "left") + np.searchsorted(np.sort(x), x, "right") for x in (published, own)]
    assert np.corrcoef(*ranks)[0, 1] > 0.97
    is_easy = published <= 6.2
    assert np.mean(published[is_easy] == own[is_easy]) > 0.85


@pytest.mark.parametrize("kind", dict.fromkeys(kind for kind, _, _ in GENERATED))
def test_a_hint_of_each_technique_in_words(kind: str, expected: Expected):
    """The first step of each technique in some puzzles."""
    examples: dict[str, str] = {}
    for name, options, seed in GENERATED:
        for step in steps_of(f2csp.generate(name, seed=seed, minimal=True, **options)) if name == kind else ():
            text = f"{step.technique} ({step.difficulty})\n  {step.clue}\n  {step.sentence}\n"
            examples.setdefault(step.technique, text)
    expected(f"{kind}.txt", "".join(examples.values()))
