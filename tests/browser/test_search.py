"""The search box, used as a reader does: type, and look at what is offered."""

import pytest
from playwright.sync_api import TimeoutError as NotOffered

from tests.browser.addresses import address
from tests.docs.course import LANGUAGES
from tests.docs.glossary import glossary_terms


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_glossary_term_finds_something(home, page, language):
    page.goto(address(home, language, "index"))
    box = page.locator(".md-search__input")
    offered = page.locator(".md-search-result__item")
    box.focus()
    page.wait_for_function("document.querySelector('.md-search-result__meta').innerText.trim()")
    not_found = []
    for term in glossary_terms(language):
        box.fill("")
        box.press("Backspace")
        offered.first.wait_for(state="detached")
        box.fill(term)
        box.press("End")  # the box listens to keys, and text can come without any
        try:
            offered.first.wait_for(state="attached", timeout=3000)
        except NotOffered:
            not_found.append(term)
    assert not_found == []
