"""Python-Markdown extension: `[Query]{.al-q}` marks a word with one of the course's colours."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

from lesson_markup.errors import PageError

TERM_CLASSES = ("al-q", "al-k", "al-v", "al-s", "al-w", "al-o")
TERM_PATTERN = r"\[([^\[\]]+)\]\{\s*\.(al-[\w-]*)\s*\}"


class TermProcessor(InlineProcessor):
    """Turn the bracketed word into a span; its own inline markup still works."""

    # The base class declares a wider result than any processor of Python-Markdown returns.
    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        """Return the span, or raise `PageError` for a class that the course does not have."""
        text, name = m.groups()
        if name not in TERM_CLASSES:
            allowed = ", ".join(f".{known}" for known in TERM_CLASSES)
            raise PageError(f"unknown term class .{name}; use one of {allowed}.", m.group())
        span = Element("span", {"class": f"al-term {name}"})
        span.text = text
        return span, m.start(), m.end()


class TermsExtension(Extension):
    """Give the six quantities of the course a mark of their own in running text."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register before links (160), which would read the bracket as a reference."""
        md.inlinePatterns.register(TermProcessor(TERM_PATTERN, md), "lesson-terms", 165)
