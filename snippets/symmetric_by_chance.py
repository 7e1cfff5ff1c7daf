import numpy as np

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
W_q = np.array([[1.0, 0.5], [0.0, 1.0]])
W_k = np.array([[0.5, 1.0], [1.0, 0.0]])
scores = (X @ W_q) @ (X @ W_k).T

print("W_q @ W_k.T")
print(W_q @ W_k.T)
print("scores")
print(scores)
