"""The .cfn format of toulbar2: there and back again, its liberties, and every fault with its place."""

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.cfn import chunks, looks_like, read
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.toulbar2 import safe_names
from f2csp.model import Problem
from tests.conftest import Expected
from tests.fault_cases import check_faults
from tests.formats.faults import places
from tests.formats.numbered import Numbered, numbered
from tests.strategies import mutate, names, problems

SAMPLE = Path(__file__).parents[2] / "samples" / "map.csp"


def text_of(problem: Problem) -> bytes:
    return b"".join(chunks(problem, ExportOptions()))


def without_comments(text: bytes) -> bytes:
    return re.sub(rb"(?m)^#.*\n", b"", text)


def as_sets(of: Numbered) -> tuple[list[int], list[tuple[list[int], set[tuple[int, ...]]]]]:
    """What is forbidden, whatever the kind of the table."""
    sizes, constraints = of
    forbidden = []
    for kind, scope, tuples in constraints:
        every = {()} if not scope else None
        for v in scope:
            every = {(*row, i) for row in (every or {()}) for i in range(sizes[v])}
        forbidden.append((scope, set(tuples) if kind == "Reject" else (every or set()) - set(tuples)))
    return sizes, forbidden


def dense(problem: Problem) -> str:
    """The same with the costs of all tuples, without quotes, and with sizes for domains."""
    sizes, functions = as_sets(numbered(problem))
    parts = [
        "{problem {name p mustbe <7}",
        "variables {",
        *(f"x{i} {size}" for i, size in enumerate(sizes)),
        "} functions {",
    ]
    for i, (scope, forbidden) in enumerate(functions):
        every: list[tuple[int, ...]] = [()]
        for v in scope:
            every = [(*row, i) for row in every for i in range(sizes[v])]
        costs = ("9" if row in forbidden else "0" for row in every)
        parts += [f"f{i} {{scope [", *map(str, scope), "] costs [", *costs, "]}"]
    return " ".join([*parts, "}", "}"])


@given(problems())
def test_there_and_back_again_is_the_same_problem(problem: Problem) -> None:
    text = text_of(problem)
    assert read(Source("file", text)) == problem
    assert read(Source("file", text.replace(b"\n", b"\r\n"))) == problem
    assert read(Source("file", b"\xef\xbb\xbf" + text)) == problem
    assert looks_like(text)


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
    again = read(Source("file", dense(problem).encode()))
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


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[1 2 3]", b'{"format": "F2CSP"}', b'[{"V1": 1}]', b"Title\nDomains:\n1\n"]
)
def test_other_texts_are_none(data: bytes) -> None:
    assert not looks_like(data)


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

SOUND = """\
{"problem": {"name": "sound", "mustbe": "<10.0"},
"variables": {
"x": ["a", "b", "c"],
"y": ["a", "b", "c"],
"z": 2},
"functions": {
"f": {"scope": ["x", "y"], "costs": "g"},
"g": {"scope": ["y", "x"], "defaultcost": 0, "costs": ["a", "a", 10, "b", 1, inf]},
"h": {"scope": ["z"], "costs": [0, 10.5]},
"i": {"scope": ["x", 2], "defaultcost": 99, "costs": ["a", 1, 0]}}}
"""


def test_the_sound_text_is_sound() -> None:
    problem = read(Source("file", SOUND.encode()))
    assert problem.title == "sound"
    assert [(c.label, c.kind, c.scope, c.tuples) for c in problem.constraints] == [
        ("f", "Reject", ("x", "y"), (("a", "a"), ("b", "b"))),
        ("g", "Reject", ("y", "x"), (("a", "a"), ("b", "b"))),
        ("h", "Reject", ("z",), ((1,),)),
        ("i", "Accept", ("x", "z"), (("a", 1),)),
    ]


def test_every_fault_has_its_place(expected: Expected) -> None:
    check_faults("cfn", read, expected, SOUND)


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


@given(problems(), st.lists(st.integers(0, 1 << 16), min_size=1, max_size=3))
def test_another_spelling_gone_wrong_is_read_or_refused(problem: Problem, seeds: list[int]) -> None:
    text = dense(problem).encode()
    for seed in seeds:
        text = mutate(text, seed)
    with suppress(InvalidInput):
        again = read(Source("file", text))
        assert f2csp.loads(f2csp.dumps(again)) == again
