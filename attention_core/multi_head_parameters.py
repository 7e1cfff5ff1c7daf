"""The parameters of multi-head attention, in PyTorch's names and packing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from attention_core._checks import FloatArray, as_float_array, check_count, check_flag

_NAME = "MultiHeadAttention"


class TorchModule(Protocol):
    """What `MultiHeadParameters.from_torch` reads of a ``torch.nn.MultiheadAttention``."""

    embed_dim: int
    num_heads: int
    kdim: int
    vdim: int
    add_zero_attn: bool

    def state_dict(self) -> dict[str, Any]:
        """Return the parameters by name."""


class MultiHeadParameters:
    """Sizes and weights of multi-head attention; `MultiHeadAttention` adds the computation.

    Parameters, attributes and errors are described there.
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
        rows = 3 * self.embed_dim if self._packed else self.embed_dim

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

    @property
    def _packed(self) -> bool:
        return self.kdim == self.vdim == self.embed_dim

    def state_dict(self) -> dict[str, FloatArray]:
        """Return copies of the parameters under the names that PyTorch gives them.

        Where all widths are equal, ``in_proj_weight`` ``(3 * embed_dim, embed_dim)`` holds all rows
        of the query projection, then all of the key's, then all of the value's (not head by head);
        otherwise ``q_proj_weight``, ``k_proj_weight`` and ``v_proj_weight`` stand alone. Then
        ``in_proj_bias``, ``out_proj.weight`` and ``out_proj.bias``; no bias, no entry.
        """
        weights = {f"{name}_proj_weight": getattr(self, f"{name}_proj_weight") for name in "qkv"}
        if self._packed:
            weights = {"in_proj_weight": np.concatenate(list(weights.values()))}
        weights["in_proj_bias"] = self.in_proj_bias
        weights["out_proj.weight"] = self.out_proj_weight
        weights["out_proj.bias"] = self.out_proj_bias
        return {name: array.copy() for name, array in weights.items() if array is not None}

    def load_state_dict(self, state: Mapping[str, ArrayLike]) -> None:
        """Take over parameters in the form of `state_dict`; nothing is loaded if any is wrong.

        Raises
        ------
        TypeError
            ``state`` is not a mapping, or an array is not real-valued.
        ValueError
            A name is missing or unknown, or a shape is not that of this object.
        """
        function = f"{_NAME}.load_state_dict"
        if not isinstance(state, Mapping):
            raise TypeError(
                f"{function}: state is {type(state).__name__}; it must map names to arrays, as "
                f"state_dict() does"
            )
        own = self.state_dict()
        missing, unknown = sorted(own.keys() - state.keys()), sorted(state.keys() - own.keys())
        if missing or unknown:
            raise ValueError(
                f"{function}: missing {missing or 'nothing'}, unknown {unknown or 'nothing'}; "
                f"embed_dim {self.embed_dim}, kdim {self.kdim}, vdim {self.vdim} and bias "
                f"{self.in_proj_bias is not None} need exactly {sorted(own)}"
            )
        new = {name: as_float_array(function, name, state[name]).copy() for name in own}
        for name, array in new.items():
            if array.shape != own[name].shape:
                raise ValueError(
                    f"{function}: {name} has shape {array.shape} but must have {own[name].shape}"
                )
        if self._packed:
            rows = np.split(new["in_proj_weight"], 3)
            self.q_proj_weight, self.k_proj_weight, self.v_proj_weight = rows
        else:
            self.q_proj_weight = new["q_proj_weight"]
            self.k_proj_weight = new["k_proj_weight"]
            self.v_proj_weight = new["v_proj_weight"]
        self.out_proj_weight = new["out_proj.weight"]
        self.in_proj_bias = new.get("in_proj_bias")
        self.out_proj_bias = new.get("out_proj.bias")

    @classmethod
    def from_torch(cls, module: TorchModule) -> Self:
        """Copy the weights of a ``torch.nn.MultiheadAttention``; PyTorch is not imported.

        The copy computes what the module computes in evaluation mode (no dropout), and always
        takes ``(batch, length, width)``, whatever the module's ``batch_first``.

        Raises
        ------
        TypeError
            ``module`` is not a ``torch.nn.MultiheadAttention``, or its weights have a dtype that
            NumPy does not know (bfloat16).
        ValueError
            The module appends an extra key (``add_bias_kv`` or ``add_zero_attn``), which this
            class does not do.

        Examples
        --------
        >>> import torch
        >>> from attention_core import MultiHeadAttention
        >>> module = torch.nn.MultiheadAttention(6, 3, batch_first=True)
        >>> tokens = torch.ones(1, 5, 6)
        >>> output, weights = MultiHeadAttention.from_torch(module)(tokens.numpy())
        >>> np.allclose(output, module(tokens, tokens, tokens)[0].detach().numpy(), atol=1e-6)
        True
        """
        function = f"{_NAME}.from_torch"
        needed = ("embed_dim", "num_heads", "kdim", "vdim", "add_zero_attn", "state_dict")
        if not all(hasattr(module, name) for name in needed):
            raise TypeError(
                f"{function}: module is {type(module).__name__}; it must be a "
                f"torch.nn.MultiheadAttention"
            )
        tensors = module.state_dict()
        if "bias_k" in tensors or module.add_zero_attn:
            raise ValueError(
                f"{function}: the module was made with add_bias_kv or add_zero_attn, which append "
                f"a key of their own; make it without them"
            )
        try:
            state = {name: tensor.cpu().numpy() for name, tensor in tensors.items()}
        except TypeError as error:
            raise TypeError(
                f"{function}: {error}; convert the module first, for instance module.float()"
            ) from error
        made = cls(
            module.embed_dim,
            module.num_heads,
            kdim=module.kdim,
            vdim=module.vdim,
            bias="in_proj_bias" in state,
        )
        made.load_state_dict(state)
        return made
