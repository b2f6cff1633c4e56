"""Traces: replayed by a checker that derives each step from the tables alone, and without influence on the search."""

from collections.abc import Iterable
from itertools import product

from hypothesis import given

from f2csp.model import Constraint, Problem, Value
from f2csp.search import Configuration, Search, Trace, TraceStep, network_of
from tests.search.test_configurations import configurations
from tests.search.textbook import searched
from tests.small import small_problems, solutions
from tests.strategies import examples

Domains = dict[str, set[Value]]


def replay(problem: Problem, steps: Iterable[TraceStep]) -> tuple[dict[int, Domains], set[int]]:
    """Check each step of a trace; the domains at each node, and the nodes with a wipeout or a solution."""
    constraints = {constraint.label: constraint for constraint in problem.constraints}
    nodes: dict[int, Domains] = {0: {one.name: set(one.domain.values) for one in problem.variables}}
    assigned: dict[int, tuple[int, str, list[Value]]] = {}
    ends = set()
    for step in steps:
        name = step.get("variable", "")
        if step["event"] == "assign":
            nodes[step["node"]] = here = {**nodes[step["parent"]]}
            assert step["value"] in here[name]
            here[name] = {step["value"]}
            assigned[step["node"]] = (step["parent"], name, [step["value"]])
            continue
        here = nodes[step["node"]]
        if step["event"] == "prune":
            reasons = [constraints[label] for label in step["constraints"]]
            assert here[name] >= set(step["values"]) > set()
            if reasons:
                assert not any(has_support(name, value, here, reasons) for value in step["values"])
            else:
                assert assigned[step["failed"]] == (step["node"], name, step["values"])
                assert step["failed"] in ends
            here[name] = here[name] - set(step["values"])
        elif step["event"] == "wipeout":
            assert not here[name]
            ends.add(step["node"])
        elif step["event"] == "solution":
            point = {one: {value} for one, value in step["solution"].items()}
            assert all(here[one] >= values for one, values in point.items())
            for one in problem.constraints:
                assert has_support(one.scope[0], step["solution"][one.scope[0]], point, [one])
            ends.add(step["node"])
        else:
            assert step["event"] == "backtrack"
    return nodes, ends


def has_support(name: str, value: Value, domains: Domains, constraints: list[Constraint]) -> bool:
    """Whether constraints on one scope allow a value with some values of the other variables."""
    scope = constraints[0].scope
    tables = [(one.kind, [scope.index(member) for member in one.scope], set(one.tuples)) for one in constraints]
    return any(
        all((tuple(row[i] for i in order) in rows) == (kind == "Accept") for kind, order, rows in tables)
        for row in product(*[{value} if one == name else domains[one] for one in scope])
    )


def traced(problem: Problem, options: dict[str, str]) -> tuple[list[TraceStep], Search, int]:
    """The steps of a search for all solutions, the search, and the number of solutions."""
    network, steps = network_of(problem), list[TraceStep]()
    chosen = Configuration(**{name.replace("-", "_"): value for name, value in options.items()})
    trace = Trace(problem, network, steps.append)
    search = Search(network, range(problem.n_variables), chosen, lambda: False, trace=trace)
    return steps, search, sum(1 for _ in search.solutions())


@given(small_problems(), configurations())
@examples(400)
def test_each_step_follows_from_the_tables(problem: Problem, options: dict[str, str]) -> None:
    steps, _, n_found = traced(problem, options)
    replay(problem, steps)
    found = [step["solution"] for step in steps if step["event"] == "solution"]
    assert len(found) == n_found
    assert sorted(map(str, found)) == sorted(map(str, solutions(problem)))


@given(small_problems(), configurations())
@examples(100)
def test_all_values_of_a_variable_are_tried_at_each_node_without_a_wipeout_or_a_solution(
    problem: Problem, options: dict[str, str]
) -> None:
    stepwise = {"backtracking": "chronological", "restarts": "none", "preprocess": "ac3"}
    steps, _, _ = traced(problem, options | stepwise)
    nodes, ends = replay(problem, steps)
    tried: dict[tuple[int, str], set[Value]] = {}
    for step in steps:
        if step["event"] == "assign":
            tried.setdefault((step["parent"], step["variable"]), set()).add(step["value"])
    for node in nodes.keys() - ends:
        assert any(tried.get((node, name), set()) == domain for name, domain in nodes[node].items())


@given(small_problems(), configurations())
@examples(200)
def test_a_trace_changes_no_counter(problem: Problem, options: dict[str, str]) -> None:
    _, search, n_found = traced(problem, options)
    chosen = {name.replace("-", "_"): value for name, value in options.items()}
    assert (search.counters, n_found) == searched(problem, **chosen)
