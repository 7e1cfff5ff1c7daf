import numpy as np

from attention_core import softmax

batch, seq_len, embed_dim = 2, 5, 3
x = np.random.default_rng(0).normal(size=(batch, seq_len, embed_dim))

scores = x @ x.transpose(0, 2, 1)
weights = softmax(scores / np.sqrt(embed_dim))
output = weights @ x

print("x      ", x.shape, "[batch, seq_len, embed_dim]")
print("scores ", scores.shape, "[batch, query, key]")
print("weights", weights.shape, "[batch, query, key]")
print("output ", output.shape, "[batch, seq_len, embed_dim]")
