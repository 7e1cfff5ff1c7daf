"""A page as a value: what it says about itself, and the fences as a reader sees them."""

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from lesson_markup.errors import PageError, locate
from lesson_markup.fences import INCLUDE, PYTHON, RawFence, find_fences, split_info
from lesson_markup.figures import BoundFigure, find_figures
from markdown import Markdown
from pymdownx.snippets import SnippetExtension, SnippetMissingError

from tests.docs import markdown
from tests.docs.course import Course, Problem, snippet_settings
from tests.docs.notebooks import page_text
from tests.docs.reading import HOLE

OUTPUT = "text"
FRONT_MATTER = re.compile(r"\A---\n(?P<yaml>.*?)\n---\n", re.DOTALL)


@dataclass(frozen=True)
class Include:
    """A line of a page that pulls in a file or one named section of it."""

    line: int
    target: str

    @property
    def file(self) -> str:
        """The file's name, relative to the snippets folder."""
        return self.target.partition(":")[0]

    @property
    def section(self) -> str:
        """The section, line range, or nothing."""
        return self.target.partition(":")[2]


@dataclass(frozen=True)
class Fence:
    """A fenced block: as written, and `code` as the reader sees it."""

    line: int
    language: str
    options: tuple[str, ...]
    lines: tuple[str, ...]
    includes: tuple[Include, ...]
    code: str
    problems: tuple[Problem, ...]

    @property
    def is_python(self) -> bool:
        """Whether pytest-markdown-docs takes it for code to run."""
        return self.language in PYTHON

    @property
    def continues(self) -> bool:
        """Whether it runs in what the fences before it left behind."""
        return "continuation" in self.options


@dataclass(frozen=True)
class Page:
    """A page of one language; every line number counts from 1 in its source file.

    `prose` has fences, comments, inline code and bound figures blanked.
    """

    path: Path
    name: str
    language: str
    meta: dict[str, Any]
    fences: tuple[Fence, ...]
    headings: tuple[markdown.Heading, ...]
    links: tuple[markdown.Link, ...]
    prose: tuple[str, ...]
    lines: tuple[str, ...] = ()
    unbound_lines: tuple[str, ...] = ()
    figures: tuple[BoundFigure, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def notebook(self) -> str:
        """Its name, if it is a notebook; nothing otherwise."""
        return self.path.stem if self.path.suffix == ".py" else ""

    def fence_at(self, line: int) -> Fence:
        """Give the fence that opens at a line."""
        return next(fence for fence in self.fences if fence.line == line)

    def chain(self, fence: Fence) -> tuple[Fence, ...]:
        """Give the Python fences that run before and up to this one, in one namespace."""
        found: list[Fence] = []
        for other in self.fences:
            if other.is_python:
                found = [*found, other] if other.continues else [other]
                if other is fence:
                    break
        return tuple(found)

    def output_of(self, fence: Fence) -> Fence | None:
        """Give the output fence of a Python fence: the next fence, if it is one."""
        following = self.fences[self.fences.index(fence) + 1 :][:1]
        return following[0] if following and following[0].language == OUTPUT else None

    def python_fences(self) -> list[Fence]:
        """List the fences that run."""
        return [fence for fence in self.fences if fence.is_python]


@functools.cache
def _expander(course: Course) -> Any:
    converter = Markdown(extensions=[SnippetExtension(**snippet_settings(course))])
    return converter.preprocessors["snippet"]


def expand(course: Course, lines: tuple[str, ...]) -> str:
    """Expand includes with the site's own extension and settings."""
    return "\n".join(_expander(course).run(list(lines)))


def read_fence(course: Course, raw: RawFence, shown: str) -> Fence:
    """Turn a raw fence into what the reader sees; what cannot be included becomes a problem."""
    language, options = split_info(raw.info)
    includes, problems, code = [], [], []
    for number, line in enumerate(raw.lines, raw.line + 1):
        match = INCLUDE.match(line)
        if match:
            includes.append(Include(number, match["target"]))
        try:
            code.append(expand(course, (line,)))
        except SnippetMissingError as error:
            wanted = includes[-1] if includes else Include(number, line.strip())
            problems.append(Problem(shown, number, _missing(course, wanted, error)))
    return Fence(
        raw.line, language, options, raw.lines, tuple(includes), "\n".join(code), tuple(problems)
    )


def _missing(course: Course, include: Include, error: Exception) -> str:
    path = course.snippets / include.file
    if path.is_file():
        return (
            f'the include "{include.target}" asks for the section "{include.section}", but '
            f"snippets/{include.file} has no line `# --8<-- [start:{include.section}]`"
        )
    return (
        f'the include "{include.target}" asks for snippets/{include.file}, which does not exist '
        f"({error}); add the file or correct the name"
    )


def parse_page(course: Course, path: Path, text: str) -> Page:
    """Read a page from its text, which need not be what the file holds."""
    language = course.language_of(path)
    matter = FRONT_MATTER.match(text)
    meta = (yaml.safe_load(matter["yaml"]) or {}) if matter else {}
    lines = text.split("\n")
    if matter:
        size = matter[0].count("\n")
        lines[:size] = [""] * size
    raw = find_fences(lines)
    figures, problems = read_figures(course, path, lines, meta)
    unbound = without_figures(lines, figures)
    prose = markdown.prose(unbound, raw)
    return Page(
        path,
        path.relative_to(course.pages(language)).as_posix(),
        language,
        meta,
        tuple(read_fence(course, fence, course.show(path)) for fence in raw),
        tuple(markdown.find_headings(prose)),
        tuple(markdown.find_links(markdown.without_formulas(prose))),
        tuple(prose),
        tuple(lines),
        tuple(unbound),
        tuple(figures),
        tuple(problems),
    )


def read_figures(
    course: Course, path: Path, lines: list[str], meta: dict[str, Any]
) -> tuple[list[BoundFigure], list[Problem]]:
    """Find a page's bound figures; broken notation becomes a problem at its line."""
    notebook = path.stem if path.suffix == ".py" else ""
    try:
        return find_figures(lines, meta.get("labs") or {}, notebook), []
    except PageError as error:
        line = locate("\n".join(lines), error.context, error.excerpt) or 1
        return [], [Problem(course.show(path), line, error.problem)]


def without_figures(lines: list[str], figures: list[BoundFigure]) -> list[str]:
    """Blank the bound figures; same line numbers."""
    kept = list(lines)
    for figure in figures:
        start, end = figure.span
        row = kept[figure.line - 1]
        # A mark, not a space: the line may begin with the figure and still be a paragraph.
        kept[figure.line - 1] = row[:start] + HOLE + " " * (end - start - 1) + row[end:]
    return kept


@functools.cache
def load_page(course: Course, path: Path) -> Page:
    """Read a page, or the prose of a notebook, from its file; once a session."""
    text = path.read_text(encoding="utf-8")
    return parse_page(course, path, page_text(text) if path.suffix == ".py" else text)
