"""``f2csp graph``: files in each format, and what does not fit."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from f2csp.cli.draw import graph

SAMPLES = Path(__file__).parents[2] / "samples"


def invoke(*args: str | Path) -> Result:
    return CliRunner().invoke(graph, [str(arg) for arg in args], standalone_mode=False)


@pytest.mark.parametrize(
    ("name", "part"), [("g.svg", "France = red"), ("g.dot", 'value="red"'), ("g.graphml", '<data key="value">red')]
)
def test_a_graph_is_written_with_the_values_of_a_solution(name: str, part: str, tmp_path: Path) -> None:
    result = invoke(SAMPLES / "map.csp", "--solution", SAMPLES / "map-solutions.txt", "-o", tmp_path / name)
    assert (result.return_value, result.output) == (0, "")
    assert part in (tmp_path / name).read_text()


def test_a_puzzle_on_standard_output_is_svg() -> None:
    result = invoke(SAMPLES / "jigsaw" / "tatham.txt", "-o", "-")
    assert result.stdout.startswith("<svg")
    assert "read the first of" in result.stderr


def test_faults_and_missing_files_are_reported(tmp_path: Path) -> None:
    assert invoke(SAMPLES / "faulty" / "two-cells.csp", "-o", tmp_path / "g.svg").return_value == 1
    assert invoke(tmp_path / "missing.csp", "-o", tmp_path / "g.svg").return_value == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-", "--solution", "-", "-o", "-"], "only one of the two files can be standard input"),
        (["a.csp", "-o", "b.txt"], "expected a name that ends in .svg, .png, .pdf, .dot, .graphml, found b.txt"),
        (["a.csp"], "Missing option '--output' / '-o'"),
    ],
)
def test_wrong_usage(args: list[str], message: str) -> None:
    result = invoke(*args)
    assert isinstance(result.exception, click.UsageError)
    assert message in result.exception.format_message()
