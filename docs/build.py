"""Builds the site: ``python -m docs.build FOLDER`` (needs ``pip install 'f2csp[docs]'``).

With ``--experiments`` the pages of experiments have their tables and plots (needs ``f2csp[docs,solve,smt,plots]``). The
runs take a quarter of an hour; they are kept in ``build/experiments``, and made again after that folder is deleted.

The pages are plain Markdown: those of the table below, from all over the repository, and those that are generated. A
link in them is one between files of the repository; it becomes one between pages, or an address of the repository.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from docs.codes import code_pages
from docs.commands import command_pages
from docs.experiments import EXPERIMENTS, experiment_pages
from docs.gallery import gallery, picture
from docs.names import name_pages
from docs.program import ROOT, fragment
from docs.railroads import railroad_page, railroads
from f2csp.diagnostics import SITE

REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
_LINK = re.compile(r"(?<!\\)(\]\()([^)\s]+)(\))")
_FILE = re.compile(r"^```f2csp.*\n((?:.*\n)+?)```\n", re.MULTILINE)
_CODE = re.compile(r"^( *)```.*?^\1```|`[^`\n]+`", re.MULTILINE | re.DOTALL)

NAVIGATION: dict[str, Any] = {
    "Start": {
        "F2CSP": "index.md",
        "Install": "install.md",
        "Tutorial": "tutorial.md",
        "Gallery": "gallery.md",
        "Samples": "samples.md",
    },
    "How to": {
        "Puzzle files": "puzzle-files.md",
        "Solve and experiment": "solving.md",
        "A lesson": "lesson.md",
        "Classroom": "classroom.md",
        "Hints and ratings": "hints.md",
        "Editor": "editors.md",
        "Continuous integration": "continuous-integration.md",
        "Other solvers": "other-systems.md",
        "Millions of puzzles": "batch.md",
        "Python": "python.md",
    },
    "Reference": {
        "Format": "grammars/README.md",
        "Diagrams": "format.md",
        "Codes": "codes/index.md",
        "Commands": "commands/index.md",
        "Exit codes": "exit-codes.md",
        "Python names": "names.md",
        "JSON": "json.md",
    },
    "Explanation": {
        "Architecture": "architecture.md",
        "Compared with other tools": "compared.md",
        "Counting": "counting.md",
        "Tables": "tables.md",
        "Experiments": "experiments.md",
        "Benchmarks": "benchmarks.md",
    },
    "Project": {
        "Changes": "changes.md",
        "Contributing": "contributing.md",
        "Testing": "testing.md",
        "Security": "security.md",
        "Source": REPOSITORY,
        "Licences": "licences.md",
    },
}
SOURCES = {
    "architecture.md": "ARCHITECTURE.md",
    "benchmarks.md": "tests/benchmarks/RESULTS.md",
    "changes.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "grammars/README.md": "grammars/README.md",
    "samples.md": "samples/README.md",
    "security.md": "SECURITY.md",
    "testing.md": "tests/README.md",
} | {path.name: f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))}
"""The file of each page that is written by hand."""
SHOWN = {
    "docs/commands.py": "commands/index.md",
    "docs/gallery.py": "gallery.md",
    "docs/railroads.py": "format.md",
    "docs/try/README.md": "try/index.html",
    "f2csp/__init__.pyi": "names.md",
    "f2csp/diagnostics/catalogue.txt": "codes/index.md",
} | {path.relative_to(ROOT).as_posix(): f"experiments/{path.stem}.md" for path in EXPERIMENTS}
"""The page that shows each of these files: a link between files of the repository becomes one to it."""


def generated(runs: Path | None) -> dict[str, str]:
    """The other files: pages and pictures; with a folder for the runs of experiments, also their tables and plots."""
    diagrams = railroads()
    files = {f"diagrams/{name}.svg": text for name, text in diagrams.items()}
    files["site.css"] = (ROOT / "docs" / "site.css").read_text(encoding="utf-8")
    files |= {"format.md": railroad_page(list(diagrams))}
    # The page itself is built beside: python -m docs.try_page FOLDER.
    files["try/index.html"] = "<!doctype html><title>F2CSP</title><p>This page is built by docs/try_page.py."
    experiments = experiment_pages(runs)
    return files | experiments | code_pages() | command_pages() | gallery(experiments) | name_pages()


def tree(runs: Path | None) -> dict[str, str | Path]:
    """All files of the site before it is built: texts, and files to copy."""
    files: dict[str, str | Path] = dict(generated(runs))
    pages = SOURCES | {name: f"docs/{name}" for name in files if name.endswith(".md")}
    page_of = SHOWN | {source: page for page, source in pages.items()}
    made = set(files)
    copied: dict[str, str | Path] = {}
    for page, source in pages.items():
        given = files.get(page)
        text = given if isinstance(given, str) else _tryable((ROOT / source).read_text(encoding="utf-8"), source)

        def moved(found: re.Match[str], page: str = page, source: str = source) -> str:
            target = _target(found[2], page, source, page_of, made, copied)
            return f"{found[1]}{target}{found[3]}"

        files[page] = _outside_code(text, moved)
    return files | copied


def _tryable(text: str, source: str) -> str:
    """The text of a page with a link to the page in the browser below each file that is shown."""
    there = Path(os.path.relpath("docs/try/index.html", Path(source).parent)).as_posix()
    return _FILE.sub(lambda found: f"{found[0]}\n[Try it in the browser]({there}#{fragment(found[1])})\n", text)


def _outside_code(text: str, moved: Any) -> str:
    """The text with its links moved, but for those in code."""
    pieces, at = [], 0
    for code in _CODE.finditer(text):
        pieces += [_LINK.sub(moved, text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, _LINK.sub(moved, text[at:])])


def _target(
    link: str, page: str, source: str, page_of: dict[str, str], made: set[str], copied: dict[str, str | Path]
) -> str:
    """Where a link leads on the site; raises ValueError for a link to nothing."""
    if link.startswith(("https:", "http:", "mailto:", "#")):
        return link
    path, sign, anchor = link.partition("#")
    found = os.path.normpath(Path(source).parent / path)
    there = found.removeprefix("docs/")
    if found in page_of:
        there = page_of[found]
    elif there not in made:
        place = ROOT / found
        if not place.exists():
            raise ValueError(f"{source}: there is no {link}")
        if place.suffix not in (".svg", ".png"):
            return f"{REPOSITORY}/{'tree' if place.is_dir() else 'blob'}/main/{found}{sign}{anchor}"
        copied[there] = place
    return Path(os.path.relpath(there, Path(page).parent)).as_posix() + sign + anchor


def configuration(pages: Path, out: Path) -> str:
    """The settings of zensical: no fonts, no scripts, no icons from elsewhere."""
    lines = ["[project]", 'site_name = "F2CSP"', f'site_url = "{SITE}"']
    lines += [
        'site_description = "Constraint satisfaction problems written out as tables"',
        'copyright = "MIT licence"',
    ]
    lines += [f'docs_dir = "{pages.name}"', f'site_dir = "{out.name}"', "use_directory_urls = true", "nav = ["]
    for title, entries in NAVIGATION.items():
        inner = ", ".join(f'{{"{name}" = "{page}"}}' for name, page in entries.items())
        lines.append(f'  {{"{title}" = [{inner}]}},')
    lines += [
        "]",
        'extra_css = ["site.css"]',
        "[project.theme]",
        "font = false",
        'features = ["navigation.footer", "content.code.copy"]',
    ]
    lines += ["[[project.theme.palette]]", 'media = "(prefers-color-scheme: light)"', 'scheme = "default"']
    lines += ["[[project.theme.palette]]", 'media = "(prefers-color-scheme: dark)"', 'scheme = "slate"', ""]
    return "\n".join(lines)


def theme_licences() -> str:
    """The notices of the theme: of zensical, of what is in its scripts, and of its icons."""
    package = distribution("zensical")
    notices = [file for file in package.files or () if file.name.partition(".")[0] == "LICENSE"]
    return "\n\n".join([f"{package.name} {package.version}", *(file.read_text(encoding="utf-8") for file in notices)])


def build(out: Path, runs: Path | None) -> None:
    """Build the site into a folder, which is replaced; the runs of experiments are kept in the other folder."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for name, content in tree(runs).items():
            path = place / "pages" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                shutil.copy(content, path)
            else:
                path.write_text(content, encoding="utf-8")
        (place / "zensical.toml").write_text(configuration(place / "pages", place / "site"), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "zensical", "build", "--clean"], cwd=place, check=True)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(place / "site", out)
    (out / "theme-licences.txt").write_text(theme_licences(), encoding="utf-8")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--experiments", is_flag=True, help="Run the experiments, and show their tables and plots.")
def main(folder: Path, experiments: bool) -> None:
    """Build the site into FOLDER, which is replaced."""
    (ROOT / "docs" / "images" / "board.svg").write_text(picture(), encoding="utf-8")
    build(folder, ROOT / "build" / "experiments" if experiments else None)


if __name__ == "__main__":
    main()
