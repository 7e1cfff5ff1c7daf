"""Step-by-step decoding: keys and values are computed once and kept."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import FloatArray, as_float_array, cast
from attention_core.masks import causal_mask
from attention_core.scaled_dot_product import attend, read_call


class KVCache:
    """The keys and values of the tokens so far, for attention of one new token after another.

    Appending the tokens one by one and attending after each gives, row by row, the output of one
    pass over the whole sequence with ``is_causal=True``. What is saved is computing the old keys
    and values again; what it costs is storing ``n * (d_k + d_v)`` numbers for each batch and head.

    Notes
    -----
    Shazeer, *Fast Transformer Decoding: One Write-Head is All You Need*, 2019, section 2.2,
    describes this incremental inference; its K and V are ``key`` and ``value`` here.

    Examples
    --------
    >>> from attention_core import scaled_dot_product_attention
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> cache = KVCache()
    >>> rows = [cache.append(x[i : i + 1], x[i : i + 1]).attend(x[i : i + 1]) for i in range(3)]
    >>> np.allclose(np.concatenate(rows), scaled_dot_product_attention(x, x, x, is_causal=True))
    True
    >>> len(cache), cache.nbytes
    (3, 96)
    """

    def __init__(self) -> None:
        self._length = 0
        self._key: FloatArray | None = None  # (..., capacity, d_k), the first _length are in use
        self._value: FloatArray | None = None

    def __len__(self) -> int:
        """Return the number of tokens that are kept."""
        return self._length

    @property
    def key(self) -> FloatArray:
        """The keys so far, ``(..., length, d_k)``, read-only."""
        return self._used("key", self._key)

    @property
    def value(self) -> FloatArray:
        """The values so far, ``(..., length, d_v)``, read-only."""
        return self._used("value", self._value)

    @property
    def nbytes(self) -> int:
        """The bytes of the keys and values that are in use."""
        return 0 if self._length == 0 else self.key.nbytes + self.value.nbytes

    def append(self, key: ArrayLike, value: ArrayLike) -> Self:
        """Add the keys and values of one or more new tokens behind the others.

        Parameters
        ----------
        key : array_like, (..., n_new, d_k)
        value : array_like, (..., n_new, d_v)
            Copied, so that a later change of the arrays does not reach the cache. The dtype is that
            of the first append.

        Returns
        -------
        KVCache
            The cache itself.

        Raises
        ------
        TypeError
            A dtype that is not real-valued, or not that of the cache.
        ValueError
            Lengths that differ, or other axes than those of the cache. Nothing is added then.
        """
        new_key = as_float_array("KVCache.append", "key", key)
        new_value = as_float_array("KVCache.append", "value", value)
        for name, new in (("key", new_key), ("value", new_value)):
            if new.ndim < 2:
                raise ValueError(
                    f"KVCache.append: {name} has shape {new.shape}; it needs at least the two axes "
                    f"(n_new, width); for one token pass {name}[np.newaxis, :]"
                )
        if new_key.shape[:-1] != new_value.shape[:-1]:
            raise ValueError(
                f"KVCache.append: key has shape {new_key.shape} and value {new_value.shape}; all "
                f"axes but the last must agree, since each key has one value"
            )
        if self._key is not None and self._value is not None:
            _check_fits("key", new_key, self._key)
            _check_fits("value", new_value, self._value)
        end = self._length + new_key.shape[-2]
        self._key = _with_room(self._key, new_key, self._length, end)
        self._value = _with_room(self._value, new_value, self._length, end)
        self._length = end
        return self

    def attend(self, query: ArrayLike, *, scale: float | None = None) -> FloatArray:
        """Let the newest tokens look at everything kept up to and including themselves.

        Parameters
        ----------
        query : array_like, (..., n_query, d_k)
            The queries of the last ``n_query`` tokens that were appended.
        scale : float, optional
            As in `scaled_dot_product_attention`.

        Returns
        -------
        ndarray, (..., n_query, d_v)

        Raises
        ------
        TypeError, ValueError
            As in `scaled_dot_product_attention`; and where there are more queries than tokens.
        """
        array = as_float_array("KVCache.attend", "query", query)
        n_query = array.shape[-2] if array.ndim >= 2 else 0
        if n_query > self._length:
            raise ValueError(
                f"KVCache.attend: query has {n_query} rows but the cache holds {self._length} "
                f"tokens; append the keys and values of a token before asking with its query"
            )
        mask = None
        if n_query > 1:  # a single newest token sees everything
            mask = causal_mask(n_query, self._length, alignment="lower_right")
        call = read_call("KVCache.attend", array, self.key, self.value, mask, False, scale)
        return cast(attend(call)[0], call.dtype)

    def _used(self, name: str, stored: FloatArray | None) -> FloatArray:
        if stored is None:
            raise ValueError(f"KVCache.{name}: nothing was appended yet; call append first")
        view = stored[..., : self._length, :]
        view.flags.writeable = False
        return view


def _check_fits(name: str, new: FloatArray, stored: FloatArray) -> None:
    if new.dtype != stored.dtype:
        raise TypeError(
            f"KVCache.append: {name} has dtype {new.dtype} but the cache holds {stored.dtype}; "
            f"convert it with {name}.astype(np.{stored.dtype})"
        )
    if (*new.shape[:-2], new.shape[-1]) != (*stored.shape[:-2], stored.shape[-1]):
        raise ValueError(
            f"KVCache.append: {name} has shape {new.shape} but the cache holds "
            f"{(*stored.shape[:-2], 'length', stored.shape[-1])}; only the length may differ"
        )


def _with_room(stored: FloatArray | None, new: FloatArray, start: int, end: int) -> FloatArray:
    """Write ``new`` behind the first ``start`` tokens, doubling the capacity when it is used up.

    Doubling keeps the cost of an append constant on average; growing by one would copy n tokens n
    times.
    """
    if stored is None or stored.shape[-2] < end:
        capacity = end if stored is None else max(end, 2 * stored.shape[-2])
        grown = np.empty((*new.shape[:-2], capacity, new.shape[-1]), dtype=new.dtype)
        if stored is not None:
            grown[..., :start, :] = stored[..., :start, :]
        stored = grown
    stored[..., start:end, :] = new
    return stored
