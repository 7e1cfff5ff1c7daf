"""What a `bank-lesson` fence may say: its keys, and the figures that each text may name."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import yaml

from lesson_markup.errors import PageError
from lesson_markup.terms import TERM_CLASSES, TERM_PATTERN

# What the element fills in, with the colour of the quantity that it is.
FIGURES = {
    **dict.fromkeys(("ask", "main", "shares", "percent", "equals", "grown", "before", "x"), ""),
    **dict.fromkeys(("sentence", "other", "token1", "token2", "token3", "token4"), ""),
    "query": "al-q",
    **dict.fromkeys(("raw", "divisions", "scores"), "al-s"),
    **dict.fromkeys(("weights", "there", "back"), "al-w"),
    **dict.fromkeys(("output", "after", "bank_output", "other_output"), "al-o"),
    # Known only when a reader has guessed, or has opened a number.
    **dict.fromkeys(("guess", "guess_score", "best"), ""),
    **dict.fromkeys(("row", "column"), ""),
}
GUESS = frozenset({"guess", "guess_score", "best"})
CELL = frozenset({"row", "column"})
STATE = frozenset(FIGURES) - GUESS - CELL
NONE: frozenset[str] = frozenset()

# Every text of the lesson, and which figures may stand in it.
KEYS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("label", "sentence", "mode", "scaled", "unscaled", "uniform"), NONE),
    **dict.fromkeys(("choice", "soft", "hard", "who_asks", "steps", "previous", "next"), NONE),
    **{f"step{step}_title": NONE for step in range(1, 7)},
    **dict.fromkeys(("step1", "step2", "step3_scaled", "step3_unscaled", "step3_uniform"), STATE),
    **dict.fromkeys(("step4_soft", "step4_tied", "step4_hard", "step4_hard_tied"), STATE),
    **dict.fromkeys(("step5_soft", "step5_hard", "step6_soft", "step6_hard"), STATE),
    **dict.fromkeys(("predict_ask", "predict_tied"), STATE),
    **dict.fromkeys(("predict_right", "predict_wrong"), STATE | GUESS),
    "predict_skip": NONE,
    **{f"dimension{axis}": NONE for axis in range(1, 5)},
    **{f"short{axis}": NONE for axis in range(1, 5)},
    **dict.fromkeys(("x_caption", "query_caption", "key_caption", "value_caption"), NONE),
    **dict.fromkeys(("scores_caption", "weights_caption", "mix_caption"), STATE),
    **dict.fromkeys(("mix_parts", "mix_output"), NONE),
    **{f"name_{of}": CELL for of in ("x", "query", "key", "value", "scores", "weights", "output")},
    **dict.fromkeys(("given", "hint", "close", "in_code"), NONE),
    **dict.fromkeys(("take", "copy_numpy", "copy_core", "copy_torch", "copy_link"), NONE),
    **dict.fromkeys(("save_json", "save_markdown", "copied", "not_copied", "code_note"), NONE),
    **dict.fromkeys(("static_matrix", "static_modes", "static_weights", "static_output"), NONE),
    "no_script": NONE,
    "separator": NONE,
}
PLACEHOLDER = re.compile(r"\{(\w*)\}(?!\{)")
MARKS = re.compile(
    rf"`([^`]+)`|\*([^*]+)\*|{TERM_PATTERN}|(?<![A-Za-z])d_k(?![A-Za-z])|\{{(\w+)\}}"
)


def read_words(source: str) -> dict[str, str]:
    """Return the fence's texts by key; raise `PageError` at the first that is not as it must be."""
    words: dict[str, str] = {}
    for key, value, line in _entries(source):
        if key not in KEYS:
            raise PageError(f"bank-lesson: there is no key {key!r}; remove it.", source, line)
        if key in words:
            raise PageError(f"bank-lesson: {key} is given twice; keep one.", source, line)
        if not value.strip():
            raise PageError(f"bank-lesson: {key} is empty; write its text.", source, line)
        _check_text(key, value, source, line)
        words[key] = value
    missing = [key for key in KEYS if key not in words]
    if missing:
        raise PageError(f"bank-lesson: the fence lacks {', '.join(missing)}; add them.", source)
    return words


def _entries(source: str) -> Iterator[tuple[str, str, str]]:
    """Give key, text and first line of each entry; a plain load would lose a second same key."""
    try:
        root = yaml.compose(source, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = source.splitlines()[min(mark.line, source.count("\n"))] if mark else ""
        text = f"bank-lesson: not YAML ({error.problem}); quote a text that holds a colon and space"
        raise PageError(
            f"{text}, or that starts with a sign such as {{ or *.", source, line
        ) from error
    if not isinstance(root, yaml.MappingNode):
        raise PageError("bank-lesson: the fence holds no key: text lines; write them.", source)
    for key, value in root.value:
        line = source.splitlines()[key.start_mark.line]
        if not isinstance(key, yaml.ScalarNode) or not isinstance(value, yaml.ScalarNode):
            raise PageError(f"bank-lesson: {line.strip()!r} is no key: text.", source, line)
        yield key.value, value.value, line


def _check_text(key: str, text: str, source: str, line: str) -> None:
    # Term marks have braces of their own.
    for _, name in re.findall(TERM_PATTERN, text):
        if name not in TERM_CLASSES:
            allowed = ", ".join(f".{known}" for known in TERM_CLASSES)
            problem = (
                f"bank-lesson: {key} has the unknown term class .{name}; use one of {allowed}."
            )
            raise PageError(problem, source, line)
    bare = re.sub(TERM_PATTERN, "", text)
    for name in PLACEHOLDER.findall(bare):
        if name not in KEYS[key]:
            known = ", ".join(sorted(KEYS[key])) or "none"
            problem = f"bank-lesson: {key} cannot show {{{name}}}; it knows {known}."
            raise PageError(problem, source, line)
    if re.search(r"[{}]", PLACEHOLDER.sub("", bare)):
        raise PageError(f"bank-lesson: {key} has a brace without its partner.", source, line)


def placeholders(text: str) -> list[str]:
    """List the figures that a text names, in order.

    >>> placeholders("[Query]{.al-q} of {ask}: {query}")
    ['ask', 'query']
    """
    return PLACEHOLDER.findall(re.sub(TERM_PATTERN, "", text))


def rich(text: str) -> str:
    """Return a text as HTML: code, emphasis, terms, d_k, and places for the figures.

    >>> rich("*No* `sum` < {query}")
    '<em>No</em> <code>sum</code> &lt; <b class="bl-figure al-q" data-fill="query"></b>'
    """
    pieces, end = [], 0
    for match in MARKS.finditer(text):
        pieces += [html.escape(text[end : match.start()], quote=False), _mark(match)]
        end = match.end()
    return "".join(pieces) + html.escape(text[end:], quote=False)


def _mark(match: re.Match[str]) -> str:
    code, stress, term, term_class, figure = match.groups()
    if code:
        # A code span may itself be a figure, such as a token.
        return f"<code>{rich(code)}</code>"
    if stress:
        return f"<em>{rich(stress)}</em>"
    if term:
        return f'<span class="al-term {term_class}">{rich(term)}</span>'
    if figure:
        colour = f" {FIGURES[figure]}" if FIGURES[figure] else ""
        return f'<b class="bl-figure{colour}" data-fill="{figure}"></b>'
    return "d<sub>k</sub>"
