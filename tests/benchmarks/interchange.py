"""Foreign formats: what a megabyte of their text costs to write, and what it costs to read beside another reader."""

from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.measure import best, peak_above
from tests.benchmarks.row import Figure, Row
from tests.benchmarks.texts import Texts

_MB = 1e6


def _middle(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.middle)


def _exported(path: Path, texts: Texts, name: str) -> Path:
    """The problem of a file in a foreign format."""
    import f2csp
    from f2csp.formats.foreign import ExportOptions, foreign_format

    out = texts.folder / f"{path.stem}.{name}"
    if not out.exists():
        chunks = foreign_format(name).exporter().chunks(f2csp.load(path), ExportOptions())
        out.write_bytes(b"".join(chunks))
    return out


def _export(name: str) -> Callable[[Path, Texts], Figure]:
    def run(path: Path, texts: Texts) -> Figure:
        import f2csp
        from f2csp.formats.foreign import ExportOptions, foreign_format

        problem, module = f2csp.load(path), foreign_format(name).exporter()

        def write() -> int:
            return sum(map(len, module.chunks(problem, ExportOptions())))

        n_bytes = write()
        peak = peak_above(write)
        seconds = best(write)
        return Figure(seconds, seconds * 1e3 / (n_bytes / _MB), peak)

    return run


def _import(name: str, peer: Callable[[Path, Path], float]) -> Callable[[Path, Texts], Figure]:
    """The time to import as a multiple of what the peer takes, given the F2CSP file and the foreign one."""

    def run(path: Path, texts: Texts) -> Figure:
        from f2csp.files import read_source
        from f2csp.formats.foreign import foreign_format

        file, module = _exported(path, texts, name), foreign_format(name).importer()
        peak = peak_above(lambda: module.read(read_source(file)))
        seconds = best(lambda: module.read(read_source(file)))
        return Figure(seconds, seconds / peer(path, file), peak)

    return run


def _pysat(problem: Path, file: Path) -> float:
    from pysat.formula import CNF

    return best(lambda: CNF(from_file=str(file)))


def _loads(problem: Path, file: Path) -> float:
    import f2csp

    return best(lambda: f2csp.load(problem))


INTERCHANGE = [
    *(
        Row(f"36x36 to {name}", "ms per MB", 33, 10, _middle, _export(name))
        for name in ("xcsp3", "dimacs", "minizinc", "cfn", "wcsp", "json")
    ),
    *(
        Row(f"36x36 from {name}", "x load of F2CSP", 10, 5, _middle, _import(name, _loads))
        for name in ("xcsp3", "cfn", "wcsp", "json")
    ),
    Row("36x36 from dimacs", "x PySAT", 2, 1, _middle, _import("dimacs", _pysat)),
]
