"""``f2csp format``: canonical forms, modes and compressed files; transcripts have the rest."""

import bz2
import gzip
import lzma
import os
import stat
from pathlib import Path

import pytest
import zstandard

from tests.cli.in_process import run, run_program

CORPUS = Path(__file__).parents[1] / "corpus" / "canonical"
LOOSE = "T\r\n\r\nDomains: 1\nD1 = {1..3}\nVariables: 1\nV1 :D1\nConstraints: 1\n1:\nVars: 1\nV1\naccept: 2\n(1)(3)"
CANONICAL = (
    "T\nDomains:\n1\nD1: 1 2 3\nVariables:\n1\nV1: D1\nConstraints:\n1\nC1\nVars:\n1\nV1\nAccept:\n2\n1\n3\n"
    "Goal:\nSatisfy\n"
)


def write(path, text):
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.in.csp")), ids=lambda path: path.name)
def test_stdout_writes_the_canonical_form_and_leaves_the_file_alone(path, tmp_path):
    copy = tmp_path / "copy.csp"
    copy.write_bytes(path.read_bytes())
    out = path.with_name(path.name.replace(".in.", ".out.")).read_bytes()
    done = run_program("format", "--stdout", copy)
    assert done.stdout == out
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o664])
def test_the_mode_of_a_file_is_kept(tmp_path, mode):
    path = write(tmp_path / "a.csp", LOOSE)
    path.chmod(mode)
    assert run("format", path)[0] == 0
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == CANONICAL.encode()


@pytest.mark.parametrize(
    ("ending", "compress", "expand"),
    [
        (".gz", gzip.compress, gzip.decompress),
        (".xz", lzma.compress, lzma.decompress),
        (".bz2", bz2.compress, bz2.decompress),
        (".zst", zstandard.compress, lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data)),
    ],
)
def test_a_compressed_file_stays_compressed(tmp_path, ending, compress, expand):
    path = tmp_path / f"a.csp{ending}"
    path.write_bytes(compress(LOOSE.encode()))
    assert run("format", "--check", path)[0] == 3
    assert run("format", path)[0] == 0
    assert expand(path.read_bytes()) == CANONICAL.encode()
    assert run("format", "--check", path)[0] == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everything")
def test_a_file_that_may_not_be_written_is_told_and_stays(tmp_path):
    path = write(tmp_path / "a.csp", LOOSE)
    path.chmod(0o444)
    code, _, err = run("format", path)
    assert code == 2
    assert "Permission denied" in err
    assert path.read_bytes() == LOOSE.encode()
