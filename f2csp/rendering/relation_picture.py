"""A unary or binary table as a small matrix: a filled square for each tuple that it allows."""

from collections.abc import Sequence

import numpy as np

from f2csp.model import Problem
from f2csp.rendering.pictures import Picture, background, escaped, line_path, runs
from f2csp.structure import supports
from f2csp.structure.constraint_groups import RelationGroup

_SQUARE = 16
_MAX_LABELLED = 26  # values in a line with words beside them
_MAX_SIDE = 260  # pixels of a matrix without words, and values of its domains
_MAX_LABEL = 9  # characters
_CHARACTER = 6  # the width of one
_MARGIN = 4
_ALLOWED, _LINE = "#3567a8", "#ccc"


def relation_picture(problem: Problem, group: RelationGroup, title: str) -> Picture | None:
    """The matrix of a table: rows are the values of the first variable; None if it is wider, or too large to draw."""
    domains = [problem.domain_values[domain] for domain in group.domains]
    sizes = [len(values) for values in domains]
    tuples = supports(group.relation, domains) if len(sizes) < 3 and max(sizes) <= _MAX_SIDE else None
    if tuples is None:
        return None
    is_allowed = np.zeros(sizes if len(sizes) == 2 else [1, *sizes], dtype=np.bool_)
    at = [np.argsort(values)[np.searchsorted(np.sort(values), tuples[:, i])] for i, values in enumerate(domains)]
    is_allowed[at[0] if len(at) == 2 else 0, at[-1]] = True
    n_rows, n_columns = is_allowed.shape
    has_words = max(n_rows, n_columns) <= _MAX_LABELLED
    words = [[problem.words[word] for word in values.tolist()] if has_words else [] for values in domains]
    square = _SQUARE if has_words else max(1, _MAX_SIDE // max(n_rows, n_columns))
    left = _MARGIN + (_width(words[0]) if len(domains) == 2 else 0)
    top = _MARGIN + _width(words[-1])
    width, height = left + n_columns * square + _MARGIN, top + n_rows * square + _MARGIN
    steps = [f"M{x} 0v{n_rows}" for x in range(n_columns + 1)] + [f"M0 {y}h{n_columns}" for y in range(n_rows + 1)]
    frame = f"M0 0h{n_columns}v{n_rows}h-{n_columns}z"
    lines = line_path("".join(steps) if has_words else frame, _LINE, 1 / square)
    squares = line_path(runs(is_allowed), _ALLOWED)
    body = f'<g transform="translate({left} {top}) scale({square})">\n{squares}{lines}</g>\n'
    body += '<g font-size="10">\n' + "".join(_labels(words, left, top)) + "</g>\n"
    return Picture(title, width, height, background(width, height) + body)


def _width(words: Sequence[str]) -> int:
    """The room for words beside a matrix."""
    return _CHARACTER * min(max(map(len, words), default=-1), _MAX_LABEL) + 6 if words else 0


def _labels(words: Sequence[Sequence[str]], left: int, top: int) -> list[str]:
    """The values of the first variable on the left, those of the last above, upwards."""
    rows = words[0] if len(words) == 2 else ()
    middle = _SQUARE // 2 + 3  # a base line
    beside = [
        (f'x="{left - 4}" y="{top + _SQUARE * i + middle}" text-anchor="end"', word) for i, word in enumerate(rows)
    ]
    at = [f"translate({left + _SQUARE * i + middle} {top - 4})" for i in range(len(words[-1]))]
    is_upright = max(map(len, words[-1]), default=0) <= 2
    turn, anchor = ("", 'x="-3" text-anchor="middle"') if is_upright else (" rotate(-90)", 'text-anchor="start"')
    above = [(f'{anchor} transform="{place}{turn}"', word) for place, word in zip(at, words[-1], strict=True)]
    return [f"<text {place}>{escaped(_short(word))}</text>\n" for place, word in (*beside, *above)]


def _short(word: str) -> str:
    return word if len(word) <= _MAX_LABEL else f"{word[: _MAX_LABEL - 1]}…"
