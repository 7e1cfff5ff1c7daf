"""What must stop an author: each fault is made in a copy and has to be named with file and line."""

import re

import pytest
from lesson_markup.figures import labs_on
from mkdocs.exceptions import BuildError

from tests.docs import copies, parity, rules
from tests.docs.bound import read_record
from tests.docs.course import LANGUAGES, report, site_config
from tests.docs.outputs import check_lab, check_page
from tests.docs.pages import load_page
from tests.docs.render import check_links, render_site
from tests.docs.runs import RUNNER

pytestmark = pytest.mark.slow

PAGE = "attention-by-hand.md"


@pytest.fixture
def course(tmp_path):
    return copies.copy_course(tmp_path)


def change(path, old, new):
    """Change the first place of a text in a file; give its line."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def page_of(course, language, name=PAGE):
    return load_page(course, course.pages(language) / name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_snippet_stops_check_and_build(course, language):
    path = course.pages(language) / PAGE
    line = change(path, '"attention_lab.py"', '"no_such_lab.py"')
    told = report(check_page(course, page_of(course, language), RUNNER))
    assert f"docs/{language}/{PAGE}:{line}:" in told
    assert "snippets/no_such_lab.py" in told
    with pytest.raises(BuildError, match=rf"{PAGE}:{line}: .*no_such_lab"):
        render_site(course, language, only={PAGE})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_section_stops_check_and_build(course, language):
    path = course.pages(language) / PAGE
    line = change(path, "attention_lab.py:score", "attention_lab.py:sore")
    told = report(check_page(course, page_of(course, language), RUNNER))
    assert f"docs/{language}/{PAGE}:{line}:" in told
    assert "[start:sore]" in told
    with pytest.raises(BuildError, match=rf"{PAGE}:{line}: .*sore"):
        render_site(course, language, only={PAGE})


def test_an_include_by_line_numbers_is_refused(course):
    line = change(course.pages("en") / PAGE, "attention_lab.py:score", "attention_lab.py:1:3")
    told = report(rules.check_fence_forms(course, page_of(course, "en")))
    assert f'docs/en/{PAGE}:{line}: lines "1:3" are included by number' in told


def test_code_typed_into_a_page_is_refused(course):
    change(course.pages("en") / PAGE, '--8<-- "attention_lab.py"', "print(1)")
    told = report(rules.check_fence_forms(course, page_of(course, "en")))
    assert "a Python fence holds includes only" in told


def test_an_output_without_its_code_is_refused(course):
    path = course.pages("en") / PAGE
    change(path, "```python\n", "```console\n")
    told = report(rules.check_fence_forms(course, page_of(course, "en")))
    assert "an output fence must follow a Python fence" in told


def test_code_that_prints_needs_its_output(course):
    change(course.pages("en") / PAGE, "```text\n", "```console\n")
    told = report(check_page(course, page_of(course, "en"), RUNNER))
    assert "prints 'attention_lab' ..., but no ```text fence follows" in told


def test_a_wrong_output_names_page_file_both_values_and_the_repair(course):
    line = change(course.snippets / "attention_lab.out", "0.401", "0.402")
    told = report(check_page(course, page_of(course, "ja"), RUNNER))
    assert f"snippets/attention_lab.out:{line}" in told
    assert "the page says  '[[0.402 0.198 0.401]'" in told
    assert "the run gives  '[[0.401 0.198 0.401]'" in told
    assert "make outputs" in told
    assert report(check_lab(course, "attention_lab.py", RUNNER)).startswith(
        f"snippets/attention_lab.out:{line}:"
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "import numpy as np\n",
            "import numpy as np\n\nraise ValueError('no')\n",
            "ValueError: no",
        ),
        ("import numpy as np\n", "import numpy as np\nnp.array(3)()\n", "TypeError"),
        ("import numpy as np\n", "import numpy as np\nnp.log(np.array(0.0))\n", "divide by zero"),
        (
            "import numpy as np\n",
            "import sys\n\nimport numpy as np\nprint(1, file=sys.stderr)\n",
            "stderr",
        ),
        ("import numpy as np\n", "import numpy as np\nraise SystemExit(3)\n", "SystemExit: 3"),
    ],
)
def test_a_lab_that_raises_warns_or_complains_is_named(course, old, new, told):
    change(course.snippets / "attention_lab.py", old, new)
    assert told in report(check_lab(course, "attention_lab.py", RUNNER))
    assert told in report(check_page(course, page_of(course, "en"), RUNNER))


def test_a_lab_that_forgets_its_seed_is_found_out(course):
    change(course.snippets / "mha_lab.py", "torch.manual_seed(42)", "")
    change(course.snippets / "mha_lab.py", '"row0_sum:"', "str(output.sum().item())")
    first = report(check_lab(course, "mha_lab.py", type(RUNNER)()))
    second = report(check_lab(course, "mha_lab.py", type(RUNNER)()))
    assert first != second


@pytest.mark.parametrize("tex", [r"$\nosuchmacro{x}$", r"$\frac{a}{b$"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_formula_stops_the_build(course, language, tex):
    path = course.pages(language) / PAGE
    path.write_text(path.read_text(encoding="utf-8") + f"\n{tex}\n", encoding="utf-8")
    line = path.read_text(encoding="utf-8").count("\n")
    with pytest.raises(BuildError, match=rf"{PAGE}:{line}: .*formula"):
        render_site(course, language, only={PAGE})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("target", ["no-such-page.md", "index.md#no-such-anchor", "no-such.png"])
def test_a_dead_link_stops_check_and_build(course, language, target):
    path = course.pages(language) / PAGE
    path.write_text(path.read_text(encoding="utf-8") + f"\n[dead]({target})\n", encoding="utf-8")
    line = path.read_text(encoding="utf-8").count("\n")
    site = render_site(course, language)
    assert any(target.rpartition("#")[2] in text for text in site.warnings)
    assert f"docs/{language}/{PAGE}:{line}: the link" in report(check_links(course, site))
    # A strict build stops at what was warned of.
    assert site_config(course, language, notebooks=False).strict


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("figure", "told"),
    [
        ("[777](<={known}>)", "the page says 777, the code gives"),
        ("[0.5](<=no_such_name>)", "is not recorded yet; run `make values`"),
        ("[few](<={known}>)", "holds no number"),
        ("[1, 2, 3](<={known}>)", "the page says 3 numbers"),
        ("## [1](<={known}>) {{#new}}", "is bound in a heading"),
        ("[0.5](<=weights[0)", "is not closed"),
    ],
)
def test_a_wrong_figure_stops_the_build_at_its_line(course, language, figure, told):
    path = course.pages(language) / PAGE
    nearest = labs_on(page_of(course, language).lines)[-1]
    scalars = (name for name, one in read_record(course)[nearest].items() if isinstance(one, float))
    known = next(scalars)
    text = path.read_text(encoding="utf-8") + f"\n{figure.format(known=known)}\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BuildError, match=rf"{PAGE}:{text.count(chr(10))}: .*{re.escape(told)}"):
        render_site(course, language, only={PAGE})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_in_one_language_only_is_named(course, language):
    (course.pages(language) / PAGE).unlink()
    told = report(parity.check_files(course))
    assert f"docs/{language}/{PAGE} is missing" in told


@pytest.mark.build
def test_a_notebook_that_raises_stops_the_build(course, tmp_path):
    notebook = course.notebook_files("en")[0]
    text = notebook.read_text(encoding="utf-8") + "\n# %%\nraise ValueError('on purpose')\n"
    notebook.write_text(text, encoding="utf-8")
    done = copies.build(course, "-f", "mkdocs.en.yml", "-d", str(tmp_path / "built"))
    assert done.returncode
    assert re.search(rf"{notebook.name}:\d+.*on purpose", done.stdout + done.stderr)
