"""The page on editors: what it says to write can be read, and it names what there is."""

import json
import re
import tomllib
from pathlib import Path

from f2csp.editor.edits import FIX_ALL

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
