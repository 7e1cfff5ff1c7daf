"""MkDocs hook: prepares the Japanese search index, so that terms and their compounds are found."""

from __future__ import annotations

import json
from pathlib import Path

from lesson_markup.segments import glossary_terms, japanese_separator, kanji_words, part_terms
from mkdocs.config.defaults import MkDocsConfig


def on_post_build(config: MkDocsConfig) -> None:
    """Rewrite the index that the search plugin has just written."""
    if config.theme["language"] != "ja":
        return
    index_file = Path(config.site_dir) / "search" / "search_index.json"
    index = json.loads(index_file.read_text(encoding="utf-8"))
    terms = glossary_terms((Path(config.docs_dir) / "glossary.md").read_text(encoding="utf-8"))
    texts = [entry[field] for entry in index["docs"] for field in ("title", "text")]
    words = sorted({*terms, *kanji_words(texts)})
    index["config"]["separator"] = japanese_separator(index["config"]["separator"], terms)
    for entry in index["docs"]:
        for field in ("title", "text"):
            entry[field] = part_terms(entry[field], words)
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    index_file.write_text(text, encoding="utf-8")
