"""Read a notebook that is kept as Python text in jupytext's percent form."""

import re
from dataclasses import dataclass
from pathlib import Path

CELL = re.compile(r"^# %%(?P<rest>.*)$")
ALTERNATIVE = re.compile(r'\balt="(?P<text>[^"]*)"')


@dataclass(frozen=True)
class Cell:
    """One cell: its first line, counted from 1 in the file, its kind, its options, its lines."""

    line: int
    kind: str
    options: str
    lines: tuple[str, ...]

    def code(self) -> str:
        """Give the source of a code cell; IPython's own commands are not Python."""
        return "\n".join("" if line.startswith(("%", "!")) else line for line in self.lines)


def page_text(text: str) -> str:
    """Give a notebook's front matter and prose as the lines of a page, its code left out.

    The alternative text of a picture stands where its cell begins.
    """
    shown, kind = [], "markdown"
    for line in text.split("\n"):
        if match := CELL.match(line):
            kind = "markdown" if "[markdown]" in match["rest"] else "code"
            alternative = ALTERNATIVE.search(match["rest"])
            shown.append(alternative["text"] if alternative else "")
        else:
            shown.append(re.sub(r"^# ?", "", line) if kind == "markdown" else "")
    return "\n".join(shown)


def load_cells(path: Path) -> list[Cell]:
    """Split a notebook into cells."""
    return split_cells(path.read_text(encoding="utf-8"))


def split_cells(text: str) -> list[Cell]:
    """Split a notebook's text into cells; what stands before the first is its header."""
    cells: list[Cell] = []
    start, kind, options, body = 0, "", "", []
    for number, line in enumerate(text.split("\n"), 1):
        if match := CELL.match(line):
            if start:
                cells.append(Cell(start, kind, options, tuple(body)))
            start, options, body = number, match["rest"].strip(), []
            kind = "markdown" if "[markdown]" in options else "code"
        else:
            body.append(line)
    if start:
        cells.append(Cell(start, kind, options, tuple(body)))
    return cells
