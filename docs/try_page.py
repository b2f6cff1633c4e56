"""Builds the page that runs in the browser: ``python -m docs.try_page FOLDER``.

It needs node and npm, which bring the runtime (Pyodide), NumPy and CaDiCaL for it, and the editor; jinja2, lark and
the packages of the language server are taken from this environment. The folder holds static files, which any web
server can serve; nothing is loaded from elsewhere.
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from runpy import run_path

from docs.program import ROOT as ROOT
from docs.program import sample_of
from f2csp.puzzles import KINDS

SOURCE = ROOT / "docs" / "try"
_RUNTIME = ["pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]
_FILES = ["index.html", "style.css"]
_SCRIPTS = ["page.js", "worker.js"]
_PURE = ["lark", "jinja2", "markupsafe", "attr", "attrs", "lsprotocol", "pygls"]
# What the program never imports: tests, compilers, headers, notes.
_UNUSED = re.compile(
    r"(^|/)(tests?|f2py|distutils|include|testing|__pycache__|_pyinstaller|doc|compat|numpy/(fft|polynomial|ma))/"
    r"|\.(pyi|pyx|pxd|a|h|so\.map|md|txt)$|_(rational|umath|struct_ufunc|operand_flag)_tests\.|_simd\.|/speedups|_speedups\.(c|so|cpython)"
)
_TOOLS = ("esbuild", "ws")  # of npm, which the page has nothing of
_SAMPLES = {
    "Sudoku": ("sudoku", "sudoku/grid.sdk"),
    "Map of two countries (F2CSP)": ("f2csp", "map.csp"),
    "A file with faults": ("f2csp", "faulty/by-hand.csp"),
    **{title: (kind, sample_of(kind)[0]) for kind, title in KINDS.items() if kind != "sudoku"},
    "Sudoku without a solution": ("sudoku", "sudoku/9x9-no-solution.txt"),
    "Several Sudokus": ("sudoku", "sudoku/line.sdm"),
}


def samples() -> dict[str, dict[str, str]]:
    """The samples of the page by their titles: the text, and what it is read as."""
    folder = ROOT / "samples"
    return {
        title: {"text": (folder / name).read_text(encoding="utf-8"), "form": form}
        for title, (form, name) in _SAMPLES.items()
    }


def node_modules(place: Path) -> Path:
    """The packages that ``package-lock.json`` names, installed there once."""
    modules = place / "node_modules"
    wanted = {name: (SOURCE / name).read_text(encoding="utf-8") for name in ("package.json", "package-lock.json")}
    if any(
        not (place / name).exists() or (place / name).read_text(encoding="utf-8") != wanted[name] for name in wanted
    ):
        place.mkdir(parents=True, exist_ok=True)
        for name, text in wanted.items():
            (place / name).write_text(text, encoding="utf-8")
        npm = shutil.which("npm") or "npm"
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=place, check=True)
    return modules


def numpy_of(modules: Path, place: Path) -> Path:
    """NumPy for the runtime, unpacked: the folder that holds the package."""
    (packed,) = (modules / "@emscripten-forge" / "numpy" / "pkg").glob("*.tar.gz")
    site = place / "numpy" / "lib" / "python3.12" / "site-packages"
    if not site.exists():
        with tarfile.open(packed) as archive:
            archive.extractall(place / "numpy", filter="data")
    return site


def packages(numpy: Path) -> dict[str, Path]:
    """The files of all packages of Python, by their names below ``site-packages``."""
    roots = {"numpy": numpy / "numpy", "f2csp": ROOT / "f2csp", "f2csp/grammars": ROOT / "grammars"}
    for name in _PURE:
        found = importlib.util.find_spec(name)
        if found is not None and found.origin is not None:
            roots[name] = Path(found.origin).parent
    files = {"f2csp_page.py": SOURCE / "session.py", "pysat/solvers.py": SOURCE / "cadical.py"}
    for name, root in roots.items():
        for path in sorted(root.rglob("*")):
            inner = f"{name}/{path.relative_to(root).as_posix()}"
            is_data = name.startswith("f2csp") and path.suffix in (".txt", ".pyi")
            if path.is_file() and "__pycache__" not in inner and (is_data or not _UNUSED.search(inner)):
                files[inner] = path
    return {name: path for name, path in files.items() if not re.match(r"f2csp/(cli|batch|experiments)/", name)}


def licences(modules: Path, numpy: Path) -> str:
    """The licences of all that the page is made of, one package after the other.

    Those of the runtime are in a folder here, as its package has none.
    """
    parts = [path.read_text(encoding="utf-8").rstrip() for path in sorted((SOURCE / "licences").iterdir())]
    for manifest in sorted([*modules.glob("*/package.json"), *modules.glob("@*/*/package.json")]):
        package = json.loads(manifest.read_text(encoding="utf-8"))
        if package["name"] not in _TOOLS and not package["name"].startswith("@esbuild/"):
            texts = [path.read_text(encoding="utf-8") for path in sorted(manifest.parent.glob("LICEN[CS]E*"))]
            head = f"{package['name']} {package['version']}: {package.get('license', 'see its page')}"
            parts.append("\n\n".join([head, *texts]))
    parts.append("NumPy\n\n" + next(numpy.glob("numpy-*.dist-info/LICENSE.txt")).read_text(encoding="utf-8"))
    for name in ("lark", "jinja2", "markupsafe", "attrs", "lsprotocol", "pygls"):
        package = distribution(name)
        texts = [str(file.read_text()) for file in package.files or () if re.match(r"LICEN[CS]E", file.name)]
        parts.append("\n\n".join([f"{name} {package.version}", *texts]))
    return ("\n\n" + "-" * 80 + "\n\n").join(parts) + "\n"


def build(out: Path, place: Path) -> None:
    """Build the page into a folder, with the packages of npm in another one."""
    modules = node_modules(place)
    out.mkdir(parents=True, exist_ok=True)
    for name in _RUNTIME:
        shutil.copy(modules / "pyodide" / name, out)
    for name in _FILES:
        shutil.copy(SOURCE / name, out)
    shutil.copy(modules / "cadical-wasm" / "dist" / "cadical.wasm", out)
    (out / "licences.txt").write_text(licences(modules, numpy_of(modules, place)), encoding="utf-8")
    sources = out / "sources.zip"
    with zipfile.ZipFile(sources, "w") as archive:
        for name, path in packages(numpy_of(modules, place)).items():
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    compiler = ["node", str(SOURCE / "compile.mjs"), str(modules.resolve()), str(sources), str(out / "packages.zip")]
    subprocess.run(compiler, check=True)
    sources.unlink()
    offered = {**run_path(str(SOURCE / "session.py"))["start"](), "samples": samples()}
    (out / "offered.json").write_text(json.dumps(offered, ensure_ascii=False), encoding="utf-8")
    bundle = [str(modules / ".bin" / "esbuild"), *(str(SOURCE / name) for name in _SCRIPTS), f"--outdir={out}"]
    bundle += ["--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning"]
    bundle += ["--external:./pyodide.mjs", "--external:node:*"]
    subprocess.run(bundle, check=True, env={**os.environ, "NODE_PATH": str(modules)})
    names = sorted(path.name for path in out.iterdir() if path.name not in ("sw.js", "index.html"))
    version = hashlib.sha256(b"".join((out / name).read_bytes() for name in [*names, "index.html"])).hexdigest()[:16]
    worker = (SOURCE / "sw.js").read_text(encoding="utf-8")
    worker = worker.replace("f2csp-VERSION", f"f2csp-{version}")
    worker = worker.replace("const FILES = [];", f"const FILES = {json.dumps(['./', *names])};")
    (out / "sw.js").write_text(worker, encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(os.environ.get("F2CSP_NODE", ROOT / "build" / "node")))
