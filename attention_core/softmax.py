"""Softmax: scores in, weights out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import FloatArray, as_float_array, cast, check_count, computing_dtype


def softmax(scores: ArrayLike, axis: int = -1) -> FloatArray:
    r"""Turn scores into weights that are positive and sum to 1 along one axis.

    $$
    \operatorname{softmax}(s)_j = \frac{e^{s_j}}{\sum_m e^{s_m}}
    $$

    Parameters
    ----------
    scores : array_like, any shape, float16, float32 or float64
        Integers and booleans are taken as float64. The array is not changed.
    axis : int, default -1
        The axis that is normalised. For attention scores this is the last one, the keys.

    Returns
    -------
    ndarray, same shape, same float dtype
        A slice of nothing but -inf gives zeros: nothing may be seen, so nothing is weighted.
        NaN or +inf fills its own slice with NaN and touches no other. A scalar gives 1.

    Raises
    ------
    TypeError
        ``scores`` is complex, an object or text, or ``axis`` is not a whole number.
    ValueError
        ``axis`` is not an axis of ``scores``.

    Notes
    -----
    The largest score of each slice is subtracted first, which changes nothing in exact arithmetic
    and keeps ``exp`` from overflowing (Goodfellow, Bengio and Courville, *Deep Learning*, 2016,
    section 4.1). float16 is computed in float32 and rounded once at the end.

    Examples
    --------
    >>> softmax([0.0, 0.0, 0.0, 0.0])
    array([0.25, 0.25, 0.25, 0.25])
    >>> softmax([1000.0, 1000.0])
    array([0.5, 0.5])
    """
    array = as_float_array("softmax", "scores", scores)
    axis = check_count("softmax", "axis", axis, minimum=None)
    ndim = max(array.ndim, 1)
    if not -ndim <= axis < ndim:
        raise ValueError(
            f"softmax: axis {axis} does not exist in scores of shape {array.shape}; "
            f"use -{ndim} to {ndim - 1}, or -1 for the keys"
        )
    work = np.array(array, dtype=computing_dtype(array.dtype), ndmin=1)
    work /= exponentials_in_place(work, axis)
    return cast(work.reshape(array.shape), array.dtype)


def softmax_jacobian(weights: ArrayLike) -> FloatArray:
    r"""Tell how each weight answers to a small change of each score.

    $$
    \frac{\partial w_i}{\partial s_j} = w_i (\delta_{ij} - w_j)
    $$

    Parameters
    ----------
    weights : array_like, (..., n), float16, float32 or float64
        Rows of weights, as `softmax` returns them along its last axis. Not the scores.

    Returns
    -------
    ndarray, (..., n, n), same float dtype
        Entry ``[..., i, j]`` is the slope of weight i by score j. The matrix is symmetric and each
        of its rows sums to 0, since the weights always sum to 1. A row of zeros (nothing could be
        seen) gives zeros.

    Raises
    ------
    TypeError
        ``weights`` is complex, an object or text.
    ValueError
        ``weights`` is a scalar, or an entry lies outside 0 to 1, as scores would.

    Notes
    -----
    The slope is largest at even weights and vanishes as one weight nears 1: saturation. For two
    keys it is at most 1/4.

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    array = as_float_array("softmax_jacobian", "weights", weights)
    if array.ndim == 0:
        raise ValueError(
            "softmax_jacobian: weights is a scalar; it needs an axis of keys, (..., n)"
        )
    tolerance = 4 * np.finfo(array.dtype).eps
    if (array < -tolerance).any() or (array > 1 + tolerance).any():
        raise ValueError(
            f"softmax_jacobian: weights of shape {array.shape} has entries outside 0 to 1; pass "
            f"the result of softmax, not the scores"
        )
    w = cast(array, computing_dtype(array.dtype))
    jacobian: FloatArray = -w[..., :, np.newaxis] * w[..., np.newaxis, :]  # (..., n, n)
    diagonal = np.arange(array.shape[-1])
    jacobian[..., diagonal, diagonal] += w
    return cast(jacobian, array.dtype)


def exponentials_in_place(scores: FloatArray, axis: int) -> FloatArray:
    """Overwrite ``scores`` with ``exp(scores - largest)`` and return the sums to divide by.

    It makes no second array of the size of the scores, which is most of attention's memory.
    """
    # inf - inf is the NaN that the contract promises; a difference beyond the range is -inf.
    with quiet():
        largest = scores.max(axis=axis, keepdims=True, initial=-np.inf)
        largest[np.isneginf(largest)] = 0.0  # an empty slice: exp(-inf - 0) is 0, not NaN
        scores -= largest
        np.exp(scores, out=scores)
        total: FloatArray = scores.sum(axis=axis, keepdims=True)
        total[total == 0.0] = 1.0
    return total


def quiet() -> np.errstate:
    """Silence NumPy where NaN, infinity and overflow end as the docstrings say."""
    return np.errstate(invalid="ignore", over="ignore")
