import numpy as np

from attention_core import scaled_dot_product_attention

tokens = np.random.default_rng(0).normal(size=(5, 3))  # 5 tokens, 3 features each
together = scaled_dot_product_attention(tokens, tokens, tokens)

alone = np.zeros_like(together)
for i in (3, 0, 4, 2, 1):  # any order will do: no row reads another row's result
    alone[i] = scaled_dot_product_attention(tokens[[i]], tokens, tokens)[0]

print("row by row, in any order, gives the same:", np.allclose(alone, together, rtol=0, atol=1e-12))
