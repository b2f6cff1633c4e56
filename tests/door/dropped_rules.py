"""Boards with rules beside them, which the plain kind would lose: each is refused, or read with its rules.

They are in ``corpus/ruled_boards``, below lines ``==> name: kinds <==`` with the kinds that a user may name, and
perhaps with the reading that loses nothing: ``may-be=killer:killer-9-121`` (the rules of that board),
``may-be=killer:10=r1c3+r1c4``, ``may-be=futoshiki:r1c3<r1c4,r5c5<r6c5``, with ``or=transposed`` where the rules may
be read with rows and columns exchanged, and with ``warning=`` the code of a warning that must be there.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from f2csp.puzzles.futoshiki import Sign
from f2csp.puzzles.puzzle import Cell
from tests.door.boards import board, boards
from tests.door.reading import Reading, Rules
from tests.door.texts import fields, written_texts

_CELL = re.compile(r"r(\d+)c(\d+)")


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


def ruled_texts() -> Iterator[RuledText]:
    for name, note, text in written_texts("ruled_boards"):
        words = note.split()
        given = fields(words)
        kind, _, rules = given.get("may-be", "").partition(":")
        orders = [False, True] if given.get("or") == "transposed" else [False]
        outcomes = [Outcome(kind, _rules(rules, order), given.get("warning", "")) for order in orders if kind]
        yield RuledText(name, text, tuple(word for word in words if "=" not in word), tuple(outcomes))


def _rules(spelled: str, is_transposed: bool) -> Rules:
    if spelled in boards():
        return frozenset(_transposed(rule) for rule in board(spelled).rules) if is_transposed else board(spelled).rules
    return frozenset(_rule(rule, is_transposed) for rule in spelled.split(",") if rule)


def _transposed(rule: tuple[int, frozenset[Cell]]) -> object:
    total, cells = rule
    return total, frozenset(Cell(column, row) for row, column in cells)


def _rule(spelled: str, is_transposed: bool) -> object:
    """A sign, a cage, or what is neither: ``equal-lines``."""
    found = [Cell(int(row), int(column)) for row, column in _CELL.findall(spelled)]
    cells = [Cell(column, row) for row, column in found] if is_transposed else found
    if "<" in spelled:
        return Sign(*cells)
    if cells:
        return int(spelled.split("=")[0]), frozenset(cells)
    return spelled.replace("equal-lines", "lines may be equal")
