"""Any input as problems: F2CSP, a foreign format, or the puzzles of a file, found from the text; and any output."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from itertools import chain, zip_longest
from typing import IO, TYPE_CHECKING, Any

from f2csp.diagnostics import (
    DEFAULT_LIMIT,
    Collector,
    Diagnostic,
    F2cspError,
    Inexpressible,
    InvalidInput,
    Source,
    Unsuitable,
    listed,
    listed_spelling,
)
from f2csp.door import problem_format, puzzle_file
from f2csp.file_formats import (
    AUTO,
    F2CSP,
    PROBLEM_FORMATS,
    SECTION,
    FormatInfo,
    format_by_extension,
    format_name,
    named_formats,
    puzzle_formats,
)
from f2csp.files import STDIN, FileName, read_source, write_chunks

if TYPE_CHECKING:
    from f2csp.boards.puzzle_builder import Codec
    from f2csp.model import Problem, ProblemStream
    from f2csp.model.problem import Hole
    from f2csp.puzzles.puzzle import Puzzle

_PROBLEM_FORMATS = {form.name: form for form in PROBLEM_FORMATS}
_MAX_LISTED = 5  # variables in a message
_HEAD_BYTES = 1 << 16  # where a section of F2CSP or the root of XCSP3 is looked for
_MAX_BINARY = 2  # different values of a board that can be a Takuzu, or not, by the places of its givens


@dataclass(frozen=True)
class Instance:
    """A problem of a file, or the faults that it has instead."""

    file: str
    format: str  # f2csp, the name of a foreign format, or KIND:FORMAT of a puzzle file
    content: "Problem | Puzzle | None"  # None if it has faults
    index: int = 1
    n_instances: int = 1  # in the file
    diagnostics: tuple[Diagnostic, ...] = ()  # faults or warnings
    n_hidden: int = 0  # the number of further diagnostics
    reading: str = ""  # how a board was read that is in no format

    @property
    def name(self) -> str:
        """The name of the file, with the index if it has several problems."""
        return f"{self.file}:{self.index}" if self.n_instances > 1 else self.file

    def require(self) -> "Problem | Puzzle":
        """The content; raises InvalidInput if it has faults."""
        if self.content is None:
            raise InvalidInput(self.diagnostics, self.n_hidden)
        return self.content

    @cached_property
    def problem(self) -> "Problem":
        """The problem; raises InvalidInput if it has faults."""
        from f2csp.model import Problem

        content = self.require()
        if isinstance(content, Problem):
            return content
        from f2csp.puzzles.to_problem import to_problem

        return to_problem(content)

    @property
    def puzzle(self) -> "Puzzle":
        """The puzzle; raises Unsuitable if the problem encodes none, and InvalidInput if it has faults."""
        if self.recognised is not None:
            return self.recognised
        from f2csp.puzzles.recognise import recognise

        return recognise(self.problem)

    @cached_property
    def recognised(self) -> "Puzzle | None":
        """The puzzle that the problem encodes, if any; raises InvalidInput if it has faults."""
        from f2csp.model import Problem

        content = self.require()
        if not isinstance(content, Problem):
            return content
        from f2csp.puzzles.recognise import recognise

        with suppress(Unsuitable):
            return recognise(content)
        return None

    @property
    def holes(self) -> "tuple[Hole, ...]":
        """The declared variables that are not part of the problem."""
        return getattr(self.content, "holes", ())

    @property
    def left_out(self) -> str:
        """What is to be said of declared variables that are not part of the problem; empty if there are none."""
        n = len(self.holes)
        return f"{n:,} variable{'s'[: n > 1]} in no constraint {'are' if n > 1 else 'is'} left out" if n else ""

    def projected(self, project: str | None) -> "Instance":
        """The instance with all declared variables, if a projection is on ``all`` or names one that is left out."""
        names = (project or "").replace(",", " ").split()
        is_wanted = project == "all" or any(hole.name in names for hole in self.holes)
        return replace(self, content=self.problem.with_holes()) if is_wanted and self.holes else self

    @property
    def auxiliary(self) -> list[str]:
        """The variables that are no cells of a puzzle, or of other problems those that an import has added."""
        from f2csp.model.words import is_auxiliary
        from f2csp.puzzles.puzzle import cell_of

        names = self.problem.variable_names
        return [name for name in names if (cell_of(name) is None if self.recognised else is_auxiliary(name))]

    def stream(self) -> "ProblemStream":
        """The problem with constraints that are made one block after the other."""
        from f2csp.model import Problem, ProblemStream

        content = self.require()
        if isinstance(content, Problem):
            return ProblemStream.of(content)
        from f2csp.puzzles.to_problem import to_stream

        return to_stream(content)


def read(file: FileName | IO[Any], format: str | None = None, *, index: int = 1, **options: Any) -> "Problem":
    r"""Read a problem in any format.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.
        format: the name of the format; None to find it from the text.
        index: the number of the puzzle, from 1, in a file of several.
        options: options of puzzles that are not in the file, such as ``box=(2, 3)`` for a Sudoku; for XCSP
            ``max_tuples=N``, the limit on the tuples that are tried for one table; for XCSP3 ``ignore_objective=True``,
            to read the constraints of an optimisation problem; for WCSP ``hard_only=True``, to leave out soft
            costs; for a DIMACS graph ``colours=K``.

    Raises:
        InvalidInput: the text has faults, or its format is unclear.
        F2cspError: there is no such format or puzzle, or the format is only written.
        OSError: the file cannot be read.

    Example:
        >>> import io
        >>> read(io.StringIO("4\n1\n2 3 4\n"), "sudoku:clues").title
        'Sudoku 4x4'
    """
    return _one(file, format, index, options).problem


def puzzle(file: FileName | IO[Any], format: str | None = None, *, index: int = 1, **options: Any) -> "Puzzle":
    r"""Read a puzzle in any format, such as a ``Sudoku``; the arguments and errors are those of :func:`read`.

    Raises:
        Unsuitable: the problem encodes no puzzle.

    Example:
        >>> import io
        >>> puzzle(io.StringIO("4\n1\n2 3 4\n"), "sudoku:clues").clues
        (Clue(row=2, column=3, value=4),)
    """
    return _one(file, format, index, options).puzzle


def puzzles(file: FileName | IO[Any], format: str | None = None, **options: Any) -> "Iterator[Puzzle]":
    r"""Read all puzzles of a file, one after the other; as :func:`puzzle`.

    Example:
        >>> import io
        >>> text = "......4.........\n...............1\n"
        >>> [one.clues[0].value for one in puzzles(io.StringIO(text), "sudoku:line")]
        [4, 1]
    """
    for instance in instances(read_source(file), format or AUTO, options=options):
        yield instance.puzzle


def _one(file: FileName | IO[Any], form: str | None, index: int, options: Mapping[str, Any]) -> Instance:
    if index < 1:
        raise F2cspError(f"expected at least 1 as index, found {index}")
    return next(instances(read_source(file), form or AUTO, indices=[range(index, index + 1)], options=options))


def write(
    content: "Problem | Puzzle",
    file: FileName | IO[Any],
    format: str | None = None,
    *,
    structure: bool = False,
    encoding: str = "support",
) -> None:
    r"""Write a problem or a puzzle in any format.

    Args:
        content: the problem or the puzzle.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        format: the name of the format; None for that of the extension of a path, and F2CSP otherwise.
        structure: write recognised constraints (allDifferent, <, ...) instead of tables where the format has them.
        encoding: the encoding of constraints in CNF: ``support``, ``direct`` or ``order``.

    Raises:
        F2cspError: there is no such format, or the extension does not determine it.
        Unsuitable: the format cannot express the problem.
        OSError: the file cannot be written.

    Example:
        >>> import io
        >>> text = io.StringIO()
        >>> write(puzzle(io.StringIO("4\n1\n2 3 4\n"), "sudoku:clues"), text, "sudoku:line")
        >>> text.getvalue()
        '......4.........\n'
    """
    if format:
        name = format_name(format)
    elif isinstance(file, (str, os.PathLike)) and os.fspath(file) != STDIN:
        name = format_by_extension(os.fspath(file)) or AUTO
    else:
        name = F2CSP
    if name == AUTO:
        raise F2cspError(f"cannot infer the format from the name {file}; name it")
    is_puzzle = hasattr(content, "clues")
    if not is_puzzle:
        from f2csp.model import expect_problem

        expect_problem(content)
    instance = Instance("", "puzzle:" if is_puzzle else F2CSP, content)
    write_chunks(chunks([instance], name, structure=structure, encoding=encoding), file)


def chunks(
    found: Sequence[Instance], name: str, *, structure: bool = False, encoding: str = "support"
) -> "Iterable[bytes]":
    """The text of a problem, or of several puzzles, in pieces; raises Unsuitable if the format cannot express it."""
    if name == F2CSP:
        from f2csp.text.writer import chunks as chunks_of_f2csp

        return chunks_of_f2csp(found[0].stream())
    if name in _PROBLEM_FORMATS:
        from f2csp.formats.foreign import ExportOptions, exporter

        return exporter(name).chunks(found[0].problem, ExportOptions(structure, encoding))
    return [_written([instance.puzzle for instance in found], name).encode()]


def instances(
    source: Source,
    form: str = AUTO,
    *,
    indices: Sequence[range] | None = None,
    kind: str | None = None,
    options: Mapping[str, Any] | None = None,
    limit: int = DEFAULT_LIMIT,
    advance: Callable[[int], None] | None = None,
    is_strict: bool = False,
) -> Iterator[Instance]:
    """The problems of a file, one after the other; a faulty one has its faults.

    Args:
        source: the text.
        form: the name of its format, or ``auto``.
        indices: the numbers of the problems to read, from 1; None for all.
        kind: the kind of the puzzles, if only puzzle files of one kind are expected.
        options: options of puzzles that are not in the file, such as ``box``, or of a foreign format.
        limit: the maximal number of errors, and of warnings, that are listed of F2CSP.
        advance: called with the number of bytes of F2CSP read since its last call.
        is_strict: read puzzles in the named formats alone, and no boards in other text.

    Raises:
        InvalidInput: the format is unclear, or the text is not UTF-8.
        F2cspError: there is no such format or number, or the format is only written.
    """
    name = format_name(form, kind)
    if kind is None and name == AUTO and (found := problem_format(source)):
        if not found.is_read:
            raise Unsuitable(f"{source.name} looks like {found.summary}, which can be written, but not read")
        name = found.name
    is_problem = kind is None and name in _PROBLEM_FORMATS
    used = _checked_options(source, name if is_problem else None, options or {})
    if is_problem:
        _selected(source, 1, indices)
        yield _read_problem(source, name, limit, advance, used)
        return
    if kind is not None or name != AUTO:
        _refuse_problem(source, kind or name)
    first = indices[0].start if indices else 1
    file = puzzle_file(source, named_formats(name, kind), used, first, is_strict=is_strict)
    warnings = file.warnings
    for index in _selected(source, len(file), indices):
        reading = file.read(index)
        diagnostics = (*(warnings if reading.puzzle else ()), *reading.diagnostics)
        about = (diagnostics, reading.n_hidden, reading.description)
        yield Instance(source.name, file.format.name, reading.puzzle, index, len(file), *about)
        warnings = () if reading.puzzle else warnings


def _checked_options(source: Source, name: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are given, with values of puzzles such as "2x3" parsed, for a format or else for a puzzle file.

    Raises F2cspError for an option that the format, or that of a puzzle file, does not have, and for a malformed value.
    """
    used = {listed_spelling(option): value for option, value in given.items() if value is not None}
    if not used:
        return used
    from f2csp.puzzles import KINDS
    from f2csp.puzzles.puzzle import puzzle_class

    of_puzzles = {option.name: option for kind in KINDS for option in puzzle_class(kind).OPTIONS}
    for option, value in used.items():
        owners = [form for form in PROBLEM_FORMATS if option in form.options]
        if not owners and option not in of_puzzles:
            own = _PROBLEM_FORMATS[name].options if name else of_puzzles
            raise F2cspError(f"there is no option {option!r}; those of {source.name} are: {', '.join(own) or 'none'}")
        if (name not in [form.name for form in owners]) if owners else (name is not None):
            what = f"instance of {' or '.join(form.summary for form in owners)}" if owners else "puzzle file"
            raise F2cspError(f"{source.name} is no {what}: --{option.replace('_', '-')} has no effect")
        if option in of_puzzles and of_puzzles[option].metavar and not isinstance(value, tuple):
            try:
                used[option] = of_puzzles[option].parse(str(value))
            except ValueError as error:
                raise F2cspError(f"{option}: {error}") from None
    return used


def _read_problem(
    source: Source, name: str, limit: int, advance: Callable[[int], None] | None, options: Mapping[str, Any]
) -> Instance:
    """Read F2CSP, or a foreign format."""
    if name == F2CSP:
        from f2csp.text.load import report_on

        report = report_on(source, limit=limit, advance=advance)
        return Instance(source.name, name, report.problem, diagnostics=report.diagnostics, n_hidden=report.n_hidden)
    from f2csp.formats.foreign import importer

    try:
        instance = Instance(source.name, name, importer(name).read(source, **options))
    except InvalidInput as faults:
        return Instance(source.name, name, None, diagnostics=tuple(faults.diagnostics), n_hidden=faults.n_hidden)
    if not instance.holes:
        return instance
    collector, names = Collector(source), listed((hole.name for hole in instance.holes), _MAX_LISTED, ", ")
    collector.add("F404", *instance.holes[0].declared_at, f"{instance.left_out}: {names}")
    return replace(instance, diagnostics=tuple(collector.diagnostics()))


def _refuse_problem(source: Source, kind: str) -> None:
    """Raise Unsuitable if a text that should be a puzzle file is F2CSP or an instance in XML."""
    head = source.data[:_HEAD_BYTES]
    if (re.search(SECTION, head) or b"<instance" in head) and (found := problem_format(source)):
        title = "F2CSP" if found.name == F2CSP else found.summary
        raise Unsuitable(f"expected a file of the kind {kind}, found {title}; f2csp convert reads {source.name}")


def _selected(source: Source, n: int, indices: Sequence[range] | None) -> Iterable[int]:
    """The numbers of the problems to read, of ``n`` in the file."""
    for part in indices or ():
        if part.stop - 1 > n:
            problems = f"problems 1 to {n:,}" if n > 1 else "a single problem"
            raise F2cspError(f"{source.name} has {problems}, and no number {max(part.start, n + 1):,}")
    return range(1, n + 1) if indices is None else chain.from_iterable(indices)


# ---- Puzzles that are written --------------------------------------------------------------------------------------


class _Lost(Exception):
    """A puzzle that a text would not hold, and why."""

    def __init__(self, puzzle: "Puzzle", reason: str) -> None:
        super().__init__(reason)
        self.puzzle = puzzle


def _written(puzzles: "Sequence[Puzzle]", name: str) -> str:
    """Puzzles of one kind as the text of a file, in the first of the formats of that name for this kind.

    Raises:
        Inexpressible: the format is not one for the kind, is only read, or cannot express a puzzle.
    """
    forms = [form for form in named_formats(name) if form.kind == puzzles[0].KIND]
    other = next((puzzle for puzzle in puzzles if puzzles[0].KIND != puzzle.KIND or not forms), None)
    if other is not None:
        raise Inexpressible(f"the format {name} is not one for a {other.title}{_instead(other)}")
    form = next((form for form in forms if form.is_written), None)
    if form is None:
        raise Inexpressible(f"{forms[0].name} can be read, but not written{_instead(puzzles[0])}")
    try:
        return _text_of(puzzles, form)
    except _Lost as lost:
        message = f"{form.name} cannot express the {lost.puzzle.title}: {lost}{_instead(lost.puzzle)}"
        raise Inexpressible(message) from None


def _instead(puzzle: "Puzzle") -> str:
    """The formats that can express a puzzle, as the end of a message."""

    def is_able(form: FormatInfo) -> bool:
        with suppress(_Lost):
            return bool(_text_of([puzzle], form))
        return False

    names = [form.name for form in puzzle_formats(puzzle.KIND) if form.is_written and is_able(form)]
    return f"; it can be written as {', '.join(names)}" if names else ""


def _text_of(puzzles: "Sequence[Puzzle]", form: FormatInfo) -> str:
    """The text of a file in a format; raises _Lost if it would not be read as these puzzles."""
    codec, texts = form.load(), []
    for puzzle in puzzles:
        if puzzle.n_rows > codec.max_size:
            raise _Lost(puzzle, f"the format has boards of up to {codec.max_size}x{codec.max_size}")
        try:
            texts.append(codec.write(puzzle))
        except Unsuitable as error:
            raise _Lost(puzzle, str(error)) from None
    text = "".join(joined(texts, codec))
    source = Source(form.name, text.encode())
    puzzle, values = puzzles[0], frozenset(clue.value for clue in puzzles[0].clues)
    is_usual = len(puzzles) == 1 and len(values) > _MAX_BINARY and next(puzzle.conflicts(), None) is None
    if is_usual:
        found = _usual_format(_Usual(form.name, replace(puzzle, clues=()), len(puzzle.clues), values, puzzle, source))
    else:
        found = _found_format(puzzles, source)
    if is_usual or found != form.name:
        _compare(puzzles, instances(source, form.name))
    return text


def _found_format(puzzles: "Sequence[Puzzle]", source: Source) -> str:
    """The format in which a text is found to hold these puzzles; empty if it must be named.

    Raises _Lost if other puzzles are found.
    """
    names = [""]

    def found() -> Iterator[Instance]:
        for instance in instances(source):
            instance.require()
            names.append(instance.format)
            yield instance

    with suppress(F2cspError):
        _compare(puzzles, found())
        return names[-1]
    return ""


@dataclass(frozen=True)
class _Usual:
    """What puzzles share that differ in the places of givens alone, which break no rule; and one of them, as a text."""

    form: str
    blank: "Puzzle"
    n_clues: int
    values: frozenset[int]
    puzzle: "Puzzle" = field(compare=False)
    source: Source = field(compare=False)


@lru_cache(maxsize=256)
def _usual_format(usual: _Usual) -> str:
    """The format in which the text of any of these puzzles is found: in a batch, to find it takes longest."""
    return _found_format([usual.puzzle], usual.source)


def _compare(puzzles: "Sequence[Puzzle]", found: Iterable[Instance]) -> None:
    """Raise _Lost if a text has other puzzles than these."""
    for puzzle, instance in zip_longest(puzzles, found):
        if puzzle is None or instance is None:
            raise _Lost(puzzles[0], f"{len(puzzles):,} puzzles would be read as another number of them")
        if instance.content != puzzle and (reason := _difference(puzzle, instance)):
            raise _Lost(puzzle, reason)


def _difference(puzzle: "Puzzle", instance: Instance) -> str:
    """What a puzzle would be read as; empty if only its givens are in another order."""
    other = instance.content
    if other is None:
        error = next(fault for fault in instance.diagnostics if fault.severity == "error")
        return f"it would be read with the error: {error.message}"
    if type(other) is not type(puzzle):
        return f"it would be read as {instance.format}: {other.title}"
    pairs = {part.name: (getattr(puzzle, part.name), getattr(other, part.name)) for part in fields(puzzle)}
    pairs["clues"] = sorted(puzzle.clues), sorted(other.clues)
    names = [name.removeprefix("has_").replace("_", " ") for name, (one, two) in pairs.items() if one != two]
    return f"it would be read with other {' and '.join(names)}" if names else ""


def joined(texts: Iterable[str], codec: "Codec") -> Iterator[str]:
    """The text of a file with the puzzles of several files, in pieces."""
    before, after = codec.frame
    lines: list[str] = []
    for text in texts:
        yield codec.between if lines else ""
        is_first, lines = not lines, text.splitlines(keepends=True)
        yield "".join(lines[0 if is_first else before : len(lines) - after])
    yield "".join(lines[len(lines) - after :])
