"""Scaled dot-product attention: score, mask, normalise, mix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import (
    FloatArray,
    Mask,
    as_float_array,
    check_flag,
    check_mask,
    check_query_key_value,
    check_scale,
    computing_dtype,
)
from attention_core.masks import causal_mask
from attention_core.softmax import softmax_in_place


@dataclass(frozen=True, eq=False)
class AttentionTrace:
    """Every intermediate of one attention computation, as read-only arrays.

    ``query``, ``key``, ``value``, ``weights`` and ``output`` have the dtype of the result.
    ``scores`` (raw products), ``scaled_scores`` and ``masked_scores`` have the dtype of the
    computation, which is float32 where the inputs are float16. ``mask`` is the mask that was
    applied, the causal one included, or None; ``scale`` is the factor that was used.
    """

    query: FloatArray  # (..., n_query, d_k)
    key: FloatArray  # (..., n_key, d_k)
    value: FloatArray  # (..., n_key, d_v)
    scores: FloatArray  # (..., n_query, n_key)
    scaled_scores: FloatArray  # (..., n_query, n_key)
    masked_scores: FloatArray  # (..., n_query, n_key)
    weights: FloatArray  # (..., n_query, n_key)
    output: FloatArray  # (..., n_query, d_v)
    mask: Mask | None
    scale: float


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

    .. math:: \operatorname{Attention}(Q, K, V) =
        \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V

    Parameters
    ----------
    query : array_like, ``(..., n_query, d_k)``
    key : array_like, ``(..., n_key, d_k)``
    value : array_like, ``(..., n_key, d_v)``
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
    ndarray, ``(..., n_query, d_v)``, in the common dtype of the inputs
        A query that may see no key gets exact zeros. A hidden key or value has no influence at
        all, not even if it is NaN or inf; a visible NaN shows in the rows that see it.

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
    V is ``value``. float16 is computed in float32 and rounded once at the end.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> scaled_dot_product_attention(x, x, x).round(3)
    array([[0.802, 0.599],
           [0.599, 0.802],
           [0.752, 0.752]])
    """
    function = "scaled_dot_product_attention"
    output: FloatArray = attend(function, query, key, value, mask, is_causal, scale)["output"]
    return output


def attention_trace(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> AttentionTrace:
    """Compute attention and keep every intermediate.

    Parameters, errors and the output are those of `scaled_dot_product_attention`, to the last bit.

    Returns
    -------
    AttentionTrace
        Read-only copies, so that the record stays true whatever happens to the inputs.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> trace = attention_trace(x, x, x)
    >>> trace.scores
    array([[1., 0., 1.],
           [0., 1., 1.],
           [1., 1., 2.]])
    >>> trace.weights.round(3)
    array([[0.401, 0.198, 0.401],
           [0.198, 0.401, 0.401],
           [0.248, 0.248, 0.503]])
    """
    steps = attend("attention_trace", query, key, value, mask, is_causal, scale, keep_steps=True)
    for name, step in steps.items():
        if isinstance(step, np.ndarray):
            steps[name] = step.copy()
            steps[name].flags.writeable = False
    return AttentionTrace(**steps)


def attend(
    function: str,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    mask: ArrayLike | None,
    is_causal: bool,
    scale: float | None = None,
    *,
    keep_steps: bool = False,
) -> dict[str, Any]:
    """Attend on behalf of the public ``function``, whose name the errors carry.

    Returns ``output`` and ``weights``, and the other fields of the trace with ``keep_steps``. All
    callers share these operations, so that asking for more never changes the output.
    """
    q, k, v = (
        as_float_array(function, name, array)
        for name, array in (("query", query), ("key", key), ("value", value))
    )
    check_query_key_value(function, q, k, v)
    factor = check_scale(function, scale, q.shape[-1])
    applied = _effective_mask(function, mask, is_causal, (*q.shape[:-1], k.shape[-2]))

    dtype = np.result_type(q, k, v)
    work = computing_dtype(dtype)
    q, k, v = (array.astype(work, copy=False) for array in (q, k, v))
    with np.errstate(invalid="ignore", over="ignore"):  # NaN and inf follow the contract above
        scores = q @ np.swapaxes(k, -1, -2)  # (..., n_query, n_key)
        steps: dict[str, Any] = {"scores": scores.copy()} if keep_steps else {}
        scores *= scores.dtype.type(factor)
        if keep_steps:
            steps["scaled_scores"] = scores.copy()
        _apply_mask(scores, applied)
        if keep_steps:
            steps["masked_scores"] = scores.copy()
        weights = softmax_in_place(scores)  # (..., n_query, n_key), the scores' own memory
        output = _mix(weights, v, applied)  # (..., n_query, d_v)
    if keep_steps:
        inputs = {"query": q, "key": k, "value": v}
        steps |= {name: array.astype(dtype, copy=False) for name, array in inputs.items()}
        steps |= {"mask": applied, "scale": factor}
    results = {"weights": weights, "output": output}
    return steps | {name: array.astype(dtype, copy=False) for name, array in results.items()}


def _effective_mask(
    function: str, mask: ArrayLike | None, is_causal: bool, scores_shape: tuple[int, ...]
) -> Mask | None:
    """Join the mask and the causal rule: a key is visible if both allow it."""
    checked = None if mask is None else check_mask(function, mask, scores_shape)
    if not check_flag(function, "is_causal", is_causal):
        return checked
    n_query, n_key = scores_shape[-2:]
    if n_query != n_key:
        raise ValueError(
            f"{function}: is_causal=True needs equal lengths but n_query is {n_query} and n_key is "
            f"{n_key}; pass mask=causal_mask({n_query}, {n_key}, alignment='lower_right') for "
            f"decoding with a cache, or alignment='upper_left'"
        )
    causal = causal_mask(n_query)
    if checked is None:
        return causal
    if checked.dtype == np.bool_:
        return np.logical_and(checked, causal)
    return np.where(causal, checked, checked.dtype.type(-np.inf))


def _apply_mask(scores: FloatArray, mask: Mask | None) -> None:
    """Set hidden scores to -inf in place: adding alone would let a hidden NaN through."""
    if mask is None:
        return
    if mask.dtype == np.bool_:
        np.copyto(scores, -np.inf, where=np.logical_not(mask))
    else:
        scores += mask
        np.copyto(scores, -np.inf, where=np.isneginf(mask))


def _mix(weights: FloatArray, value: FloatArray, mask: Mask | None) -> FloatArray:
    """Return ``weights @ value`` in which a value that a query may not see counts for nothing.

    The plain product would turn a hidden NaN into NaN, since 0 * NaN is NaN. So the non-finite
    values are left out of the product and put back only in the rows that may see them.
    """
    finite = np.isfinite(value)
    if finite.all():
        return np.asarray(weights @ value)
    output = np.asarray(weights @ np.where(finite, value, value.dtype.type(0)))
    visible: Any = np.ones(weights.shape, dtype=value.dtype)
    if mask is not None:
        allowed = mask if mask.dtype == np.bool_ else np.logical_not(np.isneginf(mask))
        visible = visible * allowed
    for special in (np.nan, np.inf, -np.inf):
        where = np.isnan(value) if np.isnan(special) else value == special
        seen = visible @ where.astype(value.dtype) > 0  # (..., n_query, d_v)
        output[seen] += special
    return output
