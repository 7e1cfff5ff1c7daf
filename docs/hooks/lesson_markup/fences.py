"""Fences and inline code in a page's lines, found as the site's Markdown finds them.

Fences are found line by line, as pymdownx.superfences finds them before any other syntax is
looked at; so those inside tabs, admonitions and lists are found like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

OPENING = re.compile(
    r"^(?P<indent>[> ]*)(?P<mark>`{3,}|~{3,})[ ]*(?P<info>[^`\n]*?)[ ]*$",
)
INCLUDE = re.compile(r"^[ ]*-+8<-+[ ]+(?P<quote>[\"'])(?P<target>.+?)(?P=quote)[ ]*$")
INLINE_CODE = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
PYTHON = frozenset({"python", "py", "python3"})


@dataclass(frozen=True)
class RawFence:
    """A fence as it is written: where, its header, and its lines without indentation."""

    line: int
    info: str
    lines: tuple[str, ...]
    end: int


def find_fences(lines: Sequence[str]) -> list[RawFence]:
    """Find the fences of a page; line numbers count from 1."""
    fences: list[RawFence] = []
    start: int | None = None
    indent, mark, info = 0, "", ""
    body: list[str] = []
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


def without_fences(lines: Sequence[str], fences: Sequence[RawFence]) -> list[str]:
    """Give the lines with fences and comments blanked; same line numbers."""
    kept = list(lines)
    for fence in fences:
        for index in range(fence.line - 1, fence.end):
            kept[index] = ""
    return COMMENT.sub(blank, "\n".join(kept)).split("\n")
