"""Problems as JSON: there and back again, the schema, and every fault with its place."""

import io
import json
from contextlib import suppress
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.foreign import ExportOptions, foreign_format, recognised
from f2csp.formats.problem_json import chunks, looks_like, read
from f2csp.model import Problem
from tests.formats.faults import messages, places
from tests.strategies import mutate, problems

GRAMMARS = Path(__file__).parents[2] / "grammars"
SCHEMA = json.loads((GRAMMARS / "f2csp.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def text_of(problem: Problem) -> bytes:
    return b"".join(chunks(problem, ExportOptions()))


@given(problems())
def test_there_and_back_again_is_the_same_problem(problem: Problem) -> None:
    text = text_of(problem)
    assert read(Source("file", text)) == problem
    assert looks_like(text)


@given(problems())
def test_what_is_written_is_by_the_schema(problem: Problem) -> None:
    VALIDATOR.validate(json.loads(text_of(problem)))


@given(problems())
def test_other_spellings_of_the_json_are_the_same_problem(problem: Problem) -> None:
    document = json.loads(text_of(problem))
    turned = dict(reversed(document.items()))
    for form in (json.dumps(document), json.dumps(turned, indent=3), "\ufeff" + json.dumps(document)):
        assert read(Source("file", form.encode())) == problem


@given(problems())
def test_equal_tables_may_stand_there_twice_and_some_for_nothing(problem: Problem) -> None:
    document = json.loads(text_of(problem))
    n = len(document["relations"])
    document["relations"] = [*document["relations"][::-1], *document["relations"]]
    for i, constraint in enumerate(document["constraints"]):
        constraint["relation"] = n - 1 - constraint["relation"] if i % 2 else n + constraint["relation"]
    document["relations"].append({"kind": "Accept", "arity": 3, "tuples": []})
    assert read(Source("file", json.dumps(document).encode())) == problem


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_large_table_and_many_constraints_come_in_pieces() -> None:
    builder = f2csp.ProblemBuilder()
    builder.domain("D", range(600))
    for name in ("x", "y", "z"):
        builder.variable(name, "D")
    builder.accept(["x", "y"], [(i, j) for i in range(600) for j in range(600)])
    for i in range(20_000):
        builder.reject([["x", "y"], ["y", "z"]][i % 2], [(i % 600, 0)], f"L{i}")
    problem = builder.build()
    assert read(Source("file", text_of(problem))) == problem
    assert max(map(len, chunks(problem, ExportOptions()))) < len(text_of(problem)) / 2


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    problem = f2csp.load(GRAMMARS.parent / "samples" / "map.csp")
    f2csp.export(problem, tmp_path / "map.json.gz", "json")
    assert f2csp.import_(tmp_path / "map.json.gz", "json") == problem
    stream = io.StringIO()
    f2csp.export(problem, stream, "json")
    assert f2csp.import_(io.StringIO(stream.getvalue()), "json") == problem


def test_the_format_is_registered() -> None:
    problem = f2csp.load(GRAMMARS.parent / "samples" / "map.csp")
    form = foreign_format("json")
    assert recognised(Source("file", text_of(problem))) is form
    assert form.importer().read(Source("file", b"".join(form.exporter().chunks(problem, ExportOptions())))) == problem


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"V1": 1}', b'[{"V1": 1}]', b'{"problem": {"name": "F2CSP"}}', b"F2CSP"]
)
def test_other_texts_are_none(data: bytes) -> None:
    assert not looks_like(data)


# ---- Faults ----------------------------------------------------------------------------------------------------------

SOUND = """\
{"format": "F2CSP", "version": 1, "title": "Two",
"domains": [
{"name": "D1", "values": [1, 2]},
{"name": "D2", "values": ["a", "2"]}],
"variables": [
{"name": "x", "domain": "D1"},
{"name": "y", "domain": "D2"}],
"relations": [
{"kind": "Reject", "arity": 2, "tuples": [
[1, "a"],
[2, "2"]]}],
"constraints": [
{"scope": ["x", "y"], "relation": 0}]}
"""

FAULTS = [
    ('"F2CSP"', '"F2"', ["F501 1:12-16"]),
    ('"version": 1', '"version": 2', ["F502 1:32-33"]),
    ('"version": 1, ', "", ["F501 1:1-2"]),
    ('"title"', '"titel"', ["F501 1:35-42"]),
    ('"Two"', "3", ["F501 1:44-45"]),
    ('"Two"', '"Domains:"', ["F509 1:44-54"]),
    ('"Two"', '"Two", "title": "é"', ["F501 1:51-58"]),
    ('"D1", "values"', '"D 1", "values"', ["F509 3:10-15"]),
    ('"D1", "values"', '"D2", "values"', ["F201 4:10-14", "F203 6:25-29", "F304 10:5-8"]),
    ("[1, 2]},", "[1, 1, 1.5, true]},", ["F302 3:30-31", "F501 3:33-36", "F501 3:38-42"]),
    ("[1, 2]},", "[1, 9223372036854775808]},", ["F509 3:30-49"]),
    ("[1, 2]},", "[]},", ["F301 3:10-14"]),
    ('["a", "2"]', '["a", "1..2"]', ["F509 4:32-38"]),
    ('["a", "2"]', '["é", "é", "a"]', ["F302 4:32-35", "F304 11:5-8"]),
    ('["a", "2"]', "{}", ["F501 4:26-28"])
,    ('{"name": "x", "domain": "D1"}', "7", ["F501 6:1-2"]),
    ('"domain": "D2"', '"domain": "d2"', ["F203 7:25-29"]),
    ('"name": "y"', '"name": "goal"', ["F202 7:10-16", "F204 13:17-20"]),
    ('"kind": "Reject"', '"kind": "reject"', ["F501 9:10-18"]),
    ('"arity": 2', '"arity": 0', ["F501 9:29-30"]),
    ('"arity": 2', '"arity": "2"', ["F501 9:29-32"]),
    ('"arity": 2', '"arity": 3', ["F104 9:29-30"]),
    ('[1, "a"]', '[1, "a", 2]', ["F306 10:1-12"]),
    ('[1, "a"]', "1", ["F501 10:1-2"]),
    ('[1, "a"]', "[1, null]", ["F501 10:5-9"]),
    ('[1, "a"]', "[true, 1.0]", ["F501 10:2-6", "F501 10:8-11"]),
    ('[1, "a"]', "[9, 8]", ["F304 10:2-3", "F304 10:5-6"]),
    ('[1, "a"]', '["a", 1]', ["F304 10:2-5", "F304 10:7-8"]),
    ('[1, "a"]', '["2", 2]', ["F307 11:1-9"]),
    ('["x", "y"]', '["x", "z"]', ["F204 13:17-20"]),
    ('["x", "y"]', '["x", "x"]', ["F205 13:17-20"]),
    ('["x", "y"]', '["x"]', ["F104 13:11-16"]),
    ('["x", "y"]', '["x", ["y"]]', ["F501 13:17-22"]),
    ('["x", "y"]', "[]", ["F104 13:11-13"]),
    ('"relation": 0', '"relation": 1', ["F501 13:35-36"]),
    ('"relations": [', '"relations": 7, "constraints": [], "x": [', ["F501 8:14-15", "F501 8:36-39", "F501 12:1-14"]),
    ('"relation": 0', '"relation": -1', ["F501 13:35-37"]),
    ('"relation": 0', '"relation": true', ["F501 13:35-39"]),
    ('"relation": 0', '"label": "a=b", "relation": 0', ["F509 13:32-37"]),
    ('{"scope": ["x", "y"], "relation": 0}', '{"Scope": [], "relation": 0}', ["F501 13:1-2", "F501 13:2-9"]),
    ("]}\n", "]\n", ["F507 13:38-38"]),
    ("]}\n", "]}\nx", ["F501 14:1-2"]),
    ('"x", "domain"', '"x" "domain"', ["F501 6:14-15"]),
    ("[1, 2]},", "[1, 2" + 90 * "[" + 90 * "]" + "]},", ["F501 3:31-32"]),
    ("[1, 2]},", "[1, " + 5000 * "1" + "]},", ["F509 3:30-5030"]),
    ("Two", "T\x01", ["F002 1:46-47"]),
]  # fmt: skip


def test_the_sound_text_is_sound() -> None:
    problem = read(Source("file", SOUND.encode()))
    assert problem.constraints[0].tuples == ((1, "a"), (2, "2"))
    VALIDATOR.validate(json.loads(SOUND))


@pytest.mark.parametrize(("sound", "faulty", "expected"), FAULTS)
def test_fault_has_its_place(sound: str, faulty: str, expected: list[str]) -> None:
    assert SOUND.count(sound) == 1
    assert places(read, SOUND.replace(sound, faulty)) == expected


@pytest.mark.parametrize("document", ["[]", "3", '"F2CSP"', "null", "", "{"])
def test_what_is_no_object_is_a_fault(document: str) -> None:
    assert places(read, document)[0][:4] in ("F501", "F507")


def test_nesting_that_python_cannot_read_is_a_fault() -> None:
    text = SOUND.replace("[1, 2]},", 100_000 * "[" + 100_000 * "]" + "},")
    assert places(read, text) == ["F501 3:28-29"]


def test_two_labels_that_are_the_same_are_a_fault() -> None:
    one = '{"scope": ["x", "y"], "relation": 0}'
    text = SOUND.replace(one, f'{{"label": "C2", {one[1:]},\n{one}')
    assert places(read, text) == ["F201 14:1-2"]
    text = SOUND.replace(one, f'{{"label": "A", {one[1:]},\n{{"label": "A", {one[1:]}')
    assert places(read, text) == ["F201 14:11-14"]


def test_hints_name_what_was_meant() -> None:
    assert messages(read, SOUND.replace('"title"', '"titel"')) == [("unknown key titel", "did you mean title?")]
    assert messages(read, SOUND.replace('"domain": "D2"', '"domain": "d2"')) == [
        ("variable y has the domain d2, which is not declared", "did you mean D2?")
    ]


def test_of_many_faults_the_rest_are_counted() -> None:
    rows = ",".join(["[7, 7]"] * 5000)
    with pytest.raises(InvalidInput) as caught:
        read(Source("file", SOUND.replace('[1, "a"]', rows).encode()))
    assert len(caught.value.diagnostics) == 100
    assert caught.value.n_hidden == 9900


@settings(max_examples=300)
@given(problems(), st.lists(st.integers(0, 1 << 16), min_size=1, max_size=3))
def test_a_text_gone_wrong_is_read_or_told(problem: Problem, seeds: list[int]) -> None:
    text = text_of(problem)
    for seed in seeds:
        text = mutate(text, seed)
    with suppress(InvalidInput):
        assert isinstance(read(Source("file", text)), Problem)


def test_the_example_of_the_page_is_the_first_one_of_it() -> None:
    page = (GRAMMARS / "README.md").read_text(encoding="utf-8")
    first = page.split("```f2csp\n")[1].split("```")[0]
    example = page.split("```json\n")[1].split("```")[0]
    assert text_of(f2csp.loads(first)).decode() == example
