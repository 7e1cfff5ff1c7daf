"""What every page promises, whatever its language."""

from collections import Counter

import pytest
from pytest_markdown_docs.plugin import MarkdownInlinePythonItem

from tests.docs import rules
from tests.docs.course import HERE, LANGUAGES, report
from tests.docs.pages import load_page

PAGES = [load_page(HERE, path) for _, path in HERE.all_pages()]
NOTEBOOKS = [load_page(HERE, path) for one in LANGUAGES for path in HERE.notebook_files(one)]


def fail_on(problems):
    """Fail with all problems at once, so that an author mends them in one go."""
    if problems:
        pytest.fail(report(problems), pytrace=False)


def test_both_languages_have_pages():
    for language in LANGUAGES:
        assert HERE.page_files(language), f"docs/{language} has no pages; the checks prove nothing"


def test_fences_can_be_run_and_compared():
    fail_on([one for page in PAGES for one in rules.check_fence_forms(HERE, page)])


def test_includes_stand_inside_fences():
    fail_on([one for page in PAGES for one in rules.check_stray_includes(HERE, page)])


def test_every_heading_has_an_id_of_its_own():
    fail_on([one for page in PAGES + NOTEBOOKS for one in rules.check_headings(HERE, page)])


def test_titles_and_descriptions_are_given_and_distinct():
    fail_on(rules.check_front_matter(HERE, PAGES + NOTEBOOKS))


def test_every_lab_has_its_output_and_a_place_in_both_languages():
    fail_on(rules.check_snippets_are_used(HERE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_pytest_collects_every_python_fence(language, request):
    folder = HERE.pages(language)
    if f"docs/{language}" not in [arg.rstrip("/") for arg in request.config.args]:
        pytest.skip(f"docs/{language} was not asked for")
    collected = Counter(
        item.path for item in request.session.items if isinstance(item, MarkdownInlinePythonItem)
    )
    for page in PAGES:
        if page.path.is_relative_to(folder):
            wanted = len(page.python_fences())
            assert collected[page.path] == wanted, f"{HERE.show(page.path)}: fences not collected"
