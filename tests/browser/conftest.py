"""A built site on a local server, and a browser that reports every request it makes."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.bank import Lesson, no_errors, open_page
from tests.browser.chromium import FLAGS, find_chromium
from tests.docs.course import LANGUAGES

PREFIX = "/lab/"  # a project page of a static host lies below a path, not at the root


class StaticHost(SimpleHTTPRequestHandler):
    """Serves a folder below PREFIX, with 404.html for what is missing, as a static host does."""

    def translate_path(self, path: str) -> str:
        """Map an address to a file; outside the prefix there is nothing."""
        if not path.startswith(PREFIX):
            return str(Path(self.directory) / "outside")
        return super().translate_path(path.removeprefix(PREFIX.rstrip("/")))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page."""
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output readable."""


@pytest.fixture(scope="session")
def home(site: Path) -> Iterator[str]:
    """The address of the served site's Japanese home page; the English one is `home + "en/"`."""
    handler = functools.partial(StaticHost, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}{PREFIX}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    executable = find_chromium()
    if executable is None:
        pytest.fail("no Chromium: run python -m tests.browser.chromium", pytrace=False)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page on a laptop's screen."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


@pytest.fixture
def page_without_script(browser: Browser) -> Iterator[Page]:
    """A fresh page of a reader who has JavaScript switched off."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def kept_page(browser: Browser) -> Iterator[Page]:
    """A page whose cache the tests of a module share; each of them loads the lesson anew."""
    page = open_page(browser, permissions=["clipboard-read", "clipboard-write"])
    yield page
    page.context.close()


@pytest.fixture(params=LANGUAGES)
def lesson(request: pytest.FixtureRequest, kept_page: Page, home: str) -> Iterator[Lesson]:
    """The live bank lesson as it starts, on a laptop; an error in its script fails the test."""
    kept_page.goto("about:blank")
    kept_page.set_viewport_size({"width": 1280, "height": 900})
    kept_page.emulate_media(media="screen")
    with no_errors(kept_page):
        yield Lesson(kept_page, home, request.param)
