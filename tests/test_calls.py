"""What calls of the library give: the transcripts in ``tests/corpus/calls``.

$ import f2csp                  above the first title: run before each case
# A count is a number           a case, in a folder of its own, in which samples is that of the project
$ f2csp.count(problem)          an expression or a statement; lines that continue it begin with a full stop
| 4                             its value, if that is not None; a text of several lines as it is
$ f2csp.load("no.csp")
! FileNotFoundError: ...        what is raised, with the words of the package; it is called error below
"""

import ast
import re
from collections.abc import Iterator
from linecache import getline
from pathlib import Path
from pprint import pformat
from traceback import walk_tb
from typing import Any

import pytest

import f2csp

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "tests" / "corpus" / "calls").glob("*.txt"))
PACKAGE = str(Path(f2csp.__file__).parent)
CASES = [(path, case) for path in FILES for case in re.split(r"\n(?=# )", path.read_text(encoding="utf-8"))[1:]]


def calls_in(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each call, without what it gave."""
    call: list[str] = []
    for line in lines:
        if line[0] == "$" and call:
            yield call
            call = []
        call += [line] if line[0] in "$." else []
    if call:
        yield call


def outcome(code: str, names: dict[str, Any]) -> list[str]:
    """The lines that a call leaves."""
    try:
        value = evaluated(code, names)
    except Exception as error:
        names["error"] = error
        return [f"! {line}".rstrip() for line in f"{type(error).__name__}: {own_words(error)}".split("\n")]
    if value is None:
        return []
    if isinstance(value, set | frozenset):
        value = sorted(value, key=repr)
    text = value if isinstance(value, str) and "\n" in value else pformat(value, width=110, sort_dicts=False)
    return [f"| {line}".rstrip() for line in text.removesuffix("\n").split("\n")]


def evaluated(code: str, names: dict[str, Any]) -> object:
    parsed = ast.parse(code)
    if isinstance(parsed.body[0], ast.Expr):
        return eval(code, names)
    exec(code, names)
    return None


def own_words(error: Exception) -> str:
    """The message of what the package raises itself; those of Python and of its system are not the same everywhere."""
    *_, (frame, line) = walk_tb(error.__traceback__)
    path = frame.f_code.co_filename
    is_own = path.startswith(PACKAGE) and getline(path, line).lstrip().startswith("raise ")
    return str(error) if is_own and not isinstance(error, OSError) else "..."


@pytest.mark.parametrize(
    ("path", "case"), CASES, ids=[f"{path.stem}: {case.split(chr(10))[0][2:]}" for path, case in CASES]
)
def test_calls_give_what_their_transcript_says(
    path: Path, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    title, *lines = case.rstrip("\n").split("\n")
    transcript = path.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for call in calls_in(transcript.partition("\n# ")[0].split("\n")):
        exec("\n".join(line[2:] for line in call), names)
    found = [title]
    for call in calls_in(lines):
        found += [*call, *outcome("\n".join(line[2:] for line in call), names)]
    if request.config.getoption("update"):
        path.write_text(transcript.replace(case.rstrip("\n"), "\n".join(found)), encoding="utf-8")
    assert found == [title, *lines]
