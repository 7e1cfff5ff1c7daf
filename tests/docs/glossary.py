"""The terms that the search must find."""

import re

from lesson_markup import segments

from tests.docs.course import HERE


def glossary_terms(language: str) -> list[str]:
    """List the terms of one language's glossary, formulas left out: nobody types TeX."""
    text = (HERE.pages(language) / "glossary.md").read_text(encoding="utf-8")
    return [term for term in segments.glossary_terms(text) if not re.search(r"[\\_^$]", term)]
