"""What commands print, and their exit codes: the transcripts in ``tests/corpus/commands``.

> map.csp                            a file: above the first title for all cases, below a title for one
| Two countries
# A solution is found                a case, in a folder of its own; ../samples is that of the project
$ f2csp solve map.csp < other.csp    a command in this process; others but cd run in bash, with tools of GNU
| France = red                       its standard output
! 1 solution found                   its standard error, without Usage:
? 3                                  its exit code, if that is not 0
"""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from f2csp.cli.commands import commands
from tests.cli.in_process import run_program
from tests.conftest import Expected

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = sorted((ROOT / "tests" / "corpus" / "commands").rglob("*.txt"))
PROGRAMS = {entry.program: name for name, entry in commands().items() if entry.program} | {"f2csp": "main"}
_VOLATILE = [
    (re.compile(r"\AUsage: .*\nTry .*\n\n", re.MULTILINE), ""),
    (re.compile(r"\d+\.\d\d s\b"), "0.00 s"),
    (re.compile(r'("(?:seconds|load|structure|build|search|total)": )[\d.e-]+'), r"\g<1>0"),
]


def outcome(line: str, folder: Path) -> list[str]:
    """The lines of a transcript that a command leaves."""
    words = shlex.split(line)
    if words[0] in PROGRAMS:
        redirected = {sign: words.pop(words.index(sign) + 1) for sign in "<>" if sign in words}
        arguments = [word for word in words[1:] if word not in ("<", ">")]
        stdin = (folder / redirected["<"]).read_bytes() if "<" in redirected else b""
        done = run_program(*arguments, program=PROGRAMS[words[0]], stdin=stdin, cwd=folder)
        if ">" in redirected:
            (folder / redirected[">"]).write_bytes(done.stdout)
            done.stdout = b""
    else:
        done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, check=False)
    found = []
    for mark, output in (("|", done.stdout), ("!", done.stderr)):
        text = output.decode().replace(f"{folder}/", "").replace("\x1b", "^[")
        for volatile, usual in _VOLATILE:
            text = volatile.sub(usual, text)
        found += [f"{mark} {part}" if part else mark for part in text.split("\n")[:-1]]
        found += [f"{mark} {text.rpartition(chr(10))[2]} (no line end)"] if text[-1:] not in ("", "\n") else []
    return [*found, f"? {done.returncode}"] if done.returncode else found


def replayed(transcript: str, place: Path) -> str:
    """A transcript with what its commands print now."""
    lines: list[str] = []
    shared: dict[str, str] = {}
    folder, file = place, ""  # of the case; the file that is written
    for line in transcript.split("\n")[:-1]:
        mark, rest = line[:1], line[2:]
        if mark == "#":
            folder = place / str(len(lines))
            folder.mkdir()
            for name, text in shared.items():
                (folder / name).write_text(text)
        elif mark == ">":
            file, content = rest, ""
        elif line.startswith("$ cd "):
            folder /= line[5:]
            mark = ""
        elif mark == "$":
            file = ""
        elif mark == "|" and file:
            content += f"{rest}\n"
            if folder == place:
                shared[file] = content
            else:
                (folder / file).write_text(content)
        elif mark in tuple("|!?"):
            continue
        lines.append(line)
        if mark == "$":
            lines += outcome(rest, folder)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_is_what_its_commands_print(
    path: Path, tmp_path: Path, expected: Expected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    expected(path, replayed(path.read_text(encoding="utf-8"), tmp_path))
