"""What a mask does to scores and values: the steps that every form of attention shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_core._checks import FloatArray
from attention_core._mask_checks import Mask, is_boolean, may_attend


def and_causal(mask: Mask | None, causal: NDArray[np.bool_]) -> Mask:
    """Join a mask with the causal rule, or a block of one with a block of the other."""
    if mask is None:
        return causal
    if is_boolean(mask):
        return np.logical_and(mask, causal)
    return np.where(causal, mask, mask.dtype.type(-np.inf))


def mask_rows(mask: Mask | None, rows: slice) -> Mask | None:
    """Cut the rows of a block out of a mask, which may have one row for all."""
    return mask if mask is None or mask.shape[-2] == 1 else mask[..., rows, :]


def hide(scores: FloatArray, mask: Mask | None) -> None:
    """Apply the mask in place; a hidden score becomes -inf whatever it was, NaN included."""
    if mask is None:
        return
    if not is_boolean(mask):
        scores += mask
    np.copyto(scores, -np.inf, where=~may_attend(mask))


def clear_hidden(weights: FloatArray, mask: Mask | None) -> None:
    """Set hidden weights to 0 in place, also in a row that a visible NaN has filled with NaN."""
    if mask is not None:
        np.copyto(weights, 0.0, where=~may_attend(mask))


def mix(weights: FloatArray, value: FloatArray, mask: Mask | None) -> FloatArray:
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
        visible = visible * may_attend(mask)
    for special in (np.nan, np.inf, -np.inf):
        where = np.isnan(value) if np.isnan(special) else value == special
        output[visible @ where.astype(value.dtype) > 0] += special  # (..., rows, d_v)
    return output
