import torch

torch.manual_seed(42)
tokens = torch.randn(1, 4, 8)  # batch, tokens, features

for batch_first in (True, False):
    attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=batch_first)
    output, weights = attention(tokens, tokens, tokens)
    print("batch_first:", batch_first)
    print("  output: ", tuple(output.shape))
    print("  weights:", tuple(weights.shape))
    print("  every weight is 1:", bool((weights == 1).all()))
