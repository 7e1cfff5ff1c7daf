"""The `bank-lesson` fence: the live bank lesson, round tables that are complete without it.

The fence holds every word of the lesson in the page's language. The page receives three things:
tables of the lesson's figures for readers without JavaScript and for print; the lesson's own
controls and texts as templates; and the data, of which the script computes everything else.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from typing import Any, get_args

from attention_core import bank
from lesson_markup.bank_code import code_texts, template
from lesson_markup.bank_controls import controls
from lesson_markup.bank_words import read_words, rich
from lesson_markup.matrix import Figure, render

# Every page of the course lies one folder below its language's root, where the assets are.
ASSETS = "../assets"
MODES: tuple[bank.Mode, ...] = get_args(bank.Mode)


def bank_lesson_fence(site_words: Mapping[str, str]) -> Callable[..., str]:
    """Return a SuperFences formatter; `site_words` name the axes of a matrix."""

    def formatter(source: str, *_args: Any, **_options: Any) -> str:
        words = read_words(source)
        return (
            # Markdown would put an element that it does not know into a paragraph.
            f'<div><link rel="stylesheet" href="{ASSETS}/css/bank-lesson.css">'
            f'<bank-lesson role="region" aria-label="{html.escape(words["label"])}">'
            f'<div class="bl-static"><noscript><p>{html.escape(words["no_script"])}</p></noscript>'
            f"{static_matrix(words, site_words)}"
            f"{static_modes(words)}</div>"
            f'<template data-name="controls" data-search-exclude>{controls(words)}</template>'
            f"{''.join(templates(words))}"
            f'<script type="application/json" data-search-exclude>{data()}</script></bank-lesson>'
            f'<script type="module" src="{ASSETS}/js/bank-lesson-define.js"></script></div>'
        )

    return formatter


def shown(number: float) -> str:
    """Return a number as the lesson shows it: exact if it has three decimals, else to two.

    >>> shown(0.625), shown(2.3), shown(0.6853), shown(0)
    ('0.625', '2.3', '0.69', '0')
    """
    exact = abs(number - round(number, 3)) < 1e-9
    return f"{round(number, 3 if exact else 2):g}"


def vector(numbers: Any) -> str:
    """Return numbers as the lesson shows a row of them."""
    return f"[{', '.join(map(shown, numbers))}]"


def static_matrix(words: Mapping[str, str], site_words: Mapping[str, str]) -> str:
    """Return the weights of the lesson's standard case as a table."""
    tokens = bank.sentences["river"]
    numbers = tuple(tuple(map(shown, row)) for row in bank.lesson("river").weights.tolist())
    figure = Figure("weights", numbers, tokens, tokens, words["static_matrix"], tokens[-1])
    return render(figure, site_words)


def static_modes(words: Mapping[str, str]) -> str:
    """Return bank's weights and output in both sentences and all three modes as a table."""
    rows = []
    for name, tokens in bank.sentences.items():
        for mode in MODES:
            trace = bank.lesson(name, mode)
            first = f'<th scope="rowgroup" rowspan="{len(MODES)}">{" ".join(tokens)}</th>'
            rows.append(
                f"<tr>{first if mode == MODES[0] else ''}<th scope=row>{rich(words[mode])}</th>"
                f"<td>{vector(trace.weights[-1])}</td><td>{vector(trace.output[-1])}</td></tr>"
            )
    heads = "".join(
        f"<th scope=col>{rich(words[key])}</th>"
        for key in ("sentence", "mode", "static_weights", "static_output")
    )
    caption = html.escape(words["static_modes"])
    return (
        f'<div class="al-scroll" tabindex="0" role="group" aria-label="{caption}">'
        f'<table class="bl-modes"><caption>{caption}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


# Which text shows while which of its states is on. "clear" has one largest score, "tied" several.
FORMS = {
    "step3": {"scaled": "scaled", "unscaled": "unscaled", "uniform": "uniform"},
    "step4": {
        "clear_soft": "soft",
        "tied_soft": "tied",
        "clear_hard": "hard",
        "tied_hard": "hard_tied",
    },
    "step5": {"soft": "soft", "hard": "hard"},
    "step6": {"soft": "soft", "hard": "hard"},
    "predict": {"ask": "ask", "right": "right", "wrong": "wrong", "tied": "tied"},
}
PLAIN = (
    *(f"step{step}_title" for step in range(1, 7)),
    *("step1", "step2"),
    *(f"dimension{axis}" for axis in range(1, 5)),
    *("given", "copied", "not_copied", "separator"),
)


def templates(words: Mapping[str, str]) -> list[str]:
    """Return what the script fills and shows: sentences in words, formulas, code."""
    texts = {key: rich(words[key]) for key in PLAIN}
    # Names of buttons are no markup; the script puts row and column in.
    texts |= {key: html.escape(text) for key, text in words.items() if key.startswith("name_")}
    for name, forms in FORMS.items():
        texts[name] = "".join(
            f'<span data-when="{state}">{rich(words[f"{name}_{form}"])}</span>'
            for state, form in forms.items()
        )
    texts |= {key: template(text) for key, text in code_texts(words["code_note"]).items()}
    return [
        f'<template data-name="{key}" data-search-exclude>{text}</template>'
        for key, text in texts.items()
    ]


def data() -> str:
    """Return what was set by hand, as JSON that cannot end the element it stands in."""
    record = {
        "sentences": {name: list(tokens) for name, tokens in bank.sentences.items()},
        "dimensions": list(bank.dimensions),
        "embeddings": {token: row.tolist() for token, row in bank.embeddings.items()},
        "W_q": bank.W_q.tolist(),
        "W_k": bank.W_k.tolist(),
        "W_v": bank.W_v.tolist(),
    }
    return json.dumps(record).replace("<", "\\u003c")
