"""Where the search box cuts Japanese, so that a term is found alone and inside a compound.

The search splits texts and queries at the same regular expression, and cuts a query's kanji
further by the words that it knows from the texts. So a rule that looks at the characters on both
sides (where scripts meet; round a katakana term) goes into the expression, and kanji compounds
are cut in the texts, by zero-width spaces.

The segmenter that the search offers for Japanese is not used: it cuts texts and not queries, so
that a term of which it makes two words is never found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, combinations, pairwise

ZERO_WIDTH_SPACE = "\u200b"
KANJI = "一-鿿々"
HIRAGANA = "ぁ-ゖ"
KATAKANA = "ァ-ヺー"
LATIN = "A-Za-z0-9"

# What is typed counts as the beginning of a word, so kana after a word may stay with it (混ぜる,
# キーの); after a kanji compound they may not, since queries are cut by compounds (計算|する).
SCRIPT_CHANGES = (
    f"(?<=[{HIRAGANA}])(?=[{KANJI}{KATAKANA}{LATIN}])",
    f"(?<=[{KATAKANA}])(?=[{KANJI}{LATIN}])",
    f"(?<=[{LATIN}])(?=[{KANJI}{HIRAGANA}{KATAKANA}])",
    f"(?<=[{KANJI}])(?=[{KATAKANA}{LATIN}])",
    f"(?<=[{KANJI}][{KANJI}])(?=[{HIRAGANA}])",
)


def glossary_terms(markdown: str) -> list[str]:
    """Return the words in the first column of the glossary's tables, alternatives split at " / ".

    Cells with formulas or code are symbols, not words.

    >>> glossary_terms("| 用語 | 英語 |\\n| --- | --- |\\n| [クエリ]{.al-q} / 質問 | query |")
    ['クエリ', '質問']
    """
    lines = [line.strip().strip("|") for line in markdown.splitlines() if line.startswith("|")]
    cells = [line.split("|")[0].strip() for line in lines]
    terms: list[str] = []
    for cell, below in zip(cells, [*cells[1:], ""], strict=False):
        is_rule, is_head = (re.fullmatch(r":?-+:?", text) for text in (cell, below))
        if not is_rule and not is_head and not re.search(r"[$`]", cell):
            terms += [_plain(term) for term in cell.split(" / ")]
    return [term for term in terms if term]


def _plain(cell: str) -> str:
    text = re.sub(r"\[([^\[\]]+)\](\([^)]*\)|\{[^}]*\})", r"\1", cell)
    return re.sub(r"\*|\{[^}]*\}|<[^>]*>", "", text).strip()


def japanese_separator(separator: str, terms: Iterable[str]) -> str:
    """Return `separator` extended by cuts where scripts meet and round katakana terms."""
    inside = sorted({term for term in terms if re.fullmatch(f"[{KATAKANA}]+", term)})
    cuts = [separator, *SCRIPT_CHANGES]
    if inside:
        either = "|".join(inside)
        cuts += [f"(?<=[{KATAKANA}])(?={either})", f"(?<={either})(?=[{KATAKANA}])"]
    return "|".join(cuts)


def kanji_words(texts: Iterable[str]) -> list[str]:
    """Return the kanji words that stand alone somewhere, for these may be parts of compounds.

    >>> kanji_words(["自己注意機構は注意を使います。"])
    ['自己注意機構', '注意']
    """
    runs = (run for text in texts for run in re.findall(f"[{KANJI}]{{2,}}", text))
    return list(dict.fromkeys(runs))


def part_terms(text: str, terms: Iterable[str]) -> str:
    """Return `text` with a zero-width space on each side of a term within a kanji compound.

    >>> part_terms("自己注意機構", ["注意"]).split(ZERO_WIDTH_SPACE)
    ['自己', '注意', '機構']
    """
    words = frozenset(terms)
    return re.sub(f"[{KANJI}]{{2,}}", lambda run: _part_compound(run.group(), words), text)


@lru_cache(maxsize=10_000)
def _part_compound(run: str, words: frozenset[str]) -> str:
    ends = range(len(run) + 1)
    parts = [(a, b) for a, b in combinations(ends, 2) if run[a:b] in words]
    edges = sorted({0, len(run), *chain.from_iterable(parts)})
    return ZERO_WIDTH_SPACE.join(run[a:b] for a, b in pairwise(edges))
