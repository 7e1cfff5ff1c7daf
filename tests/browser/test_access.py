"""Every page, in both languages, light and dark, all unfolded: axe-core finds nothing."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.addresses import NAMES, address
from tests.docs.course import LANGUAGES

VIOLATIONS = {"resultTypes": ["violations"]}  # the rest would be collected for nothing
UNFOLD = "document.querySelectorAll('details').forEach(one => one.open = true)"


@pytest.fixture(scope="module", params=["light", "dark"])
def scheme_page(request, browser):
    context = browser.new_context(color_scheme=request.param, reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*NAMES, "404.html"])
def test_a_page_has_no_fault_that_axe_knows(home, scheme_page, language, name):
    place = address(home, language, name)
    scheme_page.goto(place.removesuffix("/") if name == "404.html" else place)
    scheme_page.evaluate(UNFOLD)
    found = Axe().run(scheme_page, options=VIOLATIONS)
    faults = [
        f"{fault['id']} ({fault['impact']}): {fault['help']}: {node['target']}"
        for fault in found.response["violations"]
        for node in fault["nodes"]
    ]
    assert faults == []
