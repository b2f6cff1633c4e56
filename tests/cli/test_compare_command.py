"""``f2csp compare``: what it prints and writes, and how it goes on after Ctrl-C."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from f2csp.solving import registry
from f2csp.solving.search_run import SearchRun, Statistics
from tests.cli.in_process import run_program
from tests.cli.pseudo_terminal import play

SAMPLES = Path(__file__).parents[2] / "samples"
MAP = SAMPLES / "map.csp"
TWO = ("--engines", "search:inference=mac,variable-order=mrv,search:inference=fc", "--repeats", "2")
EXPERIMENT = """
title = "Small boards"
text = "With *two* searches."
repeats = 1
files = ["map.csp"]
[[generate]]
kind = "latin"
size = [3, 4]
fill = [0.0, 0.5]
count = 2
engines = ["MAC"]
[engines]
MAC = "search:inference=mac"
FC = "search:inference=fc"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "map.csp").write_bytes(MAP.read_bytes())
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "experiment.toml"
    path.write_text(text)
    return path


def test_the_table_has_a_row_for_each_configuration_and_file(folder: Path):
    done = run_program("compare", "map.csp", SAMPLES / "sudoku" / "grid.sdk", *TWO)
    head, *rows = done.stdout.decode().splitlines()
    assert head.split()[:4] == ["problems", "engine", "status", "runs"]
    assert (done.returncode, [row.split()[2:4] for row in rows[:4]]) == (0, [["satisfiable", "2"]] * 4)
    assert [row.split("  ")[0] for row in rows[4:]] == ["all problems"] * 2
    assert list(folder.iterdir()) == [folder / "map.csp"]


def test_forms_of_the_table(folder: Path):
    (row, other) = csv.DictReader(run_program("compare", "map.csp", *TWO, "--csv").stdout.decode().splitlines())
    assert (row["engine"], row["runs"], other["engine"]) == (
        "search:inference=mac,variable-order=mrv",
        "2",
        "search:inference=fc",
    )
    page = run_program("compare", "map.csp", *TWO, "--markdown").stdout.decode()
    assert "| map.csp | search:inference=fc | satisfiable | 2 |" in page
    records = [json.loads(line) for line in run_program("compare", "map.csp", *TWO, "--json").stdout.splitlines()]
    assert [(one["engine"], one["repeat"]) for one in records[:2]] == [(row["engine"], 1), (other["engine"], 1)]
    assert records[0]["parameters"] == {"variables": 2, "blanks": 1}


def test_the_table_has_the_columns_that_a_terminal_has_room_for(folder: Path):
    heads = {}
    for columns in (72, 80, 200):
        code, _, shown = play("compare", "map.csp", *TWO, columns=columns)
        assert code == 0
        head, *rows = shown.decode().splitlines()
        assert max(map(len, [head, *rows])) <= columns
        assert all("search:inference=" in row for row in rows)
        heads[columns] = head.split("  ")
    assert [name for name in ("quartiles, s", "time, s", "memory, MB") if name not in " ".join(heads[200])] == []
    assert "time, s" not in " ".join(heads[80])
    assert "CPU, s" in " ".join(heads[72])


def test_a_missing_package_for_plots_is_reported_before_the_runs(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = run_program("compare", "no such file", "--plot", "plot.svg")
    message = b"f2csp: drawing a plot needs an optional package; install it with: pip install 'f2csp[plots]'\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_engines_that_contradict_each_other(folder: Path, monkeypatch: pytest.MonkeyPatch):
    def deny(run: SearchRun, times: dict[str, float]) -> tuple[bool, Statistics]:
        return True, Statistics()

    monkeypatch.setattr(registry, "ENGINES", (*registry.ENGINES, registry.Engine("liar", "a test engine")))
    monkeypatch.setitem(sys.modules, "f2csp.solving.engines.liar", SimpleNamespace(search=deny))  # type: ignore[arg-type]
    done = run_program("compare", "map.csp", "--engines", "search,liar", "--repeats", "1")
    assert done.returncode == 1
    marks = [line.split("satisfiable")[1].split("  ")[0] for line in done.stdout.decode().splitlines()[1:]]
    assert marks == [" (contradicted)", " (contradicted)"]
    assert done.stderr == b"contradiction: map.csp: search: satisfiable, liar: unsatisfiable\n"
    page = run_program("compare", "map.csp", "--engines", "search,liar", "--markdown")
    assert "* **contradiction: map.csp: search: satisfiable, liar: unsatisfiable**" in page.stdout.decode()


@pytest.mark.slow
@pytest.mark.parametrize("plot", ["", 'kind = "boxes"', 'kind = "cactus"', 'x = "fill"\ny = "satisfiable"'])
def test_an_experiment_has_a_page_and_a_plot(plot: str, folder: Path):
    pytest.importorskip("matplotlib")
    file = written(folder, f"{EXPERIMENT}[plot]\n{plot}")
    done = run_program("compare", "--experiment", file, "--markdown", "--plot", "plot.svg")
    page = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert page.startswith("# Small boards\n\nWith *two* searches.\n\n10 runs, ")
    assert "![Plot](plot.svg)" in page
    assert "| latin, size 3, fill 0.5 | MAC | satisfiable | 2 | 3 |" in page
    assert ElementTree.parse("plot.svg").getroot().tag.endswith("svg")
    run_program("compare", "--experiment", file, "--plot", "plot.png")
    assert Path("plot.png").read_bytes().startswith(b"\x89PNG")


def test_faulty_files_are_reported_and_the_others_compared(folder: Path):
    faulty = SAMPLES / "faulty" / "two-cells.csp"
    done = run_program("compare", faulty, "map.csp", "--engines", "search", "--csv")
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 2)


def test_after_an_interruption_it_resumes(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir("/")  # so that only the program and its children are in the folder
    run_program("generate", "pigeonhole", "--pigeons", "14", "-o", "hole.csp", cwd=folder)
    arguments = ("compare", "map.csp", "hole.csp", "--engines", "search:counted=all", "--repeats", "1")
    code, _, shown = play(*arguments, delay=0, interrupt_at=b"1/2", cwd=folder)
    assert code == 130
    assert b"1 of 2 runs are done; the same command with --resume makes the others" in shown
    (journal,) = folder.glob("f2csp-compare-*.jsonl")
    assert not [path for path in Path("/proc").glob("[0-9]*/cwd") if os.path.realpath(path) == str(folder)]
    (run,) = map(json.loads, journal.read_bytes().splitlines())
    run["seconds"] = 123.0  # so that it is known again
    other = run | {"file": "hole.csp", "group": "hole.csp", "seconds": 321.0}
    journal.write_text("".join(json.dumps(line) + "\n" for line in (run, other)))
    done = run_program(*arguments, "--resume", cwd=folder)
    assert [word for word in done.stdout.decode().split() if word in ("123", "321")] == ["123", "321"]
    assert not journal.exists()


def test_a_reader_that_needs_no_more_leaves_no_journal(folder: Path):
    arguments = ("compare", "map.csp", "--engines", "search", "--repeats", "20", "--json")
    program = [sys.executable, "-c", "from f2csp.cli.main import main; main()"]
    with subprocess.Popen([*program, *arguments], cwd=folder, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.stdout.close()
    assert process.returncode == 141
    assert not [*folder.glob("f2csp-compare-*")]


def test_a_row_for_each_problem_with_its_size_and_blanks(folder: Path):
    files = (MAP, SAMPLES / "sudoku" / "line.sdm")
    done = run_program("compare", *files, "--by-problem", "--engines", "search", "--repeats", "1", "--csv")
    rows = [*csv.DictReader(done.stdout.decode().splitlines())]
    assert [row["problems"].rpartition("/")[2] for row in rows[:3]] == ["map.csp", "line.sdm:1", "line.sdm:2"]
    assert [(row["size"], row["blanks"]) for row in rows[:2]] == [("2", "1"), ("9", "56")]
    assert rows[-1]["problems"] == "all problems"


def test_what_a_limit_cuts_short_is_marked(folder: Path, monkeypatch: pytest.MonkeyPatch):
    run_program("generate", "pigeonhole", "--pigeons", "14", "-o", "hole.csp", cwd=folder)
    engines = ("--engines", "search:counted=all", "--repeats", "1")  # which tries every value
    done = run_program("compare", "hole.csp", "map.csp", *engines, "--time-limit", "0.5")
    hole, fine, _ = (line.split() for line in done.stdout.decode().splitlines()[1:])
    assert hole[2:4] == ["time", "limit"]
    assert hole[hole.index(">") + 1].startswith("0.5")
    assert ">" not in fine
    pytest.importorskip("matplotlib")
    arguments = ("--time-limit", "0.1", "--plot", "plot.svg", "--plot-y", "nodes")
    run_program("compare", "hole.csp", "map.csp", *engines, *arguments)
    labels = Path("plot.svg").read_text()
    assert "nodes of the search tree" in labels
    assert "cut short by a limit" in labels
