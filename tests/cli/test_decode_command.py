"""``f2csp decode`` and ``check --from``: the model of a SAT solver, in the problem's names."""

from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical195

import f2csp
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from tests.cli.in_process import run

PUZZLE = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3), Clue(2, 1, 3), Clue(3, 1, 2)))
SOLUTION = ["1", "4", "3", "2", "3", "2", "4", "1", "2", "3", "1", "4", "4", "1", "2", "3"]


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "puzzle.csp"
    f2csp.dump(to_problem(PUZZLE), path)
    return path


@pytest.mark.parametrize("encoding", ["direct", "support", "order"])
def test_the_model_of_a_sat_solver(problem: Path, tmp_path: Path, encoding: str) -> None:
    cnf, answer = tmp_path / "puzzle.cnf", tmp_path / "answer.txt"
    assert run("convert", problem, cnf, "--encoding", encoding, "--structure").code == 0
    with Cadical195(bootstrap_with=CNF(from_file=str(cnf))) as solver:
        assert solver.solve()
        answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n")
    assert run("check", problem, answer, "--from", "dimacs").code == 0
    names = [f"V{row}-{column}" for row in range(1, 5) for column in range(1, 5)]
    due = "".join(f"{name} = {value}\n" for name, value in zip(names, SOLUTION, strict=True))
    assert run("decode", problem, answer, "--from", "dimacs").out == due
    out = tmp_path / "solution.json"
    assert run("decode", problem, answer, "--from", "dimacs", "--json", "-o", out).code == 0
    assert run("check", problem, out).code == 0
