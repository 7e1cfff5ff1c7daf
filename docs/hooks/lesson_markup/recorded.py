"""Arrays as they stand in the recorded output of a lab."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

Rows = tuple[tuple[str, ...], ...]


class RecordedError(ValueError):
    """The recorded output does not hold what was asked for."""


def find_array(recorded: str, name: str) -> Rows:
    """Return the matrix printed under the line `name`, each number as it was printed.

    >>> find_array("scores\\n[[1.  0.5]\\n [0.  1. ]]\\n", "scores")
    (('1.', '0.5'), ('0.', '1.'))
    """
    lines = recorded.splitlines()
    places = [
        number
        for number, line in enumerate(lines[:-1])
        if line.strip() == name and lines[number + 1].lstrip().startswith("[")
    ]
    if len(places) != 1:
        names = ", ".join(array_names(lines)) or "none"
        count = "no array" if not places else f"{len(places)} arrays"
        raise RecordedError(f"{count} named {name!r}; the arrays recorded there are: {names}")
    printed: list[str] = []
    depth = 0
    for line in lines[places[0] + 1 :]:
        printed.append(line)
        depth += line.count("[") - line.count("]")
        if depth <= 0:
            break
    return _rows(" ".join(printed), name)


def array_names(lines: Sequence[str]) -> list[str]:
    """Return the lines that stand directly above an array."""
    return [
        line.strip()
        for line, below in pairwise(lines)
        if below.lstrip().startswith("[") and line.strip() and not line.lstrip().startswith("[")
    ]


def _rows(printed: str, name: str) -> Rows:
    if "[[[" in printed.replace(" ", ""):
        raise RecordedError(f"{name!r} has more than two axes; a figure shows a matrix or a vector")
    rows = tuple(tuple(row.split()) for row in re.findall(r"\[([^\[\]]*)\]", printed))
    for number in (number for row in rows for number in row):
        try:
            float(number)
        except ValueError:
            raise RecordedError(f"{name!r} holds {number!r}, which is not a number") from None
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise RecordedError(f"{name!r} has no rows, or rows of unequal length")
    return rows
