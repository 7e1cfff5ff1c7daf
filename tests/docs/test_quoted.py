"""No figure in running text has outlived the run that it was read from."""

import dataclasses

import pytest

from tests.docs.course import HERE, report
from tests.docs.pages import load_page
from tests.docs.quoted import check_quoted


def test_every_figure_in_the_text_stands_in_a_lab_or_an_output():
    problems = [
        one for _, path in HERE.all_pages() for one in check_quoted(HERE, load_page(HERE, path))
    ]
    if problems:
        pytest.fail(report(problems), pytrace=False)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_figure_that_no_run_gives_is_found_at_its_line(language):
    page = load_page(HERE, HERE.pages(language) / "attention-by-hand.md")
    line = next(n for n, text in enumerate(page.prose) if "0.198" in text)
    prose = list(page.prose)
    prose[line] = prose[line].replace("0.198", "0.189")
    [problem] = check_quoted(HERE, dataclasses.replace(page, prose=tuple(prose)))
    assert problem.line == line + 1
    assert "the text says 0.189" in problem.text
