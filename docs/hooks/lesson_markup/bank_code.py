"""What the bank lesson shows as formula and as code, for one number and for a whole computation.

In these texts `<<name>>` is filled in by the page's script, and `<<name:text>>` stays only while
the mode or the choice of that name is on.
"""

from __future__ import annotations

import html
import re
from typing import Any

from attention_core import bank


def _python(value: Any) -> str:
    """Return rows or words as one writes them in Python, whole numbers without a point."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_python, value))}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def _of_each_sentence(values: dict[str, Any]) -> str:
    return "".join(f"<<{name}:{_python(value)}>>" for name, value in values.items())


# Prints what the screen shows: the asking token's four rows, then the weights of all tokens.
_PRINT = """

def shown(row):  # {note}
    rounded = [round(x, 3 if abs(x - round(x, 3)) < 1e-9 else 2) for x in row.tolist()]
    return "[" + ", ".join(f"{x:g}" for x in rounded) + "]"


print("query", shown(query[asking]))
print("scores", shown(scores[asking]))
print("weights", shown(weights[asking]))
print("output", shown(output[asking]))
for token, row in zip(tokens, weights):
    print(token, shown(row))
"""

_TITLE = "# <<token1>> <<token2>> <<token3>> <<token4>> · <<ask>> · <<mode>> · <<choice>>"
_DATA = f"""\
tokens = {_of_each_sentence(dict(bank.sentences))}
asking = <<asking>>
X = np.array({_of_each_sentence({name: bank.tokens(name).tolist() for name in bank.sentences})})
W_q = np.array({_python(bank.W_q.tolist())})
W_k = np.array({_python(bank.W_k.tolist())})
W_v = np.array({_python(bank.W_v.tolist())})

query, key, value = X @ W_q, X @ W_k, X @ W_v
"""

_NUMPY = f"""\
{_TITLE}
import numpy as np

{_DATA}\
scores = query @ key.T<<scaled: / np.sqrt(key.shape[1])>><<uniform: * 0>>
<<soft:powers = np.exp(scores - scores.max(axis=1, keepdims=True))
weights = powers / powers.sum(axis=1, keepdims=True)>>\
<<hard:weights = np.eye(len(tokens))[scores.argmax(axis=1)]>>
output = weights @ value
{_PRINT}"""

_CORE = f"""\
{_TITLE}
<<hard:import numpy as np

>>from attention_core import bank

tokens = bank.sentences["<<sentence>>"]
asking = <<asking>>

trace = bank.lesson("<<sentence>>", "<<mode>>")
query, scores = trace.query, trace.scaled_scores
<<soft:weights, output = trace.weights, trace.output>>\
<<hard:weights = np.eye(len(tokens))[scores.argmax(axis=1)]
output = weights @ trace.value>>
{_PRINT}"""

_TORCH_DATA = re.sub(r"np\.array\((.*)\)", r"torch.tensor(\1, dtype=torch.float64)", _DATA)
_TORCH = f"""\
{_TITLE}
import torch
<<soft:from torch.nn.functional import scaled_dot_product_attention
>>
{_TORCH_DATA}\
scale = <<scaled:1 / key.shape[1] ** 0.5>><<unscaled:1.0>><<uniform:0.0>>
scores = query @ key.T * scale
<<soft:weights = scores.softmax(dim=1)
output = scaled_dot_product_attention(query, key, value, scale=scale)>>\
<<hard:weights = torch.eye(len(tokens), dtype=torch.float64)[scores.argmax(dim=1)]
output = weights @ value>>
{_PRINT}"""

_PROJECTED = "<<sum>> <<sign>> <<result>>"
TEXTS = {
    "copy_numpy": _NUMPY,
    "copy_core": _CORE,
    "copy_torch": _TORCH,
    "open_x": "<<given>>",
    "open_query": _PROJECTED,
    "open_key": _PROJECTED,
    "open_value": _PROJECTED,
    "open_scores": "<<sum>> = <<raw>>"
    "<<scaled:\n<<raw>> / √4 = <<raw>> / 2 = <<result>>>><<uniform:\n<<raw>> × 0 = 0>>",
    "open_weights": "<<soft:<<power>> / (<<powers>>)\n= <<part>> / <<total>> <<sign>> <<result>>>>"
    "<<hard:argmax <<scores>> = <<pick>>\n→ <<result>>>>",
    "open_output": "<<sum>>\n<<sign>> <<result>>",
    "code_x": "X[<<i>>, <<j>>]",
    "code_query": "X[<<i>>] @ W_q[:, <<j>>]",
    "code_key": "X[<<i>>] @ W_k[:, <<j>>]",
    "code_value": "X[<<i>>] @ W_v[:, <<j>>]",
    "code_scores": "query[<<i>>] @ key[<<j>>]<<scaled: / np.sqrt(4)>><<uniform: * 0>>",
    "code_weights": "<<soft:np.exp(scores[<<i>>, <<j>>]) / np.exp(scores[<<i>>]).sum()>>"
    "<<hard:float(scores[<<i>>].argmax() == <<j>>)>>",
    "code_output": "weights[<<i>>] @ value[:, <<j>>]",
}


def code_texts(note: str) -> dict[str, str]:
    """Return all texts; `note` says in the page's language how the copied code rounds."""
    return {key: text.replace("{note}", note) for key, text in TEXTS.items()}


def template(text: str) -> str:
    """Return one of the texts as HTML that the page's script can fill.

    >>> template("a<b <<x>><<hard:+ <<y>>>>")
    'a&lt;b <b data-fill="x"></b><span data-when="hard">+ <b data-fill="y"></b></span>'
    """
    # Names inside a condition go first, so that every mark that is left ends at its own ">>".
    marked = re.sub(r"<<(\w+)>>", "\x01\\1\x02", text)
    marked = html.escape(
        re.sub(r"<<(\w+):(.*?)>>", "\x03\\1\x04\\2\x05", marked, flags=re.S), False
    )
    for sign, markup in (
        ("\x01(\\w+)\x02", r'<b data-fill="\1"></b>'),
        ("\x03(\\w+)\x04", r'<span data-when="\1">'),
        ("\x05", "</span>"),
    ):
        marked = re.sub(sign, markup, marked)
    return marked
