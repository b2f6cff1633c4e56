"""The gallery: pictures that the program draws while the page is built."""

from collections.abc import Container
from io import StringIO

import f2csp
from docs.program import ROOT, sample_of
from f2csp.puzzles import KINDS

_SAMPLES = ROOT / "samples"


def gallery(others: Container[str]) -> dict[str, str]:
    """The page and its pictures; it shows the plot of an experiment, too, if that is among the other files."""
    files = {}
    lines = [
        "# Gallery",
        "",
        "Every picture is drawn by the program, as SVG, when this site is built.",
        "",
        "## Boards",
        "",
    ]
    for kind, title in KINDS.items():
        name, index = sample_of(kind)
        puzzle = f2csp.puzzle(_SAMPLES / name, kind, index=index)
        files[f"gallery/{kind}.svg"] = f2csp.svg_board(puzzle)
        files[f"gallery/{kind}-solved.svg"] = f2csp.svg_board(
            puzzle, f2csp.solve(f2csp.to_problem(puzzle), engine="search")
        )
        lines += [
            f"### {title}",
            "",
            f"![A {title}](gallery/{kind}.svg) ![The same, solved](gallery/{kind}-solved.svg)",
            "",
        ]
        lines += [
            f"`f2csp board samples/{name} --from {kind} --index {index} -o {kind}.svg`, and with `--solution`.",
            "",
        ]
    problem = f2csp.load(_SAMPLES / "map.csp")
    grid = f2csp.to_problem(f2csp.puzzle(_SAMPLES / "sudoku/4x4.txt", "sudoku:clues"))
    files |= {"gallery/map.svg": f2csp.svg_graph(problem, f2csp.solve(problem, engine="search"))}
    files |= {"gallery/graph.svg": f2csp.svg_graph(grid)}
    lines += ["## Constraint graphs", "", "![Two countries](gallery/map.svg) ![A 4x4 Sudoku](gallery/graph.svg)", ""]
    lines += ["`f2csp graph FILE -o graph.svg`", ""]
    if report := _report():
        files["gallery/report.html"] = report
        lines += [
            "## A report page",
            "",
            "[The report of a Sudoku without a solution](gallery/report.html): one file of HTML,",
            "",
        ]
        lines += ["`f2csp report samples/sudoku/9x9-no-solution.txt -o report.html`", ""]
    if "experiments/latin.svg" in others:
        lines += ["## Plots", "", "![Searches on Latin squares](experiments/latin.svg)", ""]
        lines += ["`f2csp compare --experiment samples/experiments/latin.toml --plot latin.svg`", ""]
    lines += ["[Experiments](experiments.md) compare engines and configurations of searches.", ""]
    return files | {"gallery.md": "\n".join(lines)}


def _report() -> str:
    """The page of a sample; empty where jinja2 is missing."""
    from f2csp.diagnostics import MissingExtra
    from f2csp.files import read_source
    from f2csp.instances import instances
    from f2csp.rendering.report_page import report_page

    try:
        return report_page(next(instances(read_source(_SAMPLES / "sudoku" / "9x9-no-solution.txt"))))
    except MissingExtra:
        return ""


def picture() -> str:
    """The board of the README and of the first page: a Jigsaw Sudoku with its candidates."""
    puzzle = f2csp.puzzle(StringIO(_FRONT), "sudoku:grid")
    return f2csp.svg_board(puzzle, candidates=True)


_FRONT = """\
+-------+-------+-------+
| 3 . . | . . . | . . . |
| 8 . . | 1 . 9 | 2 . 4 |
| 9 6 . | 5 . . | . . . |
+-------+-------+-------+
| 4 . . | 8 9 . | . . . |
| . . 1 | 4 . 5 | 9 . . |
| . . . | . 7 1 | . . 6 |
+-------+-------+-------+
| . . . | . . 4 | . 5 8 |
| 1 . 5 | 9 . 2 | . . 7 |
| . . . | . . . | . . 2 |
+-------+-------+-------+
"""
