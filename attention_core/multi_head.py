"""Multi-head attention: several attentions side by side, each over its own part of the width."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import (
    FloatArray,
    as_array,
    as_float_array,
    cast,
    check_flag,
    computing_dtype,
)
from attention_core._heads import merge_heads, split_heads
from attention_core.multi_head_parameters import MultiHeadParameters
from attention_core.scaled_dot_product import attend, read_call
from attention_core.softmax import quiet

_NAME = "MultiHeadAttention"


class MultiHeadAttention(MultiHeadParameters):
    r"""Project, split into heads, attend in each head, merge, project.

    $$
    \operatorname{MultiHead}(Q, K, V) =
    \operatorname{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h) W^O, \quad
    \mathrm{head}_i = \operatorname{Attention}(Q W^Q_i, K W^K_i, V W^V_i)
    $$

    Parameters
    ----------
    embed_dim : int
        Width of the queries and of the output.
    num_heads : int
        Number of heads; it must divide ``embed_dim``. Each head has ``head_dim = embed_dim /
        num_heads`` columns.
    kdim, vdim : int, optional
        Widths of the keys and of the values, ``embed_dim`` if not given.
    bias : bool, default True
        Whether the projections have a bias. Without one the biases are None.
    rng : numpy.random.Generator, optional
        Source of the initial weights; ``np.random.default_rng()`` if not given.

    Attributes
    ----------
    q_proj_weight, k_proj_weight, v_proj_weight : ndarray
        ``(embed_dim, embed_dim)``, ``(embed_dim, kdim)``, ``(embed_dim, vdim)``: rows are outputs,
        as in PyTorch, so a projection is ``x @ weight.T + bias``. The paper's $W^Q_i$ is the
        transpose of the i-th block of ``head_dim`` rows.
    in_proj_bias : ndarray (3 * embed_dim,) or None
        Biases of query, key and value, in this order.
    out_proj_weight : ndarray (embed_dim, embed_dim)
    out_proj_bias : ndarray (embed_dim,) or None

    Raises
    ------
    TypeError
        A size is not a whole number, ``bias`` is not True or False, or ``rng`` is not a Generator.
    ValueError
        A size is below 1, or ``num_heads`` does not divide ``embed_dim``.

    Notes
    -----
    Vaswani et al., *Attention Is All You Need*, 2017, section 3.2.2. Weights start as in PyTorch:
    Xavier-uniform for the input projections, uniform in $\pm 1/\sqrt{d}$ for the output
    projection, zero biases.

    Examples
    --------
    >>> attention = MultiHeadAttention(8, 2, rng=np.random.default_rng(0))
    >>> output, weights = attention(np.ones((1, 4, 8)))
    >>> output.shape, weights.shape
    ((1, 4, 8), (1, 4, 4))
    """

    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        *,
        is_causal: bool = False,
        need_weights: bool = True,
        average_attn_weights: bool = True,
    ) -> tuple[FloatArray, FloatArray | None]:
        """Attend with every head and join what they found.

        Parameters
        ----------
        query : array_like, (batch, n_query, embed_dim) or (n_query, embed_dim)
            Two axes are one sequence without a batch.
        key : array_like, (batch, n_key, kdim), optional
            ``query`` if not given: self-attention.
        value : array_like, (batch, n_key, vdim), optional
            ``key`` if not given.
        mask : array_like, optional
            True = may attend (the opposite of ``attn_mask`` in PyTorch's class), or float, added.
            ``(n_query or 1, n_key)``; ``(batch, n_query or 1, n_key)``, shared by the heads; or
            ``(batch, num_heads or 1, n_query or 1, n_key)``.
        is_causal : bool, default False
            Also hide the future.
        need_weights : bool, default True
            Whether to return the weights. The output is the same either way.
        average_attn_weights : bool, default True
            Return the mean over the heads, or every head on its own.

        Returns
        -------
        output : ndarray, (batch, n_query, embed_dim), in the common dtype of the inputs
            A query that may see no key gets zeros from every head, so ``out_proj_bias`` alone.
        weights : ndarray or None
            ``(batch, n_query, n_key)``, or ``(batch, num_heads, n_query, n_key)`` if not averaged,
            without the batch axis if the query had none.

        Raises
        ------
        TypeError, ValueError
            As in `scaled_dot_product_attention`; and where a width is not that of the projection.
        """
        if key is None and value is not None:
            raise ValueError(f"{_NAME}: value is given without key; pass both, or neither")
        key = query if key is None else key
        value = key if value is None else value
        inputs = {"query": query, "key": key, "value": value}
        arrays = {name: as_float_array(_NAME, name, array) for name, array in inputs.items()}
        self._check_inputs(arrays)
        batched = arrays["query"].ndim == 3
        dtype = np.result_type(*arrays.values())
        with_weights = check_flag(_NAME, "need_weights", need_weights)
        average = check_flag(_NAME, "average_attn_weights", average_attn_weights)
        mask = None if mask is None else self._mask_with_heads(mask)

        with quiet():
            q, k, v = (
                split_heads(
                    self._project(name, array if batched else array[np.newaxis]), self.num_heads
                )
                for name, array in arrays.items()
            )  # each (batch, num_heads, length, head_dim)
            call = read_call(_NAME, q, k, v, mask, is_causal)
            heads, per_head = attend(call, with_weights=with_weights)
            output = merge_heads(heads) @ self.out_proj_weight.T  # (batch, n_query, embed_dim)
            if self.out_proj_bias is not None:
                output = output + self.out_proj_bias
        result = cast(output, dtype)[() if batched else 0]
        if not with_weights:
            return result, None
        weights = per_head.mean(axis=1) if average else per_head
        return result, cast(weights, dtype)[() if batched else 0]

    def _check_inputs(self, arrays: dict[str, FloatArray]) -> None:
        widths = {"query": self.embed_dim, "key": self.kdim, "value": self.vdim}
        settings = {"query": "embed_dim", "key": "kdim", "value": "vdim"}
        for name, array in arrays.items():
            if array.ndim not in (2, 3) or array.ndim != arrays["query"].ndim:
                raise ValueError(
                    f"{_NAME}: {name} has shape {array.shape} and query {arrays['query'].shape}; "
                    f"all need (batch, length, width), or all (length, width) without a batch"
                )
            if array.shape[-1] != widths[name]:
                raise ValueError(
                    f"{_NAME}: {name} has width {array.shape[-1]} (shape {array.shape}) but "
                    f"{settings[name]} is {widths[name]}; they must agree"
                )

    def _project(self, name: str, array: FloatArray) -> FloatArray:
        """Return ``array @ weight.T + bias``: ``(batch, length, embed_dim)``."""
        number = ("query", "key", "value").index(name)
        weight = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)[number]
        dtype = np.result_type(computing_dtype(array.dtype), computing_dtype(weight.dtype))
        projected = cast(array, dtype) @ weight.T
        if self.in_proj_bias is not None:
            projected = projected + np.split(self.in_proj_bias, 3)[number]
        return projected

    def _mask_with_heads(self, mask: ArrayLike) -> ArrayLike:
        """Give a mask per sample its head axis; the attention function checks the rest."""
        array = as_array(_NAME, "mask", mask)
        return array[:, np.newaxis] if array.ndim == 3 else array
