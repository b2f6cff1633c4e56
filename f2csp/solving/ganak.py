"""The model counter Ganak on a problem as clauses, in a process of its own, which a time limit or Ctrl-C can end.

Sharma, Roy, Soos and Meel, "GANAK: A scalable probabilistic exact model counter", IJCAI 2019.
"""

import json
import subprocess
import sys

from f2csp.diagnostics import F2cspError, MissingExtra
from f2csp.encode import encode
from f2csp.solving.registry import GANAK
from f2csp.solving.search_run import SearchRun


def count_models(run: SearchRun) -> int | None:
    """The number of solutions of a run that differ in its projection; None at the time limit.

    Raises:
        MissingExtra: Ganak is not installed.
    """
    if not GANAK.is_installed:
        raise MissingExtra("counting with Ganak", GANAK.extra)
    encoding = encode(run.model)
    if any(block.shape[1] == 0 for block in encoding.cnf.blocks):  # the empty clause
        return 0
    literals = sorted(
        {abs(one) for one in encoding.literals.values[encoding.literals.values_of(run.projection)].tolist()}
    )
    formula = {"literals": literals, "clauses": [row for block in encoding.cnf.blocks for row in block.tolist()]}
    command = [sys.executable, "-m", __name__]
    try:
        done = subprocess.run(  # noqa: S603 - this module
            command, input=json.dumps(formula), capture_output=True, text=True, check=False, timeout=run.seconds_left
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise F2cspError(f"Ganak failed: {done.stderr.strip()[-200:]}")
    return int(done.stdout.split()[-1])


def _main() -> None:
    from pyganak import Counter

    formula = json.load(sys.stdin)
    counter = Counter()
    counter.new_vars(max(formula["literals"], default=0))
    counter.add_clauses(formula["clauses"])
    counter.set_sampling_set(formula["literals"])
    print(counter.count())  # noqa: T201 - to the process that started this one


if __name__ == "__main__":
    _main()
