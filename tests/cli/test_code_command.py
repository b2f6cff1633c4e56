"""``f2csp code``: the catalogue in the terminal."""

import json

import pytest
from click.testing import CliRunner

from f2csp.cli.about import code as command
from f2csp.diagnostics import CATALOGUE


def run(*args):
    return CliRunner().invoke(command, args)


def explain(*args):
    result = run(*args)
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_code_is_explained(code):
    entry = CATALOGUE[code]
    head = f"{code} {entry.name} ({entry.severity})"
    assert explain(code) == f"{head}\n\n{entry.meaning}\n\nExample: {entry.example}\nCure:    {entry.cure}\n"


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_code_is_found_by_its_name_and_in_any_letter_case(code):
    assert (
        explain(CATALOGUE[code].name) == explain(code.lower()) == explain(CATALOGUE[code].name.upper()) == explain(code)
    )


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_code_as_json(code):
    record = json.loads(explain(code, "--json"))
    assert list(record) == ["code", "name", "severity", "meaning", "example", "cure"]
    assert record["code"] == code
    assert record["cure"] == CATALOGUE[code].cure


def test_without_a_code_all_are_listed_in_order():
    lines = explain().splitlines()
    assert [line.split() for line in lines] == [
        [c, e.severity, e.name, *e.meaning.split()] for c, e in CATALOGUE.items()
    ]
    assert lines == sorted(lines)
    assert [json.loads(line)["code"] for line in explain("--json").splitlines()] == list(CATALOGUE)


@pytest.mark.parametrize("wrong", ["F999", "F30", "30", "value"])
def test_a_code_that_is_not_there_is_wrong_usage(wrong):
    result = run(wrong)
    assert result.exit_code == 2
    assert f"there is no code {wrong}; f2csp code lists all codes" in result.output


def test_two_codes_are_wrong_usage():
    assert run("F304", "F305").exit_code == 2


def test_a_code_is_found_by_its_number_and_a_near_name_is_suggested():
    assert explain("304") == explain("F304")
    expected = "there is no code value-not-in-domian; did you mean value-not-in-domain? f2csp code lists all codes"
    assert expected in run("value-not-in-domian").output
