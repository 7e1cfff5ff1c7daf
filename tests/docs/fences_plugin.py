"""Make pytest-markdown-docs see what readers see, and compare what the fences print.

The plugin by itself skips fences inside tabs and admonitions, does not expand includes, never
looks at output, and takes every Python module for a page. `register_runner` and the collector
classes are not public: pyproject pins the version.
"""

import functools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_markdown_docs._runners import _Runner, register_runner
from pytest_markdown_docs.definitions import FenceTestDefinition
from pytest_markdown_docs.plugin import (
    FenceSyntax,
    MarkdownDocstringCodeModule,
    MarkdownTextFile,
    extract_fence_tests,
)

from tests.docs.blocks import blocks, numerals
from tests.docs.course import HERE, LANGUAGES, Course, report
from tests.docs.outputs import check_fence
from tests.docs.pages import load_page, parse_page
from tests.docs.runs import RUNNER

_STARTED = time.perf_counter()


class FenceParser:
    """Stands in for MarkdownIt: the one method that pytest-markdown-docs calls."""

    def __init__(self, course: Course = HERE) -> None:
        """Read pages of this course."""
        self.course = course

    def parse(self, text: str) -> list[SimpleNamespace]:
        """Give the fences of a page, nested ones included, with their includes expanded."""
        return _tokens(self.course, text)


# A page is asked for by the collector and by the comparison with what readers see.
@functools.cache
def _tokens(course: Course, text: str) -> list[SimpleNamespace]:
    page = parse_page(course, course.pages("ja") / "page.md", text)
    return [
        SimpleNamespace(
            type="fence",
            map=[fence.line - 1, fence.line + 1 + len(fence.lines)],
            info="{." + " ".join((fence.language, *fence.options)) + "}",
            content=fence.code.rstrip("\n") + "\n",
        )
        for fence in page.fences
    ]


class WrongOutput(Exception):
    """A fence does not print what its page says."""


@register_runner(default=True)
class ComparingRunner(_Runner):
    """Runs a fence once, in its page's chain, and compares its output to the letter."""

    def runtest(
        self, test: FenceTestDefinition, args: dict[str, Any], *, asyncio_runner: Any = None
    ) -> None:
        """Check the fence that this test stands for; `args` would be the plugin's namespace."""
        try:
            page = load_page(HERE, Path(test.source_path))
            fence = page.fence_at(test.start_line)
            problems = check_fence(HERE, page, fence, RUNNER)
        except TypeError as error:
            # The plugin takes a TypeError for a runner of an older form and would run it again.
            raise RuntimeError(f"the check itself failed: {error}") from error
        if problems:
            raise WrongOutput(report(problems))

    def repr_failure(
        self, test: FenceTestDefinition, excinfo: pytest.ExceptionInfo[BaseException], style=None
    ) -> str:
        """Show the message alone: it names file, line, what is said, what is given, the repair."""
        if isinstance(excinfo.value, WrongOutput):
            return str(excinfo.value)
        return f"{test.source_path}:{test.start_line}\n{excinfo.getrepr(style='short')}"


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_markdown_docs_markdown_it() -> FenceParser:
    """Hand pytest-markdown-docs our view of a page."""
    return FenceParser()


def _is_page(path: Path) -> bool:
    return any(path.is_relative_to(HERE.pages(language)) for language in LANGUAGES)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    """Leave Python files to pytest itself, and Markdown outside the course alone."""
    collectors = yield
    return [
        one
        for one in collectors
        if not isinstance(one, MarkdownDocstringCodeModule)
        and not (isinstance(one, MarkdownTextFile) and not _is_page(file_path))
        # A notebook is a page with a .py name; its cells run when the site is built.
        and not (isinstance(one, pytest.Module) and _is_page(file_path))
    ]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the pages be rendered while the labs run, if a test will look at them."""
    alone = not hasattr(session.config, "workerinput") and not session.config.option.collectonly
    if alone and any(item.path.name == "test_rendered.py" for item in session.items):
        from tests.docs.render import AHEAD  # pulls in MkDocs, which other tests do without

        AHEAD.start(HERE)


def pytest_unconfigure() -> None:
    """End the process that rendered ahead."""
    if render := sys.modules.get("tests.docs.render"):
        render.AHEAD.stop()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how much was proved, per language, and what it took."""
    runs: Counter[str] = Counter()
    for outcome in ("passed", "failed"):
        for one in terminalreporter.getreports(outcome):
            path = HERE.root / one.nodeid.partition("::")[0]
            if one.when == "call" and path.suffix == ".md" and _is_page(path):
                runs[HERE.language_of(path)] += 1
    if not runs:
        return
    seconds = time.perf_counter() - _STARTED
    terminalreporter.section("pages")
    for language in LANGUAGES:
        files = HERE.page_files(language) + HERE.notebook_files(language)
        pages = [load_page(HERE, path) for path in files]
        outputs = sum(
            page.output_of(fence) is not None for page in pages for fence in page.python_fences()
        )
        structural = sum(
            number.firm
            for page in pages
            for block in blocks(page)
            for number in numerals(block, language)
        )
        terminalreporter.line(
            f"{language}: {len(pages)} pages, {runs[language]} fences run, {outputs} outputs "
            f"compared, {sum(len(page.figures) for page in pages)} numbers bound, "
            f"{structural} structural numerals"
        )
    if not RUNNER.count:  # they ran in other processes
        return
    terminalreporter.line(
        f"{len(HERE.labs())} labs; {RUNNER.count} distinct runs for both languages took "
        f"{RUNNER.seconds:.1f} s, everything else {seconds - RUNNER.seconds:.1f} s"
    )


def collected_python(course: Course, path: Path) -> list[tuple[int, str]]:
    """Give line and code of what pytest-markdown-docs would run on a page."""
    text = path.read_text(encoding="utf-8")
    parser = FenceParser(course)
    tests = extract_fence_tests(parser, text, 0, path, fence_syntax=FenceSyntax.superfences)
    fences = {token.map[0] + 1: token.content for token in parser.parse(text)}
    return [(test.start_line, fences[test.start_line]) for test in tests]
