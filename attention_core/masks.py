"""Masks: who may see whom. In every boolean mask here True means *may attend*."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core._checks import as_array, check_count
from attention_core._mask_checks import Mask, check_mask_values, may_attend
from attention_core.softmax import quiet

Alignment = Literal["upper_left", "lower_right"]


def causal_mask(
    n_query: int, n_key: int | None = None, *, alignment: Alignment | None = None
) -> NDArray[np.bool_]:
    r"""Let each query see its own position and the past, never the future.

    $$
    M_{ij} = (j \le i + o), \quad
    o = 0 \text{ (upper left)}, \quad o = n_{key} - n_{query} \text{ (lower right)}
    $$

    Parameters
    ----------
    n_query : int, at least 0
        Number of queries (rows).
    n_key : int, optional
        Number of keys (columns); the same as ``n_query`` if not given.
    alignment : "upper_left" or "lower_right", required if the two numbers differ
        "upper_left": query 0 stands at key 0. "lower_right": the last query stands at the last
        key, which is what decoding with a cache of past keys needs.

    Returns
    -------
    ndarray of bool, (n_query, n_key)
        True where the query may attend to the key. This is the meaning in PyTorch's
        ``scaled_dot_product_attention`` and the opposite of ``attn_mask`` in
        ``nn.MultiheadAttention``, where True hides.

    Raises
    ------
    TypeError
        A length is not a whole number.
    ValueError
        A length is negative, the lengths differ and no alignment is given, or the alignment is
        unknown.

    Notes
    -----
    Vaswani et al., *Attention Is All You Need*, 2017, section 3.2.3: illegal connections are set
    to minus infinity before the softmax.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(1, 3, alignment="lower_right")
    array([[ True,  True,  True]])
    """
    n_query = check_count("causal_mask", "n_query", n_query, minimum=0)
    n_key = n_query if n_key is None else check_count("causal_mask", "n_key", n_key, minimum=0)
    if alignment not in (None, "upper_left", "lower_right"):
        raise ValueError(
            f"causal_mask: alignment is {alignment!r}; it must be 'upper_left' or 'lower_right'"
        )
    if alignment is None and n_query != n_key:
        raise ValueError(
            f"causal_mask: n_query is {n_query} and n_key is {n_key}; different lengths need "
            f"alignment='upper_left' (query 0 stands at key 0) or alignment='lower_right' (the "
            f"last query stands at the last key, as in decoding with a cache)"
        )
    offset = n_key - n_query if alignment == "lower_right" else 0
    return np.tri(n_query, n_key, offset, dtype=np.bool_)


def padding_mask(lengths: ArrayLike, n_key: int) -> NDArray[np.bool_]:
    """Let every query see the real keys of its own sequence and none of the padding.

    Parameters
    ----------
    lengths : array_like of int, (batch,)
        How many real keys each sequence has, from 0 to ``n_key``; the padding stands behind them.
    n_key : int
        The padded length.

    Returns
    -------
    ndarray of bool, (batch, 1, n_key)
        True at real keys. The middle axis is that of the queries, so the mask can only ever hide
        columns. Beside scores of ``(batch, head, n_query, n_key)`` write ``mask[:, np.newaxis]``;
        `MultiHeadAttention` takes it as it is.

    Raises
    ------
    TypeError
        ``lengths`` does not hold whole numbers, or ``n_key`` is not one.
    ValueError
        ``lengths`` has more or fewer than one axis, or a length lies outside 0 to ``n_key``.

    Notes
    -----
    This is the opposite of ``key_padding_mask`` in PyTorch's ``nn.MultiheadAttention``, where True
    marks the padding. A plain ``(batch, n_key)`` array is refused by the attention functions,
    unless batch equals n_query: nothing can tell it from ``(n_query, n_key)`` then.

    Examples
    --------
    >>> padding_mask([3, 1], 3).astype(int)
    array([[[1, 1, 1]],
    <BLANKLINE>
           [[1, 0, 0]]])
    """
    n_key = check_count("padding_mask", "n_key", n_key, minimum=0)
    array = as_array("padding_mask", "lengths", lengths)
    if array.size == 0 and array.ndim == 1:
        array = array.astype(np.int64)  # an empty list reads as float64
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"padding_mask: lengths has dtype {array.dtype}; it must hold whole numbers, one "
            f"length per sequence (for a 0/1 mask of tokens pass mask.sum(axis=-1))"
        )
    if array.ndim != 1:
        raise ValueError(
            f"padding_mask: lengths has shape {array.shape}; it must be (batch,), one length per "
            f"sequence"
        )
    outside = (array < 0) | (array > n_key)
    if outside.any():
        raise ValueError(
            f"padding_mask: lengths contains {array[outside][0]}; each length must lie between 0 "
            f"and n_key, which is {n_key}"
        )
    return np.asarray(np.arange(n_key) < array[:, np.newaxis, np.newaxis])


def combine_masks(*masks: ArrayLike) -> Mask:
    """Join masks into one: a key is visible only if every one of them allows it.

    Parameters
    ----------
    *masks : array_like
        Boolean (True = may attend) and additive float masks, in any mixture. Each has the two axes
        ``(n_query or 1, n_key)``, or as many axes as the one with the most; axes are equal or 1.

    Returns
    -------
    ndarray
        Boolean if all were; otherwise float: the additive masks summed, -inf where any mask hides.

    Raises
    ------
    TypeError
        No mask, an integer mask, or one of another dtype.
    ValueError
        Shapes that do not fit, or a float mask with NaN, +inf or only 0 and 1.

    Examples
    --------
    >>> combine_masks(causal_mask(3), padding_mask([2], 3)).astype(int)
    array([[[1, 0, 0],
            [1, 1, 0],
            [1, 1, 0]]])
    """
    if not masks:
        raise TypeError("combine_masks: no mask was given; pass at least one")
    arrays = [check_mask_values("combine_masks", f"mask {i}", m) for i, m in enumerate(masks, 1)]
    shapes = [array.shape for array in arrays]
    axes = max(len(shape) for shape in shapes)
    fits = all(len(shape) >= 2 and len(shape) in (2, axes) for shape in shapes)
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"combine_masks: the shapes {', '.join(map(str, shapes))} do not fit; each mask has "
            f"the axes (n_query or 1, n_key), or as many axes as the largest, each equal or 1; add "
            f"missing axes with np.newaxis so that none lines up by accident"
        )
    keep = np.ones(shape, dtype=np.bool_)
    for array in arrays:
        keep &= may_attend(array)
    additive = [array for array in arrays if array.dtype != np.bool_]
    if not additive:
        return keep
    total = np.zeros(shape, dtype=np.result_type(*additive))
    with quiet():  # two masks of the lowest finite number hide for good
        for array in additive:
            total += array
    total[~keep] = -np.inf
    return total
