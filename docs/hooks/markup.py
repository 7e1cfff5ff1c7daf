"""MkDocs hook: gives every page the lesson markup, and every fault in a page its file and line."""

from __future__ import annotations

import re
from pathlib import Path

from lesson_markup.bank_lesson import bank_lesson_fence
from lesson_markup.bound import BoundExtension, read_values
from lesson_markup.errors import PageError, locate, place
from lesson_markup.japanese import JapaneseExtension
from lesson_markup.maths import MathsExtension
from lesson_markup.matrix import matrix_fence
from lesson_markup.terms import TermsExtension
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from pymdownx.snippets import SnippetMissingError  # type: ignore[import-untyped]

_bound = BoundExtension()
LAB_ANCHOR = re.compile(r'<div id="(lab-[\w-]+)"')


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the extensions.

    They cannot stand in mkdocs.yml: MkDocs imports what is named there before it loads any hook,
    and this folder is on the import path only while a hook loads.
    """
    snippets = Path(config.config_file_path).parent / "snippets"
    _bound.values = read_values(snippets / "values.json")
    extensions = [_bound, TermsExtension(), MathsExtension()]
    if config.theme["language"] == "ja":
        extensions.append(JapaneseExtension())
    config.markdown_extensions += extensions  # type: ignore[arg-type]
    fences = config.mdx_configs.setdefault("pymdownx.superfences", {}).setdefault(
        "custom_fences", []
    )
    formatter = matrix_fence(snippets, config.extra["words"])
    fences.append({"name": "matrix", "class": "al-matrix", "format": formatter})
    lesson = bank_lesson_fence(config.extra["words"])
    fences.append({"name": "bank-lesson", "class": "bank-lesson", "format": lesson})
    return config


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Let a fault in this page stop the build with one line that says where it is."""
    render = page.render

    def render_or_say_where(config: MkDocsConfig, files: Files) -> None:
        _bound.page = page
        try:
            render(config, files)
        except (PageError, SnippetMissingError) as error:
            raise BuildError(describe(error, Path(str(page.file.abs_src_path)))) from error
        # MkDocs does not look for anchors in code blocks, and would call links to them dead.
        page.present_anchor_ids = {
            *(page.present_anchor_ids or ()),
            *LAB_ANCHOR.findall(page.content or ""),
        }

    # MkDocs offers no event for an error in one page.
    page.render = render_or_say_where  # type: ignore[method-assign]
    return page


def describe(error: PageError | SnippetMissingError, path: Path) -> str:
    """Return `file:line: problem` for an error that came up while `path` was rendered."""
    source = path.read_text(encoding="utf-8")
    if isinstance(error, PageError):
        line = locate(source, error.context, error.excerpt)
        problem = error.problem
    else:
        # The message quotes the file or the section that is missing.
        missing = str(error).split("'")[1] if "'" in str(error) else str(error)
        marks = [row for row in source.splitlines() if "--8<--" in row and missing in row]
        line = locate(source, marks[0]) if marks else None
        problem = f"{error}; correct the name or add the file to snippets/."
    return f"{place(path, line)}: {problem}"
