"""Identifiers of Solo of Simon Tatham's puzzles: Sudokus with boxes, regions, diagonals or cages."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from f2csp.arrays import Offsets, components
from f2csp.boards import tatham
from f2csp.boards.pieces import Piece, Span, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Unreadable
from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.cages import Cage, Caged
from f2csp.puzzles.puzzle import Labels, Puzzle
from f2csp.puzzles.squares import MAX_SIZE, cells_by_label

_LETTERS = {"sudoku": "", "jigsaw": "j", "diagonal": "x", "killer": "k"}
"""The parameter of Solo that makes each kind of puzzle."""
_NAMES = {"": "a plain Sudoku", "j": "a jigsaw Sudoku", "x": "a diagonal Sudoku", "k": "a killer Sudoku"}
_N_LISTS = {"j": 1, "k": 2}  # after the cells: the regions; the cages and their totals
_PARAMETERS = re.compile(r"(?:[jxk]|r[24]|md?[248]|a|d[tbiaeu])*+")
_CELL_ITEM = re.compile(r"(?P<number>[0-9]++)|(?P<run>[a-z])|(?P<unknown>[^0-9a-z_]++)")
_EDGE_ITEM = re.compile(r"(?P<run>[a-z_])|(?P<unknown>[^a-z_]++)")
_MAX_EDGE_RUN = 25  # letter z, which no edge follows


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read an identifier of Solo.

        2x2:a4b1b2_4b1b2a
        3x3db:a4_3a5b1d9g5b8a4a2b7_1d4g6d8_9b5a3a4b7g2d1b3a8_6a

    In the size CxR a box has C rows and R columns, and the board C times R of each; a number alone counts for both. The
    letters ``a`` to ``z`` are runs of 1 to 26 blanks, and ``_`` separates two numbers.

    The parameter ``x`` adds the diagonals. With ``j``, for a jigsaw Sudoku, a number alone is the size of the board,
    and the regions follow the cells after a comma. With ``k``, for a killer Sudoku, there follow the cages, a comma,
    and the total of each cage in its first cell. Regions and cages are runs of places without a line between two cells:
    ``_`` and ``a`` to ``y`` are 0 to 25 places and a line, ``z`` is 25 places and no line. The places in the rows come
    first, then those in the columns.
    """
    letter = _LETTERS[builder.kind]
    variants = {other: name for other, name in _NAMES.items() if other not in ("", letter)}
    program = tatham.Program("Solo", _NAMES[letter], 2, _PARAMETERS, variants)
    identifier = tatham.read_identifier(text, program, builder)
    span, box = span_of(identifier.sides), identifier.size
    if letter not in identifier.parameters:
        message = f"expected {_NAMES[letter]}, found {_NAMES['']}"
        builder.stop("F613", span, message, f"write the parameter {letter} after the size")
    size = box[0] if letter == "j" and len(identifier.sides) == 1 else box[0] * box[1]
    cells, *lists = _lists(identifier.cells, _N_LISTS.get(letter, 0), builder)
    givens = cell_givens(cells, size, builder)
    builder.check_size(span, MAX_SIZE, size)
    if not lists:
        return builder.square(size, givens, span, box)
    blocks = edge_blocks(lists[0], size, builder)
    if letter == "k":
        return builder.square(size, givens, span_of(lists), box, cages=_cages(blocks, lists[1], size, builder))
    if blocks is None:
        raise Unreadable
    return builder.square(size, givens, span_of(lists), regions=blocks)


def _lists(cells: Piece, n_more: int, builder: PuzzleBuilder) -> list[Piece]:
    """The cells, and the lists after them, which commas separate."""
    lists = cells.fields(",")
    n_found = len(lists) - 1
    if n_found < n_more:
        message = f"expected {n_more} {'list' if n_more == 1 else 'lists'} after the cells, found {n_found}"
        builder.stop("F615", (cells.end, cells.end), message)
    if n_found > n_more:
        code, expected = ("F606", "the end of the identifier") if n_more else ("F613", _NAMES[""])
        builder.stop(code, (lists[n_more].end, cells.end), f"expected {expected}, found a list after a comma")
    return lists


def cell_givens(cells: Piece, size: int, builder: PuzzleBuilder) -> list[Given]:
    """The numbers, between which letters are runs of blanks.

    Only unknown symbols are faults if there is no board of this size.
    """
    cursor = tatham.Cursor(builder, cells, size, size**2 if size <= MAX_SIZE else 0)
    for kind, item in cursor.items(_CELL_ITEM, "a number or a letter"):
        if kind == "number":
            cursor.take(number(item.text) or 0, item)
        else:
            cursor.advance(tatham.n_blanks(item.text), item)
    cursor.check_count()
    return cursor.givens


def _edges(size: int) -> Offsets:
    """The pairs of neighbours, as indices of cells: those in the rows, then those in the columns."""
    cells = np.arange(size**2).reshape(size, size)
    sides = [np.stack((lines[:, :-1].ravel(), lines[:, 1:].ravel()), axis=1) for lines in (cells, cells.T)]
    return np.concatenate(sides)


def edge_blocks(runs: Piece, size: int, builder: PuzzleBuilder, pattern: re.Pattern[str] = _EDGE_ITEM) -> Labels | None:
    """For each cell the first cell of its region or cage."""
    edges = _edges(size)
    is_joined = np.zeros(len(edges), dtype=np.bool_)
    cursor = tatham.Cursor(builder, runs, size, len(edges), n_ends=1)
    for _, item in cursor.items(pattern, "a letter"):
        letter, times = item.text[0], min(number(item.text[1:]) or 1, len(edges) + 1)
        run = 0 if letter == "_" else min(tatham.n_blanks(letter), _MAX_EDGE_RUN)
        for _ in range(times):
            is_joined[cursor.place : cursor.place + run] = True
            cursor.advance(run + (letter != "z"), item)
    cursor.check_count("places between cells")
    if cursor.has_unknown or cursor.place != len(edges) + 1:
        return None
    return tuple(map(tuple, components(size**2, *edges[is_joined].T).reshape(size, size).tolist()))


def _cages(blocks: Labels | None, totals: Piece, size: int, builder: PuzzleBuilder) -> dict[Cage, Span]:
    """The cages with the places of their totals; a fault if a cage has none, or two."""
    given = {(row, column): (total, span) for row, column, total, span in cell_givens(totals, size, builder)}
    cages: dict[Cage, Span] = {}
    for cells in cells_by_label(blocks or ()).values():
        found = [given[cell] for cell in cells if cell in given]
        if not found:
            builder.fault("F604", (totals.end, totals.end), f"the cage at {cells[0]} has no total")
        for total, span in found[1:]:
            builder.fault("F605", span, f"the cage at {cells[0]} has a second total, {total}")
        cages |= {Cage(total, tuple(cells)): span for total, span in found[:1]}
    return cages


def _write(puzzle: Any) -> str:
    letter = _LETTERS[puzzle.KIND]
    cells = written_cells(value for row in puzzle.grid() for value in row)
    if letter == "j":
        return f"{puzzle.size}j:{cells},{written_blocks(puzzle.regions)}\n"
    lists = [cells, *(_written_cages(puzzle) if letter == "k" else ())]
    return f"{puzzle.box_rows}x{puzzle.box_columns}{letter}:{','.join(lists)}\n"


def written_cells(values: Iterable[int | None]) -> str:
    items, n_blanks_before, follows_number = [], 0, False
    for value in values:
        if value is None:
            n_blanks_before += 1
            continue
        items += [_written_run(n_blanks_before) or "_" * follows_number, str(value)]
        n_blanks_before, follows_number = 0, True
    return "".join(items) + _written_run(n_blanks_before)


def _written_run(n: int) -> str:
    n_whole, rest = divmod(n, 26)
    return "z" * n_whole + (chr(ord("a") + rest - 1) if rest else "")


def written_blocks(labels: Sequence[Sequence[int]]) -> str:
    size, flat, letters = len(labels), np.array(labels).ravel(), []
    edges = _edges(size)
    is_line = flat[edges[:, 0]] != flat[edges[:, 1]]
    if len(np.unique(components(size**2, *edges[~is_line].T))) > len(np.unique(flat)):
        raise Unsuitable("the format has no regions or cages of cells that do not touch")
    for before, line in pairwise([-1, *np.flatnonzero(is_line).tolist(), len(edges)]):
        run = line - before - 1
        n_whole = max(0, run - 1) // _MAX_EDGE_RUN
        rest = run - _MAX_EDGE_RUN * n_whole
        letters.append("z" * n_whole + (chr(ord("a") + rest - 1) if rest else "_"))
    return "".join(letters)


def cage_labels(puzzle: Caged) -> Labels:
    """The number of the cage of each cell, from 1; raises Unsuitable if a cell is in none."""
    labels = puzzle.cage_numbers()
    if any(0 in row for row in labels):
        raise Unsuitable("the format has no cells outside cages: write a given as a cage of one cell")
    return labels


def _written_cages(puzzle: Caged) -> list[str]:
    totals = {cage.cells[0]: cage.total for cage in puzzle.cages}
    return [written_blocks(cage_labels(puzzle)), written_cells(totals.get(cell) for cell in puzzle.cells)]


SOLO = Codec(_read, _write, is_by_line=True)
