import numpy as np

from attention_core import scaled_dot_product_attention

tokens = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
mixed = scaled_dot_product_attention(tokens, tokens, tokens)

print(mixed.round(3))
