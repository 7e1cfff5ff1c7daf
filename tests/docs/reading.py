"""Read a page's HTML in one pass, for what a reader gets: text, code, links, anchors, formulas.

A full document tree would be handier and several times slower, and `make verify` reads every
page of both languages.
"""

import re
from html.parser import HTMLParser

VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
# What stands in these is not prose.
NO_PROSE = frozenset({"code", "pre", "script", "style", "math", "template"})
# What mkdocstrings writes from a docstring: its formulas and examples are not the page's own, and
# the examples are run by the tests of the core.
DOCSTRING_CLASS = re.compile(r"(?:^|\s)doc-object(?:\s|$)")
# Figures that the build takes from the code: bound ones, and the cells of what fences draw.
COMPUTED = re.compile(r"(?:^|\s)al-n(?:\s|$)")
HOLE = "\ufffc"  # stands where one was
# Elements that begin a line of their own to the reader, whatever the source looks like.
LINES = frozenset(
    {"p", "li", "td", "th", "caption", "figcaption", "div", "summary", "dt", "dd", "br"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "details", "figure"}
)
CODE_CLASS = re.compile(r"(?:^|\s)language-([\w+-]+)")


class Reading(HTMLParser):
    """One page, read."""

    def __init__(self, html: str) -> None:
        """Read at once."""
        super().__init__(convert_charrefs=True)
        self.ids: set[str] = set()
        self.targets: list[str] = []
        self.formulas: list[str] = []
        self._blocks: list[tuple[str, list[str]]] = []
        self._text: list[str] = []
        self._unbound: list[str] = []
        self._computed_depth = 0  # how many elements were open where a computed figure began
        self._open: list[str] = []
        self._docstring_depth = 0  # how many elements were open where a docstring began
        self._no_prose = 0
        self._language: str | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element carries and whether prose or code begins."""
        values = dict(attrs)
        if tag in LINES:
            self._unbound.append("\n")
        if not self._computed_depth and (
            COMPUTED.search(values.get("class") or "")
            or tag == "bank-lesson"
            or (tag == "td" and "figure" in self._open)
        ):
            self._computed_depth = len(self._open) + 1
            self._unbound.append(HOLE)
        if (alt := values.get("alt")) and not self._computed_depth:
            self._unbound.append(f"\n{alt}\n")
        if name := values.get("id"):
            self.ids.add(name)
        if tag in ("a", "img") and (target := values.get("href") or values.get("src")):
            self.targets.append(target)
        if tag == "math" and not self._docstring_depth:
            self.formulas.append(values.get("alttext") or "")
        if tag == "div":
            # The highlighter puts the language on the box that it draws round a block.
            match = CODE_CLASS.search(values.get("class") or "")
            self._language = match[1] if match and not self._docstring_depth else None
            if DOCSTRING_CLASS.search(values.get("class") or "") and not self._docstring_depth:
                self._docstring_depth = len(self._open) + 1
        if tag == "code" and self._language and "pre" in self._open:
            self._blocks.append((self._language, []))
        if tag not in VOID:
            self._open.append(tag)
            self._no_prose += tag in NO_PROSE

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and with it what it left open."""
        if tag not in self._open:
            return
        while True:
            closed = self._open.pop()
            self._no_prose -= closed in NO_PROSE
            if closed == tag:
                break
        if len(self._open) < self._docstring_depth:
            self._docstring_depth = 0
        if len(self._open) < self._computed_depth:
            self._computed_depth = 0
        if tag == "pre":
            self._language = None
        if tag in LINES:
            self._unbound.append("\n")

    def handle_data(self, data: str) -> None:
        """Sort text into code and prose."""
        if self._language and "code" in self._open and self._blocks:
            self._blocks[-1][1].append(data)
        elif not self._no_prose:
            self._text.append(data)
            if not self._computed_depth and not self._docstring_depth:
                self._unbound.append(data.replace("\n", " "))
        elif "pre" not in self._open and not self._computed_depth:
            # Code or a formula within a line: what follows it is no label of what precedes it.
            self._unbound.append(HOLE)

    def prose(self) -> list[str]:
        """Give the lines of text outside code and formulas."""
        return "".join(self._text).split("\n")

    def unbound(self) -> str:
        """Give the text outside code, formulas and computed figures, with a mark for each hole."""
        return "".join(self._unbound)

    def blocks(self, language: str) -> list[str]:
        """List the code blocks of one language as the reader sees them, in order."""
        return ["".join(parts).strip("\n") for name, parts in self._blocks if name == language]
