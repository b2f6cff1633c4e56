"""Text in pieces to wherever the user wants it."""

import os
from collections.abc import Iterable
from typing import IO, Any

from f2csp.files import FileName, writing


def write(chunks: Iterable[bytes], file: FileName | IO[Any]) -> None:
    """Write the pieces of a text.

    Args:
        chunks: the pieces, none of which ends inside a character.
        file: a path (written whole or not at all, compressed if its name ends in .gz, .xz, .bz2 or .zst), ``-`` for
            standard output, or a file open for writing, text or binary.

    Raises:
        OSError: the file cannot be written.
    """
    if isinstance(file, (str, os.PathLike)):
        with writing(file) as stream:
            for chunk in chunks:  # a stream that compresses as zstd has no writelines
                stream.write(chunk)
    elif hasattr(file, "encoding"):  # a text file
        file.writelines(chunk.decode() for chunk in chunks)
    else:
        file.writelines(chunks)
