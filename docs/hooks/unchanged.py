"""MkDocs hook: a running server keeps what did not change, so that an edit is soon on the screen.

MkDocs renders all pages of both languages after each edit. Three things are kept between its
builds of one process: compiled templates, the rendered text of a page whose sources are the same,
and what the search index holds of such a page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from logging import WARNING, getLogger
from pathlib import Path
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import CountHandler

# What Page.render leaves on a page, apart from its links: those name the File objects of a build.
RENDERED = ("content", "toc", "_title_from_render", "present_anchor_ids")


@dataclass(frozen=True)
class Kept:
    """One rendered page; `links` goes by path where MkDocs goes by File."""

    key: str
    rendered: dict[str, Any]
    links: dict[str, dict[str, str]]


_pages: dict[str, Kept] = {}


class TemplateMemory(jinja2.BytecodeCache):
    """Compiled templates, by a key into which Jinja puts the source."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket if this template was compiled before."""
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._code[bucket.key] = bucket.bytecode_to_string()


_templates = TemplateMemory()


_entries: dict[str, tuple[tuple[str, ...], list[dict[str, Any]]]] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let the search index recall the entries of a page that reads as before.

    The reference has templates of its own, which need not be compiled for each language either.
    """
    reference: Any = config.plugins["mkdocstrings"]
    reference.get_handler("python").env.bytecode_cache = _templates
    search: Any = config.plugins["material/search"]
    index = search.search_index
    add = index.add_entry_from_context

    def recall_or_add(page: Page) -> None:
        path = str(page.file.abs_src_path)
        text = (page.url, str(page.title), repr(page.meta), page.content or "")
        kept, entries = _entries.get(path, ((), []))
        if text == kept:
            index.entries.extend(entries)
            return
        known = len(index.entries)
        add(page)
        _entries[path] = (text, index.entries[known:])

    index.add_entry_from_context = recall_or_add
    return config


def on_env(env: jinja2.Environment, config: MkDocsConfig, files: Files) -> jinja2.Environment:
    """Let this build use the templates that an earlier one compiled."""
    env.bytecode_cache = _templates
    return env


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Let the page take its rendered text from memory if nothing that it depends on changed."""
    if not page.file.src_uri.endswith(".md"):
        return page
    path = str(page.file.abs_src_path)
    render = page.render

    def render_if_changed(config: MkDocsConfig, files: Files) -> None:
        key = sources_digest(page.markdown or "", config, files)
        kept = _pages.get(path)
        if kept is not None and kept.key == key:
            restore(page, kept, files)
            return
        with counted_warnings() as counter:
            render(config, files)
        _pages.pop(path, None)
        # A page with a warning is rendered again, so that the warning is given again.
        if not counter.get_counts():
            links = {to.src_uri: anchors for to, anchors in (page.links_to_anchors or {}).items()}
            _pages[path] = Kept(key, {name: getattr(page, name) for name in RENDERED}, links)

    page.render = render_if_changed  # type: ignore[method-assign]
    return page


def restore(page: Page, kept: Kept, files: Files) -> None:
    """Put what was kept on the page of this build."""
    for name, value in kept.rendered.items():
        setattr(page, name, value)
    targets = {uri: files.get_file_from_path(uri) for uri in kept.links}
    page.links_to_anchors = {to: kept.links[uri] for uri, to in targets.items() if to is not None}


def sources_digest(markdown: str, config: MkDocsConfig, files: Files) -> str:
    """Return a digest of the page's text, the labs it names, the site's pages and its settings."""
    root = Path(config.config_file_path).parent
    digest = hashlib.sha256(markdown.encode())
    digest.update("\n".join(sorted(file.src_uri for file in files)).encode())
    named = [path for path in sorted((root / "snippets").iterdir()) if path.name in markdown]
    # A page with an identifier on a line of its own takes its text from the docstrings.
    modules = sorted((root / "attention_core").glob("*.py")) if "\n::: " in markdown else []
    values = [root / "snippets" / "values.json"] if "](<=" in markdown else []
    for path in [*sorted(root.glob("mkdocs*.yml")), *named, *modules, *values]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@contextmanager
def counted_warnings() -> Iterator[CountHandler]:
    """Count what MkDocs warns about while the block runs."""
    counter = CountHandler()
    counter.setLevel(WARNING)
    logger = getLogger("mkdocs")
    logger.addHandler(counter)
    try:
        yield counter
    finally:
        logger.removeHandler(counter)
