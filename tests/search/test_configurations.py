"""All configurations of the searches, against all solutions by the definition."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from f2csp.diagnostics import F2cspError
from f2csp.model import Problem
from f2csp.search import Configuration
from f2csp.solving.registry import named_engine
from tests.search.textbook import searched
from tests.small import small_problems
from tests.solving.test_engines import Question, check_answer, questions
from tests.strategies import examples

VALUES = {option.name: option.values for option in named_engine("search").options}
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


@given(small_problems(), configurations())
@examples(50)
def test_counters_are_the_same_each_time(problem: Problem, options: dict[str, str]) -> None:
    chosen = {name.replace("-", "_"): value for name, value in options.items()}
    once, again = (searched(problem, **chosen) for _ in range(2))
    assert once == again
    counters, _ = once
    assert counters.nodes == counters.assignments + 1
    assert counters.values_tried == counters.assignments + counters.failures
