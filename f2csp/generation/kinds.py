"""The table of all that can be generated: the kinds, what each is drawn by, and their options.

A new family is a function that takes draws and its options, and one line here; puzzles have a ``Generator`` in the
record of their kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from f2csp.diagnostics import F2cspError, listed_spelling, near_word_hint
from f2csp.puzzles import KINDS
from f2csp.puzzles.puzzle import SIZE, Parameter, puzzle_kind

if TYPE_CHECKING:
    from f2csp.generation.draws import Draws
    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class ProblemKind:
    name: str
    summary: str  # a verb phrase
    parameters: tuple[Parameter, ...]
    details: str = ""
    is_random: bool = True


_MINIMAL = "Remove givens until none can go without a second solution (with symmetry: no pair); slow on large boards."
_WISHES = (
    Parameter("fill", "Fraction of the cells that are given, exact to a cell.", float, most=1),
    Parameter("unique", "Remove a given only if the solution stays the only one.", bool, False),
    Parameter("minimal", _MINIMAL, bool, False),
    Parameter("symmetry", "Symmetry of the given cells.", str, "none", choices=("none", "rotational")),
    Parameter("canonical", "Give the least puzzle that symmetries of the board map it to (needs nauty).", bool, False),
    Parameter("difficulty", "Grade of its rating (see above).", str, choices=("easy", "medium", "hard", "expert")),
    Parameter("hardest", "Technique of its hardest step, such as hidden-pair.", str, metavar="TECHNIQUE"),
)
_GIVENS = """\
Givens are removed from a random solution. By default {fill} of the cells are given, and there may be further
solutions. Of --unique, --minimal, --difficulty and --hardest each ensures that there are none; the first then gives
more cells where it must, and the others remove as many givens as they can, unless --fill gives their number. With
rotational symmetry on a board without a cell in its centre, the number of givens is even.

The difficulty is that of the hardest step of a person, as f2csp rate finds it: easy (singles), medium (such as
pairs), hard (such as wings) or expert (chains); --hardest names the technique of this step.
"""


def _puzzle(name: str) -> ProblemKind:
    generator = puzzle_kind(name).generator
    more = f"{generator.details}\n\n" if generator.details else ""
    details = more + _GIVENS.format(fill=generator.fill or "none")
    return ProblemKind(name, generator.summary, (*generator.parameters, *_WISHES), details)


def _family(name: str, summary: str, *parameters: Parameter, details: str = "", is_random: bool = True) -> ProblemKind:
    return ProblemKind(name, summary, parameters, details, is_random=is_random)


_FILE = Parameter("file", "", str, is_required=True, metavar="FILE")
_SATISFIABLE = Parameter("satisfiable", "Plant a solution that no table rejects.", bool, False)
_VARIABLES = Parameter("variables", "Number of variables.", default=20, least=2, most=100_000)
_TIGHTNESS = Parameter("tightness", "Fraction of the tuples that each table rejects.", float, most=1)
_GRAPHS = """\
The graph is a DIMACS file (p edge, e), or one of complete:N, cycle:N, wheel:N, queen:N, mycielski:N and petersen, or a
random one with a number of nodes and a fraction of their pairs as edges.\
"""
_FAMILIES = (
    _family("queens", "Generate the problem of n queens.", SIZE._replace(default=8, most=500), is_random=False),
    _family(
        "pigeonhole",
        "Generate the problem of the pigeonhole principle.",
        Parameter("pigeons", "Number of pigeons, which are in different holes.", default=6, least=1, most=1000),
        Parameter("holes", "Number of holes; by default one less than pigeons.", least=1, most=1000),
        is_random=False,
    ),
    _family("magic", "Generate the problem of a magic square.", SIZE._replace(default=3, most=10), is_random=False),
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
        SIZE._replace(default=30),
        Parameter("holes", "Number of holes; by default 0.42 of the cells, where the hardest are.", most=1 << 16),
        Parameter("balanced", "Make the same number of holes in each row and column, or one more.", bool, False),
        details="Squares up to 36x36 are drawn almost uniformly (Jacobson and Matthews).",
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
PROBLEM_KINDS = (*KINDS, *(family.name for family in _FAMILIES))
"""The names of all kinds of problem that can be generated: puzzles, and families of instances."""


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
    family = next((family for family in _FAMILIES if family.name == name), None)
    if family is None and name not in KINDS:
        hint = near_word_hint(name, PROBLEM_KINDS) or ", ".join(PROBLEM_KINDS)
        raise F2cspError(f"there is nothing called {name!r} to generate; {hint}")
    return family or _puzzle(name)


def drawn(kind: ProblemKind, draws: "Draws", options: Mapping[str, Any]) -> "Problem | Puzzle":
    """Generate a puzzle, or another problem, by the next draws."""
    used = checked_options(kind, options)
    content: Problem | Puzzle
    if kind.name in KINDS:
        record = puzzle_kind(kind.name)
        make = getattr(import_module("f2csp.generation.puzzles_to_order"), record.generator.maker)
        content = make(record.puzzle, draws, default_fill=record.generator.fill, **used)
    else:
        content = getattr(import_module("f2csp.generation.families"), kind.name.replace("-", "_"))(draws, **used)
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
    given = {name: known[name].checked(value) for name, value in options.items() if value is not None}
    return {name: parameter.default for name, parameter in known.items()} | given
