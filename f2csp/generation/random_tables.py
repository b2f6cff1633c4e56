"""Random problems with tables of a fixed tightness: models B and RB. With a planted solution, no table rejects it."""

from collections.abc import Sequence
from itertools import combinations
from math import exp, log

from f2csp.diagnostics import F2cspError
from f2csp.generation.draws import Draws, rounded
from f2csp.model import Problem, ProblemBuilder

_MAX_TUPLES = 1 << 24  # of values for one scope, and in all tables


def model_b(
    draws: Draws, *, variables: int, domain: int, density: float, tightness: float, satisfiable: bool
) -> Problem:
    """Model B: exact fractions of the pairs of variables and of the pairs of values, without repetition.

    Source:
        I. P. Gent and others, "Random constraint satisfaction: flaws and structure", 2001.
    """
    pairs = list(combinations(range(variables), 2))
    scopes = [pairs[i] for i in draws.sample(len(pairs), rounded(density * len(pairs)))]
    title = f"Model B: {variables} variables, {domain} values, density {density:g}, tightness {tightness:g}"
    return _problem(title, draws, variables, domain, scopes, tightness, satisfiable)


def model_rb(
    draws: Draws,
    *,
    variables: int,
    arity: int,
    alpha: float,
    ratio: float,
    tightness: float | None,
    satisfiable: bool,
) -> Problem:
    """Model RB: n ** alpha values, and r n ln n constraints, scopes with repetition; by default at its threshold.

    Source:
        K. Xu and W. Li, "Exact phase transitions in random constraint satisfaction problems", 2000.
    """
    if arity > variables:
        raise F2cspError(f"expected at least {arity} variables for constraints of arity {arity}, found {variables}")
    domain = rounded(variables**alpha)
    p = 1 - exp(-alpha / ratio) if tightness is None else tightness
    n_constraints = rounded(ratio * variables * log(variables))
    scopes = [draws.sample(variables, arity) for _ in range(n_constraints)]
    title = f"Model RB: {variables} variables, arity {arity}, alpha {alpha:g}, r {ratio:g}, tightness {p:.4g}"
    return _problem(title, draws, variables, domain, scopes, p, satisfiable)


def _problem(
    title: str,
    draws: Draws,
    n_variables: int,
    n_values: int,
    scopes: Sequence[Sequence[int]],
    tightness: float,
    satisfiable: bool,
) -> Problem:
    """The problem with a table of its own for each scope."""
    n_tuples = max((n_values ** len(scope) for scope in scopes), default=0)
    n_rejected = rounded(tightness * n_tuples)
    if max(n_tuples, n_rejected * len(scopes)) > _MAX_TUPLES:
        raise F2cspError(f"the tables would have {n_rejected * len(scopes):,} tuples of {n_tuples:,}; try fewer values")
    if satisfiable and n_rejected == n_tuples and scopes:
        raise F2cspError("tables that reject all tuples leave no solution: expected a smaller tightness")
    planted = [draws.below(n_values) for _ in range(n_variables)] if satisfiable else None
    b = ProblemBuilder(title)
    b.domain("D1", range(1, n_values + 1))
    for i in range(1, n_variables + 1):
        b.variable(f"X{i}", "D1")
    for scope in scopes:
        ranks = draws.sample(n_tuples - (planted is not None), n_rejected)
        if planted is not None:
            spared = sum(planted[v] * n_values**i for i, v in enumerate(reversed(scope)))
            ranks = [rank + (rank >= spared) for rank in ranks]
        places = [n_values**i for i in range(len(scope))][::-1]
        tuples = [[rank // place % n_values + 1 for place in places] for rank in ranks]
        b.reject([f"X{v + 1}" for v in scope], tuples)
    return b.build()
