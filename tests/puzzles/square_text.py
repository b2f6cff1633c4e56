"""The text of a square puzzle, by strings and loops."""

Given = tuple[int, int, int]


def square_text(title: str, n: int, givens: list[Given], box: tuple[int, int] | None = None) -> str:
    """The canonical text: for each cell the pairs of its row, of its column and of its box; then the givens."""
    numbers = range(1, n + 1)
    h, w = box or (1, 1)
    scopes = []
    for r, c in ((r, c) for r in numbers for c in numbers):
        scopes += [(r, c, r, c2) for c2 in range(c + 1, n + 1)]
        scopes += [(r, c, r2, c) for r2 in range(r + 1, n + 1)]
        for r2 in range(r + 1, n + 1):
            in_box = [c2 for c2 in numbers if (c2 - 1) // w == (c - 1) // w and c2 != c]
            scopes += [(r, c, r2, c2) for c2 in in_box if (r2 - 1) // h == (r - 1) // h]
    equal = [f"{v} {v}" for v in numbers]
    blocks = [["Vars:", "2", f"V{r}-{c} V{r2}-{c2}", "Reject:", str(n), *equal] for r, c, r2, c2 in scopes]
    blocks += [["Vars:", "1", f"V{r}-{c}", "Accept:", "1", str(v)] for r, c, v in givens]
    lines = [title, "Domains:", "1", f"D1: {' '.join(map(str, numbers))}"]
    lines += ["Variables:", str(n * n), *(f"V{r}-{c}: D1" for r in numbers for c in numbers)]
    lines += ["Constraints:", str(len(blocks))]
    for i, block in enumerate(blocks, 1):
        lines += [f"C{i}", *block]
    return "\n".join([*lines, "Goal:", "Satisfy", ""])
