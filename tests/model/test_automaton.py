"""Chains of tables accept what the automaton accepts, with one assignment of the state variables for each word."""

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from f2csp.model.automaton import Chain, partial_sums, stepwise, unfolded
from tests.strategies import examples


def chain(
    alphabets: Sequence[Sequence[int]],
    start: int,
    step: Callable[[int, int, int], int | None],
    is_accepted: Callable[[int], bool],
    *,
    keeps_last: bool = False,
) -> Chain:
    """The chain of an automaton that is given by its steps: ``step(position, state, value)``."""

    inputs = [(np.array(alphabet), np.array(alphabet)) for alphabet in alphabets]
    found, _ = unfolded(inputs, start, *stepwise(step, is_accepted), keeps_last=keeps_last)
    assert found is not None
    return found


def words_of(found: Chain, alphabets: list[list[int]]) -> list[tuple[int, ...]]:
    """The words that the tables accept, once for each assignment of the state variables."""
    scopes = found.scopes(range(found.length), range(found.length, found.length + len(found.states)))
    return [
        values[: found.length]
        for values in product(*alphabets, *found.states)
        if all(
            [values[variable] for variable in scope] in table.tolist()
            for scope, table in zip(scopes, found.tables, strict=True)
        )
    ]


@examples(60)
@given(
    values=st.lists(st.integers(-2, 4), min_size=1, max_size=4, unique=True),
    bounds=st.lists(st.tuples(st.integers(-4, 6), st.integers(0, 12)), min_size=1, max_size=4),
    keeps_last=st.booleans(),
)
def test_random_sums(values: list[int], bounds: list[tuple[int, int]], keeps_last: bool) -> None:
    found = partial_sums(values, bounds, keeps_last=keeps_last)
    every = list(product(values, repeat=len(bounds)))
    expected = [word for word in every if all(low <= sum(word[:n]) <= high for n, (low, high) in enumerate(bounds, 1))]
    ranges = [(n, low, high) for n, ((low, high),) in found.ranges]
    assert [word for word in every if all(low <= sum(word[:n]) <= high for n, low, high in ranges)] == expected
    assert sorted(words_of(found, [values] * len(bounds))) == sorted(expected)


@examples(60)
@given(
    n_states=st.integers(1, 4),
    alphabets=st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True), min_size=1, max_size=4),
    keeps_last=st.booleans(),
    data=st.data(),
)
def test_random_automata(n_states: int, alphabets: list[list[int]], keeps_last: bool, data: st.DataObject) -> None:
    states = st.integers(0, n_states - 1)
    moves = data.draw(st.dictionaries(st.tuples(states, st.integers(0, 3)), states))
    accepted = data.draw(st.sets(states))

    def accepts(word: tuple[int, ...]) -> bool:
        state: int | None = 0
        for value in word:
            state = moves.get((state, value)) if state is not None else None
        return state in accepted

    found = chain(
        alphabets,
        0,
        lambda _, state, value: moves.get((state, value)),
        lambda state: state in accepted,
        keeps_last=keeps_last,
    )
    expected = [word for word in product(*alphabets) if accepts(word)]
    assert sorted(words_of(found, alphabets)) == sorted(expected)
    assert found.words() == sorted(expected)
    n_words = prod(map(len, alphabets))
    for most in (3, 1000):
        counts = found.n_words(list(map(len, alphabets)), most)
        assert counts == (min(len(expected), most), min(n_words - len(expected), most))
    if expected and not keeps_last:  # minimal: no more states than different continuations
        starts_itself = len(found.tables) < found.length
        for layer, values in enumerate(found.states, 2 if starts_itself else 1):
            tails = {
                frozenset(word[layer:] for word in expected if word[:layer] == head)
                for head in {word[:layer] for word in expected}
            }
            assert len(values) == len(tails)
