"""Hold the figures in running text to the labs that stand on the page.

A figure is read from a recorded output, or from the data of a lab, by its author. When the lab
changes, the text must change with it: a figure that no lab of the page, or of a page that it links
to, still holds is stale.
"""

import re
from pathlib import Path

from tests.docs.course import Course, Problem
from tests.docs.pages import Page, load_page
from tests.docs.parity import figures

NUMBER = re.compile(r"\d+(?:\.\d+)?")
# Versions, sections of papers and years are no results.
NO_RESULTS = {"about.md", "glossary.md"}
YEAR = re.compile(r"(?:19|20)\d\d")


def check_quoted(course: Course, page: Page) -> list[Problem]:
    """Demand that each figure of the text stands in a lab or an output in the reader's reach."""
    if page.path.name in NO_RESULTS:
        return []
    known = numbers_of_labs(course, page)
    for name in sorted({link.target.partition("#")[0] for link in page.links}):
        linked = page.path.parent / name
        if name.endswith(".md") and linked.is_file():
            known |= numbers_of_labs(course, load_page(course, linked))
    found = []
    for line, value in figures(page):
        number = plain(value.lstrip("-").rstrip("%"))
        if number in known or len(number) < 2 or YEAR.fullmatch(number):
            continue
        text = (
            f"the text says {value}, which stands in no lab or output of this page or of a page "
            f"that it links to; copy the figure from the output that is meant"
        )
        found.append(Problem(course.show(page.path), line, text))
    return found


def numbers_of_labs(course: Course, page: Page) -> set[str]:
    """Collect the numbers in the labs that a page shows and in what they print."""
    files: set[Path] = set()
    for fence in page.fences:
        for include in fence.includes:
            lab = course.snippets / include.file
            files |= {lab, lab.with_suffix(".out")}
    texts = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
    return {plain(number) for text in texts for number in NUMBER.findall(text)}


def plain(number: str) -> str:
    """Write 0.50 and 0.5, or 3. and 3, alike; NumPy drops zeros at the end."""
    return number.rstrip("0").rstrip(".") if "." in number else number
