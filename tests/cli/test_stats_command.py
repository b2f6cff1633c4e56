"""``f2csp stats``: the numbers of a simple counting program, and what is recovered; transcripts have the rest."""

import json
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from f2csp.model import Problem
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.to_problem import to_problem
from f2csp.structure import recover, with_sums
from f2csp.text.writer import dump, dumps
from tests.canonical import simple_counts
from tests.cli.in_process import run
from tests.small import problem_of
from tests.strategies import problems

COUNTS = ["Domains", "Variables", "Constraints", "Accepted tuples", "Rejected tuples"]
GRAPH = [f"Constraint graph {measure}" for measure in ("density", "degrees", "components")]
MEASURES = ["Distinct relations", "Domain sizes", "Arities", "Tightness", *GRAPH, "Log10 of the search space"]
COUNT_KEYS = [label.lower().replace(" ", "_") for label in COUNTS]


# Words that look like headers and numbers, lines that look like others, an empty table, no title.
ODD = problem_of(
    {"1: 3 Rejected 1": ["x", "3", "é"], "unused": [7]},
    ("accept 3 Rejected 1", [("3", "3", "3"), ("x", "é", "3")]),
    ("accept 1", []),
    ("reject Rejected", [("3",), ("x",), ("é",)], "2"),
)
PROBLEMS = {
    "empty": problem_of({}, title="Nothing\nat all"),
    "latin-1": to_problem(LatinSquare(1)),
    "latin-4": to_problem(LatinSquare(4, clues=(Clue(1, 1, 1), Clue(2, 2, 3)))),
    "latin-7": to_problem(LatinSquare(7)),
    "odd": ODD,
}


def start(*args, **options):
    line = [sys.executable, "-c", "from f2csp.cli.main import stats; stats()", *map(str, args)]
    return subprocess.run(line, capture_output=True, timeout=60, check=False, **options)


@pytest.fixture
def files(tmp_path):
    paths = {}
    for name, problem in PROBLEMS.items():
        paths[name] = tmp_path / f"{name}.csp"
        dump(problem, paths[name])
    return paths


def fields(text):
    return dict(line.split(":", 1) for line in text.splitlines())


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_simple_counting_program_gives_the_same_numbers(name, files):
    text = run("stats", files[name]).out
    found = fields(text)
    assert list(found) == ["Title", *COUNTS, *MEASURES]
    counts = simple_counts(files[name].read_text(encoding="utf-8"))
    expected = [counts[header] for header in ("Domains:", "Variables:", "Constraints:", "Accept:", "Reject:")]
    assert [int(found[label]) for label in COUNTS] == expected
    record = json.loads(run("stats", files[name], "--json").out)
    assert [record[key] for key in COUNT_KEYS] == expected


def test_what_takes_too_much_is_not_computed(tmp_path, monkeypatch):
    monkeypatch.setattr("f2csp.statistics.MAX_PAIRS", 0)
    dump(PROBLEMS["latin-4"], tmp_path / "latin.csp")
    found = fields(run("stats", tmp_path / "latin.csp").out)
    assert found["Constraint graph density"] == found["Constraint graph degrees"] == " not computed"
    record = json.loads(run("stats", tmp_path / "latin.csp", "--json").out)
    assert (record["density"], record["degrees"], record["components"]) == (None, None, 1)


def test_a_name_or_title_of_any_characters(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.csp")
    dump(problem_of({}, title="数独"), path)
    for encoding in ("ascii", "utf-8"):
        result = start(path, path, env={**os.environ, "PYTHONIOENCODING": encoding})
        assert (result.returncode, result.stderr) == (0, b"2 problems: 2 counted\n")
        assert "Title: 数独\n" in result.stdout.decode()
    assert json.loads(start("--json", path).stdout)["file"] == str(path)


@given(problems())
def test_the_numbers_are_those_of_what_is_recovered(problem: Problem) -> None:
    structure = with_sums(recover(problem), np.arange(problem.n_variables))
    found = json.loads(run("stats", "-", "--structure", "--json", stdin=dumps(problem)).out)["structure"]
    assert sum(found.pop("sums", {}).values()) == len(structure.sums)
    assert found == {
        "meanings": dict(Counter(str(structure.classification[i].kind) for i in range(problem.n_constraints))),
        "all_different": {str(size): n for size, n in Counter(map(len, structure.all_different)).items()},
        "tables": len(structure.tables),
    }
