"""The data of the bank lesson: one word, two sentences, and why its output differs.

Four dimensions, named so that they can be talked about: geography, finance, ambiguous noun,
function word. Everything here is set by hand; nothing was learned, and there are no positions.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

import numpy as np

from attention_core._checks import FloatArray
from attention_core.trace import AttentionTrace, attention_trace

Mode = Literal["scaled", "unscaled", "uniform"]

dimensions = ("geography", "finance", "ambiguous noun", "function word")

sentences = MappingProxyType(
    {"river": ("by", "the", "river", "bank"), "savings": ("at", "the", "savings", "bank")}
)


embeddings = MappingProxyType(
    {
        "by": np.array([0.2, 0.2, 0.0, 1.0]),
        "at": np.array([0.2, 0.2, 0.0, 1.0]),
        "the": np.array([0.0, 0.0, 0.0, 1.0]),
        "river": np.array([2.0, 0.0, 0.0, 0.0]),
        "savings": np.array([0.0, 2.0, 0.0, 0.0]),
        "bank": np.array([0.3, 0.3, 1.0, 0.0]),
    }
)

# The third row of W_q makes an ambiguous noun ask for content of both senses.
W_q = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [2, 2, 0, 0], [0, 0, 0, 0]])
W_k = np.diag([1.0, 1.0, 0.0, 0.0])
W_v = np.diag([1.0, 1.0, 1.0, 0.0])
for _constant in (*embeddings.values(), W_q, W_k, W_v):
    _constant.flags.writeable = False

_SCALES: dict[str, float | None] = {"scaled": None, "unscaled": 1.0, "uniform": 0.0}


def tokens(sentence: str) -> FloatArray:
    """Return the embeddings of a sentence, ``(4, 4)``: a row for each token.

    ``sentence`` is "river", "savings", or one of the two sentences in full.
    """
    return _tokens("bank.tokens", sentence)


def _tokens(function: str, sentence: str) -> FloatArray:
    for name, words in sentences.items():
        if sentence in (name, " ".join(words)):
            return np.stack([embeddings[word] for word in words])
    known = " or ".join(repr(name) for name in sentences)
    raise ValueError(f"{function}: there is no sentence {sentence!r}; choose {known}")


def lesson(sentence: str, mode: Mode = "scaled") -> AttentionTrace:
    """Run the lesson's attention over one sentence.

    Parameters
    ----------
    sentence : "river" or "savings", or the sentence in full
    mode : "scaled", "unscaled" or "uniform", default "scaled"
        The lesson's standard; without the divisor sqrt(d_k); or with every score multiplied by 0,
        so that all four tokens weigh 1/4.

    Returns
    -------
    AttentionTrace
        ``query``, ``key``, ``value``, ``output``: ``(4, 4)``, token by dimension; scores and
        weights: ``(4, 4)``, asking token by key.

    Raises
    ------
    ValueError
        The sentence or the mode is unknown.

    Examples
    --------
    >>> trace = lesson("river")
    >>> trace.query[3].tolist(), trace.weights[3].round(2).tolist()
    ([2.3, 2.3, 0.0, 0.0], [0.11, 0.07, 0.69, 0.14])
    >>> trace.output[3].round(2).tolist(), lesson("savings").output[3].round(2).tolist()
    ([1.43, 0.06, 0.14, 0.0], [0.06, 1.43, 0.14, 0.0])
    """
    x = _tokens("bank.lesson", sentence)
    if not isinstance(mode, str) or mode not in _SCALES:
        known = ", ".join(repr(name) for name in _SCALES)
        raise ValueError(f"bank.lesson: there is no mode {mode!r}; choose one of {known}")
    return attention_trace(x @ W_q, x @ W_k, x @ W_v, scale=_SCALES[mode])
