"""What all puzzles have: cells in rows and columns, givens, rules, a layout to draw, and words for groups of cells."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast

from f2csp.diagnostics import ProblemError
from f2csp.notebook import Drawn
from f2csp.puzzles import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from f2csp.model import Value
    from f2csp.puzzles.recognise import Board
    from f2csp.puzzles.to_problem import Rules

Labels = tuple[tuple[int, ...], ...]
"""A number for each cell, row by row: cells of one region or cage have the same number."""

Grid = list[list[int | None]]
"""The values of the cells, row by row; None for a blank."""

Group = TypeVar("Group")

MAX_SIDE = 100
"""The most rows or columns of the boards that are no squares."""

_CLUE = "a row, a column and a value as a given"
_CELL_NAME = re.compile(r"V([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")


class Option(NamedTuple):
    """What a user can specify about a puzzle beyond its file: an option of the commands that read puzzle files."""

    name: str  # such as distinct_lines for --distinct-lines
    help: str
    metavar: str | None = None  # the form of the value; None if the option is a switch
    parse: Callable[[str], object] = str  # raises ValueError with a message if the value is malformed


class Parameter(NamedTuple):
    """An option of what is generated: of the command line, and of :func:`generate`."""

    name: str
    help: str
    type: type = int  # int, float, str, bool for a switch, or tuple for the rows and columns of a box
    default: Any = None
    least: float = 0
    most: float | None = None
    choices: tuple[str, ...] = ()
    is_required: bool = False
    metavar: str = ""  # in the help; FILE for the name of a file

    def checked(self, value: Any) -> Any:
        """The value, converted from a text if it is one; raises ProblemError if it is none of this option."""
        if value is None or (self.type is bool and isinstance(value, bool)):
            return value
        if self.type is bool:
            raise ProblemError(f"expected true or false as {self.name}, found {value!r}")
        try:
            found = _rows_and_columns(value) if self.type is tuple else self.type(str(value))
        except (IndexError, TypeError, ValueError):
            raise ProblemError(f"expected {self._expected} as {self.name}, found {value!r}") from None
        is_too_small_or_large = isinstance(found, (int, float)) and not self.least <= found <= (self.most or inf)
        if is_too_small_or_large or (self.choices and found not in self.choices):
            raise ProblemError(f"expected {self._expected} as {self.name}, found {value}")
        return found

    @property
    def _expected(self) -> str:
        if self.choices:
            return " or ".join(self.choices)
        if self.type is tuple:
            return "rows and columns such as 3 or 2x3"
        kind = "an integer" if self.type is int else "a number"
        return f"{kind} of at least {self.least}" if self.most is None else f"{kind} from {self.least} to {self.most}"


def _rows_and_columns(value: object) -> tuple[int, int]:
    rows, _, columns = str(value).lower().partition("x") if not isinstance(value, tuple) else (value[0], "", value[1])
    box = int(rows), int(columns or rows)
    if min(box) < 1:
        raise ValueError
    return box


SIZE = Parameter("size", "Number of rows and columns.", default=9, least=1, most=256)
BOX_AND_SIZE = (
    Parameter("box", "Rows x columns of a box, or one number for both (default: the squarest).", tuple),
    SIZE._replace(help="Number of rows and columns (default: those of a box, else 9).", default=None),
)


class Cell(NamedTuple):
    """A place on a board; rows and columns count from 1."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"row {self.row}, column {self.column}"

    @property
    def variable(self) -> str:
        """The name of its variable."""
        return f"V{self.row}-{self.column}"


class Clue(NamedTuple):
    """A given value of a cell; rows and columns count from 1."""

    row: int
    column: int
    value: int

    @property
    def cell(self) -> Cell:
        """Its place."""
        return Cell(self.row, self.column)


class Rim(NamedTuple):
    """The numbers beside each line of a board; side by side those of columns, below each other those of rows."""

    top: Sequence[Sequence[int]] = ()
    bottom: Sequence[Sequence[int]] = ()
    left: Sequence[Sequence[int]] = ()
    right: Sequence[Sequence[int]] = ()


class Conflict(NamedTuple):
    """Two or more values that break a rule together, that of the latest given last."""

    clues: tuple[Clue, ...]
    message: str  # the rule that they break, with the cells in words


@dataclass(frozen=True, slots=True)
class Layout:
    """What a picture of a board shows in addition to the values of its cells."""

    regions: Labels | None = None  # separated by lines, with a frame around all; None for no lines
    cages: Labels | None = None
    totals: Mapping[Cell, str] = field(default_factory=dict)  # the texts in the corners of cells, for cages
    signs: Sequence[tuple[Cell, Cell]] | None = None  # the smaller cell first; None for a board that never has signs
    blanks: Mapping[Cell, str] = field(default_factory=dict)  # symbols of blank cells not drawn as the others
    blocks: Mapping[Cell, str] = field(default_factory=dict)  # cells without a value, with what is written in them
    rim: Rim | None = None  # the numbers around the board


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle(Drawn, ABC):
    """The base of the puzzles.

    Raises:
        ProblemError: there is no such board, or a given does not fit it.
    """

    KIND: ClassVar[str]  # the name of the puzzle in the names of formats and commands, such as sudoku
    NAME: ClassVar[str]  # the name of the puzzle in titles, such as Sudoku: that of ``KINDS``
    OPTIONS: ClassVar[tuple[Option, ...]] = ()
    SYMBOLS: ClassVar[str] = ""  # the words for the values from 0 on, a character each; empty for numbers
    HAS_BLOCKS: ClassVar[bool] = False  # whether places of the board may be no cells
    TECHNIQUE: ClassVar[str] = ""  # what people call the use of its rules that are no sums or comparisons
    IS_GENERAL: ClassVar[bool] = False  # whether other kinds add rules to it: a text that fits both is rather theirs

    clues: tuple[Clue, ...] = ()  # the givens in the order of the input; no cell twice

    def __init_subclass__(cls) -> None:
        if "KIND" in vars(cls):
            cls.NAME = KINDS[cls.KIND]

    @abstractmethod
    def shape(self) -> tuple[int, int, range]:
        """The number of rows of cells, the number of columns, and the values of a cell."""

    @property
    def n_rows(self) -> int:
        """The number of rows of cells."""
        return self.shape()[0]

    @property
    def n_columns(self) -> int:
        """The number of columns of cells."""
        return self.shape()[1]

    @property
    def values(self) -> range:
        """The values of a cell."""
        return self.shape()[2]

    def word(self, value: int) -> str:
        """A value as it is written."""
        return self.SYMBOLS[value] if self.SYMBOLS else str(value)

    @property
    def blocks(self) -> Collection[Cell]:
        """The places on the board that hold no value, and are no cells."""
        return ()

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells, row by row, in the order of their variables."""
        places = (Cell(row, column) for row in range(1, self.n_rows + 1) for column in range(1, self.n_columns + 1))
        return [cell for cell in places if cell not in self.blocks]

    @property
    def title(self) -> str:
        """The title of its problem."""
        return f"{self.NAME} {self.n_rows}x{self.n_columns}"

    @abstractmethod
    def add_rules(self, rules: Rules) -> None:
        """Add the constraints of the board without its givens, in the order of the format."""

    @classmethod
    @abstractmethod
    def candidates(cls, board: Board) -> Iterator[Puzzle]:
        """The puzzles of this kind that a problem on such a board may encode; few, as each is compared with it."""

    def groups(self) -> Mapping[str, Sequence[Cell]]:
        """The groups of cells that hold each value at most once, by names such as ``row 7``; none by default."""
        return {}

    def describe(self, cells: Sequence[Cell], *, are_different: bool) -> str | None:
        """What constraints on these cells, in their order, require in words; None where no rule of the puzzle does."""
        name = self._common_group(cells) if are_different else None
        return f"{name} holds each value once" if name else None

    def rule_of(self, state: str) -> str | None:  # noqa: ARG002 - for subclasses
        """What the rule with this auxiliary variable requires in words, where its cells alone do not say it."""
        return None

    def _common_group(self, cells: Sequence[Cell]) -> str | None:
        return next((name for name, group in self.groups().items() if {*cells} <= {*group}), None)

    def conflicts(self) -> Iterator[Conflict]:
        """Where givens break a rule: enough of them to name every given that does, in no more than linear number."""
        return self._repeated_values()

    def conflicts_of(self, solution: Mapping[str, Value]) -> Iterator[Conflict]:
        """Where the values of a solution contradict a given, or break a rule; a cell without one has its given."""
        values = {clue.cell: clue.value for clue in self.clues}
        for row, line in enumerate(self.grid_of(solution), 1):
            values |= {Cell(row, column): value for column, value in enumerate(line, 1) if value is not None}
        for clue in self.clues:
            if (value := values[clue.cell]) != clue.value:
                message = f"expected the given {self.word(clue.value)} at {clue.cell}, found {self.word(value)}"
                yield Conflict((clue,), message)
        yield from replace(self, clues=tuple(Clue(*cell, value) for cell, value in sorted(values.items()))).conflicts()

    def blanks_of(self, solution: Mapping[str, Value]) -> list[Cell]:
        """The cells that have neither a value in a solution nor a given."""
        given = {clue.cell for clue in self.clues}
        return [cell for cell in self.cells if cell.variable not in solution and cell not in given]

    def layout(self) -> Layout:
        """How the board is drawn."""
        return Layout()

    def grid(self) -> Grid:
        """The givens, row by row."""
        rows: Grid = [[None] * self.n_columns for _ in range(self.n_rows)]
        for row, column, value in self.clues:
            rows[row - 1][column - 1] = value
        return rows

    def grid_of(self, solution: Mapping[str, Value]) -> Grid:
        """The values that a solution gives to the cells, by the names of their variables; others are ignored."""
        words = {self.word(value): value for value in self.values}
        grid: Grid = [[None] * self.n_columns for _ in range(self.n_rows)]
        for cell in self.cells:
            if cell.variable in solution:
                word = str(solution[cell.variable])
                if word not in words:
                    raise ProblemError(f"{word} is no value of the cell {cell.variable}")
                grid[cell.row - 1][cell.column - 1] = words[word]
        return grid

    def _given_whole(self, groups: Iterable[tuple[Group, Sequence[Cell]]]) -> Iterator[tuple[Group, list[Clue]]]:
        """The groups all of whose cells are given, with the givens in the order of the cells."""
        given = {clue.cell: clue for clue in self.clues}
        for group, cells in groups:
            clues = [given[cell] for cell in cells if cell in given]
            if len(clues) == len(cells):
                yield group, clues

    def _check_clues(self) -> None:
        """Refuse givens that do not fit; for the constructors, which may have them as any rows of three numbers."""
        is_plain = type(self.clues) is tuple and {*map(type, self.clues)} <= {Clue}
        if not is_plain or not {*map(type, chain.from_iterable(self.clues))} <= {int}:
            object.__setattr__(self, "clues", _clues_of(self.clues))
        n_rows, n_columns, lowest, highest = self.n_rows, self.n_columns, self.values[0], self.values[-1]
        for row, column, value in self.clues:
            if not (1 <= row <= n_rows and 1 <= column <= n_columns and lowest <= value <= highest):
                raise ProblemError(f"{value} at {Cell(row, column)} does not fit a {n_rows}x{n_columns} board")
        if len({(row, column) for row, column, _ in self.clues}) < len(self.clues):
            ((cell, _),) = Counter(clue.cell for clue in self.clues).most_common(1)
            raise ProblemError(f"{cell} is given twice")

    def _repeated_values(self) -> Iterator[Conflict]:
        """Every given whose value was given before in one of its groups, with the last such given of the group."""
        names_of: defaultdict[Cell, list[str]] = defaultdict(list)
        for name, cells in self.groups().items():
            for cell in cells:
                names_of[cell].append(name)
        seen: dict[tuple[str, int], Clue] = {}
        for clue in self.clues:
            shared: defaultdict[Clue, list[str]] = defaultdict(list)
            for name in names_of[clue.cell]:
                earlier = seen.get((name, clue.value))
                if earlier is not None:
                    shared[earlier].append(name)
                seen[name, clue.value] = clue
            for earlier, names in shared.items():
                where = f"{earlier.cell} and at {clue.cell}, both in {' and '.join(names)}"
                yield Conflict((earlier, clue), f"{clue.value} is at {where}")


def check_sides(n_rows: int, n_columns: int, most: int = MAX_SIDE) -> None:
    if not (1 <= n_rows <= most and 1 <= n_columns <= most):
        raise ProblemError(f"a board of {n_rows}x{n_columns} does not have 1 to {most} rows and columns")


def _clues_of(givens: object) -> tuple[Clue, ...]:
    from f2csp.model.arguments import items_of, word_of
    from f2csp.model.words import is_integer

    clues = []
    for given in items_of(givens, "rows of givens"):
        words = [*map(word_of, items_of(given, _CLUE, is_ordered=True))]
        if len(words) != len(Clue._fields) or not all(map(is_integer, words)):
            raise ProblemError(f"expected {_CLUE}, found {given!r}")
        clues.append(Clue(*map(int, words)))
    return tuple(clues)


@lru_cache(maxsize=4)
def board_lines(n_rows: int, n_columns: int) -> Mapping[str, Sequence[Cell]]:
    """The cells of each row, then of each column, by names such as ``row 7``."""
    rows, columns = range(1, n_rows + 1), range(1, n_columns + 1)
    lines = {f"row {row}": [Cell(row, column) for column in columns] for row in rows}
    return lines | {f"column {column}": [Cell(row, column) for row in rows] for column in columns}


def cell_names(n_rows: int, n_columns: int) -> tuple[str, ...]:
    """The variables of the cells, row by row."""
    return tuple(f"V{row}-{column}" for row in range(1, n_rows + 1) for column in range(1, n_columns + 1))


def cell_of(name: str) -> Cell | None:
    """The cell whose variable has this name, if it is one of a cell."""
    match = _CELL_NAME.fullmatch(name)
    return Cell(int(match[1]), int(match[2])) if match else None


class Generator(NamedTuple):
    """How puzzles of a kind are generated."""

    maker: str  # the function in f2csp.generation.puzzles_to_order
    summary: str  # in help: a verb phrase
    parameters: tuple[Parameter, ...]  # beside those of the givens
    fill: float = 0.4  # fraction of the cells that are given by default
    details: str = ""


@dataclass(frozen=True, slots=True)
class PuzzleKind:
    """A kind of puzzle, as it is registered: the record ``KIND`` at the end of its module."""

    puzzle: type[Puzzle]
    formats: str  # the names of its formats in f2csp/boards/formats.txt; the usual one first
    words: str  # a pattern of the names that texts have for it, without capitals
    generator: Generator
    has_plain_boards: bool = False  # whether values alone can be this puzzle; else a text says more, or names it


def puzzle_kind(kind: str) -> PuzzleKind:
    """The record of a kind."""
    return cast("PuzzleKind", import_module(f"f2csp.puzzles.{kind}").KIND)


def puzzle_class(kind: str) -> type[Puzzle]:
    return puzzle_kind(kind).puzzle
