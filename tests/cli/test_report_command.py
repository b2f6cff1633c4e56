"""``f2csp report``: what it writes, and what it refuses."""

import json
from pathlib import Path

import pytest

from tests.cli.in_process import run_program

pytest.importorskip("jinja2")

MAP = Path(__file__).parents[2] / "samples" / "map.csp"
FAULTY = Path(__file__).parents[2] / "samples" / "faulty" / "two-cells.csp"


def test_a_page_is_written_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    found = run_program("report", MAP, "-o", out)
    assert (found.returncode, found.stdout, found.stderr) == (0, b"", b"")
    assert run_program("report", "-", "-o", "-", stdin=MAP.read_bytes()).stdout.startswith(b"<!DOCTYPE html>")
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_steps_of_a_trace(tmp_path: Path) -> None:
    trace, out = tmp_path / "trace.jsonl", tmp_path / "report.html"
    options = ["--engine", "search", "--inference", "none", "--variable-order", "static"]
    assert run_program("solve", MAP, *options, "--trace", trace).returncode == 0
    assert run_program("report", MAP, "--trace", trace, "-o", out).returncode == 0
    steps = [json.loads(line) for line in trace.read_text().splitlines()]
    assert f'max="{len(steps)}"' in out.read_text(encoding="utf-8")
    assert "assign Spain = red" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([MAP], 2, "Missing option '--output'"),
        ([MAP, "-o", MAP], 2, "is both input and output"),
        (["-", "--trace", "-", "-o", "out.html"], 2, "only one of the two files can be standard input"),
        (["missing.csp", "-o", "out.html"], 2, "missing.csp: No such file"),
        ([MAP, "--trace", "missing.jsonl", "-o", "out.html"], 2, "missing.jsonl: No such file"),
        ([MAP, "--trace", MAP, "-o", "out.html"], 2, "map.csp:1: expected a step of a search on this problem"),
        ([FAULTY, "-o", "out.html"], 1, "error[F304]"),
        ([MAP, "-o", "missing/out.html"], 2, "missing/out.html: No such file"),
    ],
)
def test_failures_leave_no_file(arguments: list[str | Path], code: int, message: str, tmp_path: Path) -> None:
    found = run_program("report", *arguments, cwd=tmp_path)
    assert (found.returncode, message in found.stderr.decode()) == (code, True), found.stderr.decode()
    assert list(tmp_path.iterdir()) == []
