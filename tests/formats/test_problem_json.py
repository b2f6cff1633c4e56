"""Problems as JSON: there and back again, the schema, and every fault with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from f2csp.diagnostics import Source
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.problem_json import chunks, read
from f2csp.model import Problem
from tests.fault_cases import messages, places, sound_text
from tests.strategies import problems

jsonschema = pytest.importorskip("jsonschema")

GRAMMARS = Path(__file__).parents[2] / "grammars"
SCHEMA = json.loads((GRAMMARS / "f2csp.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def text_of(problem: Problem) -> bytes:
    return b"".join(chunks(problem, ExportOptions()))


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


# ---- Faults ----------------------------------------------------------------------------------------------------------

SOUND = sound_text("json")


@pytest.mark.parametrize(
    ("value", "place"),
    [(f"{100_000 * '['}{100_000 * ']'}", "F501 1:1-1"), (f"[1, {5000 * '1'}]", "F501 3:30-30")],
    ids=["nested", "long"],
)
def test_values_that_python_cannot_read_are_faults(value: str, place: str) -> None:
    assert places(read, SOUND.replace("[1, 2]},", f"{value}}},")) == [place]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"arity": 2', f'"arity": 1{30 * "0"}'),
        ('"version": 1', '"version": 1e999'),
        ('[1, "a"]', "[1, NaN]"),
        ('[1, "a"]', '[1, "\\ud800"]'),
        ('"x", "domain"', '"\\ud800", "domain"'),
        ('"relation": 0', f'"relation": 1{30 * "0"}'),
    ],
)
def test_odd_values_are_faults_that_can_be_printed(old: str, new: str) -> None:
    for message, hint in messages(read, SOUND.replace(old, new)):
        assert f"{message}{hint}".encode()
