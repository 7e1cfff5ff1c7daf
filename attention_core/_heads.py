"""Cutting the width into heads and joining it again."""

from __future__ import annotations

from attention_core._checks import FloatArray


def split_heads(projected: FloatArray, num_heads: int) -> FloatArray:
    """``(batch, length, embed_dim)`` -> ``(batch, num_heads, length, head_dim)``.

    Reshaping straight to the second shape would run without an error and be wrong: it cuts the
    tokens into heads instead of the features.
    """
    batch, length, embed_dim = projected.shape
    split = projected.reshape(batch, length, num_heads, embed_dim // num_heads)
    return split.transpose(0, 2, 1, 3)


def merge_heads(heads: FloatArray) -> FloatArray:
    """``(batch, num_heads, length, head_dim)`` -> ``(batch, length, embed_dim)``.

    Without the transpose, features of different tokens would end up in one row.
    """
    batch, num_heads, length, head_dim = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(batch, length, num_heads * head_dim)
