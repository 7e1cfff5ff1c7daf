"""The bank lesson as its tests meet it: by roles, and names in the page's words."""

import contextlib
import functools
import re
from collections.abc import Iterator
from typing import Any

from lesson_markup.bank_words import read_words
from playwright.sync_api import Browser, Dialog, Locator, Page

from tests.browser.addresses import address
from tests.docs.course import HERE
from tests.docs.pages import load_page

SENTENCES = {"river": "by the river bank", "savings": "at the savings bank"}
MODES = ("scaled", "unscaled", "uniform")
CHOICES = ("soft", "hard")
STEPS = range(1, 7)


@functools.cache
def words_of(language: str) -> dict[str, str]:
    """Read the texts that a page gives to the lesson."""
    page = load_page(HERE, HERE.pages(language) / "bank-lesson.md")
    (fence,) = (one for one in page.fences if one.language == "bank-lesson")
    return read_words(fence.code)


def plain(text: str) -> str:
    """Drop the marks that only change how a text looks."""
    return re.sub(r"[`*]|\[([^\]]*)\]\{[^}]*\}", r"\1", text).replace("d_k", "dk")


def open_page(browser: Browser, **options: Any) -> Page:
    """Open a page that several tests can share, so that it need not load everything anew."""
    return browser.new_context(viewport={"width": 1280, "height": 900}, **options).new_page()


@contextlib.contextmanager
def no_errors(page: Page) -> Iterator[None]:
    """Fail at the end if a script raised an error or opened a dialog in between."""
    met: list[str] = []

    def note(error: Exception) -> None:
        met.append(str(error))

    def refuse(dialog: Dialog) -> None:
        met.append(dialog.message)
        dialog.dismiss()

    page.on("pageerror", note)
    page.on("dialog", refuse)
    yield
    page.remove_listener("pageerror", note)
    page.remove_listener("dialog", refuse)
    assert met == []


class Lesson:
    """The live lesson on an open page, in one language."""

    def __init__(self, page: Page, home: str, language: str, hash_: str = "") -> None:
        """Open the page and wait until the lesson is live."""
        self.page, self.language, self.words = page, language, words_of(language)
        # The rest of the page may still load while the lesson is live.
        page.goto(address(home, language, "bank-lesson") + hash_, wait_until="commit")
        self.root = page.locator("bank-lesson[ready]")
        self.root.wait_for()

    def button(self, key: str) -> Locator:
        """Find a button by the key of its text."""
        return self.root.get_by_role("button", name=plain(self.words[key]), exact=True)

    def choose(self, name: str) -> None:
        """Pick one of the choices by its name: a sentence, a computation, a token."""
        self.radio(name).check(force=True)

    def radio(self, name: str) -> Locator:
        """Find a choice by the key of its text, or by its text."""
        # A token's name is followed by its number of the moment.
        exactly = re.compile(rf"^{re.escape(self.text(name))}( ?[\d.]+)?$")
        return self.root.get_by_role("radio", name=exactly)

    def text(self, name: str) -> str:
        """Give a text by its key, or the text itself where there is no such key."""
        return plain(self.words.get(name, name))

    def step(self, number: int) -> Locator:
        """Find the mark of a step by number and title."""
        title = self.text(f"step{number}_title")
        return self.root.get_by_role("button", name=f"{number} {title}", exact=True)

    def go(self, number: int) -> None:
        """Go to a step; a question on the way is skipped."""
        self.step(number).click()
        self.skip()

    def skip(self) -> None:
        """Answer a question with a skip if there is one."""
        if self.button("predict_skip").is_visible():
            self.button("predict_skip").click()

    @property
    def says(self) -> str:
        """What the live region says now."""
        return self.root.locator("[aria-live]").inner_text()

    def row(self, of: str, index: int = 3) -> list[str]:
        """Give the numbers of one row of a table that is on the screen."""
        return (
            self.root.locator(f".bl-{of} tbody tr")
            .nth(index)
            .get_by_role("button")
            .all_inner_texts()
        )

    def column(self) -> list[str]:
        """Give the numbers of the output."""
        return self.root.locator(".bl-mix tbody").get_by_role("button").all_inner_texts()

    def cell(self, name: str) -> Locator:
        """Find a number by the beginning of its name."""
        return self.root.get_by_role("button", name=re.compile(f"^{re.escape(name)} ="))

    def number(self, of: str, row: str, column: str) -> Locator:
        """Find a number by what it is, in the page's words."""
        name = self.words[f"name_{of}"].replace("{row}", row).replace("{column}", column)
        return self.cell(name)

    def state(self) -> dict[str, str]:
        """Read the state from the attributes."""
        names = ("sentence", "mode", "ask", "choice", "step")
        return {name: self.root.get_attribute(name) for name in names}
