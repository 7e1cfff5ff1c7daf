"""What reaches the reader is what was checked: fences, formulas, links, in both languages."""

from itertools import zip_longest

import pytest
from lesson_markup.fences import find_fences
from lesson_markup.figures import BOUND
from mkdocs.exceptions import BuildError

from tests.docs import markdown
from tests.docs.course import HERE, LANGUAGES, Problem, report
from tests.docs.fences_plugin import collected_python
from tests.docs.pages import OUTPUT, load_page
from tests.docs.render import AHEAD, check_links, leftovers, render_prose
from tests.docs.unbound import check_unbound


@pytest.fixture(scope="module", params=LANGUAGES)
def site(request):
    try:
        return AHEAD.site(HERE, request.param)
    except BuildError as error:  # its text is file, line and what to do
        pytest.fail(str(error), pytrace=False)


def fail_on(problems):
    if problems:
        pytest.fail(report(problems), pytrace=False)


def test_rendering_gives_no_warning(site):
    if site.warnings:
        pytest.fail("\n".join(site.warnings), pytrace=False)


def test_python_blocks_shown_are_the_fences_that_run(site):
    found = []
    for page in site.pages.values():
        collected = collected_python(HERE, page.path)
        shown = page.reading.blocks("python")
        found += compare_blocks(page.path, "python", collected, shown)
    fail_on(found)


def test_output_blocks_shown_are_the_fences_that_were_compared(site):
    found = []
    for page in site.pages.values():
        source = load_page(HERE, page.path)
        fences = [(one.line, one.code) for one in source.fences if one.language == OUTPUT]
        found += compare_blocks(page.path, OUTPUT, fences, page.reading.blocks(OUTPUT))
    fail_on(found)


def compare_blocks(path, language, fences, shown):
    """Demand that the blocks of a page's HTML are its fences, in order."""
    name = HERE.show(path)
    for (line, code), block in zip(fences, shown, strict=False):
        if code.strip("\n") != block:
            text = f"this {language} fence is not the block that the reader sees:\n{block}"
            return [Problem(name, line, text)]
    if len(fences) != len(shown):
        lines = ", ".join(str(line) for line, _ in fences)
        text = (
            f"{len(fences)} {language} fences (lines {lines or 'none'}), but the reader sees "
            f"{len(shown)} blocks; check indentation and the fences' headers"
        )
        return [Problem(name, 1, text)]
    return []


def test_links_anchors_and_images_hold(site):
    fail_on(check_links(HERE, site))


def test_no_markdown_is_left_unrendered(site):
    fail_on([one for page in site.pages.values() for one in leftovers(HERE, page)])


def formulas(page):
    """List the formulas of a page, those within bound figures included."""
    lines = [BOUND.sub(r"\g<literal>", line) for line in page.lines]
    return markdown.find_formulas(markdown.prose(lines, find_fences(lines)))


def test_no_figure_of_a_page_is_left_unbound(site):
    found = []
    for page in site.pages.values():
        found += check_unbound(HERE, load_page(HERE, page.path), page.reading.unbound())
    for path in HERE.notebook_files(site.language):
        notebook = load_page(HERE, path)
        found += check_unbound(HERE, notebook, render_prose(HERE, notebook).unbound())
    fail_on(found)


def test_every_formula_becomes_mathml_with_its_tex_as_alternative(site):
    found = []
    for page in site.pages.values():
        written = formulas(load_page(HERE, page.path))
        for (line, tex), shown in zip_longest(written, page.reading.formulas, fillvalue=(1, "")):
            if "".join(tex.split()) != "".join(str(shown).split()):
                text = f"the formula {tex!r} is rendered as {shown!r}"
                found.append(Problem(HERE.show(page.path), line, text))
                break
    fail_on(found)
