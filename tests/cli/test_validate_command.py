"""``f2csp validate`` and ``f2csp-validate``: what they say, where, and their exit codes."""

import gzip
import json
import os
import subprocess
import sys

import pytest

from tests.cli.in_process import run_program

VALID = "T\nDomains:\n0\nVariables:\n0\nConstraints:\n0\nGoal:\nSatisfy\n"
WARNING = VALID.split("Goal:")[0]
FAULTY = VALID.replace("Domains:\n0", "Domains:\n4").replace("Satisfy", "No")
KEYS = ["file", "code", "name", "severity", "message", "line", "column", "end_line", "end_column", "hint"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"ok.csp": VALID, "warning.csp": WARNING, "faulty.csp": FAULTY}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(*args, stdin=""):
    done = run_program("validate", *args, stdin=stdin)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_warning_leaves_a_file_valid(folder):
    code, out, err = run("warning.csp", "--format", "concise")
    assert (code, err) == (0, "")
    assert out == "warning.csp:8:1: warning[F402] the file has no goal\nwarning.csp: valid (1 warning)\n"


def test_a_valid_file_is_called_so_and_warnings_as_errors_changes_the_exit_code_only(folder):
    assert run("warning.csp", "--warnings-as-errors") == (1, *run("warning.csp")[1:])
    assert run("ok.csp", "--warnings-as-errors") == run("ok.csp") == (0, "ok.csp: valid\n", "")


def test_all_faults_come_in_one_run_in_the_order_of_the_file(folder):
    code, out, err = run("faulty.csp", "--format=concise")
    assert (code, err) == (1, "")
    assert out == (
        "faulty.csp:3:1: error[F103] declared 4 domains, found 0\n"
        "faulty.csp:9:1: error[F008] expected the goal Satisfy, found No\n"
        "faulty.csp: not valid (2 errors)\n"
    )


def test_the_full_form_is_the_default(folder):
    assert run("faulty.csp") == run("faulty.csp", "--format", "full")
    assert run("faulty.csp")[1] == (
        "error[F103] count-mismatch: declared 4 domains, found 0\n"
        " --> faulty.csp:3:1\n"
        "  |\n"
        "3 | 4\n"
        "  | ^ 0 follow\n"
        "  = hint: write 0, or add 4 domains\n"
        "\n"
        "error[F008] unknown-goal: expected the goal Satisfy, found No\n"
        " --> faulty.csp:9:1\n"
        "  |\n"
        "9 | No\n"
        "  | ^^\n"
        "  = hint: write Satisfy\n"
        "\n"
        "faulty.csp: not valid (2 errors)\n"
    )


def test_several_files_are_all_looked_at(folder):
    code, out, _ = run("faulty.csp", "ok.csp", "warning.csp", "--format", "concise")
    assert code == 1
    verdicts = [line for line in out.splitlines() if "[" not in line]
    assert verdicts == ["faulty.csp: not valid (2 errors)", "ok.csp: valid", "warning.csp: valid (1 warning)"]


def test_json_is_one_object_for_each_diagnostic_and_none_for_a_valid_file(folder):
    code, out, err = run("--json", "faulty.csp", "ok.csp", "warning.csp")
    assert (code, err) == (1, "")
    records = [json.loads(line) for line in out.splitlines()]
    found = [f"{r['file']} {r['code']}" for r in records]
    assert found == ["faulty.csp F103", "faulty.csp F008", "warning.csp F402"]
    assert all(list(r) == KEYS for r in records)
    assert run("--json", "ok.csp") == (0, "", "")
    assert run("--format", "json", "faulty.csp") == run("--json", "faulty.csp")


def test_a_directory_stands_for_the_csp_files_in_it(folder):
    (folder / "all" / "deep").mkdir(parents=True)
    (folder / "all" / "b.csp").write_text(VALID)
    (folder / "all" / "deep" / "a.csp").write_text(VALID)
    (folder / "all" / "notes.txt").write_text("no problem at all")
    assert run("all") == (0, "all/b.csp: valid\nall/deep/a.csp: valid\n", "")


def test_a_directory_without_csp_files_is_wrong_usage(folder):
    (folder / "empty").mkdir()
    code, out, err = run("empty")
    assert (code, out) == (2, "")
    assert "no .csp file in directory empty" in err
    assert run("ok.csp", "empty")[:2] == (2, "")  # nothing is done before the arguments are known to be good


@pytest.mark.parametrize("valid", [VALID, gzip.compress(VALID.encode())], ids=["text", "compressed"])
def test_a_dash_is_standard_input(valid):
    assert run("-", stdin=valid) == (0, "-: valid\n", "")
    code, out, _ = run("-", "--format", "concise", stdin=FAULTY)
    assert code == 1
    assert out.startswith("-:3:1: error[F103]")


def test_a_file_that_is_not_there_is_told_and_the_others_are_looked_at(folder):
    code, out, err = run("missing.csp", "faulty.csp", "ok.csp", "--format", "concise")
    assert code == 2
    assert out.endswith("ok.csp: valid\n")
    assert "faulty.csp: not valid" in out
    assert "missing.csp: No such file or directory" in err
    assert "Traceback" not in err


def test_a_missing_package_is_told_and_the_others_are_looked_at(folder):
    (folder / "packed.csp").write_bytes(b"\x28\xb5\x2f\xfd")
    program = "import sys; sys.modules['zstandard'] = None; from f2csp.cli.main import validate; validate()"
    line = [sys.executable, "-c", program, "--format", "sarif", "packed.csp", "faulty.csp"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    message = "packed.csp: reading a .zst file needs an optional package; install it with: pip install 'f2csp[zst]'"
    assert (done.returncode, done.stderr) == (2, f"f2csp-validate: {message}\n")
    (found,) = json.loads(done.stdout)["runs"]
    assert found["results"]
    assert [n["message"]["text"] for n in found["invocations"][0]["toolExecutionNotifications"]] == [message]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_told(folder):
    (folder / "ok.csp").chmod(0)
    code, out, err = run("ok.csp")
    assert (code, out) == (2, "")
    assert "ok.csp: Permission denied" in err


def test_a_directory_that_is_named_like_a_file_is_a_directory(folder):
    (folder / "x.csp").mkdir()
    (folder / "x.csp" / "y.csp").write_text(VALID)
    assert run("x.csp") == (0, "x.csp/y.csp: valid\n", "")


@pytest.mark.parametrize(
    ("args", "message"),
    [([], "expected at least one file"), (["--format", "xml", "ok.csp"], ""), (["--nonsense", "ok.csp"], "")],
)
def test_wrong_usage(folder, args, message):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert err.startswith("Usage:")
    assert message in err


def test_more_than_a_hundred_faults_are_counted(folder):
    lines = "".join(f"V{i}: D{i}\n" for i in range(250))
    (folder / "many.csp").write_text(f"T\nDomains: 1\nX: 1\nVariables: 250\n{lines}Constraints: 0\nGoal: Satisfy\n")
    code, out, _ = run("many.csp", "--format", "concise")
    assert code == 1
    assert out.count("error[F203]") == 100
    assert out.endswith("many.csp: not valid (100 errors, 150 more not listed)\n")
    code, out, err = run("many.csp", "--json")
    assert (code, out.count("\n")) == (1, 100)
    assert "150 more" in err


def test_the_values_of_a_tuple_that_is_cut_off_are_not_counted_as_faults(folder):
    names = [f"V{i}" for i in range(200)]
    head = "T\nDomains: 1\nD: 1\nVariables: 200\n" + "".join(f"{name}: D\n" for name in names)
    scope = f"Constraints: 1\nC1\nVars: 200\n{' '.join(names)}\n"
    (folder / "cut.csp").write_text(f"{head}{scope}Reject: 2\n{'9 ' * 199}9")
    code, out, _ = run("cut.csp")
    assert (code, out.splitlines()[-1]) == (1, "cut.csp: not valid (1 error)")


def test_output_that_nobody_reads_to_the_end_is_no_error(folder):
    lines = "".join(f"V{i}: D{i}\n" for i in range(250))
    (folder / "many.csp").write_text(f"T\nDomains: 1\nX: 1\nVariables: 250\n{lines}Constraints: 0\nGoal: Satisfy\n")
    with subprocess.Popen(
        [sys.executable, "-m", "f2csp", "validate", *["many.csp"] * 20], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.skipif(os.name != "posix", reason="closes a stream as a POSIX shell does")
@pytest.mark.parametrize(("closed", "code"), [("<&-", 1), (">&-", 1), ("2>&-", 2)])
def test_a_closed_standard_stream_is_an_empty_one(folder, closed, code):
    files = {"<&-": "-", ">&-": "faulty.csp", "2>&-": "missing.csp"}[closed]
    line = ["sh", "-c", f'exec "$0" -m f2csp validate {files} {closed}', sys.executable]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.skipif(sys.platform != "linux", reason="bounds the memory of a program as Linux does")
def test_too_little_memory_is_told_in_one_line(folder):
    program = (
        "import resource; from f2csp.cli.main import validate\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29)); validate()"
    )
    with (folder / "ok.csp").open("r+b") as file:
        file.truncate(1 << 30)
    line = [sys.executable, "-c", program, "ok.csp"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "f2csp-validate: not enough memory\n")
