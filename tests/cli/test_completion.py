"""Shell completion: files, and the names of commands, formats and engines."""

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from f2csp.cli.about import f2csp
from f2csp.file_formats import formats
from f2csp.puzzles import KINDS
from tests.cli.in_process import run_program


def offered(line: str) -> list[tuple[str, str]]:
    """The kind and the text of each completion of a line after the word f2csp."""
    *words, incomplete = line.split(" ")
    found = ShellComplete(f2csp, {}, "f2csp", "_F2CSP_COMPLETE").get_completions(words, incomplete)
    return [(item.type, item.value) for item in found]


@pytest.mark.parametrize("kind", KINDS)
def test_the_program_of_a_puzzle_offers_the_formats_that_it_reads(kind: str, tmp_path: Path) -> None:
    names = {name for _, name in offered(f"{kind} --from ")}
    known = {name for form in formats() for name in (form.name, *form.name.split(":"))} | {"auto"}
    assert names <= known
    (tmp_path / "empty").write_bytes(b"")
    for name in known:  # an empty file has faults in the formats that are read
        done = run_program(kind, "--from", name, tmp_path / "empty")
        assert (b"error[" in done.stderr) == (name in names), name
