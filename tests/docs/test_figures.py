"""Every bound figure of the course is what the code gives, and what the record says."""

import re

import pytest

from tests.docs import bound
from tests.docs.course import HERE, report
from tests.docs.mutate_docs import record_path
from tests.docs.runs import RUNNER

PAGES = bound.pages_with_figures(HERE)


def fail_on(problems):
    if problems:
        pytest.fail(report(problems), pytrace=False)


def test_every_bound_figure_is_what_the_code_gives():
    record = bound.read_record(HERE)
    fail_on([one for page in PAGES for one in bound.check_figures(HERE, page, RUNNER, record)])


def test_the_last_full_run_of_mutants_found_every_one():
    recorded = record_path(HERE).read_text(encoding="utf-8")
    shares = re.findall(r"(\d+) / (\d+)", recorded)
    assert "all" in recorded, "snippets/mutate_docs.txt holds no table; run `make mutate-docs`"
    assert all(found == tried for found, tried in shares), recorded


def test_no_value_is_recorded_that_no_page_shows():
    fail_on(bound.check_record(HERE, PAGES, bound.read_record(HERE)))
