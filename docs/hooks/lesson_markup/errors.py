"""The one error that every piece of lesson markup raises, and how it finds its line."""

from __future__ import annotations

import re
from pathlib import Path

from pymdownx.superfences import SuperFencesException  # type: ignore[import-untyped]


# SuperFences swallows every other exception and prints the fence as plain code.
class PageError(SuperFencesException):  # type: ignore[misc]  # pymdownx carries no types
    """A page says something that cannot be rendered.

    An extension sees text in which front matter is cut off and snippets are put in, so it cannot
    know the line. It says what it was looking at, and `locate` finds that in the file.

    Parameters
    ----------
    problem
        What was found, what is needed, and the next step.
    context
        The source text that was being read, as written.
    excerpt
        The part of `context` at fault, when that is narrower.
    """

    def __init__(self, problem: str, context: str = "", excerpt: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.context = context
        self.excerpt = excerpt


def locate(source: str, context: str, excerpt: str = "") -> int | None:
    """Return the 1-based line of `excerpt` within the first `context` in `source`.

    White space is compared loosely, since a block inside a tab or an admonition is indented in
    the file and not in what an extension receives.

    >>> locate("one\\n\\n    two\\n    three\\n", "two\\nthree", "three")
    4
    >>> locate("one", "two") is None
    True
    """
    words = [re.escape(word) for word in context.split()]
    found = re.search(r"\s+".join(words), source) if words else None
    if found is None:
        return None
    start = found.start()
    if excerpt:
        start += max(found.group().find(excerpt.strip()), 0)
    return source.count("\n", 0, start) + 1


def place(path: Path, line: int | None = None) -> str:
    """Return `path:line` as one types it where the command was given."""
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{shown}:{line}" if line else str(shown)
