"""Python-Markdown extension: the output of arithmatex (generic) becomes MathML."""

from __future__ import annotations

import html
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from lesson_markup.errors import PageError
from lesson_markup.tex import TexError, tex_to_mathml

CODE = {"code", "pre", "script", "style"}


class MathsTreeprocessor(Treeprocessor):
    """Replace each arithmatex element by the MathML of its TeX."""

    def run(self, root: Element) -> None:
        """Walk the whole page and convert in place."""
        self._convert_children(root)

    def _convert_children(self, parent: Element) -> None:
        for position, child in enumerate(list(parent)):
            if "arithmatex" in child.get("class", "").split():
                parent[position] = _formula(child)
            elif child.tag not in CODE:
                _refuse_lone_dollar(child.text, child)
                self._convert_children(child)
            _refuse_lone_dollar(child.tail, child)


def _formula(holder: Element) -> Element:
    text = holder.text or ""
    display = holder.tag == "div"
    # Arithmatex escapes a block's text and leaves inline text as it is.
    tex = html.unescape(text) if display else text
    tex = tex.removeprefix(r"\[" if display else r"\(").removesuffix(r"\]" if display else r"\)")
    try:
        math = tex_to_mathml(tex, display=display)
    except TexError as error:
        raise PageError(f"formula {' '.join(tex.split())}: {error}.", tex) from error
    if not display:
        math.tail = holder.tail
        return math
    # A long formula scrolls inside its own box; the box takes focus so that keys can scroll it.
    box = Element("div", {"class": "al-formula", "tabindex": "0"})
    box.append(math)
    box.tail = holder.tail
    return box


def _refuse_lone_dollar(text: str | None, near: Element) -> None:
    if text and "$" in text:
        around = text.strip()
        raise PageError(
            f"a dollar sign stands alone in {around!r}. A formula needs one on each side "
            r"(a displayed formula is its own paragraph, $$ on both sides); write \$ for a sign.",
            next((line for line in around.splitlines() if "$" in line), around),
        )


class MathsExtension(Extension):
    """Turn every formula of a page into MathML at build time; no script reaches the reader."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register after the inline patterns (20) and before the table of contents (5)."""
        md.treeprocessors.register(MathsTreeprocessor(md), "lesson-maths", 15)
