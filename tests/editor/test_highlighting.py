"""The grammar for editors is the one that is made from that of the language, and colours texts as their tokens say."""

import json
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

import f2csp
from tests.rendering.test_pygments_lexer import VALID, words_of_tree

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "grammars/editors/vscode"
SCOPES = {
    "Token.Generic.Heading": "markup.heading",
    "Token.Name.Class": "entity.name.type",
    "Token.Name.Constant": "constant.other",
    "Token.Name.Variable": "variable.other",
    "Token.Name.Function": "entity.name.function",
    "Token.Literal.Number": "constant.numeric",
    "Token.Keyword": "keyword",
}


def test_the_textmate_grammar_is_made_from_the_grammar():
    made = runpy.run_path(str(ROOT / "grammars/editors/make.py"))
    assert made["TARGET"].read_text(encoding="utf-8") == made["grammar"]()


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.skipif(not (EXTENSION / "node_modules").exists(), reason=f"run npm ci in {EXTENSION.relative_to(ROOT)}")
def test_the_textmate_grammar_agrees_with_the_tokens():
    run = subprocess.run(["node", EXTENSION / "tokens.mjs", *VALID], capture_output=True, text=True, check=True)
    for path, line in zip(VALID, run.stdout.split("\n")[:-1], strict=True):
        text = path.read_bytes().decode().removeprefix("\ufeff")
        if any(":" in title.children[0] for title in f2csp.parse(text).find_data("title")):
            continue  # a title that looks like a section
        expected = [(word, SCOPES[str(kind)]) for word, kind in words_of_tree(text) if kind[0] != "Generic"]
        found = [(word, scope) for word, scope in json.loads(line) if not scope.startswith(("markup", "punctuation"))]
        assert [word for word, _ in found] == [word for word, _ in expected]
        for (word, scope), (_, wanted) in zip(found, expected, strict=True):
            is_label = wanted == "entity.name.function" and scope == "constant.other.f2csp"
            assert scope.startswith(wanted) or is_label, (path, word, scope)
