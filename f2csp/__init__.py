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
All solutions              count, sample, marginals, essentially_different, count_essentially_different
Steps of people            hint, hints, rate
Look inside                stats, structure, symmetry, svg_graph
Solutions in files         load_solutions, loads_solutions, dump_solutions, dumps_solutions
Errors                     F2cspError: InvalidInput, ProblemError, Unsuitable, MissingExtra, BeyondBudget

``help(f2csp.solve)`` and the like have the details, docs/python.md is a tour. Names are imported at their first use.
"""

import sys
from types import ModuleType

__version__ = "0.1.0.dev0"

with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as _stub:  # noqa: PTH123 - pathlib takes longer to import
    _MODULE_OF = {line.split()[3]: line.split()[1] for line in _stub if line.startswith("from ")}


class _Package(ModuleType):
    """The package: imports public names on first use, and keeps them where a subpackage has the same name."""

    def __getattr__(self, name: str) -> object:
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
