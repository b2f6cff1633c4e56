"""The table of all that can be generated: the kinds, what each is drawn by, and their options.

A new kind is a function that takes draws and its options, and one line here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from f2csp.diagnostics import F2cspError, ProblemError, listed_spelling, near_word_hint

if TYPE_CHECKING:
    from f2csp.generation.draws import Draws
    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Puzzle


class Parameter(NamedTuple):
    """An option of a kind: of the command line, and of :func:`generate`."""

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
            found = _box(value) if self.type is tuple else self.type(str(value))
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


@dataclass(frozen=True, slots=True)
class ProblemKind:
    name: str
    summary: str  # a verb phrase
    parameters: tuple[Parameter, ...]
    details: str = ""
    is_puzzle: bool = False
    is_random: bool = True


_WISHES = (
    Parameter("fill", "Fraction of the cells that are given, exact to a cell.", float, most=1),
    Parameter("unique", "Remove a given only if the solution stays the only one.", bool, False),
    Parameter(
        "minimal",
        "Remove givens until none can go without a second solution (with symmetry: no pair); slow on large boards.",
        bool,
        False,
    ),
    Parameter("symmetry", "Symmetry of the given cells.", str, "none", choices=("none", "rotational")),
    Parameter(
        "difficulty", "Effort of a search for the only solution (see above).", str, choices=("easy", "medium", "hard")
    ),
)
_GIVENS = """\
Givens are removed from a random solution. By default {fill} of the cells are given, and there may be further
solutions. Of --unique, --minimal and --difficulty each ensures that there are none; the first then gives more cells
where it must, and the last two remove as many givens as they can, unless --fill gives their number. With rotational
symmetry on a board without a cell in its centre, the number of givens is even.

Difficulty is the number of values that a search has to try, always in a cell with the fewest values, to find the
solution and exclude others, with naked and hidden singles and the rules of the puzzle as propagation: easy 0, medium 1
to 4, hard 5 or more.
"""
_SIZE = Parameter("size", "Number of rows and columns.", default=9, least=1, most=256)
_BOX = (
    Parameter("box", "Rows x columns of a box, or one number for both (default: the squarest).", tuple),
    _SIZE._replace(help="Number of rows and columns (default: those of a box, else 9).", default=None),
)


def _puzzle(name: str, summary: str, *parameters: Parameter, fill: str = "0.4", more: str = "") -> ProblemKind:
    details = f"{more}\n\n{_GIVENS}" if more else _GIVENS
    return ProblemKind(name, summary, (*parameters, *_WISHES), details.format(fill=fill), is_puzzle=True)


def _family(name: str, summary: str, *parameters: Parameter, details: str = "", is_random: bool = True) -> ProblemKind:
    return ProblemKind(name, summary, parameters, details, is_random=is_random)


_LARGE = """\
Boards with boxes of up to 25 cells are filled by a random search; larger ones are a pattern whose rows, columns, bands,
stacks and values are shuffled.\
"""
_FILE = Parameter("file", "", str, is_required=True, metavar="FILE")
_SATISFIABLE = Parameter("satisfiable", "Plant a solution that no table rejects.", bool, False)
_VARIABLES = Parameter("variables", "Number of variables.", default=20, least=2, most=100_000)
_TIGHTNESS = Parameter("tightness", "Fraction of the tuples that each table rejects.", float, most=1)
_GRAPHS = """\
The graph is a DIMACS file (p edge, e), or one of complete:N, cycle:N, wheel:N, queen:N, mycielski:N and petersen, or a
random one with a number of nodes and a fraction of their pairs as edges.\
"""
_LATIN = "Squares up to 36x36 are drawn almost uniformly (Jacobson and Matthews)."

PROBLEM_KINDS = (
    _puzzle("sudoku", "Generate Sudokus.", *_BOX, more=_LARGE),
    _puzzle("latin", "Generate Latin squares to complete.", _SIZE, more=_LATIN),
    _puzzle(
        "futoshiki",
        "Generate Futoshikis.",
        _SIZE._replace(default=5, most=25),
        Parameter("signs", "Fraction of the sides of cells that have a sign.", float, 0.3, most=1),
        fill="0.1",
        more="Signs stay, also if the solution would be the only one without them.",
    ),
    _puzzle("takuzu", "Generate Takuzus.", _SIZE._replace(default=8, least=2, most=20)),
    _puzzle("jigsaw", "Generate Jigsaw Sudokus with random regions.", _SIZE._replace(most=16)),
    _puzzle("diagonal", "Generate Diagonal Sudokus.", *_BOX),
    _puzzle("killer", "Generate Killer Sudokus with random cages that cover the board.", *_BOX, fill="none"),
    _family("queens", "Generate the problem of n queens.", _SIZE._replace(default=8, most=500), is_random=False),
    _family(
        "pigeonhole",
        "Generate the problem of the pigeonhole principle.",
        Parameter("pigeons", "Number of pigeons, which are in different holes.", default=6, least=1, most=1000),
        Parameter("holes", "Number of holes; by default one less than pigeons.", least=1, most=1000),
        is_random=False,
    ),
    _family("magic", "Generate the problem of a magic square.", _SIZE._replace(default=3, most=10), is_random=False),
    _family(
        "coloring",
        "Generate graph colouring problems.",
        Parameter("colours", "Number of colours.", default=3, least=1, most=1000),
        Parameter("graph", "The graph, by name or from a file.", str, metavar="FILE|NAME"),
        Parameter("nodes", "Number of nodes of a random graph.", default=20, least=1, most=5000),
        Parameter("density", "Fraction of the pairs of nodes that are edges of a random graph.", float, 0.2, most=1),
        details=_GRAPHS,
    ),
    _family(
        "qwh",
        "Generate quasigroups with holes: Latin squares of which cells are removed.",
        _SIZE._replace(default=30),
        Parameter("holes", "Number of holes; by default 0.42 of the cells, where the hardest are.", most=1 << 16),
        Parameter("balanced", "Make the same number of holes in each row and column, or one more.", bool, False),
        details=_LATIN,
    ),
    _family(
        "model-b",
        "Generate random binary problems (model B).",
        _VARIABLES._replace(most=2000),
        Parameter("domain", "Number of values of each variable.", default=10, least=1, most=1000),
        Parameter("density", "Fraction of the pairs of variables that have a constraint.", float, 0.3, most=1),
        _TIGHTNESS._replace(default=0.5),
        _SATISFIABLE,
        details="Pairs of variables and pairs of values are drawn without repetition, the exact fractions of both.",
    ),
    _family(
        "model-rb",
        "Generate random problems of any arity (model RB).",
        _VARIABLES,
        Parameter("arity", "Number of variables of each constraint.", default=2, least=2, most=20),
        Parameter("alpha", "There are n ** alpha values for n variables.", float, 0.8, most=3),
        Parameter("ratio", "There are r n ln n constraints; r is the ratio.", float, 2.78, least=0.01, most=1000),
        _TIGHTNESS._replace(help="Fraction of the tuples that each table rejects; by default 1 - exp(-alpha / r)."),
        _SATISFIABLE,
        details="The default tightness is where instances turn from satisfiable to unsatisfiable (Xu and Li, 2000).",
    ),
    _family(
        "crossword",
        "Generate the problem of filling a crossword grid with words of a list.",
        _FILE._replace(name="words", help="The words, one a line; those with other signs than letters are ignored."),
        _FILE._replace(name="grid", help="The grid: lines of . for an open cell, # for a block, and letters."),
        is_random=False,
    ),
)
"""All kinds of problem that can be generated."""


def generate(kind: str, *, seed: int = 0, **options: Any) -> "Problem":
    """Generate a puzzle or an instance of a family, as a problem.

    Args:
        kind: what to generate, such as ``sudoku``; ``f2csp generate --help`` lists all.
        seed: the random seed: the same seed gives the same problem on every machine.
        options: those of the kind; ``f2csp generate KIND --help`` explains them.

    Raises:
        F2cspError: there is no such kind or option, a value is out of range, or there is no such puzzle.

    Example:
        >>> sudoku = generate("sudoku", box=2, fill=0.25, seed=7)
        >>> sudoku
        <Problem 'Sudoku 4x4': 1 domain, 16 variables, 60 constraints>
    """
    from f2csp.generation.draws import Draws
    from f2csp.model import Problem
    from f2csp.puzzles.to_problem import to_problem

    content = drawn(kind_named(kind), Draws(seed), options)
    return content if isinstance(content, Problem) else to_problem(content)


def kind_named(name: str) -> ProblemKind:
    for kind in PROBLEM_KINDS:
        if kind.name == name:
            return kind
    names = [kind.name for kind in PROBLEM_KINDS]
    raise F2cspError(f"there is nothing called {name!r} to generate; {near_word_hint(name, names) or ', '.join(names)}")


def drawn(kind: ProblemKind, draws: "Draws", options: Mapping[str, Any]) -> "Problem | Puzzle":
    """Generate a puzzle, or another problem, by the next draws."""
    module = import_module(f"f2csp.generation.{'puzzles_to_order' if kind.is_puzzle else 'families'}")
    content: Problem | Puzzle = getattr(module, kind.name.replace("-", "_"))(draws, **checked_options(kind, options))
    return content


def checked_options(kind: ProblemKind, options: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all options of a kind; raises F2cspError if it has no such option or value."""
    known = {parameter.name: parameter for parameter in kind.parameters}
    options = {listed_spelling(name): value for name, value in options.items()}
    for name in options:
        if name not in known:
            raise F2cspError(f"{kind.name} has no option {name!r}; {near_word_hint(name, known) or ', '.join(known)}")
    for name, parameter in known.items():
        if parameter.is_required and options.get(name) is None:
            raise F2cspError(f"{kind.name} needs the option {name}")
    return {
        name: parameter.default if options.get(name) is None else parameter.checked(options[name])
        for name, parameter in known.items()
    }


def _box(value: object) -> tuple[int, int]:
    rows, _, columns = str(value).lower().partition("x") if not isinstance(value, tuple) else (value[0], "", value[1])
    box = int(rows), int(columns or rows)
    if min(box) < 1:
        raise ValueError
    return box
