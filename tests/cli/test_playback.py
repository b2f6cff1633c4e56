"""``f2csp solve --trace`` and ``--show``: the steps of a search in a file, and on the terminal."""

import json
import re
from pathlib import Path

from tests.cli.in_process import run_program
from tests.cli.pseudo_terminal import play

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
MAP = ROOT / "samples" / "map.csp"
CLOSE = b"\x1b[?1049l\x1b[?25h"  # the screen as it was, with a cursor


def test_the_trace_on_the_page_is_that_of_the_command() -> None:
    (example,) = re.findall(r"^The trace of `f2csp ([^`]*)`:\n\n```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    done = run_program(*example[0].split(), "--trace", "-", cwd=ROOT)
    assert (done.returncode, done.stdout.decode()) == (0, example[1])


def test_a_trace_goes_to_a_file_beside_the_solution(tmp_path: Path) -> None:
    done = run_program("solve", MAP, "--trace", tmp_path / "steps.jsonl", "--json")
    (solution,) = json.loads(done.stdout)["solutions"]
    steps = [json.loads(line) for line in (tmp_path / "steps.jsonl").read_text().splitlines()]
    assert [step["solution"] for step in steps if step["event"] == "solution"] == [solution]


def test_steps_are_played_on_the_board() -> None:
    code, _, shown = play(
        "solve", ROOT / "samples/takuzu/grid.txt", "--show", "--speed", 1000, keys=[(b"end of", b"x")]
    )
    assert code == 0
    frames = shown.split(b"\x1b[H")[1:]
    assert [int(re.findall(rb"^(\d+) \w", frame, re.MULTILINE)[0]) for frame in frames] == [*range(1, len(frames) + 1)]
    assert frames[-1].count(CLOSE) == shown.count(CLOSE) == 1
    assert b"1 solution found" in frames[-1].split(CLOSE)[1]


def test_keys_pause_step_and_quit() -> None:
    keys = [(b"1 Spain loses", b" s"), (b"2 assign", b"s"), (b"3 a solution", b"q")]
    code, _, shown = play("solve", MAP, "--all", "--show", "--speed", 2, keys=keys)
    assert (code, shown.count(b"\x1b[H")) == (0, 3)
    assert shown.endswith(b"2 solutions found, no others" + shown.rpartition(b"no others")[2])


def test_the_search_goes_on_without_pictures_once_they_are_quit() -> None:
    keys = [(b"q: quit", b"q")]
    code, _, shown = play("solve", ROOT / "samples/sudoku/grid.sdk", "--show", "--speed", 0.1, keys=keys)
    assert (code, shown.count(b"\x1b[H")) == (0, 1)
    assert b"1 solution found" in shown


def test_a_problem_without_a_board_is_a_list_that_comes_from_a_pipe() -> None:
    code, _, shown = play("solve", "-", "--show", "--speed", 1000, stdin=MAP.read_bytes(), keys=[(b"end of", b"x")])
    assert code == 0
    assert b"  France: red\x1b[K\n> Spain: green blue\x1b[K\n1 Spain loses red" in shown


def test_ctrl_c_leaves_the_terminal_as_it_was_and_no_file(tmp_path: Path) -> None:
    arguments = ("--show", "--speed", "0.01", "--trace", tmp_path / "steps")
    code, _, shown = play("solve", MAP, *arguments, interrupt_at=b"1 Spain loses")
    assert (code, CLOSE in shown, list(tmp_path.iterdir())) == (130, True, [])
