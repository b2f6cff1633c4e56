"""Batches from Python: every input, every command; the workers, and what is lost with them."""

import io
import json
import os
import signal
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import f2csp
from f2csp.batch import run
from f2csp.batch.portions import BatchTask, Place, Portion
from f2csp.batch.work import Item, Settings, work_on
from f2csp.diagnostics import F2cspError

SUDOKU = "8....3..4....78....9.24...31....27....3.96...4..3..6.8.4812.....26..4...91......."  # one solution
SEVERAL = "." + SUDOKU[1:]  # 7
NONE = "88" + SUDOKU[2:]
MAP = Path(__file__).parents[2] / "samples" / "map.csp"


def solved(record: dict[str, object]) -> bool:
    """Whether a record is that of a problem with a solution."""
    return record.get("status") == "satisfiable"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A file of 300 puzzles on a line each, of which each hundredth is broken, with comments and blank lines."""
    path = tmp_path / "puzzles.sdm"
    texts = [("?" + SUDOKU[1:]) if i % 100 == 99 else SUDOKU for i in range(300)]
    path.write_text("# comment\n\n" + "\n".join(texts) + "\n")
    return path


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("chunk", [7, 64, 1000])
def test_records_are_in_order_and_name_the_lines_of_faults(lines: Path, jobs: int, chunk: int) -> None:
    records = list(run("solve", lines, jobs=jobs, chunk=chunk))
    assert [record["index"] for record in records] == list(range(1, 301))
    faulty = [record for record in records if "error" in record]
    assert [record["index"] for record in faulty] == [100, 200, 300]
    assert [record["diagnostics"][0]["line"] for record in faulty] == [102, 202, 302]
    assert all(map(solved, (record for record in records if record not in faulty)))


def test_copies_up_to_symmetry_are_removed(tmp_path: Path) -> None:
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    values = str.maketrans("123456789", "912345678")
    rows = [SUDOKU[i : i + 9] for i in range(0, 81, 9)]
    copies = [SUDOKU.translate(values), "".join(rows[3:] + rows[:3]), "".join(map("".join, zip(*rows, strict=True)))]
    path = tmp_path / "puzzles.sdm"
    path.write_text("\n".join([SEVERAL, *copies, "?" + SUDOKU[1:], SUDOKU, SEVERAL]) + "\n")
    for jobs in (1, 2):
        first, second, faulty = (
            run("dedupe", [str(path), str(MAP)], jobs=jobs, chunk=2, to="sudoku:line")
            .to_pandas()
            .to_dict("records")[:3]
        )
        assert (first["index"], first["copies"], first["text"]) == (1, 2, SEVERAL)
        assert (second["index"], second["copies"], second["text"]) == (2, 4, copies[0])
        assert (faulty["index"], faulty["command"]) == (5, "dedupe")
    of_values = list(run("dedupe", path, jobs=1, group="values"))
    assert [record.get("copies") for record in of_values] == [2, 2, 1, 1, None]
    assert len({record["class"] for record in of_values[:4]}) == 4


def test_the_texts_of_ratings_are_in_the_format_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.sdm"
    path.write_text(SUDOKU + "\n")
    (record,) = run("rate", path, jobs=1, to="sudoku:clues")
    assert f2csp.read(io.StringIO(record["text"])) == f2csp.read(path)
    assert "text" not in next(run("rate", path, jobs=1))


def archives(folder: Path) -> Iterator[Path]:
    """The same three files in a zip and in tars."""
    texts = {"a/lines.sdm": f"{SUDOKU}\n{SEVERAL}\n".encode(), "map.csp": MAP.read_bytes(), "../../bad.txt": b"?"}
    with zipfile.ZipFile(folder / "one.zip", "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    yield folder / "one.zip"
    for name, mode in (("two.tar", "w"), ("three.tar.gz", "w:gz")):
        with tarfile.open(folder / name, mode) as tar:
            for member, text in texts.items():
                info = tarfile.TarInfo(member)
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text))
        yield folder / name


def test_archives_directories_patterns_and_lists_are_inputs(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    names = [path.name for path in archives(folder)]
    (folder / ".hidden").write_text("?")
    (tmp_path / "names.txt").write_text("\n".join([str(folder / name) for name in names]) + "\n\n")
    of_archives = {name: list(run("count", folder / name, jobs=1)) for name in names}
    for name, records in of_archives.items():
        assert [record.get("count") for record in records] == [1, 7, 2, None], name
        assert records[2]["file"] == f"{folder / name}/map.csp"
    expected = [record for name in sorted(names) for record in of_archives[name]]
    assert list(run("count", folder, jobs=2)) == expected
    assert list(run("count", [str(folder / "*")], jobs=1)) == expected
    in_order = [record for name in names for record in of_archives[name]]
    assert list(run("count", f"@{tmp_path / 'names.txt'}", jobs=1)) == in_order


def test_what_an_archive_claims_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("f2csp.inputs._MAX_MEMBER_BYTES", 1 << 20)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.csp", "D" * (4 << 20))
        archive.writestr("good.sdm", SUDOKU)
    bomb, good = run("solve", path, jobs=1)
    assert "limit of 1,048,576 bytes" in bomb["error"]
    assert solved(good)
    path.write_bytes(path.read_bytes()[:-30])
    (record,) = run("solve", path, jobs=1)
    assert "cannot be read" in record["error"]
    whole = next(p for p in archives(tmp_path) if p.suffix == ".tar").read_bytes()
    broken = whole[:1034] + b"?" + whole[1035:]  # in the second header
    ends = {"unexpected end of data": (whole[:560], whole[:1024], whole[:1100]), "bad checksum": (broken,)}
    for message, texts in ends.items():
        for text in texts:
            (tmp_path / "cut.tar").write_bytes(text)
            *_, last = run("solve", tmp_path / "cut.tar", jobs=1)
            assert message in last["error"]


def test_files_are_not_called_by_control_characters_of_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
        archive.writestr("a\x1b[31m\n\u202e/b\x9b.sdm", SUDOKU)
    (record,) = run("convert", tmp_path / "odd.zip", jobs=1, to="f2csp")
    assert record["output"] == "odd/a␛[31m␊�/b�.csp"


@pytest.mark.slow
def test_files_that_are_missing_or_cut_off_are_records(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "cut.sdm.gz").write_bytes(gzip.compress(f"{SUDOKU}\n".encode() * 40_000)[:-60])
    (tmp_path / "names").write_text(f"{tmp_path / 'nothing'}\n{tmp_path / 'cut.sdm.gz'}\n{MAP}\n")
    missing, *_, cut, good = run("validate", f"@{tmp_path / 'names'}", jobs=1)
    assert missing["error"] == f"{missing['file']}: No such file or directory"
    assert "cannot be expanded" in cut["error"]
    assert good["valid"]
    (missing,) = run("solve", tmp_path / "nothing", jobs=1)
    assert missing["error"].endswith("nothing: No such file or directory")
    with pytest.raises(FileNotFoundError):
        run("solve", f"@{tmp_path / 'nothing'}")
    with pytest.raises(F2cspError, match="no file matches"):
        run("solve", str(tmp_path / "*.none"))
    with pytest.raises(F2cspError, match="the commands are convert, validate"):
        run("explain", MAP)


def test_commands_say_what_their_namesakes_say(tmp_path: Path) -> None:
    path = tmp_path / "three.sdm"
    path.write_text("\n".join([SUDOKU, SEVERAL, NONE]))
    problems = [f2csp.to_problem(puzzle) for puzzle in f2csp.puzzles(path)]
    for problem, record in zip(problems, run("solve", path, jobs=1), strict=True):
        assert record["status"] == f2csp.solve(problem).status
        assert all(f2csp.check(problem, solution) for solution in record["solutions"])
    verdicts = list(run("unique", path, jobs=1))
    assert [record["verdict"] for record in verdicts] == ["unique", "multiple", "none"]
    first, second = verdicts[1]["solutions"]
    assert verdicts[1]["differing"] == [name for name in first if first[name] != second[name]]
    assert [record["count"] for record in run("count", path, jobs=1)] == [f2csp.count(one) for one in problems]
    assert [record["text"] for record in run("convert", path, jobs=1)] == [f2csp.dumps(one) for one in problems]
    sizes = [record["constraints"] for record in run("stats", path, jobs=1)]
    assert sizes == [f2csp.stats(problem).constraints for problem in problems]


@pytest.mark.parametrize("engine", [None, "search", "sat"])
def test_problems_of_every_kind_are_answered(tmp_path: Path, engine: str | None) -> None:
    """Others than those of the quick search, too: comparisons, tables, domains of words, a contradiction."""
    samples = MAP.parent
    puzzles = [samples / "futoshiki" / "token.txt", samples / "sudoku" / "tatham.txt"]
    b = f2csp.ProblemBuilder("Words")
    b.domain("D", ["a", "b", "c"])
    for name in "xyz":
        b.variable(name, "D")
    b.all_different(["x", "y", "z"])
    b.accept(["x"], ["a", "b"])
    b.reject(["x"], ["a"])
    f2csp.dump(b.build(), tmp_path / "words.csp")
    records = list(run("count", [*puzzles, MAP, tmp_path / "words.csp"], jobs=1, engine=engine))
    assert [record["count"] for record in records] == [*[1] * 6, 2, 2]


def test_a_quick_search_that_takes_long_is_left_to_an_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("f2csp.batch.work._MAX_TRIED", 0)
    path = tmp_path / "one.sdm"
    path.write_text(SEVERAL)
    (item,) = work_on((Portion(str(path), "one", Place()),), Settings("solve"))
    record = json.loads(item.record)
    assert solved(record)
    assert record["engine"] == "search"


def kill_at_marked(task: BatchTask, settings: Settings) -> list[Item]:
    """As ``work_on``, but the process is killed at a puzzle that begins with 7."""
    if any(b"\n7" in b"\n" + (portion.data or b"") for portion in task):
        os.kill(os.getpid(), signal.SIGKILL)
    return work_on(task, settings)


def test_a_worker_that_is_killed_costs_its_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("f2csp.batch.workers.work_on", kill_at_marked)
    path = tmp_path / "puzzles.sdm"
    path.write_text("\n".join(["7" + SUDOKU[1:] if i in (20, 55) else SUDOKU for i in range(80)]))
    records = list(run("solve", path, jobs=2, chunk=8))
    assert [record["index"] for record in records] == list(range(1, 81))
    assert [record["index"] for record in records if not solved(record)] == [21, 56]
    assert "the worker ended" in records[20]["error"]
