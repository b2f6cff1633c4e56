"""The constraint graph: the primal graph; two variables are adjacent when some scope contains both."""

from typing import TYPE_CHECKING

import numpy as np

from f2csp.arrays import by_value
from f2csp.diagnostics import MissingExtra
from f2csp.model.problem import Offsets, Problem

if TYPE_CHECKING:
    import networkx


def constraint_graph_edges(problem: Problem) -> Offsets:
    """The edges, each once, ascending, as ``smaller * n_variables + greater``."""
    pairs = [np.empty(0, dtype=np.int64)]
    for arity, constraints in by_value(np.diff(problem.scope_offsets)):
        scopes = problem.scopes_of(constraints)
        for one, other in ((scopes[:, :-d], scopes[:, d:]) for d in range(1, arity)):
            keys = np.minimum(one, other).astype(np.int64)
            keys *= problem.n_variables
            keys += np.maximum(one, other)
            pairs.append(keys.ravel())
    keys = np.concatenate(pairs)
    keys.sort()
    is_first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return keys[is_first]


def constraint_graph(problem: Problem) -> "networkx.Graph":
    """The constraint graph in networkx, its nodes the names of the variables, each with its ``domain``."""
    try:
        import networkx
    except ImportError:
        raise MissingExtra("to_networkx()", "data") from None
    names, n = problem.variable_names, problem.n_variables
    graph = networkx.Graph(name=problem.title)
    for name, domain in zip(names, problem.variable_domains.tolist(), strict=True):
        graph.add_node(name, domain=problem.domain_names[domain])
    graph.add_edges_from((names[key // n], names[key % n]) for key in constraint_graph_edges(problem).tolist())
    return graph
