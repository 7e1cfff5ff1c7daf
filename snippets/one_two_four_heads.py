import numpy as np

from attention_core import MultiHeadAttention

tokens = np.random.default_rng(42).normal(size=(1, 4, 8))

print("num_heads  head_dim  output     weights       parameters")
for num_heads in (1, 2, 4):
    attention = MultiHeadAttention(8, num_heads, rng=np.random.default_rng(0))
    output, weights = attention(tokens, average_attn_weights=False)
    matrices = (
        attention.q_proj_weight,
        attention.k_proj_weight,
        attention.v_proj_weight,
        attention.in_proj_bias,
        attention.out_proj_weight,
        attention.out_proj_bias,
    )
    parameters = sum(matrix.size for matrix in matrices)
    shapes = f"{output.shape}  {weights.shape}"
    print(f"{num_heads:9d}  {attention.head_dim:8d}  {shapes}  {parameters:10d}")
