"""The command, and what it needs."""

import subprocess
import sys


def run(code: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; {code}; from f2csp.cli.main import main; sys.argv = ['f2csp', 'lsp']; main()"
    return subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def test_the_missing_extra_is_named():
    found = run("sys.modules['pygls'] = None")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == (
        "f2csp: serving an editor needs an optional package; install it with: pip install 'f2csp[lsp]'\n"
    )


def test_the_server_ends_with_its_input():
    found = run("pass")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
