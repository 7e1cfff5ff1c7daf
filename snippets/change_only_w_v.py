import numpy as np

from attention_core import attention_trace

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
W_q = np.array([[1.0, 0.5], [0.0, 1.0]])
W_k = np.array([[0.5, 1.0], [1.0, 0.0]])
W_v = np.array([[1.0, -0.5], [0.5, 1.0]])
other_W_v = np.array([[2.0, 0.0], [0.0, -1.0]])

before = attention_trace(X @ W_q, X @ W_k, X @ W_v)
after = attention_trace(X @ W_q, X @ W_k, X @ other_W_v)

print("scores unchanged: ", np.array_equal(before.scores, after.scores))
print("weights unchanged:", np.array_equal(before.weights, after.weights))
print("V unchanged:      ", np.array_equal(before.value, after.value))
print("output unchanged: ", np.array_equal(before.output, after.output))
print("output")
print(after.output.round(3))
