"""The page's side in Python: what is asked of a text, as JSON. It runs in a worker, and in tests without a browser."""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import accumulate
from typing import Any

import f2csp
from f2csp.diagnostics import F2cspError, InvalidInput, Source, page_of
from f2csp.file_formats import PROBLEM_FORMATS, FormatInfo, ending_of, puzzle_formats
from f2csp.instances import Instance, instances
from f2csp.puzzles import KINDS
from f2csp.puzzles.puzzle import Clue, Puzzle, cell_of, puzzle_class
from f2csp.reasoning.ladder import ASSUMING_ONE_SOLUTION
from f2csp.rendering.hint_pictures import hint_picture
from f2csp.rendering.search_steps import SearchSteps
from f2csp.rendering.svg_board import board_picture, cell_geometry
from f2csp.solving.explanation import describe_group
from f2csp.solving.ratings import has_several_solutions
from f2csp.text.load import apply_fixes

SECONDS = 120.0  # the limit of each question; the button Stop is faster
MAX_STEPS = 2_000
MAX_SHOWN = 200  # values of a solution without a board

_MARKS = re.compile(r"[`*]+|\[([^]]*)\]\([^)]*\)")  # of Markdown: code, bold, links

_OPTION = re.compile(rf"--([a-z]+(?:-[a-z]+)*)(?: ([0-9]+x[0-9]+|(?:{'|'.join(KINDS)})(?::[a-z0-9]+)?))?")
_ELSEWHERE = re.compile(r"(?:;|, as does) f2csp[ .][^;]*")  # what a command or the library does

_steps: list[tuple[dict[str, Any], str | None]] = []  # with their words, if they are shown


def ask(question: str, given: str) -> str:
    """Answer a question of the page; what goes wrong on purpose is an answer, too."""
    try:
        answer = QUESTIONS[question](**json.loads(given))
    except InvalidInput as error:
        answer = {"error": "\n".join(on_page(one.message) for one in error.diagnostics) or "the text has faults"}
    except F2cspError as error:
        answer = {"error": on_page(str(error))}
    except MemoryError:
        answer = {"error": "not enough memory"}
    return json.dumps(answer, ensure_ascii=False)


def on_page(words: str) -> str:
    """A message in the words of the page, which has a menu and fields for the options of commands.

    Example:
        >>> on_page("give the boxes: --box 2x3, or read it with --from latin")
        'give the boxes: “Options: box 2x3”, or read it with “Read as: latin”'
    """

    def field(option: re.Match[str]) -> str:
        name, value = option[1].replace("-", " "), option[2]
        if name == "from":
            return f"“Read as: {value}”" if value else "“Read as”"
        return f"“Options: {name} {value}”" if value else f"“Options: {name}”"

    return _OPTION.sub(field, _ELSEWHERE.sub("", words))


def start() -> dict[str, Any]:
    """What the page can offer."""
    read = [form.name for form in PROBLEM_FORMATS if form.is_read]
    of_kinds = {title: [kind, *(form.name for form in puzzle_formats(kind))] for kind, title in KINDS.items()}
    return {
        "version": f2csp.__version__,
        "formats": _written_as([*PROBLEM_FORMATS]),
        "read": {"Problems": read} | of_kinds,
        "kinds": list(KINDS),
        "options": _fields(),
    }


def _written_as(forms: Iterable[FormatInfo]) -> dict[str, str]:
    """The formats among these that are written, with the endings of the names of their files."""
    return {form.name: ending_of(form.name) for form in forms if form.is_written}


def _fields() -> list[dict[str, str]]:
    """The fields for the options of reading."""
    of_puzzles = dict.fromkeys(option for kind in KINDS for option in puzzle_class(kind).OPTIONS)
    fields = [(option.name, "text" if option.metavar else "switch", option.metavar or "") for option in of_puzzles]
    numbers = ("colours", "max_tuples")
    names = dict.fromkeys(name for form in PROBLEM_FORMATS if form.is_read for name in form.options)
    fields += [(name, "number" if name in numbers else "switch", "") for name in names]
    return [
        {"name": name, "label": name.replace("_", " "), "type": sort, "form": form.lower()}
        for name, sort, form in fields
    ]


def look(candidates: bool = False, **given: Any) -> dict[str, Any]:
    """What a text is: its faults and warnings with their places, its board, and what it holds."""
    data = given["text"].encode("utf-8", "surrogatepass")
    try:
        found = _instance(**given)
    except InvalidInput as error:
        return {"kind": "", "is_valid": False, "diagnostics": _diagnostics(error.diagnostics, data), "can_mend": False}
    answer: dict[str, Any] = {
        "kind": found.format,
        "reading": found.reading,
        "index": found.index,
        "n": found.n_instances,
        "is_valid": found.content is not None,
        "diagnostics": _diagnostics(found.diagnostics, data),
        "n_hidden": found.n_hidden,
        "can_mend": found.format == "f2csp" and any(one.fix and one.fix.is_safe for one in found.diagnostics),
    }
    if found.content is not None:
        puzzle = found.recognised
        problem = found.problem
        answer |= {"title": puzzle.title if puzzle else problem.title, "stats": f2csp.stats(problem).labelled()}
        if puzzle is not None:
            answer |= _board(puzzle, candidates=candidates)
            answer["formats"] = _written_as(puzzle_formats(puzzle.KIND))
        elif problem.n_variables <= MAX_SHOWN:
            answer["picture"] = f2csp.svg_graph(problem)
    return answer


def mend(text: str, **_: Any) -> dict[str, Any]:
    """The text with every fault mended that has one sure cure."""
    fixed = apply_fixes(Source("text", text.encode()))
    return {"text": fixed.source.data.decode(), "n": fixed.n_fixes}


# ---- What the language server knows, in F2CSP texts; its packages are imported when it is asked first ----------------


def hover(line: int, character: int, **text: Any) -> dict[str, Any]:
    """What the word at a place means."""
    from lsprotocol.types import HoverParams

    from f2csp.editor.navigation import hover

    found = hover(*_asked(text, HoverParams, line, character))
    words = getattr(found.contents, "value", "") if found else ""
    return {"words": _MARKS.sub(lambda mark: mark[1] or "", words)}


def complete(line: int, character: int, **text: Any) -> dict[str, Any]:
    """What can be written at a place, and where the word begins that it replaces."""
    from lsprotocol.types import CompletionParams, TextEdit

    from f2csp.editor.edits import completion_list

    found = completion_list(*_asked(text, CompletionParams, line, character)).items
    starts = [item.text_edit.range.start for item in found if isinstance(item.text_edit, TextEdit)]
    options = [{"label": item.label, "detail": item.detail} for item in found]
    return {"options": options, "start": starts[0].character if starts else character}


def rename(line: int, character: int, name: str, **text: Any) -> dict[str, Any]:
    """The places of the name at a place, as lines and columns; an error if it cannot have the new name."""
    from lsprotocol.types import RenameParams
    from pygls.exceptions import JsonRpcInvalidParams

    from f2csp.editor.edits import rename

    document, params = _asked(text, RenameParams, line, character, new_name=name)
    try:
        found = rename(document, params)
    except JsonRpcInvalidParams as error:
        raise F2cspError(error.message) from None
    if found is None or found.changes is None:
        raise F2cspError("here is no name: expected a domain, a variable, or the label of a constraint")
    ranges = [edit.range for edit in found.changes[document.uri]]
    return {"places": [[one.start.line, one.start.character, one.end.character] for one in ranges]}


def _asked(text: Mapping[str, Any], make: Callable[..., Any], line: int, character: int, **more: Any) -> Any:
    """A text as the server has it open, and the parameters of a request about a place in it."""
    from lsprotocol.types import Position, TextDocumentIdentifier

    from f2csp.editor.document import Document

    document = Document("untitled:text", text["text"], 1)
    where = Position(line, character)
    return document, make(text_document=TextDocumentIdentifier(document.uri), position=where, **more)


# ---- The board, and questions ----------------------------------------------------------------------------------------


def give(row: int, column: int, value: int | None, **text: Any) -> dict[str, Any]:
    """The text of the puzzle with another given, or none, in a cell."""
    found = _instance(**text)
    puzzle = found.puzzle
    clues = [clue for clue in puzzle.clues if clue.cell != (row, column)]
    clues += [] if value is None else [Clue(row, column, value)]
    options = text.get("options") or {}
    return _readable(replace(puzzle, clues=tuple(sorted(clues))), (found.format, "f2csp"), options)


def solve(**text: Any) -> dict[str, Any]:
    """One solution."""
    found = _instance(**text)
    result = f2csp.solve(found.problem, seconds=SECONDS)
    if not result:
        return {"words": {"unsatisfiable": "There is no solution."}.get(result.status, "Not solved in time.")}
    return {"words": "A solution:", **_solution(found, result.solution)}


def count(**text: Any) -> dict[str, Any]:
    """The number of solutions."""
    number = f2csp.count(_instance(**text).problem, seconds=SECONDS)
    exact = "" if number.is_complete else "at least "
    return {"words": f"{exact}{int(number):,} solution{'' if number == 1 else 's'}."}


def unique(**text: Any) -> dict[str, Any]:
    """Whether there is exactly one solution."""
    found = _instance(**text)
    verdict = f2csp.unique(found.problem, seconds=SECONDS)
    words = {
        "unique": "There is exactly one solution.",
        "none": "There is no solution.",
        "multiple": "There are several solutions.",
    }
    answer: dict[str, Any] = {"words": words.get(verdict.uniqueness, "Not decided in time.")}
    if verdict.solutions:
        answer |= _solution(found, verdict.solutions[0])
    if verdict.differing:
        answer["lines"] = [f"Two solutions differ in {len(verdict.differing)} variables."]
    return answer


def explain(**text: Any) -> dict[str, Any]:
    """Why there is no solution."""
    instance = _instance(**text)
    problem = instance.problem
    found = f2csp.explain(problem, seconds=SECONDS)
    if not found:
        return {"words": {"satisfiable": "There is a solution."}.get(found.status, "Not decided in time.")}
    constraints = [problem.constraints[index] for index in found.constraints[:20]]
    lines = [describe_group(problem, group, instance.recognised) for group in found.groups]
    lines += [f"{one.label} on {' '.join(one.scope)}" for one in constraints]
    return {"words": "There is no solution: these contradict each other.", "lines": lines}


def hint(**text: Any) -> dict[str, Any]:
    """The next step of a person, with the cells to look at."""
    found = _instance(**text)
    puzzle = found.recognised
    step = f2csp.hint(puzzle or found.problem)
    if step.technique in ASSUMING_ONE_SOLUTION and has_several_solutions(found.problem):
        step = f2csp.hint(puzzle or found.problem, unique=False)
    answer: dict[str, Any] = {"words": step.clue if step else step.sentence, "lines": [step.sentence] if step else []}
    if puzzle is not None and step:
        answer["board"] = hint_picture(puzzle, step).svg()
    return answer


def rate(**text: Any) -> dict[str, Any]:
    """How hard it is for people."""
    found = _instance(**text)
    return {"words": str(f2csp.rate(found.recognised or found.problem, seconds=SECONDS))}


def search(**text: Any) -> dict[str, Any]:
    """A search for one solution, of which the steps can be looked at."""
    found = _instance(**text)
    words = SearchSteps(found).words
    _steps.clear()

    class Enough(Exception):
        pass

    def take(step: dict[str, Any]) -> None:
        _steps.append((step, words(step)))
        if len(_steps) >= MAX_STEPS:
            raise Enough

    with suppress(Enough):
        f2csp.solve(found.problem, engine="search", seconds=SECONDS, trace=take)
    return {"n": len(_shown_steps())}


def _shown_steps() -> list[int]:
    """The numbers of the steps that have words."""
    return [number for number, (_, words) in enumerate(_steps) if words is not None]


def step(number: int, **text: Any) -> dict[str, Any]:
    """A step of the search in words, with the board at it."""
    found = _instance(**text)
    last = _shown_steps()[number]
    parents: dict[int, tuple[int, str, Any]] = {}
    for one, _ in _steps[: last + 1]:
        if one["event"] == "assign":
            parents[one["node"]] = (one["parent"], one["variable"], one["value"])
    (at, words), values = _steps[last], {}
    node, path = at["node"], {at["node"]}
    while node in parents:
        node, name, value = parents[node]
        path.add(node)
        values[name] = value
    answer: dict[str, Any] = {"words": words}
    shown = dict(at["solution"]) if "solution" in at else values
    puzzle = found.recognised
    if puzzle is not None:
        lost = [
            (one["variable"], value)
            for one, _ in _steps[: last + 1]
            if one["node"] in path
            for value in one.get("values", ())
        ]
        answer["board"] = board_picture(puzzle, puzzle.grid_of(shown), _left(found.problem, puzzle, lost)).svg()
    else:
        answer["lines"] = [f"{name} = {value}" for name, value in list(shown.items())[:MAX_SHOWN]]
    return answer


def _left(
    problem: f2csp.Problem, puzzle: Puzzle, lost: Collection[tuple[str, Any]]
) -> dict[tuple[int, int], list[int]]:
    """The values of each cell that a search has not taken away."""
    numbers, gone = {puzzle.word(value): value for value in puzzle.values}, set(lost)
    return {
        cell: [numbers[str(value)] for value in variable.domain.values if (variable.name, value) not in gone]
        for variable in problem.variables
        if (cell := cell_of(variable.name))
    }


def generate(kind: str, size: int, seed: int, minimal: bool, **_: Any) -> dict[str, Any]:
    """A puzzle with exactly one solution."""
    from f2csp.generation.draws import Draws
    from f2csp.generation.kinds import drawn, kind_named

    options: dict[str, Any] = {"minimal": True} if minimal else {"unique": True}
    wanted = kind_named(kind)
    names = {parameter.name for parameter in wanted.parameters}
    options |= {"size": size} if "size" in names else {"rows": size, "columns": size}
    puzzle = drawn(wanted, Draws(seed), options)
    plain = (f"{kind}:grid", f"{kind}:matrix", f"{kind}:tatham")
    own = [form for form in _written_as(puzzle_formats(kind)) if form not in plain]
    return _readable(puzzle, (*plain, *own, "f2csp"))


def convert(to: str, **text: Any) -> dict[str, Any]:
    """The problem in another format, as a picture, or as a page."""
    found = _instance(**text)
    if to == "svg":
        puzzle = found.recognised
        return {"text": f2csp.svg_board(puzzle) if puzzle else f2csp.svg_graph(found.problem)}
    if to == "report":
        from f2csp.rendering.report_page import report_page

        return {"text": report_page(found, seconds=SECONDS)}
    return {"text": _written(found.require(), to), "form": to if ":" in to else "auto"}


def _readable(puzzle: Puzzle, forms: Iterable[str], options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The puzzle as a text in the first of these formats that is read as the same puzzle, and how to read it.

    That is found by reading it; a board whose givens break its rules, which many formats refuse, is read as before.
    """
    is_broken = next(puzzle.conflicts(), None) is not None
    for form in forms:
        for name in [form] if is_broken else ["auto", form]:
            with suppress(F2cspError):
                text = _written(puzzle, form)
                if is_broken or _instance(text, name).recognised == puzzle:
                    return {"text": text, "form": name, "options": options if is_broken else {}}
    raise F2cspError("this puzzle cannot be written")


def _written(content: Any, form: str) -> str:
    stream = BytesIO()
    f2csp.write(f2csp.to_problem(content) if form == "f2csp" and isinstance(content, Puzzle) else content, stream, form)
    return stream.getvalue().decode()


def _instance(
    text: str, form: str = "auto", index: int = 1, options: Mapping[str, Any] | None = None, **_: Any
) -> Instance:
    source = Source("text", text.encode("utf-8", "surrogatepass"))
    return next(instances(source, form, indices=[range(index, index + 1)], options=options))


def _board(puzzle: Puzzle, values: Mapping[str, Any] | None = None, *, candidates: bool = False) -> dict[str, Any]:
    givens = {(clue.row, clue.column): clue.value for clue in puzzle.clues}
    candidates = candidates and values is None
    try:
        picture = f2csp.svg_board(puzzle, values, candidates=candidates)
    except F2cspError:  # there is no solution: no candidates are left
        candidates = False
        picture = f2csp.svg_board(puzzle, values)
    return {
        "board": picture,
        "rows": puzzle.n_rows,
        "columns": puzzle.n_columns,
        "geometry": cell_geometry(puzzle, candidates=candidates)._asdict(),
        "values": [[value, puzzle.word(value)] for value in puzzle.values],
        "givens": [
            [givens.get((row, column)) for column in range(1, puzzle.n_columns + 1)]
            for row in range(1, puzzle.n_rows + 1)
        ],
    }


def _solution(found: Instance, solution: Mapping[str, Any]) -> dict[str, Any]:
    if found.recognised is not None:
        return _board(found.recognised, solution)
    lines = [f"{name} = {value}" for name, value in list(solution.items())[:MAX_SHOWN]]
    more = len(solution) - MAX_SHOWN
    return {"lines": lines + ([f"... and {more} more"] if more > 0 else [])}


def _diagnostics(found: Any, data: bytes) -> list[dict[str, Any]]:
    """Diagnostics with places as the editor counts them: offsets in units of UTF-16."""
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    lines = data[start:].decode("utf-8", "replace").split("\n")
    starts = [0, *accumulate(_units(line) + 1 for line in lines)]

    def place(line: int, column: int) -> int:
        if not 1 <= line <= len(lines):
            return starts[-1] - 1
        return starts[line - 1] + _units(lines[line - 1][: column - 1])

    byte_starts = [0, *accumulate(len(line.encode()) + 1 for line in lines)]

    def unit(offset: int) -> int:
        line = bisect_right(byte_starts, offset - start) - 1
        line = min(line, len(lines) - 1)
        return starts[line] + _units(
            lines[line].encode()[: offset - start - byte_starts[line]].decode("utf-8", "replace")
        )

    listed = []
    for one in found:
        span, fix = one.span, one.fix
        edits = [(fix.start, fix.end, fix.text), *fix.further] if fix else []
        listed.append(
            {
                "from": place(span.line, span.column),
                "to": place(span.end_line, span.end_column),
                "line": span.line,
                "column": span.column,
                "severity": one.severity,
                "code": one.code,
                "name": one.name,
                "message": on_page(one.message),
                "hint": one.hint and on_page(one.hint),
                "page": page_of(one.code),
                "fix": fix and {"title": fix.title, "is_safe": fix.is_safe},
                "edits": [{"from": unit(begin), "to": unit(end), "insert": text} for begin, end, text in sorted(edits)],
            }
        )
    return listed


def _units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


QUESTIONS: dict[str, Callable[..., dict[str, Any]]] = {
    question.__name__: question
    for question in (
        start,
        look,
        mend,
        hover,
        complete,
        rename,
        give,
        solve,
        count,
        unique,
        explain,
        hint,
        rate,
        search,
        step,
        generate,
        convert,
    )
}
