"""Literals of bound numbers: what a page says, read back as values and held against the code's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

NUMBER = re.compile(
    r"(?<![A-Za-z_\d.])(?P<number>(?:(?<!\d)-)?"
    r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d*)?(?:e[+-]?\d+)?)(?P<percent>\s?%)?"
)
TRUTH = re.compile(r"\b(True|False)\b")
WORDS = {
    word: number
    for number, words in enumerate(
        (
            "zero none 零",
            "one once first single 一 1つ",
            "two twice second both 二 両方",
            "three third thirds 三",
            "four fourth 四",
            "five fifth 五",
            "six sixth 六",
            "seven seventh 七",
            "eight eighth 八",
            "nine ninth 九",
            "ten tenth 十",
            "eleven eleventh 十一",
            "twelve twelfth 十二",
        )
    )
    for word in words.split()
}
FRACTIONS = {"half": "0.5", "半分": "0.5", "quarter": "0.25"}
WORD = re.compile(r"[A-Za-z]+|[零一二三四五六七八九十]+|両方|半分")
# Wide enough for any literal, a misprinted exponent included.
WIDE = Context(prec=1000, rounding=ROUND_HALF_EVEN)
ROUNDING = Decimal("1e-6")  # what floating point may leave of a whole number
MINUS = str.maketrans(dict.fromkeys("−‒–", "-"))


class LiteralError(ValueError):
    """A literal holds nothing that could be compared."""


@dataclass(frozen=True)
class Number:
    """One number as a page shows it: its value, its last decimal place, and whether per cent."""

    text: str
    value: Decimal
    places: int
    percent: bool = False

    def shown(self, value: float) -> Decimal:
        """Round a value of the code as this number is rounded.

        A whole number is exact: that a row sums to 1 is a claim that 0.9 does not meet. Whole per
        cents are rounded like any other number, and so is what the expression itself rounds.
        """
        exact = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)
        if self.percent:
            exact *= 100
        if not exact.is_finite():
            return exact
        rounded = exact.quantize(Decimal(1).scaleb(-self.places), context=WIDE)
        if self.places or self.percent or abs(exact - rounded) < ROUNDING:
            return rounded
        in_thousandths = exact.quantize(Decimal("0.001"), context=WIDE)
        return in_thousandths if in_thousandths != rounded else Decimal(f"{exact:.8g}")


def normalised(text: str) -> str:
    """Return text with full-width digits, signs and spaces in their plain forms.

    >>> normalised("－０．５　％")
    '-0.5 %'
    """
    return unicodedata.normalize("NFKC", text.translate(MINUS))


def numbers(text: str) -> list[Number]:
    """Return the numbers in a literal, in order; number words count if there are no digits.

    >>> [str(one.value) for one in numbers("(0.802, −1.5) of 69 %")]
    ['0.802', '-1.5', '69']
    >>> [str(one.value) for one in numbers("Four")]
    ['4']
    """
    plain = normalised(text)
    found = []
    for match in NUMBER.finditer(plain):
        digits = match["number"].replace(",", "")
        if re.match(r"-?0\d", digits):
            raise LiteralError(f"{digits} begins with 0; write it as a number is written")
        value = Decimal(digits)
        exponent = value.as_tuple().exponent
        places = -exponent if isinstance(exponent, int) else 0
        found.append(Number(match[0].strip(), value, places, bool(match["percent"])))
    return found or list(_in_words(plain))


def _in_words(text: str) -> Iterator[Number]:
    for match in WORD.finditer(text):
        word = match[0].lower()
        if word in WORDS:
            yield Number(match[0], Decimal(WORDS[word]), 0)
        elif word in FRACTIONS:
            value = Decimal(FRACTIONS[word])
            yield Number(match[0], value, len(FRACTIONS[word]) - 2)


def flat(value: Any) -> list[Any]:
    """Return the numbers of a nested list in reading order.

    >>> flat([[1, 2], [3]])
    [1, 2, 3]
    """
    return [one for part in value for one in flat(part)] if isinstance(value, list) else [value]


def differences(literal: str, value: Any) -> str | None:
    """Return in which way a literal is not what the code gives, or nothing if it is.

    >>> differences("0.58", 0.5767) is None
    True
    >>> differences("0.577 and 0.3", [0.5767, 0.2848]) is None
    True
    >>> differences("69 %", 0.7)
    'the page says 69 %, the code gives 0.7; write 70 %'
    """
    given = flat(value)
    if given and all(isinstance(one, str) for one in given):
        return _as_text(literal, given)
    if given and all(isinstance(one, bool) for one in given):
        return _as_truth(literal, given)
    said = numbers(literal)
    if not said:
        raise LiteralError(
            f"{literal!r} holds no number, no True or False, and the code gives "
            f"{describe(value)}; write the figure into the brackets"
        )
    if len(said) != len(given):
        return (
            f"the page says {len(said)} number{'s' * (len(said) != 1)} ({literal}), the code gives "
            f"{len(given)}: {describe(value)}; show each of them, or ask for fewer"
        )
    if any(isinstance(one, str) for one in given):
        return f"the code gives text among numbers: {describe(value)}; ask for one kind"
    fixed = normalised(literal)
    wrong = False
    start = 0
    for number, one in zip(said, given, strict=True):
        right = number.shown(one)
        start = max(fixed.find(number.text, start), 0)
        if right != number.value:
            wrong = True
            unit = re.sub(r"^[^%]*?(\s?%)?$", r"\1", number.text) if number.percent else ""
            written = f"{right:f}" + unit
            fixed = fixed[:start] + written + fixed[start + len(number.text) :]
            start += len(written)
        else:
            start += len(number.text)
    if not wrong:
        return None
    return f"the page says {literal}, the code gives {describe(value)}; write {fixed}"


def _as_text(literal: str, given: list[str]) -> str | None:
    said = normalised(literal).strip().strip("`'\"“”「」")
    if said == ", ".join(normalised(one) for one in given):
        return None
    return f"the page says {said!r}, the code gives {', '.join(given)!r}; write that"


def _as_truth(literal: str, given: list[bool]) -> str | None:
    said = [word == "True" for word in TRUTH.findall(literal)]
    if not said:
        raise LiteralError(
            f"{literal!r} holds no True or False, but the code gives {describe(given)}; "
            "compare a number instead, or write the boolean"
        )
    if said == given:
        return None
    return f"the page says {literal}, the code gives {', '.join(map(str, given))}; write that"


def shortened(value: Any) -> Any:
    """Return a value with its floats cut to eight significant digits, where machines agree.

    What is smaller than any rounding error is 0.

    >>> shortened([1 / 3, 2, -1e-17])
    [0.33333333, 2, 0.0]
    """
    if isinstance(value, list):
        return [shortened(one) for one in value]
    if isinstance(value, float):
        return 0.0 if abs(value) < 1e-12 else float(f"{value:.8g}")
    return value


def describe(value: Any) -> str:
    """Return a value as one reads it: at most eight significant digits.

    >>> describe([1 / 3, True])
    '[0.33333333, True]'
    """
    if isinstance(value, list):
        return f"[{', '.join(describe(one) for one in value)}]"
    return str(shortened(value))
