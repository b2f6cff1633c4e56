"""The formats of puzzle files, which ``formats.txt`` lists with their fields."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from f2csp.file_formats import FormatInfo

if TYPE_CHECKING:
    from f2csp.puzzles.puzzle import PuzzleKind


@lru_cache
def puzzle_formats(kind: str | None = None) -> tuple[FormatInfo, ...]:
    """The formats of puzzle files, perhaps of one kind; those of kinds to which others add rules are last."""
    from f2csp.puzzles import KINDS
    from f2csp.puzzles.puzzle import puzzle_kind

    kinds = [puzzle_kind(name) for name in KINDS if kind in (None, name)]
    kinds.sort(key=lambda record: record.puzzle.IS_GENERAL)
    return tuple(_format(record, name) for record in kinds for name in record.formats.split())


def _format(kind: "PuzzleKind", short_name: str) -> FormatInfo:
    name, table = f"{kind.puzzle.KIND}:{short_name}", _table()
    fields = table.get(name) or table[short_name]
    rank = int(fields.get("rank", 3))
    return FormatInfo(
        name,
        fields["codec"],
        fields["summary"],
        rank,
        fields.get("line", ".*").encode(),
        tuple(fields.get("endings", "").split()),
        fields.get("signature", "").encode(),
        needs_kind=rank == 1 and not kind.has_plain_boards,
        is_written="unwritten" not in fields,
    )


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = {}
    _, *paragraphs = Path(__file__).with_name("formats.txt").read_text(encoding="utf-8").split("\n\n")
    for name, *lines in map(str.splitlines, paragraphs):
        fields = dict(line.strip().partition(" ")[::2] for line in lines)
        table[name] = table.get(fields.pop("like", ""), {}) | fields
    return table
