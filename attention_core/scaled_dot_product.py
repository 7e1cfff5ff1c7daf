"""Scaled dot-product attention: score, mask, normalise, mix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import (
    FloatArray,
    as_float_array,
    cast,
    check_flag,
    check_query_key_value,
    check_scale,
    computing_dtype,
)
from attention_core._mask_checks import Mask, check_mask
from attention_core._visibility import and_causal, clear_hidden, hide, mask_rows, mix
from attention_core.masks import causal_mask
from attention_core.softmax import exponentials_in_place, quiet

# Scores that are worked on at a time: few enough to stay near a cache, enough for a fast product.
_BLOCK_OF_SCORES = 2**21


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> FloatArray:
    r"""Mix the values by how well each query fits each key.

    $$
    \operatorname{Attention}(Q, K, V) =
    \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V
    $$

    Parameters
    ----------
    query : array_like, (..., n_query, d_k)
    key : array_like, (..., n_key, d_k)
    value : array_like, (..., n_key, d_v)
        float16, float32 or float64; integers and booleans are taken as float64. The leading axes
        (batch, heads) must be equal. None of the arrays is changed.
    mask : array_like, optional
        Boolean, True = may attend (as in PyTorch's function of this name, the opposite of
        ``nn.MultiheadAttention``), or float, added to the scaled scores, with -inf for hidden.
        ``(n_query or 1, n_key)``, or as many axes as the scores ``(..., n_query, n_key)``, each
        equal to theirs or 1. Integers, and floats of only 0 and 1, are refused.
    is_causal : bool, default False
        Also hide the future; together with ``mask`` both hold. The lengths must be equal.
    scale : float, optional
        Factor for the scores, ``1 / sqrt(d_k)`` if not given.

    Returns
    -------
    ndarray, (..., n_query, d_v), in the common dtype of the inputs
        A query that may see no key gets exact zeros. A hidden key or value has no influence at
        all, not even if it is NaN or inf; a visible NaN shows only in the rows that see it.

    Raises
    ------
    TypeError
        A dtype that is not real-valued, an integer mask, a flag that is not True or False.
    ValueError
        Shapes that do not fit, a mask of the wrong shape or with NaN, +inf or only 0 and 1,
        ``is_causal`` with different lengths, a scale that is not finite.

    Notes
    -----
    Vaswani et al., *Attention Is All You Need*, 2017, equation 1: Q is ``query``, K is ``key``,
    V is ``value``. This is the direct form, which holds the whole matrix of scores;
    `online_softmax_attention` does not. The rows are worked on in blocks that fit a cache. float16
    is computed in float32 and rounded once at the end.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> scaled_dot_product_attention(x, x, x).round(3)
    array([[0.802, 0.599],
           [0.599, 0.802],
           [0.752, 0.752]])
    """
    function = "scaled_dot_product_attention"
    call = read_call(function, query, key, value, mask, is_causal, scale)
    return cast(attend(call)[0], call.dtype)


class Call(NamedTuple):
    """The checked arguments of one attention computation."""

    query: FloatArray  # (..., n_query, d_k), in the dtype to compute in
    key: FloatArray  # (..., n_key, d_k)
    value: FloatArray  # (..., n_key, d_v)
    mask: Mask | None  # as given, checked against the scores
    is_causal: bool
    scale: float
    dtype: np.dtype[Any]  # of the result

    @property
    def scores_shape(self) -> tuple[int, ...]:
        """``(..., n_query, n_key)``."""
        return (*self.query.shape[:-1], self.key.shape[-2])


def read_call(
    function: str,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None,
    is_causal: bool,
    scale: float | None = None,
) -> Call:
    """Check the arguments on behalf of the public ``function``, whose name the errors carry."""
    arrays = [
        as_float_array(function, name, array)
        for name, array in (("query", query), ("key", key), ("value", value))
    ]
    check_query_key_value(function, *arrays)
    dtype = np.result_type(*arrays)
    q, k, v = (cast(array, computing_dtype(dtype)) for array in arrays)
    n_query, n_key = q.shape[-2], k.shape[-2]
    checked = None if mask is None else check_mask(function, mask, (*q.shape[:-1], n_key))
    if check_flag(function, "is_causal", is_causal) and n_query != n_key:
        raise ValueError(
            f"{function}: is_causal=True needs equal lengths but n_query is {n_query} and n_key is "
            f"{n_key}; pass mask=causal_mask({n_query}, {n_key}, alignment='lower_right') for "
            f"decoding with a cache, or alignment='upper_left'"
        )
    factor = check_scale(function, scale, q.shape[-1])
    return Call(q, k, v, checked, bool(is_causal), factor, dtype)


def attend(
    call: Call,
    keep: Callable[[str, slice, FloatArray], None] | None = None,
    *,
    with_weights: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Return output and weights, handing earlier steps of each block of rows to ``keep``.

    This is the direct form: the whole ``(..., n_query, n_key)`` matrix is held. Without
    ``with_weights`` it is left unnormalised, and the caller must not use it. The output comes from
    the same operations on the same blocks either way: asking for more never changes it, not even
    in its last bit. That is also why the query is scaled and not the scores, and why the output is
    divided by the sums and not the weights: both are smaller arrays.
    """
    q, k, v = call.query, call.key, call.value
    weights = np.empty(call.scores_shape, dtype=q.dtype)
    output = np.empty((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    mask = effective_mask(call)
    scores_per_row = max(1, weights[..., :1, :].size)
    rows_at_a_time = max(32, _BLOCK_OF_SCORES // scores_per_row)
    with quiet():
        scaled_query = q * q.dtype.type(call.scale)
        for start in range(0, q.shape[-2], rows_at_a_time):
            rows = slice(start, start + rows_at_a_time)
            block_mask = mask_rows(mask, rows)
            block = weights[..., rows, :]  # (..., rows, n_key): scores first, weights at the end
            np.matmul(scaled_query[..., rows, :], np.swapaxes(k, -1, -2), out=block)
            if keep:
                keep("scaled_scores", rows, block)
            hide(block, block_mask)
            if keep:
                keep("masked_scores", rows, block)
            total = exponentials_in_place(block, -1)  # (..., rows, 1)
            output[..., rows, :] = mix(block, v, block_mask) / total
            if with_weights:
                block /= total
                clear_hidden(block, block_mask)
    return output, weights


def effective_mask(call: Call) -> Mask | None:
    """Join the mask and the causal rule: a key is visible if both allow it."""
    if not call.is_causal:
        return call.mask
    return and_causal(call.mask, causal_mask(call.query.shape[-2]))
