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

if TYPE_CHECKING:  # for type checkers and editors; at run time, the table below serves
    from f2csp.diagnostics import (
        Diagnostic as Diagnostic,
        F2cspError as F2cspError,
        InvalidInput as InvalidInput,
        ProblemError as ProblemError,
    )
    from f2csp.formats.foreign import export as export, import_ as import_
    from f2csp.model import (
        Check as Check,
        Problem as Problem,
        ProblemBuilder as ProblemBuilder,
        ProblemStream as ProblemStream,
        Relation as Relation,
        Violation as Violation,
        check as check,
    )
    from f2csp.solutions import (
        dump_solutions as dump_solutions,
        dumps_solutions as dumps_solutions,
        load_solutions as load_solutions,
        loads_solutions as loads_solutions,
    )
    from f2csp.solving import Limits as Limits, Result as Result, Status as Status, solve as solve
    from f2csp.solving.explanation import Explanation as Explanation, explain as explain
    from f2csp.solving.questions import (
        Count as Count,
        Uniqueness as Uniqueness,
        Verdict as Verdict,
        count as count,
        unique as unique,
    )
    from f2csp.statistics import Stats as Stats, stats as stats
    from f2csp.text.load import Report as Report, load as load, loads as loads, validate as validate
    from f2csp.text.writer import dump as dump, dumps as dumps

__version__ = "0.1.0"

_MODULES = {
    "f2csp.diagnostics": "Diagnostic F2cspError InvalidInput ProblemError",
    "f2csp.formats.foreign": "export import_",
    "f2csp.model": "Check Problem ProblemBuilder ProblemStream Relation Violation check",
    "f2csp.solutions": "dump_solutions dumps_solutions load_solutions loads_solutions",
    "f2csp.solving": "Limits Result Status solve",
    "f2csp.solving.explanation": "Explanation explain",
    "f2csp.solving.questions": "Count Uniqueness Verdict count unique",
    "f2csp.statistics": "Stats stats",
    "f2csp.text.load": "Report load loads validate",
    "f2csp.text.writer": "dump dumps",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'f2csp' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
