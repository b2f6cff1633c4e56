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


FILES = ["stats", "validate", "format", "sudoku", "convert", "solve", "unique", "count", "explain", "check", "board"]


@pytest.mark.parametrize("line", [*FILES, "convert a.csp", "check a.csp", "solve -o", "board a.csp --solution"])
def test_the_shell_completes_names_of_files(line: str) -> None:
    assert offered(f"{line} pu") == [("file", "pu")]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("convert --from sudoku:l", ["sudoku:line"]),
        ("convert --to XC", ["xcsp3"]),
        ("check a b --from dim", ["dimacs"]),
        ("solve --engine cp", ["cpsat"]),
        ("expl", ["explain"]),
        ("help uni", ["unique"]),
        ("code f304", ["F304"]),
        ("code value-not", ["value-not-in-domain"]),
    ],
)
def test_names_are_completed(line: str, names: list[str]) -> None:
    assert offered(line) == [("plain", name) for name in names]


@pytest.mark.parametrize("kind", KINDS)
def test_the_program_of_a_puzzle_offers_the_formats_that_it_reads(kind: str, tmp_path: Path) -> None:
    names = {name for _, name in offered(f"{kind} --from ")}
    known = {name for form in formats() for name in (form.name, *form.name.split(":"))} | {"auto"}
    assert names <= known
    (tmp_path / "empty").write_bytes(b"")
    for name in known:  # an empty file has faults in the formats that are read
        done = run_program(kind, "--from", name, tmp_path / "empty")
        assert (b"error[" in done.stderr) == (name in names), name


def test_options_of_puzzles_and_engines_are_offered() -> None:
    assert ("plain", "--box") in offered("solve --bo")
    assert ("plain", "--box") in offered("validate --bo")


def test_a_file_argument_keeps_its_name(tmp_path: Path) -> None:
    """A directory, a name that is not there and bytes that are not UTF-8 reach the command as they are."""
    from f2csp.cli.options import FILE

    for name in ("-", str(tmp_path), "no such file", "caf\udce9.csp"):
        assert FILE.convert(name, None, None) == name


def test_all_programs_are_set_up() -> None:
    lines = run_program("completion", "bash").stdout.decode()
    for program in ("f2csp", "f2csp-stats", "f2csp-validate", "sudoku-to-f2csp", "takuzu-to-f2csp"):
        assert f"complete -o nosort -F _{program.replace('-', '_')}_completion {program}\n" in lines + "\n"
