"""``f2csp-stats``: the numbers of the format's simple counting program, in text and JSON, of one file or many."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from f2csp.cli.stats import stats as command
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.to_problem import to_problem
from f2csp.text.writer import dump, dumps
from tests.canonical import simple_counts
from tests.cli.in_process import run_program
from tests.small import problem_of

COUNTS = ["Domains", "Variables", "Constraints", "Accepted tuples", "Rejected tuples"]
GRAPH = [f"Constraint graph {measure}" for measure in ("density", "degrees", "components")]
MEASURES = ["Distinct relations", "Domain sizes", "Arities", "Tightness", *GRAPH, "Log10 of the search space"]
COUNT_KEYS = [label.lower().replace(" ", "_") for label in COUNTS]
JSON_KEYS = ["command", "file", "index", "title", *COUNT_KEYS, "distinct_relations", "arities", "domain_sizes"]
JSON_KEYS += ["tightness", "density", "degrees", "components", "log10_search_space"]
FAULTY = "Broken\nDomains:\n1\nD: 1 2\nVariables:\n1\nx: E\nConstraints:\n0\nGoal:\nSatisfy\n"


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


def run(*args, stdin=None):
    return CliRunner().invoke(command, list(map(str, args)), input=stdin, standalone_mode=False, catch_exceptions=False)


def start(*args, **options):
    line = [sys.executable, "-c", "from f2csp.cli.main import stats; stats()", *map(str, args)]
    return subprocess.run(line, capture_output=True, timeout=60, check=False, **{"input": b"", **options})


@pytest.fixture
def files(tmp_path):
    paths = {}
    for name, problem in PROBLEMS.items():
        paths[name] = tmp_path / f"{name}.csp"
        dump(problem, paths[name])
    paths["faulty"] = tmp_path / "faulty.txt"
    paths["faulty"].write_text(FAULTY)
    return paths


def fields(text):
    return dict(line.split(":", 1) for line in text.splitlines())


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_simple_counting_program_gives_the_same_numbers(name, files):
    text = run(files[name]).stdout
    found = fields(text)
    assert list(found) == ["Title", *COUNTS, *MEASURES]
    counts = simple_counts(files[name].read_text(encoding="utf-8"))
    expected = [counts[header] for header in ("Domains:", "Variables:", "Constraints:", "Accept:", "Reject:")]
    assert [int(found[label]) for label in COUNTS] == expected
    record = json.loads(run(files[name], "--json").stdout)
    assert [record[key] for key in COUNT_KEYS] == expected


def test_text(files):
    result = run(files["latin-4"])
    assert result.return_value == 0
    assert result.stderr == ""
    assert result.stdout == (
        "Title: Latin square 4x4\n"
        "Domains: 1\n"
        "Variables: 16\n"
        "Constraints: 50\n"
        "Accepted tuples: 2\n"
        "Rejected tuples: 192\n"
        "Distinct relations: 3\n"
        "Domain sizes: 16 of size 4\n"
        "Arities: 2 of arity 1, 48 of arity 2\n"
        "Tightness: min 0.25, mean 0.27, max 0.75\n"
        "Constraint graph density: 0.4\n"
        "Constraint graph degrees: min 6, mean 6, max 6\n"
        "Constraint graph components: 1\n"
        "Log10 of the search space: 9.63296\n"
    )


def test_text_without_anything_to_measure(files):
    found = fields(run(files["empty"]).stdout)
    assert found["Title"] == " Nothing / at all"
    assert found["Domain sizes"] == " no variables"
    assert found["Arities"] == found["Tightness"] == " no constraints"
    assert found["Constraint graph density"] == " fewer than two variables"
    assert found["Constraint graph degrees"] == " no variables"
    assert run(files["odd"]).stdout.startswith("Title:\nDomains: 2\n")


def test_many_sizes_are_summed_up(tmp_path):
    problem = problem_of({f"D{size}: V{size}": range(size) for size in range(1, 12)})
    dump(problem, tmp_path / "sizes.csp")
    found = fields(run(tmp_path / "sizes.csp").stdout)
    assert found["Domain sizes"] == " 11 different ones, min 1, mean 6, max 11"


def test_what_takes_too_much_is_not_computed(tmp_path, monkeypatch):
    monkeypatch.setattr("f2csp.statistics.MAX_PAIRS", 0)
    dump(PROBLEMS["latin-4"], tmp_path / "latin.csp")
    found = fields(run(tmp_path / "latin.csp").stdout)
    assert found["Constraint graph density"] == found["Constraint graph degrees"] == " not computed"
    record = json.loads(run(tmp_path / "latin.csp", "--json").stdout)
    assert (record["density"], record["degrees"], record["components"]) == (None, None, 1)


def test_json(files):
    result = run("--json", files["latin-4"], files["empty"])
    first, second = map(json.loads, result.stdout.splitlines())
    assert list(first) == list(second) == JSON_KEYS
    assert first["file"] == str(files["latin-4"])
    assert first["arities"] == {"1": 2, "2": 48}
    assert first["domain_sizes"] == {"4": 16}
    assert first["tightness"] == {"min": 0.25, "mean": pytest.approx(0.27), "max": 0.75}
    assert first["degrees"] == {"min": 6, "mean": 6.0, "max": 6}
    assert second["title"] == "Nothing\nat all"
    assert (second["arities"], second["tightness"], second["density"]) == ({}, None, None)


def test_several_files(files):
    one, other = files["latin-1"], files["latin-7"]
    expected = f"File: {one}\n{run(one).stdout}\nFile: {other}\n{run(other).stdout}"
    assert run(one, other).stdout == expected


def test_a_directory_is_its_csp_files(files, tmp_path):
    lines = run(tmp_path, "--json").stdout.splitlines()
    assert [json.loads(line)["file"] for line in lines] == sorted(str(files[name]) for name in PROBLEMS)


def test_a_directory_without_problems_is_only_warned_of(tmp_path):
    result = run(tmp_path)
    assert (result.return_value, result.stdout) == (0, "")
    assert result.stderr == f"warning: no .csp file in directory {tmp_path}\n"


def test_standard_input_and_compressed_files(files, tmp_path):
    text = dumps(PROBLEMS["odd"]).encode()
    packed = tmp_path / "odd.csp.gz"
    packed.write_bytes(gzip.compress(text))
    assert run("-", stdin=text).stdout == run(packed).stdout == run(files["odd"]).stdout


def test_a_warning_is_not_told(files):
    result = run(files["odd"])  # no title, a domain without variables
    assert (result.return_value, result.stderr) == (0, "")


def test_a_faulty_file_is_told_and_the_others_are_counted(files):
    result = run("--json", files["latin-1"], files["faulty"], files["odd"])
    assert result.return_value == 1
    first, faulty, last = [json.loads(line) for line in result.stdout.splitlines()]
    assert (first["file"], last["file"]) == (str(files["latin-1"]), str(files["odd"]))
    assert [diagnostic["code"] for diagnostic in faulty["diagnostics"]] == ["F203"]
    assert "F203" in result.stderr
    assert f"{files['faulty']}:7:4" in result.stderr


def test_an_unreadable_file_is_told_and_the_others_are_counted(files, tmp_path):
    result = run(files["faulty"], tmp_path / "missing.csp", files["latin-1"])
    assert result.return_value == 2
    assert result.stdout == f"File: {files['latin-1']}\n{run(files['latin-1']).stdout}"
    assert f"{tmp_path / 'missing.csp'}: No such file or directory" in result.stderr


def test_the_output_file_is_written_whole(files, tmp_path):
    out = tmp_path / "counts.txt"
    result = run(files["latin-4"], "-o", out)
    assert (result.return_value, result.stdout) == (0, "")
    assert out.read_text() == run(files["latin-4"]).stdout
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


@pytest.mark.parametrize("bad", ["faulty", "missing"])
def test_the_output_file_is_not_touched_when_a_file_is_bad(bad, files, tmp_path):
    files["missing"] = tmp_path / "missing.csp"
    out = tmp_path / "counts.txt"
    out.write_text("as it was")
    result = run(files["latin-4"], files[bad], "-o", out)
    assert result.return_value == {"faulty": 1, "missing": 2}[bad]
    assert f"{out} is not written" in result.stderr
    assert out.read_text() == "as it was"


def test_an_output_that_is_also_an_input_is_refused(files):
    before = files["odd"].read_bytes()
    result = run_program(files["latin-4"], files["odd"], "-o", files["odd"], program="stats")
    assert result.returncode == 2
    assert b"is both input and output" in result.stderr
    assert files["odd"].read_bytes() == before


def test_exit_codes_of_the_program(files, tmp_path):
    def program(*args):
        return run_program(*args, program="stats")

    good = program(files["odd"])
    assert (good.returncode, good.stdout.decode()) == (0, run(files["odd"]).stdout)
    assert program(files["faulty"]).returncode == 1
    assert [program(*args).returncode for args in ([tmp_path / "missing.csp"], [], ["--nonsense"])] == [2, 2, 2]
    unwritten = program(files["odd"], "-o", tmp_path / "nowhere" / "counts.txt")
    assert (unwritten.returncode, b"Traceback" in unwritten.stderr) == (2, False)
    assert b"nowhere" in unwritten.stderr


def test_a_name_or_title_of_any_characters(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.csp")
    dump(problem_of({}, title="数独"), path)
    for encoding in ("ascii", "utf-8"):
        result = start(path, path, env={**os.environ, "PYTHONIOENCODING": encoding})
        assert (result.returncode, result.stderr) == (0, b"2 problems: 2 counted\n")
        assert "Title: 数独\n" in result.stdout.decode()
    assert json.loads(start("--json", path).stdout)["file"] == str(path)


def test_without_arguments_on_a_terminal_it_asks(files, tmp_path):
    pty = pytest.importorskip("pty")
    keyboard, terminal = pty.openpty()
    out = tmp_path / "counts.txt"
    os.write(keyboard, f"{files['latin-4']}\n{out}\n".encode())
    result = start(stdin=terminal, input=None)
    os.close(terminal)
    os.close(keyboard)
    assert result.returncode == 0
    assert b"Problem file" in result.stderr
    assert b"Output file" in result.stderr
    assert out.read_text() == run(files["latin-4"]).stdout


def test_plots(tmp_path: Path) -> None:
    one, several = tmp_path / "one.svg", tmp_path / "several.svg"
    samples = Path(__file__).parents[2] / "samples"
    plain = run_program("stats", samples / "map.csp")
    assert run_program("stats", samples / "map.csp", "--plot", one).stdout == plain.stdout
    assert "degrees in the constraint graph" in one.read_text()
    assert run_program("stats", samples / "map.csp", samples / "sudoku" / "grid.sdk", "--plot", several).returncode == 0
    assert "mean tightness" in several.read_text()
    failed = run_program("stats", samples / "map.csp", "--plot", tmp_path / "missing" / "one.svg")
    assert (failed.returncode, failed.stdout) == (2, b"")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "out.txt"], "expected a name that ends in .svg, .png, .pdf, found out.txt"),
        (["--plot", "-"], "--plot writes a file, not standard output"),
        (["--plot", "out.svg", "--fast"], "--fast and --plot cannot be combined"),
    ],
)
def test_wrong_plots(arguments: list[str], message: str) -> None:
    found = run_program("stats", *arguments, "puzzle.csp")
    assert (found.returncode, message in found.stderr.decode()) == (2, True)
