"""Pages: what two languages share, and what they must not say."""

import ast
import re

import numpy as np
import pytest
from lesson_markup.fences import find_fences
from markdown import Markdown

from attention_core import scaled_dot_product_attention, softmax
from attention_core._heads import merge_heads, split_heads
from tests.core.bugcases.layers import attend_scores
from tests.docs import parity
from tests.docs.course import HERE, site_config
from tests.docs.markdown import find_formulas, prose
from tests.docs.pages import load_page, parse_page

NAMES = [path.name for path in HERE.page_files("ja")]


def pair(name):
    return [load_page(HERE, HERE.pages(language) / name) for language in ("ja", "en")]


def page_from(text):
    return parse_page(HERE, HERE.pages("en") / "index.md", text)


def outputs(page):
    return [fence.code for fence in page.fences if fence.language == "text"]


def code(page):
    """What runs, without comments."""
    return [ast.dump(ast.parse(fence.code)) for fence in page.python_fences()]


def test_docs_02_recorded_outputs_are_the_same_to_the_byte_in_both_languages():
    """mosuka/litsea issue #124, rundeck/rundeck issue #1838: the Japanese page kept old output."""
    new, old = (page_from(f"```text\n{x}\n```\n") for x in ("[0.731 0.269]", "[0.73 0.27]"))
    assert outputs(new) != outputs(old)
    shown = 0
    for name in NAMES:
        ja, en = map(outputs, pair(name))
        assert ja == en, name
        shown += len(ja)
    assert shown


def test_docs_03_code_is_not_translated():
    """pjt222/agent-almanac issue #472, Comfy-Org/docs PR #1709: comments may differ, code not."""
    english, comment, translated = (
        page_from(f"```python\n{line}\n```\n")
        for line in (
            "w = softmax(s)  # weights",
            "w = softmax(s)  # 重み",
            "重み = softmax(s)  # 重み",
        )
    )
    assert code(english) == code(comment) != code(translated)
    for name in NAMES:
        ja, en = map(code, pair(name))
        assert ja == en, name
    assert parity.check_notebooks(HERE) == []


def test_docs_04_a_row_of_weights_keeps_the_shape_of_its_scores():
    """390introml/notes PR #59: an extra transpose contradicted 1 x n."""
    scores = np.zeros((1, 3))
    assert softmax(scores).shape == (1, 3)
    assert attend_scores(scores).weights.shape == (1, 3)


def test_docs_06_one_head_all_heads_and_their_concatenation_have_three_shapes():
    """datawhalechina/diy-llm #30, labmlai/annotated_deep_learning_paper_implementations #157."""
    heads = split_heads(np.zeros((2, 3, 20)), 4)
    assert heads.shape == (2, 4, 3, 5)
    assert heads[:, 0].shape == (2, 3, 5)
    assert merge_heads(heads).shape == (2, 3, 20)


def test_docs_07_a_token_attends_to_itself_and_the_pages_say_so():
    """tensorflow/docs-l10n PR #4: the Japanese text said "to every position except itself"."""
    x = np.eye(2)
    diagonal = np.diag(scaled_dot_product_attention(x, x, np.eye(2)))
    np.testing.assert_allclose(diagonal, [0.6697615493266569] * 2, rtol=1e-12)
    wrong = re.compile("自分以外|自分自身以外|自身を除|自分を除|except itself|other than itself")
    asked = {"ja": 0, "en": 0}
    for language, path in HERE.all_pages():
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if wrong.search(line):
                question = line.startswith("??? question")
                answer = next((one.strip() for one in lines[number + 1 :] if one.strip()), "")
                assert question, f"{path}:{number + 1}"
                assert re.match("いいえ|No", answer), f"{path}:{number + 1}"
                asked[language] += 1
    assert asked["ja"] == asked["en"]


@pytest.fixture(scope="module")
def site_markdown():
    config = site_config(HERE, "en", notebooks=False)
    return Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs)


def test_docs_08_no_formula_loses_its_underscores_to_emphasis(site_markdown):
    """rust-lang/mdBook issue #2469: underscores after a closing brace became <em>."""
    assert "<em>" in Markdown().convert(r"$$ \hat{q}_{i} \cdot \hat{k}_{j} $$")
    formulas = [r"$$ \hat{q}_{i} \cdot \hat{k}_{j} $$", "$q_{i} k_{j}$"]
    for _, path in HERE.all_pages():
        lines = path.read_text(encoding="utf-8").splitlines()
        found = find_formulas(prose(lines, find_fences(lines)))
        formulas += [f"${formula}$" for _, formula in found]
    assert len(formulas) > 100
    for formula in formulas:
        html = site_markdown.reset().convert(formula)
        assert "arithmatex" in html, formula
        assert "<em>" not in html, formula


def test_docs_10_rows_sum_to_one_and_an_asymmetric_example_shows_that_columns_do_not():
    """rasbt/machine-learning-book issue #97: the book said that columns sum to 1."""
    symmetric = attend_scores([[0.0, 1.0], [1.0, 0.0]]).weights
    asymmetric = attend_scores([[0.0, 1.0], [2.0, 0.0]]).weights
    for weights in (symmetric, asymmetric):
        np.testing.assert_allclose(weights.sum(axis=1), [1.0, 1.0], rtol=1e-15)
    np.testing.assert_allclose(symmetric.sum(axis=0), [1.0, 1.0], rtol=1e-15)
    columns = [1.1497384993478774, 0.8502615006521225]
    np.testing.assert_allclose(asymmetric.sum(axis=0), columns, rtol=1e-12)


def test_docs_12_the_values_of_an_example_are_those_that_softmax_gives():
    """AlphaGPU/leetgpu-challenges PR #249: the page listed values no implementation produces."""
    weights = softmax([-4.0, 0.0, 4.0])
    expected = [0.00032932043896389293, 0.017980286735531543, 0.9816903928255046]
    np.testing.assert_allclose(weights, expected, rtol=1e-14)
    assert [f"{weight:.4f}" for weight in weights] == ["0.0003", "0.0180", "0.9817"]
