import numpy as np

from attention_core import causal_mask, softmax

scores = np.array([[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]])

visible = causal_mask(3)  # True where a token may look: itself and the past
weights = softmax(np.where(visible, scores, -np.inf))

print("mask_lab")
print(weights.round(3))
