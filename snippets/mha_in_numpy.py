import numpy as np
import torch

from attention_core import MultiHeadAttention

torch.manual_seed(42)
attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
tokens = torch.randn(1, 4, 8)
output, weights = attention(tokens, tokens, tokens, average_attn_weights=False)

numpy_attention = MultiHeadAttention.from_torch(attention)
numpy_output, numpy_weights = numpy_attention(tokens.numpy(), average_attn_weights=False)

print("same output: ", np.allclose(numpy_output, output.detach().numpy(), rtol=0, atol=1e-6))
print("same weights:", np.allclose(numpy_weights, weights.detach().numpy(), rtol=0, atol=1e-6))
print("head 1")
print(numpy_weights[0, 0].round(3))
print("head 2")
print(numpy_weights[0, 1].round(3))
print("mean of the heads")
print(numpy_weights[0].mean(axis=0).round(3))
