"""The site: every link leads somewhere, codes have pages, diagrams draw the language, examples are run."""

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import click
import pytest
from markdown_it import MarkdownIt

import f2csp
from docs.build import NAVIGATION, REPOSITORY, SHOWN, SOURCES
from docs.codes import Case, cases
from docs.names import name_pages
from docs.program import ROOT, fragment
from f2csp.cli.commands import command_named, commands
from f2csp.diagnostics import CATALOGUE, SITE
from f2csp.text.terminals import language
from tests.docs.test_readme import blocks_of, commands_of, printed
from tests.docs.test_release import EXTRAS, packages_of

CASES = list(cases())
MARKDOWN = sorted(
    [
        *ROOT.glob("*.md"),
        *(
            path
            for name in ("docs", "f2csp", "grammars", "samples", "tests")
            for path in (ROOT / name).rglob("*.md")
            if "node_modules" not in path.parts
        ),
    ]
)
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_every_code_has_a_case() -> None:
    assert [case.code for case in CASES] == list(CATALOGUE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_a_case_has_its_fault_and_no_other(case: Case) -> None:
    found = re.findall(r"^(?:error|warning)\[(F\d{3})\]", case.message(), re.MULTILINE)
    assert found == [case.code]
    if case.changes and not case.name.endswith(".gz"):
        case.changes = []
        assert re.findall(r"\[(F\d{3})\]", case.message()) in ([], ["F617"], ["F601"])


def words_of(item: Any, chance: random.Random) -> str:
    """A text that a diagram allows."""
    kind = type(item).__name__
    if kind == "Terminal":
        return str(item.text)
    if kind == "NonTerminal":
        names = {
            "count": ["0", "17"],
            "name": ["D1", "été"],
            "end of line": ["\n", " \r\n\t", "\n\n"],
            "Satisfy": ["Satisfy"],
        }
        return chance.choice(names.get(item.text, ["1", "blue", "V1-2"]))
    if kind == "Choice":
        return words_of(
            chance.choice([part for part in item.items if type(part).__name__ != "Skip"] or item.items), chance
        )
    if kind == "Optional":
        return words_of(item.item, chance) if chance.random() < 0.5 else ""
    if kind == "OneOrMore":
        parts = [words_of(item.item, chance)]
        for _ in range(chance.randrange(3)):
            parts += [words_of(item.rep, chance), words_of(item.item, chance)]
        return "".join(parts)
    if kind == "Skip":
        return ""
    return "".join(words_of(part, chance) for part in item.items)


def test_the_diagrams_of_terminals_draw_what_the_grammar_reads() -> None:
    pytest.importorskip("railroad")
    from docs.railroads import TERMINALS

    patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in language().terminals}
    chance = random.Random(7)
    for name, items in TERMINALS.items():
        for _ in range(60):
            text = "".join(words_of(item, chance) for item in items)
            behind = "Vars:" if name == "LABEL" else ""
            found = re.match(patterns[name], text + behind)
            assert found is not None, (name, text)
            assert found.end() == len(text), (name, text)


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_a_page_do_what_they_show(page: str, tmp_path: Path) -> None:
    for info, text in blocks_of(ROOT / "docs" / page):
        if title := re.search(r'title="([\w.]+)"', info):
            (tmp_path / title[1]).write_text(text, encoding="utf-8")
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    for command, output in commands_of(ROOT / "docs" / page):
        assert printed(command, tmp_path) == output, command


@pytest.mark.parametrize("page", PAGES)
def test_files_on_a_page_are_canonical(page: str) -> None:
    for info, text in blocks_of(ROOT / "docs" / page):
        if info.startswith("f2csp"):
            assert f2csp.dumps(f2csp.loads(text)) == text


class Links(HTMLParser):
    """What a page links to and loads, and the names in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ("img", "script", "iframe", "source") and "src" in given:
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload", "modulepreload"):
            self.loaded.append(given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is published."""
    pytest.importorskip("railroad")
    pytest.importorskip("zensical")
    out = tmp_path_factory.mktemp("site") / "site"
    subprocess.run([sys.executable, "-m", "docs.build", str(out)], cwd=ROOT, check=True, capture_output=True)
    return out


def file_of(site: Path, url: str) -> Path:
    """The file that a server sends for an address of the site."""
    path = site / unquote(urlsplit(url).path.removeprefix(urlsplit(SITE).path))
    return path / "index.html" if path.is_dir() else path


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    pages = {path: Links(path) for path in site.rglob("*.html") if path.name != "404.html"}
    for code in CATALOGUE:
        assert site / "codes" / code / "index.html" in pages
    for name in commands():
        assert site / "commands" / name / "index.html" in pages
    missing, reached = [], set()
    for path, page in pages.items():
        here = SITE + path.relative_to(site).as_posix().removesuffix("index.html")
        for link in [*page.links, *page.loaded]:
            url = urljoin(here, link)
            if url.startswith((f"{REPOSITORY}/blob/main/", f"{REPOSITORY}/tree/main/")):
                if not (ROOT / unquote(urlsplit(url).path).split("/main/", 1)[1]).exists():
                    missing.append((here, link))
            elif url.startswith(SITE):
                there = file_of(site, url)
                reached.add(there)
                anchor = unquote(urlsplit(url).fragment)
                if not there.exists() or (
                    anchor and there in pages and "try/" not in url and anchor not in pages[there].names
                ):
                    missing.append((here, link))
        assert [
            link
            for link in page.loaded
            if urljoin(here, link).startswith("http") and not urljoin(here, link).startswith(SITE)
        ] == []
    assert missing == []
    assert reached >= {site / re.sub(r"(index)?\.\w+$", "", page) / "index.html" for page in SHOWN.values()}


def headings_of(page: Path) -> set[str]:
    """The anchors of the headings of a Markdown file."""
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    titles = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def links_of(page: Path) -> list[str]:
    """What a Markdown file links to and shows."""
    tokens = MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))
    parts = [part for token in tokens for part in token.children or []]
    return [str(part.attrs[name]) for part in parts for name in ("href", "src") if name in part.attrs]


@pytest.mark.parametrize("page", [path.relative_to(ROOT).as_posix() for path in MARKDOWN])
def test_links_of_a_file_lead_somewhere_in_a_clone(page: str) -> None:
    for link in links_of(ROOT / page):
        address = urlsplit(link)
        if address.scheme:
            assert not link.startswith((SITE, REPOSITORY)), f"{link} should be a relative link"
            continue
        place = (ROOT / page).parent / unquote(address.path) if address.path else ROOT / page
        assert place.exists(), link
        if address.fragment and place.suffix == ".md":
            assert unquote(address.fragment) in headings_of(place), link


def test_every_page_written_by_hand_is_in_the_navigation() -> None:
    assert {page for entries in NAVIGATION.values() for page in entries.values()} >= set(SOURCES)


def test_the_page_install_names_each_extra_and_what_it_installs() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \| [^|]+ \|$", page, re.MULTILINE))
    assert set(told) == set(EXTRAS)
    for name in set(EXTRAS) - {"all", "test"}:
        assert told[name].split(", ") == sorted(packages_of(name)), name


def test_examples_of_names_are_code_and_nothing_else() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", "".join(name_pages().values()), re.DOTALL)
    assert blocks
    for block in blocks:
        assert all(part.startswith(">>>") for part in block.split("\n\n")), block


def options_of(words: list[str], command: click.Command) -> Iterator[tuple[str, str]]:
    """The page of a command and each name of its options; so for the commands of a group."""
    context = click.Context(command, **command.context_settings)
    command.get_help(context)
    for param in command.get_params(context):
        if isinstance(param, click.Option) and not param.hidden:
            yield from (("/".join(words), name) for name in [*param.opts, *param.secondary_opts])
    for kind in getattr(command, "commands", ()):
        yield from options_of([*words, kind], command.get_command(context, kind))


def test_every_option_has_its_anchor_and_the_search_finds_it(site: Path) -> None:
    located = {entry["location"] for entry in json.loads((site / "search.json").read_text(encoding="utf-8"))["items"]}
    assert "commands/solve/#time-limit" in located
    options = [pair for name in commands() for pair in options_of([name], command_named(name))]
    assert ("generate/latin", "--size") in options
    names = {page: Links(site / "commands" / page / "index.html").names for page, _ in options}
    assert [(page, name) for page, name in options if name.lstrip("-") not in names[page]] == []


def test_diagrams_are_shown_in_one_scale_by_the_style_of_the_site(site: Path) -> None:
    path = site / "format" / "index.html"
    pictures = re.findall(r"<img [^>]*diagrams/[^>]*>", path.read_text(encoding="utf-8"))
    assert len(pictures) == len(list((site / "diagrams").glob("*.svg")))
    assert all('class="diagram"' in picture for picture in pictures)
    assert "../site.css" in Links(path).loaded


def test_the_picture_is_the_one_that_the_program_draws() -> None:
    from docs.gallery import picture

    assert (ROOT / "docs" / "images" / "board.svg").read_text(encoding="utf-8") == picture()


def test_a_text_goes_through_an_address() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    text = "Länder\nDomains: 1\n"
    module = (ROOT / "docs" / "try" / "link.js").as_uri()
    program = f"import {{ unpacked, packed }} from '{module}'; const t = await unpacked('{fragment(text)}');"
    program += " console.log(JSON.stringify([t, await unpacked(await packed(t))]))"
    done = subprocess.run([node, "--input-type=module", "-e", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == '["{0}","{0}"]'.format(text.replace("\n", "\\n"))
