"""MkDocs hook: the build of the first language also builds the second, under its own path."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig


def on_post_build(config: MkDocsConfig) -> None:
    """Build the configuration named in `extra.also_build` into a folder of this site."""
    other = config.extra.get("also_build")
    if not other:
        return
    file, folder = other["config"], other["folder"]
    second = load_config(
        str(Path(config.config_file_path).parent / file),
        site_dir=str(Path(config.site_dir) / folder),
        site_url=urljoin(config.site_url or "/", f"{folder}/"),
        strict=config.strict,
    )
    second.plugins.on_startup(command="build", dirty=False)
    try:
        build(second)
    finally:
        second.plugins.on_shutdown()
