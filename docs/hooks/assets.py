"""MkDocs hook: the site's own scripts and styles leave the build without comments and indentation.

A phone on a slow line need not load what is written for the next developer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from rcssmin import cssmin  # type: ignore[import-untyped]
from rjsmin import jsmin  # type: ignore[import-untyped]

MINIFIERS: dict[str, Callable[[str], str]] = {".css": cssmin, ".js": jsmin}


def on_post_build(config: MkDocsConfig) -> None:
    """Rewrite the copies in the built site; the theme's own files are minified already."""
    theme = Path(config.config_file_path).parent / "docs" / "theme"
    for source in sorted((theme / "assets").rglob("*")):
        if minify := MINIFIERS.get(source.suffix):
            copy = Path(config.site_dir) / source.relative_to(theme)
            copy.write_text(minify(source.read_text(encoding="utf-8")), encoding="utf-8")
