"""The table of the runs in ``portfolio.csv``, which ``f2csp compare --experiment portfolio.toml --json`` makes.

python -m tests.benchmarks.portfolio
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

LIMIT = 8.0  # seconds, also for a run without an answer
ENGINES = ("cpsat", "sat", "search")

Times = dict[str, float]


def runs(path: Path) -> dict[str, Times]:
    """The seconds of each engine on each problem."""
    with path.open() as file:
        return {
            row.pop("problem"): {engine: float(seconds or LIMIT) for engine, seconds in row.items()}
            for row in csv.DictReader(file)
        }


def table(found: dict[str, Times]) -> list[str]:
    """The sum of the times and the number of answers: of each engine, of the best for each, and of two choices."""
    by_kind = defaultdict(list)
    for problem in found:
        by_kind[problem.partition(" ")[0]].append(problem)

    def best_of(problems: Iterable[str]) -> str:
        listed = list(problems)
        return min(ENGINES, key=lambda engine: sum(found[problem][engine] for problem in listed))

    def of_kind(problem: str) -> str:
        others = [other for other in by_kind[problem.partition(" ")[0]] if other != problem]
        return best_of(others or found)

    chosen: dict[str, Callable[[str], str]] = {"auto": lambda problem: "auto"}
    chosen |= {engine: lambda problem, engine=engine: engine for engine in ENGINES}  # type: ignore[misc]
    chosen["best for each"] = lambda problem: best_of([problem])
    chosen["best of all others"] = lambda problem: best_of(other for other in found if other != problem)
    chosen["best of the others of its kind"] = of_kind
    return [line(name, [found[problem][choose(problem)] for problem in found]) for name, choose in chosen.items()]


def line(name: str, seconds: Sequence[float]) -> str:
    return f"{name:32} {sum(seconds):7.1f} s {sum(one < LIMIT for one in seconds):5} of {len(seconds)}"


if __name__ == "__main__":
    print("\n".join(table(runs(Path(__file__).with_suffix(".csv")))))
