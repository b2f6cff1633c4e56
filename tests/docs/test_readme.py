"""Every example of the README does what it shows."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import f2csp
from tests.cli.in_process import run_program
from tests.cli.test_transcripts import PROGRAMS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """The words behind the fence of each block of code of a page, and the block."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```(\S+[^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands_of(page: Path) -> list[tuple[str, str]]:
    """The commands of the transcripts on a page, and what each prints."""
    return [
        (command, output)
        for info, block in blocks_of(page)
        if info == "console"
        for command, output in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", block, re.MULTILINE)
    ]


BLOCKS = [(info.split()[0], block) for info, block in blocks_of(ROOT / "README.md")]
COMMANDS = commands_of(ROOT / "README.md")
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def run(command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command line by bash, which finds the programs that are installed."""
    shell = ["bash", "-c", command]
    return subprocess.run(shell, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT, check=False)


def printed(line: str, folder: Path = ROOT) -> str:
    """What a command line prints: programs of the package run in this process, all else by bash."""
    if re.search(r"&&|;|>(?!/dev/null)", line.replace("2>/dev/null", "")):
        return run(line, folder).stdout
    output = b""
    for command in re.split(r" \| (?=[\w-]+ )", line.replace(" 2>/dev/null", "")):
        program, *arguments = shlex.split(command)
        if program in PROGRAMS:
            output = run_program(*arguments, program=PROGRAMS[program], stdin=output, cwd=folder).stdout
        else:
            output = subprocess.run(["bash", "-c", command], input=output, stdout=-1, cwd=folder, check=True).stdout
    return output.decode()


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_command_prints_what_the_readme_shows(command: str, output: str):
    assert printed(command) == output


@pytest.mark.parametrize("text", [block for language, block in BLOCKS if language == "f2csp"])
def test_file_is_canonical(text: str):
    assert f2csp.dumps(f2csp.loads(text)) == text


@pytest.mark.parametrize("code", [block for language, block in BLOCKS if language == "python"])
def test_python_example_runs(code: str):
    exec(compile(code, "README.md", "exec"), {})


def test_there_are_examples_of_every_kind():
    assert {language for language, _ in BLOCKS} >= {"sh", "console", "f2csp", "python"}
    assert len(COMMANDS) >= 4


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 120


def test_pages_count_the_formats_of_puzzles():
    from f2csp.file_formats import puzzle_formats

    for name in ("README.md", "CHANGELOG.md", "docs/compared.md", "docs/tutorial.md"):
        counts = re.findall(r"(\d+) formats", (ROOT / name).read_text(encoding="utf-8"))
        assert counts == [str(len(list(puzzle_formats())))]


def test_every_puzzle_format_is_named_with_its_endings():
    from f2csp.file_formats import puzzle_formats

    page = (ROOT / "docs" / "puzzle-files.md").read_text(encoding="utf-8")
    for form in puzzle_formats():
        endings = f" ({', '.join(form.endings)})" if form.endings else ""
        assert f"`{form.name}`{endings}" in page


def test_every_foreign_format_is_in_the_table():
    from f2csp.file_formats import PROBLEM_FORMATS

    lines = (ROOT / "docs" / "other-systems.md").read_text(encoding="utf-8").splitlines()
    for form in PROBLEM_FORMATS[1:]:
        about = f"| {form.summary} | `{form.name}` | {' '.join(form.endings)} | "
        (cells,) = [line.removeprefix(about).split("|") for line in lines if line.startswith(about)]
        assert [bool(cell.strip()) for cell in cells[:3]] == [form.is_written, form.is_read, form.has_answers]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there(shell: str):
    done = run(f"f2csp completion {shell}")
    assert done.returncode == 0
    assert "_F2CSP_COMPLETE" in done.stdout
    assert "_SUDOKU_TO_F2CSP_COMPLETE" in done.stdout
