"""Bound figures in a page's source: `[0.577](<=weights[0]>)`, and the lab that each belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lesson_markup.errors import PageError
from lesson_markup.expression import ExpressionError, names_in
from lesson_markup.fences import (
    INCLUDE,
    INLINE_CODE,
    PYTHON,
    RawFence,
    find_fences,
    split_info,
    without_fences,
)

# Brackets in a literal may nest twice, as those of a matrix do.
BOUND = re.compile(
    r"\[(?P<literal>(?:[^\[\]\n]|\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\])*)\]"
    r"\(<=[ ]*(?P<expression>(?:(?!\]\(<=)[^\n])*?)[ ]*>\)"
)
HEADING = re.compile(r"^[> ]*#{1,6}[ ]")
OPENED = re.compile(r"\]\(\s*<?\s*=")


@dataclass(frozen=True)
class BoundFigure:
    """One figure of a page, where it stands, and the expression and lab that it is held to."""

    line: int
    span: tuple[int, int]  # within its line
    literal: str
    expression: str
    lab: str
    named: tuple[str, ...] = ()  # labs that the expression names; else it looks into `lab`


def find_figures(
    lines: Sequence[str], elsewhere: Mapping[str, str], notebook: str = ""
) -> list[BoundFigure]:
    """Return the bound figures of a page in order, captions of `matrix` fences included.

    Parameters
    ----------
    lines
        The page's source.
    elsewhere
        The front matter's `labs`: labs of other pages by name.
    notebook
        The page's name, if it is a notebook: its own cells are then the one lab.

    Raises
    ------
    PageError
        The notation is broken, or no lab stands where the figure could come from.
    """
    fences = find_fences(lines)
    labs = [(fence.line, lab) for fence in fences if (lab := lab_of(fence))]
    known = {lab for _, lab in labs} | set(elsewhere)
    found = []
    for number, line, bound_to in _candidates(lines, fences):
        for match in _matches(line):
            if HEADING.match(line):
                raise PageError(
                    f"the figure {match['literal']} is bound in a heading, where no link can "
                    "stand; say it in the text below.",
                    line.strip(),
                )
            above = [lab for at, lab in labs if at < number]
            default = notebook or bound_to or (above[-1] if above else "")
            named = _labs_named(match, known)
            if not named and not default:
                raise PageError(
                    f"no lab stands above this figure, so {match['expression']!r} has nothing to "
                    "look at; embed a lab first, or name one in the front matter, as in "
                    "labs: {lab: page.md}.",
                    match.group(),
                )
            lab = named[0] if named else default
            literal, expression = match["literal"], match["expression"]
            found.append(BoundFigure(number, match.span(), literal, expression, lab, named))
    return found


def _candidates(lines: Sequence[str], fences: Sequence[RawFence]) -> Iterator[tuple[int, str, str]]:
    """Walk the lines that may hold figures, with the lab that a line is tied to by itself."""
    of_fence = {}
    for fence in fences:
        if split_info(fence.info)[0] == "matrix":
            sources = [row.split(":", 1)[1] for row in fence.lines if row.startswith("from:")]
            lab = sources[0].strip().removesuffix(".out") if sources else ""
            for number, row in enumerate(fence.lines, fence.line + 1):
                if row.startswith("caption:"):
                    of_fence[number] = lab
    for number, line in enumerate(without_fences(lines, fences), 1):
        if number in of_fence:
            yield number, lines[number - 1], of_fence[number]
        elif line.strip():
            yield number, line, ""


def _matches(line: str) -> list[re.Match[str]]:
    """Find the notation in a line, apart from where it is shown as code."""
    code = [match.span() for match in INLINE_CODE.finditer(line)]

    def shown(place: int) -> bool:
        return any(start <= place < end for start, end in code)

    matches = [match for match in BOUND.finditer(line) if not shown(match.start())]
    covered = [match.span() for match in matches]
    for opened in OPENED.finditer(line):
        inside = any(start <= opened.start() < end for start, end in covered)
        if not inside and not shown(opened.start()):
            raise PageError(
                "a bound figure is not closed; write [literal](<=expression>) on one line, "
                "with brackets in pairs.",
                line.strip(),
                opened.group(),
            )
    return matches


def _labs_named(match: re.Match[str], known: set[str]) -> tuple[str, ...]:
    """List the labs that an expression names."""
    try:
        return tuple(sorted(names_in(match["expression"]) & known))
    except ExpressionError as error:
        raise PageError(f"{error}.", match.group()) from error


def lab_of(fence: RawFence) -> str:
    """Name the lab that a Python fence shows, whole or in part; nothing for any other fence."""
    if split_info(fence.info)[0] not in PYTHON:
        return ""
    targets = [match["target"] for line in fence.lines if (match := INCLUDE.match(line))]
    return targets[0].partition(":")[0].removesuffix(".py") if targets else ""


def labs_on(lines: Sequence[str]) -> list[str]:
    """List the labs that a page shows, in order of their first fence."""
    return list(dict.fromkeys(lab for fence in find_fences(lines) if (lab := lab_of(fence))))
