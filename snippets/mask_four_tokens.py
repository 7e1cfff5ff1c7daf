import numpy as np

from attention_core import causal_mask, softmax

scores = np.array(
    [
        [2.0, 1.0, 0.5, 0.3],
        [1.2, 2.1, 0.7, 0.4],
        [0.8, 1.3, 2.2, 0.6],
        [0.5, 0.9, 1.4, 2.3],
    ]
)
visible = causal_mask(4)
weights = softmax(np.where(visible, scores, -np.inf))

print("visible")
print(visible.astype(int))
print("weights")
print(weights.round(3))
print("row sums", weights.sum(axis=1).round(3))
