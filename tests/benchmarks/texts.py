"""The texts that are measured: all generated, each kept as a file of a folder."""

import gzip
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice, product
from math import isqrt
from pathlib import Path
from random import Random
from typing import IO, TYPE_CHECKING, Any

import f2csp

if TYPE_CHECKING:
    from f2csp.puzzles.sudoku import Sudoku


SAMPLE = Path(__file__).parents[2] / "samples/sudoku/9x9.txt"  # 25 givens, one solution
_UNIQUE_4X4 = "4\n6\n1 1 1\n2 2 3\n2 3 2\n3 1 2\n3 3 4\n4 2 4\n"


@dataclass(frozen=True)
class Scale:
    """The sizes of boards and tables."""

    small: int = 9
    middle: int = 36
    large: int = 64
    huge: int = 100
    n_tables: int = 100_000
    n_rows: int = 1_000_000
    n_bytes: int = 1_000_000_000
    n_puzzles: int = 10_000
    takuzu: int = 31
    latin: tuple[int, int, int, int] = (5, 6, 7, 8)  # orders of Latin squares to count
    boards: tuple[tuple[int, int], ...] = ((5, 5), (6, 3))  # roots of sizes of Sudokus to solve, and how many of each
    queens: int = 10


FULL = Scale()
TINY = Scale(
    *(4, 4, 9, 9),
    n_tables=20,
    n_rows=50,
    n_bytes=1000,
    n_puzzles=3,
    takuzu=5,
    latin=(2, 3, 4, 5),
    boards=((2, 1), (3, 1)),
    queens=4,
)
SCALES = {"full": FULL, "tiny": TINY}

FAULTS = {
    "a wrong value in the middle": (1.5, 1.1, b"\n1 1\n", b"\n1 x\n", 1),
    "a wrong value in the last row": (1.5, 1.1, b"\nGoal:", b"x\nGoal:", 1),
    "a stray character": (3, 1.5, b"\n1 1\n", b"\n1 1)\n", 1),
    "a half-typed `Rejec`": (3, 1.5, b"\nReject:", b"\nRejec", 1),
    "a deleted line": (3, 1.5, b"\n1 1\n", b"\n", 1),
    "100 wrong values": (4, 2, b"\n1 1\n", b"\n1 x\n", 100),
    "100 stray characters": (4, 2, b"\n1 1\n", b"\n1 1)\n", 100),
}
"""The goals of each, what stands in a text, what stands there by mistake, and at how many places."""


class Texts:
    """A folder of texts, each made when it is first asked for."""

    def __init__(self, folder: Path, scale: Scale) -> None:
        self.folder = folder
        self.scale = scale
        self.is_full = scale == FULL

    def clues(self, size: int) -> Path:
        return self._text(f"clues-{size}.txt", lambda path: path.write_text(f"{size}\n0\n"))

    def sudoku(self, size: int) -> Path:
        def make(path: Path) -> None:
            from f2csp.puzzles.sudoku import Sudoku

            f2csp.write(Sudoku(size, isqrt(size), isqrt(size)), path, "f2csp")

        return self._text(f"sudoku-{size}.csp", make)

    def sudoku_lines(self) -> Path:
        """Puzzles of 81 characters, a line each: 28 givens of a solved board whose values are renamed."""

        def line(rng: Random) -> str:
            digits = rng.sample("123456789", 9)
            shown = set(rng.sample(range(81), 28))
            values = ((3 * row + row // 3 + column) % 9 for row in range(9) for column in range(9))
            return "".join(digits[value] if cell in shown else "." for cell, value in enumerate(values))

        def make(path: Path) -> None:
            rng = Random(1)
            path.write_text("".join(f"{line(rng)}\n" for _ in range(self.scale.n_puzzles)))

        return self._text("puzzles.sdm", make)

    def sudoku_line(self) -> Path:
        """The first of these."""
        return self._text("puzzle.sdm", lambda path: path.write_text(self.sudoku_lines().read_text()[:82]))

    def unique_clues(self) -> Path:
        """A Sudoku with one solution."""
        return SAMPLE if self.is_full else self._text("unique.txt", lambda path: path.write_text(_UNIQUE_4X4))

    def unique(self) -> Path:
        """The same in F2CSP."""
        clues = self.unique_clues()
        return self._text("unique.csp", lambda path: f2csp.write(f2csp.puzzle(clues, "sudoku:clues"), path, "f2csp"))

    def takuzu(self) -> Path:
        """A board without givens, in the format of rows of 0, 1 and 2."""
        n = self.scale.takuzu
        tabs = "\t".join("2" * n)
        return self._text(f"takuzu-{n}.txt", lambda path: path.write_text(f"{n}\n" + f"{tabs}\n" * n))

    def partial(self, root: int, seed: int, fill: float = 0.4) -> "Sudoku":
        """A Sudoku with a part of the cells of a solved board, which is a shuffled pattern."""
        from f2csp.generation.draws import Draws
        from f2csp.generation.full_grids import cell_at, sudoku_pattern
        from f2csp.puzzles.puzzle import Clue
        from f2csp.puzzles.sudoku import Sudoku

        draws, n = Draws(seed), root * root
        grid = sudoku_pattern(root, root, draws)
        clues = [Clue(*cell_at(i, n), grid[i] + 1) for i in draws.sample(n * n, int(fill * n * n))]
        return Sudoku(n, root, root, clues=tuple(clues))

    def crlf(self, size: int) -> Path:
        return self._derived("crlf", size, lambda data: data.replace(b"\n", b"\r\n"))

    def counted_beside(self, size: int) -> Path:
        """Counts on the lines of the keywords, as people write them."""
        return self._derived("beside", size, lambda data: re.sub(rb"(Vars|Reject|Accept):\n", rb"\1: ", data))

    def named(self, size: int) -> Path:
        def name(data: bytes) -> bytes:
            return data.replace(b"\nC", b"\npair-").replace(b"\npair-onstraints:", b"\nConstraints:")

        return self._derived("named", size, name)

    def alternating(self, size: int) -> Path:
        """Every other table lists its tuples in descending order."""

        def alternate(data: bytes) -> bytes:
            table = data[data.index(b"\nReject:") : data.index(b"\nC2\n")]
            rows = table.split(b"\n")[3:]
            other = table[: table.index(b"\n", len(b"\nReject:\n"))] + b"\n" + b"\n".join(reversed(rows))
            *heads, end = data.split(table)
            return b"".join([head + (other if i % 2 else table) for i, head in enumerate(heads)]) + end

        return self._derived("alternating", size, alternate)

    def faulty(self, size: int, fault: str) -> Path:
        *_, old, new, n = FAULTS[fault]
        return self._derived(fault.replace(" ", "-"), size, lambda data: spoiled(data, old, new, n))

    def faulty_table(self) -> Path:
        """A wrong value in the middle of a table."""
        data = self.large_table(self.scale.n_tables).read_bytes
        return self._text("faulty-table.csp", lambda path: path.write_bytes(spoiled(data(), b" 1\n", b" x\n", 1)))

    def empty_tables(self) -> Path:
        """Tables without constraints around them."""
        n = 3 * self.scale.n_tables // 5
        return self._text("empty-tables.csp", lambda path: path.write_bytes(b"Vars:\nReject:\n" * n))

    def unknown_names(self) -> Path:
        """Constraints of variables that are not declared."""
        n = 3 * self.scale.n_tables // 10
        head = f"Unknown names\nDomains:\n1\nD1: 1\nVariables:\n1\nV1: D1\nConstraints:\n{n}\n"
        blocks = (f"C{i}\nVars:\n1\nW{i}\nAccept:\n1\n1\n" for i in range(1, n + 1))
        return self._text("unknown-names.csp", lambda path: path.write_text(f"{head}{''.join(blocks)}Goal:\nSatisfy\n"))

    def zeros(self) -> Path:
        """A sparse file."""

        def make(path: Path) -> None:
            path.touch()
            os.truncate(path, 2 * self.scale.n_bytes)

        return self._text("zeros.csp", make)

    def one_line(self) -> Path:
        return self._text("line.csp", lambda path: _write_line(path.open("wb"), self.scale.n_bytes))

    def zipped_line(self) -> Path:
        return self._text(
            "zipped.csp.gz", lambda path: _write_line(gzip.open(path, "wb"), 9 * self.scale.n_bytes // 10)
        )

    def picture(self) -> Path:
        """A file that begins as a PNG, and goes on with what compressed pixels look like."""
        n = self.scale.n_bytes // 200
        return self._text("picture.png", lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" + Random(1).randbytes(n)))

    def different(self) -> Path:
        """Constraints of 100 pairs each, no two with the same table."""
        random, pairs = Random(1), list(product(range(1, 61), repeat=2))
        rows = (random.sample(pairs, 100) for _ in range(self.scale.n_tables))
        return self._text("different.csp", _tables("Different tables", 60, 2, "reject", rows))

    def triples(self) -> Path:
        """Constraints of five triples each, no two with the same table."""
        random = Random(1)
        five = (
            sorted({tuple(random.choices(range(1, 21), k=3)) for _ in range(5)}) for _ in range(self.scale.n_tables)
        )
        return self._text("triples.csp", _tables("Different triples", 20, 3, "accept", five))

    def large_table(self, n_rows: int) -> Path:
        """One Accept of many tuples of four values."""
        rows = islice(product(range(1, 41), repeat=4), n_rows)
        return self._text(f"table-{n_rows}.csp", _tables("Large table", 40, 4, "accept", [list(rows)]))

    def cnf(self, size: int) -> Path:
        """A Sudoku without clues in the direct encoding, for SAT solvers."""
        problem = self.sudoku(size)
        return self._text(
            f"sudoku-{size}.cnf", lambda path: f2csp.write(f2csp.load(problem), path, "dimacs", encoding="direct")
        )

    def _derived(self, kind: str, size: int, change: Callable[[bytes], bytes]) -> Path:
        plain = self.sudoku(size)
        return self._text(f"{kind}-{size}.csp", lambda path: path.write_bytes(change(plain.read_bytes())))

    def _text(self, name: str, make: Callable[[Path], object]) -> Path:
        path = self.folder / name
        if not path.exists():
            unfinished = path.with_suffix(".unfinished")
            make(unfinished)
            unfinished.replace(path)
        return path


def spoiled(data: bytes, old: bytes, new: bytes, n_places: int) -> bytes:
    """A text in which something is replaced at places that are spread over it."""
    step = 1 + len(data) // n_places
    pieces = [data[at : at + step] for at in range(0, len(data), step)]
    return b"".join(piece[: step // 2] + piece[step // 2 :].replace(old, new, 1) for piece in pieces)


def _write_line(file: IO[bytes], n_bytes: int) -> None:
    with file:
        for _ in range(100):
            file.write(b"a" * (n_bytes // 100))


def _tables(title: str, n_values: int, arity: int, kind: str, tables: Iterable[Any]) -> Callable[[Path], None]:
    """A function that writes a problem with a constraint on all variables for each table."""

    def write(path: Path) -> None:
        builder = f2csp.ProblemBuilder(title)
        builder.domain("D1", range(1, n_values + 1))
        names = [f"V{i}" for i in range(1, arity + 1)]
        for name in names:
            builder.variable(name, "D1")
        for rows in tables:
            getattr(builder, kind)(names, rows)
        f2csp.dump(builder.build(), path)

    return write
