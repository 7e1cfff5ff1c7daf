"""Bound figures: what an expression may do, how a literal compares, what a page makes of both."""

import dataclasses
import re
import subprocess
import sys

import numpy as np
import pytest
from lesson_markup import bound as markup
from lesson_markup.errors import PageError
from lesson_markup.expression import ExpressionError, evaluate
from lesson_markup.figures import find_figures
from lesson_markup.literal import LiteralError, differences, numbers
from markdown import Markdown

from tests.docs import bound
from tests.docs.course import HERE, site_config
from tests.docs.pages import load_page, parse_page
from tests.docs.runs import RUNNER

pytestmark = pytest.mark.machinery

NAMES = {
    "weights": np.array([[0.25, 0.75], [0.5, 0.5]]),
    "single": np.array([1 / 3], dtype=np.float32),
    "words": ("by", "the"),
}


# Expressions.


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("weights[0, 1]", 0.75),
        ("weights[0]", [0.25, 0.75]),
        ("weights.shape", [2, 2]),
        ("weights.sum(axis=1)", [1.0, 1.0]),
        ("weights[0].argmax() + 1", 2),
        ("weights[0, 1] > 0.5 and weights[1, 0] == 0.5", True),
        ("max(len(word) for word in words)", 3),
        ("np.sqrt(weights[0, 0])", 0.5),
        ("np.linalg.norm([3, 4])", 5.0),
        ("words[0]", "by"),
        ("single", [0.33333]),
        ("-weights[0, 0] if words else 0", -0.25),
        ("np.triu(weights).max()", 0.75),
    ],
)
def test_an_expression_gives_plain_values(expression, value):
    assert evaluate(expression, NAMES) == value


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("weight[0]", "'weight' is not known here; known: weights"),
        ("nothing_like_it", "known: single, weights, words"),
        ("weights[7]", "raises IndexError"),
        ("weights[0", "is not a Python expression"),
        ("open('x')", "calls open, which an expression may not|'open' is not known"),
        ("np.load('x')", "calls np.load, which an expression may not"),
        ("weights.sort()", "calls weights.sort, which an expression may not"),
        ("weights.__class__", "names with _ in front are private"),
        ("(lambda: 1)()", "holds a Lambda"),
        ("[x := 1]", "holds a NamedExpr"),
        ("weights.sum", "gives builtin_function_or_method"),
        ("", "is not a Python expression"),
    ],
)
def test_a_bad_expression_says_why(expression, told):
    with pytest.raises(ExpressionError, match=told):
        evaluate(expression, NAMES)


def test_an_expression_needs_no_lab_to_have_called_a_method_before():
    code = (
        "import numpy as np; from lesson_markup.expression import evaluate; "
        "print(evaluate('x.max() - x.min() + x.mean()', {'x': np.arange(3.0)}))"
    )
    hooks = HERE.root / "docs" / "hooks"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=hooks, capture_output=True, text=True, check=True
    )
    assert done.stdout == "3.0\n"


def test_an_expression_leaves_what_it_reads_as_it_was():
    before = NAMES["weights"].copy()
    evaluate("sorted(weights[0], reverse=True)", NAMES)
    np.testing.assert_array_equal(NAMES["weights"], before)


# Literals.


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0.577", 0.5767),
        ("0.58", 0.5767),
        ("about 69 %", 0.6853),
        ("６９％", 0.6853),
        ("−2.891", -2.8908),
        ("(0.802, 0.599)", [0.80209, 0.59896]),
        ("[[1. 0.]\n [0. 1.]]", [[1.0, 0.0], [0.0, 1.0]]),
        ("`(1, 4, 8)`", [1, 4, 8]),
        ("$4.6 / 2 = 2.3$", [4.6, 2, 2.3]),
        ("1,597", 1597),
        ("1e-3", 0.001),
        ("Four", 4),
        ("half", 0.5),
        ("三つ", 3),
        ("3つ", 3),
        ("`True`", True),
        ("True, False", [True, False]),
        ("`float64`", "float64"),
        ("0", -0.0),
        ("1", 0.9999999999),
        # The tie that NumPy's round and a pocket calculator would both resolve like this.
        ("2.68", 2.675),
        ("0.12", 0.125),
    ],
)
def test_a_literal_agrees_at_its_own_precision(literal, value):
    assert differences(literal, value) is None


@pytest.mark.parametrize(
    ("literal", "value", "told"),
    [
        ("0.578", 0.5767, "the page says 0.578, the code gives 0.5767; write 0.577"),
        ("2.891", -2.8908, "the page says 2.891, the code gives -2.8908; write -2.891"),
        ("68 %", 0.6853, "the page says 68 %, the code gives 0.6853; write 69 %"),
        ("(0.802, 0.598)", [0.80209, 0.59896], "write (0.802, 0.599)"),
        ("0.8", [0.8, 0.6], "the page says 1 number (0.8), the code gives 2: [0.8, 0.6]"),
        ("(1, 4)", [1, 4, 8], "the page says 2 numbers"),
        ("five", 4, "write 4"),
        ("True", False, "the page says True, the code gives False"),
        ("`float32`", "float64", "the page says 'float32', the code gives 'float64'"),
        ("0.3", float("nan"), "the code gives nan"),
        ("1.43", 0.143, "write 0.14"),
        ("1", 0.888, "the page says 1, the code gives 0.888; write 0.888"),
        ("0", 0.2, "write 0.200"),
        ("1", 1.0002, "write 1.0002"),
        ("1e-95", 1e-5, "the page says 1e-95, the code gives 1e-05"),
    ],
)
def test_a_literal_that_is_not_what_the_code_gives_says_what_to_write(literal, value, told):
    assert told in differences(literal, value)


@pytest.mark.parametrize(
    ("literal", "value"), [("", 1.0), ("some", 1.0), ("0.5", True), ("00.57", 0.57)]
)
def test_a_literal_that_cannot_be_read_says_so(literal, value):
    with pytest.raises(LiteralError, match=r"holds no|begins with 0"):
        differences(literal, value)


def test_a_name_with_a_digit_holds_no_number():
    assert [one.text for one in numbers("W_2 x1 d_k = 3")] == ["3"]


# The page.

SOURCE = """\
Before.

```python
--8<-- "attention_lab.py"
```

Token 1 gives [0.198](<=weights[0, 1]>), in code `[0.5](<=weights>)`, and
`a` [`(3, 3)`](<=weights.shape>).

| a | b |
|---|---|
| x | [True](<=weights[0, 1] < 0.2 or weights[0, 1] > 0.9>) |

??? question "Is it [0.401](<=weights[0, 0]>)?"

    Yes: [0.401](<=attention_lab.weights[0, 0]>).
"""
VALUES = {
    "attention_lab": {
        "weights[0, 1]": 0.1978,
        "weights.shape": [3, 3],
        "weights[0, 1] < 0.2 or weights[0, 1] > 0.9": True,
        "weights[0, 0]": 0.4011,
        "attention_lab.weights[0, 0]": 0.4011,
    }
}


def convert(source, values=VALUES):
    extensions = ["tables", "attr_list", "pymdownx.superfences", "pymdownx.details"]
    extensions.append("pymdownx.inlinehilite")
    converter = Markdown(extensions=[*extensions, markup.BoundExtension(values)])
    return converter.convert(source)


def test_figures_are_found_with_their_lines_and_labs():
    found = find_figures(SOURCE.split("\n"), {})
    assert [(one.line, one.literal, one.expression) for one in found] == [
        (7, "0.198", "weights[0, 1]"),
        (8, "`(3, 3)`", "weights.shape"),
        (12, "True", "weights[0, 1] < 0.2 or weights[0, 1] > 0.9"),
        (14, "0.401", "weights[0, 0]"),
        (16, "0.401", "attention_lab.weights[0, 0]"),
    ]
    assert {one.lab for one in found} == {"attention_lab"}


def test_a_figure_becomes_a_link_to_its_lab_round_its_unrounded_value():
    shown = convert(SOURCE)
    assert (
        '<a class="al-n" data-from="weights[0, 1]" data-lab="attention_lab" '
        'href="#lab-attention_lab"><data value="0.1978">0.198</data></a>'
    ) in shown
    assert re.search(r'<data value="\[3, 3\]"><code[^>]*>\(3, 3\)</code></data>', shown)
    assert 'id="lab-attention_lab"' in shown
    assert "[0.5](&lt;=weights&gt;)</code>" in shown


def test_a_figure_in_a_question_s_title_has_no_link():
    assert '<summary>Is it <data class="al-n" value="0.4011">0.401</data>?' in convert(SOURCE)


def test_a_figure_that_is_a_formula_has_a_name():
    config = site_config(HERE, "en", notebooks=False)
    config = config.plugins.on_config(config)
    extensions = [
        markup.BoundExtension({"attention_lab": {"d": 2}})
        if isinstance(one, markup.BoundExtension)
        else one
        for one in config.markdown_extensions
    ]
    converter = Markdown(extensions=extensions, extension_configs=config.mdx_configs)
    page = '```python\n--8<-- "attention_lab.py"\n```\n\n[$\\sqrt{d_k} = 2$](<=d>)\n'
    assert re.search('<data value="2"><math[^>]*aria-label="√dk=2"', converter.convert(page))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Before.", "# [1](<=attention_lab.x>) {#a}", "is bound in a heading"),
        ("Before.", "[see [1](<=attention_lab.x>)](b.md)", "is bound in the text of a link"),
        ("[0.198]", "[0.199]", "the page says 0.199, the code gives 0.1978; write 0.198"),
        ("<=weights[0, 1]>", "<=weights[0, 2]>", "is not recorded yet; run `make values`"),
        ("[0.198]", "[few]", "holds no number"),
        ("(<=weights[0, 1]>)", "(<=weights[0, 1])", "a bound figure is not closed"),
        ("(<=weights[0, 1]>)", "(<=weights[0, 1>)", "is not a Python expression"),
        ("Before.", "[1](<=weights[0, 1]>)", "no lab stands above this figure"),
    ],
)
def test_a_figure_that_cannot_be_shown_stops_the_page(old, new, told):
    assert old in SOURCE
    values = {"attention_lab": VALUES["attention_lab"] | {"attention_lab.x": 1}}
    with pytest.raises(PageError, match="(?s)" + told.replace("[", r"\[").replace("(", r"\(")):
        convert(SOURCE.replace(old, new, 1), values)


def page(source, name="attention-by-hand.md", language="en"):
    return parse_page(HERE, HERE.pages(language) / name, source)


def test_a_page_s_figures_are_held_to_a_run():
    assert bound.check_figures(HERE, page(SOURCE), RUNNER) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("[0.198]", "[0.199]", 7, "the page says 0.199, the code gives 0.19777581"),
        ("weights[0, 1]>), in", "weight[0, 1]>), in", 7, "'weight' is not known here"),
        ("[`(3, 3)`]", "[`(3, 4)`]", 8, "write `(3, 3)`"),
        ("[True]", "[False]", 12, "the page says False, the code gives True"),
        ("attention_lab.weights", "mask_lab.weights", 16, "'mask_lab' is not known here"),
        ("[0.198](<=weights[0, 1]>)", "[0.198](<=weights[0, 1]", 7, "is not closed"),
    ],
)
def test_a_wrong_figure_is_named_with_its_line(old, new, line, told):
    assert old in SOURCE
    [problem] = bound.check_figures(HERE, page(SOURCE.replace(old, new, 1)), RUNNER)
    assert (problem.path, problem.line) == ("docs/en/attention-by-hand.md", line)
    assert told in problem.text


def test_a_lab_named_in_the_front_matter_must_stand_on_the_page_named_with_it():
    head = "---\nlabs:\n  mask_lab: {}\n---\n\n"
    good = page(head.format("causal-mask.md") + "[3](<=len(mask_lab.weights)>)\n")
    assert bound.check_figures(HERE, good, RUNNER) == []
    bad = page(head.format("scaling.md") + "[3](<=len(mask_lab.weights)>)\n")
    [problem] = bound.check_figures(HERE, bad, RUNNER)
    assert "scaling.md does not show the lab mask_lab" in problem.text
    idle = page(head.format("causal-mask.md") + "Nothing.\n")
    [problem] = bound.check_figures(HERE, idle, RUNNER)
    assert "no figure asks for mask_lab" in problem.text


def test_the_record_is_held_to_a_run():
    record = bound.collect_values(HERE, [page(SOURCE)], RUNNER)
    assert bound.check_figures(HERE, page(SOURCE), RUNNER, record) == []
    record["attention_lab"]["weights[0, 1]"] += 1e-7
    [problem] = bound.check_figures(HERE, page(SOURCE), RUNNER, record)
    assert "snippets/values.json says" in problem.text
    assert "run `make values`" in problem.text
    del record["attention_lab"]["weights[0, 1]"]
    [problem] = bound.check_figures(HERE, page(SOURCE), RUNNER, record)
    assert "is not recorded; run `make values`" in problem.text


def test_a_recorded_value_that_no_page_shows_is_reported():
    record = {"attention_lab": {"weights[9]": 1}}
    [problem] = bound.check_record(HERE, [page(SOURCE)], record)
    assert "which no page shows" in problem.text


def test_a_notebook_s_figures_come_from_its_computing_cells():
    [path] = HERE.notebook_files("en")
    notebook = load_page(HERE, path)
    figure = find_figures(["[1024](<=widths[-1]>)"], {}, path.stem)
    concerned = dataclasses.replace(notebook, figures=tuple(figure))
    assert bound.check_figures(HERE, concerned, RUNNER) == []
