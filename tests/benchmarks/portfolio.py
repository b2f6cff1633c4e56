"""One engine or several: the runs of an experiment, their table and their plot.

python -m tests.benchmarks.portfolio FILE...    # adds the runs that portfolio.csv does not have
python -m tests.benchmarks.portfolio            # prints the table, and draws portfolio.svg

A run solves one problem in a fork of this process that has read the problem, by one thread on one core. Its time is that
of the processor, with all processes that it starts: what an idle core takes, whatever else the machine does. It
has the imports of the engine in it, as the engine is first used there.
"""

import atexit
import csv
import os
import signal
import sys
from pathlib import Path
from time import sleep

LIMIT = 5.0  # seconds, also for a run without an answer
ENGINES = ("auto", "cpsat", "sat", "search")
RUNS = Path(__file__).with_suffix(".csv")
_POLL_SECONDS, _LONG_POLL = 1 / 64, 24  # the second times the first, for the time
_TICKS = os.sysconf("SC_CLK_TCK")
_ANSWERS = ("unknown", "satisfiable", "unsatisfiable", "failed")


def run(file: str, engines: list[str]) -> list[tuple[str, str, float]]:
    """The engines, statuses and seconds of the runs on a problem."""
    import f2csp

    problem, found = f2csp.read(file), []
    for engine in engines:
        child = os.fork()
        if not child:
            code = 3
            try:
                os.setsid()
                cores = sorted(os.sched_getaffinity(0))
                os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
                code = _ANSWERS.index(f2csp.solve(problem, engine=engine, workers=1).status)
                atexit._run_exitfuncs()
            finally:
                os._exit(code)
        n = 0
        while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            sleep(_POLL_SECONDS)
            n += 1
            if n % _LONG_POLL == 0 and _used(child) > LIMIT:
                os.killpg(child, signal.SIGKILL)
        _, ending, usage = os.wait4(child, 0)
        status, seconds = _ANSWERS[os.waitstatus_to_exitcode(ending)] if os.WIFEXITED(ending) else "unknown", usage.ru_utime + usage.ru_stime
        is_answer = status in _ANSWERS[1:3] and seconds <= LIMIT
        found.append((engine, status if is_answer or status == "failed" else "unknown", seconds if is_answer else LIMIT))
    return found


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
