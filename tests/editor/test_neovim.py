"""A real client, Neovim without a screen: open, fix, edit, hover, rename, format."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editor.documents import MAP, ROOT, page_lines, program_in

SCRIPT = Path(__file__).with_name("neovim.lua")
WAIT = """
local function code()
  vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 10)
  return #vim.diagnostic.get(0) > 0 and vim.diagnostic.get(0)[1].code or "nothing"
end
local codes = { code() }
for _, file in ipairs({ "second.csp", "third.csp" }) do
  vim.cmd("edit " .. file)
  table.insert(codes, code())
end
local key = vim.fn.maparg("grn", "n", false, true).buffer or 0
io.stdout:write(table.concat(codes, " "), " ", #vim.lsp.get_active_clients(), " ", vim.bo.omnifunc, " ", key)
vim.cmd("qall!")
"""

pytestmark = pytest.mark.skipif(not shutil.which("nvim"), reason="Neovim is not installed")


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


def test_the_lines_of_the_page_set_neovim_up(tmp_path: Path):
    (tmp_path / "init.lua").write_text(page_lines("lua", nth=1), encoding="utf-8")
    (tmp_path / "wait.lua").write_text(WAIT, encoding="utf-8")
    for name in ("two-cells.csp", "second.csp", "third.csp"):
        shutil.copy(ROOT / "samples/faulty/two-cells.csp", tmp_path / name)
    command = ["nvim", "--headless", "-n", "-u", "init.lua", "two-cells.csp", "-S", "wait.lua"]
    run = subprocess.run(
        command, cwd=tmp_path, env=program_in(tmp_path), capture_output=True, text=True, timeout=240, check=True
    )
    assert run.stdout == "F304 F304 F304 1 v:lua.vim.lsp.omnifunc 1"  # three files, one server
