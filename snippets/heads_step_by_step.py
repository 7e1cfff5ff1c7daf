import numpy as np

from attention_core import MultiHeadAttention, softmax

batch, length, embed_dim, num_heads = 1, 5, 8, 2
head_dim = embed_dim // num_heads
attention = MultiHeadAttention(embed_dim, num_heads, rng=np.random.default_rng(0))
x = np.random.default_rng(42).normal(size=(batch, length, embed_dim))


def split(features):
    in_parts = features.reshape(batch, length, num_heads, head_dim)
    return in_parts.transpose(0, 2, 1, 3)  # (batch, num_heads, length, head_dim)


Q = split(x @ attention.q_proj_weight.T)
K = split(x @ attention.k_proj_weight.T)
V = split(x @ attention.v_proj_weight.T)

scores = Q @ K.swapaxes(-1, -2)  # (batch, num_heads, query, key)
weights = softmax(scores / np.sqrt(head_dim))
mixed = weights @ V  # (batch, num_heads, length, head_dim)

merged = mixed.transpose(0, 2, 1, 3).reshape(batch, length, embed_dim)
output = merged @ attention.out_proj_weight.T

expected_output, expected_weights = attention(x, average_attn_weights=False)
wrong_weights = softmax(scores / np.sqrt(embed_dim))


def same(a, b):
    return np.allclose(a, b, rtol=0, atol=1e-12)


print("Q      ", Q.shape)
print("weights", weights.shape)
print("mixed  ", mixed.shape)
print("merged ", merged.shape)
print("same output as attention_core: ", same(output, expected_output))
print("same weights as attention_core:", same(weights, expected_weights))
print("same with sqrt(embed_dim):     ", same(wrong_weights, expected_weights))
