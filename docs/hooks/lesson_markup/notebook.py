"""A notebook as a page: its cells become Markdown, its outputs plain text and picture files.

mkdocs-jupyter runs the notebook and gives a page of its own HTML, CSS and scripts. Only the
outputs are taken from it; the cells are read from the source, so that headings, links, formulas
and code go the same way as on every other page.
"""

from __future__ import annotations

import base64
import copy
import html
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import jupytext  # type: ignore[import-untyped]
import yaml
from bs4 import BeautifulSoup, Tag

from lesson_markup.figures import BOUND


class NotebookError(ValueError):
    """A notebook cannot become a page; the message names the cell."""


@dataclass(frozen=True)
class Output:
    """What one code cell showed: text, or a picture with its file ending."""

    text: str = ""
    picture: bytes = b""
    ending: str = ""


@dataclass(frozen=True)
class Notebook:
    """A notebook's front matter, its cells without it, and its text as .ipynb."""

    meta: dict[str, Any]
    cells: tuple[Mapping[str, Any], ...]
    download: str


def read_notebook(path: Path) -> Notebook:
    """Read a jupytext notebook; the head's YAML, `jupyter` apart, is the page's front matter."""
    notebook = jupytext.read(path)
    meta: dict[str, Any] = {}
    if notebook.cells and notebook.cells[0].cell_type == "raw":
        meta = yaml.safe_load(notebook.cells[0].source.strip().strip("-")) or {}
        del notebook.cells[0]
    for number, cell in enumerate(notebook.cells, 1):
        # Random identifiers would make every build differ.
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata["kernelspec"] = kernel
    download = copy.deepcopy(notebook)
    for cell in download.cells:
        # Nothing in Jupyter could follow the link of a bound figure.
        if cell["cell_type"] == "markdown":
            cell["source"] = BOUND.sub(r"\g<literal>", cell["source"])
        elif "alt" in cell["metadata"]:
            cell["metadata"]["alt"] = BOUND.sub(r"\g<literal>", cell["metadata"]["alt"])
    return Notebook(meta, tuple(notebook.cells), jupytext.writes(download, fmt="ipynb"))


# The page is large, and a running server asks for the same one after each edit elsewhere.
@lru_cache(maxsize=8)
def outputs_of(page: str) -> tuple[tuple[Output, ...], ...]:
    """Return the outputs of each code cell in a page of mkdocs-jupyter, in order."""
    soup = BeautifulSoup(page, "html.parser")
    # The template nests two elements of this class.
    cells = soup.select("div.jp-CodeCell:not(:has(div.jp-CodeCell))")
    return tuple(
        tuple(out for area in cell.select(".jp-OutputArea-output") for out in _outputs(area))
        for cell in cells
    )


def _outputs(area: Tag) -> list[Output]:
    # A first run of matplotlib reports its font cache on stderr: not part of the lesson.
    if "stderr" in str(area.get("data-mime-type", "")):
        return []
    drawing = area.find("svg")
    if isinstance(drawing, Tag):
        return [Output(picture=str(drawing).encode(), ending="svg")]
    image = area.find("img")
    if isinstance(image, Tag):
        head, _, data = str(image.get("src", "")).partition(",")
        kind = re.fullmatch(r"data:image/(png|svg)(?:\+xml)?;base64", head)
        if not kind:
            raise NotebookError(f"a picture of kind {head[:40]!r}; show it as PNG or SVG")
        return [Output(picture=base64.b64decode(data), ending=kind[1])]
    text = area.get_text().strip("\n")
    return [Output(text=text)] if text.strip() else []


def picture_size(picture: bytes, ending: str) -> tuple[int, int]:
    """Return width and height in CSS pixels, so that the page keeps the room before it loads."""
    if ending == "png":
        width, height = struct.unpack(">II", picture[16:24])
        return width, height
    found = re.search(rb'viewBox="([\d.\s-]+)"', picture, re.IGNORECASE)
    if not found:
        raise NotebookError("an SVG picture has no viewBox; draw it with matplotlib")
    _, _, box_width, box_height = (float(part) for part in found.group(1).split())
    # Matplotlib counts in points, a page in pixels of 1/96 inch.
    return round(box_width * 4 / 3), round(box_height * 4 / 3)


def compose(
    notebook: Notebook, outputs: Sequence[Sequence[Output]], name: str, note: str
) -> tuple[str, dict[str, bytes]]:
    """Return the page's Markdown and its picture files.

    Parameters
    ----------
    notebook
        The cells to write out.
    outputs
        What each code cell showed, as `outputs_of` gives it.
    name
        Stem of the picture files.
    note
        HTML that follows the first cell, for the link to the .ipynb file.
    """
    code_cells = sum(cell["cell_type"] == "code" for cell in notebook.cells)
    if code_cells != len(outputs):
        raise NotebookError(f"{code_cells} code cells, but outputs of {len(outputs)}; rebuild")
    parts: list[str] = []
    files: dict[str, bytes] = {}
    shown = iter(outputs)
    for number, cell in enumerate(notebook.cells, 1):
        if cell["cell_type"] != "code":
            parts.append(cell["source"])
        else:
            parts.append(_fence("python", cell["source"]))
            for output in next(shown):
                if output.picture:
                    file = f"{name}-{number}.{output.ending}"
                    if file in files:
                        raise NotebookError(f"cell {number} shows two pictures; split the cell")
                    files[file] = output.picture
                    parts.append(_figure(cell, number, file, output))
                else:
                    parts.append(_fence("text", output.text))
        if number == 1:
            parts.append(note)
    return "\n\n".join(parts) + "\n", files


def _fence(language: str, text: str) -> str:
    ticks = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{ticks}{language}\n{text}\n{ticks}"


def _figure(cell: Mapping[str, Any], number: int, file: str, output: Output) -> str:
    # A bound figure in an alternative text can carry no link; the tests hold it to the code.
    alt = BOUND.sub(r"\g<literal>", str(cell["metadata"].get("alt", "")).strip())
    if not alt:
        raise NotebookError(
            f'cell {number} shows a picture without an alternative text; write # %% alt="..."'
        )
    width, height = picture_size(output.picture, output.ending)
    caption = str(cell["metadata"].get("caption", "")).strip()
    below = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    return (
        f'<figure class="al-plot"><img src="{file}" alt="{html.escape(alt)}" width="{width}" '
        f'height="{height}" loading="lazy">{below}</figure>'
    )


def failing_cell(path: Path, message: str) -> tuple[int, int] | None:
    """Return number and line of the cell whose source stands in nbclient's error `message`."""
    notebook = read_notebook(path)
    text = path.read_text(encoding="utf-8")
    for number, cell in enumerate(notebook.cells, 1):
        source = cell["source"].strip()
        if cell["cell_type"] == "code" and source and source in message:
            return number, text.count("\n", 0, max(text.find(source), 0)) + 1
    return None
