import numpy as np

from attention_core import softmax

scores = np.array([[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]])
weights = softmax(scores)  # the mask was forgotten

in_the_future = np.triu(np.ones((3, 3), dtype=bool), k=1)
print(weights.round(3))
print("weight on the future, per token:", (weights * in_the_future).sum(axis=1).round(3))
