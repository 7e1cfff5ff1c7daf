"""Where the course lies: its root, languages, pages, labs and MkDocs configurations.

Every check takes a `Course`, never a fixed folder, so that the same function that checks the
repository can check a changed copy of it.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

CONFIG_FILES = {"ja": "mkdocs.yml", "en": "mkdocs.en.yml"}
LANGUAGES = tuple(CONFIG_FILES)
NOTEBOOK_PLUGIN = "mkdocs-jupyter"
NOTEBOOK_HOOK = "notebooks.py"


@dataclass(frozen=True)
class Problem:
    """One broken promise: where it is and what to do about it."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        """Give `file:line: what is wrong`, the form that editors and terminals link."""
        return f"{self.path}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Course:
    """A checkout, or a copy of one."""

    root: Path

    @property
    def snippets(self) -> Path:
        """The folder of the labs and their recorded outputs."""
        return self.root / "snippets"

    def pages(self, language: str) -> Path:
        """The folder of one language's pages."""
        return self.root / "docs" / language

    def show(self, path: Path) -> str:
        """Name a file as a person standing in the root would type it."""
        return path.relative_to(self.root).as_posix()

    def page_files(self, language: str) -> list[Path]:
        """List the Markdown pages of one language."""
        return sorted(self.pages(language).rglob("*.md"))

    def notebook_files(self, language: str) -> list[Path]:
        """List the notebooks of one language, kept as Python text."""
        return sorted(self.pages(language).rglob("*.py"))

    def labs(self) -> list[Path]:
        """List the labs."""
        return sorted(self.snippets.glob("*.py"))

    def all_pages(self) -> Iterator[tuple[str, Path]]:
        """Walk the Markdown pages of every language."""
        for language in LANGUAGES:
            for path in self.page_files(language):
                yield language, path

    def language_of(self, path: Path) -> str:
        """Tell the language of a page from the folder it lies in."""
        for language in LANGUAGES:
            if path.is_relative_to(self.pages(language)):
                return language
        raise ValueError(f"{path} lies in none of {[f'docs/{name}' for name in LANGUAGES]}")


HERE = Course(Path(__file__).resolve().parents[2])


def read_config(course: Course, language: str) -> dict[str, Any]:
    """Read a configuration file with what it inherits, unchecked and unresolved."""
    path = course.root / CONFIG_FILES[language]
    loader = get_yaml_loader(config=MkDocsConfig(config_file_path=str(path)))
    with path.open(encoding="utf-8") as source:
        return yaml_load(source, loader)


def site_config(course: Course, language: str, *, notebooks: bool, **changes: Any) -> MkDocsConfig:
    """Load a configuration as `mkdocs build` would.

    Without notebooks their plugin and hook are left out: importing the plugin takes longer than
    all checks together.
    """
    if not notebooks:
        raw = read_config(course, language)
        plugins = dict(raw["plugins"])
        plugins.pop(NOTEBOOK_PLUGIN, None)
        changes["plugins"] = plugins
        changes["hooks"] = [name for name in raw.get("hooks", []) if NOTEBOOK_HOOK not in name]
    return load_config(str(course.root / CONFIG_FILES[language]), **changes)


@functools.cache
def snippet_settings(course: Course) -> dict[str, Any]:
    """Give the settings of the snippet extension that the site itself uses."""
    config = site_config(course, "ja", notebooks=False)
    return dict(config.mdx_configs.get("pymdownx.snippets", {}))


def report(problems: list[Problem]) -> str:
    """Lay out problems for a reader: one block each."""
    return "\n\n".join(str(problem) for problem in problems)
