"""Report pages in a browser: buttons and keys, phones, dark mode, accessibility; no request leaves the page."""

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

    def open_page(instance: Instance, **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(report_page(instance), encoding="utf-8")
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
    if name != "sudoku/9x9-no-solution.txt":
        page.get_by_role("button", name="Show the solution").click()
    found = axe.Axe().run(page).response
    assert found["passes"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")


def test_on_paper_is_nothing_that_is_to_be_clicked(opened: Any) -> None:
    page = opened(sample("map.csp"))
    page.emulate_media(media="print")
    shown = [heading.inner_text() for heading in page.locator("h2").all() if heading.is_visible()]
    assert shown == ["Solution", "Warnings", "Statistics", "Relations", "Structure", "Constraint graph"]
    assert not any(item.is_visible() for item in page.locator("button, input, #player").all())


def test_the_keyboard_alone_shows_the_solution_and_plays_the_search(opened: Any) -> None:
    page = opened(sample("map.csp"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#solution").is_visible()
    page.keyboard.press("Space")
    assert not page.locator("#solution").is_visible()
    forward = page.get_by_role("button", name="Forward")
    for _ in range(30):
        page.keyboard.press("Tab")
        if forward.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    row = page.locator("[data-variable=France] td")
    assert row.inner_text() == "red"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # back
    assert row.inner_text() == "red green blue"
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("End")
    assert "a solution" in page.locator("output").inner_text()
    assert page.locator("[data-variable=Spain] td").inner_text() == "green"


def test_a_search_is_played_on_the_board_to_its_end(opened: Any) -> None:
    page = opened(sample("sudoku/4x4.txt"))
    cell = page.locator("[data-variable=V1-2]")
    assert cell.locator(".small:not(.off)").count() == 4
    page.get_by_role("button", name="Play").click()
    playwright.expect(page.locator("output")).to_contain_text("Step 2")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Last").click()
    values = page.locator("#player .large text").all_text_contents()
    assert "a solution" in page.locator("output").inner_text()
    assert len(values) == 13
    assert all(value in {"1", "2", "3", "4"} for value in values)
    assert page.locator(".small:not(.off)").count() == 0
    page.get_by_role("button", name="First").click()
    assert cell.locator(".small:not(.off)").count() == 4


def test_names_are_never_run(opened: Any) -> None:
    evil = "<i>one</i>"
    b = ProblemBuilder(f"{evil}<script>document.title='run'</script>")
    b.domain("D", ["a", "b"])
    b.variable(evil, "D")
    b.accept([evil], ["a"])
    page = opened(Instance("evil.csp", "f2csp", b.build()))
    page.get_by_role("button", name="Last").click()
    assert page.title() == f"{evil}<script>document.title='run'</script>"
    assert page.locator("i").count() == 0
    page.get_by_role("button", name="First").click()
    page.get_by_role("button", name="Forward").click()
    assert f"{evil} loses b" in page.locator("output").inner_text()
