"""Sudokus and Latin squares as lists of clues; ``grammars/clues.lark`` defines the language."""

import re
from collections.abc import Sequence

from f2csp.boards.pieces import HUGE, Piece, Text, number, span_of
from f2csp.boards.puzzle_builder import Codec, Given, PuzzleBuilder, Unreadable, shortened, text_of
from f2csp.puzzles.puzzle import Cell, Puzzle
from f2csp.puzzles.squares import MAX_SIZE

_NUMBERS = ("row", "column", "value")
_SIZE, _COUNT = "size of the board", "number of clues"
_HEADER_HINT = "write the size, such as 9, and the number of clues on a line each before the first clue"
_CLUE_HINT = "write one clue to a line: row, column and value, separated by blanks"
_ZERO_HINT = "rows and columns count from 1; if the file counts from 0, add 1 to all of them"
_COMMAS = re.compile(r"[ \t]*+[0-9]++(?:[ \t]*+,[ \t]*+[0-9]++){1,2}+[ \t]*+")
_COMMENT = re.compile(r"[ \t]*+(?:#|//|%|;|--).*[^\W\d_]")


def _has_words(lines: Sequence[Sequence[int | None]]) -> bool:
    return any(None in line for line in lines)


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a list: the size of the board, the number of clues, and row, column and value of each.

        9
        2
        1 1 5
        3 7 2

    Numbers are ASCII digits, with or without leading zeros.
    """
    return _Reader(builder).read(text)


def _write(puzzle: Puzzle) -> str:
    clues = [f"{row} {column} {value}" for row, column, value in puzzle.clues]
    return text_of([str(puzzle.n_rows), str(len(clues)), *clues])


CLUES = Codec(_read, _write, has_boxes=False)


class _Reader:
    """Takes line after line, and keeps the clues."""

    def __init__(self, builder: PuzzleBuilder) -> None:
        self._builder, self._fault = builder, builder.fault
        self._size: int | None = None  # as the file gives it, also when there is no such board
        self._clues: dict[tuple[int, int], Given] = {}
        self._n_found = 0
        self._n_sound = 0
        self._max_unsound = 0  # of the clues that the faulty lines can have been
        self._has_zero = False

    def read(self, text: Text) -> Puzzle:
        """Read all lines, and give the puzzle if there is one."""
        has_commas, self._counts_from_zero = False, _counts_from_zero(text.head())
        headers: dict[str, list[Piece]] = {}
        missing = [_SIZE, _COUNT]
        for line in text.lines:
            if _COMMENT.match(line.text):
                message = f"clue files have no comments, found '{shortened(line.stripped)}'"
                self._fault("F606", line.span, message, hint="remove the line")
                self._max_unsound += not missing
            elif words := _words(line):
                if not has_commas and _COMMAS.fullmatch(line.text):  # reported once
                    has_commas = True
                    message = f"expected blanks between numbers, found '{shortened(line.stripped)}'"
                    self._fault("F606", line.span, message, hint="write blanks for all commas")
                if missing and len(words) >= 3 and None not in [number(word.text) for word in words[:3]]:
                    if len(headers.get(_SIZE, [_SIZE])) == 1:  # else the count is likely the second word of that line
                        message = f"expected the {' and the '.join(missing)}, found a clue"
                        self._fault("F604", span_of(words[:3]), message, hint=_HEADER_HINT)
                    missing = []
                if not missing:
                    self._clue_line(words)
                elif self._is_header(missing[0], words):
                    headers[missing.pop(0)] = words
                    self._size = number(headers[_SIZE][0].text)
        if missing:
            self._fault("F604", (text.end, text.end), f"the file ends before the {missing[0]}", hint=_HEADER_HINT)
        if _COUNT in headers:
            self._check_count(headers[_COUNT][0])
        if self._size is None:
            raise Unreadable
        clues = [clue for clue in self._clues.values() if clue.value]
        return self._builder.square(self._size, clues, headers[_SIZE][0].span)

    def _is_header(self, name: str, words: list[Piece]) -> bool:
        """Whether a line was meant to hold the number called ``name``; its faults are reported."""
        first, *others = words
        is_number = number(first.text) is not None
        if not is_number:
            code = "F606" if others else "F607"
            self._fault(code, span_of(words), f"expected the {name} in digits, found '{_shown(words)}'")
        elif others:
            message = f"unexpected text '{_shown(others)}' after the {name}"
            self._fault("F606", span_of(others), message, hint=_HEADER_HINT)
        return is_number or not others  # other words are a remark or a heading: the number may follow

    def _clue_line(self, words: list[Piece]) -> None:
        n_errors = self._builder.collector.n_errors
        n_numbers = sum(number(word.text) is not None for word in words[:3])
        if number(words[0].text) is not None or n_numbers == 2:
            self._n_found += 1
            self._clue(words[:3], words[3:])
        else:
            self._fault("F606", span_of(words), f"expected a clue, found '{_shown(words)}'", hint=_CLUE_HINT)
        if self._builder.collector.n_errors > n_errors:
            self._max_unsound += -(-len(words) // len(_NUMBERS))
        else:
            self._n_sound += 1

    def _clue(self, words: list[Piece], rest: list[Piece]) -> None:
        for name, word in zip(_NUMBERS, words, strict=False):
            self._check_number(name, word)
        missing = _NUMBERS[len(words) :]
        if missing:
            end = words[-1].end
            message = f"the clue '{_shown(words)}' has no {' and no '.join(missing)}"
            self._fault("F604", (end, end), message, label="missing here")
        if rest:
            message = f"unexpected text '{_shown(rest)}' after the clue '{_shown(words)}'"
            self._fault("F606", span_of(rest), message, hint=_CLUE_HINT)
        self._keep(words)

    def _check_number(self, name: str, word: Piece) -> None:
        value = number(word.text)
        if value is None:
            self._fault("F607", word.span, f"expected the {name} in digits, found '{_shown([word])}'")
        elif not self._is_in_range(value):
            is_zero = value == 0 and name != _NUMBERS[-1]
            if is_zero and self._counts_from_zero and self._has_zero:
                return  # one cause, reported at its first place
            self._has_zero |= is_zero
            expected = "from 1" if self._size is None else f"from 1 to {self._size}"
            message = f"expected a {name} {expected}, found {_shown([word])}"
            self._fault("F603", word.span, message, hint=_ZERO_HINT if is_zero else None)

    def _keep(self, words: list[Piece]) -> None:
        """Keep the clue if its cell is known; its value is 0 if that is missing or wrong."""
        numbers = [value if (value := number(word.text)) and self._is_in_range(value) else 0 for word in words]
        row, column, value = (*numbers, 0, 0)[:3]
        if not row or not column:
            return
        span = span_of(words)
        earlier = self._clues.get((row, column))
        if earlier is not None:
            marks, message = [(*earlier.span, "given here first")], f"the cell at {Cell(row, column)} is given twice"
            self._fault("F605", span, message, label="given again", related=marks, hint="remove one of the two lines")
        elif len(self._clues) < MAX_SIZE**2:  # no board has more cells
            self._clues[row, column] = Given(row, column, value, span)

    def _is_in_range(self, value: int) -> bool:
        return 1 <= value <= min(self._size or HUGE, HUGE - 1)

    def _check_count(self, word: Piece) -> None:
        """Compare the declared number of clues with those found, unless faulty lines explain a difference."""
        declared = number(word.text)
        if declared is not None and not 0 <= declared - self._n_sound <= self._max_unsound:
            message = f"expected {self._n_found} as the number of clues, found {_shown([word])}"
            self._fault("F602", word.span, message)


def _words(line: Piece) -> list[Piece]:
    """The words of a line, and the numbers of one that has commas between."""
    return line.words(" \t," if _COMMAS.fullmatch(line.text) else " \t")


def _counts_from_zero(text: Text) -> bool:
    """Whether two clues have a row or a column of 0, and none one of the size of the board."""
    lines = [[number(word.text) for word in _words(line)] for line in text.filled_lines]
    places = [clue[:2] for clue in lines if len(clue) == len(_NUMBERS)]
    return sum(0 in place for place in places) > 1 and not any(lines[0][0] in place for place in places)


def _shown(words: Sequence[Piece]) -> str:
    """The text of words as messages repeat it."""
    return shortened(" ".join([word.text for word in words[:10]]))
