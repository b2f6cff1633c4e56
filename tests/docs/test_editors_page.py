"""The page on editors: what it says to write can be read, and it names what there is."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from f2csp.editor.edits import FIX_ALL
from tests.cli.in_process import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
EXTENSION = json.loads((ROOT / "grammars/editors/vscode/package.json").read_text(encoding="utf-8"))


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_settings_can_be_read():
    assert [tomllib.loads(block)["language-server"]["f2csp"]["command"] for block in blocks("toml")] == ["f2csp"]
    assert [json.loads(block)["servers"]["f2csp"]["command"] for block in blocks("json")] == [["f2csp", "lsp"]]


def test_names_are_those_of_the_server_and_the_extension():
    assert FIX_ALL in PAGE
    assert "--out f2csp.vsix" in EXTENSION["scripts"]["package"]
    assert "--install-extension f2csp.vsix" in PAGE
    assert "f2csp.command" in EXTENSION["contributes"]["configuration"]["properties"]


def test_vim_finds_the_places_of_errors(tmp_path: Path):
    vim = shutil.which("vim") or shutil.which("nvim")
    if vim is None:
        pytest.skip("neither Vim nor Neovim is installed")
    (tmp_path / "errors.txt").write_text(
        run("validate", "--format", "concise", ROOT / "samples/faulty/two-cells.csp").out, encoding="utf-8"
    )
    (place,) = [line for block in blocks("vim") for line in block.splitlines() if "errorformat" in line]
    script = f"{place}\ncgetfile errors.txt\ncall writefile([json_encode(getqflist()[0])], 'places.json')\nqall!\n"
    (tmp_path / "script.vim").write_text(script, encoding="utf-8")
    subprocess.run([vim, "-es", "-u", "NONE", "-S", "script.vim"], cwd=tmp_path, timeout=60, check=True, input=b"")
    first = json.loads((tmp_path / "places.json").read_text(encoding="utf-8"))
    assert [first[key] for key in ("valid", "lnum", "col", "type")] == [1, 20, 3, "e"]
    assert first["text"] == "value 9 is not in domain D1 of variable V1-2"
