import numpy as np

from attention_core import softmax

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
W_q = np.array([[0.0, 2.0], [0.0, 0.0]])  # a token with feature 1 asks for feature 2
W_k = np.array([[1.0, 0.0], [0.0, 1.0]])  # a token is found under the features it has

scores = (X @ W_q) @ (X @ W_k).T
weights = softmax(scores / np.sqrt(2))

print("scores")
print(scores)
print("weights")
print(weights.round(3))
print("each token looks at itself:", weights.diagonal().round(3))
print("each row sums to:   ", weights.sum(axis=1).round(3))
print("each column sums to:", weights.sum(axis=0).round(3))
