"""The .cfn format of toulbar2: there and back again, its liberties, and every fault with its place."""

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.cfn import chunks, looks_like, read
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.toulbar2 import safe_names
from f2csp.model import Problem
from tests.formats.faults import messages, places
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


def test_a_large_table_and_many_constraints_come_in_pieces() -> None:
    builder = f2csp.ProblemBuilder("Large")
    builder.domain("D", range(500))
    builder.domain("E", range(500, 0, -1))
    for name, domain in (("x", "D"), ("y", "D"), ("z", "E")):
        builder.variable(name, domain)
    for scope in (["x", "y"], ["y", "x"], ["y", "z"]):
        builder.accept(scope, [(i, j) for i in range(1, 500) for j in range(1, 500)])
    for i in range(30_000):
        builder.reject([["x", "y"], ["y", "z"]][i % 2], [(1 + i % 400, 1)], f"{i}#")
    problem = builder.build()
    assert read(Source("file", text_of(problem))) == problem
    assert max(map(len, chunks(problem, ExportOptions()))) < len(text_of(problem)) / 2


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

FAULTS = [
    ('"problem": {', '"problem": ', ["F501 1:13-19"]),
    ('"name": ', "", ["F501 1:14-21"]),
    ('"sound"', '"so und"', ["F501 1:22-23"]),
    ('"sound"', '""', ["F501 1:22-23"]),
    ('"<10.0"', '"10.0"', ["F501 1:41-47"]),
    ('"<10.0"', '">10.0"', ["F502 1:41-48"]),
    ('"<10.0"', '"<0"', ["F501 1:41-45"]),
    ('"<10.0"', '"<10.25"', ["F502 8:66-68"]),
    ('"variables"', '"vars"', ["F501 2:1-7"]),
    ('"x": ["a", "b", "c"]', '"x": ["a", "1", "c"]', ["F501 3:12-15"]),
    ('"x": ["a", "b", "c"]', '"x": ["a", "a", "c"]', ["F302 3:12-15"]),
    ('"x": ["a", "b", "c"]', '"x": ["a", "(b)", "c"]', ["F509 3:12-17"]),
    ('"x": ["a", "b", "c"]', '"x": []', ["F301 3:6-8"]),
    ('"x": ["a", "b", "c"]', '"x": [["a"]]', ["F501 3:7-8"]),
    ('"x": ["a", "b", "c"]', '"x": ["a", "b"]', ["F501 7:37-40"]),
    ('"x": ["a", "b", "c"]', '"x": "a"', ["F501 3:6-9"]),
    ('"x": ["a", "b", "c"]', '"x": -3', ["F502 3:6-8"]),
    ('"x": ["a", "b", "c"]', '"x": 0', ["F301 3:6-7"]),
    ('"x": ["a", "b", "c"]', '"x": 1000001', ["F510 3:6-13"]),
    ('"y": [', '"x": [', ["F201 4:1-4"]),
    ('"y": [', '"Goal": [', ["F202 4:1-7"]),
    ('["x", "y"]', '["x", "w"]', ["F204 7:22-25"]),
    ('["x", "y"]', '["x", 7]', ["F204 7:22-23"]),
    ('["x", "y"]', '["x", "x"]', ["F205 7:22-25"]),
    ('["x", "y"]', '["x", ["y"]]', ["F501 7:22-23"]),
    ('["x", "y"]', '["x", "z"]', ["F501 7:37-40"]),
    ('"costs": "g"', '"costs": "h"', ["F501 7:37-40"]),
    ('"costs": "g"', '"costs": "k"', ["F503 7:37-40"]),
    ('"costs": "g"', '"costs": "f"', ["F503 7:37-40"]),
    ('"costs": "g"', '"defaultcost": 1, "costs": "g"', ["F501 7:43-44"]),
    ('"costs": "g"', '"cost": "g"', ["F501 7:28-34"]),
    ('"costs": "g"', '"type": "salldiff", "params": {"metric": "var", "cost": 1}', ["F502 7:36-46"]),
    ('"defaultcost": 0', '"defaultcost": 1', ["F502 8:43-44"]),
    ('"defaultcost": 0', '"defaultcost": x', ["F501 8:43-44"]),
    ('"a", "a", 10', '"a", "d", 10', ["F304 8:62-63"]),
    ('"a", "a", 10', '7, "é", 10', ["F304 8:56-57", "F304 8:60-61"]),
    ('"a", "a", 10', '"a", 10', ["F306 8:57-67"]),
    ('"a", "a", 10', '"a", "a", "a", 10', ["F306 8:57-68"]),
    ('"a", "a", 10, "b"', '"a", "a", 10, "a", "a", 10, "b"', ["F307 8:71-77"]),
    ('"a", "a", 10', '"a", "a", 9.9', ["F502 8:66-69"]),
    ('"a", "a", 10', '"a", "a", 1e3', ["F306 8:57-69"]),
    (", inf]", "]", ["F306 8:71-76"]),
    (", inf]", ", [inf]]", ["F501 8:78-79"]),
    ("[0, 10.5]", "[0, 10.5, 0]", ["F501 9:32-44"]),
    ("[0, 10.5]", "[0]", ["F501 9:32-35"]),
    ("[0, 10.5]", "[0, -1]", ["F502 9:36-38"]),
    ("[0, 10.5]", "[0, a]", ["F501 9:36-37"]),
    (', "costs": [0, 10.5]', "", ["F501 9:21-22"]),
    ("1, 0]}}}", "1, 0]}}", ["F507 10:67-67"]),
    ("1, 0]}}}", "1, 0", ["F507 10:64-64"]),
    ("1, 0]}}}", "1, 0]}}}\nx", ["F501 11:1-2"]),
    ('"h": {', '"h": ', ["F501 9:6-13"]),
    ('"i": {', '"i: {', ["F501 10:1-2"]),
    ("sound", "so\x00und", ["F002 1:25-26"]),
]  # fmt: skip


def test_the_sound_text_is_sound() -> None:
    problem = read(Source("file", SOUND.encode()))
    assert problem.title == "sound"
    assert [(c.label, c.kind, c.scope, c.tuples) for c in problem.constraints] == [
        ("f", "Reject", ("x", "y"), (("a", "a"), ("b", "b"))),
        ("g", "Reject", ("y", "x"), (("a", "a"), ("b", "b"))),
        ("h", "Reject", ("z",), ((1,),)),
        ("i", "Accept", ("x", "z"), (("a", 1),)),
    ]


@pytest.mark.parametrize(("sound", "faulty", "expected"), FAULTS)
def test_fault_has_its_place(sound: str, faulty: str, expected: list[str]) -> None:
    start = SOUND.index(sound)
    assert places(read, SOUND[:start] + faulty + SOUND[start + len(sound) :]) == expected


def test_all_faults_come_in_one_run() -> None:
    text = SOUND.replace('["y", "x"]', '["y", "v"]').replace("10.5", "1").replace('"scope": ["x", "y"]', '"Scope": []')
    assert places(read, text) == ["F501 7:7-14"]
    assert places(read, text.replace('"Scope": []', '"scope": ["x", "y"]')) == ["F204 8:22-25", "F502 9:36-37"]


def test_messages_say_what_was_meant() -> None:
    found = messages(read, SOUND.replace('"x": [', '"first": [').replace('["x", "y"]', '["frist", "y"]'))
    assert found[0] == ("constraint f names the variable frist, which is not declared", "did you mean first?")
    message, hint = messages(read, SOUND.replace('"costs": "g"', '"costs": "f"'))[0]
    assert message == "there is no function f with a table"
    assert hint == "define the function whose table is shared further down"
    assert messages(read, SOUND.replace('"variables"', '"vars"'))[0][0] == 'expected "variables", found vars'


@pytest.mark.parametrize("cost", ["0", "9.5", "10", "inf"])
def test_a_cost_of_no_variable(cost: str) -> None:
    head = '{"problem": {"name": "p", "mustbe": "<10"}, "variables": {"x": 2},\n'
    text = f'{head}"functions": {{"F": {{"scope": [], "costs": [{cost}]}}}}}}'
    if cost == "9.5":
        assert places(read, text) == ["F502 2:44-47"]
        return
    problem = read(Source("file", text.encode()))
    assert [(c.kind, c.tuples) for c in problem.constraints] == ([] if cost == "0" else [("Accept", ())])


@settings(max_examples=300)
@given(problems(), st.booleans(), st.lists(st.integers(0, 1 << 16), min_size=1, max_size=3))
def test_a_text_gone_wrong_is_read_or_told(problem: Problem, is_dense: bool, seeds: list[int]) -> None:
    text = dense(problem).encode() if is_dense else text_of(problem)
    for seed in seeds:
        text = mutate(text, seed)
    with suppress(InvalidInput):
        again = read(Source("file", text))
        assert f2csp.loads(f2csp.dumps(again)) == again
