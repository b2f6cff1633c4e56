"""The page that runs in a browser: its answers, and a visit from the first board to a link that is opened again."""

import ast
import functools
import http.server
import importlib.util
import io
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.request import urlopen

import pytest

import f2csp
from docs import try_page
from docs.program import sample_of
from f2csp.puzzles import KINDS

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
_spec = importlib.util.spec_from_file_location("f2csp_page", ROOT / "docs" / "try" / "session.py")
assert _spec is not None
assert _spec.loader is not None
session = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(session)


def ask(question: str, **given: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(session.ask(question, json.dumps(given)))
    return answer


def text_of(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="utf-8")


GRID = text_of("sudoku/grid-6x6.txt")

# ---- The answers, without a browser ----


def test_places_are_those_of_an_editor() -> None:
    text = text_of("map.csp").replace("Map", "\U0001f5fa Karte für").replace("Variables", "Varibles")
    found = ask("look", text=text)
    (one,) = found["diagnostics"]
    utf16 = text.encode("utf-16-le")
    assert utf16[2 * one["from"] : 2 * one["to"]].decode("utf-16-le").startswith("Varibles")
    assert not found["is_valid"]
    mended = text
    for edit in one["edits"]:
        before, after = utf16[: 2 * edit["from"]].decode("utf-16-le"), utf16[2 * edit["to"] :].decode("utf-16-le")
        mended = before + edit["insert"] + after
    assert ask("look", text=mended)["is_valid"]


def test_what_is_sure_is_mended() -> None:
    mended = ask("mend", text=text_of("faulty/by-hand.csp"))["text"]
    assert ask("look", text=mended)["is_valid"]


def test_a_given_is_written_and_taken_away() -> None:
    more = ask("give", text=GRID, row=1, column=2, value=1)["text"]
    assert ask("look", text=more)["givens"][0][:2] == [5, 1]
    less = ask("give", text=more, row=1, column=2, value=None)["text"]
    assert ask("look", text=less)["givens"] == ask("look", text=GRID)["givens"]
    problem = ask("convert", text=GRID, to="f2csp")["text"]
    again = ask("give", text=problem, row=1, column=2, value=1)["text"]
    assert ask("look", text=again)["kind"] == "f2csp"
    assert ask("look", text=again)["givens"][0][:2] == [5, 1]


def test_questions_have_answers() -> None:
    assert "<svg" in ask("solve", text=GRID)["board"]
    assert ask("count", text=text_of("map.csp"))["words"] == "2 solutions."
    assert ask("unique", text=GRID)["words"] == "There is exactly one solution."
    assert ask("explain", text=text_of("sudoku/9x9-no-solution.txt"))["lines"][0] == "row 7 holds each value once"
    assert ask("solve", text=text_of("map.csp"))["lines"][0] == "France = red"
    assert "<svg" in ask("hint", text=GRID)["board"]
    assert ask("hint", text=text_of("map.csp"))["words"]
    assert ask("rate", text=GRID)["words"].startswith("easy")
    steps = ask("search", text=text_of("map.csp"))["n"]
    assert ask("step", text=text_of("map.csp"), number=steps - 1)["words"] == "a solution"
    made = ask("generate", kind="takuzu", size=6, seed=3, minimal=False)["text"]
    assert ask("unique", text=made)["words"] == "There is exactly one solution."
    for to in ask("start")["formats"]:
        assert ask("convert", text=text_of("map.csp"), to=to)["text"]


def test_several_solutions_have_no_hint_that_assumes_one() -> None:
    text = {"text": "1 . 3 .\n. . 1 .\n2 1 4 3\n. . 2 1\n", "form": "sudoku"}
    assert ask("hint", **text)["words"] == "there is no step without a guess"
    assert ask("rate", **text)["words"] == "unsolved: it has several solutions"


def test_the_language_server_answers() -> None:
    text = text_of("map.csp")
    place = {"text": text, "line": text[: text.index("France Spain")].count("\n"), "character": 2}
    hover = ask("hover", **place)["words"]
    assert hover.startswith("Variable France: red green blue")
    assert "C1: France Spain all differ" in hover
    found = ask("complete", text=text.replace("red red", "re", 1), line=place["line"] + 3, character=2)
    assert found == {"options": [{"label": "red", "detail": "colour"}], "start": 0}
    found = ask("rename", **place, name="Gaul")["places"]
    assert [line for line, *_ in found] == [6, place["line"], place["line"] + 9]
    assert {tuple(columns) for _, *columns in found} == {(0, 6)}
    assert "expected a name" in ask("rename", **place, name="two words")["error"]
    assert "here is no name" in ask("rename", text=text, line=0, character=0, name="x")["error"]
    assert ask("hover", text=GRID, line=0, character=0) == {"words": ""}


def test_a_step_shows_the_candidates_that_are_left() -> None:
    def n_digits(number: int) -> int:
        board = ask("step", text=GRID, number=number)["board"]
        return sum(map(len, re.findall(r"<text [^>]* x=\"[0-9. ]* [0-9. ]*\">([0-9]*)", board)))

    n_steps = ask("search", text=GRID)["n"]
    numbers = [n_digits(number) for number in range(n_steps)]
    assert numbers == sorted(numbers, reverse=True)  # this puzzle needs no guess
    assert numbers[0] > 100
    assert numbers[-1] == 0


@pytest.mark.parametrize("kind", ["skyscrapers/sides.txt", "kenken/letters.txt", "kakuro/grid.txt", "nonogram/non.non"])
def test_boards_with_rims_cages_and_black_cells_have_all_answers(kind: str) -> None:
    text = text_of(kind)
    found = ask("look", text=text, candidates=True)
    assert found["is_valid"]
    assert "<svg" in found["board"]
    assert ask("unique", text=text)["words"] == "There is exactly one solution."
    assert "<svg" in ask("hint", text=text)["board"]
    assert ask("search", text=text)["n"]
    assert "<svg" in ask("step", text=text, number=1)["board"]
    assert ask("convert", text=text, to="svg")["text"].startswith("<svg")


def test_what_goes_wrong_is_an_answer() -> None:
    assert "error" in ask("solve", text="nothing of the kind")
    assert ask("look", text="")["diagnostics"][0]["severity"] == "error"
    assert "error" in ask("look", text=GRID, options={"box": "rows"})
    assert "error" in ask("give", text=text_of("map.csp"), row=1, column=1, value=1)


def test_every_sample_is_read_as_what_its_name_says() -> None:
    samples = try_page.samples()
    for title, sample in samples.items():
        found = ask("look", **sample)
        kind = next((kind for kind, name in KINDS.items() if name == title), None)
        assert found["kind"].partition(":")[0] == (kind or sample["form"].partition(":")[0])
        assert found["is_valid"] or title == "A file with faults"
    assert {*KINDS.values()} - {*samples} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_into_the_editor_is_read_as_what_it_was(kind: str) -> None:
    sample = {"text": text_of(sample_of(kind)[0]), "form": kind}
    puzzle = f2csp.puzzle(io.StringIO(sample["text"]), kind)
    row, column = next((clue.row, clue.column) for clue in puzzle.clues) if puzzle.clues else (1, 1)
    emptied = ask("give", **sample, row=row, column=column, value=None)
    assert ask("look", **emptied)["title"] == puzzle.title
    made = ask("generate", kind=kind, size=6, seed=1, minimal=False)
    assert ask("look", **made)["title"].startswith(KINDS[kind])
    for to in ask("look", **sample)["formats"]:
        written = ask("convert", **sample, to=to)
        assert "error" in written or ask("look", **written)["title"] == puzzle.title


def test_a_given_that_breaks_a_rule_leaves_the_board() -> None:
    broken = ask("give", text=GRID, row=1, column=2, value=5)
    found = ask("look", **broken)
    assert [one["code"] for one in found["diagnostics"]] == ["F608", "F608"]
    assert found["givens"][0][:2] == [5, 5]
    mended = ask("give", **broken, row=1, column=2, value=None)
    assert (mended["form"], ask("look", **mended)["givens"]) == ("auto", ask("look", text=GRID)["givens"])


def texts_of_messages(path: Path) -> Iterator[str]:
    """The string literals of a module that are no docstrings, those of formatted strings with X for each value."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, (ast.Assign, ast.Return, ast.Call, ast.IfExp, ast.Dict, ast.Tuple, ast.keyword)):
            yield from (
                child.value
                for child in ast.iter_child_nodes(node)
                if isinstance(child, ast.Constant) and isinstance(child.value, str)
            )


NOT_ON_THE_PAGE = {"generation/kinds.py", "editor/lenses.py", "solving/executors.py", "search/registry.py"}
"""Help of commands, the lines of commands, and what needs processes."""


def test_messages_name_what_the_page_has() -> None:
    offered = ask("start")
    fields = ("Read as", *(f"Options: {option['label']}" for option in offered["options"]))
    package = ROOT / "f2csp"
    n_messages = 0
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if name.startswith(("cli/", "batch/", "experiments/")) or name in NOT_ON_THE_PAGE:
            continue
        for text in texts_of_messages(path):
            if re.search(r"(?<![\w-])--[a-z]", text):
                words = session.on_page(text)
                assert "--" not in words, (name, text)
                assert "f2csp" not in words, (name, text)
                assert [field for field in re.findall("“(.*?)”", words) if not field.startswith(fields)] == []
                n_messages += 1
    assert n_messages > 20


@pytest.mark.parametrize(
    ("text", "form", "words"),
    [
        ("what is\nthis\n", "auto", "name it with “Read as”"),
        (text_of("sudoku/9x9-no-solution.txt"), "auto", "name the format with “Read as: sudoku:clues”"),
        ("6\n1\n1 1 1\n", "sudoku", "give the boxes: “Options: box 2x3”"),
    ],
)
def test_hints_name_what_the_page_has(text: str, form: str, words: str) -> None:
    assert words in {one["hint"] for one in ask("look", text=text, form=form)["diagnostics"]}


def test_options_of_reading_are_fields() -> None:
    graph = "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n"
    assert "with “Options: colours”" in ask("count", text=graph)["error"]
    assert ask("count", text=graph, options={"colours": 3})["words"] == "6 solutions."


# ---- A visit ----


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, as a server sends it."""
    if shutil.which("npm") is None:
        pytest.skip("there is no npm")
    pytest.importorskip("jinja2")
    place = tmp_path_factory.mktemp("try")
    try_page.build(place / "page", Path(os.environ.get("F2CSP_NODE", place / "node")))
    handler = functools.partial(Quiet, directory=str(place / "page"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        try:
            found = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"there is no Chromium: {error.message.splitlines()[0]}")
        yield found
        found.close()


FILES = {
    "map.csp": "valid f2csp",
    "sudoku/grid.sdk": "valid sudoku:grid",
    "sudoku/tatham.txt": "valid sudoku:tatham",
    "futoshiki/token.txt": "valid futoshiki:token",
    "jigsaw/andoku.adk": "valid jigsaw:andoku",
    "killer/tatham.txt": "valid killer:tatham",
    "takuzu/grid.txt": "valid takuzu:grid",
    "latin/matrix.txt": "valid latin:matrix",
    "sudoku/games.opensudoku": "valid sudoku:opensudoku",
    "faulty/two-cells.csp": "faulty f2csp",
}


@pytest.mark.slow
def test_the_licences_of_all_parts_are_served(address: str) -> None:
    with urlopen(f"{address}licences.txt") as response:
        text = response.read().decode()
    parts = ("pyodide 0.27.7: MPL-2.0", "cadical-wasm 0.1.2: MIT", "@codemirror/view", "NumPy", "lark", "pygls")
    assert [part for part in parts if part not in text] == []
    assert text.count("Permission is hereby granted") > 10


def test_the_licences_of_the_runtime_are_whole_and_its_packages_locked() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (try_page.SOURCE / "licences").iterdir()}
    assert "Mozilla Public License Version 2.0" in texts["pyodide"]
    assert "https://github.com/pyodide/pyodide" in texts["pyodide"]  # MPL-2.0, 3.2 (a): where the source code is
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in texts["cpython"]
    assert [
        name for name in ("zlib", "bzip2", "libmpdec", "musl", "Expat", "libffi") if name not in texts["libraries"]
    ] == []
    lock = json.loads((try_page.SOURCE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = json.loads((try_page.SOURCE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert lock[""]["dependencies"] == wanted
    assert [name for name, package in lock.items() if name and not {"version", "integrity"} <= package.keys()] == []
    assert [
        name for name, package in lock.items() if "resolved" in package
    ] == []  # each registry has addresses of its own


@pytest.mark.slow
def test_a_visit(browser: Any, address: str) -> None:
    """Ten files are pasted, one is broken and mended, solved, stopped, linked; then all of it without a network."""
    from playwright.sync_api import expect

    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    requests: list[str] = []
    messages: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    body, words = page.locator("body"), page.locator("#words")

    def become(state: str, kind: str) -> None:
        expect(body).to_have_attribute("data-kind", kind, timeout=120_000)
        expect(body).to_have_attribute("data-state", state)

    def paste(text: str) -> None:
        page.locator(".cm-content").fill(text)

    def question(name: str) -> None:
        page.locator(f"[data-question={name}]").click()
        expect(body).to_have_attribute("data-busy", "no", timeout=120_000)

    page.goto(address)
    become("valid", "sudoku:grid")
    for name, state in FILES.items():
        paste("")
        become("faulty", "")
        paste(text_of(name))
        become(*state.split())
    page.set_input_files("#file", SAMPLES / "takuzu" / "grid.txt")
    become("valid", "takuzu:grid")
    dropping = "text => { const data = new DataTransfer(); data.items.add(new File([text], 'x')); return data; }"
    dropped = page.evaluate_handle(dropping, text_of("latin/matrix.txt"))
    page.dispatch_event(".cm-content", "drop", {"dataTransfer": dropped})
    become("valid", "latin:matrix")
    paste(text_of("map.csp").replace("Variables", "Varibles"))
    become("faulty", "f2csp")
    expect(page.locator("#list li")).to_have_count(1)
    page.locator("#list li button:not(.place)").click()
    become("valid", "f2csp")
    question("count")
    expect(words).to_have_text("2 solutions.")
    name = page.locator(".cm-line", has_text="France Spain")
    name.hover(position={"x": 20, "y": 10})
    expect(page.locator(".said")).to_contain_text("Variable France: red green blue", timeout=60_000)
    name.click(position={"x": 20, "y": 10})
    page.once("dialog", lambda dialog: dialog.accept("Gaul"))
    page.keyboard.press("F2")
    expect(page.locator(".cm-line", has_text="Gaul")).to_have_count(3)
    page.locator(".cm-line", has_text="red red").click()
    for key in ("End", "Backspace", "Control+Space"):
        page.keyboard.press(key)
    expect(page.locator(".cm-tooltip-autocomplete li")).to_have_text(["redcolour"], timeout=60_000)
    page.locator(".cm-tooltip-autocomplete li").click()
    become("valid", "f2csp")
    paste(GRID)
    become("valid", "sudoku:grid")
    question("solve")
    expect(page.locator("#answer svg")).to_be_visible()
    page.locator("#to").select_option("report")
    with page.expect_download(timeout=120_000) as report:
        page.locator("#download").click()
    assert "There is exactly one solution" in report.value.path().read_text(encoding="utf-8")
    hard = io.StringIO()  # the engine `search` finds no solution in minutes
    f2csp.write(f2csp.generate("qwh", size=30, seed=1), hard, "latin:matrix")
    paste(hard.getvalue())
    become("valid", "latin:matrix")
    question("solve")
    expect(words).to_have_text("A solution:")
    paste(GRID)
    become("valid", "sudoku:grid")
    page.locator("#board").focus()
    for key in ("ArrowDown", "ArrowRight", "1"):
        page.keyboard.press(key)
    expect(page.locator("#cell")).to_have_text("Row 1, column 2: 1")
    page.locator("#link").click()
    expect(words).to_contain_text("the text")
    linked = page.url
    assert "#t=" in linked
    paste("9\n0\n")  # no search is needed, but very many solutions
    page.locator("#form").select_option("sudoku")
    become("valid", "sudoku:clues")
    page.locator("[data-question=count]").click()
    page.locator("#stop").click()
    expect(words).to_have_text("Stopped.")
    become("valid", "sudoku:clues")
    other = context.new_page()
    other.goto(linked)
    expect(other.locator("body")).to_have_attribute("data-state", "valid", timeout=120_000)
    expect(other.locator(".cm-content")).to_contain_text("5 1 .")
    other.evaluate("navigator.serviceWorker.ready.then(() => null)")
    context.set_offline(True)
    other.reload()
    expect(other.locator("body")).to_have_attribute("data-state", "valid", timeout=120_000)
    context.close()
    assert [url for url in requests if not url.startswith((address, "blob:"))] == messages == []


@pytest.mark.slow
def test_an_answer_goes_with_its_text(browser: Any, address: str) -> None:
    """All questions are asked, and the text is changed in all ways after the answers, and before them."""
    from playwright.sync_api import expect

    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    body, words, content = page.locator("body"), page.locator("#words"), page.locator(".cm-content")
    timeout = 120_000

    def become(kind: str) -> None:
        expect(body).to_have_attribute("data-kind", kind, timeout=timeout)
        expect(body).to_have_attribute("data-state", "valid", timeout=timeout)

    def shown() -> list[Any]:
        return [words.inner_text(), page.locator(":is(#answer svg, #lines li, #player:not([hidden]))").count()]

    changes = [
        lambda: page.locator("#sample").select_option("Sudoku"),
        lambda: content.press_sequentially("\n"),
        lambda: content.fill(GRID),
        lambda: page.locator("#form").select_option("sudoku"),
        lambda: page.locator("[name=box]").evaluate("box => box.dispatchEvent(new Event('change', {bubbles: true}))"),
    ]
    page.goto(address)
    become("sudoku:grid")
    for number, question in enumerate(("solve", "count", "unique", "explain", "hint", "rate", "search")):
        page.locator(f"[data-question={question}]").click()
        expect(words).to_have_text(re.compile(r"\w"), timeout=timeout)
        changes[number % len(changes)]()
        assert shown() == ["", 0]
        become("sudoku:grid")
    # An answer that is late, of a question that has no end
    content.fill("9\n0\n")
    page.locator("#form").select_option("sudoku:clues")
    become("sudoku:clues")
    page.locator("[data-question=count]").click()
    content.fill(text_of("map.csp"))
    page.locator("#form").select_option("auto")
    become("f2csp")
    expect(body).to_have_attribute("data-busy", "no")
    assert shown() == ["", 0]
    # Keys on the board that are quicker than the answers
    content.fill(GRID)
    become("sudoku:grid")
    page.locator("#board").focus()
    for key in ("ArrowDown", "ArrowRight", "1", "ArrowRight", "6"):
        page.keyboard.press(key)
    expect(content).to_contain_text("5 1 6", timeout=timeout)
    # A reading that a sample brings goes with it, and with its link
    page.locator("#sample").select_option("Diagonal Sudoku")
    become("diagonal:line")
    page.locator("#link").click()
    expect(words).to_contain_text("the text")
    content.fill(GRID)
    become("sudoku:grid")
    # It goes, too, where the text over it ends alike, which the editor may take for unchanged
    for _ in range(4):
        page.locator("#sample").select_option("Sudoku")
        become("sudoku:grid")
        content.fill(text_of("map.csp"))
        become("f2csp")
    linked = context.new_page()
    linked.goto(page.url)
    expect(linked.locator("body")).to_have_attribute("data-kind", "diagonal:line", timeout=timeout)
    context.close()


@pytest.mark.slow
def test_axe_finds_nothing_and_a_phone_shows_all(browser: Any, address: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    from playwright.sync_api import expect

    context = browser.new_context(viewport={"width": 380, "height": 800}, bypass_csp=True)
    page = context.new_page()
    page.goto(address)
    expect(page.locator("body")).to_have_attribute("data-state", "valid", timeout=120_000)
    for text, state in ((text_of("sudoku/9x9-no-solution.txt"), "valid"), (text_of("faulty/two-cells.csp"), "faulty")):
        page.locator(".cm-content").fill(text)
        expect(page.locator("#list li")).not_to_have_count(0)
        expect(page.locator("body")).to_have_attribute("data-state", state)
        if state == "valid":
            page.locator("[data-question=explain]").click()
            expect(page.locator("#words")).to_contain_text("contradict", timeout=60_000)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = axe.Axe().run(page).response
            assert [(scheme, one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
    context.close()
