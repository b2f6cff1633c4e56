"""Both readers under atheris, which is to be installed by hand: ``python -m tests.fuzz.coverage_guided DIRECTORY``.

The corpora of the tests are where it starts from; libFuzzer's options, such as ``-max_total_time=3600``, may follow.
"""

import shutil
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["f2csp"]):
    from f2csp.text import reader
    from tests.fuzz.two_readers import assert_same

CORPUS = Path(__file__).parents[1] / "corpus"


def one_input(data: bytes) -> None:
    """The first byte chooses the size of the scanner's blocks, the rest is the text."""
    reader._BLOCK = (1, 200, 1 << 16)[data[0] % 3] if data else 1
    assert_same(data[1:])


def main() -> None:
    """Seed the directory with the corpora, and run until the options say to stop."""
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    for path in CORPUS.rglob("*.csp"):
        seed = directory / path.relative_to(CORPUS).as_posix().replace("/", "-")
        if not seed.exists():
            shutil.copyfile(path, seed)
            seed.write_bytes(b"\0" + seed.read_bytes())
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
