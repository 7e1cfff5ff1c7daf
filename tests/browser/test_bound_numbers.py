"""A figure tells where it comes from: by mouse, finger and keyboard, read aloud, and on paper."""

import re
from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.addresses import NAMES, address
from tests.docs.course import LANGUAGES

NAME, SECTION, LAB = "query-key-value", "soft-search", "soft_search"
FIRST, SECOND, LAST = "0.577", "0.285", "0.069"  # the figures of one list item
WORDS = {"ja": "計算元", "en": "computed by"}
ARRIVED = re.compile(rf"#lab-{LAB}$")
LONGER_THAN_ANY_DELAY = 600  # ms
EDGE = {"x": 2, "y": 2}  # of a heading, away from the link that it holds

# Opens every figure in turn and lists those whose box is cut off, hides them, or moves the text.
OPEN_EACH = """() => {
  const faults = [];
  const { clientWidth: wide, scrollWidth: whole } = document.scrollingElement;
  const lines = (one) => {
    const own = one.getBoundingClientRect();
    const block = one.closest("p, li, caption, td, div").getBoundingClientRect();
    return [own.left, own.right, own.top - block.top, block.height].join();
  };
  for (const figure of document.querySelectorAll("a.al-n")) {
    figure.scrollIntoView({ block: "center" });
    const before = lines(figure);
    figure.click();
    const own = figure.getBoundingClientRect();
    const box = document.getElementById("al-origin").getBoundingClientRect();
    const cut = box.left < 0 || box.right > wide || box.top < 0 || box.bottom > innerHeight;
    const hides = box.bottom > own.top && box.top < own.bottom;
    const wider = document.scrollingElement.scrollWidth > whole;
    if (cut || hides || wider || lines(figure) !== before) faults.push(figure.dataset.from);
    figure.click();
  }
  return faults;
}"""
# Lists, for every block, which of its figures are Tab stops.
TAB_STOPS = """() => {
  const blocks = new Map();
  for (const figure of document.querySelectorAll("a.al-n")) {
    const block = figure.closest("p, li, dd, table, div");
    blocks.set(block, [...(blocks.get(block) ?? []), figure.tabIndex === 0]);
  }
  return [...blocks.values()];
}"""
UNFOLD = "document.querySelectorAll('details').forEach(one => one.open = true)"


@dataclass
class Figures:
    """What one visit to a page showed of its figures."""

    tab_stops: list[list[bool]]
    boxes_at_fault: dict[int, list[str]]


@pytest.fixture(scope="module", params=LANGUAGES)
def figures(request, home, browser):
    """Visit every page of a language once, on a laptop and on the narrowest phone."""
    context = browser.new_context()
    page = context.new_page()
    seen = {}
    for name in NAMES:
        page.goto(address(home, request.param, name))
        page.evaluate(UNFOLD)
        seen[name] = Figures(page.evaluate(TAB_STOPS), {})
        for width in (1280, 320):
            page.set_viewport_size({"width": width, "height": 740})
            seen[name].boxes_at_fault[width] = page.evaluate(OPEN_EACH)
    context.close()
    return seen


@pytest.fixture(params=[1280, 360])
def reader(request, browser):
    """A page on a laptop, and one on a phone that answers to fingers."""
    phone = request.param == 360
    context = browser.new_context(
        viewport={"width": request.param, "height": 740}, has_touch=phone, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


def figure(page, name=FIRST):
    """Find a figure by what it says; the script has made a button of the link."""
    return page.get_by_role("button", name=name, exact=True).first


def box(page):
    """Find the box, if it is shown."""
    return page.get_by_role("note")


def lab_link(page):
    """Find the link in the box."""
    return box(page).get_by_role("link", name=f"{LAB}.py", exact=True)


def tab_to(page, wanted):
    """Press Tab from the section's heading on, as often as it takes."""
    page.locator(f"#{SECTION}").evaluate("one => { one.tabIndex = -1; one.focus(); }")
    for _ in range(20):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            return
    pytest.fail("the figure is not among the next 20 Tab stops")


def origin(page, name=FIRST):
    """Return what the box must say of a figure: its expression and its unrounded value."""
    expression = figure(page, name).get_attribute("data-from")
    value = figure(page, name).locator("data").get_attribute("value")
    assert float(value) == pytest.approx(float(name), abs=0.0005)
    assert len(value) > len(name)
    return f"{expression} = {value}"


def expect_at_lab(page):
    """See that the reader has come to the lab's code: named, marked, and not below the header."""
    expect(page).to_have_url(ARRIVED)
    code = page.locator(f"#lab-{LAB}")
    header = page.locator(".md-header").bounding_box()
    expect(code).to_be_in_viewport()
    assert code.bounding_box()["y"] >= header["height"]
    label, mark = code.evaluate(
        "one => [getComputedStyle(one, '::before').content, getComputedStyle(one).outlineStyle]"
    )
    assert label == f'"{LAB}.py"'
    assert mark == "solid"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keyboard_alone_leads_from_a_figure_to_its_lab(home, reader, language):
    reader.goto(address(home, language, NAME))
    tab_to(reader, figure(reader))
    expect(box(reader)).to_contain_text(origin(reader))
    expect(figure(reader)).to_have_attribute("aria-expanded", "false")
    reader.keyboard.press("Enter")
    expect(figure(reader)).to_have_attribute("aria-expanded", "true")
    expect(box(reader)).to_contain_text(origin(reader))
    reader.keyboard.press("Tab")
    expect(lab_link(reader)).to_be_focused()
    reader.keyboard.press("Enter")
    expect_at_lab(reader)
    expect(box(reader)).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_enter_and_space_keep_the_box_open_and_close_it(home, page, language):
    page.goto(address(home, language, NAME))
    tab_to(page, figure(page))
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
        expect(figure(page)).to_have_attribute("aria-expanded", "true")
        page.keyboard.press(key)
        expect(figure(page)).to_have_attribute("aria-expanded", "false")
        expect(box(page)).to_be_hidden()
    assert "#" not in page.url


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_box_of_a_figure_that_only_has_focus_is_no_tab_stop(home, page, language):
    page.goto(address(home, language, NAME))
    tab_to(page, figure(page))
    expect(box(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(box(page).get_by_text(origin(page))).to_be_hidden()
    expect(page.locator(":focus")).not_to_have_text(re.compile(f"{SECOND}|{LAST}|{LAB}"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_escape_closes_the_box_wherever_the_focus_is(home, page, language):
    page.goto(address(home, language, NAME))
    tab_to(page, figure(page))
    page.keyboard.press("Escape")
    expect(box(page)).to_be_hidden()
    expect(figure(page)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(lab_link(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(box(page)).to_be_hidden()
    expect(figure(page)).to_be_focused()
    figure(page, LAST).hover()
    expect(box(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(box(page)).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_arrow_keys_move_among_the_figures_of_a_block(home, page, language):
    page.goto(address(home, language, NAME))
    tab_to(page, figure(page))
    for key, name in (
        ("ArrowLeft", FIRST),
        ("ArrowRight", SECOND),
        ("End", LAST),
        ("ArrowRight", LAST),
        ("ArrowLeft", SECOND),
        ("Home", FIRST),
        ("End", LAST),
    ):
        page.keyboard.press(key)
        expect(figure(page, name)).to_be_focused()
        expect(box(page)).to_contain_text(origin(page, name))
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).not_to_have_text(re.compile(f"{FIRST}|{SECOND}"))
    page.keyboard.press("Shift+Tab")
    expect(figure(page, LAST)).to_be_focused()


def test_every_block_is_one_tab_stop(figures):
    blocks = [stops for seen in figures.values() for stops in seen.tab_stops]
    assert max(map(len, blocks)) > 2
    assert [stops for stops in blocks if stops != [True] + [False] * (len(stops) - 1)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_box_tells_the_keys_where_they_are_of_use(home, page, language):
    page.goto(address(home, language, NAME))
    tab_to(page, figure(page))
    expect(box(page)).to_contain_text("→")
    figure(page, SECOND).click()
    expect(box(page)).to_contain_text(origin(page, SECOND))
    expect(box(page)).not_to_contain_text("→", use_inner_text=True)
    alone = (
        page.locator("p, li")
        .filter(has=page.locator("a.al-n"))
        .filter(has_not=page.locator("a.al-n ~ a.al-n"))
    )
    page.keyboard.press("Shift")  # after a key the focus counts as the keyboard's
    alone.locator("a.al-n:visible").first.focus()
    expect(box(page)).to_be_visible()
    expect(box(page)).not_to_contain_text("→", use_inner_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mouse_opens_the_box_and_can_go_into_it(home, page, language):
    page.goto(address(home, language, NAME))
    figure(page).hover()
    expect(box(page)).to_contain_text(origin(page))
    lab_link(page).hover()
    page.wait_for_timeout(LONGER_THAN_ANY_DELAY)
    expect(box(page)).to_be_visible()
    page.mouse.move(5, 300)
    expect(box(page)).to_be_hidden()
    figure(page).hover()
    expect(box(page)).to_be_visible()
    figure(page).click()
    page.mouse.move(5, 300)
    page.wait_for_timeout(LONGER_THAN_ANY_DELAY)
    expect(box(page)).to_be_visible()
    lab_link(page).click()
    expect_at_lab(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_click_opens_closes_and_moves_the_box(home, page, language):
    page.goto(address(home, language, NAME))
    figure(page).click()
    expect(box(page)).to_contain_text(origin(page))
    figure(page, SECOND).click()
    expect(box(page)).to_contain_text(origin(page, SECOND))
    expect(figure(page)).to_have_attribute("aria-expanded", "false")
    figure(page, SECOND).click()
    expect(box(page)).to_be_hidden()
    figure(page).click()
    page.get_by_role("heading", level=1).click(position=EDGE)
    expect(box(page)).to_be_hidden()
    assert "#" not in page.url


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finger_opens_the_box_and_follows_its_link(home, browser, language):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    page.goto(address(home, language, NAME))
    figure(page).tap()
    expect(box(page)).to_contain_text(origin(page))
    page.wait_for_timeout(LONGER_THAN_ANY_DELAY)
    expect(box(page)).to_be_visible()
    figure(page).tap()
    expect(box(page)).to_be_hidden()
    figure(page).tap()
    page.get_by_role("heading", level=1).tap(position=EDGE)
    expect(box(page)).to_be_hidden()
    figure(page).tap()
    lab_link(page).tap()
    expect_at_lab(page)
    context.close()


@pytest.mark.parametrize("width", [1280, 320])
def test_every_box_fits_the_screen_and_moves_no_text(figures, width):
    faults = {name: seen.boxes_at_fault[width] for name, seen in figures.items()}
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_box_stays_at_its_figure_while_the_page_scrolls(home, reader, language):
    reader.goto(address(home, language, NAME))
    figure(reader).click()
    apart = figure(reader).bounding_box()["y"] - box(reader).bounding_box()["y"]
    start = reader.evaluate("scrollY")
    reader.evaluate("scrollBy(0, 40)")
    reader.wait_for_function(f"scrollY === {start} + 40")
    assert figure(reader).bounding_box()["y"] - box(reader).bounding_box()["y"] == apart


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_reader_hears_a_figure_once_and_where_it_comes_from(home, page, language):
    page.goto(address(home, language, NAME))
    item = page.get_by_role("listitem").filter(has=page.get_by_role("button", name=SECOND))
    said = item.aria_snapshot()
    assert [said.count(name) for name in (FIRST, SECOND, LAST)] == [1, 1, 1]
    figure(page, SECOND).click()
    expect(figure(page, SECOND)).to_have_accessible_name(SECOND)
    expect(figure(page, SECOND)).to_have_accessible_description(
        f"{origin(page, SECOND)} {WORDS[language]} {LAB}.py"
    )
    said = item.aria_snapshot()
    assert said.index(f'button "{SECOND}" [expanded]') < said.index("note:") < said.index(LAST)
    page.keyboard.press("Escape")
    expect(figure(page, SECOND)).to_have_accessible_description("")


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_a_figure_is_a_link_to_its_lab(home, page_without_script, language):
    page = page_without_script
    page.goto(address(home, language, NAME))
    page.get_by_role("link", name=FIRST, exact=True).click()
    expect_at_lab(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_browser_without_popover_a_figure_stays_a_link(home, page, language):
    page.add_init_script("delete HTMLElement.prototype.showPopover")
    page.goto(address(home, language, NAME))
    page.get_by_role("link", name=FIRST, exact=True).click()
    expect_at_lab(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_shows_neither_mark_nor_box_nor_address(home, page, language):
    page.goto(address(home, language, NAME))
    figure(page).click()
    marks = """one => [
      getComputedStyle(one).borderBottomStyle,
      getComputedStyle(one).textDecorationLine,
      getComputedStyle(one, "::after").content,
    ]"""
    assert figure(page).evaluate(marks) == ["solid", "none", "none"]
    assert figure(page, SECOND).evaluate(marks) == ["dotted", "none", "none"]
    page.emulate_media(media="print")
    for name in (FIRST, SECOND):
        assert figure(page, name).evaluate(marks) == ["none", "none", "none"]
    expect(page.locator("#al-origin")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_no_fault_in_an_open_box(home, browser, language, scheme):
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(address(home, language, NAME))
    tab_to(page, figure(page))
    page.keyboard.press("Enter")
    expect(box(page)).to_be_visible()
    found = Axe().run(page)
    assert [fault["nodes"] for fault in found.response["violations"]] == []
    context.close()
