"""No command writes over a file that it reads."""

import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest

from tests.cli.in_process import run_program

SAMPLES = Path(__file__).parents[2] / "samples"

LINES = """
solve m.csp -o m.csp
solve m.csp -o ./d/../m.csp
solve m.csp --trace m.csp
solve m.csp --trace link.csp
solve d -o d/a.csp
validate m.csp --format sarif --output m.csp
validate d -o d/a.csp
sudoku m.txt m.txt
convert m.csp m.csp
convert m.csp .
convert d d/
stats m.csp -o m.csp
stats d -o d/a.csp
stats m.svg --plot m.svg
graph m.svg -o m.svg
graph m.csp --solution s.svg -o s.svg
report m.csp -o m.csp
report m.csp --trace s.svg -o s.svg
board m.svg -o m.svg
board m.csp --solution s.svg -o s.svg
compare m.svg --plot m.svg
compare --experiment m.svg --plot m.svg
batch solve m.csv -o m.csv
batch solve @m.csv -o m.csv
batch dedupe m.txt:1 -o m.txt --to sudoku:line
validate @m.csv --format sarif --output m.csv
validate m.txt:1 --format sarif --output m.txt
batch solve . -o m.csv
decode m.csp s.svg --from xcsp3 -o s.svg
decode m.csp s.svg --from xcsp3 -o m.csp
generate coloring --graph s.svg --colours 3 -o s.svg
solve m.csp -o new --trace new
stats m.csp -o new.svg --plot ./new.svg
"""


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_an_output_that_is_an_input_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    for name in ("m.csp", "m.svg", "m.csv", "d/a.csp"):
        copyfile(SAMPLES / "map.csp", tmp_path / name)
    copyfile(SAMPLES / "map-solutions.txt", tmp_path / "s.svg")
    copyfile(SAMPLES / "sudoku" / "9x9.txt", tmp_path / "m.txt")
    (tmp_path / "link.csp").symlink_to("m.csp")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    done = run_program(*line.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert (b"is both input and output" in done.stderr) or b"two results cannot both be written to" in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_a_device_may_be_input_and_output(tmp_path: Path) -> None:
    copyfile(SAMPLES / "map.csp", tmp_path / "m.csp")
    assert run_program("validate", tmp_path / "m.csp", "/dev/null", "-o", "/dev/null").returncode == 1


def appended(folder: Path, *line: str) -> int:
    """Run a command that reads and goes on with ``m.csp``; return its exit code."""
    with (folder / "m.csp").open("ab") as out, (folder / "m.csp").open("rb") as stdin:
        return subprocess.run([sys.executable, "-m", "f2csp", *line], stdin=stdin, stdout=out, check=False).returncode


@pytest.mark.parametrize("line", ["stats {}", "format -", "convert {} -", "validate {} -o /dev/stdout"])
def test_standard_output_is_no_input(line: str, tmp_path: Path) -> None:
    copyfile(SAMPLES / "map.csp", tmp_path / "m.csp")
    assert appended(tmp_path, *line.format(tmp_path / "m.csp").split()) == 2
    assert (tmp_path / "m.csp").read_bytes() == (SAMPLES / "map.csp").read_bytes()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_the_name_of_standard_output_does_not_replace_its_file(name: str, tmp_path: Path) -> None:
    (tmp_path / "m.csp").write_text("before\n")
    assert appended(tmp_path, "convert", str(SAMPLES / "map.csp"), name, "--to", "f2csp") == 0
    assert (tmp_path / "m.csp").read_bytes() == b"before\n" + (SAMPLES / "map.csp").read_bytes()
