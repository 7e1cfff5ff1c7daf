import torch

head_dims = {}  # by number of heads: how many features each of them gets
for num_heads in (2, 1):
    torch.manual_seed(42)
    attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=num_heads, batch_first=True)
    tokens = torch.randn(1, 4, 8)  # batch, tokens, features

    output, averaged = attention(tokens, tokens, tokens)
    _, per_head = attention(tokens, tokens, tokens, average_attn_weights=False)
    head_dims[num_heads] = attention.head_dim

    print("num_heads:", num_heads)
    print("  features per head:", head_dims[num_heads])
    print("  output:", tuple(output.shape))
    print("  weights, averaged over heads:", tuple(averaged.shape))
    print("  weights, per head:", tuple(per_head.shape))
