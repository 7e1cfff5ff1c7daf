import numpy as np

from attention_core import softmax

Q = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]])
K = np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 2.0, 2.0]])
d_k = 3

scores_divided = softmax(Q @ K.T / np.sqrt(d_k))
query_divided = softmax((Q / np.sqrt(d_k)) @ K.T)
both_divided = softmax((Q / d_k**0.25) @ (K / d_k**0.25).T)

print(scores_divided.round(3))
print("query divided first:", np.allclose(query_divided, scores_divided, rtol=0, atol=1e-12))
print("root shared by both:", np.allclose(both_divided, scores_divided, rtol=0, atol=1e-12))
