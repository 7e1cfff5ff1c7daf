"""Read a page's lines the way the site's Markdown does: fences, prose, headings, links.

Fences and inline code are found by the site's own code, in `lesson_markup.fences`.
"""

import re
from dataclasses import dataclass

from lesson_markup.fences import INLINE_CODE, RawFence, blank, without_fences

INCLUDE_MARK = re.compile(r"-+8<-+")
HEADING = re.compile(r"^[ ]*(?P<marks>#{1,6})[ ]+(?P<text>.*?)[ ]*(?:\{(?P<attrs>[^{}]*)\})?[ ]*$")
LINK = re.compile(
    r"(?P<bang>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)[^()]*\)"
)
DEFINITION = re.compile(r"^[ ]*\[(?P<text>[^\]]+)\]:[ ]+(?P<target>\S+)")
HTML_LINK = re.compile(r"<(?P<tag>a|img)\b[^>]*?\b(?:href|src)=[\"'](?P<target>[^\"']+)[\"'][^>]*>")
# The two forms of pymdownx.arithmatex.
FORMULA = re.compile(r"(?<![\\$])\$(?![\s$])(?:\\.|[^\\$])+?(?<!\s)\$")
BLOCK_FORMULA = re.compile(r"^[> ]*\$\$.+?\$\$[ ]*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Heading:
    """A heading and the id it is given explicitly, if any."""

    line: int
    level: int
    text: str
    id: str | None


@dataclass(frozen=True)
class Link:
    """A link or an image as it is written."""

    line: int
    text: str
    target: str
    image: bool


def prose(lines: list[str], fences: list[RawFence]) -> list[str]:
    """Give the lines with fences, comments and inline code blanked; same line numbers."""
    return [INLINE_CODE.sub(blank, line) for line in without_fences(lines, fences)]


def without_formulas(lines: list[str]) -> list[str]:
    """Blank the formulas too; same line numbers."""
    text = BLOCK_FORMULA.sub(blank, "\n".join(lines))
    return FORMULA.sub(blank, text).split("\n")


def find_formulas(lines: list[str]) -> list[tuple[int, str]]:
    """List line and TeX of the formulas, inline and displayed, in order."""
    text = "\n".join(lines)
    found = list(BLOCK_FORMULA.finditer(text))
    found += FORMULA.finditer(BLOCK_FORMULA.sub(blank, text))
    return [
        (text.count("\n", 0, match.start()) + 1, match[0].strip("$> \n"))
        for match in sorted(found, key=lambda one: one.start())
    ]


def find_headings(lines: list[str]) -> list[Heading]:
    """Find the headings, with the ids that their attribute lists give."""
    found = []
    for number, line in enumerate(lines, 1):
        if match := HEADING.match(line):
            ids = re.findall(r"#([\w-]+)", match["attrs"] or "")
            found.append(
                Heading(number, len(match["marks"]), match["text"], ids[0] if ids else None)
            )
    return found


def find_links(lines: list[str]) -> list[Link]:
    """Find links and images: inline, by reference, and in raw HTML."""
    found = []
    for number, line in enumerate(lines, 1):
        for match in LINK.finditer(line):
            image = match["bang"] == "!"
            found.append(Link(number, match["text"], match["target"], image))
            # An image may itself be the text of a link.
            found.extend(
                Link(number, inner["text"], inner["target"], True)
                for inner in LINK.finditer(match["text"])
            )
        if match := DEFINITION.match(line):
            found.append(Link(number, match["text"], match["target"], False))
        for match in HTML_LINK.finditer(line):
            found.append(Link(number, match[0], match["target"], match["tag"] == "img"))
    return found
