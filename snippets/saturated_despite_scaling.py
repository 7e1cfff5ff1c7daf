import numpy as np

from attention_core import softmax

d_k = 64
rng = np.random.default_rng(1)
query = rng.choice([-1.0, 1.0], size=d_k)
keys = rng.choice([-1.0, 1.0], size=(4, d_k))


def scaled_scores(size):  # entries of +size and -size: only for size 1 is the variance 1
    return (size * query) @ (size * keys).T / np.sqrt(d_k)


def slope(weights):
    jacobian = np.diag(weights) - np.outer(weights, weights)
    return np.abs(jacobian).max()


print("size | scores / sqrt(d_k)          | largest weight    slope")
for size in (1.0, 2.0, 4.0):
    scaled = scaled_scores(size)
    weights = softmax(scaled)
    shown = " ".join(f"{score:6.2f}" for score in scaled)
    print(f"{size:4.1f} | {shown} | {weights.max():14.3f}  {slope(weights):7.1e}")
