"""Input checks shared by the public functions.

Every message has one form: the function, what came (with shapes or dtypes), what is required, and
the next step.
"""

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating[Any]]
Mask = NDArray[np.bool_] | FloatArray

_FLOAT_DTYPES = tuple(np.dtype(t) for t in (np.float16, np.float32, np.float64))


def as_array(function: str, name: str, value: object) -> NDArray[Any]:
    """Read ``value`` as a plain ndarray without copying it; refuse what cannot be read safely."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{function}: {name} is a numpy.ma.MaskedArray, whose hidden entries would silently "
            f"become visible; pass {name}.data and give the mask as the argument mask"
        )
    try:
        return np.asarray(value)
    except (ValueError, TypeError, RuntimeError) as error:
        raise TypeError(
            f"{function}: {name} ({type(value).__name__}) cannot be read as an array: {error}; "
            f"pass nested lists of equal lengths or a NumPy array"
        ) from error


def as_float_array(function: str, name: str, value: ArrayLike) -> FloatArray:
    """Read ``value`` as float16, float32 or float64; integers and booleans become float64."""
    array = as_array(function, name, value)
    if array.dtype in _FLOAT_DTYPES:
        return array
    if array.dtype.kind in "iub":
        return array.astype(np.float64)
    raise TypeError(
        f"{function}: {name} has dtype {array.dtype}; it must be float16, float32 or float64 "
        f"(integers and booleans are taken as float64); convert it with "
        f"np.asarray({name}, dtype=float)"
    )


def computing_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype to compute in: float16 overflows at 65504, so it is computed in float32."""
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def check_query_key_value(
    function: str, query: FloatArray, key: FloatArray, value: FloatArray
) -> None:
    """Require ``(..., n_query, d_k)``, ``(..., n_key, d_k)``, ``(..., n_key, d_v)``."""
    shapes = f"(query {query.shape}, key {key.shape}, value {value.shape})"
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim < 2:
            raise ValueError(
                f"{function}: {name} has shape {array.shape}; it needs at least the two axes "
                f"(length, width); for one single vector pass {name}[np.newaxis, :]"
            )
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"{function}: key has width {key.shape[-1]} but query has width {query.shape[-1]} "
            f"{shapes}; they must agree, since each score is a dot product of the two"
        )
    if query.shape[-1] == 0:
        raise ValueError(
            f"{function}: query and key have width 0 {shapes}; a dot product needs width 1 or more"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"{function}: value has length {value.shape[-2]} but key has length {key.shape[-2]} "
            f"{shapes}; each key must have exactly one value"
        )
    if not query.shape[:-2] == key.shape[:-2] == value.shape[:-2]:
        raise ValueError(
            f"{function}: the leading (batch) axes are query {query.shape[:-2]}, key "
            f"{key.shape[:-2]}, value {value.shape[:-2]}; they must be equal and are never "
            f"broadcast; repeat the smaller array with np.broadcast_to if that is meant"
        )


def check_mask(function: str, mask: ArrayLike, scores_shape: tuple[int, ...]) -> Mask:
    """Return ``mask`` as an array that broadcasts to the scores as its author meant it.

    A boolean mask says True where a query may attend. A float mask is added to the scores.
    """
    array = as_array(function, "mask", mask)
    if array.dtype.kind in "iu":
        raise TypeError(
            f"{function}: mask has dtype {array.dtype}; an integer mask could mean 'may attend' or "
            f"'is hidden' and is refused; pass mask.astype(bool), with True = may attend"
        )
    if array.dtype != np.bool_ and array.dtype not in _FLOAT_DTYPES:
        raise TypeError(
            f"{function}: mask has dtype {array.dtype}; it must be boolean (True = may attend) or "
            f"float16, float32 or float64 (added to the scores)"
        )
    _check_mask_shape(function, array.shape, scores_shape)
    if array.dtype != np.bool_:
        _check_additive_values(function, array)
    return array


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


def _check_additive_values(function: str, mask: FloatArray) -> None:
    if np.isnan(mask).any() or np.isposinf(mask).any():
        raise ValueError(
            f"{function}: the float mask contains NaN or +inf; it is added to the scores, so use 0 "
            f"for 'may attend' and -np.inf for 'hidden': np.where(keep, 0.0, -np.inf)"
        )
    if mask.size and np.isin(mask, (0.0, 1.0)).all() and mask.any():
        raise ValueError(
            f"{function}: the float mask holds only 0 and 1, which would be added to the scores "
            f"and hide nothing; pass mask.astype(bool), with True = may attend"
        )


def check_scale(function: str, scale: float | None, d_k: int) -> float:
    """Return the factor for the scores: ``1 / sqrt(d_k)`` unless a finite number is given."""
    if scale is None:
        return 1.0 / math.sqrt(d_k)
    if isinstance(scale, bool | np.bool_) or not isinstance(
        scale, int | float | np.integer | np.floating
    ):
        raise TypeError(
            f"{function}: scale is {scale!r} ({type(scale).__name__}); it must be a real number, "
            f"or None for 1 / sqrt(d_k)"
        )
    if not math.isfinite(scale):
        raise ValueError(
            f"{function}: scale is {scale!r}; it must be finite, or None for 1 / sqrt(d_k)"
        )
    return float(scale)


def check_flag(function: str, name: str, flag: bool) -> bool:
    """Require True or False: an array or a string here is a misplaced argument."""
    if not isinstance(flag, bool | np.bool_):
        raise TypeError(
            f"{function}: {name} is {type(flag).__name__}; it must be True or False "
            f"(a mask goes into the argument mask)"
        )
    return bool(flag)


def check_count(function: str, name: str, count: int, *, minimum: int | None) -> int:
    """Require a whole number, of at least ``minimum`` unless that is None."""
    if isinstance(count, bool | np.bool_):
        raise TypeError(f"{function}: {name} is {count!r}; it must be a whole number")
    try:
        number = operator.index(count)
    except TypeError:
        raise TypeError(
            f"{function}: {name} is {count!r} ({type(count).__name__}); it must be a whole number"
        ) from None
    if minimum is not None and number < minimum:
        raise ValueError(f"{function}: {name} is {number}; it must be at least {minimum}")
    return number
