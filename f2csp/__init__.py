"""F2CSP: finite constraint satisfaction problems written out as tables.

    >>> import f2csp
    >>> b = f2csp.ProblemBuilder("Two cells")
    >>> b.domain("D1", [1, 2])
    >>> b.variable("x", "D1")
    >>> b.variable("y", "D1")
    >>> b.reject(["x", "y"], [(1, 1), (2, 2)])
    >>> problem = b.build()
    >>> f2csp.loads(f2csp.dumps(problem)) == problem
    True

Every name is imported when it is first used, so that ``import f2csp`` costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from f2csp.diagnostics import Diagnostic, F2cspError, InvalidInput, ProblemError
    from f2csp.formats.foreign import export, import_
    from f2csp.model import Problem, ProblemBuilder, ProblemStream, Relation, Violation, check
    from f2csp.solutions import dump_solutions, dumps_solutions, load_solutions, loads_solutions
    from f2csp.solving import Limits, Result, Status, solve
    from f2csp.solving.questions import count, unique
    from f2csp.statistics import Stats, stats
    from f2csp.text.load import Report, load, loads, validate
    from f2csp.text.writer import dump, dumps

__version__ = "0.1.0"

_HOMES = {
    "f2csp.diagnostics": ("Diagnostic", "F2cspError", "InvalidInput", "ProblemError"),
    "f2csp.model": ("Problem", "ProblemBuilder", "ProblemStream", "Relation", "Violation", "check"),
    "f2csp.formats.foreign": ("export", "import_"),
    "f2csp.solving": ("Limits", "Result", "Status", "solve"),
    "f2csp.solving.questions": ("count", "unique"),
    "f2csp.statistics": ("Stats", "stats"),
    "f2csp.solutions": ("dump_solutions", "dumps_solutions", "load_solutions", "loads_solutions"),
    "f2csp.text.writer": ("dump", "dumps"),
    "f2csp.text.load": ("Report", "load", "loads", "validate"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Diagnostic",
    "F2cspError",
    "InvalidInput",
    "Limits",
    "Problem",
    "ProblemBuilder",
    "ProblemError",
    "ProblemStream",
    "Relation",
    "Report",
    "Result",
    "Stats",
    "Status",
    "Violation",
    "check",
    "count",
    "dump",
    "dump_solutions",
    "dumps",
    "dumps_solutions",
    "export",
    "import_",
    "load",
    "load_solutions",
    "loads",
    "loads_solutions",
    "solve",
    "stats",
    "unique",
    "validate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'f2csp' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
