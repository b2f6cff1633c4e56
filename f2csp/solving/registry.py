"""The engines by name. One more is one file in ``engines/`` and one line here."""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from f2csp.diagnostics import F2cspError, MissingExtra
from f2csp.solving.result import Statistics, Status
from f2csp.solving.task import Task


class EngineModule(Protocol):
    """What the file of an engine holds."""

    def search(self, task: Task, times: dict[str, float]) -> tuple[Status, bool, Statistics]:
        """Look for the solutions of a task and give them to it.

        Args:
            task: the problem and its limits; takes the solutions, and says when there are enough.
            times: takes the seconds of the stages ``build`` and ``search``.

        Returns:
            Whether the problem has solutions, whether there are no others than those given, and what it took. An engine
            that stops early, by its limits or by an interrupt, says ``unknown`` or what it found.
        """


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that may be installed.

    Attributes:
        name: what users call it.
        summary: what it is, in a line.
        module: its file in ``engines/``.
        package: the package that it needs, if any.
        extra: the extra that installs the package.
    """

    name: str
    summary: str
    module: str
    package: str | None = None
    extra: str | None = None

    @property
    def is_installed(self) -> bool:
        """Whether it can be used."""
        return self.package is None or find_spec(self.package) is not None

    def load(self) -> EngineModule:
        """Import its file.

        Raises:
            MissingExtra: its package is not installed.
        """
        if not self.is_installed:
            raise MissingExtra(f"the engine {self.name}", self.extra or "solve")
        return cast("EngineModule", import_module(f"f2csp.solving.engines.{self.module}"))


ENGINES = (
    Engine("cpsat", "OR-Tools CP-SAT: lazy clause generation, many workers", "cpsat", "ortools", "solve"),
    Engine("sat", "CaDiCaL, a SAT solver, on a translation to clauses", "sat", "pysat", "solve"),
)

DEFAULT_ENGINE = "cpsat"


def named_engine(name: str) -> Engine:
    """The engine of this name.

    Raises:
        F2cspError: there is none.
    """
    for one in ENGINES:
        if one.name == name:
            return one
    raise F2cspError(f"there is no engine {name!r}; the engines are {', '.join(one.name for one in ENGINES)}")
