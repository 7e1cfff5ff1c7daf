"""MkDocs hook: notebooks that mkdocs-jupyter has run become pages like all others."""

from __future__ import annotations

import hashlib
import html
import os
import shutil
from importlib.metadata import version
from pathlib import Path

from lesson_markup.errors import place
from lesson_markup.notebook import (
    Notebook,
    NotebookError,
    compose,
    failing_cell,
    outputs_of,
    read_notebook,
)
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbclient.exceptions import CellExecutionError

# What a notebook's outputs depend on apart from its own text.
PACKAGES = ("numpy", "matplotlib", "mkdocs-jupyter", "nbconvert")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Point the plugin's cache at a folder named after everything that outputs depend on.

    The plugin's own key is the notebook's text alone: it would show old outputs after a change in
    attention_core. A CI run trusts no cache.
    """
    # Without these two the kernel prints a harmless warning of its own on each start.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    os.environ.setdefault("JUPYTER_CONFIG_PATH", str(Path(__file__).parent / "jupyter"))
    root = Path(config.config_file_path).parent
    options = config.plugins["mkdocs-jupyter"].config
    options["cache"] = os.environ.get("CI") != "true"
    language = config.theme["language"]
    folder = root / ".cache" / "notebooks" / f"{language}-{inputs_digest(config)}"
    options["cache_dir"] = str(folder)
    for old in folder.parent.glob(f"{language}-*"):
        if old != folder:
            shutil.rmtree(old)
    return config


def inputs_digest(config: MkDocsConfig) -> str:
    """Return a short digest of the modules, packages and labs that the notebooks can use."""
    root = Path(config.config_file_path).parent
    notebooks = [path.read_text(encoding="utf-8") for path in Path(config.docs_dir).rglob("*.py")]
    labs = [
        lab
        for lab in (root / "snippets").iterdir()
        # Any other lab may change without a notebook being run again.
        if any(lab.stem in text for text in notebooks)
    ]
    digest = hashlib.sha256()
    for package in PACKAGES:
        digest.update(f"{package}={version(package)};".encode())
    for path in sorted([*(root / "attention_core").rglob("*.py"), *labs]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Give a notebook its front matter, and run it through the page's own Markdown."""
    if not page.file.src_uri.endswith(".py"):
        return page
    path = Path(str(page.file.abs_src_path))
    notebook = read_notebook(path)
    run = page.render

    def render(config: MkDocsConfig, files: Files) -> None:
        try:
            run(config, files)
            page.meta = notebook.meta
            page.markdown = _markdown(page, notebook, config, files)
        except CellExecutionError as error:
            cell, line = failing_cell(path, str(error)) or ("?", None)
            problem = f"cell {cell} raised {error.ename}: {error.evalue}"
            raise BuildError(f"{place(path, line)}: {problem}") from error
        except NotebookError as error:
            raise BuildError(f"{place(path)}: {error}.") from error
        Page.render(page, config, files)

    page.render = render  # type: ignore[method-assign]
    return page


def _markdown(page: Page, notebook: Notebook, config: MkDocsConfig, files: Files) -> str:
    name = Path(page.file.src_uri).stem
    words = config.extra["words"]
    note = (
        f'<p class="al-download"><a href="{name}.ipynb" download>'
        f"{html.escape(words['download_notebook'])}</a></p>"
    )
    text, pictures = compose(notebook, outputs_of(page.content or ""), name, note)
    folder = page.file.dest_uri.removesuffix("index.html")
    for file, data in {f"{name}.ipynb": notebook.download.encode(), **pictures}.items():
        files.append(File.generated(config, folder + file, content=data))
    return text
