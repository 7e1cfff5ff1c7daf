"""The site as a reader meets it, in both languages."""

import functools
from dataclasses import dataclass, field

import pytest

from tests.browser.addresses import FOLDERS, NAMES, address
from tests.docs.course import LANGUAGES

SCREENS = (1280, 360, 320)


@dataclass
class Visit:
    """What one visit to a page showed, seen by every test that asks about it."""

    requested: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    width_on_screen: dict[int, int] = field(default_factory=dict)


@pytest.fixture(scope="module")
def visit(home, browser):
    """Visit a page once, however many tests look at it."""
    context = browser.new_context()

    @functools.cache
    def visit_once(language, name):
        seen = Visit()
        page = context.new_page()
        page.on("request", lambda request: seen.requested.append(request.url))
        page.on("response", lambda response: response.ok or seen.failed.append(response.url))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on(
            "console",
            lambda message: message.type == "error" and seen.errors.append(message.text),
        )
        page.goto(address(home, language, name), wait_until="networkidle")
        for width in SCREENS:
            page.set_viewport_size({"width": width, "height": 740})
            seen.width_on_screen[width] = page.evaluate("document.scrollingElement.scrollWidth")
        page.close()
        return seen

    yield visit_once
    context.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_loads_from_its_own_host_alone_and_without_an_error(home, visit, language, name):
    seen = visit(language, name)
    assert seen.requested
    assert [url for url in seen.requested if not url.startswith((home, "data:"))] == []
    assert seen.failed == []
    assert seen.errors == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_screen(visit, language, name):
    widths = visit(language, name).width_on_screen
    assert {screen: width for screen, width in widths.items() if width > screen} == {}


@pytest.mark.parametrize("name", NAMES)
def test_the_language_switch_keeps_the_page_even_without_javascript(
    home, page_without_script, name
):
    page = page_without_script
    page.goto(address(home, "ja", name))
    page.get_by_role("link", name="English").first.click()
    assert page.url == address(home, "en", name)
    assert page.locator("html").get_attribute("lang") == "en"
    page.get_by_role("link", name="日本語").first.click()
    assert page.url == address(home, "ja", name)
    assert page.locator("html").get_attribute("lang") == "ja"


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_open_and_formulas_show_without_javascript(home, page_without_script, language):
    page = page_without_script
    page.goto(address(home, language, "attention-by-hand"))
    assert page.locator("math").first.bounding_box()["width"] > 0
    answer = page.locator("details").first
    assert not answer.locator("p").first.is_visible()
    answer.locator("summary").click()
    assert answer.locator("p").first.is_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_page_says_so_and_leads_home(home, page, language):
    page.goto(f"{home}{FOLDERS[language]}no-such-page/")
    heading = page.get_by_role("heading", level=1)
    assert heading.inner_text()
    page.locator(".md-content").get_by_role("link").first.click()
    assert page.url.startswith(home)
    assert page.title()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_tab_stop_is_a_skip_link_that_works(home, page, language):
    page.goto(address(home, language, "causal-mask"))
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert "md-skip" in focused.get_attribute("class")
    page.keyboard.press("Enter")
    assert "#" in page.url


@pytest.mark.parametrize("key", ["Enter", "Space"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_of_a_phone_opens_and_closes_by_keyboard(home, browser, language, key):
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(address(home, language, "causal-mask"))
    link = page.locator(".md-sidebar--primary a.md-nav__link[href='../multi-head/']")
    assert not link.is_visible()
    menu = page.locator("label.md-header__button[for=__drawer]")
    assert menu.get_attribute("aria-label")
    menu.focus()
    page.keyboard.press(key)
    link.wait_for(state="visible")
    page.keyboard.press("Escape")
    link.wait_for(state="hidden")
    context.close()


def test_the_language_switch_keeps_the_place_on_the_page(home, page):
    page.goto(address(home, "ja", "causal-mask") + "#leak-test")
    page.get_by_role("link", name="English").first.click()
    assert page.url == address(home, "en", "causal-mask") + "#leak-test"


def test_paper_is_light_even_where_the_screen_is_dark(home, browser):
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(address(home, "en", "causal-mask"))
    ink = "getComputedStyle(document.body).color"
    on_screen = page.evaluate(ink)
    page.emulate_media(media="print")
    on_paper = page.evaluate(ink)
    assert sum(map(int, on_screen[4:-1].split(",")[:3])) > 600
    assert sum(map(int, on_paper.strip("rgba()").split(",")[:3])) < 300
    context.close()
