"""What is taken from the grammar without lark is what lark takes from it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from f2csp.text.terminals import language, terminal

CORPUS = Path(__file__).parents[1] / "corpus"
TERMINALS = {t.name: t.pattern.to_regexp() for t in language().terminals}
TEXTS = [
    *b"".split(),
    b"Vars: 2\nx y\n",
    b"vARS :\r\n \n 17 \n\n x",
    b"Vars: 02\n",
    b"Vars: 2 3\n",
    b"Reject:\n0",
    b"Accept:\n\t9\nGoal:",
    b"Domains:\n1\n",
    b"Variables: 1000000000000000000\n",
    b"Variables:\t100\n",
    b"constraints:\n999999999999999999\n",
    b"Goal: Satisfy all constraints.\n",
    b"Goal:\nsatisfy  all\nx",
    b"Goal: satisfied",
    b"Goal : none of these",
    b"D: 1 2, 3\nVariables: 1",
    b"D = { 1..9 }",
    b"x\t: D\r\n\r\n",
    b"C1:\nVars: 2",
    b"V1-1, V1-2\nV3\nAccept: 1",
    b"(1, 2) (2 1)\n1 1\nC1\nVars:",
]


@pytest.mark.parametrize(
    "name",
    [*"DOMAINS VARIABLES CONSTRAINTS VARS REJECT ACCEPT GOAL DOMAIN_LINE VARIABLE_LINE LABEL SCOPE TUPLES".split()],
)
def test_a_terminal_is_the_same_as_larks(name: str):
    pattern = re.compile(TERMINALS[name].encode())
    matches = [pattern.match(text) for text in TEXTS]
    assert [m and m.span() for m in map(terminal(name).match, TEXTS)] == [m and m.span() for m in matches]
    assert any(matches)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("canonical/already-canonical.out.csp", set()),
        ("invalid/F304-value-not-in-domain/value-outside.csp", set()),
        ("invalid/F103-count-mismatch/drop-first-tuple.csp", set()),
        ("invalid/F011-misplaced-punctuation/braces-in-a-tuple.csp", set()),
    ],
)
def test_only_what_a_text_needs_is_imported(case: str, expected: set[str]):
    code = "import sys, f2csp; f2csp.validate(sys.argv[1]);print(*{'lark'} & set(sys.modules))"
    command = [sys.executable, "-c", code, str(CORPUS / case)]
    assert set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()) == expected
