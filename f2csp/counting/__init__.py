"""What a text holds, by counting alone: no names, no values, and never more of the text in memory than a few chunks.

The structure is found from the section lines, and each count is compared with what follows it. ``plain`` passes over
constraints without liberties in a loop that looks once at each distinct table; every other spelling takes the way
through ``counter``, section by section.
"""

import os

from f2csp.counting.counter import Counter, Counts
from f2csp.counting.lines import whole_lines
from f2csp.files import MAX_TEXT_BYTES, BrokenText, FileName, text_chunks

__all__ = ["Counts", "count"]


def count(file: FileName, max_bytes: int = MAX_TEXT_BYTES) -> Counts:
    """Count what a file holds, without reading names and values.

    Args:
        file: a path, or ``-`` for standard input; compressed or not.
        max_bytes: what a compressed file may expand to.

    Raises:
        InvalidInput: a count differs from what follows it, or no sections can be made out; other faults are not seen.
        OSError: the file cannot be read.

    Complexity:
        time: linear; memory: constant, but for the title and the longest line.
    """
    counter = Counter(os.fspath(file))
    try:
        for text in whole_lines(text_chunks(file, max_bytes)):
            counter.take(text)
    except BrokenText as error:
        counter.stop(error.code, str(error))
    return counter.finish()
