"""The package as it is installed: what it brings, what it imports, what it calls things."""

import inspect
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import f2csp
from f2csp.text.terminals import grammar_path

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"
STATS = """\
from f2csp.cli.main import stats
sys.argv.append("samples/map.csp")
try: stats()
except SystemExit: pass"""
SUDOKU = """\
from f2csp.cli.main import sudoku
sys.argv += ["samples/sudoku/9x9.txt", "/dev/null"]
try: sudoku()
except SystemExit: pass"""


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a wheel built from this checkout, as an installation would lay them out."""
    place = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "site")
    return place / "site"


def run_python(code: str, *paths: Path, cwd: Path | None = None) -> str:
    program = f"import sys; sys.path[:0] = {[str(p) for p in paths]!r}\n{code}"
    done = subprocess.run([sys.executable, "-c", program], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_built_wheel_brings_every_grammar_and_finds_it(unpacked_wheel: Path, tmp_path: Path):
    grammars = {path.name for path in (ROOT / "grammars").iterdir() if path.suffix == ".lark"}
    assert grammars <= {path.name for path in (unpacked_wheel / "f2csp" / "grammars").iterdir()}
    code = (
        "from f2csp.text.terminals import grammar_path\n"
        "import f2csp\n"
        "print(grammar_path('f2csp.lark'))\n"
        "print(f2csp.loads('A\\nDomains: 0\\nVariables: 0\\nConstraints: 0\\nGoal: Satisfy').title)\n"
    )
    found, title = run_python(code, unpacked_wheel, cwd=tmp_path).splitlines()
    assert Path(found).is_relative_to(unpacked_wheel)
    assert title == "A"


def test_a_built_wheel_holds_the_package_and_nothing_else(unpacked_wheel: Path):
    assert {path.name.split("-")[0] for path in unpacked_wheel.iterdir()} == {"f2csp"}
    assert (unpacked_wheel / "f2csp" / "py.typed").exists()


def test_a_checkout_finds_its_grammars_in_place():
    assert grammar_path("f2csp.lark") == ROOT / "grammars" / "f2csp.lark"


@pytest.mark.parametrize("name", f2csp.__all__)
def test_public_name_is_there_and_documented(name: str):
    value = getattr(f2csp, name)
    assert callable(value)
    assert inspect.getdoc(value)
    assert name in dir(f2csp)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'loadz'"):
        _ = f2csp.loadz


def test_public_names_stay_functions_whatever_is_imported():
    imports = "import f2csp, f2csp.text.load, f2csp.statistics, f2csp.model.check"
    code = f"{imports}\nprint(callable(f2csp.validate), callable(f2csp.stats), callable(f2csp.check))"
    assert run_python(code, ROOT).split() == ["True"] * 3


@pytest.mark.parametrize(
    ("code", "spared"),
    [
        ("import f2csp", "click lark numpy rich"),
        ("from f2csp.cli.main import main, stats", "click lark numpy rich"),
        ("import f2csp.cli.main", "typing contextlib"),  # what fails before the program runs is a traceback
        ("from f2csp.text.counter import count_contents", "lark rich"),
        (
            "import f2csp.cli.commands as m\nfor c in m.commands(): m.command_named(c)",
            "lark numpy rich f2csp.model hashlib tomllib urllib.request",
        ),
        (STATS, "rich difflib f2csp.puzzles f2csp.structure"),
        (f"sys.argv.append('--fast')\n{STATS}", "rich difflib f2csp.puzzles f2csp.structure lark"),
        (SUDOKU, "rich difflib f2csp.formats f2csp.structure f2csp.puzzles.killer f2csp.puzzles.futoshiki"),
        ("import f2csp\nf2csp.ProblemBuilder('t').build()", "click lark rich"),
    ],
)
def test_nothing_is_imported_before_it_is_needed(code: str, spared: str):
    imported = run_python(f"{code}\nprint(*sys.modules)", ROOT, cwd=ROOT).split()
    assert set(spared.split()) & set(imported) == set()


def test_every_sample_is_named_on_the_samples_page():
    page = (SAMPLES / "README.md").read_text(encoding="utf-8")
    files = [path.relative_to(SAMPLES).as_posix() for path in SAMPLES.rglob("*") if path.is_file()]
    assert [name for name in files if name != "README.md" and f"`{name}`" not in page] == []


@pytest.mark.parametrize("path", sorted(SAMPLES.rglob("*.csp")), ids=lambda path: path.name)
def test_sample_is_valid_unless_it_is_meant_not_to_be(path: Path):
    assert f2csp.validate(path).is_valid == (path.parent.name != "faulty")


def test_python_dash_m_runs_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "f2csp", "--version"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout == f"f2csp, version {f2csp.__version__}\n"
