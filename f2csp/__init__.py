"""F2CSP: finite constraint satisfaction problems written out as tables.

    >>> import f2csp
    >>> b = f2csp.ProblemBuilder("Map of two countries")
    >>> b.domain("colour", ["red", "green", "blue"])
    >>> b.variable("France", "colour")
    >>> b.variable("Spain", "colour")
    >>> b.all_different(["France", "Spain"])
    >>> problem = b.build()
    >>> problem.constraints["C1"]
    Constraint('C1': France Spain Reject 3 tuples)
    >>> f2csp.count(problem, seconds=60)
    <Count: 6>

Make and change problems   ProblemBuilder, Problem
Files in any format        read, write, formats
F2CSP                      load, loads, dump, dumps, validate, examine, parse
Other formats by name      import_, export
Puzzles                    puzzle, puzzles, to_problem, board, svg_board, generate
Solve                      solve, unique, check, engines
Why there is no solution   explain, explanations, relaxations
All solutions              count, sample, marginals, essentially_different
Steps of people            hint, hints, rate
Look inside                stats, structure, symmetry, svg_graph
Solutions in files         load_solutions, loads_solutions, dump_solutions, dumps_solutions
Errors                     F2cspError: InvalidInput, ProblemError, Unsuitable, MissingExtra, BeyondBudget

``help(f2csp.solve)`` and the like have the details, docs/python.md is a tour. Names are imported at their first use.
"""

import sys
from types import ModuleType

TYPE_CHECKING = False  # typing is not imported: it is a third of the start of a program
if TYPE_CHECKING:  # for type checkers and editors; at run time, the table below serves
    from typing import Any

    from f2csp.counting.budget import BeyondBudget as BeyondBudget
    from f2csp.diagnostics import (
        Diagnostic as Diagnostic,
        Excerpt as Excerpt,
        F2cspError as F2cspError,
        InvalidInput as InvalidInput,
        MissingExtra as MissingExtra,
        ProblemError as ProblemError,
        Span as Span,
        Unsuitable as Unsuitable,
    )
    from f2csp.file_formats import FormatInfo as FormatInfo, formats as formats
    from f2csp.formats.foreign import export as export, import_ as import_
    from f2csp.generation.kinds import generate as generate
    from f2csp.instances import puzzle as puzzle, puzzles as puzzles, read as read, write as write
    from f2csp.model import (
        Check as Check,
        Constraint as Constraint,
        ConstraintBlock as ConstraintBlock,
        Domain as Domain,
        Problem as Problem,
        ProblemBuilder as ProblemBuilder,
        ProblemStream as ProblemStream,
        Relation as Relation,
        Variable as Variable,
        Violation as Violation,
        check as check,
    )
    from f2csp.puzzles.puzzle import Cell as Cell, Clue as Clue, Puzzle as Puzzle
    from f2csp.puzzles.to_problem import to_problem as to_problem
    from f2csp.reasoning.hints import Hint as Hint, Rating as Rating, hint as hint, hints as hints, rate as rate
    from f2csp.rendering.graph_picture import svg_graph as svg_graph
    from f2csp.rendering.svg_board import svg_board as svg_board
    from f2csp.rendering.text_board import board as board
    from f2csp.solutions import (
        Solution as Solution,
        dump_solutions as dump_solutions,
        dumps_solutions as dumps_solutions,
        load_solutions as load_solutions,
        loads_solutions as loads_solutions,
    )
    from f2csp.solving.counts import (
        Count as Count,
        Marginals as Marginals,
        count as count,
        marginals as marginals,
        sample as sample,
    )
    from f2csp.solving.explanation import (
        Explanation as Explanation,
        Group as Group,
        explain as explain,
        explanations as explanations,
        relaxations as relaxations,
    )
    from f2csp.solving.questions import Uniqueness as Uniqueness, Verdict as Verdict, solve as solve, unique as unique
    from f2csp.solving.registry import Engine as Engine, EngineOption as EngineOption, engines as engines
    from f2csp.solving.search_run import (
        Limits as Limits,
        Result as Result,
        Statistics as Statistics,
        Status as Status,
    )
    from f2csp.solving.up_to_symmetry import (
        EssentiallyDifferent as EssentiallyDifferent,
        essentially_different as essentially_different,
    )
    from f2csp.statistics import Spread as Spread, Stats as Stats, stats as stats
    from f2csp.structure import ConstraintKind as ConstraintKind, Structure as Structure, structure as structure
    from f2csp.symmetry import Symmetry as Symmetry, symmetry as symmetry
    from f2csp.text.examination import Examination as Examination, TextSpan as TextSpan, examine as examine
    from f2csp.text.load import (
        Report as Report,
        load as load,
        loads as loads,
        parse as parse,
        validate as validate,
    )
    from f2csp.text.writer import dump as dump, dumps as dumps

__version__ = "0.1.0"

_MODULES = {
    "f2csp.counting.budget": "BeyondBudget",
    "f2csp.diagnostics": "Diagnostic Excerpt F2cspError InvalidInput MissingExtra ProblemError Span Unsuitable",
    "f2csp.file_formats": "FormatInfo formats",
    "f2csp.formats.foreign": "export import_",
    "f2csp.generation.kinds": "generate",
    "f2csp.instances": "puzzle puzzles read write",
    "f2csp.model": "Check Constraint Domain Problem ProblemBuilder Relation Variable Violation check",
    "f2csp.model.stream": "ConstraintBlock ProblemStream",
    "f2csp.puzzles.puzzle": "Cell Clue Puzzle",
    "f2csp.puzzles.to_problem": "to_problem",
    "f2csp.reasoning.hints": "Hint Rating hint hints rate",
    "f2csp.rendering.graph_picture": "svg_graph",
    "f2csp.rendering.svg_board": "svg_board",
    "f2csp.rendering.text_board": "board",
    "f2csp.solutions": "Solution dump_solutions dumps_solutions load_solutions loads_solutions",
    "f2csp.solving.counts": "Count Marginals count marginals sample",
    "f2csp.solving.explanation": "Explanation Group explain explanations relaxations",
    "f2csp.solving.questions": "Uniqueness Verdict solve unique",
    "f2csp.solving.registry": "Engine EngineOption engines",
    "f2csp.solving.search_run": "Limits Result Statistics Status",
    "f2csp.solving.up_to_symmetry": "EssentiallyDifferent essentially_different",
    "f2csp.statistics": "Spread Stats stats",
    "f2csp.structure": "ConstraintKind Structure structure",
    "f2csp.symmetry": "Symmetry symmetry",
    "f2csp.text.examination": "Examination TextSpan examine",
    "f2csp.text.load": "Report load loads parse validate",
    "f2csp.text.writer": "dump dumps",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


class _Package(ModuleType):
    """The package: imports public names on first use, and keeps them where a subpackage has the same name."""

    def __getattr__(self, name: str) -> "Any":
        if name == "__all__" and not _is_for_help():
            return sorted(_MODULE_OF)
        if name not in _MODULE_OF:
            raise AttributeError(f"module 'f2csp' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(_MODULE_OF[name]), name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _MODULE_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted([*_MODULE_OF, *(name for name in vars(self) if name.startswith("__"))])


def _is_for_help() -> bool:
    """Whether pydoc asks for the public names, of which it would document everything on one page."""
    from inspect import currentframe

    frame = currentframe()
    caller = frame and frame.f_back and frame.f_back.f_back
    return caller is not None and caller.f_globals.get("__name__") == "pydoc"


sys.modules[__name__].__class__ = _Package
