"""A real client, Neovim without a screen: open, fix, edit, hover, rename, format."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editor.documents import MAP

SCRIPT = Path(__file__).with_name("neovim.lua")


@pytest.mark.skipif(not shutil.which("nvim"), reason="Neovim is not installed")
def test_a_session_in_neovim(tmp_path: Path):
    file = tmp_path / "map.csp"
    file.write_text(MAP.replace("green green", "green Green").replace("Vars:\n2", "Vars: 2"), encoding="utf-8")
    arguments = ", ".join(map(json.dumps, [str(file), sys.executable, "-m", "f2csp", "lsp"]))
    command = ["nvim", "--headless", "--clean", "-n", "-c", f"lua _G.arg = {{{arguments}}}", "-c", f"luafile {SCRIPT}"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)
    said = {name: json.loads(value) for name, _, value in (line.partition(": ") for line in run.stdout.splitlines())}
    assert said["diagnostics"] == ["F304"]
    assert said["actions"] == ["Write green", "Apply all safe fixes"]
    assert (said["fixed"], said["typed"]) == ([], ["F401"])
    assert "France Spain all differ" in said["hover"]
    assert (said["references"], said["renamed"]) == (3, True)
    assert said["symbols"] == ["Domains", "Variables", "Constraints"]
    assert said["text"] + "\n" == MAP.replace("France", "Gaul")
