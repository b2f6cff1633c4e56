"""Very many drawn texts through both readers: ``python -m tests.fuzz.differential 1000000``.

Problems are drawn once; each is spelled and mutated many times at random, which is much faster than to draw every
text. Half of the texts are spelled well, half have one to three mistakes.
"""

import sys
import time
from random import Random

from hypothesis import HealthCheck, Phase, given, settings

from f2csp.model import Problem
from f2csp.text import reader
from tests.fuzz.two_readers import assert_same
from tests.strategies import LIBERTIES, Printer, mutate, problems

_BLOCKS = (1, 200, 1 << 16)


def _drawn(n: int) -> list[Problem]:
    drawn: list[Problem] = []

    @settings(max_examples=n, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=HealthCheck)
    @given(problems())
    def draw(problem: Problem) -> None:
        drawn.append(problem)

    draw()
    return drawn


def main(n_texts: int, seed: int) -> None:
    """Compare the readers on so many texts; stop at the first on which they differ, and show it."""
    random = Random(seed)
    pool = _drawn(2000)
    started = time.monotonic()
    for done in range(n_texts):
        liberties = frozenset(LIBERTIES if random.random() < 0.3 else random.sample(LIBERTIES, random.randrange(8)))
        text = Printer(random.choice(pool), liberties, random.randrange(1 << 30)).text()
        for _ in range(random.choice((0, 0, 0, 1, 2, 3))):
            text = mutate(text, random.randrange(1 << 30))
        reader._BLOCK = random.choice(_BLOCKS)
        try:
            assert_same(text)
        except BaseException:
            print(f"after {done} texts, block {reader._BLOCK}: {text!r}")
            raise
        if done % 10000 == 9999:
            print(f"{done + 1} texts in {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
