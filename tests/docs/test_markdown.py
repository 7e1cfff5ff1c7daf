"""Fences are found where the site finds them, however they are nested."""

import pytest
from lesson_markup.fences import find_fences, split_info
from markdown import Markdown

from tests.docs import markdown
from tests.docs.course import HERE, site_config
from tests.docs.fences_plugin import FenceParser, collected_python
from tests.docs.pages import parse_page
from tests.docs.reading import Reading

pytestmark = pytest.mark.machinery

AWKWARD = '''\
---
title: Fences
---

# Awkward {#awkward}

=== "Tab"

    ```python
    a = 1


    b = 2
    ```

    Two blank lines follow, which end nothing.


    ``` { .python .continuation-like continuation }
    c = a
    ```

=== "Other"

    !!! note "An admonition in a tab"

        ??? question

            - a list

                ```python title="x"
                d = """
                === "no tab"
                !!! no admonition
                """
                ```

            ~~~text
            ```
            ~~~

???+ success

    ````python
    s = """
    ```
    """
    ````

1. item

    ```text
    out
    ```

```python
never closed
'''


def rendered(text):
    """Render with the extensions of the site, without its hooks."""
    config = site_config(HERE, "en", notebooks=False)
    converter = Markdown(
        extensions=config.markdown_extensions, extension_configs=config.mdx_configs
    )
    return Reading(converter.convert(text.partition("---\n\n")[2]))


def test_fences_found_are_those_the_site_renders():
    raw = find_fences(AWKWARD.split("\n"))
    reading = rendered(AWKWARD)
    for language in ("python", "text"):
        found = [
            "\n".join(fence.lines).strip("\n")
            for fence in raw
            if split_info(fence.info)[0] == language
        ]
        assert found == reading.blocks(language)
    assert [fence.line for fence in raw] == [9, 19, 31, 38, 44, 52]


def test_pytest_markdown_docs_gets_every_one_of_them_with_its_line(tmp_path):
    path = HERE.pages("en") / "awkward.md"
    page = parse_page(HERE, path, AWKWARD)
    tokens = FenceParser().parse(AWKWARD)
    assert [token.map[0] + 1 for token in tokens] == [fence.line for fence in page.fences]
    file = tmp_path / "awkward.md"
    file.write_text(AWKWARD, encoding="utf-8")
    assert [line for line, _ in collected_python(HERE, file)] == [9, 19, 31, 44]


def test_a_continuation_joins_the_fence_before_it():
    page = parse_page(HERE, HERE.pages("en") / "awkward.md", AWKWARD)
    first, second, third, _ = page.python_fences()
    assert page.chain(second) == (first, second)
    assert page.chain(third) == (third,)


def test_headings_links_and_formulas_are_read_outside_code():
    lines = [
        "## A [b](c.md#d) {#e .x}",
        "`# no {#no}` and `[no](no.md)` and $[x](y)$ and ![alt](pic.svg)",
        "[![inner](in.png)](out.md) <a href='raw.md'>x</a>",
        "[ref]: target.md",
    ]
    prose = markdown.prose(lines, [])
    assert [(one.level, one.id) for one in markdown.find_headings(prose)] == [(2, "e")]
    links = markdown.find_links(markdown.without_formulas(prose))
    assert [(one.line, one.target, one.image) for one in links] == [
        (1, "c.md#d", False),
        (2, "pic.svg", True),
        (3, "out.md", False),
        (3, "in.png", True),
        (3, "raw.md", False),
        (4, "target.md", False),
    ]


def test_formulas_are_found_with_their_lines():
    lines = ["$a$ and $b_1$, no \\$5 $ 6", "", "$$", "x", "$$", "", "| $c$ | `$d$` |"]
    found = markdown.find_formulas(markdown.prose(lines, []))
    assert found == [(1, "a"), (1, "b_1"), (3, "x"), (7, "c")]
