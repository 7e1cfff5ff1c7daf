"""What a reader takes along from the bank lesson: code that runs, files, and the address."""

import contextlib
import io
import itertools
import json

import numpy as np
import pytest

from attention_core import bank
from tests.browser.addresses import address
from tests.browser.bank import CHOICES, MODES, SENTENCES, Lesson, no_errors
from tests.docs.course import LANGUAGES

KINDS = ("copy_numpy", "copy_core", "copy_torch")
STATES = list(itertools.product(SENTENCES, MODES, range(1, 5), CHOICES))
START = {"sentence": "river", "mode": "scaled", "ask": "4", "choice": "soft", "step": "1"}

# What the screen shows in a state: the asking token's rows, step by step, then all weights.
SHOWN = """([sentence, mode, ask, choice]) => {
    const lesson = document.querySelector("bank-lesson");
    const texts = (rows) => [...lesson.querySelectorAll(rows)].map((one) => one.textContent);
    const to = (step) => Object.entries({ sentence, mode, ask, choice, step })
        .forEach(([name, value]) => lesson.setAttribute(name, value));
    const row = (of, i) => `[${texts(`.bl-${of} [data-row="${i}"] button`).join(", ")}]`;
    to(2);
    const query = row("query", ask - 1);
    to(3);
    const scores = row("scores", ask - 1);
    to(4);
    const weights = row("scores", ask - 1);
    to(6);
    const output = `[${texts(".bl-mix button").join(", ")}]`;
    const tokens = texts(".bl-scores tbody th");
    return [`query ${query}`, `scores ${scores}`, `weights ${weights}`, `output ${output}`,
        ...tokens.map((token, i) => `${token} ${row("scores", i)}`)].join("\\n") + "\\n";
}"""


def printed(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "copied.py", "exec"), {})
    return out.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_copied_code_prints_the_figures_on_the_screen(lesson, kind):
    lesson.go(5)
    lesson.button(kind).click()
    lesson.root.get_by_text(lesson.text("copied")).wait_for()
    code = lesson.page.evaluate("navigator.clipboard.readText()")
    shown = lesson.page.evaluate(SHOWN, ["river", "scaled", "4", "soft"])
    assert "output [1.43, 0.06, 0.14, 0]" in shown
    assert printed(code) == shown


def test_code_of_every_state_prints_what_that_state_shows(lesson):
    states = [[str(part) for part in state] for state in STATES]
    met = lesson.page.evaluate(
        """([states, kinds, shown]) => states.map((state) => [
            eval(shown)(state),
            ...kinds.map((kind) => {
                document.querySelector(`[data-take=${kind}]`).click();
                return document.querySelector("bank-lesson pre").textContent;
            }),
        ])""",
        [states, KINDS, SHOWN],
    )
    for state, (shown, *codes) in zip(states, met, strict=True):
        for kind, code in zip(KINDS, codes, strict=True):
            assert printed(code) == shown, (state, kind)


def test_where_copying_is_refused_the_text_stands_on_the_page(lesson):
    lesson.page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject())")
    lesson.button("copy_numpy").click()
    lesson.root.get_by_text(lesson.text("not_copied")).wait_for()
    assert "import numpy" in lesson.root.locator("pre").inner_text()


def test_the_trace_is_saved_as_json(lesson, tmp_path):
    lesson.choose(SENTENCES["savings"])
    with lesson.page.expect_download() as download:
        lesson.button("save_json").click()
    assert download.value.suggested_filename == "bank-lesson.json"
    download.value.save_as(tmp_path / "trace.json")
    saved = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    trace = bank.lesson("savings")
    assert saved["tokens"] == list(bank.sentences["savings"])
    assert saved["asking"] == 3
    for name, array in (
        ("x", bank.tokens("savings")),
        ("W_q", bank.W_q),
        ("query", trace.query),
        ("rawScores", trace.scores),
        ("scores", trace.scaled_scores),
        ("weights", trace.weights),
        ("output", trace.output),
    ):
        np.testing.assert_allclose(saved[name], array, atol=1e-12)


def test_the_trace_is_saved_as_markdown(lesson, tmp_path):
    lesson.choose("uniform")
    with lesson.page.expect_download() as download:
        lesson.button("save_markdown").click()
    assert download.value.suggested_filename == "bank-lesson.md"
    download.value.save_as(tmp_path / "trace.md")
    text = (tmp_path / "trace.md").read_text(encoding="utf-8")
    assert text.startswith("# by the river bank\n")
    assert "uniform" in text
    for line in (
        "## weights",
        "- bank: [0.25, 0.25, 0.25, 0.25]",
        "- bank: [0.625, 0.125, 0.25, 0]",
    ):
        assert line in text


def test_a_copied_link_opens_the_same_state(lesson):
    lesson.choose("unscaled")
    lesson.choose("the")
    lesson.choose("hard")
    lesson.go(6)
    lesson.button("copy_link").click()
    lesson.root.get_by_text(lesson.text("copied")).wait_for()
    link = lesson.page.evaluate("navigator.clipboard.readText()")
    wanted = lesson.state()
    lesson.page.goto("about:blank")
    lesson.page.goto(link)
    lesson.root.wait_for()
    assert (
        lesson.state() == wanted == START | dict(mode="unscaled", ask="2", choice="hard", step="6")
    )
    assert lesson.root.locator("[aria-current]").is_visible()
    assert not lesson.button("predict_skip").is_visible()


def test_the_state_survives_a_reload_and_the_language_switch(lesson):
    lesson.choose(SENTENCES["savings"])
    lesson.skip()
    lesson.choose("uniform")
    lesson.go(5)
    wanted = lesson.state()
    lesson.page.reload()
    lesson.root.wait_for()
    assert lesson.state() == wanted
    lesson.page.locator("a.al-language").first.click()
    lesson.page.wait_for_url(lambda url: ("/en/" in url) == (lesson.language == "ja"))
    lesson.root.wait_for()
    assert lesson.state() == wanted
    assert lesson.column() == ["0.125", "0.625", "0.25", "0"]


def test_a_change_leaves_no_trail_in_the_history(lesson):
    length = lesson.page.evaluate("history.length")
    lesson.go(2)
    lesson.go(3)
    assert lesson.page.url.endswith("#live.river.scaled.4.soft.3")
    assert lesson.page.evaluate("history.length") == length


HOSTILE = (
    "#live.",
    "#live.river.scaled.4.soft",
    "#live.river.scaled.4.soft.7",
    "#live.river.scaled.0.soft.3",
    "#live.river.scaled.4.soft.3.",
    "#live.river.scaled.4.soft.3.extra",
    "#live.RIVER.scaled.4.soft.3",
    "#live.__proto__.constructor.4.soft.3",
    "#live.river.<img src=x onerror=alert(1)>.4.soft.3",
    "#live.river.scaled.4.soft.%3Cscript%3Ealert(1)%3C/script%3E",
    "#live.river.javascript:alert(1).4.soft.3",
    "#live." + "9" * 5000,
    "#live.river.<img src=x onerror=alert(2)>.4.soft.3",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_or_hostile_hash_gives_the_start_and_no_markup(kept_page, home, language):
    read = "one => new Promise(done => setTimeout(() => done(one.outerHTML), 20))"
    with no_errors(kept_page):
        kept_page.goto("about:blank")
        clean = Lesson(kept_page, home, language).root.evaluate(read)
        kept_page.goto("about:blank")
        lesson = Lesson(kept_page, home, language, HOSTILE[-1])
        assert lesson.root.evaluate(read) == clean
        for hash_ in HOSTILE:
            kept_page.evaluate("hash => { location.hash = hash }", hash_)
            assert lesson.root.evaluate(read) == clean, hash_
        assert lesson.state() == START


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinary_anchors_work_as_before(kept_page, home, language):
    kept_page.goto("about:blank")
    lesson = Lesson(kept_page, home, language, "#bank-lesson")
    assert lesson.state() == START
    lesson.go(4)
    anchor = kept_page.locator(".md-content h2[id]").last
    name = anchor.get_attribute("id")
    kept_page.evaluate(f"location.hash = '#{name}'")
    kept_page.wait_for_timeout(300)
    assert kept_page.url == address(home, language, "bank-lesson") + f"#{name}"
    assert lesson.state()["step"] == "4"
    assert 0 <= anchor.bounding_box()["y"] < 900
