import numpy as np

from attention_core import scaled_dot_product_attention

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
positions = np.array([[0.0, 0.1], [0.0, 0.2], [0.0, 0.3], [0.0, 0.4]])
order = [2, 0, 3, 1]
tolerance = 1e-12  # for rounding


def attend(tokens):
    return scaled_dot_product_attention(tokens, tokens, tokens)


def same(a, b):
    return np.allclose(a, b, rtol=0, atol=tolerance)


moved = attend(X[order])
print("outputs move with their tokens:", same(moved, attend(X)[order]))

moved = attend(X[order] + positions)  # a position belongs to the place, not to the token
print("the same with positions added: ", same(moved, attend(X + positions)[order]))
