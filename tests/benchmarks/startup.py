"""What each command costs before it works: the whole process on a small input, and the imports in it."""

import re
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.measure import best_process
from tests.benchmarks.texts import Texts

_SAMPLES = Path(__file__).parents[2] / "samples"
_VARIANTS = ("jigsaw", "diagonal", "killer")
_HEAVY = ("numpy", "lark", "rich")


def commands(texts: Texts) -> dict[str, list[str | Path]]:
    """The arguments of each command on small inputs."""
    puzzle, clues = texts.sudoku(texts.scale.small), texts.clues(texts.scale.small)
    solution = texts.folder / "solution.txt"
    n = texts.scale.small
    solution.write_text("".join(f"V{r}-{c} = 1\n" for r in range(1, n + 1) for c in range(1, n + 1)))
    answer = texts.folder / "answer.txt"
    answer.write_text(f"v {' '.join(str(i if i % n == 1 else -i) for i in range(1, n**3 + 1))} 0\n")
    return {
        "--version": ["--version"],
        "code": ["code", "F304"],
        "stats --fast": ["stats", "--fast", puzzle],
        "stats": ["stats", puzzle],
        "validate": ["validate", puzzle],
        "format --check": ["format", "--check", puzzle],
        "sudoku": ["sudoku", clues, texts.folder / "out.csp"],
        "latin": ["latin", clues, texts.folder / "out.csp"],
        "futoshiki": ["futoshiki", "--text", r"2\nx < x\n- -\nx - x", texts.folder / "out.csp"],
        **{kind: [kind, _SAMPLES / kind / "tatham.txt", texts.folder / "out.csp"] for kind in _VARIANTS},
        "takuzu": ["takuzu", texts.takuzu(), texts.folder / "out.csp"],
        "batch": ["batch", "validate", puzzle, "--jobs", "1"],
        "convert": ["convert", puzzle, texts.folder / "out.sdk"],
        "board": ["board", puzzle],
        "graph": ["graph", puzzle, "-o", texts.folder / "out.dot"],
        "report": ["report", puzzle, "-o", texts.folder / "out.html"],
        "generate": ["generate", "sudoku", "--seed", "7", "-o", texts.folder / "out.csp"],
        "check": ["check", puzzle, solution],
        "decode": ["decode", puzzle, answer, "--from", "dimacs"],
        "compare": ["compare", puzzle, "--engines", "search", "--repeats", "1"],
        "engines": ["engines"],
        "formats": ["formats"],
        "solve": ["solve", puzzle],
        "solve --engine sat": ["solve", puzzle, "--engine", "sat"],
        "unique": ["unique", puzzle],
        "count": ["count", puzzle, "--limit", "3"],
        "sample": ["sample", puzzle],
        "marginals": ["marginals", puzzle],
        "explain": ["explain", puzzle],
        "help": ["help"],
        "completion": ["completion", "bash"],
    }


def table(measured: dict[str, list[str | Path]], runs: int = 5) -> list[str]:
    """The lines of the table of some commands, in Markdown."""
    nothing, _ = best_process([sys.executable, "-c", "pass"], runs)
    lines = ["| command | process, ms | above `pass`, ms | imports, ms | of these |", "| --- | --- | --- | --- | --- |"]
    for name, arguments in measured.items():
        seconds, imports, heavy = _measure(arguments, runs)
        figures = f"{seconds * 1e3:.0f} | {(seconds - nothing) * 1e3:.0f} | {imports:.0f}"
        lines.append(f"| `f2csp {name}` | {figures} | {' '.join(heavy) or '-'} |")
    return lines


def _measure(arguments: list[str | Path], runs: int) -> tuple[float, float, list[str]]:
    """Seconds of the process, milliseconds of its imports, and the heavy packages among them."""
    code = "import sys\nfrom f2csp.cli.main import main\ntry: main()\nexcept SystemExit as e: sys.exit(e.code == 2)"
    words = [str(word) for word in arguments]
    seconds, _ = best_process([sys.executable, "-c", code, *words], runs)
    traced = [sys.executable, "-X", "importtime", "-c", code, *words]
    trace = subprocess.run(traced, capture_output=True, text=True, check=True).stderr
    imports = re.findall(r"^import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)$", trace, re.MULTILINE)
    names = {name for _, name in imports}
    return seconds, sum(int(own) for own, _ in imports) / 1e3, [name for name in _HEAVY if name in names]
