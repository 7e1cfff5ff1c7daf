import numpy as np

from attention_core import softmax


def attention_weights(X):
    return softmax(X @ X.T / np.sqrt(2))


X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
other_X = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]])

before, after = attention_weights(X), attention_weights(other_X)

print("before")
print(before.round(3))
print("after")
print(after.round(3))
