"""What each command costs before it works: the whole process on a small input, and the heavy imports in it."""

import re
import subprocess
from functools import partial
from pathlib import Path

import f2csp
from f2csp.puzzles import KINDS
from tests.benchmarks.measure import NUMPY, best, process, start
from tests.benchmarks.texts import Texts

_SAMPLES = Path(__file__).parents[2] / "samples"
_HEAVY = {"numpy", "lark", "ortools", "rich"}


def commands(texts: Texts) -> dict[str, list[str | Path]]:
    """The arguments of each command on small inputs."""
    puzzle, clues = texts.unique(), texts.unique_clues()
    problem = f2csp.load(puzzle)
    values = f2csp.solve(problem).solution
    assert values
    solution, answer = texts.folder / "solution.txt", texts.folder / "answer.txt"
    f2csp.dump_solutions(values, problem, solution)
    cases = [(variable.name, value) for variable in problem.variables for value in variable.domain.values]
    literals = [i if values[name] == value else -i for i, (name, value) in enumerate(cases, 1)]
    answer.write_text(f"v {' '.join(map(str, literals))} 0\n")
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
        "sample": ["sample", puzzle],
        "marginals": ["marginals", puzzle],
        "explain": ["explain", _SAMPLES / "sudoku/9x9-no-solution.txt"],
        "lsp --help": ["lsp", "--help"],
        "help": ["help"],
        "completion": ["completion", "bash"],
    }


def table(measured: dict[str, list[str | Path]]) -> list[str]:
    """The lines of the table of some commands, in Markdown."""
    lines = ["| command | x numpy | heavy imports |", "| --- | --- | --- |"]
    for name, arguments in measured.items():
        python, *program = (*start(), *map(str, arguments))
        seconds, numpy = best(partial(process, [python, *program]), partial(process, NUMPY), seconds=1)
        traced = [python, "-X", "importtime", *program]
        trace = subprocess.run(traced, capture_output=True, text=True, check=True).stderr
        names = set(re.findall(r"^import time:.*\| +(\S+)$", trace, re.MULTILINE))
        lines.append(f"| `f2csp {name}` | {seconds / numpy:.1f} | {' '.join(sorted(names & _HEAVY)) or '-'} |")
    return lines
