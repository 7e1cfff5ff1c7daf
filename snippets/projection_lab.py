import numpy as np

from attention_core import softmax

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
W_q = np.array([[1.0, 0.5], [0.0, 1.0]])
W_k = np.array([[0.5, 1.0], [1.0, 0.0]])
W_v = np.array([[1.0, -0.5], [0.5, 1.0]])

Q, K, V = X @ W_q, X @ W_k, X @ W_v
weights = softmax(Q @ K.T / np.sqrt(2))
output = weights @ V

print("projection_lab")
print("Q")
print(Q)
print("K")
print(K)
print("V")
print(V)
print("weights")
print(weights.round(3))
print("output")
print(output.round(3))
