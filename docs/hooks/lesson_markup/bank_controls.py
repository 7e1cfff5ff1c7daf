"""The live lesson as HTML: all that stands still, so that its script only fills in figures."""

from __future__ import annotations

import html
from collections.abc import Mapping

from attention_core import bank
from lesson_markup.bank_words import rich

Words = Mapping[str, str]
FOUR = range(4)


def controls(words: Words) -> str:
    """Return the lesson's controls, empty tables and pictures, in the page's words."""
    sentences = [(name, " ".join(tokens)) for name, tokens in bank.sentences.items()]
    modes = [(mode, rich(words[mode])) for mode in ("scaled", "unscaled", "uniform")]
    choices = [(choice, rich(words[choice])) for choice in ("soft", "hard")]
    return (
        '<div class="bl-live"><div class="bl-settings">'
        f"{_choose('sentence', words['sentence'], sentences)}"
        f"{_choose('mode', words['mode'], modes)}{_choose('choice', words['choice'], choices)}"
        f"</div>{_steps(words)}"
        '<div class="bl-say" aria-live="polite"><p class="bl-title"></p><p class="bl-text"></p>'
        f'<p class="bl-verdict" hidden></p></div>{_guesses(words)}{_stage(words)}'
        f'<div class="bl-panels">{_panels(words)}</div>'
        f'<p class="bl-hint">{rich(words["hint"])}</p>{_opened(words)}{_take(words)}</div>'
    )


def _choose(name: str, legend: str, options: list[tuple[str, str]]) -> str:
    labels = "".join(
        f'<label><input type="radio" name="{name}" value="{value}"><span>{text}</span></label>'
        for value, text in options
    )
    return (
        f'<fieldset class="bl-choose bl-{name}"><legend>{html.escape(legend)}</legend>'
        f"<div>{labels}</div></fieldset>"
    )


def _button(text: str, attributes: str) -> str:
    return f'<button type="button" {attributes}>{text}</button>'


def _steps(words: Words) -> str:
    titles = [rich(words[f"step{step}_title"]) for step in range(1, 7)]
    marks = [
        _button(f"<b>{step}</b> <span>{title}</span>", f"data-step={step}")
        for step, title in enumerate(titles, 1)
    ]
    name, previous, following = (html.escape(words[key]) for key in ("steps", "previous", "next"))
    back = _button("←", f'class="bl-go" data-go="-1" aria-label="{previous}"')
    onward = _button("→", f'class="bl-go" data-go="1" aria-label="{following}"')
    items = "".join(f"<li>{mark}</li>" for mark in marks)
    return f'<div class="bl-steps" role="group" aria-label="{name}">{back}<ol>{items}</ol>{onward}</div>'


def _guesses(words: Words) -> str:
    tokens = "".join(_button(_token(k), f"data-guess={k + 1}") for k in FOUR)
    skip = _button(html.escape(words["predict_skip"]), 'class="bl-skip" data-guess=""')
    return f'<div class="bl-guess" hidden>{tokens}{skip}</div>'


def _token(index: int) -> str:
    return f'<b data-fill="token{index + 1}"></b>'


def _stage(words: Words) -> str:
    tokens = "".join(
        f'<label><input type="radio" name="ask" value="{k + 1}">'
        f"<span>{_token(k)}<small></small></span></label>"
        for k in FOUR
    )
    # The picture repeats the table: width by weight.
    return (
        f'<fieldset class="bl-stage"><legend>{html.escape(words["who_asks"])}</legend>'
        '<svg viewBox="0 0 400 100" preserveAspectRatio="none" aria-hidden="true">'
        f'{"<path/>" * 4}</svg><div class="bl-tokens">{tokens}</div></fieldset>'
    )


def _panels(words: Words) -> str:
    axes = [html.escape(words[f"dimension{axis}"]) for axis in range(1, 5)]
    short = [
        f'<abbr title="{axis}">{html.escape(words[f"short{n}"])}</abbr>'
        for n, axis in enumerate(axes, 1)
    ]
    keys = [_token(k) for k in FOUR]
    projected = "".join(
        _table(of, short, rich(words[f"{of}_caption"])) for of in ("query", "key", "value")
    )
    scores, weights = (rich(words[f"{of}_caption"]) for of in ("scores", "weights"))
    caption = (
        f'<span data-while="scores">{scores}</span><span data-while="weights">{weights}</span>'
    )
    panels = {
        "1": _table("x", axes, rich(words["x_caption"])),
        "2": projected,
        "3456": _table("scores", keys, caption),
        "56": _mix(axes, words),
    }
    return "".join(f'<div data-steps="{steps}">{panel}</div>' for steps, panel in panels.items())


def _cell(of: str, i: int, j: int) -> str:
    return _button("", f"data-of={of} data-i={i} data-j={j} tabindex=-1 aria-expanded=false")


def _table(of: str, columns: list[str], caption: str) -> str:
    heads = "".join(f'<th scope="col">{column}</th>' for column in columns)
    cells = ["".join(f"<td>{_cell(of, i, j)}</td>" for j in FOUR) for i in FOUR]
    rows = "".join(
        f'<tr data-row={i}><th scope="row">{_token(i)}</th>{cells[i]}</tr>' for i in FOUR
    )
    return (
        f'<table class="al-grid bl-grid bl-{of}"><caption>{caption}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _mix(axes: list[str], words: Words) -> str:
    shares = "".join(f"<span>{_token(k)} <small></small></span>" for k in FOUR)
    rows = "".join(
        f'<tr><th scope="row">{axis}</th><td><div class="bl-bar" data-bar={c} aria-hidden="true">'
        f"{shares}<i></i></div></td><td>{_cell('output', 0, c)}</td></tr>"
        for c, axis in enumerate(axes)
    )
    parts, output = (html.escape(words[key]) for key in ("mix_parts", "mix_output"))
    return (
        f'<table class="bl-grid bl-mix"><caption>{rich(words["mix_caption"])}</caption><thead><tr>'
        f'<td></td><th scope="col">{parts}</th><th scope="col">{output}</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _opened(words: Words) -> str:
    in_code, name = (html.escape(words[key]) for key in ("in_code", "close"))
    close = _button("×", f'class="bl-close" data-close="1" aria-label="{name}"')
    return (
        '<div class="bl-open" hidden><div role="status"><p class="bl-name"></p>'
        f'<p class="bl-lines"></p><p class="bl-code">{in_code} <code></code></p></div>{close}</div>'
    )


def _take(words: Words) -> str:
    kinds = ("copy_numpy", "copy_core", "copy_torch", "copy_link", "save_json", "save_markdown")
    buttons = "".join(_button(html.escape(words[kind]), f"data-take={kind}") for kind in kinds)
    name = html.escape(words["take"])
    return (
        f'<div class="bl-take" role="group" aria-label="{name}"><p>{name}</p>{buttons}'
        '<p class="bl-status" role="status"></p>'
        '<pre tabindex="0" hidden></pre></div>'
    )
