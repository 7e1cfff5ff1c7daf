"""A page's blocks: paragraphs, list items, table rows, headings and the like, with their numerals.

Words come in another order in another language, blocks do not. So the two languages are held to
each other block by block: what a block has of numerals, code and bound figures, its counterpart
has too, and numerals that nothing computes stand in the same order.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lesson_markup.fences import find_fences, split_info
from lesson_markup.figures import HEADING
from lesson_markup.literal import normalised

from tests.docs.pages import Page

ITEM = re.compile(r"^[> ]*(?:[-*+]|\d+\.)[ ]+")
ROW = re.compile(r"^[> ]*\|")
TITLE = re.compile(r"^[> ]*(?:!!!|\?\?\?\+?|===[+!]?)[ ]")
RULE = re.compile(r"^[> ]*\|[-:| ]+\|?[ ]*$")
DEFINITION = re.compile(r"^[> ]*:[ ]+")
RAW_HTML = re.compile(r"^[> ]*</?(?:div|p|details|summary|figure|dl|dt|dd)\b")
# Fences whose lines are typed, not included.
INCLUDED = frozenset({"python", "py", "python3", "text"})


@dataclass(frozen=True)
class Block:
    """One block of a page: its first line, its kind, and its source with bound figures blanked."""

    line: int
    kind: str
    text: str


def blocks(page: Page) -> list[Block]:
    """List the blocks of a page in order, front matter first."""
    return [*_front_matter(page), *_body(page)]


def _front_matter(page: Page) -> Iterator[Block]:
    for name in ("title", "description"):
        yield Block(1, name, str(page.meta.get(name, "")))


def _body(page: Page) -> Iterator[Block]:
    lines = list(page.unbound_lines)
    fences = {fence.line: fence for fence in find_fences(list(page.lines))}
    number = 0
    while number < len(lines):
        number += 1
        row = lines[number - 1]
        if fence := fences.get(number):
            language = split_info(fence.info)[0]
            inside = lines[fence.line : fence.end - 1]
            if language in INCLUDED:
                yield Block(number, language, "")
            else:
                yield Block(number, language, row)
                for count, line in enumerate(inside, number + 1):
                    yield Block(count, f"line of {language}", line)
            number = fence.end
            continue
        if not row.strip():
            continue
        kind = _kind(row)
        start, parts = number, [row]
        if kind in ("paragraph", "item", "definition"):
            while number < len(lines) and _goes_on(lines[number], number + 1 in fences):
                parts.append(lines[number])
                number += 1
        if kind != "rule":
            yield Block(start, kind, "\n".join(parts))


def _kind(row: str) -> str:
    for kind, pattern in (
        ("rule", RULE),
        ("row", ROW),
        ("title", TITLE),
        ("heading", HEADING),
        ("item", ITEM),
        ("definition", DEFINITION),
        ("html", RAW_HTML),
    ):
        if pattern.match(row):
            return kind
    return "paragraph"


def _goes_on(row: str, fence: bool) -> bool:
    return bool(row.strip()) and not fence and _kind(row) == "paragraph"


ENGLISH = {
    word: str(number)
    for number, words in enumerate(
        (
            "zero none",
            "one once first single",
            "two twice second both double doubles doubled half",
            "three third thirds",
            "four fourth",
            "five fifth",
            "six sixth",
            "seven seventh",
            "eight eighth",
            "nine ninth",
            "ten tenth",
            "eleven eleventh",
            "twelve twelfth",
        )
    )
    for word in words.split()
}
# These state a number; the others may stand for one where the other language has a digit.
ENGLISH_COUNTS = frozenset(word for word, value in ENGLISH.items() if int(value) > 1) - {
    *("second", "both", "double", "doubles", "doubled", "half", "twice")
}
KANJI = {digit: str(number) for number, digit in enumerate("零一二三四五六七八九")}
KANJI |= {"十": "10", "両": "2", "半": "2"}
# Ids and targets of links, which have comparisons of their own and name things in words.
ADDRESSES = re.compile(r"\{[^{}]*#[^{}]*\}|(?<=\])\((?!<)[^()\s]*\)")
TOKEN = re.compile(
    r"(?P<digits>(?<![\d.])-?\d+(?:\.\d+)*)|(?P<word>(?<![A-Za-z_\d])[A-Za-z]+(?![A-Za-z_\d]))|(?P<kanji>[零一二三四五六七八九十両半])"
)


@dataclass(frozen=True)
class Numeral:
    """A number in a block: how it is written, its value, and whether it needs a counterpart."""

    text: str
    value: str
    firm: bool


def numerals(block: Block, language: str) -> list[Numeral]:
    """List the numbers of a block in order, those written as words included."""
    found = []
    text = normalised(ADDRESSES.sub("", block.text))
    for match in TOKEN.finditer(text):
        written = match[0]
        if match["digits"]:
            found.append(Numeral(written, written.lstrip("+"), True))
        elif match["word"] and language == "en" and written.lower() in ENGLISH:
            firm = written.lower() in ENGLISH_COUNTS
            found.append(Numeral(written, ENGLISH[written.lower()], firm))
        elif match["kanji"] and language == "ja":
            found.append(Numeral(written, KANJI[written], False))
    return found


def mismatch(left: list[Numeral], right: list[Numeral]) -> tuple[Numeral, str] | None:
    """Pair the numbers of two blocks in order; return one that has no counterpart, and its side.

    A firm number needs an equal one on the other side; the others may stand alone. Words are few
    in a block, so the pairing is found by trying the two ways of each step.
    """
    reach = {(0, 0)}
    furthest = (0, 0)
    ahead = [(0, 0)]
    while ahead:
        i, j = ahead.pop()
        if i + j > sum(furthest):
            furthest = (i, j)
        if i == len(left) and j == len(right):
            return None
        steps = []
        if i < len(left) and j < len(right) and left[i].value == right[j].value:
            steps.append((i + 1, j + 1))
        if i < len(left) and not left[i].firm:
            steps.append((i + 1, j))
        if j < len(right) and not right[j].firm:
            steps.append((i, j + 1))
        for step in steps:
            if step not in reach:
                reach.add(step)
                ahead.append(step)
    i, j = furthest
    if i < len(left) and left[i].firm:
        return left[i], "left"
    if j < len(right):
        return right[j], "right"
    return left[i], "left"
