"""Input checks shared by the public functions.

Every message has one form: the function, what came (with shapes or dtypes), what is required, and
the next step.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating[Any]]

FLOAT_DTYPES = tuple(np.dtype(t) for t in (np.float16, np.float32, np.float64))


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


def in_native_order(array: NDArray[Any]) -> NDArray[Any]:
    """Swap the bytes of an array from a machine or a file of the other byte order."""
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def as_float_array(function: str, name: str, value: ArrayLike) -> FloatArray:
    """Read ``value`` as float16, float32 or float64; integers and booleans become float64."""
    array = in_native_order(as_array(function, name, value))
    if array.dtype in FLOAT_DTYPES:
        return array
    if array.dtype.kind in "iub":
        return array.astype(np.float64)
    raise TypeError(
        f"{function}: {name} has dtype {array.dtype}; it must be float16, float32 or float64 "
        f"(integers and booleans are taken as float64); pass real numbers in one of these"
    )


def computing_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype to compute in: float16 overflows at 65504, so it is computed in float32."""
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def cast(array: NDArray[Any], dtype: np.dtype[Any]) -> FloatArray:
    """Return the array in a dtype, the array itself where it has it."""
    return array.astype(dtype, copy=False)


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


def check_scale(function: str, scale: float | None, d_k: int) -> float:
    """Return the factor for the scores: ``1 / sqrt(d_k)`` unless a finite number is given."""
    return 1.0 / math.sqrt(d_k) if scale is None else check_number(function, "scale", scale)


def check_number(function: str, name: str, number: float) -> float:
    """Require a finite real number."""
    if isinstance(number, bool | np.bool_) or not isinstance(
        number, int | float | np.integer | np.floating
    ):
        raise TypeError(f"{function}: {name} is {_shown(number)}; it must be a real number")
    try:
        value = float(number)
    except OverflowError:  # an integer beyond the range of a float
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(f"{function}: {name} is {_shown(number)}; it must be a finite number")
    return value


def check_flag(function: str, name: str, flag: bool) -> bool:
    """Require True or False: an array here is a misplaced mask."""
    if not isinstance(flag, bool | np.bool_):
        hint = "; a mask goes into the argument mask" if isinstance(flag, np.ndarray) else ""
        raise TypeError(f"{function}: {name} is {_shown(flag)}; it must be True or False{hint}")
    return bool(flag)


def _shown(value: object) -> str:
    """Show a wrong value on one line, cut short, with its type."""
    plain = value.item() if isinstance(value, np.generic) else value
    text = " ".join(repr(plain).split())
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"


def check_count(function: str, name: str, count: int, *, minimum: int | None) -> int:
    """Require a whole number, of at least ``minimum`` unless that is None."""
    if isinstance(count, bool | np.bool_):
        raise TypeError(f"{function}: {name} is {_shown(count)}; it must be a whole number")
    try:
        number = operator.index(count)
    except TypeError:
        raise TypeError(
            f"{function}: {name} is {_shown(count)}; it must be a whole number"
        ) from None
    if minimum is not None and number < minimum:
        raise ValueError(f"{function}: {name} is {number}; it must be at least {minimum}")
    return number
