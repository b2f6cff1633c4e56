"""The values that occur in some solution, by a SAT solver: one call for each that no solution so far has."""

from functools import partial
from time import monotonic

import numpy as np

from f2csp.counting import BeyondBudget
from f2csp.encode import encode
from f2csp.model import Problem, Value
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.registry import named_engine
from f2csp.structure import recover

_BUDGET = 2000  # conflicts between two looks at the clock


def possible_values(problem: Problem, seconds: float | None = None) -> dict[str, tuple[Value, ...]]:
    """The values of each variable that occur in some solution.

    Raises:
        BeyondBudget: the time is over.
        MissingExtra: the SAT solver is not installed.
    """
    named_engine("sat").load("finding the values that occur in solutions")
    from pysat.solvers import Cadical195

    end = None if seconds is None else monotonic() + seconds
    encoding = encode(recover(problem))
    literals = encoding.literals
    is_possible = np.zeros(literals.n_values, dtype=np.bool_)
    with Cadical195() as solver, InterruptibleThread() as thread:
        for block in encoding.cnf.blocks:
            solver.append_formula(block.tolist())
        for value, literal in enumerate(literals.values.tolist()):
            answer = True if is_possible[value] else None
            while answer is None:
                if end is not None and monotonic() > end:
                    raise BeyondBudget("the time is over before it is known which values occur in solutions")
                solver.conf_budget(_BUDGET)
                answer = thread.run(partial(solver.solve_limited, assumptions=[literal]))
                if answer:
                    is_possible |= literals.are_true(solver.get_model())
    ends = zip(literals.starts, literals.starts[1:], problem.variable_names, problem.variables, strict=False)
    return {
        name: tuple([value for value, one in zip(variable.domain.values, is_possible[start:stop], strict=True) if one])
        for start, stop, name, variable in ends
    }
