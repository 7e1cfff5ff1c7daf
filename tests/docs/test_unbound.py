"""The lint tells a numeral that code should compute from one that counts or labels."""

import pytest

from tests.docs.course import HERE
from tests.docs.pages import parse_page
from tests.docs.reading import Reading
from tests.docs.unbound import check_unbound

pytestmark = pytest.mark.machinery

HEAD = "---\ntitle: A\ndescription: B\nstructural: [2017, '3.11']\n---\n\nIn 2017, with 3.11.\n\n"


def lint(html, language="en", head=HEAD):
    page = parse_page(HERE, HERE.pages(language) / "index.md", head + html)
    return check_unbound(HERE, page, Reading(f"<p>In 2017, with 3.11.</p>\n{html}").unbound())


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<p>Token 3 and rows 1 and 2; positions 4, 5 or 6.</p>", "en"),
        ("<p>トークン3と、行1と2。3つの役割、2行目、1回。</p>", "ja"),
        ("<p>It gives <a class='al-n' href='#l'><data value='0.5767'>0.577</data></a>.</p>", "en"),
        ("<p>Is it <data class='al-n' value='0.5'>0.5</data>?</p>", "en"),
        ("<p>Code <code>x[12]</code> and <math><mn>0.5</mn></math>.</p>", "en"),
        ("<pre><code>0.577</code></pre>", "en"),
        ("<figure><table><tr><td>0.577</td></tr></table></figure>", "en"),
        ("<p>the tokens\n1 and 2</p>", "en"),
        ("<table><tr><th>token 1</th><th>token 2</th></tr></table>", "en"),
        ("<p>d_2, x1, UTF-8 and W2V.</p>", "en"),
    ],
)
def test_bound_structural_and_code_numerals_pass(html, language):
    assert lint(html, language) == []


@pytest.mark.parametrize(
    ("html", "language", "number"),
    [
        ("<p>The weight is 0.577.</p>", "en", "0.577"),
        ("<p>It falls to −2.</p>", "en", "-2"),
        ("<p>River takes 69 %.</p>", "en", "69 %"),
        ("<p>重みは０．５７７です。</p>", "ja", "0.577"),
        ("<p>スコアは3になります。</p>", "ja", "3"),
        ("<p>It is 3 for the first.</p>", "en", "3"),
        ("<p>in 2018</p>", "en", "2018"),
        ("<p>100行</p>", "ja", "100"),
        ("<p>Token 1.5</p>", "en", "1.5"),
        ("<p><img alt='rises to 0.9' src='a.png'></p>", "en", "0.9"),
        ("<figcaption>of 0.4</figcaption>", "en", "0.4"),
        ("<p>Token <code>a</code> 3</p>", "en", "3"),
        ("<p><a class='al-n'><data value='1'>1</data></a> and 2</p>", "en", "2"),
    ],
)
def test_a_figure_that_no_code_computes_is_named(html, language, number):
    [problem] = lint(html, language)
    assert f"the text says {number} (" in problem.text


def test_the_line_is_that_of_the_numeral():
    [problem] = lint("<p>First.</p>\n\n<p>The weight is 0.577.</p>\n")
    assert (problem.path, problem.line) == ("docs/en/index.md", 11)


def test_a_figure_in_the_description_is_named():
    [problem] = lint("", head=HEAD.replace("description: B", "description: gives 0.577"))
    assert "the text says 0.577" in problem.text


def test_a_structural_number_that_stands_nowhere_is_reported():
    [problem] = lint("", head=HEAD.replace("2017,", "2017, 1998,", 1))
    assert "structural: 1998 stands nowhere" in problem.text
