"""Collections of real puzzles with their solutions, where they are at hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.boards.puzzle_texts import read as read

DATA = Path(__file__).parents[2].parent / "shared" / "puzzles"
FILES = ("sudoku_exchange.jsonl", "sudoku_gecode.jsonl", "takuzu_ist.jsonl")

Record = dict[str, Any]
Matrix = list[list[int]]


def records(name: str) -> list[Record]:
    """The puzzles of a file; none where the data is not there."""
    path = DATA / name
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8")
    return json.loads(lines) if path.suffix == ".json" else [json.loads(line) for line in lines.splitlines()]


LINES = [record for name in FILES for record in records(name)]
SEEDS = [record for record in records("seeds.json") if "given" in record]
NONE: Record = {"id": "none"}  # so that there is a test to skip
REASON = "puzzle data not present"


def matrix(rows: str) -> Matrix:
    return [[int(value) for value in row.split()] for row in rows.splitlines()]


def texts(record: Record) -> Iterator[str]:
    """A puzzle as it was found; one that was found in words or as values in a program is written as a matrix."""
    if "text" in record:
        yield record["text"]
        yield record["text"].replace("\n", "\\n")
    elif "picture" in record:
        yield record["picture"]
    elif record["kind"] == "futoshiki":
        n = record["n"]
        rows = [" ".join(str(value or -1) for value in row) for row in record["given"]]
        pairs = [f"{a * n + b}>{c * n + d}" for (a, b), (c, d) in record["ineq"]]
        yield "\n".join(map(str, [n, *rows, len(pairs), *pairs]))
    else:
        yield "\n".join(" ".join(map(str, row)) for row in record["given"])
