"""The attention mechanism in NumPy: small, exact, and checked against PyTorch.

Read the modules in this order, which is also the order in which they depend on one another:
``softmax``, ``masks``, ``scaled_dot_product``, ``multi_head``. ``_checks`` holds the input checks
that all of them share.
"""

from attention_core.masks import causal_mask
from attention_core.multi_head import MultiHeadAttention
from attention_core.scaled_dot_product import (
    AttentionTrace,
    attention_trace,
    scaled_dot_product_attention,
)
from attention_core.softmax import softmax

__all__ = [
    "AttentionTrace",
    "MultiHeadAttention",
    "attention_trace",
    "causal_mask",
    "scaled_dot_product_attention",
    "softmax",
]
