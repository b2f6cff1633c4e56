"""All configurations of the searches, against all solutions by the definition."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from f2csp.diagnostics import F2cspError
from f2csp.model import Problem
from f2csp.search import DEFINITIONS, Configuration, Counters
from f2csp.solving import solve
from f2csp.solving.registry import named_engine
from tests.search.textbook import colouring, descending, queens, searched
from tests.small import problem_of, small_problems
from tests.solving.test_engines import Question, check_answer, questions
from tests.strategies import examples

VALUES = {option.name: option.values for option in named_engine("search").options}
PLAIN = {"variable_order": "static"}
STATIC = ("static", "name", "row", "column")


def is_possible(options: dict[str, str]) -> bool:
    try:
        Configuration(**{name.replace("-", "_"): value for name, value in options.items()})
    except F2cspError:
        return False
    return True


def configurations() -> SearchStrategy[dict[str, str]]:
    options = {name: st.sampled_from(values) for name, values in VALUES.items() if name != "node-limit"}
    plain = {"inference": ["none"], "variable-order": STATIC, "value-order": ["static", "recent"], "restarts": ["none"]}
    plainly = options | {name: st.sampled_from(some) for name, some in (plain | {"strategy": ["backtracking"]}).items()}
    return (st.fixed_dictionaries(options) | st.fixed_dictionaries(plainly)).filter(is_possible)


@pytest.mark.parametrize("max_bits", [1 << 27, 0], ids=["bitsets", "arrays"])
@given(question=questions(), options=configurations())
@examples(300)
def test_every_configuration_finds_what_brute_force_finds(
    max_bits: int, question: Question, options: dict[str, str]
) -> None:
    engine = "search:" + ",".join(f"{name}={value}" for name, value in options.items())
    with patch("f2csp.search.network._MAX_BITS", max_bits):
        check_answer(engine, question, use_structure=False)


@given(small_problems(), st.sampled_from(STATIC), st.sampled_from(VALUES["counted"]))
def test_more_inference_visits_no_more_nodes(problem: Problem, order: str, counted: str) -> None:
    nodes = [nodes_of(problem, inference, order, counted) for inference in ("mac", "fc", "none")]
    assert nodes == sorted(nodes)


def nodes_of(problem: Problem, inference: str, order: str = "static", counted: str = "choices") -> int:
    counters, _ = searched(problem, inference=inference, variable_order=order, counted=counted)
    return counters.nodes


def test_six_queens_need_fewer_nodes_with_more_inference() -> None:
    assert [nodes_of(queens(6), inference) for inference in ("mac", "fc", "none")] == [13, 67, 153]


@given(small_problems(), configurations())
@examples(50)
def test_counters_are_the_same_each_time(problem: Problem, options: dict[str, str]) -> None:
    chosen = {name.replace("-", "_"): value for name, value in options.items()}
    once, again = (searched(problem, **chosen) for _ in range(2))
    assert once == again
    counters, _ = once
    assert counters.nodes == counters.assignments + 1
    assert counters.values_tried == counters.assignments + counters.failures


def test_backjumping_skips_variables_that_have_nothing_to_do_with_a_failure() -> None:
    different = [(i, i) for i in (1, 2)]
    pairs = [(f"reject {a} {b}", different) for a, b in ("ab", "bc", "ac")]
    problem = problem_of({"D: a x y z b c": (1, 2)}, *pairs)
    for inference in ("none", "fc"):
        jumped, stepped = (
            searched(problem, inference=inference, variable_order="static", backtracking=how)[0].values_tried
            for how in ("cbj", "chronological")
        )
        assert jumped < stepped


@pytest.mark.parametrize("inference", ["none", "fc", "mac"])
def test_a_node_limit_stops_a_search_at_that_number_of_nodes(inference: str) -> None:
    result = solve(queens(8), engine=f"search:inference={inference},node-limit=20", solutions=None)
    assert (result.is_complete, result.statistics.nodes) == (False, 20)


@pytest.mark.parametrize("strategy", ["bfs", "dfs", "greedy", "astar"])
def test_state_space_searches_expand_the_states_that_they_generate(strategy: str) -> None:
    counters, n_found = searched(queens(6), inference="fc", variable_order="static", strategy=strategy, counted="all")
    assert n_found == 4
    assert counters.generated == counters.nodes == nodes_of(queens(6), "fc", counted="all")
    assert counters.expanded == counters.generated - 4  # all but the solutions


def test_arc_consistency_before_a_search_counts_the_pairs_that_it_looks_at() -> None:
    counters = [searched(descending(4), inference="none", preprocess=how, **PLAIN)[0] for how in ("ac3", "ac2001")]
    assert [(one.constraint_checks, one.values_tried) for one in counters] == [(46, 0), (46, 0)]


def test_singleton_arc_consistency_finds_what_arc_consistency_does_not() -> None:
    problem = colouring(2, "a b", "b c", "c a")
    tried = [searched(problem, inference="fc", preprocess=how)[0].values_tried for how in ("ac3", "sac")]
    assert tried[0] > tried[1] == 0


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(F2cspError, match="cbj needs inference=none or inference=fc"):
        Configuration(backtracking="cbj")
    with pytest.raises(F2cspError, match=r"needs variable-order=static.*, value-order=.* and restarts=none"):
        Configuration(inference="none", variable_order="static", backtracking="cbj", restarts="luby")
    with pytest.raises(F2cspError, match="neither jumps back nor restarts"):
        Configuration(strategy="bfs", restarts="luby")


def test_every_counter_is_defined() -> None:
    assert list(DEFINITIONS) == list(Counters.__slots__)
