"""Check single pages, both languages of each: `python -m tests.docs.check docs/en/scaling.md`.

What `make verify` says of these pages, in the time that one page takes.
"""

import argparse
import sys
import time
from pathlib import Path

from mkdocs.exceptions import BuildError

from tests.docs import bound, parity, rules
from tests.docs.blocks import blocks
from tests.docs.course import HERE, LANGUAGES, Course, Problem, report
from tests.docs.outputs import check_page
from tests.docs.pages import Page, load_page
from tests.docs.render import leftovers, render_prose, render_site
from tests.docs.runs import RUNNER, LabRunner
from tests.docs.unbound import check_unbound


def check_source(course: Course, page: Page, runner: LabRunner, record: bound.Record):
    """Check what one page says, without its counterpart and without rendering it."""
    return [
        *rules.check_fence_forms(course, page),
        *rules.check_stray_includes(course, page),
        *rules.check_headings(course, page),
        *check_page(course, page, runner),
        *bound.check_figures(course, page, runner, record),
    ]


def check_pair(course: Course, ja: Page, en: Page) -> list[Problem]:
    """Hold the two languages of a page to each other."""
    found = parity.check_blocks(course, ja, en)
    if len(blocks(ja)) != len(blocks(en)):  # all else would differ for that alone
        return found
    for view in parity.VIEWS:
        found += parity.check_view(course, view, ja, en)
    return found


def check_html(course: Course, page: Page) -> list[Problem]:
    """Render a page and check what the reader gets."""
    if page.notebook:
        return check_unbound(course, page, render_prose(course, page).unbound())
    try:
        site = render_site(course, page.language, {page.name})
    except BuildError as error:
        return [Problem(course.show(page.path), 1, f"cannot be rendered: {error}")]
    rendered = site.pages[page.name]
    return [
        *leftovers(course, rendered),
        *check_unbound(course, page, rendered.reading.unbound()),
    ]


def check_course(course: Course, runner: LabRunner) -> list[Problem]:
    """Check every page of both languages, and the record."""
    record = bound.read_record(course)
    pages = bound.pages_with_figures(course)
    found = bound.check_record(course, pages, record)
    for page in pages:
        found += check_source(course, page, runner, record) or check_html(course, page)
    for ja, en in parity.pairs(course):
        found += check_pair(course, ja, en)
    return found


def main() -> int:
    """Check the named pages."""
    parser = argparse.ArgumentParser(description="Check single pages, both languages of each.")
    parser.add_argument("pages", nargs="+", type=Path, help="pages, such as docs/en/scaling.md")
    names = {}
    for path in parser.parse_args().pages:
        whole = path.resolve()
        if not whole.is_file():
            parser.error(f"there is no page {path}")
        names[whole.relative_to(HERE.pages(HERE.language_of(whole)))] = None
    started = time.perf_counter()
    record = bound.read_record(HERE)
    found: list[Problem] = []
    figures = 0
    for name in names:
        pair = [load_page(HERE, HERE.pages(language) / name) for language in LANGUAGES]
        for page in pair:
            figures += len(page.figures)
            problems = check_source(HERE, page, RUNNER, record)
            found += problems or check_html(HERE, page)
        found += check_pair(HERE, *pair)
    if found:
        print(report(found))
    seconds = time.perf_counter() - started
    count = f"{len(found)} problem{'s' * (len(found) != 1)}"
    print(f"{count}, {figures} bound figures, {seconds:.1f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
