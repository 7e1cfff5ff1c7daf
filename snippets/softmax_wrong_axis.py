import numpy as np

from attention_core import softmax

scores = np.array([[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]])

right = softmax(scores, axis=-1)  # over the keys
wrong = softmax(scores, axis=-2)  # over the queries: same shape, no error

print("over keys:    row sums", right.sum(axis=1).round(3))
print("over queries: row sums", wrong.sum(axis=1).round(3))
