import numpy as np
import torch
import torch.nn.functional as F

from attention_core import causal_mask, scaled_dot_product_attention

visible = causal_mask(3)  # True = may attend
attn_mask = torch.tensor(visible)
tokens = torch.randn(1, 3, 4, generator=torch.Generator().manual_seed(0))

ours = scaled_dot_product_attention(tokens, tokens, tokens, mask=visible)
theirs = F.scaled_dot_product_attention(tokens, tokens, tokens, attn_mask=attn_mask)
print("function, visible: same as attention_core:", np.allclose(theirs, ours, rtol=0, atol=1e-6))

torch.manual_seed(0)
layer = torch.nn.MultiheadAttention(embed_dim=4, num_heads=1, batch_first=True)
for name, mask in (("not visible", ~attn_mask), ("visible", attn_mask)):
    _, weights = layer(tokens, tokens, tokens, attn_mask=mask)
    print(f"layer, {name}: keys with a weight above 0")
    print((weights[0] > 0).int().numpy())
