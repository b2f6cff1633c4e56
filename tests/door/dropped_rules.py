"""Boards with rules beside them, which the plain kind would lose: each is refused, or read with its rules."""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from f2csp.puzzles.futoshiki import Sign
from f2csp.puzzles.puzzle import Cell
from tests.door.boards import board
from tests.door.reading import Reading, Rules


class Outcome(NamedTuple):
    """A reading that loses nothing."""

    kind: str
    rules: Rules = frozenset()
    warning: str = ""  # the code of a warning that must be there

    def allows(self, reading: Reading) -> bool:
        is_warned = not self.warning or self.warning in reading.codes
        return reading.kind == self.kind and reading.rules == self.rules and is_warned


class RuledText(NamedTuple):
    name: str  # of the file
    text: str
    kinds: tuple[str, ...]  # that a user may name with --from
    outcomes: tuple[Outcome, ...] = ()  # beside a refusal
    what: str = ""


def ruled_texts() -> Iterator[RuledText]:
    families = (
        *(start_and_rel, signs_below_a_grid, signs_below_a_sudoku, faulty_signs, cages_below_a_grid, faulty_cages),
        *(regions_beside_a_grid, andoku_letters, headings, remarks, other_kinds, faulty_clue_lists, json_with_rules),
    )
    return chain.from_iterable(family() for family in families)


# ---- Futoshiki -------------------------------------------------------------------------------------------------------


def _letters(cell: Cell) -> str:
    return f"{'ABCDEFGHI'[cell.row - 1]}{cell.column}"


def _turned(signs: Sequence[Sign]) -> Rules:
    """The signs if letters name the columns."""
    return frozenset(Sign(*(Cell(cell.column, cell.row) for cell in sign)) for sign in signs)


def start_and_rel() -> Iterator[RuledText]:
    for name in ("futoshiki-5-82", "futoshiki-4-81"):
        given = board(name)
        rows = [";".join(row) for row in given.rows("0")]
        lines = [f"{_letters(a)};{_letters(b)}" for a, b in given.signs[:6]]
        faults = {
            "one-cell": "C3;C3",
            "far": "A2;C2",
            "outside": "A1;I9",
            "unfinished": "A1;",
            "contradiction": ";".join(lines[0].split(";")[::-1]),
            "word": "A1<A2?",
            "three": "A1;A2;A3",
            "number": "A1;A2;3",
        }
        for fault, line in faults.items():
            text = "\n".join([str(given.size), "START:", *rows, "REL:", *lines[:3], line, *lines[3:]]) + "\n"
            what = f"START and REL with the faulty line {line}"
            yield RuledText(f"rel-{fault}-{given.size}.txt", text, ("futoshiki", "latin"), (), what)


_SPELLINGS = {
    "letters": lambda a, b: f"{_letters(a)} < {_letters(b)}",
    "small-letters": lambda a, b: f"{_letters(a).lower()} < {_letters(b).lower()}",
    "tight": lambda a, b: f"{_letters(a)}<{_letters(b)}",
    "pairs": lambda a, b: f"({a.row},{a.column}) < ({b.row},{b.column})",
    "greater": lambda a, b: f"({b.row},{b.column}) > ({a.row},{a.column})",
    "rc": lambda a, b: f"r{a.row}c{a.column} < r{b.row}c{b.column}",
    "capitals": lambda a, b: f"R{a.row}C{a.column} < R{b.row}C{b.column}",
    "numbers": lambda a, b: f"{a.row} {a.column} {b.row} {b.column}",
    "words": lambda a, b: f"row {a.row} column {a.column} is less than row {b.row} column {b.column}",
}


def signs_below_a_grid() -> Iterator[RuledText]:
    given = board("futoshiki-5-83")
    signs = [Sign(*pair) for pair in given.signs[:5]]
    outcomes = (Outcome("futoshiki", frozenset(signs)), Outcome("futoshiki", _turned(signs)))
    for spelling, words in _SPELLINGS.items():
        lines = "".join(f"{words(*sign)}\n" for sign in signs)
        for title, text in {
            "": f"{given.matrix()}\n{lines}",
            "-tight": given.matrix(".") + lines,
            "-above": f"{lines}\n{given.matrix()}",
        }.items():
            name = f"below-{spelling}{title}.txt"
            yield RuledText(name, text, ("latin", "futoshiki"), outcomes, "a grid and signs as cells")
    one = f"{given.matrix('.')}\nHint: {_letters(signs[0].smaller)} < {_letters(signs[0].greater)}\n"
    outcomes = tuple(Outcome("futoshiki", rules) for rules in (frozenset(signs[:1]), _turned(signs[:1])))
    yield RuledText("below-hint.txt", one, ("latin", "futoshiki"), outcomes, "a grid and one sign in a sentence")


def signs_below_a_sudoku() -> Iterator[RuledText]:
    given = board("sudoku-9-1")
    signs = [Sign(Cell(1, 3), Cell(1, 4)), Sign(Cell(5, 5), Cell(6, 5))]
    for spelling, words in _SPELLINGS.items():
        lines = "".join(f"{words(*sign)}\n" for sign in signs)
        outcomes = (Outcome("futoshiki", frozenset(signs)), Outcome("futoshiki", _turned(signs)))
        text = f"{given.grid()}\n{lines}"
        yield RuledText(f"sudoku-{spelling}.txt", text, ("sudoku", "latin"), outcomes, "a 9x9 grid and signs")
        yield RuledText(f"sudoku-{spelling}-title.txt", f"Sudoku\n{text}", ("sudoku",), (), "a Sudoku with signs")


def faulty_signs() -> Iterator[RuledText]:
    kinds = ("futoshiki", "latin")
    texts = {
        "slash": "4\n0 < 0   0   3\n        /    \n0   0   0   0\n\n0   0 > 0   0\n\n2   0   0   0\n",
        "diagonal": "4 . . 1\n. . . .\n. 2 . .\n. . . .\n\\ between (1,1) and (2,2): smaller\n",
        "row-of-signs-short": "4\n0,0,0,3\n0,0,0,0\n0,0,0,0\n2,0,0,0\n# Horizontal constraints\n1,0,0\n0,0,0\n",
        "equal": "4 . . 1\n. . . .\n. 2 . .\n. . . .\n(1,2) = (2,3)\n",
        "not-equal": "4 . . 1\n. . . .\n. 2 . .\n. . . .\n(1,2) != (2,3)\n",
        "differs-by-one": "4 . . 1\n. . . .\n. 2 . .\n. . . .\n(1,2) and (1,3) are consecutive\n",
        "pairs-count": "4\n4 -1 -1 1\n-1 -1 -1 -1\n-1 2 -1 -1\n-1 -1 -1 -1\n3\n0>1\n5>6\n",
        "pairs-far": "4\n4 -1 -1 1\n-1 -1 -1 -1\n-1 2 -1 -1\n-1 -1 -1 -1\n2\n0>1\n5>15\n",
    }
    for name, text in texts.items():
        yield RuledText(f"signs-{name}.txt", text, kinds, (), "signs with a fault, or other relations")


# ---- Killer ----------------------------------------------------------------------------------------------------------

_CAGES = {
    "rc": lambda total, cells: f"{total} {' '.join(f'r{i}c{j}' for i, j in cells)}",
    "capitals": lambda total, cells: f"{total}: {', '.join(f'R{i}C{j}' for i, j in cells)}",
    "equals": lambda total, cells: f"{' + '.join(f'r{i}c{j}' for i, j in cells)} = {total}",
    "pairs": lambda total, cells: f"{total} {' '.join(f'({i},{j})' for i, j in cells)}",
    "letters": lambda total, cells: f"{total} {' '.join(map(_letters, cells))}",
    "numbers": lambda total, cells: f"{total} {' '.join(f'{i}{j}' for i, j in cells)}",
    "arrow": lambda total, cells: f"{' '.join(f'r{i}c{j}' for i, j in cells)} -> {total}",
}


def cages_below_a_grid() -> Iterator[RuledText]:
    for name in ("killer-9-121", "killer-9-122"):
        given = board(name)
        turned = frozenset((total, frozenset(Cell(j, i) for i, j in cells)) for total, cells in given.cages)
        outcomes = (Outcome("killer", given.rules), Outcome("killer", turned))
        for spelling, words in _CAGES.items():
            lines = "".join(f"{words(*cage)}\n" for cage in given.cages)
            text = f"{given.grid()}\n{lines}"
            name = f"cages-{spelling}-{given.name}.txt"
            yield RuledText(name, text, ("sudoku", "latin", "killer"), outcomes, "a grid and its cages")
    given = board("sudoku-9-2")
    cells = (Cell(1, 3), Cell(1, 4))
    outcomes = (Outcome("killer", frozenset({(10, frozenset(cells))})),)
    for spelling, words in _CAGES.items():
        text = f"{given.grid()}\n{words(10, cells)}\n"
        name = f"one-cage-{spelling}.txt"
        yield RuledText(name, text, ("sudoku", "latin", "killer"), outcomes, "a grid and one cage")


def faulty_cages() -> Iterator[RuledText]:
    given = board("killer-4-123")
    lines = [f"{total} {' '.join(f'r{i}c{j}' for i, j in cells)}" for total, cells in given.cages]
    faults = {
        "outside": lines[0].replace("r1c1", "r9c9"),
        "word": "x" + lines[0],
        "no-total": lines[0].partition(" ")[2],
        "cell-typo": lines[0].replace("r1c1", "r1v1"),
        "twice": f"{lines[0]}\n{lines[0]}",
    }
    for fault, line in faults.items():
        text = f"{given.grid()}\n" + "\n".join([line, *lines[1:]]) + "\n"
        outcomes = (Outcome("killer", given.rules),) if fault == "twice" else ()
        yield RuledText(f"cages-{fault}.txt", text, ("sudoku", "latin", "killer"), outcomes, "cages with a fault")


# ---- Jigsaw, and plain Sudokus with further regions ------------------------------------------------------------------


def regions_beside_a_grid() -> Iterator[RuledText]:
    kinds = ("sudoku", "latin", "jigsaw")
    for name in ("jigsaw-9-101", "jigsaw-9-102", "jigsaw-6-105"):
        given = board(name)
        outcomes = (Outcome("jigsaw", given.rules),)
        maps = {
            "letters": [["ABCDEFGHI"[number - 1] for number in row] for row in given.regions],
            "digits": [[str(number) for number in row] for row in given.regions],
            "zero": [[str(number - 1) for number in row] for row in given.regions],
            "small": [["abcdefghi"[number - 1] for number in row] for row in given.regions],
        }
        for spelling, labels in maps.items():
            for between in ("", " "):
                regions = "".join(f"{between.join(row)}\n" for row in labels)
                grid = given.matrix(".") if between else given.grid()
                texts = {
                    "below": f"{grid}\n{regions}",
                    "above": f"{regions}\n{grid}",
                    "tight": f"{grid}{regions}",
                }
                for place, text in texts.items():
                    file = f"map-{spelling}-{place}{'-blanks' * bool(between)}-{given.size}-{name[-3:]}.txt"
                    yield RuledText(file, text, kinds, outcomes, "a grid and a map of regions")
        pairs = zip(given.rows(), maps["letters"], strict=True)
        beside = "".join(f"{''.join(row)}   {''.join(labels)}\n" for row, labels in pairs)
        yield RuledText(f"map-beside-{name}.txt", beside, kinds, outcomes, "a map of regions beside a grid")
        cells: dict[int, list[str]] = {}
        for i, row in enumerate(given.regions, 1):
            for j, number in enumerate(row, 1):
                cells.setdefault(number, []).append(f"r{i}c{j}")
        lists = "".join(f"Region {number}: {' '.join(names)}\n" for number, names in sorted(cells.items()))
        yield RuledText(f"map-lists-{name}.txt", f"{given.grid()}\n{lists}", kinds, outcomes, "lists of regions")
    given = board("sudoku-9-3")
    extra = "Extra region: r2c2 r2c3 r2c4 r3c2 r3c3 r3c4 r4c2 r4c3 r4c4\n"
    yield RuledText("extra-region.txt", f"{given.grid()}{extra}", ("sudoku", "latin"), (), "an extra region")
    shaded, clear = [".XXX.XXX."] * 3, ["........."]
    marks = "\n".join([*clear, *shaded, *clear, *shaded, *clear])
    yield RuledText("extra-map.txt", f"{given.grid()}\n{marks}\n", ("sudoku", "latin"), (), "a map of shaded cells")


def andoku_letters() -> Iterator[RuledText]:
    given, jigsaw = board("diagonal-9-111"), board("jigsaw-9-103")
    diagonal = (Outcome("diagonal"),)
    for letter in "XHPC":
        outcomes = diagonal if letter == "X" else ()
        text = f"{given.line()}||{letter}\n"
        yield RuledText(f"andoku-{letter}.adk", text, ("sudoku", "jigsaw"), outcomes, "Andoku with extra regions")
        yield RuledText(f"andoku-{letter}.txt", text, ("sudoku", "jigsaw"), outcomes, "Andoku with extra regions")
        labels = "".join(str(number) for row in jigsaw.regions for number in row)
        text = f"{jigsaw.line()}|{labels}|{letter}\n"
        warned = (Outcome("jigsaw", jigsaw.rules, "F616"),)
        name = f"andoku-jigsaw-{letter}.adk"
        yield RuledText(name, text, ("sudoku", "jigsaw"), warned, "a jigsaw of Andoku with extra regions")


# ---- Rules in words --------------------------------------------------------------------------------------------------


def headings() -> Iterator[RuledText]:
    given, kinds = board("diagonal-9-112"), ("sudoku", "latin")
    diagonal = (Outcome("diagonal"),)
    titles = {
        **dict.fromkeys(("X-Sudoku", "Sudoku X", "Diagonal Sudoku", "Sudoku-X no. 7", "diagonal"), diagonal),
        **dict.fromkeys(("Windoku", "Hyper Sudoku", "Anti-knight", "Antiknight Sudoku", "Anti-King Sudoku"), ()),
        **dict.fromkeys(("Non-consecutive Sudoku", "Thermo Sudoku", "Disjoint groups", "Even-Odd Sudoku"), ()),
        **dict.fromkeys(("Centre dot Sudoku", "Asterisk Sudoku", "Girandola", "Argyle Sudoku"), ()),
        **dict.fromkeys(("Greater than Sudoku", "Killer Sudoku", "Jigsaw Sudoku", "Kropki", "Toroidal Sudoku"), ()),
    }
    for i, (title, outcomes) in enumerate(titles.items()):
        yield RuledText(
            f"heading-{i:02}.txt", f"{title}\n\n{given.grid()}", kinds, outcomes, f"below the title {title}"
        )
    text = f"# Windoku 12\n{given.line()}\n"
    yield RuledText("heading-comment.sdm", text, kinds, (), "a variant in a comment above a line")
    yield RuledText("heading-below.txt", f"{given.grid()}(Anti-knight)\n", kinds, (), "a variant below the grid")
    csv = f"puzzle,variant\n{given.line()},x-sudoku\n"
    yield RuledText("variant.csv", csv, kinds, diagonal, "a variant in a column")


def remarks() -> Iterator[RuledText]:
    given, kinds = board("sudoku-9-4"), ("sudoku", "latin")
    lines = {
        "diagonals": ("Both diagonals hold 1 to 9, too.", (Outcome("diagonal"),)),
        "even": ("Grey cells are even: r1c1 r2c5", ()),
        "odd": ("r3c3 is odd", ()),
        "thermo": ("Thermo: r1c1-r1c2-r1c3", ()),
        "thermo-words": ("Digits grow along the thermometers r1c1 r1c2 r2c2 and r5c5 r6c5.", ()),
        "arrow": ("Arrow: r5c5 = r5c6 + r5c7", ()),
        "arrow-words": ("The digit in the circle is the sum of those on its arrow.", ()),
        "knight": ("Cells a knight's move apart are different.", ()),
        "consecutive": ("No two neighbours may be consecutive.", ()),
        "dots": ("white dot: r1c1 r1c2", ()),
        "sum": ("The top row's first three cells add up to 15.", ()),
        "different": ("r1c1 != r9c9", ()),
        "palindrome": ("palindrome: r1c1 r2c2 r3c3 r4c4", ()),
        "windows": ("The four windows hold 1-9 as well.", ()),
    }
    for name, (line, outcomes) in lines.items():
        yield RuledText(f"remark-{name}.txt", f"{given.grid()}\n{line}\n", kinds, outcomes, "a rule in words below")
        yield RuledText(
            f"remark-{name}-above.txt", f"{line}\n\n{given.grid()}", kinds, outcomes, "a rule in words above"
        )


def other_kinds() -> Iterator[RuledText]:
    latin, takuzu = board("latin-6-74"), board("takuzu-6-92")
    texts = {
        "latin-diagonal": ("Diagonal Latin square\n" + latin.matrix(), ("latin",)),
        "latin-pandiagonal": ("Pandiagonal Latin square\n" + latin.matrix(), ("latin",)),
        "latin-sums": (f"{latin.matrix('.')}\nrow sums of the first two cells: 3 7 5 4 9 6\n", ("latin",)),
        "latin-symmetric": ("Symmetric Latin square\n" + latin.matrix(), ("latin",)),
        "towers": ("  2 1 3 2 2 4\n" + "".join(f"2 {row} 3\n" for row in latin.matrix(".").splitlines()), ("latin",)),
        "takuzu-equal": (f"{takuzu.grid()}\nr1c1 = r1c2\nr3c3 x r3c4\n", ("takuzu",)),
        "takuzu-signs": (f"{takuzu.grid()}\n(1,1) != (1,2)\n", ("takuzu",)),
        "takuzu-regions": (f"{takuzu.grid()}\nAABBCC\nAABBCC\nAABBCC\nDDEEFF\nDDEEFF\nDDEEFF\n", ("takuzu",)),
        "takuzu-tango": (f"Tango\n{takuzu.grid()}equal: A1 B1\nopposite: C3 C4\n", ("takuzu",)),
    }
    for name, (text, kinds) in texts.items():
        yield RuledText(f"{name}.txt", text, kinds, (), "a rule that the kind does not have")
    free = (Outcome("takuzu", frozenset({"lines may be equal"})),)
    text = f"Rows and columns may be equal.\n{takuzu.grid()}"
    yield RuledText("takuzu-free.txt", text, ("takuzu",), free, "a Takuzu whose lines may be equal")


# ---- Faults of files that must not become another board --------------------------------------------------------------


def faulty_clue_lists() -> Iterator[RuledText]:
    few = [(1, 1, 5), (1, 2, 3), (1, 5, 7), (2, 1, 6), (2, 4, 1), (2, 5, 9), (2, 6, 5), (3, 2, 9), (3, 3, 8), (3, 8, 6)]
    few += [(4, 1, 8), (4, 5, 6)]
    for n, clues in ((12, few), (32, board("sudoku-9-5").clues())):
        lists = {
            "row-0": (n, [(0, *clues[1][1:]), *clues[2:], clues[0]]),
            "row-0-second": (n, [clues[0], (0, *clues[1][1:]), *clues[2:]]),
            "column-0": (n, [(clues[0][0], 0, clues[0][2]), *clues[1:]]),
            "count-small": (n - 1, clues),
            "count-large": (n + 1, clues),
            "count-far": (n + 20, clues),
            "row-10": (n, [(10, *clues[0][1:]), *clues[1:]]),
            "value-0": (n, [(*clues[0][:2], 0), *clues[1:]]),
        }
        for fault, (count, given) in lists.items():
            text = f"9\n{count}\n" + "".join(f"{i} {j} {value}\n" for i, j, value in given)
            kinds = ("sudoku", "latin")
            yield RuledText(f"clues-{fault}-{n}.txt", text, kinds, (), "a list of clues with a slip")


def json_with_rules() -> Iterator[RuledText]:
    killer, diagonal, kinds = board("killer-9-122"), board("diagonal-9-111"), ("sudoku", "latin")
    grid = [[{"value": value, "given": True} if value else {} for value in row] for row in killer.givens]
    cages = [{"cells": [f"R{i}C{j}" for i, j in cells], "value": str(total)} for total, cells in killer.cages]
    plain = [[value or 0 for value in row] for row in diagonal.givens]
    killed = (Outcome("killer", killer.rules),)
    crossed = (Outcome("diagonal"),)
    records = {
        "fpuzzles-killer": ({"size": 9, "grid": grid, "killercage": cages}, killed),
        "cages": ({"grid": [[value or 0 for value in row] for row in killer.givens], "cages": cages}, killed),
        "diagonals": ({"size": 9, "grid": plain, "diagonal+": True, "diagonal-": True}, crossed),
        "knight": ({"size": 9, "grid": plain, "antiknight": True}, ()),
        "thermometer": ({"size": 9, "grid": plain, "thermometer": [{"lines": [["R1C1", "R1C2"]]}]}, ()),
        "rules": ({"board": plain, "rules": "Normal sudoku rules apply. Digits on a line grow."}, ()),
        "constraints": ({"board": plain, "constraints": [{"type": "arrow", "cells": [[0, 0], [0, 1], [0, 2]]}]}, ()),
        "less": ({"size": 9, "board": plain, "less": [[[0, 0], [0, 1]]]}, ()),
    }
    for name, (record, outcomes) in records.items():
        yield RuledText(f"{name}.json", json.dumps(record) + "\n", kinds, outcomes, "a board in JSON with rules")
    rows = "\n".join(f"  - '{line}'" for line in diagonal.grid().splitlines())
    yaml = f"type: windoku\ngrid:\n{rows}\n"
    yield RuledText("windoku.yaml", yaml, kinds, (), "a variant in YAML")
