import numpy as np

from attention_core import causal_mask, softmax

visible = causal_mask(3)

for row in ([2.0, 1.0, 0.5], [2.0, 99.0, -99.0], [-50.0, 1.0, 0.5]):
    scores = np.array([row, [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]])
    weights = softmax(np.where(visible, scores, -np.inf))
    print("scores of token 1:", row, "weights:", weights[0])
