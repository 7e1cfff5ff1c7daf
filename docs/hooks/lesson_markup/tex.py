"""TeX to MathML for the formulas of the course, refusing what the converter gets wrong.

latex2mathml never rejects an unknown macro, a brace without its partner, a column mark outside a
table or a fraction with one half: it prints them. Each of these is an error here.
"""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element

from latex2mathml.converter import Converter

ROLE_CLASS = {"Q": "al-q", "q": "al-q", "K": "al-k", "k": "al-k", "V": "al-v", "v": "al-v"}

ARITY = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3} | {
    "munder": 2,
    "mover": 2,
    "munderover": 3,
}

# Children that name an index or a size: the k of d_k is no Key.
INDEX_CHILDREN = {"msub": {1}, "msubsup": {1}, "munder": {1}, "munderover": {1}}

# MathML Core dropped the named widths that latex2mathml still writes.
NAMED_WIDTHS = {
    "negativethinmathspace": "-0.1667em",
    "negativemediummathspace": "-0.2222em",
    "negativethickmathspace": "-0.2778em",
    "thinmathspace": "0.1667em",
    "mediummathspace": "0.2222em",
    "thickmathspace": "0.2778em",
}

REASONS = {
    "DenominatorNotFoundError": "a fraction has no denominator",
    "DoubleSubscriptsError": "a symbol has two subscripts; group them with braces",
    "DoubleSuperscriptsError": "a symbol has two superscripts; group them with braces",
    "ExtraLeftOrMissingRightError": r"\left and \right do not come in pairs",
    "LimitsMustFollowMathOperatorError": r"\limits must follow an operator such as \sum",
    "MissingEndError": r"\begin and \end do not come in pairs",
    "MissingSuperScriptOrSubscriptError": "nothing stands after ^ or _",
    "NoAvailableTokensError": "a macro lacks an argument",
    "NumeratorNotFoundError": "a fraction has no numerator",
}


class TexError(ValueError):
    """A formula that cannot be shown as it was meant."""


def tex_to_mathml(tex: str, *, display: bool = False) -> Element:
    r"""Return the `<math>` element for `tex`, or raise `TexError` with the reason.

    >>> from xml.etree.ElementTree import tostring
    >>> tostring(tex_to_mathml(r"\sqrt{d_k}")[0], encoding="unicode")
    '<mrow><msqrt><mrow><msub><mi>d</mi><mi>k</mi></msub></mrow></msqrt></mrow>'
    """
    tex = tex.strip()
    if not tex:
        raise TexError("the formula is empty")
    _check_braces(tex)
    if re.search(r"\\begin\{(aligned|split|gathered)\}", tex):
        raise TexError(r"latex2mathml does not know this environment; write \begin{align*} instead")
    # `align` numbers its lines, and the course refers to formulas by name.
    source = re.sub(r"\\(begin|end)\{align\}", r"\\\1{align*}", tex)
    try:
        math = Converter(display="block" if display else "inline").convert_to_element(source)
    except Exception as error:  # the converter's exceptions share no base class
        reason = REASONS.get(type(error).__name__, f"{type(error).__name__}: {error}")
        raise TexError(reason) from error
    for node in math.iter():
        if node.text:
            node.text = html.unescape(node.text)
    _check_tree(math)
    _tidy(math)
    _mark_roles(math)
    math.set("alttext", tex)
    return math


def _check_braces(tex: str) -> None:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            raise TexError("a } closes nothing; remove it or write its {")
    if depth:
        raise TexError(f"{depth} brace(s) are never closed; write the missing }}")


def _check_tree(math: Element) -> None:
    for node in math.iter():
        text = node.text or ""
        if text.startswith("\\") and len(text) > 1:
            raise TexError(f"unknown macro {text}; use one that latex2mathml knows")
        if "&" in text and node.tag != "mtext":
            raise TexError(r"& stands outside a table; write \begin{align*} or \begin{pmatrix}")
        if node.tag == "mspace" and node.get("linebreak"):
            raise TexError(r"\\ stands outside a table; write \begin{align*}")
        needed = ARITY.get(node.tag)
        if needed is not None and len(node) != needed:
            raise TexError(f"a part is missing: <{node.tag}> has {len(node)} of {needed} parts")
        hollow = len(node) == 0 or any(part.tag == "mrow" and len(part) == 0 for part in node)
        if hollow and node.tag in {"mfrac", "mroot", "msqrt"}:
            raise TexError("a fraction or a root has an empty part")


def _tidy(math: Element) -> None:
    for node in math.iter():
        letters = [child.text or "" for child in node]
        upright = all(c.tag == "mi" and c.get("mathvariant") == "normal" for c in node)
        if node.tag == "mrow" and len(node) > 1 and upright:
            # One word is one identifier: a screen reader would spell single letters out.
            del node[1:]
            node[0].text = "".join(letters)
            del node[0].attrib["mathvariant"]
        name = node.text or ""
        if (
            node.tag == "mo"
            and len(name) > 1
            and name.isalpha()
            and node.get("movablelimits") is None
        ):
            # As an operator, a function's name would get an operator's space on both sides.
            node.tag = "mi"
        width = node.get("width", "")
        if width in NAMED_WIDTHS:
            node.set("width", NAMED_WIDTHS[width])


def _mark_roles(node: Element) -> None:
    indices = INDEX_CHILDREN.get(node.tag, set())
    for position, child in enumerate(node):
        if position in indices:
            continue
        role = ROLE_CLASS.get(child.text or "") if child.tag == "mi" else None
        if role:
            child.set("class", role)
        _mark_roles(child)
