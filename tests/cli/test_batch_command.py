"""f2csp batch: what it writes, how it goes on after an interruption, and the same on a cluster."""

import csv
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

import f2csp
from f2csp.files import read_source
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.to_problem import to_problem
from tests.cli.in_process import run_program
from tests.cli.pseudo_terminal import play

ROOT = Path(__file__).parents[2]
START = [sys.executable, "-c", "from f2csp.cli.main import main; main()"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 Sudokus on a line each, three of them broken."""
    path = tmp_path_factory.mktemp("batch") / "puzzles.sdm"
    made = run_program("generate", "sudoku", "--count", "60", "--seed", "1", "--to", "sudoku:line").stdout.decode()
    lines = made.split() * 5
    for i in (99, 199, 299):
        lines[i] = lines[i][:-1] + "x"
    path.write_text("\n".join(lines) + "\n")
    return path


def batch(*args: str | Path) -> "subprocess.CompletedProcess[bytes]":
    return run_program("batch", *args, "--jobs", "2", "--chunk", "8")


def files(folder: Path) -> dict[str, bytes]:
    """The files in a directory by their paths, without journals."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".journal"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_records_of_every_form_are_the_same(puzzles: Path, tmp_path: Path) -> None:
    done = batch("unique", puzzles)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert done.stderr.startswith(b"300 problems: ")
    for name in ("a.jsonl", "a.jsonl.gz", "a.csv", "a.parquet"):
        assert batch("unique", puzzles, "-o", tmp_path / name).returncode == done.returncode
    assert (tmp_path / "a.jsonl").read_bytes() == done.stdout
    assert read_source(tmp_path / "a.jsonl.gz").data == done.stdout
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["index"], row["verdict"]) for row in rows] == [
        (str(r["index"]), r.get("verdict", "")) for r in records
    ]
    parquet = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "a.parquet").to_pylist()
    assert [json.loads(row["solutions"] or "null") for row in parquet] == [r.get("solutions") for r in records]
    assert sorted(files(tmp_path)) == ["a.csv", "a.jsonl", "a.jsonl.gz", "a.parquet"]


def test_texts_go_to_a_directory_or_an_archive(puzzles: Path, tmp_path: Path) -> None:
    for name in ("out/", "out.zip", "out.tar", "out.tar.gz"):
        assert batch("convert", puzzles, "-o", f"{tmp_path}/{name}").returncode == 1
    written = files(tmp_path / "out")
    assert len(written) == 297
    assert written["puzzles-000000007.csp"] == f2csp.dumps(f2csp.read(puzzles, "sudoku:line", index=7)).encode()
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == written
    for name in ("out.tar", "out.tar.gz"):
        with tarfile.open(tmp_path / name) as tar:
            assert {member.name: tar.extractfile(member).read() for member in tar} == written  # type: ignore[union-attr]
    records = [json.loads(line) for line in (tmp_path / "out.zip.jsonl").read_bytes().splitlines()]
    assert [record["index"] for record in records if "error" in record] == [100, 200, 300]
    assert [record["output"] for record in records if "output" in record] == sorted(written)


@contextmanager
def interrupted(args: Sequence[str | Path], journal: Path, number: int) -> Iterator[None]:
    """A run that gets a signal after its first tasks, in a group of processes of its own."""
    process = subprocess.Popen(
        [*START, "batch", *map(str, args)], env=ENVIRONMENT, stderr=subprocess.PIPE, start_new_session=True
    )
    while process.poll() is None and b'"codes": [0' not in _text(journal):
        time.sleep(0.01)
    process.send_signal(number)
    assert process.stderr is not None
    with process.stderr:
        message = process.stderr.read()  # until its workers have ended, too
    assert process.wait() == (130 if number == signal.SIGINT else -number), message
    yield


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX has these signals")
@pytest.mark.parametrize("number", [signal.SIGINT, getattr(signal, "SIGKILL", None)])
@pytest.mark.parametrize(
    ("command", "out"), [("solve", "out.jsonl"), ("dedupe", "out.sdm"), ("convert", "out.zip"), ("convert", "out/")]
)
def test_a_run_that_was_interrupted_goes_on(puzzles: Path, tmp_path: Path, command: str, out: str, number: int) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir()
    parts.mkdir()
    assert batch(command, puzzles, "-o", f"{whole}/{out}").returncode == 1
    args = [command, puzzles, "-o", f"{parts}/{out}", "--chunk", "8", "--jobs", "1"]
    with interrupted(args, parts / f".{out.rstrip('/')}.journal", number):
        process = json.loads((parts / f".{out.rstrip('/')}.journal").read_bytes())["process"]
        left = [parts / f"..{out.rstrip('/')}.journal.1.01234567.tmp"]
        left += [parts / out / f".x.csp.{process}.01234567.tmp"] if out == "out/" else []
        for path in left:
            path.touch()
        assert not (parts / out).is_file()
        assert b"go on with --resume" in batch(*args).stderr
        other = batch("validate" if command == "solve" else command, puzzles, MAP, "-o", args[3], "--resume")
        assert b"another value of inputs" in other.stderr
        with Path(f"{parts}/{out}".rstrip("/") + (".jsonl.part" if command == "convert" else ".part")).open(
            "ab"
        ) as part:
            part.write(b'{"half a record') if "zip" not in out else None
    assert batch(*args, "--resume").returncode == 1
    assert files(parts) == files(whole)
    assert b"nothing to do" in batch(*args, "--resume").stderr


MAP = ROOT / "samples" / "map.csp"


def test_a_complete_run_is_resumed_only_as_what_it_was(tmp_path: Path) -> None:
    (tmp_path / "p.sdm").write_text("1.....4........3\n12343412214343..\n1.............x.\n")
    run = ("unique", tmp_path / "p.sdm", "-o", tmp_path / "out.csv")

    def refused(*args: str | Path) -> bytes:
        before = (tmp_path / "out.csv").read_bytes()
        done = batch(*args, "--resume")
        assert (done.returncode, (tmp_path / "out.csv").read_bytes()) == (2, before)
        return done.stderr

    (tmp_path / "out.csv").write_text("hello")
    assert b"says what it holds: run without --resume" in refused(*run)
    first, again = batch(*run), batch(*run, "--resume")
    assert first.returncode == again.returncode == 1
    assert again.stderr.splitlines()[1:] == first.stderr.splitlines()[-1:]
    assert b"another value of command" in refused("count", *run[1:])
    assert b"another value of time_limit" in refused(*run, "--time-limit", "3")
    with (tmp_path / "p.sdm").open("a") as lines:
        lines.write("1..............3\n")
    assert b"before " + bytes(tmp_path / "p.sdm") + b" was changed" in refused(*run)
    assert batch(*run).stderr.startswith(b"4 problems: ")
    (tmp_path / "out.csv").write_text("hello")
    assert b"is not what the run of " in refused(*run)


@pytest.mark.parametrize("out", ["out/", "./", "out.zip"])
def test_what_cannot_have_its_name_is_a_record_and_the_rest_goes_on(tmp_path: Path, out: str) -> None:
    (tmp_path / "map.csp").write_bytes(MAP.read_bytes() + b"\n")
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
        for name in (255 * "a" + ".csp", "a.csp", "a.csp/b.csp", "map.csp"):
            archive.writestr(name, MAP.read_bytes())
    args = "batch", "convert", "odd.zip", "map.csp", "nothing.csp", "-o", out, "--jobs", "1"
    done, again = run_program(*args, cwd=tmp_path), run_program(*args, "--resume", cwd=tmp_path)
    assert done.returncode == again.returncode == 1
    journal = "." if out == "./" else out.rstrip("/")
    records = [json.loads(line) for line in Path(tmp_path, f"{journal}.jsonl").read_bytes().splitlines()]
    faults = [record.get("error", "").rpartition(": ")[2] for record in records]
    odd = ["", "", "", ""] if "zip" in out else ["File name too long", "", "File exists", ""]
    assert faults[:4] == odd
    assert faults[4] == ("map.csp is both input and output" if out == "./" else "")
    assert faults[5] == "No such file or directory"
    assert (tmp_path / "map.csp").read_bytes() == MAP.read_bytes() + b"\n"


def test_a_batch_does_not_write_over_its_inputs(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("puzzle\n1.....4........3\n")
    before = (tmp_path / "p.csv").read_bytes()
    done = batch("solve", tmp_path, "-o", tmp_path / "p.csv")
    assert (done.returncode, (tmp_path / "p.csv").read_bytes()) == (2, before)
    assert b"is both input and output" in done.stderr


def test_a_cluster_that_does_not_answer_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("f2csp.solving.executors._CONNECT_SECONDS", 1)
    done = run_program("batch", "solve", MAP, "--cluster", "tcp://127.0.0.1:1", cwd=tmp_path)
    assert (done.returncode, files(tmp_path)) == (2, {})
    assert b"no scheduler of Dask answers" in done.stderr


def test_inputs_with_one_name_are_not_written_over_each_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "map.csp").write_bytes(MAP.read_bytes())
    done = batch("convert", tmp_path / "a", tmp_path / "b", "-o", f"{tmp_path}/out/", "--to", "xcsp3")
    assert done.returncode == 1
    assert list(files(tmp_path / "out")) == ["map.xml"]
    assert b"another input has the same name" in (tmp_path / "out.jsonl").read_bytes()


def test_a_directory_may_contain_the_output(tmp_path: Path) -> None:
    (tmp_path / "map.csp").write_bytes(MAP.read_bytes())
    for _ in range(2):
        assert batch("convert", tmp_path, "-o", f"{tmp_path}/out/").returncode == 0
        assert sorted(files(tmp_path)) == ["map.csp", "out.jsonl", "out/map.csp"]


def test_standard_input_is_read_and_a_terminal_shows_the_rate(puzzles: Path, tmp_path: Path) -> None:
    done = run_program("batch", "validate", "-", stdin=puzzles.read_bytes())
    assert [json.loads(line)["valid"] for line in done.stdout.splitlines()].count(False) == 3
    code, _, shown = play("batch", "solve", puzzles, "--jobs", "1", "--chunk", "4", "-o", tmp_path / "a.csv", delay=0.0)
    assert code == 1
    assert b" problems, " in shown
    assert b"/s " in shown


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """The address of a scheduler of Dask, and its two workers and itself, processes on this machine."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    place = tmp_path / "scheduler.json"
    options = ["--scheduler-file", str(place), "--no-dashboard"]

    def start(program: str, *more: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *options, *more]
        return subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL, cwd=tmp_path)

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0")
    while not place.exists():
        assert scheduler.poll() is None
        time.sleep(0.05)
    workers = [start("worker", "--no-nanny", "--nthreads", "1") for _ in range(2)]
    processes = [*workers, scheduler]
    yield json.loads(place.read_text())["address"], processes
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_cluster_gives_the_same_also_when_a_worker_is_killed(
    puzzles: Path, tmp_path: Path, cluster: tuple[str, list["subprocess.Popen[bytes]"]]
) -> None:
    address, (worker, *_) = cluster
    args = ["unique", puzzles, MAP, "--cluster", address, "--chunk", "2", "-o"]
    assert batch("unique", puzzles, MAP, "-o", tmp_path / "local.jsonl").returncode == 1
    expected = (tmp_path / "local.jsonl").read_bytes()
    assert run_program("batch", *args, tmp_path / "first.jsonl", "--shared-files").returncode == 1
    assert (tmp_path / "first.jsonl").read_bytes() == expected
    process = subprocess.Popen([*START, "batch", *map(str, args), str(tmp_path / "second.jsonl")], env=ENVIRONMENT)
    while process.poll() is None and b'"codes": [0' not in _text(tmp_path / ".second.jsonl.journal"):
        time.sleep(0.01)
    worker.kill()
    assert process.wait() == 1
    assert (tmp_path / "second.jsonl").read_bytes() == expected


@pytest.mark.slow
def test_a_cluster_counts_and_its_end_is_told(
    tmp_path: Path, cluster: tuple[str, list["subprocess.Popen[bytes]"]]
) -> None:
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    address, (*_, scheduler) = cluster
    for n in (8, 9):
        (tmp_path / f"{n}.csp").write_text(f2csp.dumps(to_problem(LatinSquare(n))))
    how = ("--method", "merge", "--cluster", address)
    done = run_program("count", tmp_path / "8.csp", *how)
    assert (done.returncode, done.stdout) == (0, b"108776032459082956800\n")
    command = [*START, "count", str(tmp_path / "9.csp"), *how]
    process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE)
    with distributed.Client(address) as client:
        while not any(client.processing().values()):
            assert process.poll() is None
            time.sleep(0.1)
    scheduler.kill()
    _, told = process.communicate()
    assert told == f"f2csp: {tmp_path / '9.csp'}: the connection to the cluster at {address} is lost\n".encode()
    assert process.returncode == 2


def _text(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def test_the_jobs_for_slurm_are_programs() -> None:
    folder = ROOT / "samples" / "cluster"
    compile((folder / "slurm.py").read_text(), "slurm.py", "exec")
    subprocess.run(["bash", "-n", folder / "slurm.sbatch"], check=True)
