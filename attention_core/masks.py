"""Masks: who may see whom. In every boolean mask here True means *may attend*."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attention_core._checks import check_count

Alignment = Literal["upper_left", "lower_right"]


def causal_mask(
    n_query: int, n_key: int | None = None, *, alignment: Alignment | None = None
) -> NDArray[np.bool_]:
    r"""Let each query see its own position and the past, never the future.

    .. math:: M_{ij} = (j \le i + o), \quad
        o = 0 \text{ (upper left)}, \quad o = n_{key} - n_{query} \text{ (lower right)}

    Parameters
    ----------
    n_query : int, at least 0
        Number of queries (rows).
    n_key : int, optional
        Number of keys (columns); the same as ``n_query`` if not given.
    alignment : {"upper_left", "lower_right"}, required if the two numbers differ
        "upper_left": query 0 stands at key 0. "lower_right": the last query stands at the last
        key, which is what decoding with a cache of past keys needs.

    Returns
    -------
    ndarray of bool, ``(n_query, n_key)``
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
