"""The same tasks by f2csp and by other programs: whole processes, each started as its own users start it.

Each program must end with exit code 0 and print the answer; one that is not installed is named as missing.
"""

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING

import f2csp
from tests.benchmarks.measure import Answer, best, needs, process, start
from tests.benchmarks.models import xcsp3_models
from tests.benchmarks.texts import SAMPLE, Texts

if TYPE_CHECKING:
    from f2csp.puzzles.sudoku import Sudoku

_MODELS = Path(__file__).with_name("models")

Command = Sequence[str | Path]


@dataclass(frozen=True)
class Program:
    """A program that takes part in a task."""

    name: str
    command: Command  # its words; files are those of the task's folder
    answer: str  # matches a line of its standard output; ``{}`` and ``{,}`` are the number of solutions
    is_for_each: bool = False  # whether there must be such a line for each puzzle of ``puzzles.txt``
    stdin: str | None = None  # a file of the task's folder
    packages: tuple[str, ...] = ()  # of Python


@dataclass(frozen=True)
class Task:
    """Something that several programs can do."""

    name: str
    prepare: Callable[[Path, Texts], None]  # writes the files of the task into a folder
    programs: tuple[Program, ...]
    limit: float = 30.0  # seconds for each program
    n_solutions: tuple[int, int] = (1, 1)  # at full scale, and at the tiny one; of counts

    def folder(self, texts: Texts) -> Path:
        folder = texts.folder / f"task-{TASKS.index(self)}"
        if not folder.exists():
            folder.mkdir()
            self.prepare(folder, texts)
        return folder


TASK_HEAD = ("| task | program | CPU seconds | f2csp / program |", f"|{' --- |' * 4}")


def task_lines(number: int, texts: Texts) -> list[str]:
    """The lines of a task in the table, in Markdown, by time; another process asks for it by its number."""
    task = TASKS[number]
    folder = task.folder(texts)
    n_solutions = task.n_solutions[not texts.is_full]
    figures = {program.name: seconds_of(program, folder, task.limit, n_solutions) for program in task.programs}
    own = figures["f2csp"]
    assert own is not None, f"f2csp does not end within {task.limit:.0f} s: {task.name}"
    lines = []
    for name, seconds in sorted(figures.items(), key=lambda item: item[1] or task.limit):
        cost = f"{seconds:.3g} | {own / seconds:.2g}" if seconds else f"no answer in {task.limit:.0f} s |"
        lines.append(f"| {task.name} | {name} | {cost} |")
    return lines


def seconds_of(program: Program, folder: Path, limit: float, n_solutions: int) -> float | None:
    """The seconds of the processor that a program takes; None where it reaches the limit."""
    for name in (*program.packages, str(program.command[0])):
        needs(name)
    n_lines = len((folder / "puzzles.txt").read_text().splitlines()) if program.is_for_each else 1
    pattern = program.answer.replace("{}", f"{n_solutions}").replace("{,}", f"{n_solutions:,}")
    answer = Answer(pattern, n_lines)
    try:
        (seconds,) = best(
            lambda: process(program.command, limit=limit, folder=folder, stdin=program.stdin, answer=answer)
        )
    except TimeoutError:
        return None
    return seconds


# ---- The programs ----------------------------------------------------------------------------------------------------

_SATISFIABLE, _UNSATISFIABLE = "^s SATISFIABLE", "^s UNSATISFIABLE"
_SOLUTION = r"^\S+ = |│"


def _f2csp(answer: str, *words: str, is_for_each: bool = False) -> Program:
    return Program("f2csp", (*start(), *words), answer, is_for_each)


def _ace(file: str, *options: str, answer: str = _SATISFIABLE) -> Program:
    package = find_spec("pycsp3")
    places = package.submodule_search_locations if package else None
    jars = sorted(Path(places[0]).glob("solvers/ace/ACE-*.jar")) if places else []
    return Program("ACE", ("java", "-jar", *jars, file, "-npc", *options), answer, packages=("pycsp3",))


def _cosoco(file: str, *options: str, answer: str = _SATISFIABLE) -> Program:
    return Program("cosoco", ("cosoco", file, "-colors=0", *options), answer, packages=("cosoco_bin",))


def _minizinc(answer: str, *options: str) -> Program:
    return Program("MiniZinc with Gecode", ("minizinc", "--solver", "gecode", *options, "problem.mzn"), answer)


def _toulbar2(*options: str, answer: str = r"^New solution|^Number of solutions") -> Program:
    return Program("toulbar2", ("toulbar2", "problem.wcsp", *options), answer)


def _formula(name: str, task: str, package: str, answer: str = "^SATISFIABLE") -> Program:
    command = (sys.executable, _MODELS / "solve_cnf.py", task, "problem.cnf")
    return Program(name, command, answer, packages=("pysat", package))


_IN_PYTHON = {
    "OR-Tools, CP-SAT": ("cpsat", "ortools"),
    "PySAT, CaDiCaL": ("pysat", "pysat"),
    "pycsp3 with ACE": ("pycsp3", "pycsp3"),
    "python-constraint2": ("constraint", "constraint"),
}


def _in_python(*names: str, is_for_each: bool = False) -> Iterator[Program]:
    """Models of a Sudoku in Python."""
    for name in names:
        model, package = _IN_PYTHON[name]
        command = (sys.executable, _MODELS / "sudoku_models.py", model, "puzzles.txt")
        yield Program(name, command, "^solution", is_for_each, packages=(package,))


# ---- The tasks -------------------------------------------------------------------------------------------------------


def _write(folder: Path, problem: f2csp.Problem, *extensions: str, structure: bool = False) -> None:
    """The problem as ``problem.EXTENSION``; with its constraints by name, or with tables alone."""
    for extension in extensions:
        f2csp.write(problem, folder / f"problem.{extension}", structure=structure, encoding="direct")


def _write_values(folder: Path, puzzles: "Iterable[Sudoku]") -> None:
    """A line of the values of its cells for each puzzle."""
    lines = []
    for puzzle in puzzles:
        values = [0] * puzzle.size**2
        for row, column, value in puzzle.clues:
            values[(row - 1) * puzzle.size + column - 1] = value
        lines.append(" ".join(map(str, values)))
    (folder / "puzzles.txt").write_text("\n".join(lines) + "\n")


def _tables(folder: Path, texts: Texts) -> None:
    """A solved board of the middle size, with tables alone."""
    _write(folder, f2csp.to_problem(texts.partial(isqrt(texts.scale.middle), 0, 1)), "csp", "xml", "wcsp", "cnf")


def _sudoku(folder: Path, puzzle: "Sudoku") -> None:
    problem = f2csp.to_problem(puzzle)
    _write_values(folder, [puzzle])
    _write(folder, problem, "xml", "mzn", structure=True)
    _write(folder, problem, "csp", "wcsp")


def _small_sudoku(folder: Path, _: Texts) -> None:
    puzzle = f2csp.puzzle(SAMPLE, "sudoku:clues")
    _sudoku(folder, puzzle)
    f2csp.write(puzzle, folder / "puzzle.sdm", "sudoku:line")


def _large_sudoku(folder: Path, texts: Texts) -> None:
    _sudoku(folder, texts.partial(texts.scale.boards[0][0], 0))


def _sudokus(folder: Path, texts: Texts) -> None:
    lines = texts.sudoku_lines()
    (folder / "puzzles.sdm").write_bytes(lines.read_bytes())
    _write_values(folder, f2csp.puzzles(lines, "sudoku:line"))


def _instance(name: str) -> Task:
    def prepare(folder: Path, _: Texts) -> None:
        needs("pycsp3")
        command = [sys.executable, xcsp3_models.__file__, name]
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        (folder / "problem.xml").write_bytes(text)

    has_none = name == "pigeonholes"
    answer = _UNSATISFIABLE if has_none else _SATISFIABLE
    own = _f2csp("^UNSATISFIABLE" if has_none else _SOLUTION, "solve", "problem.xml")
    others = (_cosoco("problem.xml", answer=answer), _ace("problem.xml", answer=answer))
    return Task(f"solve in XCSP3: {name}", prepare, (own, *others))


def _counting(name: str, family: str, size: int, n_solutions: tuple[int, int], **options: object) -> Task:
    def prepare(folder: Path, texts: Texts) -> None:
        problem = f2csp.generate(
            family, size=size if texts.is_full else 4, **({} if family == "queens" else {"fill": 0})
        )
        _write(folder, problem, "csp", "cnf")
        _write(folder, problem, "xml", "mzn", structure=True)

    return Task(
        f"count {name}",
        prepare,
        (
            _f2csp("^{}$", "count", "problem.csp"),
            _formula("Ganak", "count", "pyganak", answer="^{}$"),
            _cosoco("problem.xml", "-nbsols=0", answer="^d N_SOLUTIONS {}$"),
            _ace("problem.xml", "-s=all", answer="^d FOUND SOLUTIONS +{,}$"),
            _minizinc("nSolutions={}$", "-a", "-s"),
        ),
        n_solutions=n_solutions,
    )


TASKS = (
    Task(
        "read and solve 36x36, tables, all cells given",
        _tables,
        (
            _f2csp(_SOLUTION, "solve", "problem.csp"),
            _cosoco("problem.xml"),
            _ace("problem.xml"),
            _toulbar2(),
            _formula("PySAT, CaDiCaL", "sat", "pysat"),
        ),
    ),
    Task(
        "solve Sudoku 9x9, 25 givens",
        _small_sudoku,
        (
            _f2csp(_SOLUTION, "solve", "problem.csp"),
            Program("qqwing", ("qqwing", "--solve", "--one-line"), "^[1-9]{81}$", stdin="puzzle.sdm"),
            *_in_python(*_IN_PYTHON),
            _cosoco("problem.xml"),
            _ace("problem.xml"),
            _toulbar2(),
            _minizinc("^-----"),
        ),
    ),
    Task(
        "solve Sudoku 25x25, 40 % given",
        _large_sudoku,
        (
            _f2csp(_SOLUTION, "solve", "problem.csp"),
            *_in_python(*_IN_PYTHON),
            _cosoco("problem.xml"),
            _ace("problem.xml"),
            _toulbar2(),
            _minizinc("^-----"),
        ),
    ),
    *map(_instance, xcsp3_models.NAMES),
    Task(
        "solve 10,000 Sudokus 9x9 of a file",
        _sudokus,
        (
            _f2csp('"status": "satisfiable"', "batch", "solve", "puzzles.sdm", "--jobs", "1", is_for_each=True),
            Program("qqwing", ("qqwing", "--solve", "--one-line"), "^[1-9]{81}$", True, stdin="puzzles.sdm"),
            *_in_python("PySAT, CaDiCaL", is_for_each=True),
        ),
        limit=300,
    ),
    _counting("Latin squares of order 5", "latin", 5, (161_280, 576), fill=0),
    _counting("10 queens", "queens", 10, (724, 2)),
)
