"""The six rules of attention, measured on a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attention_core._checks import FloatArray, cast
from attention_core._mask_checks import may_attend
from attention_core._visibility import mix
from attention_core.scaled_dot_product import attend, read_call
from attention_core.softmax import quiet

if TYPE_CHECKING:
    from attention_core.trace import AttentionTrace


@dataclass(frozen=True)
class Evidence:
    """One rule of attention and what was measured of it.

    ``holds`` is None where the trace cannot show the rule, for instance the mask rule without a
    mask; ``measured`` then says why.

    Examples
    --------
    >>> from attention_core import attention_trace
    >>> attention_trace([[1.0]], [[1.0]], [[1.0]]).evidence()[4].measured
    'no mask was applied'
    """

    rule: str
    statement: str
    holds: bool | None
    measured: str


def six_rules(trace: AttentionTrace) -> list[Evidence]:
    """Measure score, weight, output, QKV, mask and bridge rule, in this order."""
    rules = (_score_rule, _weight_rule, _output_rule, _qkv_rule, _mask_rule, _bridge_rule)
    return [rule(trace) for rule in rules]


def _score_rule(trace: AttentionTrace) -> Evidence:
    query, key = (_computed(trace, x) for x in (trace.query, trace.key))
    with quiet():
        expected = query @ key.swapaxes(-1, -2) * trace.scale
    statement = "scaled scores are Q @ K.T * scale"
    return _compare("score", statement, trace.scaled_scores, expected, trace)


def _weight_rule(trace: AttentionTrace) -> Evidence:
    scores, weights = trace.masked_scores, _computed(trace, trace.weights)
    expected = np.where(np.isneginf(scores).all(axis=-1), 0.0, 1.0)
    # A visible NaN or +inf leaves its row without a softmax, and the sum is NaN as promised.
    expected[(np.isnan(scores) | np.isposinf(scores)).any(axis=-1)] = np.nan
    statement = "each row of weights sums to 1, or to 0 where nothing may be seen"
    return _compare("weight", statement, weights.sum(axis=-1), expected, trace)


def _output_rule(trace: AttentionTrace) -> Evidence:
    weights, value = (_computed(trace, x) for x in (trace.weights, trace.value))
    with quiet():
        expected = mix(weights, value, trace.mask)
    return _compare("output", "the output is weights @ V", trace.output, expected, trace)


def _qkv_rule(trace: AttentionTrace) -> Evidence:
    other = -trace.value
    call = read_call("evidence", trace.query, trace.key, other, trace.mask, False, trace.scale)
    weights = attend(call, with_weights=True)[1].astype(trace.weights.dtype)
    same = np.array_equal(weights, trace.weights, equal_nan=True)
    return Evidence(
        "QKV",
        "Q and K decide the weights; V only carries content",
        same,
        f"with V negated the weights are {'the same' if same else 'different'}",
    )


def _mask_rule(trace: AttentionTrace) -> Evidence:
    statement = "a hidden position gets a weight of exactly 0"
    if trace.mask is None:
        return Evidence("mask", statement, None, "no mask was applied")
    hidden = ~np.broadcast_to(may_attend(trace.mask), trace.weights.shape)
    largest = float(trace.weights[hidden].max(initial=0.0))
    measured = f"{hidden.sum()} hidden positions, largest weight {largest:g}"
    return Evidence("mask", statement, largest == 0.0, measured)


def _bridge_rule(trace: AttentionTrace) -> Evidence:
    statement = "no token depends on a later one, so a text can be generated token by token"
    n_query, n_key = trace.weights.shape[-2:]
    if n_query != n_key:
        return Evidence("bridge", statement, None, "queries and keys differ in length")
    future = np.triu(np.ones((n_query, n_key), dtype=np.bool_), 1)
    largest = float(trace.weights[..., future].max(initial=0.0))
    measured = f"largest weight on a later token {largest:g}"
    return Evidence("bridge", statement, largest == 0.0, measured)


def _computed(trace: AttentionTrace, array: FloatArray) -> FloatArray:
    """Return the array in the dtype of the computation: float32 for a trace of float16."""
    return cast(array, trace.scores.dtype)


def _compare(
    rule: str, statement: str, got: FloatArray, want: FloatArray, trace: AttentionTrace
) -> Evidence:
    """Judge to the tolerance of the dtype; equal NaN and equal infinities agree."""
    agree = (got == want) | (np.isnan(got) & np.isnan(want))
    with quiet():
        distance = np.where(agree, 0.0, np.abs(got - want))
    difference = float(distance.max(initial=0.0))
    size = float(np.abs(want[np.isfinite(want)]).max(initial=1.0))
    holds = difference <= 64 * float(np.finfo(trace.weights.dtype).eps) * size
    return Evidence(rule, statement, holds, f"largest difference {difference:.1e}")
