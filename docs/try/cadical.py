"""What the program uses of python-sat, which has no wheel for this runtime: CaDiCaL from npm, in WebAssembly."""

from collections.abc import Mapping, Sequence
from typing import Any

from cadical import Cadical, module  # of JavaScript: worker.js registers them
from pyodide.ffi import to_js


class Cadical195:
    """The solver, by the name that python-sat has for it; its version is newer."""

    def __init__(self) -> None:
        self._solver = Cadical.new(module)
        self._added: list[int] = []  # literals that the solver does not have yet; a clause ends with 0
        self._budget = 0

    def __del__(self) -> None:
        self._solver.dispose()

    def configure(self, options: Mapping[str, int]) -> None:
        self._solver.dispose()
        self._solver = Cadical.new(module, **options)

    def add_clause(self, clause: Sequence[int]) -> None:
        self._added += clause
        self._added.append(0)

    def conf_budget(self, budget: int) -> None:
        self._budget = budget

    def solve_limited(self, assumptions: Sequence[int] = ()) -> bool | None:
        self._solver.addDimacs(" ".join(map(str, self._added)))  # one call into JavaScript, not one for each literal
        self._added.clear()
        status = self._solver.solve(assumptions=to_js([*map(int, assumptions)]), conflicts=self._budget)
        return {"satisfiable": True, "unsatisfiable": False}.get(status)

    def get_model(self) -> list[int]:
        values = enumerate(self._solver.model().to_py())
        return [variable if is_true else -variable for variable, is_true in values][1:]

    def get_core(self) -> list[int]:
        core: list[int] = self._solver.failedAssumptions().to_py()
        return core

    def accum_stats(self) -> dict[str, Any]:  # the solver has no function for them
        return dict.fromkeys(("decisions", "conflicts", "propagations"))
