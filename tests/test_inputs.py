"""What inputs mean: the same text has the same verdict whichever way it comes, and names mean the same files."""

import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from f2csp.batch.portions import Cutter
from f2csp.batch.work import Settings, work_on
from f2csp.diagnostics import Diagnostic, F2cspError, InvalidInput
from f2csp.files import read_source
from f2csp.inputs import file_and_indices, file_names, found_files, is_problem_file
from f2csp.instances import instances
from tests.door.dropped_rules import ruled_texts
from tests.door.non_puzzles import non_puzzles
from tests.door.pasted_boards import pasted_boards

CORPUS = Path(__file__).parent / "corpus"
PUZZLE = "8....3..4....78....9.24...31....27....3.96...4..3..6.8.4812.....26..4...91......."
MANY = "\n".join([PUZZLE, "." + PUZZLE[1:], "88" + PUZZLE[2:], PUZZLE]) + "\n"
REMARKS = {
    "a line with a remark": f"{PUZZLE} ; puzzle 0 ED=1.2\n",
    "lines with remarks": "".join(f"{line} ; puzzle {i} ED=1.2\n" for i, line in enumerate(MANY.split())),
    "a fault on the first line": "x" + MANY[1:],
    "a fault on the last line": MANY + "?" + PUZZLE[1:],
    "boxes that are not known": "1.....2.....3.....4.....5.....6.....\n" * 3,
    "one word": "hello\n",
    "nothing": "",
    "a section that is misspelt": "Map\nDomain:\n1\nc: 1 2\nVariable:\n1\nx: c\nConstraint:\n0\n",
}
LIMIT = 1 << 16  # bytes of a text


def corpus() -> Iterator[tuple[str, bytes]]:
    """Texts of all sorts, with what they are."""
    paths = [path for folder in ("valid", "invalid", "warnings", "puzzles") for path in (CORPUS / folder).rglob("*")]
    for path in sorted(paths)[::3]:
        if path.is_file() and path.suffix not in (".json", ".diag") and path.stat().st_size < LIMIT:
            yield str(path.relative_to(CORPUS)), path.read_bytes()
    for i, text in enumerate([*[*non_puzzles()][::3], *[*ruled_texts()][::9], *[*pasted_boards()][::9]]):
        yield f"{i}: {text.name}", text.text.encode()
    yield from ((name, text.encode()) for name, text in REMARKS.items())


def codes(problems: Iterator[tuple[bool, list[str]]]) -> tuple[int, Counter[str]]:
    """The number of valid problems, and the codes of all diagnostics."""
    found = list(problems)
    return sum(is_valid for is_valid, _ in found), Counter(code for _, known in found for code in known)


class NamedText(io.BytesIO):
    """An open file."""

    def __init__(self, name: str, text: bytes) -> None:
        super().__init__(text)
        self.name = name


def read_alone(name: str, text: bytes) -> tuple[int, Counter[str]]:
    def problems() -> Iterator[tuple[bool, list[str]]]:
        def listed(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
            return [diagnostic.code for diagnostic in diagnostics]

        try:
            for instance in instances(read_source(NamedText(name, text))):
                yield instance.content is not None, listed(instance.diagnostics)
        except InvalidInput as error:
            yield False, listed(tuple(error.diagnostics))
        except F2cspError:
            yield False, []

    return codes(problems())


def read_in_batch(name: Path) -> dict[str, tuple[int, Counter[str]]]:
    settings = Settings("validate")
    records: dict[str, list[tuple[bool, list[str]]]] = {}
    for task in Cutter(n_lines=2).tasks(found_files([str(name)])):
        for item in work_on(task, settings):
            record = json.loads(item.record)
            listed = [diagnostic["code"] for diagnostic in record["diagnostics"]]
            records.setdefault(Path(record["file"]).stem, []).append((record["valid"], listed))
    return {stem: codes(iter(known)) for stem, known in records.items()}


def test_the_same_bytes_have_the_same_verdict(tmp_path: Path) -> None:
    texts = dict(corpus())
    assert len(texts) >= 150
    folder = tmp_path / "folder"
    folder.mkdir()
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for i, text in enumerate(texts.values()):
            (folder / f"{i}.txt").write_bytes(text)
            archive.writestr(f"{i}.txt", text)
    of_folder, of_archive = read_in_batch(folder), read_in_batch(tmp_path / "all.zip")
    differing = {}
    for i, (name, text) in enumerate(texts.items()):
        ways = {way: read_alone(way, text) for way in ("x.txt", "x", "-", "--text")}
        ways["folder"] = of_folder[str(i)]
        if "F014" not in ways["folder"][1]:  # broken compression, in an archive a fault of its member
            ways["zip"] = of_archive[str(i)]
        if any(verdict != ways["x.txt"] for verdict in ways.values()):
            differing[name] = ways
    assert not differing


def test_a_byte_that_is_not_utf8_is_a_fault_of_its_line(tmp_path: Path) -> None:
    """In a file that a batch cuts at line ends, also in a remark; the puzzles are read."""
    path = tmp_path / "long.sdm"
    puzzles = [PUZZLE] * 10
    path.write_bytes("\n".join([*puzzles, "?" + PUZZLE[1:]]).encode() + b"\n\n# Caf\xe9\n" + PUZZLE.encode() + b"\n")
    assert read_in_batch(path) == {"long": (11, Counter({"F001": 1, "F610": 1}))}


def test_a_name_means_the_same_files_everywhere(tmp_path: Path) -> None:
    names = ("a.csp", "b.sdm", "c.cnf.gz", "d.xml", "e.txt", "f.SDK", "README.md", "g.png", ".hidden.csp", "sub/h.sdm")
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PUZZLE)
    read = [str(tmp_path / name) for name in ("a.csp", "b.sdm", "c.cnf.gz", "d.xml", "e.txt", "f.SDK", "sub/h.sdm")]
    assert file_names([str(tmp_path)], is_problem_file) == read
    assert [file.name for file in found_files([str(tmp_path)])] == read
    assert file_names([str(tmp_path / "*.md")], is_problem_file) == [str(tmp_path / "README.md")]
    (tmp_path / "names").write_text(f"{tmp_path / 'g.png'}\n{tmp_path / 'b.sdm'}:1-2,4\n")
    assert file_names([f"@{tmp_path / 'names'}"]) == [str(tmp_path / "g.png"), f"{tmp_path / 'b.sdm'}:1-2,4"]


def test_a_file_with_a_colon_in_its_name_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "a.sdm").write_text(MANY)
    name = str(tmp_path / "a.sdm:2")
    assert file_and_indices(name) == (str(tmp_path / "a.sdm"), (range(2, 3),))
    assert file_and_indices(f"{tmp_path / 'none'}:2") == (f"{tmp_path / 'none'}:2", None)
    assert file_and_indices(str(tmp_path / "a.sdm:0")) == (str(tmp_path / "a.sdm:0"), None)
    (tmp_path / "a.sdm:2").write_text(PUZZLE)
    assert file_and_indices(name) == (name, None)


def test_the_problems_of_a_file_that_are_named_one_by_one_are_read_together(tmp_path: Path) -> None:
    (tmp_path / "a.sdm").write_text(MANY)
    (tmp_path / "b.csp").write_text(PUZZLE)
    path = tmp_path / "a.sdm"
    files = [*found_files([f"{path}:3", f"{path}:1-2", str(tmp_path / "b.csp"), f"{path}:4"])]
    assert [(Path(file.name).name, file.indices) for file in files] == [
        ("a.sdm", (range(3, 4), range(1, 3))),
        ("b.csp", None),
        ("a.sdm", (range(4, 5),)),
    ]
