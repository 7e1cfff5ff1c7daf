"""Mutants of the documented figures: small wrong changes, each of which the checks must find.

A mutant changes one thing in one file of one language, as a slip of the hand would. It is checked
by the functions that `make verify` runs, over what it touches only, so that thousands can be tried.
"""

import dataclasses
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from lesson_markup.fences import find_fences, split_info
from lesson_markup.figures import BOUND, HEADING

from tests.docs import bound, parity, rules
from tests.docs.blocks import ENGLISH, ENGLISH_COUNTS, INCLUDED, ROW, TITLE
from tests.docs.check import check_html, check_pair
from tests.docs.course import LANGUAGES, Course
from tests.docs.notebooks import CELL, split_cells
from tests.docs.numerals import check_numbers, read_register
from tests.docs.outputs import check_lab, check_page
from tests.docs.pages import FRONT_MATTER, load_page, parse_page
from tests.docs.runs import LabRunner

DIGIT = re.compile(r"\d")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])")
MINUS = re.compile(r"(?<![\w)\]}-])[-−](?=\d)(?!-8<)")
POINT = re.compile(r"(?<=\d)\.(?=\d)")
SENTENCE = re.compile(r"[^。\n]+。|[A-Z“][^\n]*?[.?](?=\s|$)")
INCLUDED_FILE = re.compile(r"(?<=--8<-- \")(?P<stem>\w+)(?=\.(?P<ending>py|out))")


@dataclass(frozen=True)
class Mutant:
    """One wrong change: in which file, of which kind, where, and what stands there now."""

    path: Path
    kind: str
    start: int
    end: int
    new: str

    def apply(self, text: str) -> str:
        """Give the file's text with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def show(self, course: Course, text: str) -> str:
        """Say what was changed, for a list of those that were missed."""
        line = text.count("\n", 0, self.start) + 1
        around = text[max(0, self.start - 30) : self.end + 30].replace("\n", " ")
        old = text[self.start : self.end]
        return (
            f"{course.show(self.path)}:{line}: {self.kind}: {old!r} -> {self.new!r} in {around!r}"
        )


def other_digit(digit: str, rng: random.Random) -> str:
    """Give a digit that is not this one."""
    return rng.choice([other for other in "0123456789" if other != digit])


def places(text: str) -> list[str]:
    """Name for each line of a page what stands there: prose, table, caption, code and so on."""
    lines = text.split("\n")
    named = ["prose"] * len(lines)
    for index, line in enumerate(lines):
        if ROW.match(line):
            named[index] = "table"
        elif HEADING.match(line) or TITLE.match(line):
            named[index] = "heading"
    for fence in find_fences(lines):
        language = split_info(fence.info)[0]
        kind = "page data" if language == "bank-lesson" else "typed block"
        kind = {"matrix": "caption"}.get(language, "code fence" if language in INCLUDED else kind)
        named[fence.line - 1 : fence.end] = [kind] * (fence.end - fence.line + 1)
    if matter := FRONT_MATTER.match(text):
        size = matter[0].count("\n")
        named[:size] = ["front matter"] * size
    return named


def notebook_places(text: str) -> list[str]:
    """The same for a notebook: its header, prose, alternative texts and code."""
    named, kind = [], "front matter"
    for line in text.split("\n"):
        if match := CELL.match(line):
            kind = "notebook prose" if "[markdown]" in match["rest"] else "notebook code"
            named.append("alternative text" if "alt=" in match["rest"] else kind)
        else:
            named.append(kind)
    return named


def of_page(course: Course, path: Path, rng: random.Random) -> Iterator[Mutant]:
    """List the mutants of one page of one language."""
    text = path.read_text(encoding="utf-8")
    named = notebook_places(text) if path.suffix == ".py" else places(text)

    def place(start: int) -> str:
        return named[text.count("\n", 0, start)]

    for match in DIGIT.finditer(text):
        if _is_data(text, match.start(), place(match.start())):
            kind = f"digit in {place(match.start())}"
            yield Mutant(path, kind, *match.span(), other_digit(match[0], rng))
    for match in MINUS.finditer(text):
        if place(match.start()) not in ("front matter", "notebook code"):
            yield Mutant(path, "minus sign removed", *match.span(), "")
    for match in POINT.finditer(text):
        if _is_data(text, match.start(), place(match.start())):
            start, end = match.start(), match.end() + 1
            yield Mutant(path, "decimal point moved", start, end, text[end - 1] + ".")
    yield from _swapped(path, text)
    yield from _removed(course, path, text)
    yield from _repointed(course, path, text, rng)
    yield from _reworded(course, path, text, place)


def _is_data(text: str, start: int, place: str) -> bool:
    """Leave out digits of comments in a notebook's code, and of jupytext's own header."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if place == "notebook code":
        return "#" not in line and not re.search(r"[A-Za-z_]\w*$", line)
    return not ("jupyter" in line or line.startswith("#     "))


def _swapped(path: Path, text: str) -> Iterator[Mutant]:
    """Exchange two numbers that stand next to each other in a line of text."""
    if path.suffix == ".py":
        return
    named = places(text)
    offset = 0
    for number, line in enumerate(text.split("\n")):
        if named[number] in ("prose", "table", "heading"):
            # Within a bound figure only its literal is text.
            hidden = [
                (match.start() + len(match["literal"]) + 1, match.end())
                for match in BOUND.finditer(line)
            ]
            numbers = [
                match
                for match in NUMBER.finditer(line)
                if not any(start <= match.start() < end for start, end in hidden)
            ]
            for left, right in pairwise(numbers):
                if float(left[0]) != float(right[0]):
                    new = right[0] + line[left.end() : right.start()] + left[0]
                    span = offset + left.start(), offset + right.end()
                    yield Mutant(path, "two numbers swapped", *span, new)
        offset += len(line) + 1


def _removed(course: Course, path: Path, text: str) -> Iterator[Mutant]:
    """Take out a sentence that holds a bound figure."""
    if path.suffix == ".py":
        return
    spans = {}
    for figure in parse_page(course, path, text).figures:
        spans.setdefault(figure.line, []).append(figure.span)
    offset = 0
    for number, line in enumerate(text.split("\n"), 1):
        for sentence in SENTENCE.finditer(line):
            if any(
                sentence.start() <= start and end <= sentence.end()
                for start, end in spans.get(number, ())
            ):
                span = offset + sentence.start(), offset + sentence.end()
                yield Mutant(path, "sentence removed", *span, "")
        offset += len(line) + 1


def _repointed(course: Course, path: Path, text: str, rng: random.Random) -> Iterator[Mutant]:
    """Point an include at another lab."""
    stems = [lab.stem for lab in course.labs()]
    for match in INCLUDED_FILE.finditer(text):
        other = rng.choice([stem for stem in stems if stem != match["stem"]])
        yield Mutant(path, "include of another lab", *match.span("stem"), other)


def _reworded(course: Course, path: Path, text: str, place) -> Iterator[Mutant]:
    """Put another number word for an English one that counts."""
    if course.language_of(path) != "en":
        return
    cardinals = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
    for match in re.finditer(rf"(?i)\b(?:{'|'.join(ENGLISH_COUNTS)})\b", text):
        if place(match.start()) in ("prose", "table", "heading", "notebook prose"):
            value = int(ENGLISH[match[0].lower()])
            other = cardinals[(value - 1) % len(cardinals)]  # the next value, never its own
            yield Mutant(path, "number word changed", *match.span(), other)


def of_outputs(course: Course, rng: random.Random) -> Iterator[Mutant]:
    """List the mutants of the recorded outputs."""
    for path in sorted(course.snippets.glob("*.out")):
        text = path.read_text(encoding="utf-8")
        for match in DIGIT.finditer(text):
            yield Mutant(
                path, "digit in recorded output", *match.span(), other_digit(match[0], rng)
            )


def of_values(course: Course, rng: random.Random) -> Iterator[Mutant]:
    """List the mutants of the recorded values, which pages show as unrounded."""
    path = bound.record_path(course)
    text = path.read_text(encoding="utf-8")
    for line in re.finditer(r"^    (?P<key>\"(?:[^\"\\]|\\.)*\"): (?P<value>.*?),?$", text, re.M):
        for match in DIGIT.finditer(text, *line.span("value")):
            new = other_digit(match[0], rng)
            yield Mutant(path, "digit in recorded value", *match.span(), new)


def of_labs(course: Course, rng: random.Random) -> Iterator[Mutant]:
    """List the mutants of the labs' own numbers."""
    # A digit of a name or a comment is no data.
    data = re.compile(r"(?<![A-Za-z_\d.])\d|(?<=\d)\d|(?<=\.)\d")
    for path in course.labs():
        text = path.read_text(encoding="utf-8")
        for match in data.finditer(text):
            before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if "#" in before or re.search(r"[A-Za-z_]\w*$", before):
                continue
            mutant = Mutant(path, "digit in lab", *match.span(), other_digit(match[0], rng))
            try:
                compile(mutant.apply(text), path.name, "exec")
            except SyntaxError:
                continue
            yield mutant


def all_mutants(course: Course, rng: random.Random) -> list[Mutant]:
    """List every mutant of the course."""
    found = []
    for language in LANGUAGES:
        for path in course.page_files(language) + course.notebook_files(language):
            found += of_page(course, path, rng)
    return [*found, *of_outputs(course, rng), *of_values(course, rng), *of_labs(course, rng)]


def group(course: Course, mutant: Mutant) -> tuple[str, str]:
    """Give the category that a mutant is counted in: its kind and its language."""
    in_pages = mutant.path.is_relative_to(course.root / "docs")
    return mutant.kind, course.language_of(mutant.path) if in_pages else "both"


def is_found(course: Course, mutant: Mutant, runner: LabRunner) -> bool:
    """Tell whether the checks notice a mutant; the course is a copy, whose file may change."""
    text = mutant.path.read_text(encoding="utf-8")
    changed = mutant.apply(text)
    if mutant.path.suffix == ".out":
        return _with_file(mutant.path, text, changed, lambda: _output_found(course, mutant, runner))
    if mutant.path.suffix == ".json":
        before = bound.read_record(course)
        return _with_file(mutant.path, text, changed, lambda: _value_found(course, before, runner))
    if mutant.path.is_relative_to(course.snippets):
        register = read_register(course)
        return bool(check_numbers(mutant.path.name, changed, register[mutant.path.name]))
    return _page_found(course, mutant, text, changed, runner)


def _with_file(path: Path, text: str, changed: str, check) -> bool:
    path.write_text(changed, encoding="utf-8")
    try:
        return check()
    finally:
        path.write_text(text, encoding="utf-8")


def _output_found(course: Course, mutant: Mutant, runner: LabRunner) -> bool:
    return bool(check_lab(course, mutant.path.with_suffix(".py").name, runner))


def _value_found(course: Course, before: bound.Record, runner: LabRunner) -> bool:
    try:
        record = bound.read_record(course)
    except json.JSONDecodeError:
        return True
    changed = {
        (lab, expression)
        for lab, values in record.items()
        for expression, value in values.items()
        if repr(before.get(lab, {}).get(expression)) != repr(value)
    }
    for page in bound.pages_with_figures(course):
        figures = tuple(one for one in page.figures if (one.lab, one.expression) in changed)
        concerned = dataclasses.replace(page, figures=figures)
        if figures and bound.check_figures(course, concerned, runner, record):
            return True
    return False


def _page_found(course: Course, mutant: Mutant, text: str, changed: str, runner: LabRunner) -> bool:
    path = mutant.path
    language = course.language_of(path)
    other = next(one for one in LANGUAGES if one != language)
    counterpart = course.pages(other) / path.relative_to(course.pages(language))
    page = parse_page(course, path, changed)
    if bound.check_figures(course, page, runner):
        return True
    pair = {language: page, other: load_page(course, counterpart)}
    if check_pair(course, pair["ja"], pair["en"]):
        return True
    if path.suffix == ".py":
        cells = {language: split_cells(changed)}
        cells[other] = split_cells(counterpart.read_text(encoding="utf-8"))
        sides = [course.pages(one) / page.name for one in ("ja", "en")]
        if parity.check_cells(course, *sides, cells["ja"], cells["en"]):
            return True
    if rules.check_fence_forms(course, page) or check_page(course, page, runner):
        return True
    return _with_file(path, text, changed, lambda: bool(check_html(course, page)))
