"""Names of files, titles, names and values that would steer a terminal, or the log of a job."""

from pathlib import Path

import pytest

from f2csp.diagnostics.render import csv_cell
from tests.cli.in_process import run

ESCAPE, CSI, OVERRIDE = "\x1b[2J", "\x9b2J", "\u202e"
HARMFUL = (ESCAPE[0], CSI[0], OVERRIDE, "\n::error file=x")
FILE = f"a\n::error file=x::{ESCAPE}{CSI}{OVERRIDE}.csp"
NAME = f"x{CSI}{OVERRIDE}"
PROBLEM = f"""=cmd{CSI}{OVERRIDE}
Domains: 1
d{CSI}: v{CSI} w{OVERRIDE}
Variables: 2
{NAME}: d{CSI}
y: d{CSI}
Constraints: 2
C{CSI}
Vars: 1
y
Reject: 1
v{CSI}
D
Vars: 1
y
Reject: 1
w{OVERRIDE}
Goal: Satisfy
"""
COMMANDS = (
    *("stats", "solve --competition", "unique", "count", "marginals", "explain", "board", "board --solution FILE"),
    *("validate", "validate --format concise", "validate --format github", "validate --format junit"),
    *("validate --statistics", "format --check", "check FILE", "check FILE --format github", "decode FILE"),
    *("graph -o x.svg", "report -o x.html", "compare --engines search", "solve --engine FILE", "solve --from FILE"),
    *("graph -o FILE", "convert - --to FILE", "solve --index 7", "stats --plot FILE", "code FILE"),
)


@pytest.mark.parametrize(
    "text", [PROBLEM, PROBLEM.replace("Reject: 1", "Reject: 7"), None], ids=["sound", "bad", "none"]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_output_obeys_a_name(command: str, text: str | None, tmp_path: Path):
    if text is not None:
        (tmp_path / FILE).write_text(text, encoding="utf-8")
    name, *arguments = command.split()
    done = run(name, FILE, *(FILE if word == "FILE" else word for word in arguments), cwd=tmp_path)
    written = [path.read_text(encoding="utf-8") for path in tmp_path.glob("x.*")]
    for shown in (done.out, done.err, *written):
        assert not [harmful for harmful in HARMFUL if harmful in shown]


@pytest.mark.parametrize(
    ("value", "cell"),
    [("=1+1", "'=1+1"), ("+cmd", "'+cmd"), ("-x", "'-x"), ("@a", "'@a"), ("-1.5", "-1.5"), ("a=b", "a=b"), (-1, -1)],
)
def test_a_cell_is_no_formula(value: object, cell: object):
    assert csv_cell(value) == cell
