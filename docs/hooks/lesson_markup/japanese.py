"""Python-Markdown extension: a line break in Japanese source is no space on the page.

Source lines are kept short, and a browser shows a break between two lines as a space. Between
words of a language that writes spaces that is right; within Japanese it opens a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

# Kana, ideographs, full-width forms and the punctuation that belongs to them.
JAPANESE = re.compile(r"[\u3000-\u30ff\u31f0-\u31ff\u3400-\u9fff\uff00-\uffef]")
KEPT = {"pre", "code", "math", "script", "style"}

Slot = tuple[Element, str]


class JoinLines(Treeprocessor):
    """Drop each line break that has Japanese text on at least one side."""

    def run(self, root: Element) -> None:
        """Walk the texts of the page in reading order."""
        slots = list(text_slots(root))
        texts = [getattr(element, name) or "" for element, name in slots]
        for number, (element, name) in enumerate(slots):
            if "\n" in texts[number]:
                before = texts[number - 1][-1:] if number else ""
                after = texts[number + 1][:1] if number + 1 < len(texts) else ""
                setattr(element, name, join_lines(texts[number], before, after))


def text_slots(element: Element) -> Iterator[Slot]:
    """Yield every place of text below `element` that is not code, as (element, attribute)."""
    if element.tag not in KEPT:
        if element.text:
            yield element, "text"
        for child in element:
            yield from text_slots(child)
            if child.tail:
                yield child, "tail"


def join_lines(text: str, before: str = "", after: str = "") -> str:
    """Return `text` without the line breaks that touch Japanese, its neighbours considered.

    >>> join_lines("内積を\\n取ります。")
    '内積を取ります。'
    >>> join_lines("a dot\\nproduct")
    'a dot\\nproduct'
    """
    whole = before + text + after
    start, end = len(before), len(before) + len(text)

    def joined(found: re.Match[str]) -> str:
        sides = whole[max(found.start() - 1, 0) : found.start()], whole[found.end() :][:1]
        inside = start <= found.start() and found.end() <= end
        # attr_list, which runs later, wants a paragraph's attributes on a line of their own.
        touching = sides[1] != "{" and any(map(JAPANESE.match, sides))
        return "" if inside and touching else found.group()

    result = re.sub(r" *\n *", joined, whole)
    return result[len(before) : len(result) - len(after)]


class JapaneseExtension(Extension):
    """For pages in Japanese only."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register after the inline patterns (20) and before indentation is added (10)."""
        md.treeprocessors.register(JoinLines(md), "lesson-japanese", 16)
