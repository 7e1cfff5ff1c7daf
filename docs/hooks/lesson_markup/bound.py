"""Python-Markdown extension: `[0.577](<=weights[0]>)` shows a figure and where it comes from.

The figure becomes a link to the lab that computes it, round a `<data>` element with the unrounded
value. Nothing is computed here: values come from the record that the tests hold against real runs,
so that a build runs no lab.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from xml.etree.ElementTree import Element, tostring

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from lesson_markup.errors import PageError
from lesson_markup.fences import PYTHON, find_fences, split_info
from lesson_markup.figures import BoundFigure, find_figures, lab_of, labs_on
from lesson_markup.literal import LiteralError, describe, differences

Values = Mapping[str, Mapping[str, Any]]

NAME = "lesson-bound"
# What a figure is while other syntax is read: its literal and its number among the page's figures.
NUMBERED = r"\[(?P<literal>(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]\(<=#(?P<number>\d+)>\)"


class PageAtHand(Protocol):
    """What the extension asks of the page that is being rendered."""

    meta: Any
    file: Any


def read_values(path: Path) -> Values:
    """Read the record of values: by lab, then by expression."""
    if not path.is_file():
        return {}
    values: Values = json.loads(path.read_text(encoding="utf-8"))
    return values


@dataclass
class _Work:
    """The figures of the text that one converter is converting, and the links to their labs."""

    figures: list[BoundFigure] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)


class BoundExtension(Extension):
    """Show bound figures; `page` and `values` are set before a page is rendered."""

    def __init__(self, values: Values | None = None, page: PageAtHand | None = None) -> None:
        super().__init__()
        self.values = values or {}
        self.page = page

    def extendMarkdown(self, md: Markdown) -> None:
        """Register: before includes are put in (32); after inline code (190), before links (160).

        A docstring on a page is converted by a converter of its own, which must not see the
        page's figures: hence the work is kept by converter.
        """
        work = _Work()
        md.preprocessors.register(_FindFigures(md, self, work), NAME, 33)
        md.inlinePatterns.register(FigureProcessor(md, self, work), NAME, 167)
        md.treeprocessors.register(_CheckPlaces(md), NAME, 14)

    def context(self) -> tuple[dict[str, str], str]:
        """Return the labs of other pages that this page names, and its name if a notebook."""
        if self.page is None:
            return {}, ""
        labs = (self.page.meta or {}).get("labs") or {}
        source = Path(str(self.page.file.src_uri))
        return dict(labs), source.stem if source.suffix == ".py" else ""


class _FindFigures(Preprocessor):
    """Number the figures, so that no other syntax reads their expressions; mark the labs' code."""

    def __init__(self, md: Markdown, extension: BoundExtension, work: _Work) -> None:
        super().__init__(md)
        self.extension = extension
        self.work = work

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines with numbers for expressions and anchors for labs."""
        elsewhere, notebook = self.extension.context()
        work = self.work
        work.figures = find_figures(lines, elsewhere, notebook)
        work.sources = [lines[one.line - 1][slice(*one.span)] for one in work.figures]
        work.links = {lab: f"{page}#lab-{lab}" for lab, page in elsewhere.items()}
        work.links |= {lab: f"#lab-{lab}" for lab in [notebook or None, *labs_on(lines)] if lab}
        result = list(lines)
        for number, figure in reversed(list(enumerate(work.figures))):
            row = result[figure.line - 1]
            start, end = figure.span
            numbered = f"[{figure.literal}](<=#{number}>)"
            result[figure.line - 1] = row[:start] + numbered + row[end:]
        return _with_anchors(result, notebook)


def _with_anchors(lines: list[str], notebook: str) -> list[str]:
    """Give the first block of each lab's code an id that figures link to, and the lab's name."""
    seen = set()
    for fence in find_fences(lines):
        language, options = split_info(fence.info)
        lab = notebook if notebook and language in PYTHON else lab_of(fence)
        if not lab or lab in seen:
            continue
        seen.add(lab)
        name = "" if notebook else f' data-lab="{lab}"'
        head = " ".join([f".{language}", f"#lab-{lab}{name}", *options])
        row = lines[fence.line - 1]
        lines[fence.line - 1] = row[: len(row.rstrip()) - len(fence.info)] + f"{{{head}}}"
    return lines


class FigureProcessor(InlineProcessor):
    """Turn a numbered figure into its link and `<data>` element."""

    def __init__(self, md: Markdown, extension: BoundExtension, work: _Work) -> None:
        super().__init__(NUMBERED, md)
        self.extension = extension
        self.work = work

    # The base class declares a wider result than any processor of Python-Markdown returns.
    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        """Return the figure, or raise `PageError` if the record says something else."""
        return self.show(m), m.start(), m.end()

    def show(self, match: re.Match[str]) -> Element:
        """Return a figure as an element."""
        number = int(match["number"])
        figure = self.work.figures[number]
        value = self._value(figure, self.work.sources[number])
        link = Element("a", {"class": "al-n", "href": self.work.links[figure.lab]})
        link.set("data-lab", figure.lab)
        link.set("data-from", figure.expression)
        holder = Element("data", {"value": describe(value)})
        holder.text = match["literal"]
        link.append(holder)
        return link

    def _value(self, figure: BoundFigure, source: str) -> Any:
        try:
            value = self.extension.values[figure.lab][figure.expression]
        except KeyError:
            raise PageError(
                f"the value of {figure.expression!r} in {figure.lab} is not recorded yet; "
                "run `make values`.",
                source,
            ) from None
        try:
            wrong = differences(figure.literal, value)
        except LiteralError as error:
            raise PageError(f"{error}.", source) from error
        if wrong:
            raise PageError(f"{wrong} ({figure.expression} in {figure.lab}).", source)
        return value


def caption_html(md: Markdown, text: str) -> str:
    """Return a line of a fence as HTML, with its numbered figures shown."""
    processor = md.inlinePatterns[NAME]
    assert isinstance(processor, FigureProcessor)
    parts, end = [], 0
    for match in re.finditer(NUMBERED, text):
        parts.append(html.escape(text[end : match.start()]))
        parts.append(tostring(processor.show(match), encoding="unicode"))
        end = match.end()
    return "".join([*parts, html.escape(text[end:])])


def caption_text(text: str) -> str:
    """Return the same line as plain text, for a label.

    >>> caption_text("Token 2 gets [0.198](<=#3>) of it.")
    'Token 2 gets 0.198 of it.'
    """
    return re.sub(NUMBERED, r"\g<literal>", text)


class _CheckPlaces(Treeprocessor):
    """Refuse figures in links, leave the link out in a question's title, give formulas names."""

    def run(self, root: Element) -> None:
        """Walk the page."""
        for element in root.iter():
            if element.tag == "a" and not _is_figure(element):
                _refuse(element)
            elif element.tag == "summary":
                for figure in filter(_is_figure, list(element.iter())):
                    _unlink(figure)
            elif _is_figure(element):
                for formula in element.iter("math"):
                    # A link that holds nothing but a formula has no name to a browser.
                    formula.set("aria-label", _spoken(formula))


def _is_figure(element: Element) -> bool:
    return element.get("class") == "al-n"


def _spoken(formula: Element) -> str:
    """Return a formula's signs in order, with the root that MathML draws round its content.

    >>> from xml.etree.ElementTree import fromstring
    >>> _spoken(fromstring("<math><msqrt><mn>4</mn></msqrt><mo>=</mo><mn>2</mn></math>"))
    '√4=2'
    """
    parts = []
    for element in formula.iter():
        parts.append("√" if element.tag == "msqrt" else "")
        parts.append(element.text or "")
    return "".join(parts)


def _refuse(element: Element) -> None:
    for figure in filter(_is_figure, element.iter()):
        literal = "".join(figure.itertext())
        raise PageError(
            f"the figure {literal} is bound in the text of a link, where no other link can stand; "
            "say it beside the link.",
            f"(<={figure.get('data-from')}>)",
        )


def _unlink(figure: Element) -> None:
    """Turn the link into the `<data>` element itself: the title is a control already."""
    [holder] = figure
    figure.tag = "data"
    figure.attrib.clear()
    figure.attrib.update({"class": "al-n", "value": holder.get("value", "")})
    figure.text = holder.text
    figure[:] = list(holder)
