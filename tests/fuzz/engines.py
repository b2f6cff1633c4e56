"""Very many small problems through all engines: ``python -m tests.fuzz.engines 5000``."""

import sys
import time

from hypothesis import HealthCheck, given, settings

from f2csp.solving import ENGINES
from tests.solving.test_engines import Question, check_answer, questions


def main(n_problems: int) -> None:
    """Ask every engine about so many problems, with their structure and without; stop at the first that is wrong."""
    started = time.monotonic()
    n_done = n_found = 0

    @settings(max_examples=n_problems, database=None, deadline=None, suppress_health_check=HealthCheck)
    @given(questions())
    def ask(question: Question) -> None:
        nonlocal n_done, n_found
        for engine in ENGINES:
            for use_structure in (True, False):
                check_answer(engine.name, question, use_structure=use_structure)
        n_done += 1
        n_found += bool(question.solutions)
        if n_done % 500 == 0:
            print(f"{n_done} problems in {time.monotonic() - started:.0f} s, {n_found} with solutions", flush=True)

    ask()


if __name__ == "__main__":
    main(int(sys.argv[1]))
