"""Boards as people paste them: in mails, tables, pages and programs, with remarks around them."""

import json
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import chain
from typing import NamedTuple

from f2csp.puzzles.puzzle import Cell
from tests.door.boards import Board, board
from tests.door.texts import html, joined, latex, markdown


class Outcome(Enum):
    """The least that is asked of a reading. It is never another puzzle."""

    READ = "read from the text alone"
    NAMED = "read with the name of its kind; without it, perhaps refused"
    HARD = "perhaps refused"


class PastedBoard(NamedTuple):
    name: str  # of the file
    text: str
    boards: tuple[Board, ...]
    also: tuple[str, ...] = ()  # other kinds that the text alone may mean
    outcome: Outcome = Outcome.READ
    box: str | None = None  # given with --from


READ, NAMED, HARD = Outcome


def pasted_boards() -> Iterator[PastedBoard]:
    families = (
        *(sudokus_in_prose, sudokus_in_frames, sudokus_in_tables, sudokus_in_pages, sudokus_in_programs),
        *(sudokus_with_other_blanks, sudokus_with_labels, sudokus_in_lines, several_sudokus, sudokus_of_other_sizes),
        *(
            latin_squares,
            futoshikis_drawn,
            futoshikis_with_lists,
            futoshikis_in_tables,
            takuzus,
            variants,
            own_drawings,
        ),
    )
    return chain.from_iterable(family() for family in families)


def _in_threes(row: Sequence[str], within: str = " ", between: str = " | ", n: int = 3) -> str:
    """The cells of a row with a mark after each ``n``."""
    return between.join(within.join(row[i : i + n]) for i in range(0, len(row), n))


def _with_rules(lines: Sequence[str], rule: str, n: int = 3) -> list[str]:
    """The lines with a ruler after each ``n`` but the last."""
    return [line for i, row in enumerate(lines, 1) for line in ([row, rule] if i % n == 0 < len(lines) - i else [row])]


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _quoted(text: str, mark: str = "> ") -> str:
    return _lines([mark + line for line in text.splitlines()])


def _barred(given: Board, blank: str = ".") -> str:
    """The usual drawing of a Sudoku in a mail."""
    return _lines(_with_rules([_in_threes(row) for row in given.rows(blank)], "------+-------+------"))


_SIGNATURE = "\n-- \nAna\nSent from my phone\n"
_MAIL = "From: ana@example.org\nTo: ben@example.org\nDate: Mon, 4 Mar 2024 09:12:37 +0000\nSubject: Puzzle 12\n\n"


# ---- Sudokus of 9x9 --------------------------------------------------------------------------------------------------


def sudokus_in_prose() -> Iterator[PastedBoard]:
    given = board("sudoku-9-1")
    bars, grid, spaced = _barred(given), given.grid(), given.matrix(".")
    texts = {
        "greeting.txt": f"Hi Ben,\n\ncan you solve this one?\n\n{bars}\nThanks, Ana\n",
        "mail.eml": f"{_MAIL}Hello,\nplease help with this board:\n\n{spaced}\nCheers{_SIGNATURE}",
        "quoted.txt": f"On Monday Ana wrote:\n{_quoted(bars)}\nI am stuck, too.\n",
        "quoted-twice.txt": _quoted(_quoted(bars, "> "), "> "),
        "quoted-tight.txt": _quoted(grid, ">"),
        "title.txt": f"Puzzle 12, difficulty: hard\n\n{grid}\nplease help\n",
        "title-hash.txt": f"# Sudoku 12 (hard)\n{grid}",
        "remarks.txt": f"Sudoku of the week\nby Ana, 2024-03-04\n\n{grid}\n(from the paper, page 4)\n",
        "code-block.md": f"Today's board:\n\n```\n{bars}```\n\nIt took me 25 minutes.\n",
        "code-block-text.md": f"### Sudoku\n\n```text\n{grid}```\n",
        "indented.md": "The board:\n\n" + _lines([f"    {line}" for line in grid.splitlines()]) + "\nis hard.\n",
        "forum.txt": f"Posted: 04 Mar 2024, 21:07\n\n[code]\n{bars}[/code]\n_________________\nben\n",
        "bands.txt": _lines(_with_rules([_in_threes(row, "", " ") for row in given.rows()], "")),
        "bands-bare.txt": _lines(_with_rules([_in_threes(row, " ", "   ") for row in given.rows()], "")),
        "crlf.txt": f"Sudoku:\n{grid}".replace("\n", "\r\n"),
        "tabs.txt": f"Sudoku:\n{joined(given.rows(), chr(9))}",
        "nbsp.txt": "Sudoku\n" + spaced.replace(" ", "\u00a0"),
        "commas.txt": f"the rows are\n{joined(given.rows('0'), ',')}thanks\n",
        "chat.txt": f"[21:04] ana: this one\n{grid}[21:05] ben: on it\n",
        "comments.txt": _lines([f"{row}  # row {i}" for i, row in enumerate(grid.splitlines(), 1)]),
        "stars-rule.txt": f"***\n{spaced}***\n",
    }
    for name, text in texts.items():
        yield PastedBoard(f"sudoku-{name}", text, (given,))


def sudokus_in_frames() -> Iterator[PastedBoard]:
    given = board("sudoku-9-2")
    dots, gaps = given.rows(), given.rows(" ")
    rule = "+-------+-------+-------+"
    cells = "+" + "---+" * 9
    double = [f"‖ {_in_threes(row, ' | ', ' ‖ ')} ‖" for row in gaps]
    texts = {
        "frame": [rule, *_with_rules([f"| {_in_threes(row)} |" for row in dots], rule), rule],
        "frame-gaps": [rule, *_with_rules([f"| {_in_threes(row)} |" for row in gaps], rule), rule],
        "frame-tight": [
            "+---+---+---+",
            *_with_rules([f"|{_in_threes(row, '', '|')}|" for row in dots], "+---+---+---+"),
            "+---+---+---+",
        ],
        "cells": [cells, *_with_rules([f"| {' | '.join(row)} |" for row in gaps], cells, 1), cells],
        "cells-dots": [cells, *_with_rules([f"| {' | '.join(row)} |" for row in dots], cells, 1), cells],
        "equals": ["=" * 25, *_with_rules([f"| {_in_threes(row)} |" for row in dots], "|" + "-" * 23 + "|"), "=" * 25],
        "exclamation": _with_rules([_in_threes(row, "", "!") for row in dots], "---!---!---"),
        "double": _with_rules(double, "=" * len(double[0])),
        "unicode": _unicode_frame([_in_threes(row, " ", " │ ") for row in dots]),
        "unicode-gaps": _unicode_frame([_in_threes(row, " ", " │ ") for row in gaps]),
        "bars-gaps": [f"|{'|'.join(row)}|" for row in gaps],
        "bars-underscores": _with_rules([_in_threes(row) for row in given.rows("_")], "- - - + - - - + - - -"),
        "dots-rule": _with_rules([_in_threes(row, " ", " : ") for row in given.rows("0")], "......:.......:......"),
    }
    for name, lines in texts.items():
        yield PastedBoard(f"sudoku-{name}.txt", _lines(lines), (given,), outcome=HARD if name == "double" else READ)
        if name in ("frame", "unicode", "cells"):
            yield PastedBoard(f"sudoku-{name}-mail.txt", f"Dear all,\n\n{_lines(lines)}\nWho can do it?\n", (given,))


def _unicode_frame(rows: Sequence[str]) -> list[str]:
    side = "─" * 7
    rule = f"├{side}┼{side}┼{side}┤"
    return [f"┌{side}┬{side}┬{side}┐", *_with_rules([f"│ {row} │" for row in rows], rule), f"└{side}┴{side}┴{side}┘"]


def sudokus_in_tables() -> Iterator[PastedBoard]:
    given = board("sudoku-9-3")
    dots, gaps = given.rows(), given.rows("")
    letters, numbers = [*"ABCDEFGHI"], [str(i) for i in range(1, 10)]
    numbered = [[number, *row] for number, row in zip(numbers, gaps, strict=True)]
    lettered = [[letter, *row] for letter, row in zip(letters, gaps, strict=True)]
    org = _with_rules([f"| {' | '.join(f'{cell:1}' for cell in row)} |" for row in gaps], "|" + "---+" * 8 + "---|")
    texts = {
        "empty-head.md": markdown([""] * 9, gaps),
        "letters.md": markdown(letters, gaps),
        "letters-dots.md": f"Here it is:\n\n{markdown(letters, dots)}\nthanks\n",
        "numbers.md": markdown(["", *letters], numbered),
        "first-row.md": markdown(dots[0], dots[1:]),
        "table.org": _lines(org),
        "sheet.tsv": joined(gaps, "\t"),
        "sheet-letters.tsv": joined([letters, *gaps], "\t"),
        "sheet-numbers.tsv": joined([["", *letters], *numbered], "\t"),
        "sheet-zeros.tsv": joined(given.rows("0"), "\t"),
        "sheet.csv": joined(gaps, ","),
        "sheet-semicolons.csv": joined(gaps, ";"),
        "sheet-quotes.csv": joined([[f'"{cell}"' for cell in row] for row in gaps], ","),
        "sheet-heading.csv": joined([[f"c{i}" for i in range(1, 10)], *given.rows("0")], ","),
        "sheet-labels.csv": joined([["", *numbers], *lettered], ","),
        "tabular.tex": latex([[cell or "~" for cell in row] for row in gaps]),
        "package.tex": "\\begin{sudoku}\n"
        + _lines([f"|{'|'.join(row)}|." for row in given.rows(" ")])
        + "\\end{sudoku}\n",
    }
    for name, text in texts.items():
        yield PastedBoard(f"sudoku-{name}", text, (given,), outcome=HARD if name == "package.tex" else READ)


def sudokus_in_pages() -> Iterator[PastedBoard]:
    given = board("sudoku-9-4")
    head = '<!DOCTYPE html>\n<html><head><title>Sudoku 12</title></head><body>\n<h1 id="n12">No 12</h1>\n'
    inputs = [[f'<input maxlength="1" value="{cell}">' for cell in row] for row in given.rows("")]
    spaces = [[cell or "&nbsp;" for cell in row] for row in given.rows("")]
    divs = "".join(
        f'<div class="row">{"".join(f"<span>{cell}</span>" for cell in row)}</div>\n' for row in given.rows("")
    )
    texts = {
        "pre": f"{head}<pre>\n{_barred(given)}</pre>\n<p>Good luck! 25 min.</p></body></html>\n",
        "pre-grid": f"<pre>\n{given.grid()}</pre>\n",
        "breaks": f"<p>{'<br>'.join(given.grid().split())}</p>\n",
        "table": f"{head}{html(given.rows(''))}</body></html>\n",
        "table-alone": html(given.rows("")),
        "table-spaces": html(spaces),
        "table-dots": html(given.rows()),
        "table-inputs": f"{head}<form>{html(inputs)}</form></body></html>\n",
        "spans": f"{head}{divs}</body></html>\n",
        "script": f'{head}<script>var puzzle = "{given.line("0")}";</script></body></html>\n',
    }
    for name, text in texts.items():
        outcome = HARD if name in ("table-inputs", "spans") else READ
        yield PastedBoard(f"sudoku-{name}.html", text, (given,), outcome=outcome)


def sudokus_in_programs() -> Iterator[PastedBoard]:
    given = board("sudoku-9-5")
    zeros, rows = given.rows("0"), given.grid().split()
    braces = ",\n".join(f"    {{{', '.join(row)}}}" for row in zeros)
    brackets = ",\n".join(f"    [{', '.join(row)}]" for row in zeros)
    numbers = [[value or 0 for value in row] for row in given.givens]
    nothing = [list(row) for row in given.givens]
    strings = ",\n".join(f'    "{row}"' for row in rows)
    numpy = "\n ".join(f"[{' '.join(row)}]" for row in zeros)
    texts = {
        "list.py": f"board = [\n{brackets},\n]\n",
        "list-text.txt": f"My solver hangs on this:\n\nboard = [\n{brackets}\n]\n\nsolve(board)\n",
        "list-line.py": f"grid = {numbers}\nprint(solve(grid))\n",
        "none.py": f"grid = {nothing}\n",
        "strings.py": f"puzzle = [\n{strings},\n]\n",
        "string.py": f'puzzle = "{given.line()}"\n',
        "triple.py": f'puzzle = """\n{given.grid()}"""\n',
        "joined.py": "puzzle = (\n" + _lines([f"    '{row}'" for row in rows]) + ")\n",
        "numpy.txt": f"[{numpy}]\n",
        "array.py": f"import numpy as np\n\na = np.array([\n{brackets},\n])\n",
        "grid.c": f"int grid[9][9] = {{\n{braces}\n}};\n",
        "main.c": f"#include <stdio.h>\n\nint grid[9][9] = {{\n{braces}\n}};\n\nint main(void) {{\n    return 0;\n}}\n",
        "grid.cpp": f"vector<vector<int>> board = {{\n{braces}\n}};\n",
        "Grid.java": f"int[][] grid = {{\n{braces}\n}};\n",
        "grid.js": f"const grid = [\n{brackets}\n];\n",
        "grid.rs": f"let grid: [[u8; 9]; 9] = [\n{brackets},\n];\n",
        "grid.go": f"grid := [9][9]int{{\n{braces},\n}}\n",
        "grid.hs": f"grid = [\n{brackets}\n  ]\n",
        "grid.pl": "problem(1, [\n" + brackets.replace("0", "_") + "]).\n",
        "grid.m": "M = [" + ";\n     ".join(" ".join(row) for row in zeros) + "];\n",
        "rows.json": json.dumps({"id": 12, "puzzle": numbers}) + "\n",
        "bare.json": json.dumps(numbers) + "\n",
        "nulls.json": json.dumps({"difficulty": "hard", "grid": nothing}, indent=2) + "\n",
        "string.json": json.dumps({"id": 12, "sudoku": given.line()}) + "\n",
        "strings.json": json.dumps({"rows": rows}, indent=1) + "\n",
        "block.yaml": "title: no 12\npuzzle: |\n" + _lines([f"  {row}" for row in rows]),
        "rows.yaml": "puzzle:\n" + _lines([f"  - [{', '.join(row)}]" for row in zeros]),
        "rows.toml": f"title = 'no 12'\npuzzle = [\n{brackets},\n]\n",
    }
    for name, text in texts.items():
        yield PastedBoard(f"sudoku-{name}", text, (given,))


def sudokus_with_other_blanks() -> Iterator[PastedBoard]:
    given = board("sudoku-9-6")
    for name, blank in zip("zero underscore x capital question star hyphen".split(), "0_xX?*-", strict=True):
        bars = _barred(given, blank)
        yield PastedBoard(f"blank-{name}.txt", f"Sudoku, {blank} is empty:\n\n{bars}", (given,))
        yield PastedBoard(f"blank-{name}-grid.txt", given.grid(blank), (given,))
        yield PastedBoard(f"blank-{name}-spaces.txt", f"no 12\n{given.matrix(blank)}", (given,))
    for i, blank in enumerate("-1 # · • □ e n __".split()):
        outcome = HARD if blank in ("#", "•", "n", "__") else READ
        yield PastedBoard(f"blank-other-{i}.txt", given.matrix(blank), (given,), outcome=outcome)
    gaps = _with_rules([_in_threes(row) for row in given.rows(" ")], "------+-------+------")
    yield PastedBoard("blank-gaps.txt", _lines(gaps), (given,))
    yield PastedBoard("blank-gaps-right.txt", _lines([line.rstrip() for line in gaps]), (given,))


def sudokus_with_labels() -> Iterator[PastedBoard]:
    given = board("sudoku-9-7")
    rows, spaced = given.grid().split(), given.matrix(".").splitlines()
    heading = "    1 2 3   4 5 6   7 8 9"
    barred = [_in_threes(row) for row in given.rows()]
    texts = {
        "numbers-colon": [f"{i}: {row}" for i, row in enumerate(rows, 1)],
        "numbers-dot": [f"{i}. {row}" for i, row in enumerate(rows, 1)],
        "row-n": [f"row {i}: {row}" for i, row in enumerate(spaced, 1)],
        "heading": ["  1 2 3 4 5 6 7 8 9", *(f"{i} {row}" for i, row in enumerate(spaced, 1))],
        "heading-letters": [
            "  1 2 3 4 5 6 7 8 9",
            *(f"{letter} {row}" for letter, row in zip("ABCDEFGHI", spaced, strict=True)),
        ],
        "heading-bars": [
            heading,
            *_with_rules([f"{i} | {row}" for i, row in enumerate(barred, 1)], "  +-------+-------+------"),
        ],
        "heading-columns": ["  A B C D E F G H I", *(f"{i} {row}" for i, row in enumerate(spaced, 1))],
        "letters-tight": [f"{letter} {row}" for letter, row in zip("ABCDEFGHI", rows, strict=True)],
    }
    for name, lines in texts.items():
        yield PastedBoard(f"label-{name}.txt", _lines(lines), (given,))
    cells = [f"r{i}c{j}={value}" for i, j, value in given.clues()]
    yield PastedBoard("cells-lines.txt", "Sudoku\n" + _lines(cells), (given,))
    yield PastedBoard("cells-commas.txt", f"Sudoku 9x9, givens: {', '.join(cells)}\n", (given,))


def sudokus_in_lines() -> Iterator[PastedBoard]:
    given = board("sudoku-9-8")
    dots, zeros = given.line(), given.line("0")
    texts = {
        "sentence": f"My puzzle is {dots}, can you solve it?\n",
        "own-line": f"Can you solve this?\n{dots}\nthanks\n",
        "title": f"Puzzle 12, difficulty: hard\n{zeros}\n",
        "colon": f"Puzzle 12: {dots}\n",
        "quotes": f'I tried "{zeros}" with three solvers.\n',
        "url": f"https://www.example.org/sudoku?bd={zeros}\n",
        "rated": f"{dots} 7.2 hard\n",
        "comment": f"{dots} # from the paper of Monday\n",
        "solution": f"{zeros} {''.join(given.solved().split())}\n",
        "spaces": " ".join(dots) + "\n",
        "wrapped": f"{dots[:40]}\n{dots[40:]}\n",
    }
    for name, text in texts.items():
        yield PastedBoard(f"line-{name}.txt", text, (given,), outcome=HARD if name in ("wrapped", "url") else READ)


def several_sudokus() -> Iterator[PastedBoard]:
    first, second = board("sudoku-9-9"), board("sudoku-9-10")
    both = (first, second)
    solved = first.solved().replace(" ", "")
    yield PastedBoard("both-titles.txt", f"Puzzle 1 (easy)\n{first.grid()}\nPuzzle 2 (hard)\n{second.grid()}", both)
    yield PastedBoard("both-barred.txt", f"1.\n{_barred(first)}\n2.\n{_barred(second)}", both)
    yield PastedBoard("both-blank.txt", f"{first.grid()}\n{second.grid()}", both)
    yield PastedBoard("both-tight.txt", f"{first.grid()}{second.grid()}", both, outcome=NAMED)
    yield PastedBoard("both-lines.txt", f"A: {first.line()}\nB: {second.line()}\n", both)
    yield PastedBoard("both-rules.txt", f"{first.grid()}---\n{second.grid()}", both)
    yield PastedBoard("solution-below.txt", f"Puzzle:\n{first.grid()}\nSolution:\n{solved}", (first,))
    yield PastedBoard("solution-bare.txt", f"{first.grid()}\n{solved}", (first,))
    yield PastedBoard("solution-barred.txt", f"{_barred(first)}\nsolved:\n{first.solved()}", (first,))


def sudokus_of_other_sizes() -> Iterator[PastedBoard]:
    four, other = board("sudoku-4-21"), board("sudoku-4-22")
    drawn = _lines(_with_rules([_in_threes(row, n=2) for row in four.rows()], "----+----", 2))
    yield PastedBoard("four-drawn.txt", f"A small one:\n\n{drawn}", (four,))
    yield PastedBoard("four-title.txt", f"4x4 Sudoku\n{other.grid()}", (other,))
    yield PastedBoard("four-bare.txt", other.matrix("."), (other,), also=("latin",), outcome=NAMED)
    for name, n_rows, n_columns in (("sudoku-6-31", 2, 3), ("sudoku-6-33", 3, 2)):
        six = board(name)
        lines = _with_rules([_in_threes(row, n=n_columns) for row in six.rows()], "-" * 15, n_rows)
        frame = _with_rules(
            [f"| {_in_threes(row, n=n_columns)} |" for row in six.rows(" ")], "+" + "-" * 15 + "+", n_rows
        )
        yield PastedBoard(f"{name}-drawn.txt", _lines(lines), (six,))
        yield PastedBoard(f"{name}-mail.txt", f"Sudoku for kids\n\n{_lines(lines)}\nfrom the paper\n", (six,))
        yield PastedBoard(f"{name}-frame.txt", _lines(frame), (six,))
    six = board("sudoku-6-32")
    yield PastedBoard("six-title.txt", f"6x6 Sudoku, boxes 2x3\n{six.grid()}", (six,), outcome=NAMED, box="2x3")
    yield PastedBoard("six-bare.txt", six.grid(), (six,), also=("latin",), outcome=NAMED, box="2x3")
    yield PastedBoard(
        "six-spaces.txt", f"Puzzle 3\n{six.matrix('_')}", (six,), also=("latin",), outcome=NAMED, box="2x3"
    )
    twelve = board("sudoku-12-41")
    cells = [[f"{cell:>2}" for cell in row] for row in twelve.rows()]
    lines = _with_rules([_in_threes(row, n=4) for row in cells], "-" * 40, 3)
    yield PastedBoard("twelve-drawn.txt", f"12x12\n\n{_lines(lines)}", (twelve,))
    for name, letters in {
        "hexadecimal": "0123456789ABCDEF",
        "small": "0123456789abcdef",
        "g": "123456789ABCDEFG",
        "g-small": "123456789abcdefg",
        "p": "ABCDEFGHIJKLMNOP",
        "p-small": "abcdefghijklmnop",
    }.items():
        given = board("sudoku-16-51")
        rows = given.rows(".", letters)
        barred = _lines(_with_rules([_in_threes(row, n=4) for row in rows], "-" * 37, 4))
        yield PastedBoard(f"sixteen-{name}.txt", f"16x16 for the weekend\n\n{barred}", (given,))
        yield PastedBoard(f"sixteen-{name}-grid.txt", joined(rows, ""), (given,))
    given = board("sudoku-16-52")
    cells = [[f"{cell:>2}" for cell in row] for row in given.rows()]
    barred = _lines(_with_rules([_in_threes(row, n=4) for row in cells], "-" * 53, 4))
    yield PastedBoard("sixteen-numbers.txt", f"Giant Sudoku\n\n{barred}", (given,))
    yield PastedBoard("sixteen-table.md", markdown([""] * 16, given.rows("")), (given,))
    given = board("sudoku-25-61")
    rows = given.rows(".", "ABCDEFGHIJKLMNOPQRSTUVWXY")
    yield PastedBoard("twenty-five.txt", f"25x25\n{joined(rows, '')}", (given,), outcome=HARD)


# ---- Latin squares ---------------------------------------------------------------------------------------------------


def latin_squares() -> Iterator[PastedBoard]:
    for name in ("latin-4-71", "latin-5-72", "latin-7-75", "latin-9-76", "latin-10-77"):
        given = board(name)
        n = given.size
        zeros = [[value or 0 for value in row] for row in given.givens]
        texts = {
            "title.txt": f"Latin square of order {n}\n\n{given.matrix('.')}",
            "mail.txt": f"Hi,\nplease complete this Latin square:\n\n{given.matrix('_')}\nAna\n",
            "holes.txt": f"quasigroup with holes, {n}x{n}\n{given.matrix('0')}",
            "list.py": f"latin = {zeros}\n",
            "table.md": f"# Latin square\n\n{markdown([''] * n, given.rows(''))}",
        }
        for style, text in texts.items():
            yield PastedBoard(f"{name}-{style}", text, (given,))
    given = board("latin-5-73")
    for style, text in {
        "bare.txt": given.matrix("."),
        "hyphens.txt": given.matrix("-"),
        "bars.txt": _lines([f"| {' | '.join(row)} |" for row in given.rows(" ")]),
        "letters.txt": f"Latin square in letters\n{joined(given.rows('.', 'ABCDE'))}",
        "sheet.tsv": joined(given.rows(""), "\t"),
        "quoted.txt": _quoted(given.matrix(".")),
    }.items():
        yield PastedBoard(f"latin-5-{style}", text, (given,))
    given = board("latin-6-74")
    yield PastedBoard("latin-6-bare.txt", given.matrix("."), (given,))
    yield PastedBoard("latin-6-title.txt", f"Latin square\n{given.matrix('.')}", (given,))


# ---- Futoshikis ------------------------------------------------------------------------------------------------------


def _drawing(given: Board, blank: str = ".", signs: str = "<>^v", gap: int = 1, frame: str = "{}") -> list[str]:
    """Rows of cells with signs between them, and lines of signs between the rows."""
    less, greater, smaller_above, greater_above = signs
    pairs, n = set(given.signs), given.size
    beside, width = " " * gap, len(frame.format("1"))
    lines = []
    for i, row in enumerate(given.rows(blank), 1):
        line, below = frame.format(row[0]), ""
        for j in range(1, n + 1):
            here, right, under = Cell(i, j), Cell(i, j + 1), Cell(i + 1, j)
            if j < n:
                sign = less if (here, right) in pairs else greater if (right, here) in pairs else " "
                line += f"{beside}{sign}{beside}{frame.format(row[j])}"
            sign = smaller_above if (here, under) in pairs else greater_above if (under, here) in pairs else " "
            below += sign.center(width) + " " * (2 * gap + 1)
        lines += [line, below.rstrip()]
    return lines[:-1]


def futoshikis_drawn() -> Iterator[PastedBoard]:
    given, other, large = board("futoshiki-5-82"), board("futoshiki-4-81"), board("futoshiki-9-86")
    plain = _lines(_drawing(given))
    texts = {
        "plain.txt": plain,
        "title.txt": f"Futoshiki 5x5, hard\n\n{plain}",
        "mail.txt": f"Hi Ben,\nhere is one with signs:\n\n{plain}\nAna{_SIGNATURE}",
        "zeros.txt": _lines(_drawing(given, "0")),
        "underscores.txt": _lines(_drawing(given, "_")),
        "capital-v.txt": _lines(_drawing(given, ".", "<>^V")),
        "wedges.txt": _lines(_drawing(given, "0", "<>∧∨")),
        "arrows.txt": _lines(_drawing(given, "_", "<>˄˅")),
        "tight.txt": _lines(_drawing(given, ".", gap=0)),
        "wide.txt": _lines(_drawing(given, ".", gap=2)),
        "boxes.txt": _lines(_drawing(given, " ", frame="[{}]")),
        "boxes-dots.txt": _lines(_drawing(given, ".", frame="[{}]")),
        "bars.txt": _lines(_drawing(given, " ", frame="|{}|")),
        "block.md": f"Futoshiki:\n\n```\n{plain}```\n",
        "quoted.txt": _quoted(plain, "> "),
        "quoted-title.txt": f"Ana wrote:\n{_quoted(plain, '> ')}nice one\n",
        "page.html": f"<pre>\n{plain.replace('<', '&lt;').replace('>', '&gt;')}</pre>\n",
        "indented.txt": _lines([f"    {line}" for line in plain.splitlines()]),
        "triple.py": f'puzzle = """\n{plain}"""\n',
    }
    for name, text in texts.items():
        yield PastedBoard(f"futoshiki-{name}", text, (given,), outcome=HARD if name == "bars.txt" else READ)
    for puzzle in (other, board("futoshiki-6-84"), board("futoshiki-7-85"), large):
        yield PastedBoard(f"{puzzle.name}-plain.txt", _lines(_drawing(puzzle)), (puzzle,))
        text = f"No 3\n{_lines(_drawing(puzzle, '_'))}"
        yield PastedBoard(f"{puzzle.name}-title.txt", text, (puzzle,))


def futoshikis_with_lists() -> Iterator[PastedBoard]:
    given = board("futoshiki-5-83")
    spellings: dict[str, Callable[[Cell, Cell], str]] = {
        "pairs": lambda a, b: f"({a.row},{a.column}) < ({b.row},{b.column})",
        "rc": lambda a, b: f"r{a.row}c{a.column} < r{b.row}c{b.column}",
        "capitals": lambda a, b: f"R{b.row}C{b.column} > R{a.row}C{a.column}",
    }
    for name, words in spellings.items():
        lines = _lines([words(*pair) for pair in given.signs])
        text = f"Futoshiki\n{given.matrix('.')}\n{lines}"
        yield PastedBoard(f"futoshiki-{name}-title.txt", text, (given,))
        yield PastedBoard(f"futoshiki-{name}.txt", f"{given.matrix('.')}\n{lines}", (given,), outcome=NAMED)
    letters = [f"{'ABCDE'[a.row - 1]}{a.column};{'ABCDE'[b.row - 1]}{b.column}" for a, b in given.signs]
    rows = [";".join(row) for row in given.rows("0")]
    yield PastedBoard("futoshiki-rel.txt", _lines(["5", "START:", *rows, "REL:", *letters]), (given,))
    four = [f"{a.row} {a.column} {b.row} {b.column}" for a, b in given.signs]
    text = _lines([f"5 {len(four)}", *given.matrix().splitlines(), *four])
    yield PastedBoard("futoshiki-usp.txt", text, (given,))
    less = [[[a.row, a.column], [b.row, b.column]] for a, b in given.signs]
    record = {"size": 5, "grid": [[value or 0 for value in row] for row in given.givens], "less_than": less}
    yield PastedBoard("futoshiki.json", json.dumps(record) + "\n", (given,), outcome=HARD)


def futoshikis_in_tables() -> Iterator[PastedBoard]:
    given = board("futoshiki-4-81")
    drawing = [line.ljust(4 * given.size - 3) for line in _drawing(given, " ")]
    cells = [[line[k] for k in range(0, 4 * given.size - 3, 2)] for line in drawing]
    empty = [[cell.strip() for cell in row] for row in cells]
    width = 2 * given.size - 1
    yield PastedBoard("futoshiki-sheet.tsv", joined(empty, "\t"), (given,))
    yield PastedBoard("futoshiki-sheet.csv", joined(empty, ","), (given,))
    yield PastedBoard("futoshiki-spaces.csv", joined(cells, ","), (given,))
    yield PastedBoard("futoshiki-sheet.md", markdown([""] * width, empty), (given,), outcome=HARD)
    escaped = [[cell.replace("<", "&lt;") for cell in row] for row in empty]
    yield PastedBoard("futoshiki-sheet.html", html(escaped), (given,), outcome=HARD)


# ---- Takuzus ---------------------------------------------------------------------------------------------------------


def takuzus() -> Iterator[PastedBoard]:
    given, other = board("takuzu-6-92"), board("takuzu-6-93")
    rows = given.rows
    spoken = [list(row) for row in given.givens]
    frame = "+" + "---+" * 6
    texts = {
        "bare.txt": given.grid(),
        "spaces.txt": given.matrix("."),
        "hyphens.txt": given.matrix("-"),
        "underscores.txt": f"Binairo\n{given.matrix('_')}",
        "title.txt": f"Takuzu 6x6, hard\n\n{given.grid()}",
        "mail.txt": f"Hi,\ncan you solve this binary puzzle?\n\n{given.matrix('.')}\nAna{_SIGNATURE}",
        "question.txt": f"Binairo\n{given.matrix('?')}",
        "size.txt": f"6\n{given.grid()}",
        "size-two.txt": f"6 6\n{given.matrix('.')}",
        "x-o.txt": f"Takuzu with o for 0 and x for 1\n{joined(rows('.', 'ox'))}",
        "x-o-bare.txt": joined(rows(".", "ox"), ""),
        "capitals.txt": f"Binairo\n{joined(rows('-', 'OX'))}",
        "table.md": f"Binary puzzle\n\n{markdown([''] * 6, rows(''))}",
        "frame.txt": _lines([frame, *_with_rules([f"| {' | '.join(row)} |" for row in rows(" ")], frame, 1), frame]),
        "bars.txt": _lines([f"|{'|'.join(row)}|" for row in rows(" ")]),
        "block.md": f"```\n{given.grid()}```\n",
        "quoted.txt": _quoted(given.matrix(".")),
        "heading.txt": _lines(
            ["  1 2 3 4 5 6", *(f"{i} {row}" for i, row in enumerate(given.matrix(".").splitlines(), 1))]
        ),
        "labels.txt": _lines([f"{letter}: {row}" for letter, row in zip("ABCDEF", given.grid().split(), strict=True)]),
        "ist.txt": f"6\n{joined(rows('2'), chr(9))}",
        "run.txt": f"6\n{given.line('2')}\n",
        "sheet.tsv": joined(rows(""), "\t"),
        "sheet.csv": joined(rows(""), ","),
        "nulls.json": json.dumps({"grid": spoken}) + "\n",
        "none.py": f"board = {spoken}\n",
        "minus.py": f"takuzu = {[[-1 if value is None else value for value in row] for row in spoken]}\n",
        "strings.py": "board = [\n" + _lines([f'    "{row}",' for row in given.grid().split()]) + "]\n",
        "page.html": f"<h1>Binairo 7</h1>{html(rows(''))}",
    }
    for name, text in texts.items():
        yield PastedBoard(f"takuzu-{name}", text, (given,))
    both = f"1)\n{given.grid()}\n2)\n{other.grid()}"
    yield PastedBoard("takuzu-both.txt", both, (given, other))
    solved = f"{given.grid()}\nSolution\n{given.solved().replace(' ', '')}"
    yield PastedBoard("takuzu-solution.txt", solved, (given,))
    for name in ("takuzu-4-91", "takuzu-8-94", "takuzu-10-96", "takuzu-12-97"):
        puzzle = board(name)
        yield PastedBoard(f"{name}-title.txt", f"Takuzu\n{puzzle.matrix('.')}", (puzzle,))
        yield PastedBoard(f"{name}-bare.txt", puzzle.matrix("_"), (puzzle,))
        yield PastedBoard(
            f"{name}-zeros.txt", f"{puzzle.size}\n{joined(puzzle.rows('2'), ' ')}", (puzzle,), outcome=NAMED
        )


# ---- Jigsaw, diagonal and killer Sudokus -----------------------------------------------------------------------------


def variants() -> Iterator[PastedBoard]:
    for name in ("jigsaw-9-101", "jigsaw-9-102", "jigsaw-5-104"):
        given = board(name)
        letters = joined([["ABCDEFGHI"[number - 1] for number in row] for row in given.regions], "")
        digits = joined(given.regions, "")
        texts = {
            "title": f"Jigsaw Sudoku\n\n{given.grid()}\n{letters}",
            "regions": f"{given.matrix('.')}\nRegions:\n{joined(given.regions)}",
            "above": f"Regions\n{digits}\nGivens\n{given.grid()}",
            "bare": f"{given.grid()}\n{letters}",
        }
        for style, text in texts.items():
            outcome = HARD if style == "bare" else NAMED
            yield PastedBoard(f"{name}-{style}.txt", text, (given,), outcome=outcome)
    given = board("diagonal-9-111")
    for title in ("X-Sudoku", "Diagonal Sudoku", "Sudoku X no. 12"):
        text = f"{title}\n\n{_barred(given)}"
        yield PastedBoard(f"diagonal-{title[:4].strip()}.txt", text, (given,), outcome=NAMED)
    spellings: dict[str, Callable[[int, Sequence[Cell]], str]] = {
        "rc": lambda total, cells: f"{total}: {' '.join(f'r{i}c{j}' for i, j in cells)}",
        "equals": lambda total, cells: f"{'+'.join(f'r{i}c{j}' for i, j in cells)} = {total}",
        "pairs": lambda total, cells: f"{total} = {' + '.join(f'({i},{j})' for i, j in cells)}",
    }
    for name in ("killer-9-121", "killer-4-123"):
        given = board(name)
        for style, words in spellings.items():
            lines = _lines([words(*cage) for cage in given.cages])
            text = f"Killer Sudoku\n\n{given.grid()}\n{lines}"
            yield PastedBoard(f"{name}-{style}.txt", text, (given,), outcome=NAMED)


def own_drawings() -> Iterator[PastedBoard]:
    """Boards as the package draws them."""
    names = "sudoku-9-1 sudoku-6-31 sudoku-16-51 latin-5-72 futoshiki-5-82 futoshiki-9-86 takuzu-8-94".split()
    for name in names:
        given = board(name)
        yield PastedBoard(f"own-{name}.txt", given.drawn(), (given,))
        yield PastedBoard(f"own-{name}-mail.txt", f"The board:\n\n{given.drawn()}\nAna\n", (given,))
    for name in ("jigsaw-9-103", "jigsaw-6-105", "diagonal-9-112", "killer-9-121"):
        given = board(name)
        outcome = NAMED if given.kind == "diagonal" else HARD
        yield PastedBoard(f"own-{name}.txt", given.drawn(), (given,), outcome=outcome)
