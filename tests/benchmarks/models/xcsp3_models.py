"""Ten models in pycsp3, written as its users write them; prints the instance of one in XCSP3.

python xcsp3_models.py queens > queens.xml
"""

import os
import re
import sys
from pathlib import Path
from random import Random
from tempfile import mkdtemp

NAMES = (
    "all-interval",
    "colouring",
    "golomb",
    "langford",
    "latin",
    "magic-square",
    "nonogram",
    "pigeonholes",
    "queens",
    "random-tables",
)


def model_of(name: str) -> None:
    """Declare the variables and the constraints of a model; pycsp3 keeps them in itself."""
    from pycsp3 import AllDifferent, Automaton, Sum, VarArray, satisfy
    from pycsp3 import abs as distance

    rng = Random(1)
    match name:
        case "all-interval":
            n = 9
            x = VarArray(size=n, dom=range(n), id="x")
            y = VarArray(size=n - 1, dom=range(1, n), id="y")
            satisfy(AllDifferent(x), AllDifferent(y), [y[i] == distance(x[i + 1] - x[i]) for i in range(n - 1)])
        case "colouring":  # five colours of a random graph
            x = VarArray(size=60, dom=range(5), id="x")
            satisfy(x[i] != x[j] for i in range(60) for j in range(i) if rng.random() < 0.13)
        case "golomb":  # a ruler of six marks and length 17
            x = VarArray(size=6, dom=range(18), id="x")
            pairs = [(i, j) for i in range(6) for j in range(i)]
            satisfy(x[0] == 0, [x[i] < x[i + 1] for i in range(5)], AllDifferent(x[i] - x[j] for i, j in pairs))
        case "langford":  # each value k twice, k places apart
            n = 8
            x = VarArray(size=[2, n], dom=range(2 * n), id="x")
            satisfy(AllDifferent(x), [x[1][k] == x[0][k] + k + 2 for k in range(n)])
        case "latin":  # a Latin square with 40 % of its cells given
            n = 15
            rows, columns = (rng.sample(range(n), n) for _ in range(2))
            given = [(i, j) for i in range(n) for j in range(n) if rng.random() < 0.4]
            x = VarArray(size=[n, n], dom=range(n), id="x")
            satisfy(AllDifferent(x, matrix=True), [x[i][j] == (rows[i] + columns[j]) % n for i, j in given])
        case "magic-square":
            x = VarArray(size=[4, 4], dom=range(1, 17), id="x")
            lines = [*x, *([x[i][j] for i in range(4)] for j in range(4))]
            lines += [[x[i][i] for i in range(4)], [x[i][3 - i] for i in range(4)]]
            satisfy(AllDifferent(x), [Sum(line) == 34 for line in lines])
        case "nonogram":  # each line an automaton of its runs of filled cells
            n = 15
            picture = [[int(rng.random() < 0.6) for _ in range(n)] for _ in range(n)]
            x = VarArray(size=[n, n], dom=range(2), id="x")
            lines = [(x[i], picture[i]) for i in range(n)]
            lines += [([row[j] for row in x], [row[j] for row in picture]) for j in range(n)]
            satisfy(line in Automaton(**_runs(cells)) for line, cells in lines)
        case "pigeonholes":
            x = VarArray(size=9, dom=range(8), id="x")
            satisfy(x[i] != x[j] for i in range(9) for j in range(i))
        case "queens":
            n = 20
            x = VarArray(size=n, dom=range(n), id="x")
            satisfy(AllDifferent(x), *(AllDifferent(x[i] + sign * i for i in range(n)) for sign in (1, -1)))
        case "random-tables":  # 25 variables, 90 tables of 24 of 64 pairs
            x = VarArray(size=25, dom=range(8), id="x")
            pairs = [(a, b) for a in range(8) for b in range(8)]
            satisfy(
                (x[i], x[j]) not in sorted(rng.sample(pairs, 24))
                for i, j in (rng.sample(range(25), 2) for _ in range(90))
            )


def _runs(cells: list[int]) -> dict[str, object]:
    """The arguments of an automaton for the runs of ones in a line."""
    symbols = "".join(map(str, cells)).strip("0")
    pattern = [int(symbol) for symbol in re.sub("0+", "0", symbols)]
    states = [f"q{k}" for k in range(len(pattern) + 1)]
    moves = [(states[k], symbol, states[k + 1]) for k, symbol in enumerate(pattern)]
    blank = [states[0], states[-1], *(states[k + 1] for k, symbol in enumerate(pattern) if not symbol)]
    return {
        "start": states[0],
        "transitions": [*moves, *((state, 0, state) for state in dict.fromkeys(blank))],
        "final": [states[-1]],
    }


def main() -> None:
    name, text = sys.argv.pop(), sys.stdout
    os.chdir(mkdtemp())  # pycsp3 writes where it is started
    from pycsp3 import compile as compile_model

    model_of(name)
    sys.stdout = sys.stderr
    compile_model("model")
    text.write(Path("model.xml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
