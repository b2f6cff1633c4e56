"""The engines by name. Another one is one file in ``engines/`` and one line here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Protocol, cast

from f2csp.diagnostics import F2cspError, MissingExtra, near_word_hint
from f2csp.model.linear_sums import MAX_WEIGHT
from f2csp.search import DEFINITIONS
from f2csp.solving.search_run import SearchRun, Statistics
from f2csp.structure import raw_model, recover, with_sums
from f2csp.symmetry import SymmetryGroup, without_symmetries

_MAX_WEIGHT_OF_FLOATS = 1 << 20  # times a variable that is nearly 0, it is still less than a half


class EngineModule(Protocol):
    """The content of an engine's file."""

    def search(self, run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
        """Search for solutions and add them to the run, which knows when there are enough.

        Returns:
            Whether the search was exhaustive, and its statistics. ``times`` receives the seconds of the stages
            ``build`` and ``search``.
        """


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option of an engine; the first value is the default."""

    name: str
    values: tuple[str, ...]
    summary: str
    is_number: bool = False  # whether it may also be a number

    def accepts(self, value: str) -> bool:
        """Whether this is a value of the option."""
        return value in self.values or (self.is_number and value.isascii() and value.isdigit())

    @property
    def spelling(self) -> str:
        """The values as in a usage line."""
        return "|".join((*self.values, "N") if self.is_number else self.values)


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that may be installed: its file in ``engines/``, and the package that it needs, if any."""

    name: str
    summary: str
    package: str | None = None
    extra: str = "solve"  # installs the package
    options: tuple[EngineOption, ...] = ()
    uses_structure: bool = True  # whether what the tables say helps it
    breaks: SymmetryGroup | None = None  # the symmetries that it need not see, unless it finds them itself
    max_weight: int = 0  # the largest weight in a sum of its own, if it has such
    counters: Mapping[str, str] = field(default_factory=dict)  # what its statistics count
    has_trace: bool = False  # whether it reports its steps
    has_processes: bool = False  # whether it searches in processes of its own

    @property
    def is_installed(self) -> bool:
        """Whether it can be used."""
        return self.package is None or find_spec(self.package) is not None

    def require(self, purpose: str) -> None:
        """Raise MissingExtra if it cannot be used for this purpose."""
        if not self.is_installed:
            raise MissingExtra(purpose, self.extra)

    def load(self, purpose: str | None = None) -> EngineModule:
        """Import its file; ``purpose``, by default the engine, is what the message about a missing extra names."""
        self.require(purpose or f"the engine {self.name}")
        return cast("EngineModule", import_module(f"f2csp.solving.engines.{self.name}"))

    def search(self, run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
        """Search as its file does, on the structure that it uses."""
        module = self.load()
        start = perf_counter()
        problem = run.problem
        # What counts or shows every assignment does so as textbooks, and shuffled values are to find any solution.
        keeps = run.trace is not None or run.options.get("counted", "choices") != "choices"
        keeps = keeps or run.options.get("value-order") == "random"
        if self.breaks and run.use_structure and run.n_wanted == 1 and not keeps:
            problem = without_symmetries(problem, self.breaks)
        run.model = recover(problem) if run.use_structure and self.uses_structure else raw_model(problem)
        if run.use_structure and self.max_weight:
            run.model = with_sums(run.model, run.projection, self.max_weight)
        times["structure"] = perf_counter() - start
        return (True, Statistics()) if run.model.is_contradictory else module.search(run, times)


_SEARCH_OPTIONS = (
    EngineOption(
        "inference", ("mac", "fc", "none"), "maintain (generalised) arc consistency, or forward checking, or neither"
    ),
    EngineOption(
        "variable-order",
        ("dom/wdeg", "mrv", "mrv+degree", "static", "name", "row", "column"),
        "the next variable: by values left and weight or degree of its constraints, or in a fixed order",
    ),
    EngineOption(
        "value-order",
        ("static", "lcv", "random", "recent"),
        "values in order, least constraining first, shuffled, or the one tried last first",
    ),
    EngineOption("backtracking", ("chronological", "cbj"), "one step back, or conflict-directed backjumping"),
    EngineOption(
        "strategy", ("backtracking", "bfs", "dfs", "greedy", "astar"), "backtracking, or a state-space search"
    ),
    EngineOption("preprocess", ("none", "ac3", "ac2001", "sac"), "consistency before the search"),
    EngineOption("restarts", ("none", "luby"), "restart after numbers of failures, until a solution is found"),
    EngineOption(
        "counted",
        ("choices", "open", "all"),
        "variables counted: with several values when chosen (then values that can be swapped are tried once), or at "
        "first, or all",
    ),
    EngineOption("node-limit", ("none",), "stop after this number of nodes", is_number=True),
)

ENGINES = (
    Engine(
        "auto",
        "a short search, then the engines that are installed side by side",
        options=(EngineOption("deterministic", ("no", "yes"), "find the same solution each time, by one engine"),),
        has_processes=True,
    ),
    Engine(
        "cpsat",
        "OR-Tools CP-SAT: lazy clause generation, many workers",
        "ortools",
        breaks=SymmetryGroup.VALUES,  # those of variables it finds itself, but for further constraints
        max_weight=MAX_WEIGHT,
    ),
    Engine(
        "sat",
        "CaDiCaL, a SAT solver, on a translation to clauses",
        "pysat",
        breaks=SymmetryGroup.ALL,
        options=(EngineOption("encoding", ("order", "support", "direct"), "the clauses of tables and comparisons"),),
    ),
    Engine(
        "search",
        "textbook searches, with exact counters",
        options=_SEARCH_OPTIONS,
        uses_structure=False,
        breaks=SymmetryGroup.VALUES,
        counters=DEFINITIONS,
        has_trace=True,
    ),
    Engine("z3", "Z3, an SMT solver: arithmetic and tables as formulas", "z3", extra="smt", max_weight=MAX_WEIGHT),
    Engine(
        "milp",
        "HiGHS, SCIP, CP-SAT or BOP, solvers of linear constraints, on a 0/1 model",
        "ortools",
        options=(
            EngineOption("model", ("cube", "pairs"), "rows for cliques that must differ, or for pairs"),
            EngineOption("solver", ("highs", "scip", "cpsat", "bop"), "the solver, of those in OR-Tools"),
        ),
        max_weight=_MAX_WEIGHT_OF_FLOATS,
    ),
)
"""All engines, the default first."""

_JUMPS = ",backtracking=cbj"
_TEXTBOOK = {"bt": "none", "cbj": f"none{_JUMPS}", "fc": "fc", "fc-cbj": f"fc{_JUMPS}", "mac": "mac"}
TEXTBOOK = {name: f"search:inference={kind},variable-order=name,counted=all" for name, kind in _TEXTBOOK.items()}
"""Searches by their names in textbooks: the engine and the options with which counters are as published."""

GANAK = Engine("ganak", "Ganak, a model counter: it counts solutions and finds none", "pyganak", "count")


def engines() -> tuple[Engine, ...]:
    """All engines: their names, whether they are installed, and their options.

    Example:
        >>> [engine.name for engine in engines()]
        ['auto', 'cpsat', 'sat', 'search', 'z3', 'milp']
    """
    return ENGINES


def named_engine(name: str | None) -> Engine:
    """The engine of this name; without a name, the default."""
    if name is None:
        return ENGINES[0]
    by_name = {engine.name: engine for engine in ENGINES}
    if name not in by_name:
        expected = near_word_hint(name, by_name) or f"the engines are {', '.join(by_name)}"
        raise F2cspError(f"there is no engine {name!r}; {expected}")
    return by_name[name]


def with_options(engine: str | None, options: Mapping[str, str]) -> str:
    """An engine with further options, as ``NAME:OPTION=VALUE,...``; without a name, the first installed that has them.

    Example:
        >>> with_options(None, {"inference": "fc"}), with_options("sat:encoding=order", {"encoding": "direct"})
        ('search:inference=fc', 'sat:encoding=order,encoding=direct')
    """
    if engine is None:
        able = (e.name for e in ENGINES if e.is_installed and set(options) <= {option.name for option in e.options})
        engine = next(able, named_engine(None).name)
    settings = ",".join(f"{option}={value}" for option, value in options.items())
    return f"{engine}{',' if ':' in engine else ':'}{settings}"


def engine_and_options(text: str | None) -> tuple[Engine, dict[str, str]]:
    """The engine and the options of ``NAME:OPTION=VALUE,...``, with the defaults of the other options."""
    if text is not None and not isinstance(text, str):
        raise TypeError(f"expected the name of an engine, found {text!r}")
    name, _, settings = (text or "").partition(":")
    engine = named_engine(name or None)
    known = {option.name: option for option in engine.options}
    chosen = {option.name: option.values[0] for option in engine.options}
    for setting in settings.split(",") if settings else ():
        option, _, value = setting.partition("=")
        if option not in known or not known[option].accepts(value):
            valid, hint = [f"{name}={known[name].spelling}" for name in known], near_word_hint(option, known)
            if option in known:
                valid, hint = [f"{option}={value}" for value in known[option].spelling.split("|")], None
            expected = hint or (f"expected {', '.join(valid)}" if valid else "it has none")
            raise F2cspError(f"{setting!r} is not an option of the engine {engine.name}; {expected}")
        chosen[option] = value
    return engine, chosen
