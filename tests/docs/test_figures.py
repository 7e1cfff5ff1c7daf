"""Every bound figure of the course is what the code gives, and what the record says."""

import pytest

from tests.docs import bound
from tests.docs.course import HERE, report
from tests.docs.runs import RUNNER

PAGES = bound.pages_with_figures(HERE)


def fail_on(problems):
    if problems:
        pytest.fail(report(problems), pytrace=False)


def test_every_bound_figure_is_what_the_code_gives():
    record = bound.read_record(HERE)
    fail_on([one for page in PAGES for one in bound.check_figures(HERE, page, RUNNER, record)])


def test_no_value_is_recorded_that_no_page_shows():
    fail_on(bound.check_record(HERE, PAGES, bound.read_record(HERE)))
