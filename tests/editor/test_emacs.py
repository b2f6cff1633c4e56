"""Emacs with Eglot as a client, set up by the lines of the page."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editor.documents import MAP, page_lines, program_in

SCRIPT = Path(__file__).with_name("emacs.el")


def has_eglot() -> bool:
    if not shutil.which("emacs"):
        return False
    return not subprocess.run(["emacs", "-batch", "--eval", "(require 'eglot)"], capture_output=True).returncode


@pytest.mark.slow
@pytest.mark.skipif(not has_eglot(), reason="Emacs with Eglot is not installed")
def test_a_session_in_emacs(tmp_path: Path):
    (tmp_path / "init.el").write_text(page_lines("elisp"), encoding="utf-8")
    (tmp_path / "map.csp").write_text(MAP.replace("green green", "green Green").replace("Vars:\n2", "Vars: 2"))
    command = ["emacs", "-batch", "-l", "init.el", "-l", str(SCRIPT)]
    run = subprocess.run(command, cwd=tmp_path, env=program_in(tmp_path), capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stderr
    said = {name: json.loads(value) for name, _, value in (line.partition(": ") for line in run.stdout.splitlines())}
    assert said["diagnostics"] == ["f2csp [F304]: value Green is not in domain colour of variable Spain"]
    assert said["actions"] == ["Write green", "Apply all safe fixes"]
    assert "France Spain all differ" in said["hover"]
    assert (said["completion"], said["symbols"][0]) == (["blue", "green", "red"], "Enum")
    assert said["text"] == MAP.replace("France", "Gaul")
