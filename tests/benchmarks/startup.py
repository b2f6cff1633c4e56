"""What each command costs before it works: the whole process on a small input, and the heavy imports in it."""

import re
import subprocess
import sys
from functools import partial
from pathlib import Path

from f2csp.puzzles import KINDS
from tests.benchmarks.measure import NUMPY, best, process
from tests.benchmarks.texts import Texts

_SAMPLES = Path(__file__).parents[2] / "samples"
_HEAVY = {"numpy", "lark", "ortools", "rich"}


def commands(texts: Texts) -> dict[str, list[str | Path]]:
    """The arguments of each command on small inputs."""
    puzzle, clues = texts.sudoku(texts.scale.small), texts.clues(texts.scale.small)
    solution = texts.folder / "solution.txt"
    n = texts.scale.small
    solution.write_text("".join(f"V{r}-{c} = 1\n" for r in range(1, n + 1) for c in range(1, n + 1)))
    answer = texts.folder / "answer.txt"
    answer.write_text(f"v {' '.join(str(i if i % n == 1 else -i) for i in range(1, n**3 + 1))} 0\n")
    samples = {kind: max((_SAMPLES / kind).iterdir()) for kind in KINDS}  # most often the identifiers
    return {
        **{kind: [kind, sample, texts.folder / "out.csp"] for kind, sample in samples.items()},
        "--version": ["--version"],
        "code": ["code", "F304"],
        "stats --fast": ["stats", "--fast", puzzle],
        "stats": ["stats", puzzle],
        "validate": ["validate", puzzle],
        "format --check": ["format", "--check", puzzle],
        "sudoku": ["sudoku", clues, texts.folder / "out.csp"],
        "latin": ["latin", clues, texts.folder / "out.csp"],
        "futoshiki": ["futoshiki", "--text", r"2\nx < x\n- -\nx - x", texts.folder / "out.csp"],
        "takuzu": ["takuzu", texts.takuzu(), texts.folder / "out.csp"],
        "batch": ["batch", "validate", puzzle, "--jobs", "1"],
        "convert": ["convert", puzzle, texts.folder / "out.sdk"],
        "board": ["board", puzzle],
        "hint": ["hint", puzzle],
        "rate": ["rate", puzzle],
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
        "sample": ["sample", texts.sudoku_line()],
        "marginals": ["marginals", texts.sudoku_line()],
        "explain": ["explain", puzzle],
        "lsp --help": ["lsp", "--help"],
        "help": ["help"],
        "completion": ["completion", "bash"],
    }


def table(measured: dict[str, list[str | Path]]) -> list[str]:
    """The lines of the table of some commands, in Markdown."""
    lines = ["| command | x numpy | heavy imports |", "| --- | --- | --- |"]
    for name, arguments in measured.items():
        code = "import sys\nfrom f2csp.cli.main import main\ntry: main()\nexcept SystemExit as e: sys.exit(e.code == 2)"
        words = [str(word) for word in arguments]
        seconds, numpy = best(
            partial(process, [sys.executable, "-c", code, *words]), partial(process, NUMPY), seconds=1
        )
        traced = [sys.executable, "-X", "importtime", "-c", code, *words]
        trace = subprocess.run(traced, capture_output=True, text=True, check=True).stderr
        names = set(re.findall(r"^import time:.*\| +(\S+)$", trace, re.MULTILINE))
        lines.append(f"| `f2csp {name}` | {seconds / numpy:.1f} | {' '.join(sorted(names & _HEAVY)) or '-'} |")
    return lines
