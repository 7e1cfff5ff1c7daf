"""Both languages are the same course."""

import pytest

from tests.docs import parity
from tests.docs.course import HERE, report


def fail_on(problems):
    if problems:
        pytest.fail(report(problems), pytrace=False)


def test_both_languages_have_the_same_files():
    fail_on(parity.check_files(HERE))


@pytest.mark.parametrize("view", parity.VIEWS)
def test_both_languages_agree_in_every(view):
    fail_on([one for ja, en in parity.pairs(HERE) for one in parity.check_view(HERE, view, ja, en)])


def test_both_languages_have_the_same_blocks_with_the_same_numbers():
    fail_on([one for ja, en in parity.pairs(HERE) for one in parity.check_blocks(HERE, ja, en)])


def test_nav_lists_every_page_in_one_order():
    fail_on(parity.check_nav(HERE))


def test_notebooks_hold_the_same_code():
    fail_on(parity.check_notebooks(HERE))
