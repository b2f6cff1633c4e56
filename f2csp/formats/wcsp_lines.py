"""All that is wrong with a .wcsp file.

Numbers that follow each other have no form to speak of: after a wrong count all that follows is read as something else.
So a file with a fault is read again by its lines: they show where a table ends and the next cost function begins.
"""

from f2csp.diagnostics import Collector
from f2csp.formats.number_text import NumberText as Numbers
from f2csp.formats.wcsp_reading import FaultError, Reader
from f2csp.model import Problem


class Teller(Reader):
    """Reads a file with faults by its lines, and tells them all."""

    def __init__(self, numbers: Numbers, title: str, collector: Collector) -> None:
        """Begin; whatever is wrong is told to the collector."""
        super().__init__(numbers, title)
        self._collector = collector

    def problem(self) -> Problem:
        """The problem, of no use if there are faults."""
        try:
            return super().problem()
        except FaultError:
            return self._assembly.build()

    def _fault(self, code: str, start: int, end: int, message: str, hint: str | None = None) -> None:
        place = self._numbers.place(start)[0], self._numbers.place(max(start, end - 1))[1]
        self._collector.add(code, *place, message, hint=hint)

    def _n_tuples(self, n: int, arity: int, table: int) -> tuple[int, int]:
        """As the lines show it, if each tuple has a line for itself."""
        start = table + 2
        plain = n, start + n * (arity + 1)
        lines, starts = self._numbers.lines, self._numbers.line_starts
        if n == 0 and (start >= len(lines) or self._is_head(int(lines[start]))):
            return plain
        if start >= len(lines) or lines[start] == lines[start - 1] or arity == 0:
            return plain
        line = first = int(lines[start])
        n_on_line, rest = divmod(int(starts[first + 1] - starts[first]), arity + 1)
        if 1 < n_on_line <= n and rest == 0:  # several tuples stand on a line
            return plain
        while line < self._numbers.n_lines and self._is_row(line, arity, line - first < n):
            line += 1
        found, end = line - first, int(starts[line])
        if found < n and line == self._numbers.n_lines:
            self._end(f"the text ends after {found} of {n} tuples")
        if found != n:
            message = f"the cost function declares {n} tuples, and has {found}"
            self._fault(
                "F506", table + 1, table + 2, message, "correct the number, or find what is missing or too much"
            )
        return found, end

    def _next_line(self, at: int) -> int:
        self._has_skipped = True
        line = int(self._numbers.lines[at]) + 1
        while line < self._numbers.n_lines and not self._is_head(line):
            line += 1
        return int(self._numbers.line_starts[line])

    def _is_row(self, line: int, arity: int, is_due: bool) -> bool:
        """Whether a line holds a tuple; one of the wrong size is told."""
        start, end = self._numbers.line_starts[line : line + 2].tolist()
        if end - start == arity + 1:
            return is_due or not self._is_head(line)
        if self._is_head(line) or not is_due:
            return False
        message = f"the line has {end - start} numbers for {arity} values and a cost"
        self._fault("F504", start, end, message)
        return True

    def _is_head(self, line: int) -> bool:
        """Whether a line can be the head of a cost function."""
        start, end = self._numbers.line_starts[line : line + 2].tolist()
        arity = abs(int(self._values[start]))
        if arity == 0 and int(self._values[end - 1]) != 0:  # rather a tuple
            return False
        is_intensional = end - start > arity + 2 and int(self._values[start + arity + 1]) == -1
        return is_intensional or end - start == arity + 3
