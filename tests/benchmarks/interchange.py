"""Foreign formats: what a megabyte of their text costs to write, and what it costs to read beside another reader."""

from collections.abc import Callable
from pathlib import Path

import f2csp
from f2csp.files import read_source
from f2csp.formats.foreign import ExportOptions, foreign_format
from tests.benchmarks.measure import Figure, Row, Run, best, measured
from tests.benchmarks.texts import Texts

_MB = 1e6
_READ = ("xcsp3", "cfn", "wcsp", "json")


def _middle(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.middle)


def _exported(path: Path, texts: Texts, name: str) -> Path:
    """The problem of a file in a foreign format."""
    out = texts.folder / f"{path.stem}.{name}"
    if not out.exists():
        chunks = foreign_format(name).exporter().chunks(f2csp.load(path), ExportOptions())
        out.write_bytes(b"".join(chunks))
    return out


def _export(name: str) -> Run:
    def run(path: Path, texts: Texts) -> Figure:
        problem, module = f2csp.load(path), foreign_format(name).exporter()

        def write() -> int:
            return sum(map(len, module.chunks(problem, ExportOptions())))

        n_bytes = write()
        seconds, peak = measured(write)
        return Figure(seconds, seconds * 1e3 / (n_bytes / _MB), peak)

    return run


def _import(name: str, peer: Callable[[Path, Path], float]) -> Run:
    """The time to import as a multiple of what the peer takes, given the F2CSP file and the foreign one."""

    def run(path: Path, texts: Texts) -> Figure:
        file, module = _exported(path, texts, name), foreign_format(name).importer()
        seconds, peak = measured(lambda: module.read(read_source(file)))
        return Figure(seconds, seconds / peer(path, file), peak)

    return run


def _pysat(problem: Path, file: Path) -> float:
    from pysat.formula import CNF

    return best(lambda: CNF(from_file=str(file)))


def _loads(problem: Path, file: Path) -> float:
    return best(lambda: f2csp.load(problem))


INTERCHANGE = [
    *(Row(f"36x36 to {name}", "ms per MB", 33, 10, _middle, _export(name)) for name in (*_READ, "dimacs", "minizinc")),
    *(Row(f"36x36 from {name}", "x load of F2CSP", 10, 5, _middle, _import(name, _loads)) for name in _READ),
    Row("36x36 from dimacs", "x PySAT", 2, 1, _middle, _import("dimacs", _pysat)),
]
