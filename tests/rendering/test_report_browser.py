"""Report pages in a browser: buttons and keys, phones, dark mode, accessibility; no request leaves the page."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from f2csp.files import read_source
from f2csp.instances import Instance, instances
from f2csp.model import ProblemBuilder
from f2csp.rendering.report_page import report_page

pytest.importorskip("jinja2")
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        try:
            found = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"there is no Chromium: {error.message.splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """A function that opens the report of a problem; at the end nothing else was asked for, and no error was shown."""
    requests: list[str] = []
    messages: list[str] = []
    contexts = []

    def open_page(instance: Instance, compare: tuple[str, ...] = (), **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(report_page(instance, compare=compare), encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": {"width": 375, "height": 700}, **options}))
        page = contexts[-1].new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [url for url in requests if not url.endswith("/report.html")] == messages == []


def sample(name: str) -> Instance:
    return next(instances(read_source(SAMPLES / name)))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["map.csp", "sudoku/9x9-no-solution.txt", "killer/tatham.txt"])
def test_axe_finds_nothing_and_a_phone_shows_all(opened: Any, name: str, scheme: str) -> None:
    page = opened(sample(name), color_scheme=scheme)
    folded = page.locator("details:not([open]) > summary:visible")
    while folded.count():
        folded.first.click()
    page.get_by_role("button", name="Last").click()
    found = axe.Axe().run(page).response
    assert found["passes"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    board, known = (page.locator(one).bounding_box() for one in ("#work", "#known"))
    assert known["x"] > board["x"] + board["width"] > 300
    assert known["y"] < board["y"] + board["height"]
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")


def test_on_paper_is_nothing_that_is_to_be_clicked(opened: Any) -> None:
    page = opened(sample("map.csp"))
    page.emulate_media(media="print")
    shown = [heading.inner_text() for heading in page.locator("h2").all() if heading.is_visible()]
    titles = ["Problem", "What is known", "The way of a program: search", "What the tables mean"]
    assert shown == [*titles, "What was recognised in them", "Numbers"]
    assert not any(item.is_visible() for item in page.locator("button, input, #player, summary").all())


def test_without_scripts_the_board_the_steps_and_the_solution_can_be_read(opened: Any) -> None:
    page = opened(sample("sudoku/grid.sdk"), java_script_enabled=False)
    assert not any(item.is_visible() for item in page.locator("button, .small").all())
    page.get_by_text("The way to the solution").click()
    assert page.locator("#tour li").first.is_visible()
    page.get_by_text("Show the solution").click()
    assert page.locator("details svg").first.is_visible()


def test_the_keyboard_alone_shows_the_solution_and_plays_the_search(opened: Any) -> None:
    page = opened(sample("map.csp"))
    solution = page.get_by_role("region", name="The values of the solution")
    summary = page.get_by_text("Show the solution")
    for is_open in (True, False):
        summary.focus()
        page.keyboard.press("Enter" if is_open else "Space")
        assert solution.is_visible() == is_open
    forward = page.get_by_role("button", name="Forward")
    for _ in range(30):
        page.keyboard.press("Tab")
        if forward.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    row = page.locator("#player [data-variable=Spain] td")
    assert row.inner_text() == "green blue"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # back
    assert row.inner_text() == "red green blue"
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("End")
    assert "a solution" in page.locator("output").inner_text()
    assert page.locator("#player [data-variable=Spain] td").inner_text() == "green"


def test_a_search_is_played_on_the_board_to_its_end(opened: Any) -> None:
    page = opened(sample("sudoku/4x4.txt"))
    cell = page.locator("#player [data-variable=V1-2]")
    assert cell.locator(".small:not(.off)").count() == 4
    page.get_by_role("button", name="Play").click()
    playwright.expect(page.locator("output")).to_have_text(re.compile("Step ([2-9]|[1-9][0-9]) "))
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Last").click()
    values = page.locator("#player .large text").all_text_contents()
    assert "a solution" in page.locator("output").inner_text()
    assert len(values) == 13
    assert all(value in {"1", "2", "3", "4"} for value in values)
    assert page.locator("#player .small:not(.off)").count() == 0
    page.get_by_role("button", name="First").click()
    assert cell.locator(".small:not(.off)").count() == 4


def test_names_are_never_run(opened: Any) -> None:
    evil = "<i>one</i>"
    b = ProblemBuilder(f"{evil}<script>document.title='run'</script>")
    b.domain("D", ["a", "b"])
    b.variable(evil, "D")
    b.variable("y", "D")
    b.accept([evil], ["a"])
    b.accept([evil, "y"], [("a", "a"), ("b", "b")])
    page = opened(Instance("evil.csp", "f2csp", b.build()))
    page.get_by_role("button", name="Last").click()
    assert page.title() == f"{evil}<script>document.title='run'</script>"
    assert page.locator("i").count() == 0
    page.get_by_role("button", name="First").click()
    page.get_by_role("button", name="Forward").click()
    assert f"y loses b: {evil} = y" in page.locator("output").inner_text()


def test_the_way_of_people_is_played_on_the_board(opened: Any) -> None:
    page = opened(sample("sudoku/grid.sdk"))
    sentences = page.locator("#tour li").all_text_contents()
    page.get_by_role("button", name="Next step").click()
    assert page.locator("#work [role=status]").inner_text() == f"Step 1 of {len(sentences)}: {sentences[0]}"
    found = page.locator("#work .changed .large")
    assert found.text_content().strip() == sentences[0][0]
    page.get_by_role("button", name="All steps").click()
    assert page.locator("#work .small:not(.off)").count() == 0
    page.get_by_role("button", name="Start").click()
    assert page.locator("#work .small:not(.off)").count() > 100


def test_a_guess_shows_what_follows_and_can_be_taken_back(opened: Any) -> None:
    page = opened(sample("sudoku/grid-6x6.txt"))
    solution = {cell: value for cell, value in solved(page).items() if value}
    left = page.locator("#work .small:not(.off)").count()
    cell = page.locator("#work [data-variable][tabindex]").first
    name, right = cell.get_attribute("data-variable"), ""
    for small in cell.locator(".small:not(.off)").all():
        value = small.text_content()
        small.click()
        words = page.locator("#work [role=status]").inner_text()
        assert words.startswith(f"If row 1, column {name[-1]} is {value}, there follow")
        assert ("a contradiction, as " in words) != (value == solution[name])
        right = words if value == solution[name] else right
        page.get_by_role("button", name="Take it back").click()
        assert page.locator("#work .small:not(.off)").count() == left
    assert right.endswith("this is a solution.")
    cell.focus()
    page.keyboard.press("Enter")
    assert page.locator("#work [role=status]").inner_text() == f"row 1, column {name[-1]}: which value?"
    page.keyboard.press("Enter")
    assert page.get_by_role("button", name="Take it back").is_visible()
    page.keyboard.press("Tab")


def solved(page: Any) -> dict[str, str]:
    """The values at the end of the way of people."""
    page.get_by_role("button", name="All steps").click()
    cells = page.locator("#work [data-variable]").all()
    found = {cell.get_attribute("data-variable"): cell.locator("g text").text_content() for cell in cells}
    page.get_by_role("button", name="Start").click()
    return found


def test_a_cell_lights_those_that_share_a_constraint_with_it(opened: Any) -> None:
    page = opened(sample("sudoku/grid.sdk"))
    page.locator("#work [data-variable=V5-5]").hover()
    assert page.locator("#work .peer").count() == 20
    assert page.locator("#work [data-variable=V5-9].peer").count() == 1


def test_searches_are_compared_in_step(opened: Any) -> None:
    page = opened(sample("latin/matrix.txt"), compare=("bt", "fc", "mac"))
    rows = page.get_by_role("region", name="The counters of the searches").locator("tbody tr").all()
    assert [row.locator("td").first.inner_text() for row in rows] == ["23,904", "115", "50"]
    page.get_by_role("button", name="Next decision").click()
    shown = page.locator("#player output").all_text_contents()
    assert len({text.split(" of ")[0] for text in shown}) == 1
    assert page.locator("#player .code .now").count() == 3
    page.get_by_role("button", name="Last").click()
    assert "a solution" in page.locator("#player output").last.inner_text()
    assert page.locator("#player .small:not(.off)").count() > 0  # of the first one, which is cut short


def test_the_tree_shows_the_way_to_the_node_and_leads_to_others(opened: Any) -> None:
    page = opened(sample("latin/matrix.txt"), compare=("fc", "mac"))
    page.locator(".tree summary").first.click()
    for _ in range(4):
        page.get_by_role("button", name="Next wipeout").click()
    output = page.locator("#player output").first
    assert "wipeout: " in output.inner_text()
    assert page.locator(".tree svg .failed").count() >= 1
    assert page.locator(".tree svg .here").count() == 1
    width = page.locator(".tree svg").first.bounding_box()["width"]
    page.get_by_role("button", name="Larger").first.click()
    assert page.locator(".tree svg").first.bounding_box()["width"] > width
    page.locator(".tree svg [data-step='0']").first.dispatch_event("click")
    assert "before the search" in output.inner_text()
    assert page.locator(".tree svg > *").count() == 3  # two empty lines and the root


def test_reasons_are_in_the_words_of_the_puzzle_and_auxiliary_variables_hidden(opened: Any) -> None:
    page = opened(sample("takuzu/grid.txt"))
    steps = page.evaluate("data.searches[0].length")
    text = ""
    for _ in range(40):
        page.get_by_role("button", name="Forward").click()
        text += page.locator("#player output").inner_text() + "\n"
    assert steps > 40
    assert "has no three alike in columns" in text
    assert "has as many zeros as ones" in text
    assert "same" not in text
