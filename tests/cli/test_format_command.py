"""``f2csp format``: in place, --check, --stdout; a file is rewritten whole or not at all."""

import bz2
import gzip
import lzma
import os
import stat
import subprocess
from pathlib import Path

import pytest
import zstandard

from tests.cli.in_process import run_program

CORPUS = Path(__file__).parents[1] / "corpus" / "canonical"
LOOSE = "T\r\n\r\nDomains: 1\nD1 = {1..3}\nVariables: 1\nV1 :D1\nConstraints: 1\n1:\nVars: 1\nV1\naccept: 2\n(1)(3)"
CANONICAL = (
    "T\nDomains:\n1\nD1: 1 2 3\nVariables:\n1\nV1: D1\nConstraints:\n1\nC1\nVars:\n1\nV1\nAccept:\n2\n1\n3\n"
    "Goal:\nSatisfy\n"
)
FAULTY = "T\nDomains: 4\nVariables: 0\nConstraints: 0\nGoal: Satisfy\n"


def run(*args, stdin="", cwd=None):
    done = run_program("format", *args, stdin=stdin, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def write(path, text):
    path.write_bytes(text.encode())
    return path


def test_a_file_is_rewritten_in_place(tmp_path):
    path = write(tmp_path / "a.csp", LOOSE)
    assert run("a.csp", cwd=tmp_path) == (0, "", "a.csp: rewritten\n")
    assert path.read_bytes() == CANONICAL.encode()
    assert [p.name for p in tmp_path.iterdir()] == ["a.csp"]


def test_a_canonical_file_is_not_touched(tmp_path):
    path = write(tmp_path / "a.csp", CANONICAL)
    before = path.stat()
    assert run("a.csp", cwd=tmp_path) == (0, "", "")
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_second_run_changes_nothing(tmp_path):
    path = write(tmp_path / "a.csp", LOOSE)
    run(path)
    assert run(path) == (0, "", "")


def test_check_tells_what_would_change_and_writes_nothing(tmp_path):
    loose, canonical = write(tmp_path / "loose.csp", LOOSE), write(tmp_path / "canonical.csp", CANONICAL)
    summary = "1 file would change, 1 unchanged\n"
    assert run("--check", "canonical.csp", "loose.csp", cwd=tmp_path) == (3, "loose.csp: would change\n", summary)
    assert run("--check", "canonical.csp", cwd=tmp_path) == (0, "", "")
    assert loose.read_bytes() == LOOSE.encode()
    assert canonical.read_bytes() == CANONICAL.encode()


@pytest.mark.parametrize(
    "text",
    [
        CANONICAL[:-1],
        CANONICAL + "\n",
        CANONICAL.replace("\n", "\r\n"),
        "\ufeff" + CANONICAL,
        CANONICAL.replace("1 2 3", "1  2 3"),
        CANONICAL.replace("C1\n", "1\n"),
        CANONICAL.replace("Satisfy", "satisfy"),
        CANONICAL.removesuffix("Goal:\nSatisfy\n"),
    ],
)
def test_check_sees_every_byte_that_is_not_canonical(tmp_path, text):
    assert run("--check", write(tmp_path / "a.csp", text))[0] == 3


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.in.csp")), ids=lambda path: path.name)
def test_stdout_writes_the_canonical_form_and_leaves_the_file_alone(path, tmp_path):
    copy = tmp_path / "copy.csp"
    copy.write_bytes(path.read_bytes())
    out = path.with_name(path.name.replace(".in.", ".out.")).read_bytes()
    done = run_program("format", "--stdout", copy)
    assert done.stdout == out
    assert copy.read_bytes() == path.read_bytes()


def test_a_dash_reads_standard_input_and_writes_standard_output():
    assert run("-", stdin=LOOSE) == (0, CANONICAL, "")
    assert run("--stdout", "-", stdin=LOOSE) == (0, CANONICAL, "")
    assert run("--check", "-", stdin=LOOSE) == (3, "-: would change\n", "")
    assert run("--check", "-", stdin=CANONICAL) == (0, "", "")


def test_a_file_with_faults_stays_as_it_is(tmp_path):
    path = write(tmp_path / "a.csp", FAULTY)
    before = path.stat()
    code, out, err = run("a.csp", cwd=tmp_path)
    assert (code, out) == (1, "")
    assert err.startswith("error[F103] count-mismatch: declared 4 domains, found 0\n --> a.csp:2:10\n")
    assert path.read_bytes() == FAULTY.encode()
    assert (before.st_ino, before.st_mtime_ns) == (path.stat().st_ino, path.stat().st_mtime_ns)
    assert [p.name for p in tmp_path.iterdir()] == ["a.csp"]


def test_a_file_with_faults_does_not_keep_the_others_from_being_formatted(tmp_path):
    write(tmp_path / "a.csp", FAULTY)
    other = write(tmp_path / "b.csp", LOOSE)
    assert run("a.csp", "b.csp", cwd=tmp_path)[0] == 1
    assert other.read_bytes() == CANONICAL.encode()


def test_a_directory_stands_for_the_csp_files_in_it(tmp_path):
    path = write(tmp_path / "a.csp", LOOSE)
    other = write(tmp_path / "a.txt", LOOSE)
    assert run(tmp_path)[0] == 0
    assert path.read_bytes() == CANONICAL.encode()
    assert other.read_bytes() == LOOSE.encode()


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    target = write(tmp_path / "real" / "a.csp", LOOSE)
    link = tmp_path / "link.csp"
    link.symlink_to(target)
    assert run(link)[0] == 0
    assert link.is_symlink()
    assert link.readlink() == target
    assert target.read_bytes() == CANONICAL.encode()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o664])
def test_the_mode_of_a_file_is_kept(tmp_path, mode):
    path = write(tmp_path / "a.csp", LOOSE)
    path.chmod(mode)
    assert run(path)[0] == 0
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
    assert run("--check", path)[0] == 3
    assert run(path)[0] == 0
    assert expand(path.read_bytes()) == CANONICAL.encode()
    assert run("--check", path)[0] == 0


def test_a_file_that_is_not_there_is_told(tmp_path):
    other = write(tmp_path / "b.csp", LOOSE)
    code, out, err = run("missing.csp", "b.csp", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "missing.csp: No such file or directory" in err
    assert other.read_bytes() == CANONICAL.encode()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everything")
def test_a_file_that_may_not_be_written_is_told_and_stays(tmp_path):
    path = write(tmp_path / "a.csp", LOOSE)
    path.chmod(0o444)
    code, _, err = run(path)
    assert code == 2
    assert "Permission denied" in err
    assert path.read_bytes() == LOOSE.encode()


def test_no_arguments_are_wrong_usage():
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "expected at least one file" in err


def test_check_and_stdout_do_not_go_together(tmp_path):
    code, out, err = run("--check", "--stdout", write(tmp_path / "a.csp", LOOSE))
    assert (code, out) == (2, "")
    assert "--check and --stdout cannot be combined" in err


MENDABLE = CANONICAL.replace("Variables:\n1", "Variables:\n4").replace("Accept:\n2\n1\n3", "Accept: 2\n01\n3\n3")


def test_check_reports_faults_in_one_line_each_and_they_count_more_than_changes(tmp_path):
    for name, text in {"faulty": FAULTY, "loose": LOOSE, "canonical": CANONICAL}.items():
        write(tmp_path / f"{name}.csp", text)
    assert run("--check", ".", cwd=tmp_path) == (
        1,
        "loose.csp: would change\n",
        "faulty.csp:2:10: error[F103] declared 4 domains, found 0\n1 file would change, 1 with faults, 1 unchanged\n",
    )


def test_fix_mends_and_rewrites(tmp_path):
    path = write(tmp_path / "a.csp", MENDABLE)
    assert run("a.csp", cwd=tmp_path)[0] == 1
    assert path.read_bytes() == MENDABLE.encode()
    assert run("--fix", "--check", "a.csp", cwd=tmp_path) == (3, "a.csp: would change\n", "")
    assert run("--fix", "--stdout", "a.csp", cwd=tmp_path) == (0, CANONICAL, "")
    assert run("--fix", "-", stdin=MENDABLE) == (0, CANONICAL, "")
    assert run("--fix", "a.csp", cwd=tmp_path) == (0, "", "a.csp: rewritten (3 fixes)\n")
    assert path.read_bytes() == CANONICAL.encode()
    assert run("--fix", "a.csp", cwd=tmp_path) == (0, "", "")


def test_what_fix_cannot_mend_is_reported_and_stays(tmp_path):
    text = MENDABLE.replace("Satisfy", " Maximise")
    path = write(tmp_path / "a.csp", text)
    code, out, err = run("--fix", "a.csp", cwd=tmp_path)
    assert (code, out) == (1, "")
    assert err.startswith("error[F008] unknown-goal: expected the goal Satisfy")
    assert err.endswith("a.csp: rewritten (3 fixes)\n")
    assert path.read_bytes() == CANONICAL.replace("Satisfy", " Maximise").replace("Accept:\n2", "Accept: 2").encode()
    assert run("--fix", "a.csp", cwd=tmp_path)[0] == 1


@pytest.mark.parametrize(
    "text", [LOOSE, CANONICAL[:-1], CANONICAL.replace("\n", "\r\n"), "\ufeff" + CANONICAL, MENDABLE]
)
def test_diff_is_a_patch_and_writes_nothing(tmp_path, text):
    path = write(tmp_path / "a.csp", text)
    code, out, err = run("--diff", "--fix", "a.csp", cwd=tmp_path)
    assert (code, err, path.read_bytes()) == (3, "", text.encode())
    assert out.startswith("--- a.csp\n+++ a.csp\n@@ ")
    patch = ["patch", "--binary", "-s", "a.csp"]
    subprocess.run(patch, input=out.encode(), cwd=tmp_path, check=True)
    assert path.read_bytes() == CANONICAL.encode()
    assert run("--diff", "a.csp", cwd=tmp_path) == (0, "", "")


def test_diff_is_coloured_on_demand(tmp_path):
    write(tmp_path / "a.csp", CANONICAL[:-1])
    assert "\x1b[32m+Satisfy\n" in run("--diff", "--color", "always", "a.csp", cwd=tmp_path)[1]


def test_exclude_skips_files_in_directories(tmp_path):
    write(tmp_path / "a.csp", LOOSE)
    assert run("--exclude", "a.*", ".", cwd=tmp_path) == (0, "", "warning: no .csp file in directory .\n")
