"""One engine or several: the table and the plot of the runs in ``portfolio.csv``.

python -m tests.benchmarks.portfolio
"""

import csv
from pathlib import Path
from typing import Any

import numpy as np

LIMIT = 5.0  # seconds, also for a run without an answer
ENGINES = ("auto", "cpsat", "sat", "search")
RUNS = Path(__file__).with_suffix(".csv")
_N_FOLDS = 10


def rows(in_sums: Any, times: dict[str, Any]) -> dict[str, Any]:
    """The seconds for each problem: of each engine, and of choices among them."""
    either = np.stack([times["sat"], times["cpsat"]])

    def first(bound: float, some: Any) -> Any:
        """Those of CP-SAT for some problems with more tuples in sums than a bound, and of CaDiCaL for the others."""
        return either[(in_sums[some] > bound).astype(int), some]

    learned = np.empty(len(in_sums))
    for fold in range(_N_FOLDS):
        is_test = np.arange(len(in_sums)) % _N_FOLDS == fold
        others, tested = np.flatnonzero(~is_test), np.flatnonzero(is_test)
        best = min([10**k for k in range(9)], key=lambda bound: first(bound, others).sum())
        learned[tested] = first(best, tested)
    return {
        **times,
        "`sat`, or `cpsat` with many tuples in sums, cross-validated": learned,
        "the best for each problem": np.min([times[name] for name in ENGINES[1:]], axis=0),
    }


def drawn(found: dict[str, Any]) -> None:
    """The numbers of problems that are solved within a time."""
    from f2csp.experiments.plots import new_figure

    figure, (axes,) = new_figure(1, 1, 4.6)
    for (name, seconds), dash in zip(found.items(), ("-", "--", "-.", ":", (0, (1, 4)), (0, (6, 2))), strict=True):
        solved = np.sort(seconds[seconds < LIMIT])
        axes.plot(solved, np.arange(1, len(solved) + 1), linestyle=dash, label=name.replace("`", ""))  # type: ignore[arg-type]
    axes.set(xscale="log", xlabel="seconds of the processor", ylabel="problems solved", ylim=(0, None))
    axes.legend(fontsize="small")
    figure.savefig(RUNS.with_suffix(".svg"), metadata={"Date": None})


def main() -> None:
    with RUNS.open(newline="") as file:
        lines = list(csv.reader(file))[1:]
    columns = np.array([line[1:] for line in lines], dtype=float).T
    found = rows(columns[0], dict(zip(ENGINES, columns[1:], strict=True)))
    for name, seconds in found.items():
        print(f"| {name} | {seconds.sum():.1f} | {(seconds < LIMIT).sum()} |")
    drawn(found)


if __name__ == "__main__":
    main()
