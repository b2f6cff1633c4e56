"""Mending: only what is certain changes, and a valid text keeps its meaning."""

from pathlib import Path

import pytest

from f2csp.diagnostics import Source
from f2csp.files import read_source
from f2csp.text.load import apply_fixes, load, loads

CORPUS = Path(__file__).parents[1] / "corpus"
TEXT = """Two cells
Domains:
1
D1: 1 2 Red
Variables:
2
V1: D1
V2: D1
Constraints:
2
C1
Vars:
2
V1 V2
Reject:
2
1 1
2 Red
C2
Vars:
1
V1
Accept:
1
Red
Goal:
Satisfy
"""


def test_several_faults_are_fixed_at_once():
    damaged = TEXT
    for word in ("Domains:\n1", "Variables:\n2", "Constraints:\n2", "Reject:\n2", "Vars:\n2", "Vars:\n1", "Accept:\n1"):
        damaged = damaged.replace(word, word.split("\n")[0])
    assert apply_fixes(Source("a", damaged.encode())).report.require() == loads(TEXT)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("valid/*/*.csp")), ids=lambda path: path.name)
def test_a_valid_text_keeps_its_meaning(path):
    assert apply_fixes(read_source(path)).report.require() == load(path)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("invalid/F[!0]*/*.csp")), ids=lambda path: path.name)
def test_nothing_that_can_be_fixed_is_left(path):
    fixed = apply_fixes(Source("a", path.read_bytes()))
    assert not any(d.fix and d.fix.is_safe for d in fixed.report.diagnostics)
    assert apply_fixes(fixed.source).source == fixed.source
    assert not any(d.fix for d in apply_fixes(fixed.source, unsafe=True).report.diagnostics)
