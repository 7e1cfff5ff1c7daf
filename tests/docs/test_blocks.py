"""The two languages are held to each other block by block, numbers in words included."""

import pytest

from tests.docs.blocks import Block, blocks, mismatch, numerals
from tests.docs.course import HERE, report
from tests.docs.pages import parse_page
from tests.docs.parity import VIEWS, check_blocks, check_view

pytestmark = pytest.mark.machinery

JA = """\
---
{title: 3つの役割, description: 説明, labs: {attention_lab: attention-by-hand.md}}

---

# 役割 {#roles}

1行目のトークンは3つの相手を見ます。
幅は `(2, 4)` です。

- 項目は2つ。

| 行 | 値 |
|---|---|
| 1 | [0.5](<=attention_lab.weights[0]>) |

```console
make PORT=8001 serve
```
"""
EN = """\
---
{title: Three roles, description: Text, labs: {attention_lab: attention-by-hand.md}}

---

# Roles {#roles}

The first token looks at three others,
with a width of `(2, 4)`.

- Two items.

| row | value |
|---|---|
| 1 | [0.5](<=attention_lab.weights[0]>) |

```console
make PORT=8001 serve
```
"""


def page(text, language):
    return parse_page(HERE, HERE.pages(language) / "index.md", text)


def compare(ja, en):
    pair = page(ja, "ja"), page(en, "en")
    found = check_blocks(HERE, *pair)
    return found + [one for view in VIEWS for one in check_view(HERE, view, *pair)]


def test_a_page_is_cut_into_its_blocks():
    kinds = [(block.line, block.kind) for block in blocks(page(EN, "en"))]
    assert kinds == [
        (1, "title"),
        (1, "description"),
        (6, "heading"),
        (8, "paragraph"),
        (11, "item"),
        (13, "row"),
        (15, "row"),
        (17, "console"),
        (18, "line of console"),
    ]


def test_digits_and_words_are_the_same_numbers():
    assert compare(JA, EN) == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("title: 3つ", "title: 4つ", 1),
        ("1行目", "2行目", 8),
        ("3つの相手", "2つの相手", 8),
        ("3つの相手", "相手", 8),
        ("(2, 4)", "(4, 2)", 8),
        ("項目は2つ", "項目は3つ", 11),
        ("| 1 |", "| 2 |", 15),
        ("weights[0]", "weights[1]", 15),
        ("8001", "8002", 18),
        ("- 項目は2つ。", "項目は2つ。", 11),
        ("１行目", "２行目", None),
    ],
)
def test_a_number_that_only_one_language_has_is_named_with_its_line(old, new, line):
    if line is None:  # full-width digits are digits
        ja = JA.replace("1行目", new)
    else:
        assert old in JA
        ja = JA.replace(old, new, 1)
    told = report(compare(ja, EN))
    assert f":{line or 8}: " in told
    assert "make both languages agree" in told


@pytest.mark.parametrize(
    ("ja", "en"),
    [
        ("1つ目が2、2つ目が3", "2 for the first, 3 for the second"),
        ("両方", "both"),
        ("一つずつ", "one at a time"),
        ("半分になる", "is halved"),
        ("最初の2つ", "the first two"),
    ],
)
def test_what_each_language_says_in_its_own_way_agrees_or_not_as_it_reads(ja, en):
    left, right = (
        numerals(Block(1, "paragraph", text), language)
        for text, language in ((ja, "ja"), (en, "en"))
    )
    swapped = ja.startswith("1つ目")
    assert (mismatch(left, right) is not None) == swapped


def test_ids_targets_and_names_in_code_hold_no_number_words():
    text = "## Views {#three-views}, [see](a.md#four-tokens), `two_interventions`"
    assert numerals(Block(1, "heading", text), "en") == []


def test_a_line_that_begins_with_a_figure_is_a_paragraph():
    text = EN.replace("The first token looks at", "[1](<=attention_lab.x>): the first, and")
    assert [block.kind for block in blocks(page(text, "en"))][3] == "paragraph"


def test_an_idiom_without_a_counterpart_may_stand_alone():
    assert (
        mismatch(numerals(Block(1, "p", "一方"), "ja"), numerals(Block(1, "p", ""), "en")) is None
    )
    assert (
        mismatch(numerals(Block(1, "p", ""), "ja"), numerals(Block(1, "p", "once"), "en")) is None
    )
    assert mismatch(numerals(Block(1, "p", ""), "ja"), numerals(Block(1, "p", "two"), "en"))
