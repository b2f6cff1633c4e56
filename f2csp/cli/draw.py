"""``f2csp board``, ``graph`` and ``report``."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.convert import Folder, is_directory
from f2csp.cli.drawing import board_writer
from f2csp.cli.failures import first_lines, refuse, say
from f2csp.cli.options import (
    FILE,
    FILES,
    LOOK,
    NUMBER,
    ONE_FILE,
    OUT,
    PROBLEMS,
    SECONDS,
    Look,
    option,
    picture_ending,
    shown,
)
from f2csp.cli.progress import clock
from f2csp.cli.session import Answer, Session, command, gathered, reads, setting, switch
from f2csp.diagnostics import F2cspError, counted, listed
from f2csp.files import read_source, write_chunks
from f2csp.puzzles.puzzle import Puzzle, cell_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from f2csp.instances import Instance
    from f2csp.model import Value
    from f2csp.rendering.pictures import Picture
    from f2csp.solutions import Solution

_SOLUTION: dict[str, Any] = {"metavar": "SOLUTION", "type": FILE}
_MAX_LISTED = 5  # cells
_NUMBER_K = NUMBER | {"metavar": "K"}
_MAX_SEARCHES = 3  # side by side
_GRAPH_ENDINGS = (".svg", ".png", ".pdf", ".dot", ".graphml")


@dataclass
class _Drawing(Session):
    """A session that prints boards, writes one, or keeps all for a worksheet."""

    solution: str | None = setting("--solution", "Fill in the values of this solution file.", **_SOLUTION)
    solution_index: int | None = setting("--solution-index", "Take solution number K of SOLUTION.", **_NUMBER_K)
    output: str | None = setting("--output -o", "Write a picture: OUT.svg, .png or .pdf; to OUT/, SVG of each.", **OUT)
    candidates: bool = switch("--candidates", "Show the values that arc consistency leaves, in pictures.")
    per_page: int | None = setting("--per-page", "Write a worksheet of N puzzles a page, the solutions last.", **NUMBER)
    puzzles: list[Puzzle] = field(default_factory=list, init=False)
    folder: Folder | None = field(default=None, init=False)

    def draw(self, look: Look, ending: str, instance: Instance) -> Answer:
        puzzle, has_others = instance.puzzle, self.has_others(instance)
        values: Solution = {}
        wrong: list[str] = []
        if self.solution is not None:
            if has_others:
                raise F2cspError("--solution applies to a single puzzle; select one with --index")
            values = self._values(instance, self.solution)
            wrong = _check(puzzle, values, self.solution)
        code = 3 if wrong else 0
        if self.output is None:
            return Answer("drawn", code, show=partial(click.echo, board_writer(puzzle, look, wrong)(values), nl=False))
        if self.per_page is not None:
            self.puzzles.append(puzzle)
        elif has_others and not self.folder:
            raise click.UsageError(
                "a picture shows a single puzzle; for several, name a directory (OUT/) or use --per-page"
            )
        else:
            output = self.folder.name_for(instance, self.sources) if self.folder else self.output
            _write_pictures([_picture(puzzle, values, self.candidates, wrong)], ending, output)
        return Answer("drawn", code)

    def _values(self, instance: Instance, solution: str) -> Solution:
        """The values in a solution file, which may leave out variables."""
        solutions = self.solutions(solution, instance, optional=instance.problem.variable_names)
        n, index = len(solutions), self.solution_index
        if index is None and n > 1:
            say(f"{solution}: drew the first of {n:,} solutions (see --solution-index)")
        if index is not None and index > n:
            raise F2cspError(f"{solution}: no solution number {index:,}: the file has {n:,}")
        return solutions[(index or 1) - 1]


@command("board")
@gathered("session", _Drawing, FILES, *PROBLEMS)
@LOOK
def board_command(session: _Drawing, look: Look) -> int:
    """Draw the puzzles in FILE, on standard output or as a picture.

    FILE has any format; the puzzle in an F2CSP file is recognised by its constraints. SOLUTION has lines
    NAME = VALUE, is JSON or a board; auxiliary variables and cells may be missing. Either file may be compressed, one
    of them may be - for standard input. On a terminal the givens are bold and the other values coloured. Exit code 3:
    the solution contradicts a given, or breaks a rule of the puzzle; these cells are marked.

    \b
    Examples:
      f2csp board puzzle.csp
      f2csp board puzzle.csp --solution solution.txt
      f2csp board puzzles.sdm --index 7 --ascii
      f2csp sudoku clues.txt | f2csp board -
      f2csp board puzzle.csp --candidates -o puzzle.svg
      f2csp board puzzles.sdm -o pictures/
      f2csp board puzzles.sdm --index 1-12 --per-page 6 -o worksheet.pdf
    """
    per_page, output, solution = session.per_page, session.output, session.solution
    has_options = session.candidates or per_page is not None
    refuse(output is None and has_options, "--candidates and --per-page require --output")
    refuse(output and look != Look(), "--ascii, --compact and --numbers apply to text, not to pictures")
    if output is not None and is_directory(output):
        refuse(per_page is not None, "--per-page writes one file, not a directory")
        session.folder = Folder(output, ".svg")
    ending = ".svg" if session.folder else "" if output is None else picture_ending(output)
    refuse(solution is None and session.solution_index is not None, "--solution-index requires --solution")
    has_others = session.candidates or solution is not None or ending == ".png"
    refuse(per_page is not None and has_others, "--per-page writes .svg or .pdf, without --candidates and --solution")
    code = session.answer_each(partial(session.draw, look, ending), totals_to_stderr=True)
    if output is not None and per_page is not None and code == 0:
        from f2csp.rendering.svg_board import worksheet

        _write_pictures(worksheet(session.puzzles, per_page), ending, output)
    return code


def _picture(puzzle: Puzzle, values: Solution, has_candidates: bool, wrong: Sequence[str]) -> Picture:
    from f2csp.rendering.svg_board import board_picture, candidates_of

    grid = puzzle.grid_of(values)
    candidates = candidates_of(puzzle, grid) if has_candidates else None
    return board_picture(puzzle, grid, candidates, {cell for name in wrong if (cell := cell_of(name))})


def _write_pictures(pages: Sequence[Picture], ending: str, output: str) -> None:
    from f2csp.rendering.pictures import encoded

    write_chunks([encoded(pages, ending)], output)


def _check(puzzle: Puzzle, solution: Solution, name: str) -> list[str]:
    """Report changed givens, broken rules, and cells without a value; return the variables of the wrong cells."""
    conflicts = list(puzzle.conflicts_of(solution))
    for message in first_lines([conflict.message for conflict in conflicts]):
        say(f"{name}: {message}")
    if blank := puzzle.blanks_of(solution):
        cells = listed(map(str, blank), _MAX_LISTED, "; ")
        say(f"{name}: no value for {counted(len(blank), 'cell')}: {cells}")
    return [clue.cell.variable for conflict in conflicts for clue in conflict.clues]


@command("graph")
@reads(ONE_FILE, *PROBLEMS)
@option("--output", "-o", **OUT, required=True, help="Write OUT; its ending is the format.")
@option("--solution", **_SOLUTION, help="Colour the variables by their values.")
def graph_command(session: Session, output: str, solution: str | None) -> int:
    """Draw the constraint graph of FILE.

    Two variables are adjacent when some scope contains both. OUT ends in .svg, .png or .pdf for a picture, in .dot for
    Graphviz, in .graphml for Gephi, yEd and networkx; - is SVG on standard output. Cells of a puzzle are at their
    places on the board; other graphs are laid out by forces between their nodes. A graph of more than 3,000 edges or
    400 variables, of a puzzle 1,000, is drawn as a matrix. Of several solutions the first is taken.

    \b
    Examples:
      f2csp graph puzzle.csp -o graph.svg
      f2csp graph map.csp --solution solution.txt -o map.png
      f2csp graph puzzle.csp -o graph.dot
    """
    ending = picture_ending(output, _GRAPH_ENDINGS)
    from f2csp.rendering.graph_picture import dot_chunks, graph_picture, graphml_chunks

    def draw(instance: Instance) -> None:
        problem = instance.problem
        values: Mapping[str, Value] = {}
        if solution is not None:
            values = session.solutions(solution, instance, optional=problem.variable_names)[0]
        chunks = {".dot": dot_chunks, ".graphml": graphml_chunks}.get(ending)
        if chunks:
            write_chunks((chunk.encode() for chunk in chunks(problem, values)), output)
        else:
            _write_pictures([graph_picture(problem, values)], ending, output)

    return session.work_on_first(draw)


@command("report")
@reads(ONE_FILE, *PROBLEMS)
@option("--output", "-o", **OUT, required=True, help="Write the page to OUT, - for standard output.")
@option("--trace", metavar="TRACE", type=FILE, help="Play the steps that f2csp solve --trace wrote to TRACE.")
@option("--compare", metavar="NAME,...", help="Play two or three searches side by side: none, fc, mac, cbj, fc-cbj.")
@option("--time-limit", **SECONDS, **shown(2.0), help="Stop each search after SECONDS.")
def report_command(session: Session, output: str, trace: str | None, compare: str | None, time_limit: float) -> int:
    """Write an HTML page that explains the problem in FILE.

    It shows the board, on which the steps of people are played and own guesses followed; the solution, folded, or why
    there is none; and a search step by step, with its tree and the reason of each step. With --compare, searches are
    played side by side as in textbooks: variables in the order of their names, all counted. Further down are what the
    tables mean and statistics. The page is a single file, which loads nothing from elsewhere. FILE has any format.

    \b
    Examples:
      f2csp report puzzle.csp -o report.html
      f2csp report puzzles.sdm --index 7 --compare none,fc,mac -o report.html
      f2csp solve map.csp --engine search --inference fc --trace trace.jsonl
      f2csp report map.csp --trace trace.jsonl -o report.html
    """
    refuse(trace and compare, "--trace and --compare cannot be combined")
    from f2csp.rendering.played_search import search_named
    from f2csp.rendering.report_page import report_page, require_jinja

    names = [search_named(name) for name in compare.split(",")] if compare else []
    refuse(compare and not 2 <= len(names) <= _MAX_SEARCHES, f"--compare takes 2 to {_MAX_SEARCHES} searches")
    require_jinja()

    def write(instance: Instance) -> None:
        steps = None if trace is None else read_source(trace)
        with clock("Searching"):
            page = report_page(instance, steps, time_limit, names)
        write_chunks([page.encode("utf-8", "replace")], output)

    return session.work_on_first(write)
