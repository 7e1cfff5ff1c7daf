"""The bank lesson's fence: what it gives a page, and how it refuses what it cannot show."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from lesson_markup.bank_code import TEXTS, template
from lesson_markup.bank_lesson import bank_lesson_fence, data, shown
from lesson_markup.bank_words import KEYS, placeholders, read_words, rich
from lesson_markup.errors import PageError, locate
from markdown import Markdown

from attention_core import bank
from tests.docs.course import HERE, LANGUAGES
from tests.docs.pages import load_page

AXES = {"rows_ask": "rows ask", "columns_are_keys": "columns are keys"}
SCRIPTS = HERE.root / "docs" / "theme" / "assets" / "js"


def source_of(language):
    page = load_page(HERE, HERE.pages(language) / "bank-lesson.md")
    (fence,) = (one for one in page.fences if one.language == "bank-lesson")
    return fence.code


def render(source):
    formatter = bank_lesson_fence(AXES)
    return formatter(source, "bank-lesson", "bank-lesson", {}, Markdown())


@pytest.fixture(scope="module", params=LANGUAGES)
def soup(request):
    return parse(render(source_of(request.param)))


def parse(html):
    """Read the HTML; a selector does not look into a template, so templates become sections."""
    return BeautifulSoup(html.replace("template", "section"), "html.parser")


def test_both_languages_name_the_same_figures_in_every_text():
    ja, en = (read_words(source_of(language)) for language in LANGUAGES)
    differing = {
        key for key in KEYS if sorted(placeholders(ja[key])) != sorted(placeholders(en[key]))
    }
    assert differing == set()


def test_the_tables_hold_the_lesson_at_two_decimals(soup):
    rows = soup.select(".bl-static .al-matrix tbody tr")
    numbers = [[float(cell.text) for cell in row.select("td")] for row in rows]
    np.testing.assert_allclose(numbers, bank.lesson("river").weights, atol=0.005)
    cells = [cell.text for cell in soup.select(".bl-modes td")]
    assert len(cells) == 12
    for figure in (
        "[0.11, 0.07, 0.69, 0.14]",
        "[1.43, 0.06, 0.14, 0]",
        "[0.25, 0.25, 0.25, 0.25]",
        "[0.625, 0.125, 0.25, 0]",
        "[0.06, 1.43, 0.14, 0]",
    ):
        assert figure in cells


def test_the_data_is_what_was_set_by_hand_and_nothing_computed(soup):
    (script,) = soup.select('script[type="application/json"]')
    record = json.loads(script.string)
    assert record == {
        "sentences": {name: list(tokens) for name, tokens in bank.sentences.items()},
        "dimensions": list(bank.dimensions),
        "embeddings": {token: row.tolist() for token, row in bank.embeddings.items()},
        **{name: getattr(bank, name).tolist() for name in ("W_q", "W_k", "W_v")},
    }


def test_words_stay_words_whatever_they_hold():
    hostile = '"</script><script>alert(1)</script> \\"x\\" & <b>"'
    source = source_of("en")
    for key in ("label", "hint", "given", "step1_title", "close", "dimension1", "name_x"):
        source = re.sub(rf"(?m)^{key}: .*$", lambda _, key=key: f"{key}: {hostile}", source)
    plain, found = parse(render(source_of("en"))), parse(render(source))
    assert [one.name for one in found.find_all(True)] == [one.name for one in plain.find_all(True)]
    text = '</script><script>alert(1)</script> "x" & <b>'
    assert found.find("bank-lesson")["aria-label"] == text
    assert found.select_one(".bl-close")["aria-label"] == text
    assert found.select_one(".bl-query abbr")["title"] == text
    assert found.select_one(".bl-hint").text == text


def test_data_cannot_end_the_element_it_stands_in(monkeypatch):
    monkeypatch.setattr(bank, "dimensions", ("</script><b>",))
    text = data()
    assert "<" not in text
    assert json.loads(text)["dimensions"] == ["</script><b>"]


def test_every_name_that_the_scripts_look_up_is_in_the_page(soup):
    script = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS.glob("bank-lesson-*.js"))
    names = {one["data-name"] for one in soup.select("section")}
    assert set(re.findall(r'#fill\("(\w+)"', script)) <= names
    assert set(re.findall(r"#words\.(\w+)", script)) | {"copied", "not_copied"} <= names
    # A figure that a text names is one that the scripts give.
    given = set(re.findall(r"\w+", script)) | {f"token{k}" for k in range(1, 5)}
    places = {one["data-fill"] for one in soup.select("[data-fill]")}
    assert places
    assert places <= given


def test_scripts_hold_no_words_of_a_human_language():
    for path in SCRIPTS.glob("bank-lesson-*.js"):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
        assert set(re.findall(r"[^\x00-\x7f]", code)) <= set("×≈"), path.name
        texts = re.findall(r'"([^"\n]*)"', code)
        selectors = (".", "[")
        assert [
            text
            for text in texts
            if re.search("[a-z] [a-z]", text) and not text.startswith(selectors)
        ] == []


def fault(source):
    with pytest.raises(PageError) as caught:
        read_words(source)
    error = caught.value
    return error.problem, locate(source, error.context, error.excerpt)


def line_of(source, start):
    return next(n for n, row in enumerate(source.splitlines(), 1) if row.startswith(start))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("hint: ", "hints: ", "no key 'hints'"),
        ("hint: ", "hint: x\nhint: ", "hint is given twice"),
        ("hint: ", 'hint: ""  #', "hint is empty"),
        ("hint: ", "hint: 'x {query}'  #", "hint cannot show {query}"),
        ("step1: ", "step1: 'x {guess}'  #", "step1 cannot show {guess}"),
        ("step1: ", "step1: 'x {nonsense}'  #", "step1 cannot show {nonsense}"),
        ("step1: ", "step1: 'x }'  #", "step1 has a brace"),
        ("step1: ", "step1: '[x]{.al-z}'  #", "unknown term class .al-z"),
        ("hint: ", "hint: [a, b]\n#", "no key: text"),
        ("hint: ", "hint: one: two ", "not YAML"),
    ],
)
def test_a_fault_is_named_with_its_line(old, new, problem):
    source = source_of("en").replace(f"\n{old}", f"\n{new}", 1)
    text, line = fault(source)
    assert text.startswith("bank-lesson: ")
    assert problem in text
    wanted = line_of(source_of("en"), old)
    assert line in (wanted, wanted + 1)


def test_a_missing_key_is_named():
    source = re.sub(r"(?m)^hint: .*\n", "", source_of("en"))
    assert "lacks hint" in fault(source)[0]
    assert "no key: text lines" in fault("just words")[0]


def test_numbers_are_shown_exactly_where_three_decimals_suffice():
    for number, text in (
        (0.625, "0.625"),
        (0.4600000001, "0.46"),
        (1.4336, "1.43"),
        (-0.5, "-0.5"),
    ):
        assert shown(number) == text


def test_rich_text_is_escaped_and_marks_its_figures():
    assert rich("a < b & `{ask}`") == (
        'a &lt; b &amp; <code><b class="bl-figure" data-fill="ask"></b></code>'
    )
    assert rich("√d_kで") == "√d<sub>k</sub>で"


def test_every_code_text_closes_what_it_opens():
    for name, text in TEXTS.items():
        markup = template(text)
        assert "<<" not in markup, name
        assert markup.count("<span") == markup.count("</span>"), name
        assert not re.search("[\x01-\x08]", markup), name


def test_the_files_that_the_fence_links_exist(soup):
    folder = Path("/bank-lesson")
    for element in soup.select("link[href], script[src]"):
        target = element.get("href") or element["src"]
        relative = (folder / target).as_posix().removeprefix("/bank-lesson/../")
        assert (SCRIPTS.parents[1] / relative).is_file(), target
