"""``f2csp validate`` and ``f2csp-validate``: what they say, where, and their exit codes."""

import gzip
import io
import json
import os
import subprocess
import sys

import pytest

from f2csp.cli import failures
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
    assert all(list(r) == KEYS + ["fix"] * ("fix" in r) for r in records)
    assert run("--json", "ok.csp") == (0, "", "")
    assert run("--format", "json", "faulty.csp") == run("--json", "faulty.csp")


def test_a_directory_stands_for_the_csp_files_in_it(folder):
    (folder / "all" / "deep").mkdir(parents=True)
    (folder / "all" / "b.csp").write_text(VALID)
    (folder / "all" / "deep" / "a.csp").write_text(VALID)
    (folder / "all" / "notes.txt").write_text("no problem at all")
    assert run("all") == (0, "all/b.csp: valid\nall/deep/a.csp: valid\n", "2 problems are valid\n")


def test_a_directory_without_csp_files_causes_a_warning(folder):
    (folder / "empty").mkdir()
    assert run("empty") == (0, "", "warning: no .csp file in directory empty\n")


@pytest.mark.parametrize("ending", ["gz", "xz", "bz2", "zst"])
def test_a_directory_stands_for_compressed_files_too(folder, ending):
    (folder / "all").mkdir()
    (folder / "all" / f"a.csp.{ending}").write_text(FAULTY)  # known as text by its content
    (folder / "all" / f"a.csp.{ending}.old").write_text(FAULTY)
    assert run("all", "--format", "concise")[:2] == (1, run(f"all/a.csp.{ending}", "--format", "concise")[1])


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
    assert (code, out.count("\n")) == (1, 101)
    assert "150 more" in err
    assert "150 more" in json.loads(out.splitlines()[-1])["message"]
    code, out, _ = run("many.csp", "--format", "concise", "--max-errors", "7")
    assert out.endswith("many.csp: not valid (7 errors, 243 more not listed)\n")
    assert run("many.csp", "--format", "json", "--max-errors=0")[1].count("F203") == 250
    assert run("many.csp", "--format", "concise", "--statistics")[1] == "    250  F203  error    unknown-domain\n"


def test_the_values_of_a_tuple_that_is_cut_off_are_not_counted_as_faults(folder):
    names = [f"V{i}" for i in range(200)]
    head = "T\nDomains: 1\nD: 1\nVariables: 200\n" + "".join(f"{name}: D\n" for name in names)
    scope = f"Constraints: 1\nC1\nVars: 200\n{' '.join(names)}\n"
    (folder / "cut.csp").write_text(f"{head}{scope}Reject: 2\n{'9 ' * 199}9")
    code, out, _ = run("cut.csp")
    assert (code, out.splitlines()[-1]) == (1, "cut.csp: not valid (1 error)")


@pytest.mark.parametrize("form", ["full", "json", "sarif"])
def test_output_that_nobody_reads_to_the_end_is_no_error(folder, form):
    lines = "".join(f"V{i}: D{i}\n" for i in range(250))
    (folder / "many.csp").write_text(f"T\nDomains: 1\nX: 1\nVariables: 250\n{lines}Constraints: 0\nGoal: Satisfy\n")
    with subprocess.Popen(
        [sys.executable, "-m", "f2csp", "validate", "--format", form, *["many.csp"] * 20],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode in (1, 141)  # the files have faults, or there is no telling


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


@pytest.mark.parametrize(
    ("args", "codes", "exit_code"),
    [
        (["--select", "F0,F4"], ["F008", "F402"], 1),
        (["--select", "f103", "--select", "F402"], ["F103", "F402"], 1),
        (["--ignore", "F4"], ["F103", "F008"], 1),
        (["--select", "F1,F0", "--ignore", "F103"], ["F008"], 1),
        (["--ignore", "F103,F008"], ["F402"], 0),
        (["--ignore", "F103,F008", "--warnings-as-errors"], ["F402"], 1),
        (["--quiet"], ["F103", "F008"], 1),
        (["--quiet", "--warnings-as-errors"], ["F103", "F008", "F402"], 1),
        (["--exit-zero"], ["F103", "F008", "F402"], 0),
        (["--exclude", "faulty.*"], ["F402"], 0),
    ],
)
def test_what_is_listed_and_decides_the_exit_code_can_be_chosen(folder, args, codes, exit_code):
    code, out, _ = run(*args, "--json", ".")
    assert (code, [json.loads(line)["code"] for line in out.splitlines()]) == (exit_code, codes)
    code, out, _ = run(*args, "--statistics", ".")
    assert (code, sorted(line.split()[1] for line in out.splitlines())) == (exit_code, sorted(codes))


def test_a_file_whose_errors_are_ignored_is_not_called_valid(folder):
    assert run("faulty.csp", "--ignore=F1,F0") == (0, "faulty.csp: not valid (2 ignored)\n", "")


def test_quiet_prints_nothing_of_valid_files_and_no_summary(folder):
    assert run("--quiet", "ok.csp", "warning.csp") == (0, "", "")


def test_several_files_have_a_summary(folder):
    code, _, err = run(".")
    assert (code, err) == (
        1,
        "2 of 3 problems are valid\n1 fixable with f2csp format --fix\n",
    )


def test_statistics_as_json(folder):
    out = run("--json", "--statistics", "faulty.csp")[1]
    assert json.loads(out.splitlines()[0]) == {
        "code": "F008",
        "name": "unknown-goal",
        "severity": "error",
        "count": 1,
    }


@pytest.mark.parametrize("form", ["full", "concise", "json", "github", "sarif", "gitlab", "junit"])
def test_output_goes_to_a_file(folder, form):
    expected = run("--format", form, "faulty.csp", "warning.csp")
    code, out, err = run("--format", form, "-o", "out", "faulty.csp", "warning.csp")
    assert (code, out, err) == (1, "", expected[2])
    assert (folder / "out").read_text() == expected[1]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--json", "--format", "sarif"], "--json and --format sarif cannot be combined"),
        (["--statistics", "--format", "sarif"], "--statistics and --format sarif cannot be combined"),
        (["--select", "F9"], "no code begins with 'F9'"),
        (["--ignore", "F1,,F2"], "no code begins with ''"),
    ],
)
def test_options_that_make_no_sense_are_refused(folder, args, message):
    code, out, err = run(*args, "ok.csp")
    assert (code, out) == (2, "")
    assert message in err


def test_a_key_tool_that_is_no_table_has_no_settings(folder):
    (folder / "pyproject.toml").write_text("tool = 3")
    assert run("ok.csp")[0] == 0


SETTINGS = '[tool.f2csp]\nexclude = ["warn*", "deep"]\nignore = ["F103"]\nmax-errors = 3\n'


def test_pyproject_sets_defaults(folder):
    (folder / "pyproject.toml").write_text(SETTINGS)
    (folder / "a" / "deep").mkdir(parents=True)
    (folder / "a" / "deep" / "x.csp").write_text(FAULTY)
    (folder / "a" / "y.csp").write_text(FAULTY)
    (folder / "a" / "pyproject.toml").write_text("[tool.other]\n")
    done = run_program("validate", "--json", ".", cwd=folder / "a")
    assert [json.loads(line)["code"] for line in done.stdout.splitlines()] == ["F008"]
    done = run_program("validate", "--json", "--ignore", "F0", ".", cwd=folder)  # in place of the setting
    assert [json.loads(line)["code"] for line in done.stdout.splitlines()] == ["F103", "F103"]
    assert run_program("format", "--check", "warning.csp", ".", cwd=folder).stdout == b"warning.csp: would change\n"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("[tool.f2csp", "pyproject.toml: Expected ']'"),
        ("[tool.f2csp]\nexlude = []", "tool.f2csp has no key exlude; its keys are exclude, select"),
        ('[tool.f2csp]\nexclude = "a"', "expected a list of strings for exclude in tool.f2csp, found 'a'"),
        ("[tool.f2csp]\nmax-errors = true", "expected an integer for max-errors in tool.f2csp, found True"),
        ("[tool]\nf2csp = 3", "pyproject.toml: expected a table tool.f2csp, found 3"),
        ('[tool.f2csp]\nselect = ["F9"]', "no code begins with 'F9'"),
    ],
)
def test_faults_of_the_settings_are_wrong_usage(folder, settings, message):
    (folder / "pyproject.toml").write_text(settings)
    code, out, err = run("ok.csp")
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("args", "environment", "is_coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "0"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color=never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(folder, monkeypatch, args, environment, is_coloured):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run(*args, "faulty.csp")[1]) == is_coloured
    assert (
        "\x1b[" in run_program("stats", *args, "faulty.csp").stderr.decode()
    ) == is_coloured  # faults of another command


@pytest.mark.parametrize(("option", "is_coloured"), [([], True), (["--color=never"], False)])
def test_colour_before_the_command_is_its_default(folder, option, is_coloured):
    message = run_program("--color", "always", "stats", *option, "faulty.csp").stderr
    assert (b"\x1b[" in message) == is_coloured


@pytest.mark.parametrize(("term", "is_coloured"), [("xterm", True), ("dumb", False)])
def test_a_terminal_is_written_to_in_colour_if_it_can_show_it(monkeypatch, term, is_coloured):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(failures, "_when", "auto")
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    assert failures.is_coloured(terminal) == is_coloured


CJK = "数独\nDomains: 1\nD: 红\nVariables: 1\n国: D\nConstraints: 1\nC1\nVars: 1\n国\nAccept: 1\n红\nGoal: Satisfy\n"
FORMS = ("full", "concise", "json", "github", "sarif", "gitlab", "junit")


@pytest.mark.parametrize(
    "args", [*(f"validate --format {form}" for form in FORMS), "solve", "board --from sudoku:clues"]
)
def test_output_that_is_not_utf8_has_no_traceback(folder, args):
    texts = {"solve": CJK, "validate": CJK.replace("红\nG", "錄\nG"), "board": "4\n1\n1 1 1\n"}
    command, last = args.split()[0], args.split()[-1]
    (folder / "cjk.csp").write_text(texts[command], encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    line = [sys.executable, "-m", "f2csp", *args.split(), "cjk.csp"]
    done = subprocess.run(line, capture_output=True, env=environment, check=False)
    assert done.returncode == (command == "validate"), done.stderr
    text = done.stdout.decode("utf-8" if last in FORMS[2:] else "cp1252")
    if command != "board":
        assert ("\\u" in text) == (last not in FORMS[2:])
