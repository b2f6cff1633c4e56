"""How a text is read, as plain values to compare: the one place where these tests meet the package."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from f2csp.diagnostics import F2cspError, InvalidInput, Source
from f2csp.instances import Instance, instances
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu

MAX_PROBLEMS = 12

Grid = tuple[tuple[int | None, ...], ...]
Rules = frozenset[object]


class Reading(NamedTuple):
    """One problem of a text, or why there is none."""

    kind: str | None  # of a puzzle; "problem" for what is none; None if the text is refused
    grid: Grid = ()
    rules: Rules = frozenset()  # signs, cages and regions, whatever their order
    codes: tuple[str, ...] = ()  # of faults, or of warnings


def readings(name: str, text: str, form: str = "auto", **options: object) -> list[Reading]:
    """The first problems of a text, or one reading without a kind if it is refused as a whole."""
    source = Source(name, text.encode())
    try:
        return [_reading(instance) for instance in islice(instances(source, form, options=options), MAX_PROBLEMS)]
    except InvalidInput as faults:
        return [Reading(None, codes=tuple(fault.code for fault in faults.diagnostics))]
    except F2cspError:
        return [Reading(None)]


def _reading(instance: Instance) -> Reading:
    codes = tuple(diagnostic.code for diagnostic in instance.diagnostics)
    puzzle = instance.content
    if puzzle is None:
        return Reading(None, codes=codes)
    if not isinstance(puzzle, Puzzle):
        return Reading("problem", codes=codes)
    return Reading(puzzle.KIND, tuple(map(tuple, puzzle.grid())), rules_of(puzzle), codes)


def rules_of(puzzle: Puzzle) -> Rules:
    """What a puzzle has beside its givens and the rules of its kind."""
    if isinstance(puzzle, Futoshiki):
        return frozenset(puzzle.signs)
    if isinstance(puzzle, Killer):
        return frozenset((cage.total, frozenset(cage.cells)) for cage in puzzle.cages)
    if isinstance(puzzle, Jigsaw):
        return regions_of(puzzle.regions)
    if isinstance(puzzle, Sudoku) and not puzzle.has_square_boxes:
        return frozenset({("box", puzzle.box_rows, puzzle.box_columns)})
    may_repeat = isinstance(puzzle, Takuzu) and not puzzle.has_distinct_lines
    return frozenset({"lines may be equal"} if may_repeat else ())


def regions_of(labels: Iterable[Iterable[object]]) -> Rules:
    """The regions of a map as sets of cells."""
    cells: dict[object, set[tuple[int, int]]] = {}
    for row, line in enumerate(labels, 1):
        for column, label in enumerate(line, 1):
            cells.setdefault(label, set()).add((row, column))
    return frozenset(map(frozenset, cells.values()))
