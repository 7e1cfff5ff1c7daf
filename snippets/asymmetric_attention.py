import numpy as np

from attention_core import softmax

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
W_q = np.array([[1.0, 0.5], [0.0, 1.0]])
W_k = np.array([[0.5, 1.0], [1.0, 0.0]])

weights = softmax((X @ W_q) @ (X @ W_k).T / np.sqrt(2))

print("token 1 looks at token 3:", weights[0, 2].round(3))
print("token 3 looks at token 1:", weights[2, 0].round(3))
print("each token looks at itself:", weights.diagonal().round(3))
print("each row sums to:", weights.sum(axis=1).round(3))
