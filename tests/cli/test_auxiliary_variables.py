"""Auxiliary variables of an import: no command shows them, and no solution needs them."""

import json
from pathlib import Path

import pytest

import f2csp
from f2csp.model.words import is_auxiliary
from tests.cli.in_process import run

TEXT = """<instance format="XCSP3" type="CSP">
<variables> <array id="x" size="[9]"> 0..8 </array> </variables>
<constraints>
<sum> <list> x[] </list> <condition> (ge,69) </condition> </sum>
</constraints>
</instance>
"""


@pytest.fixture(params=["sum.xml", "sum.csp"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "sum.xml").write_text(TEXT)
    if request.param == "sum.csp":
        f2csp.dump(f2csp.read(tmp_path / "sum.xml"), tmp_path / "sum.csp")
    assert any(map(is_auxiliary, f2csp.read(tmp_path / request.param).variable_names))
    return str(tmp_path / request.param)


def output(*args: str) -> str:
    done = run(*args)
    assert done.code in (0, 3, 10), done
    return done.out


def test_they_are_not_shown(file: str, tmp_path: Path) -> None:
    for command in ("solve", "unique", "sample", "marginals"):
        for options in ([], ["--json"]):
            text = output(command, file, *options)
            assert "x[8]" in text
            assert "~" not in text
    assert "~" not in output("solve", file, "--competition", "-o", str(tmp_path / "solution.txt"))
    assert "~" not in (tmp_path / "solution.txt").read_text()


def test_they_do_not_count(file: str) -> None:
    assert output("count", file) == "220\n"
    assert output("count", file, "--method", "enumerate") == "220\n"
    assert len(json.loads(output("solve", file, "--all", "--json"))["solutions"]) == 220


def test_a_solution_does_not_need_them(file: str, tmp_path: Path) -> None:
    solution = tmp_path / "solution.txt"
    solution.write_text("".join(f"x[{i}] = {8 - (i == 3)}\n" for i in range(9)))
    assert "1 of 1 holds" in output("check", file, str(solution))
    solution.write_text("".join(f"x[{i}] = {8 - (i > 4)}\n" for i in range(9)))
    assert "1 of 1 holds" not in output("check", file, str(solution))


def test_neither_does_the_answer_of_a_solver_which_may_name_whole_arrays(file: str, tmp_path: Path) -> None:
    answer = tmp_path / "ace.log"
    answer.write_text("v <instantiation> <list> x[] </list> <values> 8x8 7 </values> </instantiation>\n")
    assert "1 of 1 holds" in output("check", file, str(answer))


def test_options_of_an_import_have_no_effect_on_other_files(file: str) -> None:
    options = ("--max-tuples", "2000000", "--ignore-objective")
    result = run("count", file, *options)
    is_refused = file.endswith(".csp")
    assert result.out == ("" if is_refused else "220\n")
    assert ("is no instance of XCSP3 or XCSP 2.1: --max-tuples has no effect" in result.err) == is_refused
