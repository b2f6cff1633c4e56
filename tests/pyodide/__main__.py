"""The tests inside Pyodide, the smallest 32-bit machine there is: ``python -m tests.pyodide [ARGUMENTS]``.

It needs node and npm, which bring the runtime and NumPy; pip brings pytest and the other packages in pure
Python. Without arguments, it runs the parts below, in two processes at a time. Tests that need what is not there are
marked: an engine or a module by ``importorskip``, or by the hook in ``conftest.py``, as processes and threads.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from docs.try_page import ROOT, node_modules, numpy_of

PARTS = (
    ["tests/text", "tests/model", "tests/diagnostics"],
    ["tests/boards", "tests/structure", "tests/encode"],
)
# The last Hypothesis in pure Python; the others have no code in C.
_PACKAGES = ["click", "hypothesis==6.139.3", "lark", "networkx", "pytest", "rich"]
_PURE = ["--python-version=3.12", "--implementation=py", "--abi=none", "--platform=any", "--only-binary=:all:"]
_OPTIONS = ["-q", "--capture=sys", "-p", "no:cacheprovider", "--rootdir=/repository", "--tb=short", "-rf"]
_SECONDS = 600


def site_of(place: Path, numpy: Path) -> Path:
    """A folder with all packages, made once."""
    site = place / "site"
    if not (site / "numpy").exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(site), *_PURE, *_PACKAGES]
        subprocess.run(pip, check=True)
        shutil.copytree(numpy / "numpy", site / "numpy", dirs_exist_ok=True)
    return site


def main(args: list[str]) -> int:
    """Run the parts, or what the arguments name; the exit code is that of pytest."""
    place = Path(os.environ.get("F2CSP_NODE", ROOT / "build" / "node"))
    modules = node_modules(place)
    site = site_of(place, numpy_of(modules, place))
    # Deep recursion, of nested JSON for one, is to end in Python's own error, not in that of the engine.
    start = [
        "node",
        "--stack-size=6000",
        str(ROOT / "tests" / "pyodide" / "run.mjs"),
        str(modules.resolve()),
        str(site),
        str(ROOT),
    ]
    runs = [subprocess.Popen([*start, *_OPTIONS, *part]) for part in ([args] if args else PARTS)]
    try:
        return max(run.wait(_SECONDS) for run in runs)
    finally:
        for run in runs:
            run.kill()


if __name__ == "__main__":
    if shutil.which("npm") is None:
        print("there is no npm: the tests inside Pyodide are skipped")
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
