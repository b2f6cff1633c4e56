"""Any input as problems: F2CSP, a foreign format, or the puzzles of a file. The format is found from the text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from f2csp.diagnostics import Diagnostic, F2cspError, InvalidInput, Source, Unsuitable

if TYPE_CHECKING:
    from f2csp.model import Problem, ProblemStream
    from f2csp.puzzles.puzzle import Puzzle

AUTO = "auto"
F2CSP = "f2csp"
STDIN = "-"
COMPRESSIONS = (".gz", ".xz", ".bz2", ".zst")  # the endings of compressed files

_SECTION = re.compile(rb"^[ \t]*(?:domains|variables|constraints)[ \t]*:", re.IGNORECASE | re.MULTILINE)


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
        if isinstance(self._recognised, Unsuitable):
            raise self._recognised
        return self._recognised

    @cached_property
    def _recognised(self) -> "Puzzle | Unsuitable":
        from f2csp.model import Problem

        content = self.require()
        if not isinstance(content, Problem):
            return content
        from f2csp.puzzles.recognise import recognise

        try:
            return recognise(content)
        except Unsuitable as error:
            return error

    def stream(self) -> "ProblemStream":
        """The problem with constraints that are made one block after the other."""
        from f2csp.model import Problem, ProblemStream

        content = self.require()
        if isinstance(content, Problem):
            return ProblemStream.of(content)
        from f2csp.puzzles.to_problem import to_stream

        return to_stream(content)


def instances(
    source: Source,
    form: str = AUTO,
    *,
    indices: Sequence[range] | None = None,
    kind: str | None = None,
    options: Mapping[str, Any] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Instance]:
    """The problems of a file, one after the other; a faulty one has its faults.

    Args:
        source: the text.
        form: the name of its format, or ``auto``.
        indices: the numbers of the problems to read, from 1; None for all.
        kind: the kind of the puzzles, if only puzzle files of one kind are expected.
        options: options of puzzles that are not in the file, such as ``box``.
        advance: called with the number of bytes of F2CSP read since its last call.

    Raises:
        InvalidInput: the format is unclear, or the text is not UTF-8.
        F2cspError: there is no such format or number, or the format is only written.
    """
    name = format_name(form, kind)
    if name == AUTO and kind is None:
        name = detected(source) or AUTO
    is_problem = name == F2CSP or name in _foreign_names()
    used = [option for option, value in (options or {}).items() if value is not None]
    if is_problem and used:
        raise F2cspError(f"{source.name} is no puzzle file: --{used[0].replace('_', '-')} has no effect")
    if is_problem:
        _selected(source, 1, indices)
        yield _read_problem(source, name, advance)
        return
    from f2csp.puzzles.files.formats import UnknownFormat, named_formats, read_part, recognised_parts

    try:
        first = indices[0].start if indices else 1
        found, parts, warnings = recognised_parts(source, named_formats(name, kind), options, first)
    except UnknownFormat:
        if name != AUTO or kind is not None or source.name != STDIN:
            raise
        yield _read_problem(source, F2CSP, advance)
        return
    for index in _selected(source, len(parts), indices):
        place = (source.name, found.full_name)
        try:
            puzzle = read_part(found, parts[index - 1], options)
        except InvalidInput as faults:
            yield Instance(*place, None, index, len(parts), tuple(faults.diagnostics), faults.n_hidden)
        else:
            diagnostics = (*warnings, *puzzle.warnings)
            yield Instance(*place, puzzle.puzzle, index, len(parts), diagnostics, puzzle.n_hidden)
            warnings = ()


def _read_problem(source: Source, name: str, advance: Callable[[int], None] | None) -> Instance:
    """Read F2CSP, or a foreign format."""
    if name == F2CSP:
        from f2csp.text.load import examine

        report = examine(source, advance=advance)
        return Instance(source.name, name, report.problem, diagnostics=report.diagnostics, n_hidden=report.n_hidden)
    from f2csp.formats.foreign import foreign_format

    try:
        return Instance(source.name, name, foreign_format(name).importer().read(source))
    except InvalidInput as faults:
        return Instance(source.name, name, None, diagnostics=tuple(faults.diagnostics), n_hidden=faults.n_hidden)


def _selected(source: Source, n: int, indices: Sequence[range] | None) -> Iterable[int]:
    """The numbers of the problems to read, of ``n`` in the file."""
    for part in indices or ():
        if part.stop - 1 > n:
            problems = f"problems 1 to {n:,}" if n > 1 else "a single problem"
            raise F2cspError(f"{source.name} has {problems}, and no number {max(part.start, n + 1):,}")
    return range(1, n + 1) if indices is None else chain.from_iterable(indices)


def format_name(form: str, kind: str | None = None) -> str:
    """The name of a format as this package spells it, for a name in any letter case or an alias.

    Args:
        form: the name: ``auto``, ``f2csp``, a foreign format, or KIND:FORMAT, KIND or FORMAT of puzzle files.
        kind: the kind of puzzle, if only formats of puzzle files are expected.

    Raises:
        F2cspError: there is no such format.
    """
    name = form.casefold()
    if kind is None and name in (AUTO, F2CSP, "csp"):
        return AUTO if name == AUTO else F2CSP
    aliases = {} if kind else _foreign_names()
    if name in aliases:
        return aliases[name]
    from difflib import get_close_matches

    from f2csp.puzzles.files.formats import FORMATS

    names = {one for form in FORMATS for one in (form.full_name, form.kind, form.name)} | {AUTO}
    if name in names:
        return name
    near = get_close_matches(name, [*names, *aliases, F2CSP], n=1)
    guess = f"; did you mean {near[0]}?" if near else ""
    raise F2cspError(f"there is no format {form!r}{guess} (f2csp formats lists all)")


def _foreign_names() -> dict[str, str]:
    """The names of foreign formats, by these and their aliases."""
    from f2csp.formats.foreign import FOREIGN_FORMATS

    return {alias: form.name for form in FOREIGN_FORMATS for alias in (form.name, *form.aliases)}


def detected(source: Source) -> str | None:
    """The format of a text: F2CSP or a foreign format; None for that of a puzzle file.

    What nothing recognises is F2CSP with faults if the name of the file says so, and a puzzle otherwise.
    """
    if _SECTION.search(source.data) is not None:
        return F2CSP
    from f2csp.formats.foreign import recognised

    foreign = recognised(source)
    if foreign is not None:
        return foreign.name
    return F2CSP if bare_name(source.name).endswith(".csp") else None


def bare_name(file: str) -> str:
    """The name of a file in small letters, without the ending of its compression."""
    name = file.lower()
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    return name
