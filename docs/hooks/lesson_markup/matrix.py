"""The `matrix` fence: a recorded array as a table whose cells carry its numbers and their tint."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown import Markdown

from lesson_markup.bound import caption_html, caption_text
from lesson_markup.errors import PageError
from lesson_markup.recorded import RecordedError, Rows, find_array

REQUIRED = ("from", "name", "kind", "rows", "columns", "caption")
OPTIONAL = ("highlight",)
# Which words of the page's language name the two axes.
AXES = {
    "weights": ("rows_ask", "columns_are_keys"),
    "scores": ("rows_ask", "columns_are_keys"),
    "values": ("rows_are_tokens", "columns_are_features"),
}


@dataclass(frozen=True)
class Figure:
    """One matrix figure, checked and ready to be written out."""

    kind: str
    numbers: Rows
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    caption: str
    highlight: str


def read_fence(source: str, snippets: Path) -> Figure:
    """Check the fence against the recorded output and return the figure; raise `PageError`."""
    keys = _keys(source)
    if keys["kind"] not in AXES:
        raise _error(source, "kind", f"kind {keys['kind']!r} is none of {', '.join(AXES)}.")
    if "/" in keys["from"] or not keys["from"].endswith(".out"):
        raise _error(
            source, "from", f"{keys['from']!r} is not the name of a recorded output, x.out."
        )
    path = snippets / keys["from"]
    if not path.is_file():
        raise _error(source, "from", f"snippets/{keys['from']} does not exist; record it first.")
    try:
        numbers = find_array(path.read_text(encoding="utf-8"), keys["name"])
    except RecordedError as error:
        raise _error(source, "name", f"snippets/{keys['from']}: {error}.") from error
    rows, columns = _labels(keys["rows"]), _labels(keys["columns"])
    for key, labels, needed in (
        ("rows", rows, len(numbers)),
        ("columns", columns, len(numbers[0])),
    ):
        if len(labels) != needed:
            raise _error(
                source, key, f"{len(labels)} {key} are named, but {keys['name']!r} has {needed}."
            )
    highlight = keys.get("highlight", "")
    if highlight and highlight not in rows:
        raise _error(source, "highlight", f"{highlight!r} is none of the rows {', '.join(rows)}.")
    return Figure(keys["kind"], numbers, rows, columns, keys["caption"], highlight)


def _keys(source: str) -> dict[str, str]:
    keys: dict[str, str] = {}
    for line in filter(str.strip, source.splitlines()):
        key, colon, value = line.partition(":")
        # A remark may follow a value after two spaces and #.
        key, value = key.strip(), value.split("  #")[0].strip()
        if not colon or key not in REQUIRED + OPTIONAL:
            known = ", ".join(REQUIRED + OPTIONAL)
            raise PageError(
                f"matrix: {line.strip()!r} is no key: value; keys: {known}.", source, line
            )
        if key in keys:
            raise PageError(f"matrix: {key} is given twice; keep one.", source, line)
        if not value:
            raise PageError(f"matrix: {key} has no value; write one after the colon.", source, line)
        keys[key] = value
    missing = [key for key in REQUIRED if key not in keys]
    if missing:
        raise PageError(f"matrix: the fence lacks {', '.join(missing)}; add them.", source)
    return keys


def _labels(text: str) -> tuple[str, ...]:
    return tuple(label.strip() for label in text.split("|"))


def _error(source: str, key: str, problem: str) -> PageError:
    line = next(row for row in source.splitlines() if row.strip().startswith(f"{key}:"))
    return PageError(f"matrix: {problem}", source, line)


def tints(numbers: Rows, kind: str) -> tuple[tuple[float, ...], ...]:
    """Return how far each cell is tinted, -1 to 1: weights as they are, others by the largest.

    >>> tints((("2.", "-1."),), "scores")
    ((1.0, -0.5),)
    """
    values = [[float(number) for number in row] for row in numbers]
    top = 1.0 if kind == "weights" else max(abs(v) for row in values for v in row) or 1.0
    return tuple(tuple(max(-1.0, min(1.0, v / top)) for v in row) for row in values)


def render(figure: Figure, words: Mapping[str, str], caption: str = "") -> str:
    """Return the figure as HTML; every number is text in a real table.

    `caption` is the figure's caption as HTML, if there is more to it than its text.
    """
    rows_word, columns_word = (html.escape(words[key]) for key in AXES[figure.kind])
    heads = "".join(f'<th scope="col">{html.escape(label)}</th>' for label in figure.columns)
    body = []
    for label, numbers, row_tints in zip(
        figure.rows, figure.numbers, tints(figure.numbers, figure.kind), strict=True
    ):
        cells = "".join(
            f'<td{" class=al-below" if tint < 0 else ""} style="--al-t:{abs(tint):.3g}">'
            f"{html.escape(number)}</td>"
            for number, tint in zip(numbers, row_tints, strict=True)
        )
        mark = ' class="al-row-on"' if label == figure.highlight else ""
        body.append(f'<tr{mark}><th scope="row">{html.escape(label)}</th>{cells}</tr>')
    caption = caption or html.escape(figure.caption)
    label = html.escape(caption_text(figure.caption))
    # The box scrolls on a narrow screen; it takes focus so that keys can scroll it.
    return (
        f'<figure class="al-matrix al-matrix--{figure.kind}">'
        f'<div class="al-scroll" tabindex="0" role="group" aria-label="{label}">'
        f'<table class="al-grid"><caption>{caption}</caption><thead>'
        f'<tr><td></td><th scope="colgroup" colspan="{len(figure.columns)}" class="al-axis">'
        f"{columns_word}</th></tr>"
        f'<tr><th scope="col" class="al-axis">{rows_word}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div></figure>"
    )


def matrix_fence(snippets: Path, words: Mapping[str, str]) -> Callable[..., str]:
    """Return a SuperFences formatter that reads from `snippets` and speaks in `words`."""

    def formatter(
        source: str,
        _language: str,
        _css_class: str,
        _options: dict[str, Any],
        md: Markdown,
        **_attributes: Any,
    ) -> str:
        figure = read_fence(source, snippets)
        return render(figure, words, caption_html(md, figure.caption))

    return formatter
