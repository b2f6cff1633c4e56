"""The page on JSON output names the keys that the commands print."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.in_process import run_program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
PLACE = ["command", "file", "index"]
CLUES = "samples/sudoku/4x4.txt"
ARGUMENTS = {
    "stats": [CLUES, "--structure", "--symmetry"],
    "check": ["samples/map.csp", "samples/map-solutions.txt"],
    "compare": [CLUES, "--engines", "search", "--repeats", "1"],
    "engines": [],
    "formats": [],
    "code": ["F304"],
}
DIAGNOSTIC = {"file", "code", "name", "severity", "message", "line", "column", "end_line", "end_column"}


def records(*args: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run_program(*args, "--json", cwd=ROOT).stdout.splitlines()]


@pytest.mark.parametrize(("command", "keys"), re.findall(r"^\| `([a-z]+)` \| (`.*) \|$", PAGE, re.MULTILINE))
def test_keys_of_records(command: str, keys: str) -> None:
    listed = re.findall(r"`([a-z_0-9]+)`(?: \([^)]*\))?(?:,|;|$)", re.sub(r"with `--\w+`", "", keys))
    record = records(command, *ARGUMENTS.get(command, [CLUES]))[0]
    assert set(record) - set(PLACE) == set(listed)


def test_a_fault_is_a_record() -> None:
    (record,) = records("solve", "samples/faulty/two-cells.csp")
    assert list(record) == ["command", "file", "error", "diagnostics"]
    (diagnostic,) = record["diagnostics"]  # type: ignore[misc]
    assert set(diagnostic) >= DIAGNOSTIC
    (missing,) = records("stats", "no-such-file")
    assert missing["diagnostics"] == []


def test_compare_has_no_record_of_a_fault() -> None:
    files = ("samples/faulty/two-cells.csp", CLUES)
    assert {record["file"] for record in records("compare", *files, "--engines", "search", "--repeats", "1")} == {CLUES}
