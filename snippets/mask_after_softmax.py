import numpy as np

from attention_core import causal_mask, softmax

scores = np.array([[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]])
visible = causal_mask(3)

before = softmax(np.where(visible, scores, -np.inf))
after = np.where(visible, softmax(scores), 0.0)  # too late: the future took its share already

print("masked before softmax")
print(before.round(3))
print("row sums", before.sum(axis=1).round(3))
print("masked after softmax")
print(after.round(3))
print("row sums", after.sum(axis=1).round(3))
