"""Boards as people paste them: in mails, tables, pages and programs, with remarks around them.

They are in ``corpus/pasted_boards``, below lines ``==> name: boards <==`` with the names of boards in
``corpus/boards.jsonl`` and perhaps with ``outcome=NAMED`` (or ``HARD``), ``also=`` another kind that the text alone
may mean, and ``box=2x3``, which is given with the name of the kind.
"""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from tests.door.boards import Board, board
from tests.door.texts import fields, written_texts


class Outcome(Enum):
    """The least that is asked of a reading. It is never another puzzle."""

    READ = "read from the text alone"
    NAMED = "read with the name of its kind; without it, perhaps refused"
    HARD = "perhaps refused"


class PastedBoard(NamedTuple):
    name: str  # of the file
    text: str
    boards: tuple[Board, ...]
    also: str | None = None  # another kind that the text alone may mean
    outcome: Outcome = Outcome.READ
    box: str | None = None  # given with --from


def pasted_boards() -> Iterator[PastedBoard]:
    for name, note, text in written_texts("pasted_boards"):
        words = note.split()
        given = fields(words)
        boards = tuple(board(word) for word in words if "=" not in word)
        outcome = Outcome[given.get("outcome", "READ")]
        yield PastedBoard(name, text, boards, given.get("also"), outcome, given.get("box"))
    yield from own_drawings()


def own_drawings() -> Iterator[PastedBoard]:
    """Boards as the package draws them."""
    names = "sudoku-9-1 sudoku-6-31 sudoku-16-51 latin-5-72 futoshiki-5-82 futoshiki-9-86 takuzu-8-94".split()
    for name in names:
        given = board(name)
        yield PastedBoard(f"own-{name}.txt", given.drawn(), (given,))
        yield PastedBoard(f"own-{name}-mail.txt", f"The board:\n\n{given.drawn()}\nAna\n", (given,))
    for name in ("jigsaw-9-103", "jigsaw-6-105", "diagonal-9-112", "killer-9-121"):
        given = board(name)
        outcome = Outcome.NAMED if given.kind == "diagonal" else Outcome.HARD
        yield PastedBoard(f"own-{name}.txt", given.drawn(), (given,), outcome=outcome)
