import numpy as np
import torch

from attention_core import MultiHeadAttention

torch.manual_seed(42)
attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
tokens = torch.randn(1, 4, 8)
output, weights = attention(tokens, tokens, tokens, average_attn_weights=False)

numpy_attention = MultiHeadAttention.from_torch(attention)
numpy_output, numpy_weights = numpy_attention(tokens.numpy(), average_attn_weights=False)
tolerance = 1e-6  # float32 keeps about seven digits


def same(ours, theirs):
    return np.allclose(ours, theirs.detach().numpy(), rtol=0, atol=tolerance)


print("same output: ", same(numpy_output, output))
print("same weights:", same(numpy_weights, weights))
print("head 1")
print(numpy_weights[0, 0].round(3))
print("head 2")
print(numpy_weights[0, 1].round(3))
print("mean of the heads")
print(numpy_weights[0].mean(axis=0).round(3))
