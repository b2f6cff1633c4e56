"""Boards, lists and pictures in texts of no format, and variants, which are refused by their name."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from f2csp.diagnostics import Diagnostic, InvalidInput
from f2csp.boards.grids import MAX_DIGITS, MIN_ROW, Board, UnclearBoard, boards
from f2csp.boards.lists import drawn_futoshiki, listed_puzzles
from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import UnknownFormat, unclear

_VARIANT = re.compile(
    rb"(?<![a-z])(?:killer|jigsaw|squiggly|irregular|samurai|windoku|hyper-?sudoku|diagonal\+?|x-sudoku|sudoku-?x|thermo\w*|"
    rb"sandwich|kropki|arrow|anti-?(?:knight|king)|non-?consecutive|renban|palindrome|little ?killer|xv|quadruple|"
    rb"between ?line|clone|kakuro|kenken|calcudoku|roxdoku)(?:s|cages?|sudoku)?(?![a-z])",
    re.IGNORECASE,
)
_PLAIN = ("sudoku", "latin", "takuzu")
_MAX_BYTES = 1 << 18  # of a text that is searched for boards
_MAY_BE_DECORATION = frozenset({"F601", "F604", "F606", "F607", "F609", "F610"})
"""The codes of faults of a text that is perhaps no file of the format, but a board with remarks."""


def boards_in(
    text: Text,
    kinds: Collection[str],
    options: Mapping[str, Any],
    faults: Sequence[Diagnostic] = (),
    *,
    is_faint: bool = False,
) -> list[Board]:
    """The boards in a text of no format, or of a format with faults, if they are all that it holds."""
    if text.end - text.start > _MAX_BYTES:
        return []
    content, codes = text.data.decode(), {fault.code for fault in faults}
    may_be_board = is_faint or codes <= _MAY_BE_DECORATION or "expected a column" in faults[0].message
    is_list = True
    try:
        found = listed_puzzles(content, kinds)
        if not found and "futoshiki" in kinds and (is_faint or codes.isdisjoint(("F611", "F612"))):
            found = drawn_futoshiki(content)
        is_list = False
        if not found and may_be_board:
            found = boards(_plain(content), kinds, options)
    except UnclearBoard as error:
        code, message, hint = error.args
        if code in codes or not may_be_board or (faults and is_list):
            return []
        raise InvalidInput(unclear(code, text, message, hint)) from None
    if found:
        refuse_variant(text, found[0].puzzle.KIND)
    return found


def refuse_variant(text: Text, kind: str = "sudoku") -> None:
    """Raise UnknownFormat for a file that names a variant of Sudoku, whose rules a plain board would lack."""
    match = _VARIANT.search(text.head().data)
    if match is not None and kind in _PLAIN:
        hint = "f2csp formats lists the puzzles and their formats; --from sudoku:grid reads a plain board"
        message = f"expected a puzzle of a known kind, found the variant {match[0].decode()!r}"
        raise UnknownFormat(unclear("F613", text, message, hint))


def _plain(text: str) -> str:
    """JSON as lines, a list of cells to a line; any other text as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return "\n".join(_json_lines(value)) if isinstance(value, (list, dict)) else text


def _json_lines(value: object, name: str = "") -> Iterator[str]:
    items = value if isinstance(value, list) else []
    pairs = value.items() if isinstance(value, dict) else [("", item) for item in items]
    if not pairs and isinstance(value, (int, float)) and value >= 10**MAX_DIGITS:
        return  # a rating or the like
    if not pairs:
        yield from f'"{name}": {value}'.splitlines()
    elif isinstance(value, dict) or any(isinstance(item, (list, dict)) for _, item in pairs):
        for key, item in pairs:
            yield from _json_lines(item, key)
            yield from [""] * isinstance(value, dict)
    else:
        cells = ["null" if item is None or not str(item).strip() else str(item) for _, item in pairs]
        yield from cells if min(map(len, cells)) > MIN_ROW else [" ".join(cells)]
