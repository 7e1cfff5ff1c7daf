"""The first code that an engineer meets runs, in both languages, and is the same code."""

import re

import pytest

from tests.docs.course import HERE

NAMES = ("README.md", "README.ja.md")


def code_of(name):
    """Give the Python blocks of a file, without their comments, which are in its language."""
    text = (HERE.root / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [re.sub(r" *#.*", "", block).strip() for block in blocks]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_runs_and_prints_weights(name, capsys):
    for block in code_of(name):
        exec(compile(block, name, "exec"), {"__name__": "__main__"})
    assert re.fullmatch(r"(?s)\[\[1\..*\]\]\n", capsys.readouterr().out)


def test_both_readmes_show_the_same_code():
    assert code_of(NAMES[0])
    assert code_of(NAMES[0]) == code_of(NAMES[1])
