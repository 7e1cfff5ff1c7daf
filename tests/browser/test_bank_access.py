"""The bank lesson for every reader: keyboard, touch, narrow, printed, without script, and axe."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from attention_core import bank
from tests.browser.addresses import address
from tests.browser.bank import CHOICES, MODES, SENTENCES, STEPS, Lesson, open_page
from tests.docs.course import LANGUAGES

FOCUSED = "document.activeElement"


def focused(lesson):
    """Name what has the focus."""
    return lesson.page.evaluate(f"{FOCUSED}.ariaLabel || {FOCUSED}.innerText || {FOCUSED}.value")


def test_arrows_home_and_end_walk_through_the_steps(lesson):
    press = lesson.page.keyboard.press
    lesson.step(1).focus()
    press("ArrowRight")
    press("ArrowRight")
    assert lesson.state()["step"] == "3"
    assert focused(lesson).startswith("3")
    press("ArrowLeft")
    assert lesson.state()["step"] == "2"
    press("End")
    assert lesson.state()["step"] == "6"
    press("ArrowRight")
    assert lesson.state()["step"] == "6"
    press("Home")
    assert lesson.state()["step"] == "1"


def test_the_whole_lesson_can_be_done_with_keys_alone(lesson):
    press = lesson.page.keyboard.press
    lesson.radio(SENTENCES["river"]).focus()
    press("ArrowRight")
    assert lesson.state()["sentence"] == "savings"
    for _ in range(2):  # past the computation and the choice
        press("Tab")
    press("ArrowRight")
    assert lesson.state()["choice"] == "hard"
    press("ArrowLeft")
    while not focused(lesson).startswith("4"):
        press("Tab")
    press("Enter")
    while focused(lesson) != "savings":
        press("Tab")
    press("Space")
    assert lesson.row("scores") == ["0.11", "0.07", "0.69", "0.14"]
    assert focused(lesson).startswith("4")  # the button that was pressed is gone
    while not lesson.page.evaluate(f"{FOCUSED}.dataset.of"):
        press("Tab")
    press("ArrowRight")
    press("ArrowRight")
    assert "= 0.69" in focused(lesson)
    press("Enter")
    opened = lesson.root.locator(".bl-open")
    assert "0.685" in opened.inner_text()
    press("Escape")
    assert not opened.is_visible()
    assert "= 0.69" in focused(lesson)


def test_a_table_is_one_tab_stop_and_arrows_move_within_it(lesson):
    press = lesson.page.keyboard.press
    lesson.go(6)
    lesson.number("weights", "bank", "by").focus()
    press("ArrowUp")
    press("ArrowRight")
    assert focused(lesson) == lesson.number("weights", "river", "the").get_attribute("aria-label")
    press("End")
    assert focused(lesson) == lesson.number("weights", "river", "bank").get_attribute("aria-label")
    press("ArrowRight")
    assert focused(lesson) == lesson.number("weights", "river", "bank").get_attribute("aria-label")
    press("Home")
    assert focused(lesson) == lesson.number("weights", "river", "by").get_attribute("aria-label")
    press("Tab")
    geography = lesson.number("output", "bank", lesson.text("dimension1"))
    assert focused(lesson) == geography.get_attribute("aria-label")
    press("Shift+Tab")
    assert focused(lesson) == lesson.number("weights", "river", "by").get_attribute("aria-label")
    assert lesson.state()["step"] == "6"


def test_every_control_has_a_name_and_a_visible_focus(lesson):
    lesson.go(6)
    controls = lesson.root.locator(".bl-live").locator("button:visible, input")
    for control in controls.all():
        control.focus()
        lesson.page.keyboard.press("Shift")  # focus shows when keys are used
        name, style, width = control.evaluate(
            """one => { const shown = one.matches("input") ? one.nextElementSibling : one;
                const style = getComputedStyle(shown);
                const name = one.ariaLabel || shown.innerText;
                return [name, style.outlineStyle, style.outlineWidth] }"""
        )
        assert name.strip()
        assert (style, width) != ("none", "0px"), name
        assert float(width.removesuffix("px")) >= 2, name


@pytest.mark.parametrize("width", [320, 1280])
def test_targets_are_large_enough(lesson, width):
    lesson.page.set_viewport_size({"width": width, "height": 800})
    for number in STEPS:
        lesson.go(number)
        small = lesson.root.locator(".bl-live").evaluate(
            """live => [...live.querySelectorAll("button, label")].filter(one => one.offsetParent)
                .map(one => [one.textContent, one.getBoundingClientRect()])
                .filter(([, box]) => box.width < 24 || box.height < 24).map(([text]) => text)"""
        )
        assert small == []


# 200 % zoom of a window of 640 pixels leaves 320.
@pytest.mark.parametrize("width", [320, 360, 640])
def test_no_step_is_wider_than_the_screen(lesson, width):
    lesson.page.set_viewport_size({"width": width, "height": 740})
    for number in STEPS:
        lesson.go(number)
        wide = lesson.root.evaluate(
            """root => [...root.querySelectorAll(".bl-live *")]
                .filter(one => one.offsetParent && !one.closest("pre"))
                .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
                .filter(([, box]) => box.right > innerWidth || box.left < 0)
                .map(([html]) => html)"""
        )
        assert wide == []
        assert lesson.page.evaluate("document.scrollingElement.scrollWidth") <= width


SWIPE = """([dx, dy]) => {
    const text = document.querySelector(".bl-say");
    const touch = (x, y) => new Touch({ identifier: 1, target: text, clientX: x, clientY: y });
    const send = (type, name, at) =>
        text.dispatchEvent(new TouchEvent(type, { bubbles: true, [name]: [at] }));
    send("touchstart", "touches", touch(200, 200));
    send("touchend", "changedTouches", touch(200 + dx, 200 + dy));
}"""


def test_a_swipe_turns_the_step_and_a_scroll_does_not(lesson):
    lesson.page.evaluate(SWIPE, [-90, 10])
    assert lesson.state()["step"] == "2"
    lesson.page.evaluate(SWIPE, [-60, 200])
    lesson.page.evaluate(SWIPE, [-20, 0])
    assert lesson.state()["step"] == "2"
    lesson.page.evaluate(SWIPE, [90, 0])
    assert lesson.state()["step"] == "1"


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_motion_nothing_moves(browser, home, language):
    page = open_page(browser, reduced_motion="reduce")
    lesson = Lesson(page, home, language)
    lesson.go(5)
    lesson.choose("unscaled")
    moving = lesson.page.evaluate(
        "document.getAnimations().filter(one => one.effect.getTiming().duration > 1).length"
    )
    assert moving == 0
    page.context.close()


def static_figures(page):
    """Read the tables that need no script."""
    rows = page.locator(".bl-static .al-matrix tbody tr").all()
    matrix = [row.locator("td").all_inner_texts() for row in rows]
    modes = page.locator(".bl-modes tbody tr")
    return matrix, [modes.nth(k).locator("td").all_inner_texts() for k in range(modes.count())]


def check_static(page):
    matrix, modes = static_figures(page)
    for row, wanted in zip(matrix, bank.lesson("river").weights, strict=True):
        assert [float(text) for text in row] == wanted.round(2).tolist()
    assert len(modes) == len(SENTENCES) * len(MODES)
    assert modes[0] == ["[0.11, 0.07, 0.69, 0.14]", "[1.43, 0.06, 0.14, 0]"]
    assert modes[2] == ["[0.25, 0.25, 0.25, 0.25]", "[0.625, 0.125, 0.25, 0]"]
    assert modes[3] == ["[0.11, 0.07, 0.69, 0.14]", "[0.06, 1.43, 0.14, 0]"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_script_the_figures_stand_in_tables(page_without_script, home, language):
    page = page_without_script
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto(address(home, language, "bank-lesson"))
    assert page.locator(".bl-static").is_visible()
    assert page.locator(".bl-live").count() == 0
    check_static(page)
    assert page.locator(".bl-static").bounding_box()["width"] <= 320


def test_print_shows_the_tables_and_no_controls(lesson):
    lesson.go(5)
    assert not lesson.page.locator(".bl-static").is_visible()
    lesson.page.emulate_media(media="print")
    assert lesson.page.locator(".bl-static").is_visible()
    assert not lesson.page.locator(".bl-live").is_visible()
    check_static(lesson.page)


# Runs axe in each state and gives what it finds. The first two steps are the same in every mode.
LOOK = """async ([states]) => {
    const lesson = document.querySelector("bank-lesson");
    const found = [];
    for (const state of states) {
        for (const [name, value] of Object.entries(state)) lesson.setAttribute(name, value);
        [...lesson.querySelectorAll("[data-of]")].filter((one) => one.offsetParent).at(-1).click();
        const { violations } = await axe.run("bank-lesson", { resultTypes: ["violations"] });
        for (const { id, help, nodes } of violations) {
            for (const { html } of nodes) found.push([JSON.stringify(state), id, help, html]);
        }
    }
    return found;
}"""


def states_of(*, every):
    """List states to look at: every step in every computation, or in the standard alone."""
    for step in STEPS:
        for mode in MODES if every and step > 2 else MODES[:1]:
            for choice in CHOICES if every and step > 3 and mode == "scaled" else CHOICES[:1]:
                yield {"step": str(step), "mode": mode, "choice": choice}


# Words do not depend on the scheme, nor colours on the words: two of the four look at every state.
@pytest.mark.parametrize(
    ("language", "scheme", "every"),
    [("ja", "light", True), ("en", "dark", True), ("ja", "dark", False), ("en", "light", False)],
)
def test_axe_finds_nothing_in_any_step_and_computation(browser, home, language, scheme, every):
    page = open_page(browser, color_scheme=scheme, reduced_motion="reduce")
    lesson = Lesson(page, home, language)
    lesson.page.evaluate(Axe().axe_script)
    assert lesson.page.evaluate(LOOK, [list(states_of(every=every))]) == []
    lesson.choose("scaled")
    lesson.go(3)
    lesson.step(4).click()
    assert lesson.page.evaluate(LOOK, [[{"step": "4"}]]) == []
    lesson.root.get_by_role("button", name="bank", exact=True).click()
    lesson.button("copy_numpy").click()
    assert lesson.page.evaluate(LOOK, [[{"step": "4"}]]) == []
    page.context.close()
