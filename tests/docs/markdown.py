"""Read a page's lines the way the site's Markdown does: fences, prose, headings, links.

Fences are found line by line, as pymdownx.superfences finds them before any other syntax is
looked at; so those inside tabs, admonitions and lists are found like any other.
"""

import re
from dataclasses import dataclass

OPENING = re.compile(
    r"^(?P<indent>[> ]*)(?P<mark>`{3,}|~{3,})[ ]*(?P<info>[^`\n]*?)[ ]*$",
)
INCLUDE = re.compile(r"^[ ]*-+8<-+[ ]+(?P<quote>[\"'])(?P<target>.+?)(?P=quote)[ ]*$")
INCLUDE_MARK = re.compile(r"-+8<-+")
HEADING = re.compile(r"^[ ]*(?P<marks>#{1,6})[ ]+(?P<text>.*?)[ ]*(?:\{(?P<attrs>[^{}]*)\})?[ ]*$")
LINK = re.compile(
    r"(?P<bang>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)[^()]*\)"
)
DEFINITION = re.compile(r"^[ ]*\[(?P<text>[^\]]+)\]:[ ]+(?P<target>\S+)")
HTML_LINK = re.compile(r"<(?P<tag>a|img)\b[^>]*?\b(?:href|src)=[\"'](?P<target>[^\"']+)[\"'][^>]*>")
INLINE_CODE = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# The two forms of pymdownx.arithmatex.
FORMULA = re.compile(r"(?<![\\$])\$(?![\s$])(?:\\.|[^\\$])+?(?<!\s)\$")
BLOCK_FORMULA = re.compile(r"^[> ]*\$\$.+?\$\$[ ]*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class RawFence:
    """A fence as it is written: where, its header, and its lines without indentation."""

    line: int
    info: str
    lines: tuple[str, ...]
    end: int


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


def find_fences(lines: list[str]) -> list[RawFence]:
    """Find the fences of a page; line numbers count from 1."""
    fences: list[RawFence] = []
    start = None
    for index, line in enumerate(lines):
        if start is None:
            if opening := OPENING.match(line):
                start, indent, mark = index, len(opening["indent"]), opening["mark"]
                info, body = opening["info"], []
            continue
        if line.strip() and line[:indent].strip(" >"):
            # Less indented than its opening: no fence to the site either, so not one here.
            start = None
        elif line[indent:].rstrip() == mark:
            fences.append(RawFence(start + 1, info, tuple(body), index + 1))
            start = None
        else:
            body.append(line[indent:])
    return fences


def split_info(info: str) -> tuple[str, tuple[str, ...]]:
    """Split a fence's header into language and options, in both of its forms."""
    words = info.strip().strip("{}").split()
    if info.startswith("{"):
        language = next((word[1:] for word in words if word.startswith(".")), "")
        return language, tuple(word for word in words if word != f".{language}")
    return (words[0] if words else ""), tuple(words[1:])


def blank(match: re.Match[str]) -> str:
    """Replace a match by spaces that keep the lines where they are."""
    return re.sub(r"[^\n]", " ", match[0])


def prose(lines: list[str], fences: list[RawFence]) -> list[str]:
    """Give the lines with fences, comments and inline code blanked; same line numbers."""
    kept = list(lines)
    for fence in fences:
        for index in range(fence.line - 1, fence.end):
            kept[index] = ""
    text = COMMENT.sub(blank, "\n".join(kept))
    return [INLINE_CODE.sub(blank, line) for line in text.split("\n")]


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
