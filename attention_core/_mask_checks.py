"""Input checks of masks, and what a mask of either kind lets through."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core._checks import FLOAT_DTYPES, FloatArray, as_array, in_native_order

Mask = NDArray[np.bool_] | FloatArray


def check_mask(function: str, mask: ArrayLike, scores_shape: tuple[int, ...]) -> Mask:
    """Return ``mask`` as an array that broadcasts to the scores as its author meant it."""
    array = check_mask_values(function, "mask", mask)
    _check_mask_shape(function, array.shape, scores_shape)
    return array


def check_mask_values(function: str, name: str, mask: ArrayLike) -> Mask:
    """Require a boolean mask, or a float one that can only have been meant to be added."""
    array = in_native_order(as_array(function, name, mask))
    if array.dtype.kind in "iu":
        raise TypeError(
            f"{function}: {name} has dtype {array.dtype}; an integer mask could mean 'may attend' "
            f"or 'is hidden' and is refused; pass mask.astype(bool), with True = may attend"
        )
    if is_boolean(array):
        return array
    if array.dtype not in FLOAT_DTYPES:
        raise TypeError(
            f"{function}: {name} has dtype {array.dtype}; it must be boolean (True = may attend) "
            f"or float16, float32 or float64 (added to the scores)"
        )
    if np.isnan(array).any() or np.isposinf(array).any():
        raise ValueError(
            f"{function}: {name} is a float mask with NaN or +inf; it is added to the scores, so "
            f"use 0 for 'may attend' and -np.inf for 'hidden': np.where(keep, 0.0, -np.inf)"
        )
    if np.isin(array, (0.0, 1.0)).all() and array.any():
        raise ValueError(
            f"{function}: {name} is a float mask of only 0 and 1, which would be added to the "
            f"scores and hide nothing; pass mask.astype(bool), with True = may attend"
        )
    return array


def is_boolean(mask: Mask) -> bool:
    """Tell a boolean mask (True = may attend) from an additive one."""
    return mask.dtype == np.bool_


def may_attend(mask: Mask) -> NDArray[np.bool_]:
    """Return the boolean mask that ``mask`` stands for: an additive one hides with -inf."""
    return mask.astype(np.bool_, copy=False) if is_boolean(mask) else np.not_equal(mask, -np.inf)


def _check_mask_shape(function: str, shape: tuple[int, ...], scores: tuple[int, ...]) -> None:
    n_query, n_key = scores[-2:]
    two_axes = len(shape) == 2 and shape[0] in (n_query, 1) and shape[1] == n_key
    all_axes = len(shape) == len(scores) and all(
        have in (want, 1) for have, want in zip(shape, scores, strict=True)
    )
    if not (two_axes or all_axes):
        raise ValueError(
            f"{function}: mask has shape {shape} but the scores have shape {scores}; a mask is "
            f"({n_query} or 1, {n_key}), or has {len(scores)} axes, each equal to that of the "
            f"scores or 1; add the missing axes with np.newaxis so that none lines up by accident"
        )
