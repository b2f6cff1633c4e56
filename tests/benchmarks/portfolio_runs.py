"""The runs of the experiment on one engine or several: ``python -m tests.benchmarks.portfolio_runs FILE...``.

It adds a line to ``portfolio.csv`` for each problem that is not there. A run solves one problem, in a fork of a process
that has read it, with one thread on one core. Its time is that of the processor, with all processes that it starts:
what an idle core takes, whatever else the machine does. It has the imports of the engine in it.
"""

import atexit
import csv
import os
import signal
import sys
from pathlib import Path
from time import sleep

import numpy as np

from tests.benchmarks.portfolio import ENGINES, LIMIT, RUNS

_POLL_SECONDS, _N_POLLS = 1 / 64, 24  # from one look at the time to the next
_TICKS = os.sysconf("SC_CLK_TCK")


def measured(file: str) -> list[object]:
    """A line of the runs: the problem, the tuples in its sums, and the seconds of each engine."""
    import f2csp
    from f2csp.structure import known_sums

    problem, seconds = f2csp.read(file), []
    for engine in ENGINES:
        child = os.fork()
        if not child:
            try:
                os.setsid()
                cores = sorted(os.sched_getaffinity(0))
                os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
                status = f2csp.solve(problem, engine=engine, workers=1).status
                atexit._run_exitfuncs()
                os._exit(status == "unknown")
            finally:
                os._exit(1)
        n_polls = 0
        while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            sleep(_POLL_SECONDS)
            n_polls += 1
            if n_polls % _N_POLLS == 0 and _used(child) > LIMIT:
                os.killpg(child, signal.SIGKILL)
        _, ending, usage = os.wait4(child, 0)
        seconds.append(min(LIMIT, usage.ru_utime + usage.ru_stime) if ending == 0 else LIMIT)
    sizes = np.array([relation.n_tuples for relation in problem.relations], dtype=np.int64)
    in_sums = [constraint for known in known_sums(problem) for constraint in known.constraints]
    return [file, sizes[problem.constraint_relations[in_sums]].sum(), *[round(one, 3) for one in seconds]]


def _used(session: int) -> float:
    """Seconds of the processor that the processes of a session have taken, with those that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


if __name__ == "__main__":
    with RUNS.open(newline="") as known:
        done = {line[0] for line in csv.reader(known)}
    with RUNS.open("a", newline="") as runs:
        for name in sys.argv[1:]:
            if name not in done:
                csv.writer(runs, lineterminator="\n").writerow(measured(name))
                runs.flush()
