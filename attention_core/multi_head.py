"""Multi-head attention: several attentions side by side, each over its own part of the width."""

from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import (
    FloatArray,
    as_array,
    as_float_array,
    check_count,
    check_flag,
    computing_dtype,
)
from attention_core.scaled_dot_product import attend

_NAME = "MultiHeadAttention"


class TorchModule(Protocol):
    """What `MultiHeadAttention.from_torch` reads of a ``torch.nn.MultiheadAttention``."""

    embed_dim: int
    num_heads: int
    kdim: int
    vdim: int

    def state_dict(self) -> dict[str, Any]:
        """Return the parameters by name."""


class MultiHeadAttention:
    r"""Project, split into heads, attend in each head, merge, project.

    .. math:: \operatorname{MultiHead}(Q, K, V) =
        \operatorname{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h) W^O, \quad
        \mathrm{head}_i = \operatorname{Attention}(Q W^Q_i, K W^K_i, V W^V_i)

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
        as in PyTorch, so a projection is ``x @ weight.T + bias``. The paper's :math:`W^Q_i` is the
        transpose of the i-th block of ``head_dim`` rows.
    in_proj_bias : ndarray ``(3 * embed_dim,)`` or None
        Biases of query, key and value, in this order.
    out_proj_weight : ndarray ``(embed_dim, embed_dim)``
    out_proj_bias : ndarray ``(embed_dim,)`` or None

    Raises
    ------
    TypeError
        A size is not a whole number, ``bias`` is not True or False, or ``rng`` is not a Generator.
    ValueError
        A size is below 1, or ``num_heads`` does not divide ``embed_dim``.

    Notes
    -----
    Vaswani et al., *Attention Is All You Need*, 2017, section 3.2.2. Weights start as in PyTorch:
    Xavier-uniform for the input projections, uniform in :math:`\pm 1/\sqrt{d}` for the output
    projection, zero biases.

    Examples
    --------
    >>> attention = MultiHeadAttention(8, 2, rng=np.random.default_rng(0))
    >>> output, weights = attention(np.ones((1, 4, 8)))
    >>> output.shape, weights.shape
    ((1, 4, 8), (1, 4, 4))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        *,
        kdim: int | None = None,
        vdim: int | None = None,
        bias: bool = True,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.embed_dim = check_count(_NAME, "embed_dim", embed_dim, minimum=1)
        self.num_heads = check_count(_NAME, "num_heads", num_heads, minimum=1)
        if self.embed_dim % self.num_heads:
            raise ValueError(
                f"{_NAME}: embed_dim {embed_dim} is not divisible by num_heads {num_heads}; each "
                f"head takes embed_dim / num_heads columns, so choose a divisor of {embed_dim}"
            )
        self.head_dim = self.embed_dim // self.num_heads
        self.kdim = embed_dim if kdim is None else check_count(_NAME, "kdim", kdim, minimum=1)
        self.vdim = embed_dim if vdim is None else check_count(_NAME, "vdim", vdim, minimum=1)
        has_bias = check_flag(_NAME, "bias", bias)
        if rng is None:
            rng = np.random.default_rng()
        elif not isinstance(rng, np.random.Generator):
            raise TypeError(
                f"{_NAME}: rng is {type(rng).__name__}; pass np.random.default_rng(seed)"
            )

        # PyTorch draws one packed (3 * embed_dim, embed_dim) matrix where all widths are equal,
        # and Xavier's bound depends on the shape that is drawn.
        packed = self.kdim == self.vdim == self.embed_dim
        rows = 3 * self.embed_dim if packed else self.embed_dim

        def xavier(width: int) -> FloatArray:
            bound = np.sqrt(6.0 / (rows + width))
            return rng.uniform(-bound, bound, (self.embed_dim, width))

        self.q_proj_weight = xavier(self.embed_dim)
        self.k_proj_weight = xavier(self.kdim)
        self.v_proj_weight = xavier(self.vdim)
        bound = 1.0 / np.sqrt(self.embed_dim)
        self.out_proj_weight: FloatArray = rng.uniform(-bound, bound, (self.embed_dim,) * 2)
        self.in_proj_bias: FloatArray | None = np.zeros(3 * self.embed_dim) if has_bias else None
        self.out_proj_bias: FloatArray | None = np.zeros(self.embed_dim) if has_bias else None

    @classmethod
    def from_torch(cls, module: TorchModule) -> Self:
        """Copy the weights of a ``torch.nn.MultiheadAttention``; PyTorch is not imported.

        The copy computes what the module computes in evaluation mode (no dropout), and always
        takes ``(batch, length, width)``, whatever the module's ``batch_first``.

        Raises
        ------
        TypeError
            ``module`` is not a ``torch.nn.MultiheadAttention``.
        ValueError
            The module adds an extra key (``add_bias_kv`` or ``add_zero_attn``), which this class
            does not do.

        Examples
        --------
        >>> import torch
        >>> module = torch.nn.MultiheadAttention(6, 3, batch_first=True)
        >>> tokens = torch.ones(1, 5, 6)
        >>> output, weights = MultiHeadAttention.from_torch(module)(tokens.numpy())
        >>> np.allclose(output, module(tokens, tokens, tokens)[0].detach().numpy(), atol=1e-6)
        True
        """
        needed = ("embed_dim", "num_heads", "kdim", "vdim", "state_dict")
        if not all(hasattr(module, name) for name in needed):
            raise TypeError(
                f"{_NAME}.from_torch: module is {type(module).__name__}; it must be a "
                f"torch.nn.MultiheadAttention"
            )
        state = {name: t.cpu().numpy().copy() for name, t in module.state_dict().items()}
        if "bias_k" in state or getattr(module, "add_zero_attn", False):
            raise ValueError(
                f"{_NAME}.from_torch: the module was made with add_bias_kv or add_zero_attn, which "
                f"append a key of their own; make it without them"
            )
        made = cls(
            module.embed_dim, module.num_heads, kdim=module.kdim, vdim=module.vdim,
            rng=np.random.default_rng(0),
        )  # fmt: skip
        if "in_proj_weight" in state:  # rows: all of Q, then all of K, then all of V
            q, k, v = np.split(state["in_proj_weight"], 3)
        else:
            q, k, v = (state[f"{name}_proj_weight"] for name in "qkv")
        made.q_proj_weight, made.k_proj_weight, made.v_proj_weight = q, k, v
        made.in_proj_bias = state.get("in_proj_bias")
        made.out_proj_weight = state["out_proj.weight"]
        made.out_proj_bias = state.get("out_proj.bias")
        return made

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
        query : array_like, ``(batch, n_query, embed_dim)`` or ``(n_query, embed_dim)``
            Two axes are one sequence without a batch.
        key : array_like, ``(batch, n_key, kdim)``, optional
            ``query`` if not given: self-attention.
        value : array_like, ``(batch, n_key, vdim)``, optional
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
        output : ndarray, ``(batch, n_query, embed_dim)``, in the common dtype of the inputs
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
        q, k, v = (
            self._split(self._project(name, array if batched else array[np.newaxis]))
            for name, array in arrays.items()
        )  # each (batch, num_heads, length, head_dim)
        mask = None if mask is None else self._mask_with_heads(mask)

        steps = attend(_NAME, q, k, v, mask, is_causal)
        heads: FloatArray = steps["output"]  # (batch, num_heads, n_query, head_dim)
        weights: FloatArray | None = None
        if check_flag(_NAME, "need_weights", need_weights):
            weights = steps["weights"]
            if check_flag(_NAME, "average_attn_weights", average_attn_weights):
                weights = weights.mean(axis=1)  # (batch, n_query, n_key)
            weights = weights.astype(dtype)
        batch, _, n_query, _ = heads.shape
        merged = heads.transpose(0, 2, 1, 3).reshape(batch, n_query, self.embed_dim)
        output = merged @ self.out_proj_weight.T
        if self.out_proj_bias is not None:
            output = output + self.out_proj_bias
        output = output.astype(dtype)
        if batched:
            return output, weights
        return output[0], None if weights is None else weights[0]

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
        projected = array.astype(dtype, copy=False) @ weight.T
        if self.in_proj_bias is not None:
            projected = projected + np.split(self.in_proj_bias, 3)[number]
        return projected

    def _split(self, projected: FloatArray) -> FloatArray:
        """Cut the width into heads, then bring the head axis forward.

        Reshaping straight to (batch, num_heads, length, head_dim) has the same shape and is wrong:
        it would cut the tokens into heads.
        """
        batch, length, _ = projected.shape
        split = projected.reshape(batch, length, self.num_heads, self.head_dim)
        return split.transpose(0, 2, 1, 3)  # (batch, num_heads, length, head_dim)

    def _mask_with_heads(self, mask: ArrayLike) -> ArrayLike:
        """Give a mask per sample its head axis; the attention function checks the rest."""
        array = as_array(_NAME, "mask", mask)
        return array[:, np.newaxis] if array.ndim == 3 else array
