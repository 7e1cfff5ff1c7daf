"""Hold the two languages to each other: same pages, same structure, same code, same figures."""

import ast
import bisect
import re
import unicodedata
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.docs.blocks import Block, blocks, mismatch, numerals
from tests.docs.course import LANGUAGES, Course, Problem, read_config
from tests.docs.notebooks import Cell, load_cells
from tests.docs.pages import Page, load_page

Marked = list[tuple[int, Any]]


def first_difference(course: Course, ja: Path, en: Path, what: str, left: Marked, right: Marked):
    """Report the first place where two sequences of (line, value) part."""
    for count, (a, b) in enumerate(zip_longest(left, right), 1):
        if (a and a[1]) == (b and b[1]):
            continue
        shown_a = (
            f"{course.show(ja)}:{a[0]} has {a[1]!r}" if a else f"{course.show(ja)} has no more"
        )
        shown_b = (
            f"{course.show(en)}:{b[0]} has {b[1]!r}" if b else f"{course.show(en)} has no more"
        )
        path, line = (ja, a[0]) if a else (en, b[0])
        text = f"{what} {count} differs: {shown_a}, {shown_b}; make both languages agree"
        return [Problem(course.show(path), line, text)]
    return []


def check_files(course: Course) -> list[Problem]:
    """Demand the same files under docs/ja and docs/en."""
    names = {
        language: {
            path.relative_to(course.pages(language)).as_posix()
            for path in course.pages(language).rglob("*")
            if path.is_file() and not any(part.startswith((".", "_")) for part in path.parts[-2:])
        }
        for language in LANGUAGES
    }
    found = []
    for language, other in (LANGUAGES, LANGUAGES[::-1]):
        for name in sorted(names[language] - names[other]):
            text = f"docs/{other}/{name} is missing; every page exists in both languages"
            found.append(Problem(f"docs/{language}/{name}", 1, text))
    return found


def pairs(course: Course) -> list[tuple[Page, Page]]:
    """Give the pages that exist in both languages, side by side."""
    found = []
    for path in course.page_files("ja") + course.notebook_files("ja"):
        other = course.pages("en") / path.relative_to(course.pages("ja"))
        if other.is_file():
            found.append((load_page(course, path), load_page(course, other)))
    return found


def by_section(page: Page, found: Marked) -> Marked:
    """Sort what stands under one heading, since the languages differ in the order of words."""
    starts = [heading.line for heading in page.headings]
    return sorted(found, key=lambda one: (bisect.bisect(starts, one[0]), one[1]))


def links(page: Page) -> Marked:
    """List a page's links, section by section."""
    return by_section(page, [(link.line, link.target) for link in page.links if not link.image])


def declared(page: Page) -> Marked:
    """List what the front matter says of figures: labs of other pages, structural numbers."""
    return [(1, (name, repr(page.meta.get(name)))) for name in ("labs", "structural")]


def matrix_sources(page: Page) -> Marked:
    """List which recorded arrays a page draws."""
    keys = ("from:", "name:", "kind:")
    return [
        (fence.line, tuple(line.strip() for line in fence.lines if line.startswith(keys)))
        for fence in page.fences
        if fence.language == "matrix"
    ]


def display_formulas(page: Page) -> Marked:
    """List the formulas that stand on lines of their own, the words in them left out."""
    found: Marked = []
    inside: list[str] | None = None
    for number, line in enumerate(page.prose, 1):
        if line.strip() == "$$":
            if inside is not None:
                tex = re.sub(r"\\text\{[^{}]*\}", "", " ".join(inside))
                found.append((number - len(inside), " ".join(tex.split())))
            inside = [] if inside is None else None
        elif inside is not None:
            inside.append(line)
    return by_section(page, found)


def bound(page: Page) -> Marked:
    """List the expressions that figures are bound to, with their labs, block by block."""
    starts = [block.line for block in blocks(page)]
    places = [(bisect.bisect(starts, one.line), one.lab, one.expression) for one in page.figures]
    order = sorted(range(len(places)), key=places.__getitem__)
    return [(page.figures[one].line, places[one]) for one in order]


def check_blocks(course: Course, ja: Page, en: Page) -> list[Problem]:
    """Demand block by block the same kinds, and the same numbers in the same order.

    Numbers are those that no code computes, wherever they stand: in words, code, formulas, links.
    """
    if ja.problems or en.problems:
        return []
    pair = blocks(ja), blocks(en)
    kinds = [[(block.line, block.kind) for block in side] for side in pair]
    if found := first_difference(course, ja.path, en.path, "block", *kinds):
        return [_quoted(found[0], course, pair)]
    for left, right in zip(*pair, strict=True):
        numbers = numerals(left, "ja"), numerals(right, "en")
        if lonely := mismatch(*numbers):
            number, side = lonely
            page, line = (ja, left.line) if side == "left" else (en, right.line)
            listed = [", ".join(one.text for one in side) or "none" for side in numbers]
            text = (
                f"{number.text!r} has no counterpart in the other language; in this block "
                f"{course.show(ja.path)}:{left.line} has {listed[0]}, "
                f"{course.show(en.path)}:{right.line} has {listed[1]}; make both languages agree"
            )
            found.append(Problem(course.show(page.path), line, text))
    return found


VIEWS: dict[str, Callable[[Page], Marked]] = {
    "heading": lambda page: [(one.line, (one.level, one.id)) for one in page.headings],
    "include": lambda page: [(one.line, one.target) for f in page.fences for one in f.includes],
    "fence": lambda page: [(one.line, (one.language, *one.options)) for one in page.fences],
    "matrix": matrix_sources,
    "display formula": display_formulas,
    "link": links,
    "image": lambda page: [(one.line, one.target) for one in page.links if one.image],
    "front matter": declared,
    "bound figure": bound,
}


def check_view(course: Course, what: str, ja: Page, en: Page) -> list[Problem]:
    """Compare one view of a page and its counterpart."""
    if ja.problems or en.problems:  # their figures could not be read; that is reported itself
        return []
    view = VIEWS[what]
    return first_difference(course, ja.path, en.path, what, view(ja), view(en))


def _quoted(problem: Problem, course: Course, pair: tuple[list[Block], list[Block]]) -> Problem:
    """Add the beginning of the block that the problem stands at."""
    side = pair["docs/en/" in problem.path]
    text = next((one.text for one in side if one.line == problem.line), "")
    return Problem(problem.path, problem.line, f"{problem.text}; it begins {text.strip()[:40]!r}")


def nav_files(nav: Any) -> list[str]:
    """List the files of a navigation, in order."""
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav
    return [name for entry in entries for name in nav_files(entry)]


def check_nav(course: Course) -> list[Problem]:
    """Demand one order of pages for both languages, with no page left out."""
    navs = {name: nav_files(read_config(course, name).get("nav") or []) for name in LANGUAGES}
    found = []
    for count, (ja, en) in enumerate(zip_longest(navs["ja"], navs["en"]), 1):
        if ja != en:
            text = f"entry {count} of nav is {en!r}, but in mkdocs.yml {ja!r}"
            found.append(Problem("mkdocs.en.yml", 1, text))
            break
    for language, name in (("ja", "mkdocs.yml"), ("en", "mkdocs.en.yml")):
        for path in course.page_files(language) + course.notebook_files(language):
            page = path.relative_to(course.pages(language)).as_posix()
            if page not in navs[language]:
                found.append(Problem(name, 1, f"nav does not list {page}, so no reader finds it"))
    return found


def check_notebooks(course: Course) -> list[Problem]:
    """Demand the same code in both notebooks, apart from the words in their strings."""
    found = []
    for path in course.notebook_files("ja"):
        other = course.pages("en") / path.relative_to(course.pages("ja"))
        if other.is_file():
            found += check_cells(course, path, other, load_cells(path), load_cells(other))
    return found


def check_cells(
    course: Course, ja: Path, en: Path, left: list[Cell], right: list[Cell]
) -> list[Problem]:
    """Compare the cells of two notebooks."""
    views = {
        "cell kind": lambda cells: [(cell.line, cell.kind) for cell in cells],
        "cell option": lambda cells: [(cell.line, numbers_of(cell.options)) for cell in cells],
        "code cell": lambda cells: [(c.line, skeleton(c)) for c in cells if c.kind == "code"],
    }
    return [
        problem
        for what, view in views.items()
        for problem in first_difference(course, ja, en, what, view(left), view(right))
    ]


def skeleton(cell: Cell) -> str:
    """Give code with the words of its strings blanked and their numbers kept."""
    tree = ast.parse(cell.code())
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = " ".join(numbers_of(node.value))
    return ast.unparse(tree)


def numbers_of(text: str) -> list[str]:
    """List the numbers in a text, full-width digits read as digits."""
    return re.findall(r"\d+(?:\.\d+)?", unicodedata.normalize("NFKC", text))
