"""The runs of an interrupted experiment: JSON Lines, the digest of the experiment and then a line for each run."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from f2csp.experiments.runs import Run


class Journal:
    """A file to which each run is added as soon as it ends, and that disappears with the last one."""

    def __init__(self, digest: str, folder: str = ".", *, resumes: bool = False) -> None:
        """Open the journal of an experiment in a folder, and with ``resumes`` read the runs that are in it.

        Its name has the digest in it: the runs of another experiment, or a changed one, are in another file.
        """
        self.path = Path(folder, f"f2csp-compare-{digest[:12]}.jsonl")
        self._runs: dict[tuple[str, int, str, int], Run] = {}
        size = self._read(digest) if resumes and self.path.exists() else 0
        self._file = self.path.open("r+b" if size else "wb")
        self._file.seek(size)
        self._file.truncate()
        if not size:
            self._write({"digest": digest})

    def _read(self, digest: str) -> int:
        """Read the runs; returns the size of the lines that are whole."""
        size = 0
        for line in self.path.read_bytes().splitlines(keepends=True):
            try:
                content: dict[str, Any] = json.loads(line) if line.endswith(b"\n") else {}
                if size:
                    self._keep(Run(**content))
                elif content != {"digest": digest}:
                    return 0
            except (ValueError, TypeError):  # a line that was torn when the machine stopped
                break
            size += len(line)
        return size

    def _keep(self, run: Run) -> None:
        self._runs[run.file, run.index, run.engine, run.repeat] = run

    def _write(self, content: dict[str, object]) -> None:
        self._file.write(json.dumps(content).encode("utf-8") + b"\n")
        self._file.flush()

    @property
    def n_runs(self) -> int:
        """The number of runs in it."""
        return len(self._runs)

    def found(self, file: str, index: int, engine: str, repeat: int) -> Run | None:
        """The run of a configuration on a problem, if it is in the journal."""
        return self._runs.get((file, index, engine, repeat))

    def add(self, run: Run) -> None:
        """Add a run."""
        self._write(asdict(run))
        self._keep(run)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if failure is None or not self._runs:
            self.path.unlink(missing_ok=True)
