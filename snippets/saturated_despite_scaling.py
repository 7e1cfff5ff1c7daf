import numpy as np

from attention_core import softmax

d_k = 64
rng = np.random.default_rng(1)
query = rng.choice([-1.0, 1.0], size=d_k)
keys = rng.choice([-1.0, 1.0], size=(4, d_k))

print("size | scores / sqrt(d_k)          | largest weight    slope")
for size in (1.0, 2.0, 4.0):  # entries of +size and -size: only for size 1 is the variance 1
    scaled = (size * query) @ (size * keys).T / np.sqrt(d_k)
    weights = softmax(scaled)
    jacobian = np.diag(weights) - np.outer(weights, weights)
    shown = " ".join(f"{score:6.2f}" for score in scaled)
    print(f"{size:4.1f} | {shown} | {weights.max():14.3f}  {np.abs(jacobian).max():7.1e}")
