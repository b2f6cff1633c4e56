"""``f2csp solve --trace``: the file of steps."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.in_process import run_program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
MAP = ROOT / "samples" / "map.csp"
PLAIN = ("--all", "--inference", "none", "--variable-order", "static")


def test_the_trace_on_the_page_is_that_of_the_command() -> None:
    (example,) = re.findall(r"^The trace of `f2csp ([^`]*)`:\n\n```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    done = run_program(*example[0].split(), "--trace", "-", cwd=ROOT)
    assert (done.returncode, done.stdout.decode()) == (0, example[1])


def test_a_trace_goes_to_a_file_beside_the_solution(tmp_path: Path) -> None:
    done = run_program("solve", MAP, "--trace", tmp_path / "steps.jsonl", "--json")
    (solution,) = json.loads(done.stdout)["solutions"]
    steps = [json.loads(line) for line in (tmp_path / "steps.jsonl").read_text().splitlines()]
    assert [step["solution"] for step in steps if step["event"] == "solution"] == [solution]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--trace", "-", "--json"), 2, "only one result can be written to standard output"),
        (("--trace", "-", "--output", "-"), 2, "only one result can be written to standard output"),
        (("--trace", "steps", "--engine", "sat"), 2, "the engine sat has no trace; use the engine search"),
        (("--trace", "no/steps"), 2, "no/steps: No such file or directory"),
        (("--trace", "steps", MAP), 2, "--trace applies to a single problem"),
    ],
)
def test_what_cannot_be_traced(arguments: tuple[str | Path, ...], code: int, message: str, tmp_path: Path) -> None:
    done = run_program("solve", MAP, *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert message in done.stderr.decode()
    assert not list(tmp_path.iterdir())
