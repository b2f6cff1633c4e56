"""The .cfn format of toulbar2: there and back again, its liberties, and every fault with its place."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import Source
from f2csp.formats.cfn import chunks, read
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.toulbar2 import safe_names
from f2csp.model import Problem
from tests.fault_cases import places
from tests.formats.numbered import as_sets, dense, numbered
from tests.strategies import names, problems

SAMPLE = Path(__file__).parents[2] / "samples" / "map.csp"


def text_of(problem: Problem) -> bytes:
    return b"".join(chunks(problem, ExportOptions()))


def without_comments(text: bytes) -> bytes:
    return re.sub(rb"(?m)^#.*\n", b"", text)


@given(problems())
def test_lines_may_end_with_carriage_returns(problem: Problem) -> None:
    assert read(Source("file", text_of(problem).replace(b"\n", b"\r\n"))) == problem


@given(problems())
def test_without_comments_the_same_is_forbidden_and_it_is_json(problem: Problem) -> None:
    text = without_comments(text_of(problem))
    assert numbered(read(Source("file", text))) == numbered(problem)
    document = json.loads(text)
    assert len(document["variables"]) == problem.n_variables
    assert len(document["functions"]) == problem.n_constraints


@given(problems())
def test_other_spellings_are_the_same(problem: Problem) -> None:
    text = without_comments(text_of(problem)).decode()
    bare = text.replace('"', "").replace(",", " ").replace(":", " ").replace("[", "{").replace("]", "}")
    for form in (bare, text.replace("\n", " "), text.replace("\n", "\n# {[\n// ]}\n"), text.replace(" ", "\n\t")):
        assert numbered(read(Source("file", form.encode()))) == numbered(problem)


@given(problems())
def test_dense_tables_without_names(problem: Problem) -> None:
    again = read(Source("file", dense(problem)))
    assert as_sets(numbered(again)) == as_sets(numbered(problem))


@given(st.lists(names, unique=True))
def test_names_are_those_that_toulbar2_allows(words: list[str]) -> None:
    made = safe_names(words)
    assert len(set(made)) == len(made) == len(words)
    for word, name in zip(words, made, strict=True):
        assert re.fullmatch(r'[^0-9.+\-\s/#\[\]{}:,"\\][^\s/#\[\]{}:,"\\]*', name)
        assert name == word or re.search(r'^[0-9.+-]|[\s/#\[\]{}:,"\\]', word)


def test_many_words_for_one_name_take_no_time() -> None:
    words = [a + b for a in map(chr, range(0x4E00, 0x4E40)) for b in '"#/[]\\'] + [f"{i}" for i in range(9)] + ["_1"]
    assert len(set(safe_names([*words, *("#" * i for i in range(1, 3)), '"', '""']))) == len(words) + 4
    many = [f"{'#' * (i % 7)}{'/' * (7 - i % 7)}{'[' * (i // 7)}" for i in range(3000)]
    assert len(set(safe_names(many))) == len(many)


def test_comments_that_do_not_fit_are_passed_over() -> None:
    problem = f2csp.load(SAMPLE)
    text = text_of(problem).decode()
    for old, new in [
        ("# domain colour: red", "# domain colour: rot"),
        ("# domain colour", "# domain Goal"),
        ("# F2", "# "),
    ]:
        again = read(Source("file", text.replace(old, new).encode()))
        assert numbered(again) == numbered(problem)
        assert again.variable_names == problem.variable_names


# ---- Faults ----------------------------------------------------------------------------------------------------------


def test_a_byte_order_mark_moves_no_place() -> None:
    text = '# F2CSP\n{"problem": {"name": "p", "mustbe": "<1"}, "variables": {"x": x},\n'
    assert places(read, text) == places(read, f"\ufeff{text}") == ["F501 2:63-64"]


@pytest.mark.parametrize("cost", ["0", "9.5", "10", "inf"])
def test_a_cost_of_no_variable(cost: str) -> None:
    head = '{"problem": {"name": "p", "mustbe": "<10"}, "variables": {"x": 2},\n'
    text = f'{head}"functions": {{"F": {{"scope": [], "costs": [{cost}]}}}}}}'
    if cost == "9.5":
        assert places(read, text) == ["F502 2:44-47"]
        return
    problem = read(Source("file", text.encode()))
    assert [(c.kind, c.tuples) for c in problem.constraints] == ([] if cost == "0" else [("Accept", ())])
