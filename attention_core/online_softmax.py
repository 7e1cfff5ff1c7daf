"""Attention that never holds an n x n matrix: the online softmax."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import FloatArray, cast, check_count
from attention_core._mask_checks import Mask
from attention_core._visibility import and_causal, hide, mix
from attention_core.scaled_dot_product import Call, read_call
from attention_core.softmax import quiet


def online_softmax_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    block_size: int = 512,
) -> FloatArray:
    r"""Compute `scaled_dot_product_attention` block by block, in memory that grows as n.

    For each query the keys come in blocks. Kept are the largest score so far $m$, the sum
    $\ell$ of $e^{s - m}$ and the sum $a$ of $e^{s - m} v$; when a block
    raises the largest score to $m'$, both sums are corrected by one factor:

    $$
    \ell \leftarrow e^{m - m'} \ell + \sum_j e^{s_j - m'}, \quad
    a \leftarrow e^{m - m'} a + \sum_j e^{s_j - m'} v_j, \quad \text{output} = a / \ell
    $$

    Parameters
    ----------
    query, key, value, mask, is_causal, scale
        As in `scaled_dot_product_attention`. A mask that is given is itself of size n x n;
        ``is_causal`` needs none, and skips the blocks that lie in the future.
    block_size : int, default 512
        How many queries and how many keys are worked on at a time.

    Returns
    -------
    ndarray, (..., n_query, d_v)
        Equal to the direct form up to rounding, with the same zeros, NaN and infinities.

    Raises
    ------
    TypeError, ValueError
        As in `scaled_dot_product_attention`; and where ``block_size`` is not a whole number of at
        least 1.

    Notes
    -----
    Milakov and Gimelshein, *Online normalizer calculation for softmax*, 2018, algorithm 3; Rabe
    and Staats, *Self-attention Does Not Need O(n^2) Memory*, 2021; Dao et al., *FlashAttention*,
    2022, algorithm 1, whose $m$, $\ell$ and $O$ are ``largest``, ``total`` and
    ``mixed`` below.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> online_softmax_attention(x, x, x, block_size=2).round(3)
    array([[0.802, 0.599],
           [0.599, 0.802],
           [0.752, 0.752]])
    """
    function = "online_softmax_attention"
    block_size = check_count(function, "block_size", block_size, minimum=1)
    call = read_call(function, query, key, value, mask, is_causal, scale)
    q, v = call.query, call.value
    output = np.empty((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    with quiet():
        for start in range(0, q.shape[-2], block_size):
            rows = slice(start, min(start + block_size, q.shape[-2]))
            output[..., rows, :] = _attend_rows(call, rows, block_size)
    return cast(output, call.dtype)


def _attend_rows(call: Call, rows: slice, block_size: int) -> FloatArray:
    """Let one block of queries meet every block of keys."""
    q, k, v = call.query[..., rows, :], call.key, call.value
    q = q * q.dtype.type(call.scale)  # (..., rows, d_k), fewer numbers than the scores
    finite = np.isfinite(v)
    special = not finite.all()
    mixed = np.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)  # (..., rows, d_v)
    total = np.zeros((*q.shape[:-1], 1), dtype=q.dtype)
    largest = np.full((*q.shape[:-1], 1), -np.inf, dtype=q.dtype)
    beyond = np.zeros_like(mixed)  # what visible NaN and infinite values add at the end
    n_key = rows.stop if call.is_causal else k.shape[-2]
    for start in range(0, n_key, block_size):
        columns = slice(start, min(start + block_size, n_key))
        keys, values = k[..., columns, :], v[..., columns, :]
        visible = _block_of_mask(call, rows, columns)
        scores = q @ np.swapaxes(keys, -1, -2)  # (..., rows, columns)
        hide(scores, visible)
        new = np.maximum(largest, scores.max(axis=-1, keepdims=True))
        shift = np.where(np.isneginf(new), q.dtype.type(0), new)  # nothing seen yet: no NaN
        scores -= shift
        np.exp(scores, out=scores)
        correction = np.exp(largest - shift)
        total *= correction
        total += scores.sum(axis=-1, keepdims=True)
        mixed *= correction
        if special:
            beyond += mix(np.zeros_like(scores), values, visible)
            values = np.where(finite[..., columns, :], values, values.dtype.type(0))
        mixed += scores @ values
        largest = new
    total[total == 0.0] = 1.0
    return np.asarray(mixed / total + beyond)


def _block_of_mask(call: Call, rows: slice, columns: slice) -> Mask | None:
    """Cut the block out of the mask and the causal rule without making either whole."""
    visible: Mask | None = None
    if call.mask is not None:
        row_axis, column_axis = call.mask.shape[-2:]
        visible = call.mask[
            ..., rows if row_axis > 1 else slice(None), columns if column_axis > 1 else slice(None)
        ]
    if call.is_causal and columns.stop - 1 > rows.start:
        causal = np.arange(columns.start, columns.stop) <= np.arange(rows.start, rows.stop)[:, None]
        return and_causal(visible, causal)
    return visible
