"""The scripts and styles that a reader loads are small, and do what the sources say."""

import re

import pytest
from rcssmin import cssmin
from rjsmin import jsmin

from tests.docs.course import HERE

LIMIT = 40 * 1024  # bytes, of all of them together

ASSETS = HERE.root / "docs" / "theme" / "assets"
SCRIPTS = sorted((ASSETS / "js").glob("*.js"))
STYLES = sorted((ASSETS / "css").glob("*.css"))
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)


def read(path):
    return path.read_text(encoding="utf-8")


def test_all_scripts_and_styles_together_are_small():
    scripts = [jsmin(read(path)) for path in SCRIPTS]
    styles = [cssmin(read(path)) for path in STYLES]
    size = sum(len(text.encode()) for text in scripts + styles)
    assert size <= LIMIT


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_nests_a_template_literal_which_the_minifier_would_damage(path):
    code = COMMENT.sub("", read(path))
    literals = re.findall(r"`[^`]*`", code)
    # If one stood inside another, the pairs of backticks would part a ${ from its }.
    assert all(literal.count("${") == literal.count("}") for literal in literals)
    assert re.findall(r"`[^`]*`", jsmin(code)) == literals


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_no_nested_selector_has_a_space_before_a_colon_which_the_minifier_would_drop(path):
    # It takes `a :is(b)` within @media for a declaration; `a *:is(b)` says the same and is safe.
    nested = [line for line in read(path).split("\n") if re.match(r"  .*[{,]\s*", line)]
    assert [line for line in nested if re.search(r"[\w\])]\s+:{1,2}[a-z]", line)] == []
