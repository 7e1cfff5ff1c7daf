"""Render pages in this process, with the site's own configuration and hooks.

No theme and no notebooks: what Markdown, its extensions and the hooks make of a page is all
that is wanted, and it takes a fraction of a build.
"""

import logging
import multiprocessing
import re
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from urllib.parse import unquote, urldefrag, urljoin

from lesson_markup.bound import BoundExtension
from markdown import Markdown
from mkdocs.structure.files import File, Files, get_files
from mkdocs.structure.nav import get_navigation

from tests.docs.course import LANGUAGES, Course, Problem, site_config
from tests.docs.pages import Page, load_page
from tests.docs.reading import Reading


@dataclass(frozen=True)
class Rendered:
    """What became of one page: its address within the site, and its HTML, read."""

    path: Path
    url: str
    reading: Reading


class _Log(logging.Handler):
    """Keeps MkDocs' warnings, which a strict build would stop at."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@dataclass(frozen=True)
class RenderedSite:
    """One language, rendered: pages by file name, addresses of all files, and warnings."""

    language: str
    pages: dict[str, Rendered]
    urls: frozenset[str]
    warnings: tuple[str, ...]


def render_site(course: Course, language: str, only: set[str] | None = None) -> RenderedSite:
    """Render one language; `only` names the pages to render, all if it is left out."""
    log = _Log()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(log)
    try:
        config = site_config(course, language, notebooks=False)
        config.plugins.on_startup(command="build", dirty=False)
        config = config.plugins.on_config(config)
        files = config.plugins.on_files(get_files(config), config=config)
        nav = get_navigation(files, config)
        config.plugins.on_nav(nav, config=config, files=files)
        pages = {}
        for file in files.documentation_pages():
            if only is None or file.src_uri in only:
                pages[file.src_uri] = _render(course, language, file, config, files)
        if only is None:
            for file in files.documentation_pages():
                if file.page.markdown is not None:
                    file.page.validate_anchor_links(
                        files=files, log_level=config.validation.links.anchors
                    )
    finally:
        logger.removeHandler(log)
    notebooks = {path.name for path in course.notebook_files(language)}
    warnings = tuple(text for text in log.messages if not any(name in text for name in notebooks))
    return RenderedSite(language, pages, frozenset(file.url for file in files), warnings)


class RenderingAhead:
    """Renders both languages in a process of its own, while this one runs the labs."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._pool: ProcessPoolExecutor | None = None
        self._sites: dict[str, Future[RenderedSite]] = {}

    def start(self, course: Course) -> None:
        """Begin; a process that is forked could inherit a lock that a lab's library holds."""
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        for language in LANGUAGES:
            self._sites[language] = self._pool.submit(render_site, course, language)

    def site(self, course: Course, language: str) -> RenderedSite:
        """Give a language, or raise what rendering it raised."""
        if language not in self._sites:
            return render_site(course, language)
        return self._sites[language].result()

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


AHEAD = RenderingAhead()


def _render(course: Course, language: str, file: File, config, files: Files) -> Rendered:
    page = file.page
    page = config.plugins.on_pre_page(page, config=config, files=files)
    page.read_source(config)
    page.markdown = config.plugins.on_page_markdown(
        page.markdown, page=page, config=config, files=files
    )
    page.render(config, files)
    html = config.plugins.on_page_content(page.content, page=page, config=config, files=files)
    path = course.pages(language) / file.src_uri
    return Rendered(path, file.url, Reading(html))


def render_prose(course: Course, page: Page) -> Reading:
    """Render a notebook's prose by the site's Markdown; its pictures' texts stand among it."""
    config = site_config(course, page.language, notebooks=False)
    config = config.plugins.on_config(config)
    for extension in config.markdown_extensions:
        if isinstance(extension, BoundExtension):
            extension.page = SimpleNamespace(
                meta=page.meta, file=SimpleNamespace(src_uri=page.name)
            )
    converter = Markdown(
        extensions=config.markdown_extensions, extension_configs=config.mdx_configs
    )
    return Reading(converter.convert("\n".join(page.lines)))


UNRENDERED = {
    "an include": re.compile(r"-+8<-+"),
    "an attribute list": re.compile(r"\{[:]?\s*[#.][\w-]"),
    "a tab": re.compile(r"^\s*===[+!]?\s+\""),
    "an admonition": re.compile(r"^\s*(?:!!!|\?\?\?\+?)\s"),
    "a formula": re.compile(r"\$|\\\(|\\\[|\\begin\{"),
    "a fence": re.compile(r"```|~~~"),
    "emphasis": re.compile(r"\*\*"),
    "a link": re.compile(r"\]\("),
}


def leftovers(course: Course, rendered: Rendered) -> list[Problem]:
    """List Markdown that reached the reader as it was typed."""
    found = []
    for row in rendered.reading.prose():
        for what, pattern in UNRENDERED.items():
            if match := pattern.search(row):
                around = row[max(0, match.start() - 20) : match.end() + 30].strip()
                line = line_of(rendered.path, around, match[0])
                text = f"{what} reaches the reader as it is typed: {around!r}"
                found.append(Problem(course.show(rendered.path), line, text))
    return found


def line_of(path: Path, *needles: str) -> int:
    """Find the first line of a file with one of these texts; 1 if none has any."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for needle in filter(None, needles):
        for number, line in enumerate(lines, 1):
            if needle in line:
                return number
    return 1


def check_links(course: Course, site: RenderedSite) -> list[Problem]:
    """Follow every internal link and image of the rendered pages, anchors included."""
    by_url = {page.url: page for page in site.pages.values()}
    found = []
    for page in site.pages.values():
        for target in page.reading.targets:
            if re.match(r"[a-z]+:|//", target):
                continue
            address, anchor = urldefrag(urljoin("http://site/" + page.url, target))
            url = unquote(address.removeprefix("http://site/"))
            # Material writes the front page as "./", and pages end in a slash.
            url = {".": "./", "": "./"}.get(url, url)
            here = by_url.get(url) or by_url.get(url.removesuffix("index.html"))
            line = line_of(
                page.path, target, f"#{anchor}" if anchor else "", PurePosixPath(url).stem
            )
            shown = course.show(page.path)
            if here is None and url not in site.urls and not url.startswith(("en/", "../")):
                found.append(Problem(shown, line, f"the link {target!r} leads to nothing"))
            elif anchor and url.endswith(".py"):
                notebook = load_page(course, course.pages(site.language) / url)
                if anchor not in {heading.id for heading in notebook.headings}:
                    text = f"the link {target!r} names the anchor #{anchor}, not in that notebook"
                    found.append(Problem(shown, line, text))
            elif here and anchor and unquote(anchor) not in here.reading.ids:
                text = f"the link {target!r} names the anchor #{anchor}, which that page lacks"
                found.append(Problem(shown, line, text))
    return found
