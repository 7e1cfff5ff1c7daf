"""The attention mechanism in NumPy: small, exact, and checked against PyTorch.

Read the modules in this order, which is also the order in which they depend on one another:
``softmax``, ``masks``, ``scaled_dot_product``, ``evidence``, ``trace``, ``online_softmax``,
``kv_cache``, ``multi_head_parameters``, ``multi_head``, ``bank``, ``plotting``. ``_checks``
and ``_mask_checks`` hold the input checks that all of them share.
"""

from attention_core import bank
from attention_core.evidence import Evidence
from attention_core.kv_cache import KVCache
from attention_core.masks import causal_mask, combine_masks, padding_mask
from attention_core.multi_head import MultiHeadAttention
from attention_core.online_softmax import online_softmax_attention
from attention_core.plotting import plot_attention
from attention_core.scaled_dot_product import scaled_dot_product_attention
from attention_core.softmax import softmax, softmax_jacobian
from attention_core.trace import AttentionTrace, attention_trace

__all__ = [
    "AttentionTrace",
    "Evidence",
    "KVCache",
    "MultiHeadAttention",
    "attention_trace",
    "bank",
    "causal_mask",
    "combine_masks",
    "online_softmax_attention",
    "padding_mask",
    "plot_attention",
    "scaled_dot_product_attention",
    "softmax",
    "softmax_jacobian",
]
